"""The one file of a workspace that a shortened or misspelt path can mean."""

from __future__ import annotations

import os
import unicodedata
from collections import deque
from collections.abc import Iterable
from itertools import islice
from pathlib import Path, PurePosixPath

from patchpoint.dataclass import dataclass
from patchpoint.paths.rules import is_repository_name
from patchpoint.text.line_diff import shared_ends

MOST_ENTRIES = 100_000
"""The most entries of a folder that are searched, so that nobody waits; a larger folder is not searched."""

HEAVY_FOLDERS = frozenset(
    {
        "node_modules",
        "bower_components",
        "__pycache__",
        "site-packages",
        ".venv",
        "venv",
        ".tox",
        ".nox",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        ".hypothesis",
        ".gradle",
        ".cache",
        ".next",
        ".nuxt",
        ".terraform",
    }
)
"""Names of folders full of files that nobody edits by hand."""

# Files that mark such a folder under any name: caches (bford.info/cachedir), Python's virtual environments.
_HEAVY_MARKS = frozenset({"CACHEDIR.TAG", "pyvenv.cfg"})


@dataclass(frozen=True, slots=True)
class FileListing:
    """The files of a folder and of those below it."""

    files: tuple[str, ...]
    """Relative to the folder, with forward slashes, sorted."""
    complete: bool
    """Whether all files are listed; an incomplete list cannot prove that a path is unique."""


def list_files(root: Path, most: int = MOST_ENTRIES) -> FileListing:
    """List the files below `root`, without repositories and without folders of dependencies and caches.

    Symbolic links to folders are not followed; a folder that cannot be read is skipped. More than `most`
    entries make the listing incomplete.
    """
    files: list[str] = []
    folders = deque([""])
    left = most
    while folders:
        folder = folders.popleft()
        try:
            with os.scandir(root / folder) as entries:
                here = list(islice(entries, left + 1))
        except OSError:
            continue
        left -= len(here)
        if left < 0:
            return FileListing(tuple(sorted(files)), complete=False)
        if folder and any(entry.name in _HEAVY_MARKS for entry in here):
            continue
        for entry in here:
            if is_repository_name(entry.name):
                continue
            if not entry.is_dir(follow_symlinks=False):
                if _is_file(entry):
                    files.append(folder + entry.name)
            elif entry.name not in HEAVY_FOLDERS:
                folders.append(f"{folder}{entry.name}/")
    return FileListing(tuple(sorted(files)), complete=True)


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link that leads in a circle
        return False


def files_meant(written: str, files: Iterable[str]) -> tuple[list[str], str]:
    """Return the `files` that `written`, which is not one of them, can mean, and how they differ from it.

    The first of these ways that fits any file decides: `written` is the end of the file's path; it is the
    path, with characters composed in another way; it is the end if case is ignored; or the two differ in one
    place by a slip of the pen. All are relative paths with forward slashes. The list may have several files,
    or none.
    """
    files = list(files)
    ending = "/" + written
    fits = [file for file in files if file.endswith(ending)]
    if fits:
        return fits, "shortened"
    composed = unicodedata.normalize("NFC", written)
    fits = [file for file in files if unicodedata.normalize("NFC", file) == composed]
    if fits:
        return fits, "composed differently"
    folded = _folded(written)
    names = list(zip(files, map(_folded, files), strict=True))
    fits = [file for file, name in names if name == folded]
    if not fits:
        fits = [file for file, name in names if name.endswith("/" + folded)]
    if fits:
        return fits, "ignoring case"
    fits = [file for file, name in names if _is_slip(folded, name)]
    return fits, "misspelt"


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def _is_slip(written: str, meant: str) -> bool:
    """Return whether two paths differ as by a slip of the pen.

    That is one place with up to two letters left out, put in, changed or swapped, in a word of at least four
    letters, or a hyphen for an underscore. A digit, a single letter or an extension is a name of its own:
    `test_a` and `test_b` are two files.
    """
    if abs(len(written) - len(meant)) > 2 or PurePosixPath(written).suffix != PurePosixPath(meant).suffix:
        return False
    start, tail = shared_ends(written, meant)
    wrong, right = written[start : len(written) - tail], meant[start : len(meant) - tail]
    if {wrong, right} == {"-", "_"}:
        return True
    if max(len(wrong), len(right)) > 2 or not (wrong + right).isalpha():
        return False
    return max(_letters_around(written, start, wrong), _letters_around(meant, start, right)) >= 4


def _letters_around(path: str, at: int, middle: str) -> int:
    before = after = 0
    while before < at and path[at - before - 1].isalpha():
        before += 1
    end = at + len(middle)
    while end + after < len(path) and path[end + after].isalpha():
        after += 1
    return before + len(middle) + after
