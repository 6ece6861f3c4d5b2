"""What is shown of a file, put into its blocks: it changes what it shows, and what it leaves out stays."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import dataclass, field
from patchpoint.structure.blocks.level import Level, LevelPiece, with_commas
from patchpoint.structure.blocks.names import BlockKind, is_function
from patchpoint.structure.blocks.pairing import (
    Text,
    is_another_call,
    is_telling,
    levels_with,
    paired,
    total,
)
from patchpoint.structure.blocks.sameness import Sameness
from patchpoint.structure.blocks.tree import Block, is_remark, only_closes, opens
from patchpoint.structure.lazy.alignment import likeness
from patchpoint.structure.lazy.definition import indentation_of
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

INLINE = regex(r"(?P<head>.*[({\[])\s*(?:\.\.\.|…|/\*[^*]*\.\.\.[^*]*\*/)\s*[)}\]][;,)]*\Z")
"""A head whose body is left out on the same line."""
BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
_MARGIN = 0.5
"""By so much any other level has less of what is shown."""
_SAME_DEPTH, _MEANT = 0.6, 2
_LONG = 8
"""A line with so many letters is hardly there twice by chance."""
_MOST_GROUPS = 8
_FEW = 2
_ALIKE = 0.6
_BARE = ("{", "[", "<?xml")


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
    drops: bool = False
    """What is not shown of a block that is shown to its end goes, whatever it is."""
    is_anywhere: bool = False
    """Something new is between two marks, and may be anywhere in what they are for."""
    dropped: list[int] = field(default_factory=list)
    """The rows of what gives way to what is shown, but for those that only change."""
    is_doubled: bool = False
    """Lines that are new are in what stays next to them, too."""
    levels: dict[int, list[Block]] = field(default_factory=dict)
    """What is shown of a level of the file, by the row of its head."""
    left_out: dict[int, list[Block]] = field(default_factory=dict)
    """The blocks of the file that each mark is for, by its row."""

    @property
    def same(self) -> Sameness:
        """What tells a block that is shown from one that is only like it."""
        return Sameness(self.file, self.shown)

    def result(self) -> list[str] | None:
        """Return the lines of the file with what is shown."""
        self.levels, self.dropped = {}, []
        return self._block(self.file.root) if self._place() else None

    def has_evidence(self) -> bool:
        """Return whether the file has a line that is shown, or a block of a name that is no value's."""
        lines = {line.strip() for line in self.file.lines if is_telling(line)}
        kinds = (BlockKind.DEFINITION, BlockKind.ELEMENT, BlockKind.BLOCK)
        names = {each for each in self.file.names.values() if each.kind in kinds}
        is_named = not names.isdisjoint(self.shown.names.values())
        own = [row for row, line in enumerate(self.shown.lines) if line.strip() in lines]
        is_small = len(self.shown.names) <= _FEW
        return is_named or is_small or any(row not in self.shown.marks for row in own)

    def _place(self) -> bool:
        """Find the levels of the file in which the shown blocks are; return whether each has one."""
        shown, file = self.shown, self.file
        every = list(shown.root.parts)
        left = shown.parts(shown.root)
        if not left:
            return False
        bare = [part for part in file.root.parts if shown.words(left[0]).startswith(_BARE)]
        ends = [
            [each.words(parts[at]) for at in (0, -1)]
            for each, parts in ((shown, left), (file, file.root.parts))
        ]
        are_lines = not any(parts[at].parts for parts in (left, file.root.parts) for at in (0, -1))
        self.is_whole = len(left) > 1 and not shown.marks and ends[0] == ends[1] and are_lines
        if self.is_whole or (
            len(left) == 1 and [part for part in bare if file.words(part) == shown.words(left[0])]
        ):
            self.levels[-1] = every
            return True
        homes: dict[int, int] = {}
        for _ in range(_MOST_GROUPS):
            chosen = self._best([part for part in left if part.first not in homes])
            if chosen is None:
                break
            for level, pairs in chosen:
                homes |= dict.fromkeys(pairs, level.first)
                self.levels.setdefault(level.first, [])
        if not homes:
            return False
        self._share(every, homes)
        return True

    def _best(self, parts: Sequence[Block]) -> list[tuple[Block, list[int]]] | None:
        """Return the level, or each, that has the most of some blocks, with the rows of those."""
        shown, file = self.shown, self.file
        found = []
        for level in levels_with(shown, parts, file):
            points, pairs = total(shown, parts, file, level.parts)
            rows = [parts[one].first for one in pairs]
            if not rows or not points:
                continue
            is_meant = any(first <= max(level.first, 0) < end for first, end in self.within)
            depths = [indentation_of(shown.lines[rows[0]]), indentation_of(file.lines[level.parts[0].first])]
            only_sets = all(
                shown.names[parts[one].first].kind is BlockKind.KEY
                and shown.words(parts[one]) != file.words(level.parts[other])
                for one, other in pairs.items()
            )
            if only_sets and depths[0] != depths[1] and not is_meant and is_function(file.lines, level):
                continue  # a variable of a function has nothing to do with one outside
            found.append((points + _MEANT * is_meant + _SAME_DEPTH * (depths[0] == depths[1]), level, rows))
        if not found:
            return None
        most = max(points for points, _, _ in found)
        meant = next(set(rows) for points, _, rows in found if points == most)
        best = [
            (level, rows)
            for points, level, rows in found
            if points > most - _MARGIN and not meant.isdisjoint(rows)
        ]
        if len(best) > 1 and not self.every:
            near = [each for each in best if each[0].first in self.levels]
            return near if len(near) == 1 else None
        return best

    def _share(self, every: Sequence[Block], homes: dict[int, int]) -> None:
        """Give each level what is shown of it: a new block is where the one next to it is."""
        shown = self.shown
        home: int | None = None
        waiting: list[Block] = []
        for at, part in enumerate(every):
            if part.first in homes:
                home = homes[part.first]
                for each in waiting:
                    self.levels[home].append(each)
                waiting = []
                self._add(part, home)
                continue
            follows = at > 0 and home is not None and every[at - 1].first not in shown.marks
            is_mark_below = home is not None and part.first in shown.marks
            if home is not None and not waiting and (follows or is_mark_below):
                self.levels[home].append(part)
            else:
                waiting.append(part)
        if home is not None:
            self.levels[home] += waiting

    def _add(self, part: Block, home: int) -> None:
        for row, parts in self.levels.items():
            if row == home or (self.every and not parts):
                parts.append(part)

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
        file, _shown = self.file, self.shown
        if own.first < 0:
            return inner.lines()
        head, tail = file.lines[own.first], [file.lines[own.tail]] if own.tail is not None else []
        rest = list(file.lines[own.first + 1 : own.head_end])
        if given is not None:
            head = self._line(given.first, own.first)
            if own.tail is not None and given.tail is not None:
                tail = [self._line(given.tail, own.tail)]
            elif given.tail is not None and given.parts:
                tail = [f"{indentation_of(head)}{self.shown.lines[given.tail].strip()}"]
        return [*self._lead(own, given), head, *rest, *inner.lines(), *tail]

    def _lead(self, own: Block, given: Block | None) -> list[str]:
        """Return the comments and the decorators above a block: as they are shown, or else as they are."""
        was = self.file.lines[own.lead : own.first]
        if given is None or given.lead == given.first:
            return list(was)
        now = Level.of(self.file, own).moved(
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
        inline = INLINE.fullmatch(said.strip())
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
        inline = INLINE.fullmatch(shown.lines[given.first].strip())
        inner = self._pieces_of(own)
        if not given.parts:
            is_head = inline is not None or shown.words(given) == file.words(own) or not own.parts
            if is_head or (given.tail is None and opens(shown.lines[given.first])):
                return self._around(own, given, inner)
            return self._moved(given, own)
        if not shown.parts(given):
            return self._around(own, given, inner)
        if not own.parts:
            return self._moved(given, own)
        self.is_cut |= given.tail is None and own.tail is not None and not self._ends_in_mark(given)
        return self._around(own, given, self._level(list(given.parts), own, given))

    def _moved(self, given: Block, own: Block) -> list[str]:
        self.dropped += range(own.first + 1, own.end)
        return Level.of(self.file, own).moved(
            self.shown.lines[given.lead : given.end], own.lead, self.shown.unit
        )

    def _level(self, every: list[Block], own: Block, given: Block | None = None) -> Level:
        """Return a level of the file with the blocks that are shown of it, marks among them."""
        shown, file = self.shown, self.file
        parts = [part for part in every if part.first not in shown.marks]
        pairs = paired(shown, parts, file, own.parts)
        pairs = {
            one: other
            for one, other in pairs.items()
            if not self.same.may_be_new(every, parts, one, own, pairs)
            and not (self.adds and self.same.has_other_values(parts[one], own.parts[other]))
        }
        by_row = {parts[one].first: other for one, other in pairs.items()}
        self.is_anywhere |= any(self.same.is_one_of_several(every, parts, one, own, pairs) for one in pairs)
        base = Level.of(file, own)
        pieces: list[LevelPiece] = []
        reached = 0
        segments: list[list[Block]] = [[]]
        marks: list[int] = []

        def piece_of(part: Block) -> LevelPiece:
            sample = own.parts[0].lead if own.parts else own.first
            lines = base.moved(shown.lines[part.lead : part.end], sample, shown.unit, is_inside=not own.parts)
            return LevelPiece(lines, shown=part)

        def fill(last: int) -> None:
            """Add what is between two blocks that both have: new ones, and those of the file."""
            nonlocal segments, reached
            between = list(range(reached, last))
            self.left_out |= {row: [own.parts[at] for at in between] for row in marks}
            marks.clear()
            if len(segments) > 1:
                segments = [
                    [part for part in each if not self._is_deeper(part, between, own)] for each in segments
                ]
            new = [part for segment in segments for part in segment]
            is_inner = (
                given is not None
                or (self.is_whole and own.first < 0)
                or (bool(pieces) and last < len(own.parts))
            )
            if len(segments) == 1 and is_inner and not self._stays(between, new, own, given):
                self.dropped += [
                    row for at in between for row in range(own.parts[at].first, own.parts[at].end)
                ]
                between = []
            below: dict[int, list[Block]] = {}
            for part in [part for each in segments[1:-1] for part in each]:
                like = [at for at in between if self.same.has_its_name(part, own.parts[at])]
                below.setdefault(like[-1] if like else -1, []).append(part)
            self.is_anywhere |= len(between) > 1 and -1 in below
            self.is_anywhere |= len(segments) > 1 and any(self._is_elsewhere(part, own) for part in new)
            kept = [LevelPiece(self._block(own.parts[at]), own=at) for at in between]
            placed = {part.first for at in below if at >= 0 for part in below[at]}
            first, final = (
                segments[0],
                [part for each in segments[1:] for part in each if part.first not in placed],
            )
            is_edge = not pieces and (given is None if last < len(own.parts) else bool(kept))
            if len(segments) == 1 and is_edge:
                first, final = [], new
            pieces.extend(map(piece_of, first))
            for at, piece in zip(between, kept, strict=True):
                pieces.extend([piece, *map(piece_of, below.get(at, []))])
            pieces.extend(map(piece_of, final))
            segments, reached = [[]], max(reached, last)

        for part in every:
            if part.first in shown.marks:
                segments.append([])
                marks.append(part.first)
            elif part.first in by_row and by_row[part.first] >= reached:
                fill(by_row[part.first])
                at = by_row[part.first]
                pieces.append(LevelPiece(self._pair(part, own.parts[at]), own=at, shown=part))
                reached = at + 1
                segments += [[]] if self._ends_in_mark(part) else []
            elif part.first in by_row:
                at = by_row[part.first]
                found = next((n for n, each in enumerate(pieces) if each.own == at), None)
                if found is not None:
                    pieces[found] = LevelPiece(self._pair(part, own.parts[at]), own=at, shown=part)
            elif len(segments) == 1 or segments[-1] or not only_closes(shown.lines[part.first]):
                segments[-1].append(part)
        fill(len(own.parts))
        self.is_doubled |= _doubles(shown, pieces)
        return Level(file, own, with_commas(file, own, pieces, shown), shown)

    def _is_elsewhere(self, part: Block, own: Block) -> bool:
        """Return whether a statement that seems new is one that the function around a level has elsewhere."""
        shown, file = self.shown, self.file
        if part.parts or shown.names[part.first].kind is not BlockKind.TEXT or own.first < 0:
            return False
        around = [each for each in file.root.walk() if each.first <= own.first < each.end and each.first >= 0]
        home = next((each for each in around if is_function(file.lines, each)), own)
        words = shown.words(part)
        return is_telling(words) and any(file.words(each) == words for each in home.walk() if each is not own)

    def _is_deeper(self, part: Block, between: Sequence[int], own: Block) -> bool:
        """Return whether a block that is shown is within those that a mark is for; if so, it is put there."""
        shown, file = self.shown, self.file
        name, words = shown.names[part.first], shown.words(part)
        found = [
            level
            for at in between
            for level in own.parts[at].walk()
            for each in level.parts
            if (name.is_named and file.names[each.first] == name)
            or (file.words(each) == words and is_telling(words))
        ]
        if len(found) == 1:
            self.levels.setdefault(found[0].first, []).append(part)
        return len(found) == 1

    def _ends_in_mark(self, part: Block) -> bool:
        """Return whether the last line within a block is a mark, which may be meant for what is below it."""
        while part.parts and part.tail is None:
            part = part.parts[-1]
        return part.first in self.shown.marks

    def _stays(self, between: Sequence[int], new: Sequence[Block], own: Block, given: Block | None) -> bool:
        """Return whether what is not shown between two shown blocks of a whole level stays all the same."""
        file = self.file
        if self.is_whole and own.first < 0:
            return False
        if given is None:
            return not (new and is_function(file.lines, own))
        if self.drops or self.same.goes_on(own):
            return False
        kinds = {file.names[own.parts[at].first].kind for at in between}
        if is_function(file.lines, own):
            has_marks = any(given.first < row < given.end for row in self.shown.marks)
            there = set(map(file.words, own.parts))
            changes = any(self.shown.words(part) not in there for part in self.shown.parts(given))
            return not new and (has_marks or not changes or kinds <= {BlockKind.REMARK})
        if new and file.is_document:
            return False
        head = file.lines[own.head_end - 1].strip()
        items = [file.words(own.parts[at]) for at in between]
        is_open = any(head.count(one) > head.count(other) for one, other in BRACKETS[:2])
        is_list = is_open or head.endswith("=") or all(each.startswith(("- ", "* ")) for each in items)
        is_new_named = all(self.shown.names[part.first].is_named for part in new)
        if is_list and kinds <= {BlockKind.TEXT, BlockKind.REMARK}:
            return False
        rows = [file.words(own.parts[at]) for at in between]
        said = list(map(self.shown.words, new))
        if new and len(rows) == len(said) and all(map(_are_alike, rows, said)):
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
    new = [piece for piece in pieces if piece.own is None and piece.shown is not None]
    new = [piece for piece in new if not shown.names[piece.shown.first].is_named]  # type: ignore[union-attr]
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
