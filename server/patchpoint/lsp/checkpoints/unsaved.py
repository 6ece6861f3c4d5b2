"""Buffers with unsaved changes, which a checkpoint records and a restore brings back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.filesystem.read import text_or_none
from patchpoint.lsp.session.documents import NotebookSnapshot
from patchpoint.text.encoding import is_misread
from patchpoint.text.line_endings import is_shown_as

if TYPE_CHECKING:
    from patchpoint.lsp.session.session import Session

OpenText = str | NotebookSnapshot
"""What is open in the client: the text of a document, or the cells of a notebook."""


def open_texts(session: Session) -> dict[Path, OpenText]:
    """Return what is open of every file, by its path."""
    opened = session.documents.buffers()
    return {**opened.notebooks, **opened.file_texts}


def unsaved_texts(root: Path, opened: Mapping[Path, OpenText]) -> dict[str, str]:
    """Return the open texts below `root` that differ from their files, by path relative to `root`.

    That of a notebook is its file's with the cells that are open.
    """
    found = {}
    for path, shown in opened.items():
        if not path.is_relative_to(root):
            continue
        saved = text_or_none(path)
        text = shown if isinstance(shown, str) else _text_of(shown, saved)
        # Of a file that is not there an editor shows no text; Neovim calls that one empty line.
        is_saved = not text or text == "\n" if saved is None else text is None or _is_of(path, saved, text)
        if text is not None and not is_saved:
            found[path.relative_to(root).as_posix()] = text
    return found


async def note_written(session: Session, opened: Mapping[Path, OpenText], paths: Iterable[Path]) -> None:
    """Note which of the texts that were open, and saved, the server has replaced on the disk at `paths`."""
    texts = {path: text for path in paths if isinstance(text := opened.get(path), str)}
    now = await session.run(lambda: {path: text_or_none(path) for path in texts})
    for path, text in texts.items():
        saved = now[path]
        if saved is None or not is_shown_as(saved, text):
            session.documents.note_written(path, text, saved)


def _is_of(path: Path, saved: str, shown: str) -> bool:
    """Return whether an editor shows the file as `shown`, be it misread."""
    return is_shown_as(saved, shown) or ("\ufffd" in shown and is_misread(path.read_bytes(), shown))


def _text_of(notebook: NotebookSnapshot, saved: str | None) -> str | None:
    """Return the text of an open notebook over that of its file; `None` if its file is no notebook."""
    return notebook.shown.written_over(saved) if saved is not None else None
