"""Code that an answer shows of a file, and what it likely means."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from patchpoint.dataclass import dataclass
from patchpoint.patching.places.called import definitions_of
from patchpoint.patching.places.places_said import is_question, places_said, says
from patchpoint.structure.lazy.definition import Assumption, Definition, UnmergedError
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.merge import Merged, merge_shown
from patchpoint.structure.lazy.outline.by_grammar import outline_of_file
from patchpoint.structure.lazy.shown import outline_of_shown, prepared
from patchpoint.text.lines import without_blank_ends


@dataclass(frozen=True)
class Code:
    """Code that an answer shows of a file, and what is known of it."""

    file: Sequence[str]
    lines: Sequence[str]
    path: str
    lead: str = ""
    """The sentence above it in its answer, which may not be one that asks for it."""
    may_be_cut_off: bool = False
    is_asked: bool = True
    above: str = ""
    """The words right above it, whatever they say."""

    @cached_property
    def new(self) -> list[str]:
        """The code without blank lines around it, nor marks: what is left out around it is the file."""
        new = without_blank_ends(self.lines)
        while new and (is_mark(new[0]) or is_mark(new[-1])):
            new = without_blank_ends(new[1:] if is_mark(new[0]) else new[:-1])
        return new

    @cached_property
    def has_marks(self) -> bool:
        """Whether it leaves lines out."""
        return any(map(is_mark, self.lines))

    @cached_property
    def is_there(self) -> bool:
        """Whether the file has the lines already, one after another."""
        words = [line.strip() for line in self.file if line.strip()]
        wanted = [line.strip() for line in self.new if line.strip()]
        return any(words[row : row + len(wanted)] == wanted for row in range(len(words)))

    @cached_property
    def own(self) -> Definition:
        """The definitions of the file, as far as its language is known."""
        return definitions_of(self.file, self.path)

    @cached_property
    def shown(self) -> Definition:
        """The definitions of the code, in its lines without blank ones around it, nor marks."""
        try:
            file = outline_of_file(self.file, self.path)[0]
            every = [each for each in file.root.walk() if not each.is_text]
            objects = frozenset(each.name for each in every if each.is_container)
            names = frozenset(each.name for each in every)
            return outline_of_shown(prepared(self.new, file), objects, names)
        except UnmergedError:
            return Definition.of_text(self.new)

    @cached_property
    def is_change(self) -> bool:
        """Whether the words above it ask for a change, or there are none."""
        return (self.is_asked or not self.lead) and not is_question(self.lead)

    @cached_property
    def adds(self) -> bool:
        """Whether the words above it ask to add something, or say where something is put."""
        return (says(self.lead, "adds") or bool(places_said(self.lead))) and not is_question(self.lead)

    @cached_property
    def only_adds(self) -> bool:
        """Whether the words above it ask for something more, and not that anything gives way to it."""
        return says(self.lead, "more") and not says(self.lead, "remove replace change rename")

    def merged(self, at: Definition | None = None, assumed: Sequence[Assumption] = ()) -> Merged | None:
        """Return the file with the code merged, new code below `at`; `None` where that is not certain."""
        rows = (at.start, at.end) if at is not None else None
        cut = self.may_be_cut_off
        try:
            return merge_shown(self.file, self.lines, self.path, rows, may_be_cut_off=cut, assumed=assumed)
        except UnmergedError:
            return None


@dataclass(frozen=True)
class Likely:
    """What shown code likely means: the file that comes of it, and why."""

    merged: Merged
    why: str
    """What speaks for it, as a sentence."""
    is_certain: bool = False

    @classmethod
    def of(cls, lines: Sequence[str] | Merged | None, why: str) -> Likely | None:
        """Return what comes of a file, if that is known."""
        if lines is None:
            return None
        return cls(lines if isinstance(lines, Merged) else Merged(tuple(lines)), why)
