"""Scripts that the configuration of a tool runs, although their own names say nothing of it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from patchpoint.edit import Edit, Malformed, Operation
from patchpoint.filesystem.open_to_read import read_own_file
from patchpoint.patching.plan import Item, Refused
from patchpoint.paths.executing_files import EXECUTING_FILES

_LARGEST = 256 * 1024
"""Bytes of a configuration file that is read."""
_MOST = 200
"""Files of one tool's folder that are read."""
_EXECUTABLE = 0o111


def scripts_of_tools(
    items: Sequence[Item], targets: Mapping[str, tuple[Path, str]], roots: Sequence[Path]
) -> dict[str, str]:
    """Return the targets that can be run as programs and that a tool's configuration names, each with where.

    `targets` has the path of each and its text. The configuration files are read only if there is such a one.
    """
    runnable = {edit.path for item in items if (edit := _edit_of(item)) is not None and _makes_script(edit)}
    found = {}
    for name, (path, text) in targets.items():
        if name in runnable or _is_script(path, text):
            naming = _naming(path, roots)
            if naming is not None:
                found[name] = f"{naming}, which names it"
    return found


def _edit_of(item: Item) -> Edit | None:
    edit = item.edit if isinstance(item, Refused) else item
    return None if isinstance(edit, Malformed) else edit


def _makes_script(edit: Edit) -> bool:
    return (edit.content or edit.replace or "").startswith("#!") or (
        edit.operation is Operation.CHMOD and bool((edit.mode or 0) & _EXECUTABLE)
    )


def _is_script(path: Path, text: str) -> bool:
    if text.startswith("#!"):
        return True
    try:
        return os.name != "nt" and bool(path.stat().st_mode & _EXECUTABLE)
    except OSError:
        return False


def _naming(path: Path, roots: Sequence[Path]) -> str | None:
    """Return the configuration file below one of `roots` that names the file at `path`."""
    for root in roots:
        if root not in path.parents:
            continue
        written = re.escape(path.relative_to(root).as_posix())
        mention = re.compile(rf"(?<![\w.-]){written}(?![\w-])")
        for file in _configurations(root):
            try:
                text = read_own_file(file, largest=_LARGEST).decode("utf-8", "replace")
            except OSError:
                continue
            if file != path and mention.search(text.replace("\\", "/")):
                return file.relative_to(root).as_posix()
    return None


def _configurations(root: Path) -> Iterator[Path]:
    """Yield the files below `root` by which tools start programs, those in folders one level deep."""
    for row in EXECUTING_FILES:
        for pattern in row.patterns:
            if "*" in pattern:
                continue
            if not pattern.endswith("/"):
                yield root / pattern
                continue
            try:
                with os.scandir(root / pattern.rstrip("/")) as entries:
                    names = sorted(entry.name for entry, _ in zip(entries, range(_MOST), strict=False))
            except OSError:
                continue
            yield from (root / pattern.rstrip("/") / name for name in names)
