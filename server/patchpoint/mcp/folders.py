"""The folders whose files the tools may touch: those given, the client's, or the working directory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from patchpoint.mcp.call import ToolError
from patchpoint.schema.uris import path_of


def folders_of_client(uris: Sequence[str]) -> tuple[Path, ...]:
    """Return the folders that a client names by their URIs. Raises `ToolError` if none of them is one."""
    named = [path for uri in uris if (path := path_of(uri)) is not None]
    folders = tuple(dict.fromkeys(path.resolve() for path in named if path.is_dir()))
    if not folders:
        raise ToolError(
            "The client has no folder of this machine open; open one, or name it when starting `patchpoint "
            "mcp`.",
            "no-folder",
        )
    return folders


def working_directory() -> tuple[Path, ...]:
    """Return the working directory. Raises `ToolError` if it is more than anybody means by a project."""
    folder, home = Path.cwd().resolve(), Path.home().resolve()
    if folder == home or folder in home.parents:
        raise ToolError(
            f"The working directory is {folder}, which is not a project; name the folder when starting "
            "`patchpoint mcp`.",
            "no-folder",
        )
    return (folder,)


def chosen(roots: Sequence[Path], given: str | None) -> tuple[Path, ...]:
    """Return all folders, or the one that a tool was `given`. Raises `ToolError` for any other."""
    if given is None:
        return tuple(roots)
    wanted = path_of(given) or Path(given)
    for root in roots:
        if root in (wanted, wanted.resolve()) or (not wanted.is_absolute() and root.name == given):
            return (root,)
    named = ", ".join(map(str, roots))
    raise ToolError(f"{given} is not one of the folders: {named}.", "no-folder")
