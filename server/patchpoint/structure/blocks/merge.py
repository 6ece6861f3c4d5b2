"""What is shown of a file, put into its blocks: it changes what it shows, and what it leaves out stays."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import dataclass, field
from patchpoint.structure.blocks.level import Level, LevelPiece, with_commas
from patchpoint.structure.blocks.names import BlockKind, is_function
from patchpoint.structure.blocks.pairing import Text, is_another_call, is_telling, paired
from patchpoint.structure.blocks.placing import levels_shown
from patchpoint.structure.blocks.sameness import Sameness
from patchpoint.structure.blocks.tree import Block, is_remark, only_closes, opens
from patchpoint.structure.lazy.alignment import likeness
from patchpoint.structure.lazy.definition import indentation_of
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_INLINE = regex(r"(?P<head>.*[({\[])\s*(?:\.\.\.|…|/\*[^*]*\.\.\.[^*]*\*/)\s*[)}\]][;,)]*\Z")
"""A head whose body is left out on the same line."""
_LONGEST = 400
BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
_LONG = 8
"""A line with so many letters is hardly there twice by chance."""
_FEW = 2
_ALIKE = 0.6


def is_inline(line: str) -> bool:
    """Return whether a line is a head whose body is left out on that line."""
    return len(line) < _LONGEST and _INLINE.fullmatch(line.strip()) is not None


@dataclass
class _Growing:
    """A level as far as it is put together, and what is shown below the last block that both have."""

    own: Block
    given: Block | None
    """The block that is shown of it; `None` where only parts of it are."""
    pieces: list[LevelPiece] = field(default_factory=list)
    reached: int = 0
    """The number of the first block of the file that is not among the pieces."""
    segments: list[list[Block]] = field(default_factory=lambda: [[]])
    """What is shown between marks."""

    @property
    def is_below_mark(self) -> bool:
        """Return whether nothing is shown below the last mark."""
        return len(self.segments) > 1 and not self.segments[-1]


@dataclass
class ShownBlocks:
    """What is shown of a file, put into its blocks."""

    file: Text
    shown: Text
    within: Sequence[Span]
    every: bool
    is_whole: bool = False
    """The first and the last line of the file are shown as the first and the last."""
    is_cut: bool = False
    """What is shown of a block does not close it."""
    adds: bool = False
    """A block whose values differ from those of one with its name is another one."""
    is_anywhere: bool = False
    """Something new is between two marks, and may be anywhere in what they are for."""
    dropped: list[int] = field(default_factory=list)
    """The rows of what gives way to what is shown, but for those that only change."""
    is_doubled: bool = False
    """Lines that are new are in what stays next to them, too."""
    levels: dict[int, Sequence[Block]] = field(default_factory=dict)
    """What is shown of a level of the file and not yet there, by the row of its head."""

    @property
    def same(self) -> Sameness:
        """What tells a block that is shown from one that is only like it."""
        return Sameness(self.file, self.shown)

    def result(self) -> list[str] | None:
        """Return the lines of the file with what is shown."""
        levels = levels_shown(self.file, self.shown, self.within, every=self.every)
        if levels is None:
            return None
        self.levels, self.is_whole = dict(levels.parts), levels.is_whole
        return self._block(self.file.root)

    def has_evidence(self) -> bool:
        """Return whether the file has a line that is shown, or a block of a name that is no value's."""
        lines = {line.strip() for line in self.file.lines if is_telling(line)}
        kinds = (BlockKind.DEFINITION, BlockKind.ELEMENT, BlockKind.BLOCK)
        names = {each for each in self.file.names.values() if each.kind in kinds}
        is_named = not names.isdisjoint(self.shown.names.values())
        own = [row for row, line in enumerate(self.shown.lines) if line.strip() in lines]
        is_small = len(self.shown.names) <= _FEW
        return is_named or is_small or any(row not in self.shown.marks for row in own)

    def _block(self, own: Block) -> list[str]:
        """Return the lines of a block of the file with what is shown of any level in it."""
        file = self.file
        rows = {each.first for each in own.walk()}
        if rows.isdisjoint(self.levels):
            return list(file.lines[max(own.lead, 0) : own.end])
        if own.first in self.levels:
            parts = self.levels.pop(own.first)
            inner = self._level(parts, own)
        else:
            inner = self._pieces_of(own)
        return self._around(own, None, inner)

    def _pieces_of(self, own: Block) -> Level:
        return Level(
            self.file, own, [LevelPiece(self._block(part), own=at) for at, part in enumerate(own.parts)]
        )

    def _around(self, own: Block, given: Block | None, inner: Level) -> list[str]:
        """Return a level with the first and the last line of its block."""
        file = self.file
        if own.first < 0:
            return inner.lines()
        head, tail = file.lines[own.first], [file.lines[own.tail]] if own.tail is not None else []
        rest = list(file.lines[own.first + 1 : own.head_end])
        if given is not None:
            head = self._line(given.first, own.first)
            if own.tail is not None and given.tail is not None:
                tail = [self._line(given.tail, own.tail)]
        return [*self._lead(own, given), head, *rest, *inner.lines(), *tail]

    def _lead(self, own: Block, given: Block | None) -> list[str]:
        """Return the comments and the decorators above a block: as they are shown, or else as they are."""
        was = self.file.lines[own.lead : own.first]
        if given is None or given.lead == given.first:
            return list(was)
        now = Level(self.file, own).moved(
            self.shown.lines[given.lead : given.first], own.lead, self.shown.unit
        )
        kinds = [
            [[line for line in each if is_remark(line) is kind] for each in (was, now)]
            for kind in (True, False)
        ]
        return [line for old, new in kinds for line in (new or old)]

    def _line(self, row: int, own: int) -> str:
        """Return a shown line in place of one of the file, with the separator and the depth of that."""
        said, there = self.shown.lines[row].rstrip(), self.file.lines[own]
        inline = _INLINE.fullmatch(said.strip()) if is_inline(said) else None
        said = inline["head"] if inline is not None else said
        bare, old = said.strip().rstrip(",;"), there.strip().rstrip(",;")
        if bare == old or is_mark(said):
            return there
        end = there.rstrip()[len(there.rstrip().rstrip(",;")) :] if there.strip()[-1:] in ",;" else ""
        end = end or (said.strip()[len(bare) :] if said.strip().endswith(";") else "")
        return f"{indentation_of(there)}{bare}{end}"

    def _pair(self, given: Block, own: Block) -> list[str]:
        """Return the lines of a block of the file as it is shown."""
        file, shown = self.file, self.shown
        if not given.parts:
            is_head = shown.words(given) == file.words(own) or not own.parts
            is_head |= is_inline(shown.lines[given.first])
            if is_head or (given.tail is None and opens(shown.lines[given.first])):
                return self._around(own, given, self._pieces_of(own))
            return self._moved(given, own)
        if not shown.parts(given):
            return self._around(own, given, self._pieces_of(own))
        if not own.parts:
            return self._moved(given, own)
        self.is_cut |= given.tail is None and own.tail is not None and not self._ends_in_mark(given)
        return self._around(own, given, self._level(list(given.parts), own, given))

    def _moved(self, given: Block, own: Block) -> list[str]:
        self.dropped += range(own.first + 1, own.end)
        return Level(self.file, own).moved(
            self.shown.lines[given.lead : given.end], own.lead, self.shown.unit
        )

    def _level(self, every: Sequence[Block], own: Block, given: Block | None = None) -> Level:
        """Return a level of the file with the blocks that are shown of it, marks among them."""
        shown, file = self.shown, self.file
        by_row = self._pairs(every, own)
        growing = _Growing(own, given)
        for part in every:
            at = by_row.get(part.first)
            if part.first in shown.marks:
                growing.segments.append([])
            elif at is not None and at >= growing.reached:
                self._fill(growing, at)
                growing.pieces.append(LevelPiece(self._pair(part, own.parts[at]), own=at, shown=part))
                growing.reached = at + 1
                growing.segments += [[]] if self._ends_in_mark(part) else []
            elif at is not None:
                pieces = growing.pieces
                place = next((row for row, each in enumerate(pieces) if each.own == at), None)
                if place is not None:
                    pieces[place] = LevelPiece(self._pair(part, own.parts[at]), own=at, shown=part)
            elif not (growing.is_below_mark and only_closes(shown.lines[part.first])):
                growing.segments[-1].append(part)
        self._fill(growing, len(own.parts))
        self.is_doubled |= _doubles(shown, growing.pieces)
        return Level(file, own, with_commas(file, own, growing.pieces, shown, given), shown)

    def _pairs(self, every: Sequence[Block], own: Block) -> dict[int, int]:
        """Return which block of a level each shown one is, by its row, where that is not another one."""
        parts, same = [part for part in every if part.first not in self.shown.marks], self.same
        likely = paired(self.shown, parts, self.file, own.parts)
        pairs = {
            one: other
            for one, other in likely.items()
            if not same.may_be_new(every, parts, one, own, likely)
            and not (self.adds and same.has_other_values(parts[one], own.parts[other]))
        }
        self.is_anywhere |= any(same.is_one_of_several(every, parts, one, own, pairs) for one in pairs)
        return {parts[one].first: other for one, other in pairs.items()}

    def _fill(self, growing: _Growing, last: int) -> None:
        """Add what is between two blocks that both have: new ones, and those of the file."""
        own, between = growing.own, range(growing.reached, last)
        first, *others = growing.segments
        new = [*first, *(part for each in others for part in each)]
        is_inner = growing.given is not None or (self.is_whole and own.first < 0)
        is_inner |= bool(growing.pieces) and last < len(own.parts)
        if not others and is_inner and not self._stays(between, new, growing):
            self.dropped += [row for at in between for row in range(own.parts[at].first, own.parts[at].end)]
            between = range(0)
        self.is_anywhere |= len(between) > 1 and any(others[:-1])
        kept = [LevelPiece(self._block(own.parts[at]), own=at) for at in between]
        final = [part for each in others for part in each]
        # what is shown above all that both have is right above that, and at the end where they have nothing
        is_top = growing.given is None if last < len(own.parts) else bool(kept)
        if not others and not growing.pieces and is_top:
            first, final = [], new
        above, below = ([self._piece_of(part, own) for part in each] for each in (first, final))
        growing.pieces += [*above, *kept, *below]
        growing.segments, growing.reached = [[]], max(growing.reached, last)

    def _piece_of(self, part: Block, own: Block) -> LevelPiece:
        """Return a new block as deep as what its level has."""
        sample, is_inside = (own.parts[0].lead, False) if own.parts else (own.first, True)
        lines = self.shown.lines[part.lead : part.end]
        moved = Level(self.file, own).moved(lines, sample, self.shown.unit, is_inside=is_inside)
        return LevelPiece(moved, shown=part)

    def _ends_in_mark(self, part: Block) -> bool:
        """Return whether the last line within a block is a mark, which may be meant for what is below it."""
        while part.parts and part.tail is None:
            part = part.parts[-1]
        return part.first in self.shown.marks

    def _stays(self, between: Sequence[int], new: Sequence[Block], growing: _Growing) -> bool:
        """Return whether what is not shown between two shown blocks of a whole level stays all the same."""
        file, own, given = self.file, growing.own, growing.given
        if self.is_whole and own.first < 0:
            return False
        if given is None:
            return not (new and is_function(file.lines, own))
        if self.same.goes_on(own):
            return False
        kinds = {file.names[own.parts[at].first].kind for at in between}
        there = set(map(file.words, own.parts))
        changes = any(self.shown.words(part) not in there for part in self.shown.parts(given))
        if is_function(file.lines, own):
            has_marks = any(given.first < row < given.end for row in self.shown.marks)
            return not new and (has_marks or not changes or kinds <= {BlockKind.REMARK})
        if new and file.is_document:
            return False
        head = file.lines[own.head_end - 1].strip()
        items = [file.words(own.parts[at]) for at in between]
        is_open = any(head.count(one) > head.count(other) for one, other in BRACKETS[:2])
        is_list = is_open or head.endswith("=") or all(each.startswith(("- ", "* ")) for each in items)
        is_new_named = all(self.shown.names[part.first].is_named for part in new)
        if is_list and kinds <= {BlockKind.TEXT, BlockKind.REMARK}:
            # steps are shown in part where one changes; names are shown as they are to be
            are_steps = any(
                ": " in each or own.parts[at].parts for at, each in zip(between, items, strict=True)
            )
            return changes and are_steps and not new
        said = list(map(self.shown.words, new))
        if new and len(items) == len(said) and all(map(_are_alike, items, said)):
            return False
        first = {self.shown.names[part.first].loose for part in new} - {""}
        same = first == {file.names[own.parts[at].first].loose for at in between}
        if len(between) == len(own.parts) and new and not is_new_named and not same:
            self.is_anywhere = True  # nothing that is shown of it is there
        return True


def _are_alike(one: str, other: str) -> bool:
    return likeness(one, other) >= _ALIKE and not is_another_call(other, one)


def _doubles(shown: Text, pieces: Sequence[LevelPiece]) -> bool:
    """Return whether a new statement has a line that one has, too, which stays without being shown."""
    new = [
        piece
        for piece in pieces
        if piece.own is None and piece.shown is not None and not shown.names[piece.shown.first].is_named
    ]
    leaves = [
        piece for piece in pieces if len(piece.lines) == 1 and piece.lines[0].strip().startswith("return")
    ]
    if any(piece.own is None for piece in leaves) and any(piece.shown is None for piece in leaves):
        return True
    lines, stay = (
        {line.strip() for piece in each for line in piece.lines if sum(map(str.isalnum, line)) >= _LONG}
        for each in (new, [piece for piece in pieces if piece.shown is None])
    )
    return not lines.isdisjoint(stay)
