"""The likeliest place for new code: next to the block of its file that shares most with the words above it.

Each side of each block is a candidate. A word counts by how few blocks have it, and more in the first line of
a block than below that, or in what is around it; what the words say that something is in is looked for there.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from patchpoint.dataclass import dataclass
from patchpoint.formats.sentences.sentence import Word, WordTable, reading, sentence_spans
from patchpoint.patching.places.inserting import put_above, put_behind
from patchpoint.patching.places.places_said import AND, BETWEEN, Relation, is_postposed, says
from patchpoint.patching.shown.reading import Code, Likely
from patchpoint.structure.blocks.draft import depths
from patchpoint.structure.blocks.names import BlockKind
from patchpoint.structure.blocks.pairing import Text
from patchpoint.structure.blocks.tree import Block, blocks_of, is_document
from patchpoint.structure.imports import are_imports, imports_of
from patchpoint.structure.lazy.definition import indentation_of
from patchpoint.text.regex import IDENTIFIER, regex

_PARTS = regex(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![a-z])|\d+")
_WORD = regex(r"[^\W_]{1,60}")
_NAME = regex(r"[\w-]{1,80}")
_CALL = regex(r"\s*([\w.]+)\(")
_LEFT_OUT = regex(r"[({]?\s*(?:\.\.\.|…).*")
_CALLBACK = regex(r"\(.*(?:=>|\bfunction\b)")
"""What is in a call that may be there several times."""
_ENDS = frozenset(("stop", "end"))
_SIDES = {relation.name.casefold(): relation for relation in Relation}
_EDGES = (Relation.FIRST, Relation.LAST)
_ABOVE = (Relation.ABOVE, Relation.FIRST)
_WORDS, _AROUND, _KIND, _DEPTH = 2.0, 1.0, 0.8, 0.3
"""What the words of a side, of what is around it, the kind and the depth of the code are worth."""
_LEAST, _MARGIN = 0.6, 0.15
_QUOTED, _FILLED, _BELOW_HEAD, _OUTSIDE = 2.0, 0.4, 0.7, 0.8
"""What a word in backquotes counts, one that most sentences have, one below a head, and one around that."""
_MOST_LINES, _MOST_BLOCKS = 20, 2_000
_STEM, _SHORT = 6, 4
_LONGEST = 60
_FEW = 2
"""What has more lines is apart from others."""
_Weights = Mapping[str, float]
"""The words of a clause that the file has, each with what it counts."""


def by_words(code: Code, *, says_a_side: bool = True) -> Likely | None:
    """Return the file with new code at the likeliest place; `None` where two are as likely, or none is.

    Unless the words have to say a side, it may go to the end of what they name.
    """
    if code.has_marks or not code.new or code.is_there or says(code.lead, "not"):
        return None
    root, given = blocks_of(code.file, code.path), blocks_of(code.new, code.path)
    if root is None or given is None or not given.parts or depths(code.new) != [0, 0, 0]:
        return None
    is_text = is_document(code.path)
    file, new = (
        Text(lines, block, frozenset(), is_text) for lines, block in ((code.file, root), (code.new, given))
    )
    names = [new.names[part.first] for part in given.parts]
    heads = [code.new[part.first] for part in given.parts]
    own = {
        name
        for name, head in zip(names, heads, strict=True)
        if name.is_named and not name.name.startswith("[") and not _CALLBACK.search(head)
    }
    if not is_text and not own.isdisjoint(file.names.values()):
        return None  # it is there
    # they only name what is meant
    imports = [] if are_imports(code.new, code.path) else imports_of(code.file, code.path)
    best: dict[int, tuple[float, Relation, Block]] = {}
    for score, relation, block in _Nearby(file, new, code.lead, says_a_side).scored():
        row = block.lead if relation in _ABOVE else block.end
        is_import = any(each.first <= block.first < each.end for each in imports)
        if not is_import and score > best.get(row, (0.0,))[0]:
            best[row] = (score, relation, block)
    first, *others = sorted(best.values(), key=lambda each: -each[0])[:2] or [(0.0, Relation.LAST, root)]
    if not first[0] or any(each[0] > first[0] - _MARGIN for each in others):
        return None
    _, relation, block = first
    if relation in _ABOVE:
        lines = put_above(code.file, block.lead, code.new)
    else:
        lines = put_behind(code.file, block.end, code.new, block.first)
        is_only = any(each.parts == (block,) for each in root.walk())
        if is_only and min(len(code.new), block.end - block.first) > _FEW and lines[block.end].strip():
            lines.insert(block.end, "")
    side = "above" if relation in _ABOVE else "below"
    near = code.file[block.first].strip()[:_LONGEST]
    return Likely.of(lines, f"By the words of the answer it goes {side} `{near}`.")


@dataclass(frozen=True)
class _Nearby:
    """The blocks of a file, those that are new, and the words above these."""

    file: Text
    new: Text
    lead: str
    says_a_side: bool

    def scored(self) -> Iterator[tuple[float, Relation, Block]]:
        """Yield the sides of blocks that the words may mean, each with its score."""
        if self._names_what_is_nowhere or len(self._levels) > _MOST_BLOCKS:
            return
        depth = indentation_of(self.new.lines[self.new.root.parts[0].first])
        for around in self._levels:
            level = around[-1]
            inner = self._share(self._scope, around)
            first = self.file.lines[level.parts[0].first]
            more = _AROUND * inner + _DEPTH * (indentation_of(first) == depth)
            kin = _KIND * self._has_kin(level)
            is_around = inner >= _LEAST or not self._scope
            for relation, words in self._sides:
                if relation in _EDGES:
                    own = self._share(words, around)
                    is_open = not self.file.is_document and not words and is_around
                    if kin and (own >= _LEAST or is_open):
                        yield _WORDS * own + more + kin, relation, level.parts[-(relation is Relation.LAST)]
                    continue
                for part in level.parts:
                    own = self._share(words, (*around, part)) if self._share(words, (part,)) else 0.0
                    if own >= _LEAST and (kin or inner):
                        is_alike = any(self._is_kin(one, part) for one in self.new.root.parts)
                        yield _WORDS * own + more + (kin if is_alike else kin / 2), relation, part
            for one, other in self._between if kin else ():
                for above, below in pairwise(level.parts):
                    if min(self._share(one, (above,)), self._share(other, (below,))) >= _LEAST:
                        yield _WORDS + more + kin, Relation.BELOW, above

    @cached_property
    def _words(self) -> tuple[Word, ...]:
        *_, (start, _) = ((0, 0), *sentence_spans(self.lead))
        return tuple(word for word in self._said if word.start >= start)

    @cached_property
    def _said(self) -> tuple[Word, ...]:
        return reading(self.lead, WordTable.PLACES).words

    @property
    def _names_what_is_nowhere(self) -> bool:
        """Whether words have something in backquotes that neither the file has nor what is new."""
        # of *`routing { ... }`*, what is in front of the braces
        codes = (word.text.strip("` ") for word in self._words if "code" in word.kinds)
        names = (_LEFT_OUT.sub("", name).strip() for name in codes)
        text = "\n".join((*self.file.lines, *self.new.lines))
        return not all(re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.]\w)", text) for name in names)

    @cached_property
    def _sides(self) -> list[tuple[Relation, _Weights]]:
        """The sides that the words say, each with the weights of the words that say of what."""
        words = self._words
        near = [
            (_SIDES[kind], _near(words, at))
            for at, word in enumerate(words)
            for kind in _SIDES
            if kind in word.kinds and not (len(word.text) == 1 and word.text.isascii())
            if word.text not in BETWEEN
        ]
        found = [(relation, self._weights(of)) for relation, of in near if self._scope or self._is_known(of)]
        is_enough = not (self.says_a_side or near or self._between)
        is_enough = is_enough and (bool(self._scope) or says(self.lead, "tests"))
        if is_enough and any("adds" in word.kinds for word in words):
            return [(Relation.LAST, {})]
        return [(relation, weights) for relation, weights in found if weights or relation in _EDGES]

    @cached_property
    def _between(self) -> list[tuple[_Weights, _Weights]]:
        """The weights of the words of two that something is between."""
        words = self._said if any(word.text in BETWEEN for word in self._words) else ()
        near = ((words[:at][::-1], words[at + 1 :]) for at, word in enumerate(words) if word.text in AND)
        return [(self._first(one), self._first(other)) for one, other in near]

    def _first(self, words: Sequence[Word]) -> _Weights:
        """Return the weights of the first of some words that is not in most sentences."""
        telling = (word for word in _until_end(words) if "others" not in word.kinds)
        return self._weights(tuple(telling)[:1])

    def _is_known(self, words: Sequence[Word]) -> bool:
        """Return whether the file has a part of the first of some words that is not in most sentences."""
        first = next((word for word in words if not word.kinds or "code" in word.kinds), None)
        return first is None or not self._rarity.keys().isdisjoint(_stems(first.text))

    @cached_property
    def _scope(self) -> _Weights:
        """The weights of the words that say what something is in."""
        words = self._words
        near = (
            _until_end(words[at + 1 :]) if not word.is_unspaced else words[:at][-3:]
            for at, word in enumerate(words)
            if "inside" in word.kinds
        )
        return self._weights(word for each in near for word in each)

    def _weights(self, words: Iterable[Word]) -> _Weights:
        """Return the words that the file has, each with what it counts."""
        found: dict[str, float] = {}
        for word in words:
            if "path" in word.kinds:
                continue
            is_name = not word.kinds.isdisjoint(("code", "name", "quoted"))
            weight = _QUOTED if is_name else _FILLED if word.kinds else 1.0
            for part in _stems(word.text):
                if part in self._rarity and (weight > _FILLED or len(part) >= _SHORT):
                    found[part] = max(found.get(part, 0.0), weight * self._rarity[part])
        return found

    def _share(self, words: _Weights, blocks: Sequence[Block]) -> float:
        """Return which share of the weight of some words is in the last of some blocks, or around that."""
        if not words or blocks[-1].first < 0:
            return 0.0
        head, below = self._tokens[blocks[-1].first]
        outside = {word for block in blocks[:-1] for word in self._tokens[block.first][0]}
        have = sum(
            weight * (word in head or max(_OUTSIDE * (word in outside), _BELOW_HEAD * (word in below)))
            for word, weight in words.items()
        )
        return have / sum(words.values())

    @cached_property
    def _tokens(self) -> dict[int, tuple[set[str], set[str]]]:
        """The words of the head of each block, and those of all of its lines if they are few."""
        lines, found = self.file.lines, {-1: (set[str](), set[str]())}
        for block in self.file.root.walk():
            if block.first >= 0:
                is_short = block.end - block.first <= _MOST_LINES
                every = lines[block.head_end : block.end] if is_short else ()
                head, below = (
                    {word for line in each for word in _stems(line)}
                    for each in (lines[block.lead : block.head_end], every)
                )
                found[block.first] = (head, below)
        return found

    @cached_property
    def _rarity(self) -> dict[str, float]:
        """What each word counts: the more, the fewer blocks have it in their head."""
        heads = Counter(word for head, _ in self._tokens.values() for word in head)
        every = {word for _, below in self._tokens.values() for word in below} | heads.keys()
        return {word: math.log(2 + len(self._tokens) / (1 + heads[word])) for word in every}

    @cached_property
    def _levels(self) -> list[tuple[Block, ...]]:
        """The blocks that have parts, each the last of those that it is in."""
        return list(_levels_of((self.file.root,)))

    def _has_kin(self, level: Block) -> bool:
        """Return whether a level has blocks of the kind of each new one."""
        return all(
            any(self._is_kin(one, other) for other in level.parts)
            for one in self.new.root.parts
            if self.new.names[one.first].kind is not BlockKind.REMARK
        )

    def _is_kin(self, one: Block, other: Block) -> bool:
        """Return whether a new block is of the kind of one of the file, or a statement that begins as it."""
        name, its = self.new.names[one.first], self.file.names[other.first]
        verbs = [_CALL.match(text.lines[each.first]) for text, each in ((self.new, one), (self.file, other))]
        if verbs[0] is not None and verbs[1] is not None and verbs[0][1] == verbs[1][1]:
            return True
        if name.kind is not its.kind or name.kind is BlockKind.REMARK:
            return False
        if name.kind in (BlockKind.ELEMENT, BlockKind.ENTRY):
            return name.loose == its.loose
        if name.kind is BlockKind.KEY:
            return bool(one.parts) is bool(other.parts)  # what is under a key may be in it
        if name.kind is BlockKind.TEXT:
            begins = [text.words(each).split()[:1] for text, each in ((self.new, one), (self.file, other))]
            is_prose = self.file.is_document and name.loose.isalnum() and its.loose.isalnum()
            return begins[0] == begins[1] or (bool(name.loose) and (name.loose == its.loose or is_prose))
        return True


def _levels_of(around: tuple[Block, ...]) -> Iterator[tuple[Block, ...]]:
    """Yield each level that is in the last of some blocks, below those that it is in."""
    if around[-1].parts:
        yield around
    for part in around[-1].parts:
        yield from _levels_of((*around, part))


def _stems(text: str) -> set[str]:
    """Return what the words and the parts of the names of a text begin with."""
    words = (*_NAME.findall(text), *IDENTIFIER.findall(text), *_WORD.findall(text), *_PARTS.findall(text))
    return {word.casefold().rstrip("s")[:_STEM] or word.casefold() for word in words}


def _near(words: Sequence[Word], at: int) -> Sequence[Word]:
    """Return the words that a side is of: behind it, or in front of it where the language has it so."""
    return _until_end(words[:at][::-1] if is_postposed(words[at]) else words[at + 1 :])


def _until_end(words: Sequence[Word]) -> Sequence[Word]:
    """Return the words in front of the end of a clause."""
    ends = (
        row
        for row, word in enumerate(words)
        if not word.kinds.isdisjoint(_ENDS) or ("inside" in word.kinds and row)
    )
    return words[: next(ends, len(words))]
