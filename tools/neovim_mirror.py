"""The Neovim plugin as a folder of its own: what plugin managers clone has the plugin at its root.

`python -m tools.neovim_mirror FOLDER` writes the folder, or brings it up to date. Where it is a repository,
commit and push what has changed.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLUGIN = ROOT / "editors" / "neovim"
PAGE = ROOT / "docs" / "editors" / "neovim.md"
LICENSE = ROOT / "LICENSE"

REPOSITORY = ".git"


def mirrored() -> dict[str, bytes]:
    """Return what the folder holds, by the path in it."""
    files = {
        path.relative_to(PLUGIN).as_posix(): path.read_bytes() for path in PLUGIN.rglob("*") if path.is_file()
    }
    return files | {"LICENSE": LICENSE.read_bytes(), "README.md": readme(PAGE.read_text("utf-8")).encode()}


def readme(page: str) -> str:
    """Return the page of the editor for a reader who has the plugin alone: without links to other pages."""
    return re.sub(r"\[([^\]]+)\]\((?!https?:)[^)]*\)", r"\1", page).replace("# Neovim\n", "# Patchpoint\n", 1)


def write(folder: Path) -> list[str]:
    """Make `folder` the mirror, and return what has changed in it, by path.

    Raises ValueError, and leaves the folder alone, if it holds more than a mirror and its repository.
    """
    wanted = mirrored()
    there = _files(folder)
    if there and "lua/patchpoint/init.lua" not in there:
        raise ValueError(f"{folder} holds other files; name a new folder, or one that is a mirror.")
    roots = {name.partition("/")[0] for name in wanted}
    if strangers := sorted(name for name in there if name.partition("/")[0] not in roots):
        raise ValueError(f"{folder / strangers[0]} is not of the plugin; move it away.")
    changed = sorted(name for name in there.keys() | wanted.keys() if there.get(name) != wanted.get(name))
    for name in changed:
        path = folder / name
        if name in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(wanted[name])
        else:
            path.unlink()
    for path in sorted((path for path in folder.rglob("*") if path.is_dir()), reverse=True):
        if REPOSITORY not in path.relative_to(folder).parts and not any(path.iterdir()):
            path.rmdir()
    return changed


def _files(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder that may not exist, without those of its repository."""
    found = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
    return {name.as_posix(): path.read_bytes() for name, path in found.items() if name.parts[0] != REPOSITORY}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tools.neovim_mirror FOLDER")
    try:
        changes = write(Path(sys.argv[1]))
    except ValueError as problem:
        sys.exit(str(problem))
    print("\n".join(changes) or "The folder is up to date.")
