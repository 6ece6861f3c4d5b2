"""One file that differs from what it was at a checkpoint: its changes, each to be kept or reverted.

The changes of a text are its hunks. A file that was created, deleted, renamed, given another mode or another
type, that is binary, very large, or in another encoding than before is one change as a whole.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from itertools import accumulate

from patchpoint.dataclass import dataclass
from patchpoint.review.hunks import (
    Hunk,
    HunkMovedError,
    hunks_of,
    whole_id,
    with_hunk_rewritten,
    without_hunks,
)
from patchpoint.text.encoding import Encoding, EncodingError, decode, encode
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.line_endings import is_shown_as
from patchpoint.text.lines import Span, split_at_line_feeds
from patchpoint.text.unified_diff import hunk_text, quoted_path, unified_diff

_LARGEST_TEXT = 8 << 20
"""Bytes of the largest file whose hunks are changes of their own."""
_MOST_CHARACTERS = 200_000
"""Of the files of one result, the first ones, whose definitions are named: that takes up to a second."""
_CRLF = "\r\n"
_REGULAR, _EXECUTABLE = 0o100644, 0o100755
_SINGLE_BYTE = (Encoding.LATIN_1, Encoding.WINDOWS_1252)


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True)
class ReviewedFile:
    """A file at a checkpoint, and as it is now."""

    path: str
    """Relative to the root of the working tree, with `/`; of a renamed file, the old one."""
    old: FileState | None
    new: FileState | None
    new_path: str | None = None
    unsaved: str | None = None
    """Its text in the editor, where that is not the text on the disk."""
    unsaved_then: str | None = None
    """Its text in the editor at the checkpoint, where that was not the text on the disk."""

    @property
    def operation(self) -> FileOperation:
        """What became of it."""
        if self.new_path is not None:
            return FileOperation.RENAME
        if self.old is None:
            return FileOperation.CREATE
        return FileOperation.DELETE if self.new is None else FileOperation.UPDATE

    @property
    def path_now(self) -> str:
        """The path that it has now."""
        return self.new_path or self.path

    @cached_property
    def texts(self) -> tuple[str, str] | None:
        """Its text at the checkpoint and its text now; `None` where it is one change as a whole."""
        read = self._read
        if read is None:
            return None
        if self.unsaved is None:
            return read[0], read[1]
        return read[0], _CRLF.join(self.unsaved.split("\n")) if self.hides_carriage_returns else self.unsaved

    @cached_property
    def hides_carriage_returns(self) -> bool:
        """Whether its text in the editor has `\\n` for each `\\r\\n` of the file, as Emacs shows it."""
        if self.unsaved is None or self._read is None or "\r" in self.unsaved:
            return False
        text = self._read[1]
        return _CRLF in text and text.count("\n") == text.count(_CRLF) == text.count("\r")

    @property
    def is_unsaved(self) -> bool:
        """Whether it is on the disk, and its text in the editor is another."""
        if self.unsaved is None or self.new is None:
            return False
        try:
            saved = decode(self.new.content).text
        except EncodingError:
            return False
        return not is_shown_as(saved, self.unsaved)

    @cached_property
    def hunks(self) -> tuple[Hunk, ...]:
        """Its changes, in order: the hunks of its text or, for a file as a whole, one."""
        if self.texts is not None:
            return hunks_of(self.path, *self.texts)
        if self.old == self.new and self.new_path is None:
            return ()
        before, now = (self._shown(state) for state in (self.old, self.new))
        states = (state.digest if state is not None else "" for state in (self.old, self.new))
        return (
            Hunk(
                id=whole_id(self.path, self.new_path or "", *states),
                old=(0, len(split_at_line_feeds(before))),
                new=(0, len(split_at_line_feeds(now))),
                removed=before,
                added=now,
            ),
        )

    @cached_property
    def _lines(self) -> list[str]:
        return split_at_line_feeds(self.texts[1]) if self.texts is not None else []

    @property
    def shown_texts(self) -> tuple[str, str] | None:
        """As `texts`, the present one as the editor has it."""
        if self.texts is None or self.unsaved is None:
            return self.texts
        return self.texts[0], self.unsaved

    def spans(self, hunk: Hunk) -> tuple[Span, Span]:
        """Return where the lines of a hunk are in `shown_texts`, in characters.

        Of a file as a whole, both are empty.
        """
        if self._starts is None:
            return (0, 0), (0, 0)
        then, now = self._starts
        return (then[hunk.old[0]], then[hunk.old[1]]), (now[hunk.new[0]], now[hunk.new[1]])

    @cached_property
    def _starts(self) -> tuple[list[int], list[int]] | None:
        """The offsets of the lines of both texts, and of their ends."""
        if self.shown_texts is None:
            return None
        then, now = (
            list(accumulate(map(len, split_at_line_feeds(text)), initial=0)) for text in self.shown_texts
        )
        return then, now

    def where(self, hunk: Hunk) -> str:
        """Return the definition that one of its hunks is in, as "in Cart > total", or nothing."""
        return "" if self.texts is None else place_of(self.texts[1], self.path_now, hunk.new)

    @property
    def is_whole(self) -> bool:
        """Whether it can only be kept or reverted as a whole."""
        return self.texts is None

    def diff(self, hunk: Hunk) -> str:
        """Return one of its hunks as a unified diff, or the diff of the file as a whole.

        A hunk's is between the text without it and the text now: it shows no other hunk, and `git apply -R`
        reverses it whatever else has been decided.
        """
        if self.texts is not None:
            return hunk_text(self._lines, hunk.new, split_at_line_feeds(hunk.removed))
        old, new = self.old, self.new
        shown = ""
        if all(state is None or _text(state.content) is not None for state in (old, new)):
            shown = unified_diff(
                self._shown(old) if old is not None else None,
                self._shown(new) if new is not None else None,
                self.path,
                self.new_path,
                mode=old.mode if old is not None else None,
                new_mode=new.mode if new is not None else None,
            )
        # Bytes that are no text differ, and so do some that are read as the same text.
        sides = (quoted_path(f"a/{self.path}"), quoted_path(f"b/{self.path_now}"))
        return shown or f"diff --git {sides[0]} {sides[1]}\nFiles {sides[0]} and {sides[1]} differ\n"

    def without(self, ids: Collection[str]) -> dict[str, FileState | None]:
        """Return what becomes of each path when the changes `ids` are reverted.

        Raises `HunkMovedError` for one that the file does not have.
        """
        for name in ids:
            if name not in {hunk.id for hunk in self.hunks}:
                raise HunkMovedError(self.path_now, name)
        read = self._read
        if read is None:
            return {self.path_now: None} | {self.path: self.old}
        return self._with_text(without_hunks(self.path, read[0], read[1], ids))

    def rewritten(self, id_: str, text: str) -> dict[str, FileState | None]:
        """Return what becomes of its path when the lines that one change has now become `text`.

        Raises `HunkMovedError` for a change that it does not have, and where it is one change as a whole;
        `EncodingError` for a text that its encoding does not have.
        """
        read = self._read
        if read is None:
            raise HunkMovedError(self.path_now, id_)
        return self._with_text(with_hunk_rewritten(self.path, read[0], read[1], id_, text))

    def _with_text(self, text: str) -> dict[str, FileState | None]:
        assert self.new is not None
        assert self._read is not None
        _, _, encoding, bom = self._read
        return {self.path: FileState(self.new.mode, encode(text, encoding, bom=bom))}

    def text_without(self, ids: Collection[str]) -> str:
        """Return its text in the editor with the hunks `ids` reverted.

        Raises `HunkMovedError` for one that it does not have, and for a file that is one change as a whole.
        """
        if self.texts is None:
            raise HunkMovedError(self.path_now, next(iter(ids), ""))
        text = without_hunks(self.path, *self.texts, ids)
        return text.replace(_CRLF, "\n") if self.hides_carriage_returns else text

    @cached_property
    def _read(self) -> tuple[str, str, Encoding, bool] | None:
        """Its two texts, and how they are encoded; `None` where hunks do not say all that differs."""
        old, new = self.old, self.new
        if old is None or new is None or self.new_path is not None:
            return None
        if old.mode != new.mode or not old.is_regular:
            return None
        if max(len(old.content), len(new.content)) > _LARGEST_TEXT:
            return None
        try:
            before, now = decode(old.content), decode(new.content)
        except EncodingError:
            return None
        encoding = _common(before.encoding, before.text, now.encoding, now.text)
        if encoding is None or before.bom != now.bom:
            return None
        then = before.text if self.unsaved_then is None else self.unsaved_then
        return then, now.text, encoding, now.bom

    @staticmethod
    def _shown(state: FileState | None) -> str:
        text = _text(state.content) if state is not None else ""
        return text if text is not None else ""


def place_of(text: str, path: str, lines: Span) -> str:
    """Return the definition around some lines, as "in Cart > total"; empty where it is not known."""
    # Loaded where it is needed: a file that is only written again needs no names.
    from patchpoint.structure.lazy.outline.around import names_around

    names = names_around(text, path, lines)
    return f"in {' > '.join(names)}" if names else ""


def are_named(texts: Iterable[str]) -> Iterator[bool]:
    """Yield for each file of a result, by its text, whether the places of its changes are named."""
    return (total <= _MOST_CHARACTERS for total in accumulate(map(len, texts)))


def _common(one: Encoding, one_text: str, other: Encoding, other_text: str) -> Encoding | None:
    """Return the encoding in which both texts are their files' bytes; `None` if there is none."""
    if one is other or (one_text.isascii() and one is Encoding.UTF_8 and other in _SINGLE_BYTE):
        return other
    if other_text.isascii() and other is Encoding.UTF_8 and one in _SINGLE_BYTE:
        return one
    if one in _SINGLE_BYTE and other in _SINGLE_BYTE:
        # They differ only in bytes that no Latin-1 text has.
        return Encoding.WINDOWS_1252
    return None


def _text(content: bytes) -> str | None:
    """Return the text of a file's bytes; `None` for one that is not text."""
    try:
        return decode(content).text if len(content) <= _LARGEST_TEXT else None
    except EncodingError:
        return None
