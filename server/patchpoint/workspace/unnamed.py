"""Code that names no file, in a workspace: the files that could be meant are searched for the one that is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path, PurePosixPath

from patchpoint.dataclass import replace
from patchpoint.edit import Unplaced
from patchpoint.filesystem.errors import FileError
from patchpoint.filesystem.read import read_file
from patchpoint.locate.ladder import Ladder
from patchpoint.patching.answers.candidates import Sought
from patchpoint.patching.answers.placing import Placing, files_for, place
from patchpoint.paths.search import list_files
from patchpoint.progress import Progress, Silent
from patchpoint.structure.languages import languages_of
from patchpoint.workspace.request import Workspace

_MOST_FILES = 4000
_MOST_BYTES = 64 * 1024 * 1024
_LARGEST = 1024 * 1024
"""Nobody waits for more files, larger ones, or more bytes of them to be read."""


def place_in_workspace(
    unplaced: Sequence[Unplaced],
    workspace: Workspace,
    *,
    source: Path | None = None,
    ladder: Ladder | None = None,
    progress: Progress | None = None,
    named: Collection[str] = (),
) -> Placing:
    """Return the edits of code that exactly one file of the workspace has a place for, and what is left.

    Of several such files, one of the paths `named` is meant. The file `source`, which holds the code, is not
    one of them. Raises `CancelledError` through `progress`.
    """
    files = _files_with(unplaced, workspace, source, progress or Silent())
    if files is None:
        too_large = "the folders are too large to search; write the path of its file on the line above."
        left = [
            one if one.edit is None else replace(one, message=_because(one, too_large)) for one in unplaced
        ]
        return Placing((), tuple(left))
    return place(unplaced, files, ladder, progress, named)


def files_in_workspace(
    one: Unplaced,
    workspace: Workspace,
    *,
    source: Path | None = None,
    ladder: Ladder | None = None,
    progress: Progress | None = None,
) -> list[str]:
    """Return the paths of the files that have a place for one piece of code, in order."""
    return files_for(one, _files_with([one], workspace, source, progress or Silent()) or {}, ladder, progress)


def open_files_like(one: Unplaced, workspace: Workspace, *, source: Path | None = None) -> list[str]:
    """Return the paths of the open files in the language of code, in order; of any, where it is not known."""
    known = {suffix for language in languages_of(f"x.{one.suffix}") for suffix in language.suffixes}
    found = [
        _name(root, path.relative_to(root).as_posix(), workspace)
        for path in workspace.open_files
        for root in workspace.roots
        if path.is_relative_to(root) and path != source and (not known or path.suffix.lower() in known)
    ]
    return sorted(found)


def _name(root: Path, relative: str, workspace: Workspace) -> str:
    return relative if len(workspace.roots) == 1 else f"{root.name}/{relative}"


def _files_with(
    unplaced: Sequence[Unplaced], workspace: Workspace, source: Path | None, progress: Progress
) -> Mapping[str, str] | None:
    """Return the texts of the files that may have a place for the code; `None` if there are too many."""
    asked = [one for one in unplaced if one.edit is not None or one.quoted is not None]
    if not asked:
        return {}
    wanted = Sought(asked)
    suffixes: set[str] | None = set()
    for one in asked:
        known = {suffix for language in languages_of(f"x.{one.suffix}") for suffix in language.suffixes}
        suffixes = suffixes | known if suffixes is not None and known else None
    texts: dict[str, str] = {}
    files = left = 0
    for root in workspace.roots:
        listing = list_files(root)
        if not listing.complete:
            return None
        named = [*listing.files, *_only_open(root, listing.files, workspace)]
        for relative in named:
            is_named = wanted.names(relative)
            is_like = suffixes is None or PurePosixPath(relative).suffix.lower() in suffixes
            if not is_named and not is_like:
                continue
            if root / relative == source:
                continue
            progress.check()
            files += 1
            text = _text_of(root / relative, workspace)
            left += len(text or "")
            if files > _MOST_FILES or left > _MOST_BYTES:
                return None
            if text is not None and (is_named or any(wanted.texts_in(text))):
                texts[_name(root, relative, workspace)] = text
    return texts


def _only_open(root: Path, files: Sequence[str], workspace: Workspace) -> list[str]:
    """Return the open files below a folder that are not on disk."""
    known = set(files)
    inside = (path.relative_to(root).as_posix() for path in workspace.buffers if path.is_relative_to(root))
    return [path for path in inside if path not in known]


def _text_of(path: Path, workspace: Workspace) -> str | None:
    if path in workspace.buffers:
        return workspace.buffers[path]
    try:
        return read_file(path).text if path.stat().st_size <= _LARGEST else None
    except (FileError, OSError):
        return None


def _because(one: Unplaced, why: str) -> str:
    return f"{one.message.partition(': no path')[0]}: no path names its file, and {why}"
