"""The lines of one level of a text: its blocks one below another, with the blank lines between them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile

from patchpoint.dataclass import dataclass
from patchpoint.structure.blocks.pairing import Text
from patchpoint.structure.blocks.tree import Block, only_closes
from patchpoint.structure.lazy.definition import indentation_of


@dataclass(frozen=True, slots=True)
class LevelPiece:
    """The lines of a block of a level: one of the file, one that is shown, or both."""

    lines: list[str]
    own: int | None = None
    shown: Block | None = None


@dataclass(frozen=True, slots=True)
class Level:
    """The blocks that are in one."""

    file: Text
    block: Block
    pieces: Sequence[LevelPiece] = ()
    shown: Text | None = None

    def lines(self) -> list[str]:
        """Return the lines of the level, without the first and the last one of its block."""
        lines, block = self.file.lines, self.block
        end = block.end if block.tail is None else block.tail
        if not block.parts:
            own = list(lines[block.head_end : end])
            return [*own, *(line for piece in self.pieces for line in piece.lines)]
        result = list(lines[block.head_end : block.parts[0].lead])
        for at, piece in enumerate(self.pieces):
            if at:
                result += self._blanks(self.pieces[at - 1], piece)
            result += piece.lines
        return [*result, *lines[block.parts[-1].end : end]]

    def moved(self, lines: Sequence[str], sample: int, unit: str, *, is_inside: bool = False) -> list[str]:
        """Return shown lines as deep as a row of the file, or one deeper, with what the file indents by.

        They are indented by a `unit` of their own, where that is known.
        """
        own = self.file.unit or unit or "    "
        depth = indentation_of(self.file.lines[sample]) if sample >= 0 else ""
        depth += own if is_inside else ""
        shown = indentation_of(lines[0])
        result = []
        for line in lines:
            inner = line.strip() and line.removeprefix(shown)
            if not inner:
                result.append("")
                continue
            deeper = indentation_of(inner)
            if unit and own != unit and deeper and set(deeper) == set(unit):
                steps, rest = divmod(len(deeper), len(unit))
                deeper = own * steps + unit[:1] * rest
            result.append(f"{depth}{deeper}{inner.strip()}")
        return result

    def _blanks(self, above: LevelPiece, below: LevelPiece) -> list[str]:
        """Return the blank lines between two pieces."""
        parts, lines = self.block.parts, self.file.lines
        if above.own is not None and below.own is not None and below.own:
            return list(lines[parts[below.own - 1].end : parts[below.own].lead])
        if above.shown is not None and below.shown is not None and self.shown is not None:
            gap = self.shown.lines[above.shown.end : below.shown.lead]
            if not any(map(str.strip, gap)):
                return [""] * len(gap)
        is_last = above.own is not None and any(
            only_closes(lines[part.first]) for part in parts[above.own + 1 : above.own + 2]
        )
        if above.own is not None and above.own + 1 < len(parts) and not is_last:
            return list(lines[parts[above.own].end : parts[above.own + 1].lead])
        if below.own is not None and below.own:
            return list(lines[parts[below.own - 1].end : parts[below.own].lead])
        usual = self._usual(len(below.lines) > 1 or len(above.lines) > 1)
        return [""] * (self._shown_above(below) if usual is None else usual)

    def _shown_above(self, piece: LevelPiece) -> int:
        """Return how many blank lines are above a piece where it is shown."""
        lines = self.shown.lines if self.shown is not None else ()
        row = piece.shown.lead if piece.shown is not None else 0
        blank = list(takewhile(lambda line: not line.strip(), reversed(lines[:row])))
        return len(blank)

    def _usual(self, is_long: bool) -> int | None:
        """Return how many blank lines are mostly between blocks of the level, of several lines or of one."""
        parts = self.block.parts
        gaps = [
            other.lead - one.end
            for one, other in pairwise(parts)
            if ((one.end - one.first > 1) or (other.end - other.first > 1)) == is_long
            and not only_closes(self.file.lines[other.first])
        ]
        return max(set(gaps), key=gaps.count) if gaps else None


def with_commas(
    file: Text, block: Block, pieces: list[LevelPiece], shown: Text, given: Block | None = None
) -> list[LevelPiece]:
    """Return pieces with commas between them, if what is in their block has them.

    Between two lines that are shown one below the other, there is one where it is shown; so it is at the end
    of the block, where that of the block `given` is shown.
    """
    has_commas = _is_list(file, block, pieces, shown)
    result = []
    for at, piece in enumerate(pieces):
        below = pieces[at + 1] if at + 1 < len(pieces) else None
        end = _end_shown(piece, below, shown, given)
        if end is None and has_commas:
            end = (
                "," if below is not None or file.lines[block.parts[-1].end - 1].rstrip().endswith(",") else ""
            )
        bare = piece.lines[-1].rstrip().rstrip(",")
        is_remark = bare.lstrip().startswith(("//", "#", "/*", "*"))
        lines = piece.lines if is_remark or end is None else [*piece.lines[:-1], f"{bare}{end}"]
        result.append(LevelPiece(lines, piece.own, piece.shown))
    return result


def _is_list(file: Text, block: Block, pieces: Sequence[LevelPiece], shown: Text) -> bool:
    """Return whether what is in a block of a file is a list with something new in it."""
    parts = block.parts
    if not parts or all(piece.own is not None for piece in pieces):
        return False
    ends = [file.lines[part.end - 1].rstrip().endswith(",") for part in parts]
    head = file.lines[block.first].rstrip() if block.first >= 0 else ""
    said = [shown.lines[piece.shown.end - 1] for piece in pieces[:-1] if piece.shown is not None]
    has_commas = any(line.rstrip().endswith(",") for line in said)
    return all(ends[:-1]) if len(ends) > 1 else head.endswith(("{", "[", "(")) and (ends[0] or has_commas)


def _end_shown(piece: LevelPiece, below: LevelPiece | None, shown: Text, given: Block | None) -> str | None:
    """Return the comma that a piece is shown to end with, or nothing; `None` where that may be left out."""
    part = piece.shown
    if part is None:
        return None
    if below is None:
        is_said = given is not None and given.tail is not None and given.parts[-1] is part
    else:
        between = shown.lines[part.end : below.shown.lead] if below.shown is not None else []
        is_said = below.shown is not None and part.end <= below.shown.lead
        is_said = is_said and not any(map(str.strip, between))
    said, last = shown.lines[part.end - 1].strip(), piece.lines[-1].strip()
    if not is_said or said.rstrip(",") != last.rstrip(","):
        return None
    return "," if said.endswith(",") else ""
