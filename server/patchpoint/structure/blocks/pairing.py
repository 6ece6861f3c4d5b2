"""Which blocks of shown lines are which of a file, in one level of it, and in which level they are."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from patchpoint.dataclass import dataclass
from patchpoint.structure.blocks.names import BlockKind, Called, called
from patchpoint.structure.blocks.tree import Block, closes
from patchpoint.structure.lazy.alignment import likeness
from patchpoint.structure.lazy.definition import indentation_of
from patchpoint.text.regex import IDENTIFIER, regex

_MOST_PAIRS = 60_000
_SAME, _NAMED, _LIKE = 4.0, 3.0, 1.0
_ALIKE, _VERY_ALIKE = 0.5, 0.75
_MOST_OF_BODY = 60
_LEAST_COMMON = 0.25
_LONGEST = 300
_CALL = regex(
    r"(?:await |return |yield )?(?P<name>[\w$.:>@-]+[!?]?)(?:\s*\(|\s+(?=[\"':@]))(?P<rest>.*)"
    r"|(?P<imports>#include|import|use|using|from|require\w*|include)\b(?P<what>.*)"
)
_INSTRUCTION = regex(r"(?P<verb>[\w.-]+)\s+(?P<what>[\w.$@/-]+)(?:\s+[^\s=:(]|\Z)")
_REGULAR = 20
_CLOSE = 0.25
_OFTEN = 6
"""A line that is there several times says so many times less."""
_TELLING = 3
"""A line with fewer letters says nothing by itself."""


@dataclass(frozen=True)
class Text:
    """Lines as blocks, and which of them say only that something is left out."""

    lines: Sequence[str]
    root: Block
    marks: frozenset[int] = frozenset()
    is_document: bool = False

    @cached_property
    def names(self) -> dict[int, Called]:
        """What each block is called, by the row of its head."""
        every = (each for each in self.root.walk() if each.first >= 0)
        return {each.first: called(self.lines, each, is_document=self.is_document) for each in every}

    @cached_property
    def unit(self) -> str:
        """What the lines are indented by: a tab, or some blanks; empty where they are not regular."""
        depths = [indentation_of(line) for line in self.lines if line.strip()]
        deeper = list(filter(None, depths))
        if 2 * sum("\t" in depth for depth in deeper) > len(deeper):
            return "\t"
        steps = Counter(
            len(other) - len(one) for one, other in itertools.pairwise(depths) if len(other) > len(one)
        )
        step = max(steps, key=lambda each: (steps[each], each)) if steps else 0
        is_regular = step > 1 and sum(len(depth) % step > 0 for depth in depths) * _REGULAR <= len(depths)
        return " " * step if is_regular else ""

    def words(self, block: Block) -> str:
        """Return the first line of a block, without what separates it from the next one."""
        words = self.lines[block.first].strip()
        return words[:-1].rstrip() if words.endswith((",", ";")) else words

    def parts(self, block: Block) -> list[Block]:
        """Return what is in a block but for marks."""
        return [part for part in block.parts if part.first not in self.marks]

    def body(self, block: Block) -> set[str]:
        """Return the first lines that a block has below its own."""
        if block.first not in self._bodies:
            rows = range(block.first + 1, min(block.end, block.first + _MOST_OF_BODY))
            words = (self.lines[row].strip() for row in rows)
            self._bodies[block.first] = {each for each in words if is_telling(each) and not closes(each)}
        return self._bodies[block.first]

    @cached_property
    def _bodies(self) -> dict[int, set[str]]:
        return {}


def is_telling(line: str) -> bool:
    """Return whether a line has enough letters to be known from others."""
    return sum(map(str.isalnum, line)) >= _TELLING


def score(shown: Text, one: Block, file: Text, other: Block) -> float:
    """Return how likely one block is another one: 0 where it is not."""
    said, own = shown.words(one), file.words(other)
    body, known = (
        (shown.body(one), file.body(other)) if one.parts and other.parts else (set[str](), set[str]())
    )
    common = len(body & known) / len(body) if body else 0.0
    name, its = shown.names[one.first], file.names[other.first]
    if name.kind is not its.kind or (name.is_own and its.is_own and name.name != its.name):
        return 0
    is_other = bool(body and known) and common < _LEAST_COMMON
    if is_other and not (name.is_named or (is_telling(said) and said == own)):
        return 0
    if said == own:
        return (_SAME if is_telling(said) else _LIKE) + common
    if name.is_named and name.name == its.name:
        return _NAMED + common
    if name.kind is BlockKind.REMARK or (name.is_named and name.kind is not BlockKind.ELEMENT):
        return 0
    alike = likeness(said[:_LONGEST], own[:_LONGEST])
    is_loose = name.loose == its.loose != "" and not (
        name.kind is BlockKind.ELEMENT and name.name != its.name
    )
    if is_another_call(said, own):
        return 0
    if alike >= (_ALIKE if is_loose else _VERY_ALIKE):
        return _LIKE + alike / 2 + common
    return 0


def is_another_call(said: str, own: str) -> bool:
    """Return whether two lines call the same, each with arguments that the other one has not."""
    calls = [_CALL.match(words) for words in (said, own)]
    if (
        calls[0] is None
        or calls[1] is None
        or calls[0].group("name", "imports") != calls[1].group("name", "imports")
    ):
        return False
    new, old = (call["rest"] or call["what"] or "" for call in calls if call is not None)
    return not has_all(new, old)


def _is_another_instruction(said: str, own: str) -> bool:
    """Return whether two lines begin with the same word, and are about something else."""
    words = [_INSTRUCTION.match(line) for line in (said, own)]
    if words[0] is None or words[1] is None:
        return False
    return words[0]["verb"] == words[1]["verb"] and words[0]["what"] != words[1]["what"]


def has_all(one: str, other: str) -> bool:
    """Return whether one of two texts has all names of the other."""
    names, others = (Counter(IDENTIFIER.findall(text)) for text in (one, other))
    return names <= others or others <= names


def paired(shown: Text, parts: Sequence[Block], file: Text, own: Sequence[Block]) -> dict[int, int]:
    """Return which of some blocks is which of a level of a file: in order, but for those with a name."""
    found = _in_order(shown, parts, file, own)
    taken = set(found.values())
    names: dict[Called, list[int]] = {}
    for at, block in enumerate(own):
        if at not in taken and file.names[block.first].is_named:
            names.setdefault(file.names[block.first], []).append(at)
    for at, block in enumerate(parts):
        there = names.get(shown.names[block.first], [])
        if at not in found and len(there) == 1:
            found[at] = there.pop()
    return found


def total(
    shown: Text, parts: Sequence[Block], file: Text, own: Sequence[Block]
) -> tuple[float, dict[int, int]]:
    """Return how much of some blocks a level of a file has, and which of them; 0 where none is there once."""
    pairs = _in_order(shown, parts, file, own)
    points = [score(shown, parts[one], file, own[other]) for one, other in pairs.items()]
    often = Counter(file.words(each) for each in own)
    named = Counter(file.names[each.first] for each in own)
    once = [
        each
        for each, other in zip(points, pairs.values(), strict=True)
        if often[file.words(own[other])] == 1 or named[file.names[own[other].first]] == 1
    ]
    return (sum(points) if max(once, default=0) >= _NAMED else 0.0), pairs


def levels_with(shown: Text, parts: Sequence[Block], file: Text) -> Iterator[Block]:
    """Yield the levels of a file that have one of some blocks, by its name or its line."""
    words = {shown.words(each) for each in parts if is_telling(shown.words(each))}
    names = {shown.names[each.first] for each in parts if shown.names[each.first].is_named}
    for level in file.root.walk():
        if any(file.words(part) in words or file.names[part.first] in names for part in level.parts):
            yield level


def _in_order(shown: Text, parts: Sequence[Block], file: Text, own: Sequence[Block]) -> dict[int, int]:
    """Return the pairs of the best alignment of two levels."""
    rows, columns = len(parts), len(own)
    if not rows or not columns or rows * columns > _MOST_PAIRS:
        return {}
    often = {
        words
        for text, blocks in ((shown, parts), (file, own))
        for words, count in Counter(map(text.words, blocks)).items()
        if count > 1
    }
    there = Counter(map(file.words, own))

    named = Counter(file.names[each.first] for each in own)
    begins = Counter(
        file.names[each.first].loose for each in own if file.names[each.first].kind is BlockKind.TEXT
    )

    def points(one: Block, other: Block) -> float:
        points = score(shown, one, file, other)
        name = file.names[other.first]
        if points and _is_another_instruction(shown.words(one), file.words(other)) and begins[name.loose] > 1:
            return 0.0
        if points and named[name] > 1 and name.is_named and shown.words(one) != file.words(other):
            same = [each for each in own if file.names[each.first] == name and each is not other]
            if max(score(shown, one, file, each) for each in same) > points - _CLOSE:
                return 0.0
        is_alone = name.is_named and named[name] == 1 and shown.names[one.first] == name
        if not points or is_alone or file.words(other) not in often:
            return points
        body, known = shown.body(one), file.body(other)
        is_another = (
            there[file.words(other)] > 1 and body and known and len(body & known) < _LEAST_COMMON * len(body)
        )
        return 0.0 if is_another else points / _OFTEN

    scores = [[points(one, other) for other in own] for one in parts]
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            own_score = scores[row][column]
            pair = own_score + best[row + 1][column + 1] if own_score else 0.0
            best[row][column] = max(best[row + 1][column], best[row][column + 1], pair)
    found: dict[int, int] = {}
    row = column = 0
    while row < rows and column < columns:
        if scores[row][column] and best[row][column] == scores[row][column] + best[row + 1][column + 1]:
            found[row] = column
            row, column = row + 1, column + 1
        elif best[row][column] == best[row][column + 1]:
            column += 1
        else:
            row += 1
    return found
