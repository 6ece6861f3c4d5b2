"""A change set: files as they were before some changes and as they are after them, each to be decided about.

A review is one of changes that are written, a preview one of changes that are not written yet.

The changes of a text are its hunks. A file that was created, deleted, renamed, given another mode or another
type, that is binary, very large, or in another encoding than before is one change as a whole.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain

from patchpoint.dataclass import dataclass, replace
from patchpoint.review.decision import Risk
from patchpoint.review.hunks import Alignment, Hunk, HunkMovedError, hunks_of, id_of, parts_of, reversed_in
from patchpoint.text.encoding import DecodedText, Encoding, EncodingError, decode, encode, is_misread
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.line_endings import endings_of, is_shown_as, with_ending
from patchpoint.text.lines import Span, split_at_line_feeds
from patchpoint.text.unified_diff import hunk_text, quoted_path, unified_diff

_MOST_CHARACTERS = 200_000
"""Of the files of one result, the first ones, whose definitions are named: that takes up to a second."""
_MOST_JUDGED = 1 << 20
"""Characters of the largest text that is judged by its grammar."""
_LARGEST_TEXT = 32 << 20
"""Bytes of the largest file whose hunks are changes of their own."""
_CRLF = "\r\n"
_REGULAR = (0o100644, 0o100755)
_SINGLE_BYTE = (Encoding.LATIN_1, Encoding.WINDOWS_1252)


@dataclass(frozen=True)
class FileState:
    """A file as it is in a tree of git's, or as a plan has it."""

    mode: int
    """Of git's: 0o100644, 0o100755, or 0o120000 for a symbolic link; 0 where that is not known."""
    content: bytes
    """Its bytes; of a symbolic link, its target."""
    known: DecodedText | None = None
    """Its text, where that is known by itself."""

    @property
    def digest(self) -> str:
        """What tells it from every other state."""
        return f"{self.mode:o} {hashlib.sha256(self.content).hexdigest()}"

    @cached_property
    def decoded(self) -> DecodedText | None:
        """Its text, and how that is encoded; `None` where it is no text, or too large a one."""
        if self.known is not None:
            return self.known
        try:
            return decode(self.content) if len(self.content) <= _LARGEST_TEXT else None
        except EncodingError:
            return None


_NOTHING = FileState(0o100644, b"")
"""In the place of a file that does not exist."""


@dataclass(frozen=True)
class FileChanges:
    """A file before some changes and after them."""

    path: str
    """What it was called before: relative to the root of the working tree, with `/`."""
    old: FileState | None
    new: FileState | None
    new_path: str | None = None
    unsaved: str | None = None
    """Its text in the editor, `as_saved`, where that is not the text on the disk."""
    unsaved_then: str | None = None
    """Its text in the editor at the checkpoint, where that was not the text on the disk."""
    split: frozenset[str] = frozenset()
    """The ids of hunks of which each part is a change of its own."""
    alignment: Alignment | None = None
    """Which lines are which, where others of its hunks were reverted."""

    @property
    def operation(self) -> FileOperation:
        """What became, or becomes, of it."""
        if self.new_path is not None:
            return FileOperation.RENAME
        if self.old is None:
            return FileOperation.CREATE
        return FileOperation.DELETE if self.new is None else FileOperation.UPDATE

    @property
    def path_now(self) -> str:
        """The path that it has after."""
        return self.new_path or self.path

    @property
    def is_whole(self) -> bool:
        """Whether it can only be decided about as a whole."""
        return self.texts is None

    @cached_property
    def texts(self) -> tuple[str, str] | None:
        """Its text before and its text after; `None` where it is one change as a whole."""
        read = self._read
        return None if read is None else (read[0], read[1].text if self.unsaved is None else self.unsaved)

    @property
    def whole_diff(self) -> str:
        """The difference of the file as a whole."""
        old, new, shown = self.old or _NOTHING, self.new or _NOTHING, ""
        then, now = old.decoded, new.decoded
        if then is not None and now is not None:
            before = then.text if self.old is not None else None
            after = now.text if self.new is not None else None
            shown = unified_diff(before, after, self.path, self.new_path, mode=old.mode, new_mode=new.mode)
        # Bytes that are no text differ, and so do some that are read as the same text.
        sides = (quoted_path(f"a/{self.path}"), quoted_path(f"b/{self.path_now}"))
        return shown or f"diff --git {sides[0]} {sides[1]}\nFiles {sides[0]} and {sides[1]} differ\n"

    @property
    def notes(self) -> list[str]:
        """What is to be said of it where it is one change as a whole."""
        states = [state for state in (self.old, self.new) if state is not None]
        done = f"{self.operation.value}d" if self.new_path is None else f"renamed from {self.path}"
        said = [done] if self.operation is not FileOperation.UPDATE else []
        modes = [f"{state.mode:o}" for state in states]
        if len(set(modes)) > 1:
            said.append(f"mode {' → '.join(modes)}")
        texts = [text for hunk in self.hunks for text in (hunk.removed, hunk.added)]
        contents = {state.content for state in states}
        if len(contents) > len(set(filter(None, texts))) and any(contents):
            sizes = " → ".join(f"{len(state.content):,} bytes" for state in states)
            said.append(f"no text that can be compared line by line: {sizes}")
        return said

    @cached_property
    def hunks(self) -> tuple[Hunk, ...]:
        """Its changes, in order: the hunks of its text or, for a file as a whole, one."""
        if self.texts is not None:
            aligned = self.alignment.hunks(self.path, *self.texts) if self.alignment is not None else ()
            hunks = aligned or hunks_of(self.path, *self.texts)
            parts = (parts_of(self.path, one) if one.id in self.split else (one,) for one in hunks)
            return tuple(chain.from_iterable(parts))
        if self.old == self.new and self.new_path is None:
            return ()
        read = ((state or _NOTHING).decoded for state in (self.old, self.new))
        before, now = (text.text if text is not None else "" for text in read)
        states = (state.digest if state is not None else "" for state in (self.old, self.new))
        old, new = ((0, len(split_at_line_feeds(text))) for text in (before, now))
        id_ = id_of(self.path, "file", self.new_path or "", *states)
        return (Hunk(id=id_, old=old, new=new, removed=before, added=now),)

    def aligned_with(self, texts: Mapping[str, str]) -> Alignment | None:
        """Return which lines are which where hunks, by their ids, have `texts` in place of what they added.

        `None` where a new difference tells them apart in the same way, or where these are no lines of
        their own any more.
        """
        if self.texts is None:
            return None
        places, shift = [], 0
        for hunk in self.hunks:
            text = texts.get(hunk.id, hunk.added)
            at = hunk.old[0], hunk.new[0] + shift
            if text == hunk.added:
                places.append((hunk.id, *hunk.old, at[1], hunk.new[1] + shift))
            else:
                inner = hunks_of(self.path, hunk.removed, text, at)
                places += [(one.id, *one.old, *one.new) for one in inner]
                shift += len(split_at_line_feeds(text)) - (hunk.new[1] - hunk.new[0])
        there = replace(self, unsaved=self.text_without(texts, texts), alignment=None)
        found = Alignment(id_of(self.path, "file", there.unsaved or ""), tuple(places))
        return found if replace(there, alignment=found).hunks != there.hunks else None

    def spans(self, hunk: Hunk) -> tuple[Span, Span]:
        """Return where the lines of a hunk are in `texts`, in characters.

        Of a file as a whole, both are empty.
        """
        if self.texts is None:
            return (0, 0), (0, 0)
        then, now = self._starts
        return (then[hunk.old[0]], then[hunk.old[1]]), (now[hunk.new[0]], now[hunk.new[1]])

    @cached_property
    def _starts(self) -> tuple[list[int], ...]:
        """The offsets of the lines of both texts, and of their ends."""
        return tuple(list(accumulate(map(len, side), initial=0)) for side in self._lines)

    @cached_property
    def _lines(self) -> tuple[list[str], ...]:
        return tuple(map(split_at_line_feeds, self.texts or ()))

    def where(self, hunk: Hunk) -> str:
        """Return the definition that one of its hunks is in, as "in Cart > total", or nothing."""
        # Loaded where it is needed: a file that is only written again needs no names.
        from patchpoint.structure.lazy.outline.around import names_around

        names = names_around(self.texts[1], self.path_now, hunk.new) if self.texts is not None else ()
        return f"in {' > '.join(names)}" if names else ""

    def diff(self, hunk: Hunk) -> str:
        """Return one of its hunks as a unified diff, or the diff of the file as a whole.

        A hunk's is between the text without it and the text after: it shows no other hunk, and `git apply -R`
        reverses it whatever else has been decided.
        """
        if self.texts is None:
            return self.whole_diff
        return hunk_text(self._lines[1], hunk.new, split_at_line_feeds(hunk.removed))

    def diff_without(self, ids: Collection[str]) -> str:
        """Return the difference that the file makes without some hunks; empty where nothing is left of it.

        Raises as `chosen`.
        """
        if self.texts is None:
            return "" if self.chosen(ids) else self.whole_diff
        return unified_diff(self.texts[0], self.text_without(ids), self.path)

    @property
    def makers(self) -> Mapping[str, tuple[int, ...]]:
        """The indexes of the edits of a plan that make each change, by the ids of the changes."""
        return {}

    def chosen(self, ids: Collection[str]) -> list[Hunk]:
        """Return its hunks with these ids. Raises `HunkMovedError` for one that it does not have."""
        known = {hunk.id: hunk for hunk in self.hunks}
        for name in ids:
            if name not in known:
                raise HunkMovedError(self.path_now, name)
        return [known[name] for name in dict.fromkeys(ids)]

    def text_without(self, ids: Collection[str], texts: Mapping[str, str] | None = None) -> str:
        """Return its text after, with the hunks `ids` reversed or, by their ids, with `texts` in their place.

        Nothing is searched for. Raises `HunkMovedError` for one that it does not have, and for a file that is
        one change as a whole.
        """
        if self.texts is None:
            raise HunkMovedError(self.path_now, next(iter(ids), ""))
        return reversed_in(self.texts[1], self.chosen(ids), texts)

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
        _, now = self._read
        return {self.path: FileState(self.new.mode, encode(text, now.encoding, bom=now.bom))}

    def shown_without(self, ids: Collection[str], shown: str) -> str:
        """Return what an editor that shows `shown` of it has with the hunks `ids` reverted.

        Raises as `text_without`.
        """
        saved = self.as_saved(shown)
        text = replace(self, unsaved=saved).text_without(ids)
        return text if saved == shown else text.replace(_CRLF, "\n")

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
    def risks(self) -> Mapping[str, Risk]:
        """What is risky about its changes, by their ids."""
        if self.operation is FileOperation.DELETE:
            return {hunk.id: Risk.DELETED for hunk in self.hunks}
        found = {hunk.id: Risk.REMOVED for hunk in self.hunks if not self.is_whole and not hunk.added}
        breaking = self._breaking
        if breaking is not None:
            found[breaking.id] = Risk.UNPARSABLE
        return found

    @property
    def risk(self) -> Risk | None:
        """The worst of `risks`."""
        return next((risk for risk in Risk if risk in self.risks.values()), None)

    @property
    def _breaking(self) -> Hunk | None:
        """The change after which its text does not parse any more, those above it being made before."""
        then, now = self.texts or ("", "")
        if max(len(then), len(now)) > _MOST_JUDGED:
            return None
        # Loaded where it is needed: a file that is only written again is not judged.
        from patchpoint.structure.parse import TextBefore

        before = TextBefore(self.path, then)
        if then == now or before.problem_of(now) is None:
            return None

        def breaks(made: int) -> bool:
            return before.problem_of(reversed_in(now, self.hunks[made:])) is not None

        return self.hunks[bisect_left(range(1, len(self.hunks)), True, key=breaks)]

    @cached_property
    def _read(self) -> tuple[str, DecodedText] | None:
        """Its text then, and its text now, encoded so that both are; `None` where hunks do not say all."""
        old, new = self.old, self.new
        if old is None or new is None or self.new_path is not None:
            return None
        if old.mode != new.mode or old.mode not in _REGULAR:
            return None
        before, now = old.decoded, new.decoded
        if before is None or now is None or before.bom != now.bom:
            return None
        encoding = _common(before, now)
        then = before.text if self.unsaved_then is None else self.unsaved_then
        return (then, replace(now, encoding=encoding)) if encoding is not None else None


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


@dataclass(frozen=True, slots=True)
class ListedChange:
    """One change, and the file that it is in."""

    file: FileChanges
    hunk: Hunk


def changes_of(files: Iterable[FileChanges]) -> Iterator[ListedChange]:
    """Yield the changes of files, in order."""
    return (ListedChange(file, hunk) for file in files for hunk in file.hunks)


def are_named(files: Sequence[FileChanges]) -> Iterator[bool]:
    """Yield for each file of a result whether the places of its changes are named."""
    lengths = (len(file.texts[1]) if file.texts is not None else 0 for file in files)
    return (total <= _MOST_CHARACTERS for total in accumulate(lengths))
