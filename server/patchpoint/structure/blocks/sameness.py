"""Whether a shown block is the most similar block of the file, or a new one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from patchpoint.dataclass import dataclass
from patchpoint.structure.blocks.names import BlockKind, has_another_attribute
from patchpoint.structure.blocks.pairing import Text, has_all, is_telling, paired
from patchpoint.structure.blocks.tree import Block
from patchpoint.text.regex import WORD, regex

_GOES_ON = regex(r"[?:] |\??\.\w|&&|\|\||\|>|[+*/] ")
"""What a line begins with that goes on with the expression above it."""


@dataclass(frozen=True, slots=True)
class Sameness:
    """What is shown of a file, and the file."""

    file: Text
    shown: Text

    def may_be_new(
        self, every: Sequence[Block], parts: Sequence[Block], one: int, own: Block, pairs: dict[int, int]
    ) -> bool:
        """Return whether a statement next to a mark is only like one of the file: it may be another one."""
        shown, file = self.shown, self.file
        part, other = parts[one], own.parts[pairs[one]]
        name = shown.names[part.first]
        is_element = name.is_named and name.kind is BlockKind.ELEMENT and not name.is_own
        if name.is_named and not (is_element and has_another_attribute(shown.words(part), file.words(other))):
            return False
        if shown.words(part) == file.words(other):
            return False
        at = next(row for row, each in enumerate(every) if each is part)
        is_next_to_mark = any(
            every[row].first in shown.marks for row in (at - 1, at + 1) if 0 <= row < len(every)
        )
        near = pairs.get(one - 1) == pairs[one] - 1 or pairs.get(one + 1) == pairs[one] + 1
        is_leaf = not (part.parts or other.parts)
        return (
            is_next_to_mark and not (near and is_leaf) and not has_all(shown.words(part), file.words(other))
        )

    def is_one_of_several(
        self, every: Sequence[Block], parts: Sequence[Block], one: int, own: Block, pairs: dict[int, int]
    ) -> bool:
        """Return whether a statement below a mark is there several times, and nothing says which it is."""
        file, words = self.file, self.shown.words(parts[one])
        if self.shown.names[parts[one].first].is_named or not is_telling(words):
            return False
        at = next(row for row, each in enumerate(every) if each is parts[one])
        is_below_mark = at > 0 and every[at - 1].first in self.shown.marks
        near = pairs.get(one - 1) == pairs[one] - 1 or pairs.get(one + 1) == pairs[one] + 1
        return is_below_mark and not near and sum(file.words(each) == words for each in own.parts) > 1

    def has_other_values(self, given: Block, own: Block) -> bool:
        """Return whether a line right in a block lacks something of that of its name in the other one.

        Keys and definitions are there once, and what is shown of them is of the one that is there.
        """
        shown, file = self.shown, self.file
        if shown.names[given.first].kind is not BlockKind.BLOCK or not shown.words(given).endswith("{"):
            return False
        parts = shown.parts(given)
        lines = [
            (parts[one], own.parts[other]) for one, other in paired(shown, parts, file, own.parts).items()
        ]
        values = [
            [Counter(WORD.findall(text)) for text in (shown.words(one), file.words(other))]
            for one, other in lines
            if not (one.parts or other.parts)
        ]
        return any(not old <= new for new, old in values)

    def goes_on(self, own: Block) -> bool:
        """Return whether what is below the head of a block is one expression with that."""
        head = self.file.lines[own.head_end - 1].rstrip()
        is_open = head.endswith(("{", "[", "(", ":", ">")) or not own.parts
        return not is_open and all(_GOES_ON.match(self.file.words(part)) for part in own.parts)
