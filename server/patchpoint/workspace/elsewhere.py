"""Paths of another machine in a workspace: the files of its folders that they mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.edit import Edit
from patchpoint.filesystem.errors import FileError
from patchpoint.filesystem.read import read_file
from patchpoint.patching.answers.at_home import all_at_home
from patchpoint.paths.elsewhere import meant_elsewhere
from patchpoint.paths.resolve import RefusedPath, ResolvedPath, resolve_path
from patchpoint.paths.rules import RefusalReason

if TYPE_CHECKING:
    from patchpoint.edit import Malformed
    from patchpoint.patching.plan import Item
    from patchpoint.paths.search import FileListing

_STRANGE = (
    RefusalReason.ABSOLUTE,
    RefusalReason.HOME,
    RefusalReason.NOT_FOUND,
    RefusalReason.OUTSIDE,
    RefusalReason.URI,
)
"""Why a path is refused that may be of another machine."""


def all_in_folders(
    edits: Sequence[Edit | Malformed],
    roots: Sequence[Path],
    buffers: Mapping[Path, str],
    list_files: Callable[[Path], FileListing],
    base: Path | None,
) -> list[Item]:
    """Return edits, those with paths of no folder in `roots` with the files that these mean."""

    def found(path: str) -> ResolvedPath | RefusedPath:
        return resolve_path(path, roots, base=base, absolute_allowed=True, open_files=frozenset(buffers))

    def text_of(path: str) -> str | None:
        file = found(path)
        if not isinstance(file, ResolvedPath):
            return None
        if file.path in buffers:
            return buffers[file.path]
        try:
            return read_file(file.target).text
        except FileError:
            return None

    paths = {edit.path for edit in edits if isinstance(edit, Edit)}
    strange = {
        path for path in paths if isinstance(one := found(path), RefusedPath) and one.reason in _STRANGE
    }
    listings = [list_files(root) for root in roots] if strange else []
    if not listings or not all(listing.complete for listing in listings):
        return list(edits)
    own = [edit for edit in edits if isinstance(edit, Edit) and edit.path in strange]
    files = {file for listing in listings for file in listing.files}
    here = iter(all_at_home(own, files, text_of, meant_elsewhere))
    return [next(here) if isinstance(edit, Edit) and edit.path in strange else edit for edit in edits]
