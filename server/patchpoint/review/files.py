"""One file that differs from what it was at a checkpoint: its changes, each to be kept or reverted.

The changes of a text are its hunks. A file that was created, deleted, renamed, given another mode or another
type, that is binary, very large, or in another encoding than before is one change as a whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from functools import cached_property

from patchpoint.dataclass import dataclass, replace
from patchpoint.review.change_set import FileChanges
from patchpoint.review.hunks import Alignment, Hunk, whole_hunk
from patchpoint.text.encoding import DecodedText, Encoding, EncodingError, decode, encode, is_misread
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.line_endings import endings_of, is_shown_as, with_ending
from patchpoint.text.unified_diff import quoted_path, unified_diff

_LARGEST_TEXT = 32 << 20
"""Bytes of the largest file whose hunks are changes of their own."""
_CRLF = "\r\n"
_REGULAR, _EXECUTABLE = 0o100644, 0o100755
_SINGLE_BYTE = (Encoding.LATIN_1, Encoding.WINDOWS_1252)


@dataclass(frozen=True)
class FileState:
    """A file as it is in a tree of git's."""

    mode: int
    """Of git's: 0o100644, 0o100755, or 0o120000 for a symbolic link."""
    content: bytes
    """Its bytes; of a symbolic link, its target."""

    @property
    def is_regular(self) -> bool:
        """Whether it is no symbolic link."""
        return self.mode in (_REGULAR, _EXECUTABLE)

    @property
    def digest(self) -> str:
        """What tells it from every other state."""
        return f"{self.mode:o} {hashlib.sha256(self.content).hexdigest()}"

    @cached_property
    def decoded(self) -> DecodedText | None:
        """Its text, and how that is encoded; `None` where it is no text, or too large a one."""
        try:
            return decode(self.content) if len(self.content) <= _LARGEST_TEXT else None
        except EncodingError:
            return None


_NOTHING = FileState(_REGULAR, b"")
"""In the place of a file that does not exist."""


@dataclass(frozen=True)
class ReviewedFile(FileChanges):
    """A file at a checkpoint, and as it is now."""

    path: str
    """Relative to the root of the working tree, with `/`; of a renamed file, the old one."""
    old: FileState | None
    new: FileState | None
    new_path: str | None = None
    unsaved: str | None = None
    """Its text in the editor, `as_saved`, where that is not the text on the disk."""
    unsaved_then: str | None = None
    """Its text in the editor at the checkpoint, where that was not the text on the disk."""
    split: frozenset[str] = frozenset()
    alignment: Alignment | None = None

    @property
    def operation(self) -> FileOperation:
        """What became of it."""
        if self.new_path is not None:
            return FileOperation.RENAME
        if self.old is None:
            return FileOperation.CREATE
        return FileOperation.DELETE if self.new is None else FileOperation.UPDATE

    @property
    def size(self) -> int:
        """The bytes of both of its states."""
        return sum(len(state.content) for state in (self.old, self.new) if state is not None)

    @cached_property
    def texts(self) -> tuple[str, str] | None:
        """Its text at the checkpoint and its text now; `None` where it is one change as a whole."""
        read = self._read
        return None if read is None else (read[0], read[1] if self.unsaved is None else self.unsaved)

    def as_saved(self, shown: str) -> str:
        r"""Return the text of an editor, with `\r\n` for each `\n` where it hides those, as Emacs does."""
        saved = self.new.decoded if self.new is not None else None
        endings = endings_of(saved.text if saved is not None else "")
        is_hidden = "\r" not in shown and endings.usual == _CRLF and not endings.mixed
        return with_ending(shown, _CRLF) if is_hidden else shown

    def is_misread_as(self, text: str) -> bool:
        """Return whether it is saved, and its editor, which takes it for UTF-8, shows it as `text`."""
        return self.new is not None and is_misread(self.new.content, text)

    @property
    def is_unsaved(self) -> bool:
        """Whether it is on the disk, and its text in the editor is another."""
        saved = self.new.decoded if self.new is not None else None
        return saved is not None and self.unsaved is not None and not is_shown_as(saved.text, self.unsaved)

    @cached_property
    def whole(self) -> Hunk | None:
        """The change of the file as a whole, if it is one."""
        if self.texts is not None or (self.old == self.new and self.new_path is None):
            return None
        read = ((state or _NOTHING).decoded for state in (self.old, self.new))
        before, now = (text.text if text is not None else "" for text in read)
        states = (state.digest if state is not None else "" for state in (self.old, self.new))
        return whole_hunk(self.path, before, now, self.new_path or "", *states)

    @property
    def whole_diff(self) -> str:
        """The difference of the file as a whole."""
        old, new, shown = self.old, self.new, ""
        then, now = (old or _NOTHING).decoded, (new or _NOTHING).decoded
        if then is not None and now is not None:
            shown = unified_diff(
                then.text if old is not None else None,
                now.text if new is not None else None,
                self.path,
                self.new_path,
                mode=old.mode if old is not None else None,
                new_mode=new.mode if new is not None else None,
            )
        # Bytes that are no text differ, and so do some that are read as the same text.
        sides = (quoted_path(f"a/{self.path}"), quoted_path(f"b/{self.path_now}"))
        return shown or f"diff --git {sides[0]} {sides[1]}\nFiles {sides[0]} and {sides[1]} differ\n"

    @property
    def notes(self) -> list[str]:
        """What is to be said of it where it is one change as a whole."""
        said, states = super().notes, [state for state in (self.old, self.new) if state is not None]
        modes = [f"{state.mode:o}" for state in states]
        if len(set(modes)) > 1:
            said.append(f"mode {' → '.join(modes)}")
        texts = [self.whole.removed, self.whole.added] if self.whole is not None else []
        contents = {state.content for state in states}
        if len(contents) > len(set(filter(None, texts))) and any(contents):
            sizes = " → ".join(f"{len(state.content):,} bytes" for state in states)
            said.append(f"no text that can be compared line by line: {sizes}")
        return said

    def without(
        self, ids: Collection[str], texts: Mapping[str, str] | None = None
    ) -> dict[str, FileState | None]:
        """Return what becomes of each path when the changes `ids` are reverted or, by id, become `texts`.

        Raises `HunkMovedError` for one that it does not have, and for a text of a file that is one change as
        a whole; `EncodingError` for a text that its encoding does not have.
        """
        if self.texts is None and not texts:
            self.chosen(ids)
            return {self.path_now: None} | {self.path: self.old}
        text = self.text_without(ids, texts)
        assert self.new is not None
        assert self._read is not None
        _, _, encoding, bom = self._read
        return {self.path: FileState(self.new.mode, encode(text, encoding, bom=bom))}

    def shown_without(self, ids: Collection[str], shown: str) -> str:
        """Return what an editor that shows `shown` of it has with the hunks `ids` reverted.

        Raises as `text_without`.
        """
        saved = self.as_saved(shown)
        text = replace(self, unsaved=saved).text_without(ids)
        return text if saved == shown else text.replace(_CRLF, "\n")

    @cached_property
    def _read(self) -> tuple[str, str, Encoding, bool] | None:
        """Its two texts, and how they are encoded; `None` where hunks do not say all that differs."""
        old, new = self.old, self.new
        if old is None or new is None or self.new_path is not None:
            return None
        if old.mode != new.mode or not old.is_regular:
            return None
        before, now = old.decoded, new.decoded
        if before is None or now is None or before.bom != now.bom:
            return None
        encoding = _common(before, now)
        then = before.text if self.unsaved_then is None else self.unsaved_then
        return (then, now.text, encoding, now.bom) if encoding is not None else None


def _common(before: DecodedText, now: DecodedText) -> Encoding | None:
    """Return the encoding in which both texts are their files' bytes; `None` if there is none."""
    if before.encoding is now.encoding:
        return now.encoding
    is_any = (one.encoding is Encoding.UTF_8 and one.text.isascii() for one in (before, now))
    own = {one.encoding for one, is_ascii in zip((before, now), is_any, strict=True) if not is_ascii}
    if not own.issubset(_SINGLE_BYTE):
        return None
    # Those differ only in bytes that no Latin-1 text has.
    return own.pop() if len(own) == 1 else Encoding.WINDOWS_1252
