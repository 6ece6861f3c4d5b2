"""What the paths of a file on another machine mean here: `/repo/src/a.py`, `C:\\Users\\ann\\proj\\src\\a.py`.

A model writes down the paths that it saw: of a container, of somebody else's home. What such a path ends as
may be a file of the project; what is in front of that is the folder that the project was in.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from patchpoint.dataclass import dataclass
from patchpoint.paths.rules import is_elsewhere, is_uri
from patchpoint.paths.search import HEAVY_FOLDERS

_SYSTEM = frozenset(("bin", "boot", "dev", "etc", "lib", "lib64", "proc", "run", "sbin", "sys", "usr", "var"))
_OF_PROJECTS = (("usr", "src"), ("var", "www"))
"""Folders of the system that projects are put into."""
_OF_OTHERS = HEAVY_FOLDERS | {"vendor", "third_party"}
"""What is below them is of another project."""


@dataclass(frozen=True, slots=True)
class Meant:
    """What a path of another machine means."""

    files: tuple[str, ...]
    """The files that it may be; of a file that is new, where it is."""
    is_sure: bool = False
    """Whether it is one file by more than its name, and every other path of the request agrees."""


def meant_elsewhere(paths: Mapping[str, bool], files: Collection[str]) -> dict[str, Meant]:
    """Return which of the `files` the `paths` mean, by path; those that mean none are left out.

    Each path comes with whether its file must be there. Relative paths count where none of the project's
    folders is called as they begin: those of files that may be new only follow the others. One folder that
    all paths are below which end as a file decides what they mean, and where what is new goes.
    """
    folders = {file.partition("/")[0] for file in files if "/" in file}
    parts = {path: _parts(path) for path in paths}
    parts = {
        path: own
        for path, own in parts.items()
        if own and path not in files and (is_elsewhere(path) or (len(own) > 1 and own[0] not in folders))
    }
    known = frozenset(files)
    roots = {
        path: [own[:at] for at in range(1, len(own)) if _may_hold(own[:at]) and "/".join(own[at:]) in known]
        for path, own in parts.items()
        if is_elsewhere(path) or paths[path]
    }
    common = set.intersection(*map(set, filter(None, roots.values()))) if any(roots.values()) else set()
    root = next(iter(common)) if len(common) == 1 else ()
    found = {}
    for path, own in parts.items():
        rest = "/".join(own[len(root) :]) if root and own[: len(root)] == root else ""
        ends = roots.get(path, [])
        if rest and rest in known:
            # a longer relative path may be of another project, and one from the root of a machine is unlikely
            is_near = len(root) > 1 if is_elsewhere(path) else len(root) == 1
            found[path] = Meant((rest,), is_sure=is_near and "/" in rest)
        elif ends:
            fits = [one for one in ends if one in common] or ends
            found[path] = Meant(tuple("/".join(own[len(one) :]) for one in fits))
        elif rest:
            found[path] = Meant((rest,))
        elif paths[path] and is_elsewhere(path) and (longer := _ending_as(own, known)):
            found[path] = Meant(longer)
    return found


def _parts(written: str) -> tuple[str, ...]:
    """Return the names of a path from its root on, which is the first one; none where it goes up."""
    if written.startswith("file:"):
        from urllib.parse import unquote, urlsplit

        written = unquote(urlsplit(written).path)
    elif is_uri(written):
        return ()
    slashed = written.replace("\\", "/")
    names = [name for name in slashed.split("/") if name not in ("", ".")]
    names = ["", *names] if slashed.startswith("/") else names
    return () if ".." in names else tuple(names)


def _may_hold(root: tuple[str, ...]) -> bool:
    """Return whether a project may be in a folder: none of the system, or of what it depends on."""
    names = root[1:]
    is_system = root[0] == "" and names[:1] and names[0] in _SYSTEM and names[:2] not in _OF_PROJECTS
    is_hidden = any(name.startswith(".") for name in root) and "worktrees" not in names
    return not is_system and not is_hidden and _OF_OTHERS.isdisjoint(root)


def _ending_as(own: tuple[str, ...], files: Collection[str]) -> tuple[str, ...]:
    """Return the files that end as most of a path does."""
    for at in range(1, len(own)):
        ending = "/" + "/".join(own[at:])
        fits = tuple(sorted(file for file in files if file.endswith(ending)))
        if fits:
            return fits if _may_hold(own[:at]) else ()
    return ()
