"""Where new code goes by plain words: next to the one block of a file that has all words of a place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise, product

from patchpoint.dataclass import dataclass
from patchpoint.formats.sentences.sentence import Reading, Word, WordTable, reading, readings, sentence_spans
from patchpoint.patching.places.inserting import put_above, put_behind
from patchpoint.patching.places.places_said import AND, BETWEEN, Relation, is_postposed, says
from patchpoint.patching.shown.reading import Code
from patchpoint.structure.blocks.names import BlockKind, is_function
from patchpoint.structure.blocks.pairing import Text
from patchpoint.structure.blocks.tree import Block, blocks_of, is_document
from patchpoint.text.regex import IDENTIFIER, regex

_PARTS = regex(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![a-z])|\d+")
_WORD = regex(r"[^\W_]{1,60}")
_NAME = regex(r"[\w-]{1,80}")
_AROUND_NAME = "`()<>\"' "
_ENDS = ("stop", "end")
_SIDES = {relation.name.casefold(): relation for relation in Relation}
_EDGES = (Relation.FIRST, Relation.LAST)
_MOST_LINES = 20
"""Of a longer block, only the first line is looked at."""
_MOST_WORDS = 6
_SEVERAL = 2
_SHORT = 3
_Placed = tuple[Block, tuple[Block, ...]]
"""A block, and the blocks that it is in."""


def by_words(code: Code) -> list[str] | None:
    """Return a file with new lines next to the one block that has the words of a place, or at an edge.

    The block is among others of the kind of the new ones, and in what the words say that it is in. `None`
    where that is not one place.
    """
    if code.has_marks or not code.new or code.is_there or says(code.lead, "not"):
        return None
    root, given = blocks_of(code.file, code.path), blocks_of(code.new, code.path)
    if root is None or given is None or not given.parts:
        return None
    is_text = is_document(code.path)
    file = Text(code.file, root, frozenset(), is_text)
    new = Text(code.new, given, frozenset(), is_text)
    names = {new.names[part.first] for part in given.parts if new.names[part.first].is_named}
    if not is_text and not names.isdisjoint(file.names.values()):
        return None  # it is there
    resolver = _Resolver(file, new, code.lead)
    found = {(relation, block.first): block for relation, block in resolver.places()}
    if len(found) != 1:
        return None
    (((relation, _), block),) = found.items()
    if relation in (Relation.ABOVE, Relation.FIRST):
        return put_above(code.file, block.lead, code.new)
    return put_behind(code.file, block.end, code.new, block.first)


@dataclass(frozen=True)
class _Resolver:
    """The blocks of a file, those that are new, and the words above these."""

    file: Text
    new: Text
    lead: str

    def places(self) -> Iterator[tuple[Relation, Block]]:
        """Yield each block that words say something is next to, with the side."""
        *_, (start, _) = ((0, 0), *sentence_spans(self.lead))
        words = tuple(word for word in self._said.words if word.start >= start)
        for at, word in enumerate(words):
            relation = next((_SIDES[kind] for kind in word.kinds if kind in _SIDES), None)
            if relation is None or (len(word.text) == 1 and word.text.isascii()):
                continue
            if word.text in BETWEEN:
                yield from self._between()
            elif relation in _EDGES:
                yield from self._at_edge(relation, _names(_near(words, at)))
            else:
                for block in self._called(_names(_near(words, at))):
                    yield relation, block

    @cached_property
    def _said(self) -> Reading:
        return reading(self.lead, WordTable.PLACES)

    def _between(self) -> Iterator[tuple[Relation, Block]]:
        """Yield the first of two blocks, one right below the other, that words name with *and* in between."""
        words = self._said.words
        for at, word in enumerate(words):
            if word.text not in AND:
                continue
            one = _names(_until_end(words[:at][::-1]))[:1]
            other = _names(_until_end(words[at + 1 :]))[:1]
            above, below = list(self._called(one)), list(self._called(other))
            for around in self._levels:
                for first, second in pairwise(around[-1].parts):
                    if first in above and second in below:
                        yield Relation.BELOW, first

    def _at_edge(self, relation: Relation, names: Sequence[str]) -> Iterator[tuple[Relation, Block]]:
        """Yield the first or the last block of the one level that words name, if that is no function."""
        levels = [
            around[-1]
            for around in self._levels
            if (self._scope or names) and self._is_in_scope(around, names)
            if not is_function(self.file.lines, around[-1])
        ]
        if len(levels) == 1:
            yield relation, levels[0].parts[0 if relation is Relation.FIRST else -1]

    def _called(self, names: Sequence[str]) -> Iterator[Block]:
        """Yield the one block that has some words in its first line, or else in all of its lines."""
        if not names or len(names) > _MOST_WORDS:
            return
        every = [
            (part, around)
            for around in self._levels
            if self._is_in_scope(around)
            for part in around[-1].parts
        ]
        known = {part for line in self.file.lines for part in _parts(line)}
        known |= self._heads(self.file.root.walk())
        telling = [name for name in names if name in known]
        missing = len(names) - len(telling)
        if not telling or (missing and not (self._scope and len(telling) >= _SEVERAL) and missing > 1):
            return
        is_sure = not missing or (self._scope and len(telling) >= _SEVERAL)
        first = self.new.root.parts[0]
        alike = [(part, around) for part, around in every if self._is_kin(first, part)]
        statements = [each for each in every if is_function(self.file.lines, each[1][-1])]
        for among, is_head in product((alike, statements), (True, False) if is_sure else (True,)):
            found = [each for each in among if self._has(*each, telling, is_head=is_head)]
            inner = [each for each in found if not any(_is_in(other[0], each[0]) for other in found)]
            inner = self._nearest(inner) if len(inner) > 1 else inner
            if found:
                yield from (part for part, _ in inner if len(inner) == 1)
                return

    def _has(self, part: Block, around: Sequence[Block], names: Sequence[str], *, is_head: bool) -> bool:
        """Return whether a block has some words, but for those of what it is in."""
        end = part.head_end if is_head else part.end
        if end - part.lead > _MOST_LINES:
            return False
        own = {each for line in self.file.lines[part.first : end] for each in _parts(line)}
        heads = self._heads(around)
        return any(name in own for name in names) and all(name in own or name in heads for name in names)

    def _nearest(self, found: Sequence[_Placed]) -> list[_Placed]:
        """Return those of some blocks that are in what plain words name, which not all of them are in."""
        said = {part for word in self._said.words for part in _parts(word.text)}
        heads = [self._heads(around) for _, around in found]
        common = set[str].intersection(*heads)
        return [each for each, names in zip(found, heads, strict=True) if not said.isdisjoint(names - common)]

    @cached_property
    def _levels(self) -> list[tuple[Block, ...]]:
        """The levels of the file that have blocks of the kind of each new one, or statements.

        Each is the last of the blocks that it is in.
        """
        new = self.new.root.parts
        return [
            around
            for around in _levels_of((self.file.root,))
            if all(any(self._is_kin(one, other) for other in around[-1].parts) for one in new)
            or (self._scope and is_function(self.file.lines, around[-1]))
        ]

    def _is_kin(self, one: Block, other: Block) -> bool:
        """Return whether a new block is of the kind of one of the file."""
        name, its = self.new.names[one.first], self.file.names[other.first]
        if name.kind is not its.kind or name.kind is BlockKind.REMARK:
            return False
        if name.kind in (BlockKind.ELEMENT, BlockKind.ENTRY):
            return name.loose == its.loose
        if name.kind is BlockKind.KEY and bool(one.parts) is not bool(other.parts):
            return False  # what is under a key may be in it
        begins = [text.words(block).split()[:1] for text, block in ((self.new, one), (self.file, other))]
        return name.kind is not BlockKind.TEXT or begins[0] == begins[1]

    @cached_property
    def _scope(self) -> list[str]:
        """The names in backquotes that something is said to be in, which begin a block of the file."""
        heads = self._heads(self.file.root.walk())
        names = {
            name.casefold()
            for one in readings(self.lead, WordTable.PLACES)
            for at, word in enumerate(one.words)
            if "inside" in word.kinds
            for near in (_until_end(one.words[at + 1 :])[:4] if not word.is_unspaced else one.words[:at][-3:])
            if "code" in near.kinds or "name" in near.kinds
            for name in IDENTIFIER.findall(near.text)[-1:]
        }
        return sorted(names & heads)

    def _is_in_scope(self, around: Sequence[Block], names: Sequence[str] = ()) -> bool:
        return self._heads(around).issuperset((*self._scope, *names))

    def _heads(self, blocks: Iterable[Block]) -> set[str]:
        """Return the names in the first lines of some blocks."""
        rows = (block.first for block in blocks if block.first >= 0)
        names = {each for row in rows for each in _parts(self.file.lines[row])}
        return names | {each.removesuffix("s") for each in names if len(each) > _SHORT}  # one of several


def _levels_of(around: tuple[Block, ...]) -> Iterator[tuple[Block, ...]]:
    """Yield each level that is in the last of some blocks, below those that it is in."""
    if around[-1].parts:
        yield around
    for part in around[-1].parts:
        yield from _levels_of((*around, part))


def _is_in(one: Block, other: Block) -> bool:
    return one is not other and other.first < one.first and one.end <= other.end


def _parts(line: str) -> set[str]:
    """Return the words of a line, and the parts of its names, as they are compared."""
    words = [*_NAME.findall(line), *IDENTIFIER.findall(line), *_WORD.findall(line), *_PARTS.findall(line)]
    return {word.casefold() for word in words}


def _near(words: Sequence[Word], at: int) -> Sequence[Word]:
    """Return the words that a side is of: behind it, or in front of it where the language has it so."""
    return _until_end(words[:at][::-1] if is_postposed(words[at]) else words[at + 1 :])


def _until_end(words: Sequence[Word]) -> Sequence[Word]:
    ends = (
        row
        for row, word in enumerate(words)
        if not word.kinds.isdisjoint(_ENDS) or ("inside" in word.kinds and row)
    )
    return words[: next(ends, len(words))]


def _names(words: Sequence[Word]) -> list[str]:
    """Return what words name, in backquotes, in quotes, or as they are; nothing for code of several words."""
    names: list[str] = []
    for word in words:
        bare = word.text.strip(_AROUND_NAME)
        if "code" in word.kinds and not _NAME.fullmatch(bare):
            return []
        if word.kinds.isdisjoint(("others", "path")) and word.text not in AND:
            names += [bare.casefold()] if "code" in word.kinds else _WORD.findall(word.text.casefold())
    return names
