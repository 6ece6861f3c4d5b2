"""Which folders git takes for repositories: those on disk, and those that new files would complete.

A repository needs no `.git`. A folder with `HEAD`, `objects` and `refs` is one (`is_git_directory` in git's
setup.c), and so is one with `HEAD` and `commondir`, which says where the other two are. Git run in such a
folder believes its configuration, which can name programs. What the files hold is not looked at: another edit
may change it.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from patchpoint.paths.rules import folded_name

FoldedPath = tuple[str, ...]
"""The names of a path from its root on, each as `folded_name` returns it."""


def is_repository(folder: Path) -> bool:
    """Return whether git takes the folder for a repository as it is on disk."""
    return _makes_repository(_parts_in(folder))


def repository_around(root: Path, target: Path) -> Path | None:
    """Return the folder above `target`, up to `root`, that is a repository or would become one with `target`.

    Both paths are without links, `target` below `root`; it need not exist. `None` if no folder is one.
    """
    path = target
    while path != root:
        if is_repository(path.parent):
            return path.parent
        part = _part(folded_name(path.name), is_file=path == target)
        if part and _makes_repository({part} | _parts_in_any_spelling(root, path.parent)):
            return path.parent
        path = path.parent
    return None


def working_tree_inside(root: Path, target: Path) -> Path | None:
    """Return the innermost folder above `target` and below `root` that has a `.git`; `None` if none has.

    It is the working tree of another repository, such as a submodule. Both paths are without links.
    """
    folders = (folder for folder in target.parents if folder.is_relative_to(root) and folder != root)
    return next((folder for folder in folders if (folder / ".git").exists()), None)


def recorded_folders(places: Iterable[tuple[Path, Path]]) -> dict[Path, bool]:
    """Return the folders whose checkpoints are to be taken before files are changed.

    `places` has each file with its workspace folder. A checkpoint does not hold the files of other
    repositories below its root: these are folders of their own. The value says whether the checkpoint of that
    very folder holds one of the files; those of which it does come first.
    """
    found: dict[Path, bool] = {}
    for root, path in places:
        inside = working_tree_inside(root, path)
        found[root] = found.get(root, False) or inside is None
        if inside is not None:
            found[inside] = True
    return dict(sorted(found.items(), key=lambda item: not item[1]))


def repositories_completed(new: Iterable[tuple[Path, Path]]) -> dict[Path, Path]:
    """Return the files that would, all created together, complete a repository, each with the folder of it.

    `new` has each file with its workspace folder; both paths are without links.
    """
    files = list(new)
    roots: dict[FoldedPath, dict[Path, Path]] = defaultdict(dict)
    for root, path in files:
        folder = path
        while folder != root:
            folder = folder.parent
            roots[_folded(folder)].setdefault(root, folder)

    def on_disk(folder: FoldedPath) -> set[str]:
        return set().union(*(_parts_in_any_spelling(root, one) for root, one in roots[folder].items()))

    completed = repositories_among((path.parts for _, path in files), on_disk)
    found = {}
    for root, path in files:
        folder = path
        while folder != root:
            folder = folder.parent
            if _folded(folder) in completed:
                found[path] = folder
    return found


def repositories_among(
    files: Iterable[Sequence[str]], on_disk: Callable[[FoldedPath], set[str]] | None = None
) -> frozenset[FoldedPath]:
    """Return the folders that the files at these paths, each given by its names, make repositories.

    `on_disk` returns which parts of a repository a folder has already.
    """
    parts: dict[FoldedPath, set[str]] = defaultdict(set)
    for names in files:
        folded = tuple(map(folded_name, names))
        for depth, name in enumerate(folded):
            part = _part(name, is_file=depth + 1 == len(folded))
            if part is not None:
                parts[folded[:depth]].add(part)
    return frozenset(
        folder
        for folder, own in parts.items()
        if _makes_repository(own) or (on_disk is not None and _makes_repository(own | on_disk(folder)))
    )


_FILES = ("head", "commondir")
_FOLDERS = ("objects", "refs")


def _makes_repository(parts: set[str]) -> bool:
    return "head" in parts and ("commondir" in parts or parts.issuperset(_FOLDERS))


def _part(folded: str, *, is_file: bool) -> str | None:
    """Return which part of a repository an entry of this name is; `None` if it is none."""
    # Git asks of `objects` and `refs` only that they can be executed, which a file can be.
    return folded if folded in _FOLDERS or (is_file and folded in _FILES) else None


def _parts_in(folder: Path) -> set[str]:
    """Return the parts of a repository in a folder, by git's own spelling; the file system compares it."""
    if not _is_file(folder / "HEAD"):
        return set()
    folders = {name for name in _FOLDERS if os.path.lexists(folder / name)}
    return {"head", *folders, *(["commondir"] if _is_file(folder / "commondir") else [])}


def _parts_in_any_spelling(root: Path, folder: Path) -> set[str]:
    """Return the parts of a repository in a folder and in those that differ from it only in spelling."""
    same = [root]
    for name in folder.relative_to(root).parts:
        wanted = folded_name(name)
        same = [
            Path(entry.path) for one in same for entry in _entries(one) if folded_name(entry.name) == wanted
        ]
    parts = {
        _part(folded_name(entry.name), is_file=_is_file(Path(entry.path)))
        for one in same
        for entry in _entries(one)
    }
    return {part for part in parts if part is not None}


def _is_file(path: Path) -> bool:
    """Return whether there is something other than a folder; git takes even a broken link for a `HEAD`."""
    # Not the methods of `Path`, which raise for a path that is too long or may not be looked at.
    return os.path.lexists(path) and (os.path.islink(path) or not os.path.isdir(path))  # noqa: PTH112, PTH114


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError:  # not there yet, no folder, or not for us to read
        return


def _folded(path: Path) -> FoldedPath:
    return tuple(map(folded_name, path.parts))
