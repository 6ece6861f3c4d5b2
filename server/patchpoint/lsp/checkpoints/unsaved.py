"""Buffers with unsaved changes, which a checkpoint records and a restore brings back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.filesystem.errors import FileError
from patchpoint.filesystem.read import read_file

if TYPE_CHECKING:
    from patchpoint.lsp.session.session import Session


def open_texts(session: Session) -> dict[Path, str]:
    """Return the text of every open document that is a file, by its path."""
    return dict(session.documents.buffers().file_texts)


def unsaved_texts(root: Path, opened: Mapping[Path, str]) -> dict[str, str]:
    """Return the open texts below `root` that differ from their files, by path relative to `root`."""
    found = {}
    for path, text in opened.items():
        if not path.is_relative_to(root):
            continue
        try:
            same = read_file(path).text == text
        except FileError:
            same = False
        if not same:
            found[path.relative_to(root).as_posix()] = text
    return found
