"""The file that a path of a request means, and whether a request may touch it.

This is the only gate between what a model wrote and the file system. A path is resolved, or refused with a
reason of its own. A resolved path is inside a workspace folder and outside of repositories' own folders, and
names a regular file or a place where a new one can be created.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from patchpoint.dataclass import dataclass, replace
from patchpoint.paths.repositories import is_repository, repositories_completed, repository_around
from patchpoint.paths.rules import (
    RefusalReason,
    is_absolute,
    is_repository_name,
    is_uri,
    lexical_problem,
    name_problem,
    shown,
)
from patchpoint.paths.search import FileListing, files_meant, list_files
from patchpoint.paths.spelling import as_opened, own_parts


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedPath:
    """The file that a path means."""

    root: Path
    """The workspace folder, spelled as the caller gave it."""
    relative: str
    """The path below `root`, with forward slashes."""
    path: Path
    """`root` and `relative` together: the path by which editors know the file."""
    place: Path
    """The path with the links in its directories followed, but not a link that it names itself. Deleting and
    renaming act on this."""
    target: Path
    """The path with every link followed, inside the same folder. Reading and writing act on this."""
    exists: bool
    """Whether the file is on disk."""
    notes: tuple[str, ...] = ()
    """Remarks for the user: that the path was misspelt, and how it was read."""
    other_spelling: str = ""
    """The name that was written, where the folder spells it in another way, on a disk that folds case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedPath:
    """A path that a request may not touch, or that means no file."""

    written: str
    reason: RefusalReason
    message: str
    """A sentence that names the path, what is wrong with it, and what to do."""
    candidates: tuple[str, ...] = ()
    """The files or folders that the path could mean, if there are several."""


def resolve_path(
    written: str,
    roots: Sequence[Path],
    *,
    base: Path | None = None,
    absolute_allowed: bool = False,
    may_be_missing: bool = False,
    may_be_misspelt: bool = False,
    may_be_shortened: bool = False,
    open_files: Collection[Path] = (),
    list_files: Callable[[Path], FileListing] = list_files,
) -> ResolvedPath | RefusedPath:
    """Return the file that `written` means in the workspace folders `roots`, or why it is refused.

    A relative path is resolved from `base`, if that is in one of the folders, and then from each folder. A
    file is found when it is on disk or among `open_files`. When none is found, `may_be_missing` returns the
    place of a new one, and `may_be_misspelt` searches for the one file that fits. Allow the latter only to
    edits that must also find their place in the file's text: a file to delete or overwrite is never guessed.
    `may_be_shortened` prefers the one file whose path ends with `written` to the place of a new one: for
    content that is held against the file. With either, a first folder that does not exist may be the
    repository's name.
    Pass a caching `list_files` to share its listings between paths.
    """
    problem = lexical_problem(written, absolute_allowed)
    if problem is not None:
        return _refuse(written, *problem)
    path = written
    if is_uri(written):
        from urllib.request import url2pathname  # which loads a client of HTTP

        path = url2pathname(urlsplit(written).path)
        problem = lexical_problem(path, absolute_allowed)
        if problem is not None:
            return _refuse(written, *problem)
    if not roots:
        return _refuse(
            written, RefusalReason.OUTSIDE, "is in no workspace folder, because none is open; open one"
        )
    slashed = path.replace("\\", "/")
    notes = (f"{shown(written)} was read as {shown(slashed)}",) if slashed != path and os.name != "nt" else ()
    tiers = _places_meant(slashed, roots, base)
    if not any(tiers):
        if is_absolute(slashed):
            return _refuse(
                written, RefusalReason.OUTSIDE, "is in no workspace folder; name a file inside one"
            )
        return _refuse(written, RefusalReason.ESCAPES, "leaves the workspace folder; name a file inside it")
    results = [[_inspect(written, place, notes) for place in tier] for tier in tiers]
    for tier in results:
        found = [one for one in tier if isinstance(one, ResolvedPath) and _is_found(one, open_files)]
        if found:
            return _as_opened(_the_only(written, found), open_files)
    if may_be_misspelt or may_be_shortened:
        found = [one for one in _behind_other_names(written, tiers[1]) if _is_found(one, open_files)]
        if found:
            return _the_only(written, found)
    refused = [one for tier in results[:2] for one in tier if isinstance(one, RefusedPath)]
    if refused:
        return refused[0]
    wanted = next(tier for tier in (tiers[1], tiers[0]) if tier)[0].relative
    if may_be_shortened and not slashed.startswith("./"):
        longer = _similar(written, wanted, roots, list_files, open_files, only="shortened")
        if isinstance(longer, ResolvedPath) or longer.reason is not RefusalReason.NOT_FOUND:
            return longer
    if may_be_missing:
        return _new_place(written, results, roots)
    if may_be_misspelt:
        return _similar(written, wanted, roots, list_files, open_files)
    return _refuse(written, RefusalReason.NOT_FOUND, "does not exist")


def require_place(root: Path, path: Path) -> RefusedPath | None:
    """Return why `path` (the `place` or the `target` of a resolved path) may no longer be written, or `None`.

    Call this right before writing: since the path was resolved, one of its directories may have become a
    link.
    """
    refused = require_same_place(root, path)
    if refused is not None:
        return refused
    return _refuse_repository(str(path), Path(os.path.realpath(root)), path)


def require_same_place(root: Path, path: Path) -> RefusedPath | None:
    """Return why `path` is no longer the place in the workspace folder that it was, or `None`.

    That is all to ask where a write is undone: what it made may itself have turned a folder into a
    repository.
    """
    if Path(os.path.realpath(path.parent)) != path.parent:
        return _refuse(str(path), RefusalReason.SYMLINK, "now leads to another folder; try again")
    if not path.is_relative_to(Path(os.path.realpath(root))):
        return _refuse(str(path), RefusalReason.OUTSIDE, f"is not in the workspace folder {root}")
    return None


def refuse_repositories(new: Sequence[ResolvedPath]) -> dict[Path, RefusedPath]:
    """Return those of the files that would together make a folder a repository, by their `path`, refused.

    `new` are all files that a request creates or moves files to. Each of them alone may be harmless.
    """
    places: dict[tuple[Path, Path], ResolvedPath] = {}
    for one in new:
        real_root = Path(os.path.realpath(one.root))
        places |= dict.fromkeys(((real_root, one.place), (real_root, one.target)), one)
    completed = repositories_completed(places)
    return {
        one.path: _refuse(
            one.relative,
            RefusalReason.REPOSITORY,
            f"would make {completed[place]} a repository, together with other files of the request; git "
            "believes a repository's configuration, so use other names",
        )
        for (_, place), one in places.items()
        if place in completed
    }


@dataclass(frozen=True, slots=True)
class _RootedPath:
    """A path below one of the workspace folders, not yet checked against the disk."""

    root: Path
    parts: tuple[str, ...]

    @property
    def relative(self) -> str:
        return "/".join(self.parts)


def _refuse(written: str, reason: RefusalReason, problem: str, candidates: Sequence[str] = ()) -> RefusedPath:
    return RefusedPath(
        written=written,
        reason=reason,
        message=f"{shown(written)} {problem}",
        candidates=tuple(candidates),
    )


def _places_meant(slashed: str, roots: Sequence[Path], base: Path | None) -> list[list[_RootedPath]]:
    """Return the places a path can mean, in tiers: from the base, from each folder, after a folder's name."""
    if is_absolute(slashed):
        place = _place_of_absolute(Path(os.path.normpath(slashed)), roots)
        return [[place] if place else [], [], []]
    parts = tuple(slashed.split("/"))
    home = _place_of_absolute(Path(os.path.normpath(base)), roots) if base else None
    from_base = [_RootedPath(home.root, (*home.parts, *parts))] if home else []
    from_roots = [_RootedPath(root, parts) for root in roots]
    behind_names = [
        _RootedPath(root, parts[1:]) for root in roots if len(parts) > 1 and parts[0] == root.name
    ]
    return [_normal(tier) for tier in (from_base, from_roots, behind_names)]


def _place_of_absolute(path: Path, roots: Sequence[Path]) -> _RootedPath | None:
    deepest_first = sorted(roots, key=lambda root: len(root.parts), reverse=True)
    for root in deepest_first:
        if path.is_relative_to(root):
            return _RootedPath(root, path.relative_to(root).parts)
    # The folder and the path may be spelled differently, as /tmp and /private/tmp on macOS.
    real = Path(os.path.realpath(path.parent)) / path.name
    for root in deepest_first:
        real_root = Path(os.path.realpath(root))
        if real.is_relative_to(real_root):
            return _RootedPath(root, real.relative_to(real_root).parts)
    return None


def _normal(places: Sequence[_RootedPath]) -> list[_RootedPath]:
    """Return the places with `.` and `..` resolved, without those that leave their folder."""
    inside = []
    for place in places:
        parts: list[str] = []
        for part in place.parts:
            if part == ".." and not parts:
                break
            if part == "..":
                parts.pop()
            elif part not in ("", "."):
                parts.append(part)
        else:
            inside.append(_RootedPath(place.root, tuple(parts)))
    return inside


def _inspect(written: str, place: _RootedPath, notes: tuple[str, ...]) -> ResolvedPath | RefusedPath:
    """Return the file at a place, which need not exist, or why it may not be touched."""
    if not place.parts:
        return _refuse(written, RefusalReason.FOLDER, "is the workspace folder itself; name a file in it")
    written_name = place.parts[-1]
    place = _RootedPath(place.root, own_parts(place.root, place.parts))
    path = place.root.joinpath(*place.parts)
    real_root = Path(os.path.realpath(place.root))
    target = Path(os.path.realpath(path))
    if not target.is_relative_to(real_root):
        return _refuse(
            written,
            RefusalReason.SYMLINK,
            f"leads out of the workspace folder by a symbolic link, to {target}",
        )
    named = Path(os.path.realpath(path.parent)) / path.name
    for one in dict.fromkeys((target, named)):
        refused = _refuse_repository(written, real_root, one, *place.parts)
        if refused is not None:
            return refused
    try:
        status = target.lstat()
    except (FileNotFoundError, NotADirectoryError):
        refused = _refuse_new(written, place, target)
        exists = False
    except OSError as error:
        return _refuse(
            written,
            RefusalReason.NAME,
            f"cannot be accessed: {error.strerror}; check the path, and the permissions of its folders",
        )
    else:
        refused = _refuse_kind(written, place, status)
        exists = True
    return refused or ResolvedPath(
        root=place.root,
        relative=place.relative,
        path=path,
        place=named,
        target=target,
        exists=exists,
        notes=notes,
        other_spelling=written_name if written_name != place.parts[-1] else "",
    )


def _as_opened(found: ResolvedPath | RefusedPath, open_files: Collection[Path]) -> ResolvedPath | RefusedPath:
    if isinstance(found, RefusedPath) or found.path in open_files or found.target in open_files:
        return found
    opened = as_opened(found.root, found.relative, open_files)
    return found if opened is None else replace(found, path=opened)


def _refuse_repository(written: str, real_root: Path, target: Path, *names: str) -> RefusedPath | None:
    if not target.is_relative_to(real_root):
        return None  # A name that leads out and back in; only what it leads to can be written.
    if any(map(is_repository_name, (*names, *target.relative_to(real_root).parts))):
        return _refuse(
            written, RefusalReason.REPOSITORY, "is in a repository's own folder, which no edit may touch"
        )
    folder = repository_around(real_root, target)
    if folder is None:
        return None
    if is_repository(folder):
        problem = f"is in the repository {folder}, which no edit may touch"
    else:
        problem = f"would make {folder} a repository, whose configuration git believes; use another name"
    return _refuse(written, RefusalReason.REPOSITORY, problem)


def _refuse_new(written: str, place: _RootedPath, target: Path) -> RefusedPath | None:
    for name in place.parts:
        problem = name_problem(name)
        if problem is not None:
            return _refuse(written, *problem)
    above = next(folder for folder in target.parents if os.path.lexists(folder))
    if not above.is_dir():
        return _refuse(
            written,
            RefusalReason.BELOW_FILE,
            f"cannot be created: {shown(above.name)} is not a folder",
        )
    return None


def _refuse_kind(written: str, place: _RootedPath, status: os.stat_result) -> RefusedPath | None:
    mode = status.st_mode
    if stat.S_ISDIR(mode):
        return _refuse(written, RefusalReason.FOLDER, "is a folder; name a file in it")
    if stat.S_ISLNK(mode):
        return _refuse(written, RefusalReason.SYMLINK, "is a symbolic link that leads back to itself")
    if not stat.S_ISREG(mode):
        return _refuse(written, RefusalReason.DEVICE, "is a device, a pipe or a socket; name a regular file")
    if os.name != "nt":
        return None  # Here, a regular file of such a name is a plain file.
    problem = next(filter(None, map(name_problem, place.parts)), None)
    return _refuse(written, *problem) if problem else None


def _is_found(resolved: ResolvedPath, open_files: Collection[Path]) -> bool:
    return resolved.exists or resolved.path in open_files or resolved.target in open_files


def _the_only(written: str, found: Sequence[ResolvedPath]) -> ResolvedPath | RefusedPath:
    different = {resolved.target: resolved for resolved in reversed(found)}
    if len(different) == 1:
        return found[0]
    names = [str(resolved.path) for resolved in found]
    return _refuse(
        written,
        RefusalReason.AMBIGUOUS,
        f"is in {len(names)} workspace folders: {', '.join(names)}; begin the path with the folder's name",
        names,
    )


def _new_place(
    written: str, results: Sequence[Sequence[ResolvedPath | RefusedPath]], roots: Sequence[Path]
) -> ResolvedPath | RefusedPath:
    """Return the place of a file that does not exist yet."""
    from_base, from_roots, behind_names = (
        [one for one in tier if isinstance(one, ResolvedPath)] for tier in results
    )
    if from_base:
        return from_base[0]
    if len(from_roots) == 1:
        return from_roots[0]
    in_folders = [one for one in from_roots if "/" in one.relative and one.target.parent.is_dir()]
    for fits in (in_folders, behind_names):
        if len(fits) == 1:
            return fits[0]
    names = [str(root) for root in roots]
    return _refuse(
        written,
        RefusalReason.AMBIGUOUS,
        f"could be created in any of {', '.join(names)}; begin the path with the folder's name",
        names,
    )


def _behind_other_names(written: str, from_roots: Sequence[_RootedPath]) -> list[ResolvedPath]:
    """Return the files that a path means behind its first name, where no folder has it: a repository's."""
    found = []
    for place in from_roots:
        if len(place.parts) < 3 or os.path.lexists(place.root / place.parts[0]):
            continue
        rest = _RootedPath(place.root, place.parts[1:])
        note = (
            f"there is no {shown(place.parts[0])} in {place.root}: {shown(written)} was read as "
            f"{shown(rest.relative)}"
        )
        one = _inspect(written, rest, (note,))
        found += [one] if isinstance(one, ResolvedPath) else []
    return found


def _similar(
    written: str,
    wanted: str,
    roots: Sequence[Path],
    list_files: Callable[[Path], FileListing],
    open_files: Collection[Path],
    only: str = "",
) -> ResolvedPath | RefusedPath:
    """Return the one file that a path which names none can mean, `only` in one way if that is given."""
    listings = {root: list_files(root) for root in roots}
    if not all(listing.complete for listing in listings.values()):
        return _refuse(
            written,
            RefusalReason.NOT_FOUND,
            "does not exist, and the folder is too large to search for a similar path; write it in full",
        )
    known = {(root, file) for root, listing in listings.items() for file in listing.files}
    known.update(
        (root, path.relative_to(root).as_posix())
        for path in open_files
        for root in roots
        if path.is_relative_to(root)
    )
    meant, how = files_meant(wanted, {file for _, file in known})
    names_meant = set(meant)
    fits = sorted((root, file) for root, file in known if file in names_meant)
    if not fits or only not in ("", how):
        return _refuse(written, RefusalReason.NOT_FOUND, "does not exist, and no file has a similar path")
    if len(fits) > 1:
        names = [file if len(roots) == 1 else str(root / file) for root, file in fits]
        listed = ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
        return _refuse(
            written,
            RefusalReason.AMBIGUOUS,
            f"does not exist and could mean {len(names)} files: {listed}; write the whole path",
            names,
        )
    [(root, file)] = fits
    note = f"{shown(written)} does not exist; it was read as {shown(file)}, the only file that fits ({how})"
    return _inspect(written, _RootedPath(root, tuple(file.split("/"))), (note,))
