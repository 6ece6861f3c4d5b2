"""A change set: files as they were before some changes and as they are after them, each to be decided about.

A review is one of changes that are written, a preview one of changes that are not written yet.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain

from patchpoint.dataclass import dataclass
from patchpoint.review.decision import Risk
from patchpoint.review.hunks import (
    Alignment,
    Hunk,
    HunkMovedError,
    aligned_with,
    hunks_of,
    parts_of,
    reversed_in,
)
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.lines import Span, split_at_line_feeds
from patchpoint.text.unified_diff import hunk_text, unified_diff

_MOST_CHARACTERS = 200_000
"""Of the files of one result, the first ones, whose definitions are named: that takes up to a second."""


_MOST_JUDGED = 1 << 20
"""Characters of the largest text that is judged by its grammar."""


class FileChanges(ABC):
    """A file before some changes and after them.

    The changes of a text are its hunks. Where those do not say all that differs, the file is one change as a
    whole.
    """

    path: str
    """What it was called before."""
    new_path: str | None
    split: frozenset[str] = frozenset()
    """The ids of hunks of which each part is a change of its own."""
    alignment: Alignment | None = None
    """Which lines are which, where others of its hunks were reverted."""

    @property
    @abstractmethod
    def operation(self) -> FileOperation:
        """What became, or becomes, of it."""

    @property
    @abstractmethod
    def texts(self) -> tuple[str, str] | None:
        """Its text before and its text after; `None` where it is one change as a whole."""

    @property
    @abstractmethod
    def whole(self) -> Hunk | None:
        """The change of the file as a whole, if it is one."""

    @property
    @abstractmethod
    def whole_diff(self) -> str:
        """The difference of the file as a whole."""

    @property
    def notes(self) -> list[str]:
        """What is to be said of it where it is one change as a whole."""
        if self.operation is FileOperation.RENAME:
            return [f"renamed from {self.path}"]
        return [] if self.operation is FileOperation.UPDATE else [f"{self.operation.value}d"]

    @property
    def path_now(self) -> str:
        """The path that it has after."""
        return self.new_path or self.path

    @property
    def is_whole(self) -> bool:
        """Whether it can only be decided about as a whole."""
        return self.texts is None

    @cached_property
    def hunks(self) -> tuple[Hunk, ...]:
        """Its changes, in order: the hunks of its text or, for a file as a whole, one."""
        if self.texts is not None:
            aligned = self.alignment.hunks(self.path, *self.texts) if self.alignment is not None else ()
            return self._in_parts(aligned or hunks_of(self.path, *self.texts))
        return () if self.whole is None else (self.whole,)

    def _in_parts(self, hunks: Iterable[Hunk]) -> tuple[Hunk, ...]:
        parts = ((parts_of(self.path, one) if one.id in self.split else (one,)) for one in hunks)
        return tuple(chain.from_iterable(parts))

    def aligned_with(self, texts: Mapping[str, str]) -> Alignment | None:
        """Return which lines are which where hunks, by their ids, have `texts` in place of what they added.

        `None` where a new difference tells them apart in the same way, or where these are no lines of
        their own any more.
        """
        if self.texts is None:
            return None
        before, now = self.texts[0], self.text_without(texts, texts)
        found = aligned_with(self.path, self.hunks, now, texts)
        hunks = found.hunks(self.path, before, now)
        return found if hunks and hunks != self._in_parts(hunks_of(self.path, before, now)) else None

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
        sides = (split_at_line_feeds(text) for text in self.texts or ())
        return tuple(list(accumulate(map(len, side), initial=0)) for side in sides)

    @cached_property
    def _lines(self) -> list[str]:
        return split_at_line_feeds(self.texts[1]) if self.texts is not None else []

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
        return hunk_text(self._lines, hunk.new, split_at_line_feeds(hunk.removed))

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
