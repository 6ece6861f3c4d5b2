"""One merge of shown code into the definitions of a file, level by level.

A level (a class, or the file) is cut at the definitions that both texts have. Each pair is merged on its own:
what is shown replaces the file's, or, where it has marks or members, is a level itself. The lines and new
definitions between two pairs are aligned with those of the file. What is left out stays as it is.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from patchpoint.dataclass import dataclass, replace
from patchpoint.structure.lazy.alignment import (
    Alignment,
    Kind,
    Path,
    Step,
    Token,
    TooLargeError,
    align,
    is_closing,
    with_blocks_below,
)
from patchpoint.structure.lazy.bindings import is_namespace
from patchpoint.structure.lazy.definition import Assumption, Definition, TwoTexts, Unmerged, UnmergedError
from patchpoint.structure.lazy.doubt.covered import are_alike, with_more_covered
from patchpoint.structure.lazy.doubt.gone import Gone
from patchpoint.structure.lazy.doubt.omission import is_cut_off, may_omit
from patchpoint.structure.lazy.doubt.piece import Piece
from patchpoint.structure.lazy.doubt.sound import Soundness
from patchpoint.structure.lazy.layout import (
    Placed,
    Shift,
    behind_docstring,
    fuller_head,
    has_other_comment,
    kept_run,
    laid_out,
    lead_lines,
    separated_end,
    shift_between,
    shift_of_lines,
    visible_head,
)
from patchpoint.structure.lazy.pairing import (
    Pair,
    fragment_home,
    has_copy,
    has_marks_between,
    level_of,
    pairs_of,
    require_no_member,
    shows_only_new,
    tokens_of_file,
    tokens_of_shown,
    with_common,
)
from patchpoint.text.line_diff import line_opcodes
from patchpoint.text.lines import Span


@dataclass(frozen=True)
class _Between:
    """What is between two pairs of a level."""

    level: Definition
    file: Sequence[Token]
    shown: Sequence[Token]
    shift: Shift
    edges: tuple[bool, bool]


def _new_blocks(path: Path, shown: Sequence[Token]) -> list[Token]:
    """Return the definitions that a reading adds."""
    new = (shown[j] for step, _, j in path if step is Step.INSERTED)
    return [token for token in new if token.kind is Kind.BLOCK]


class LevelMerge:
    """One merge: what it makes of the file, and of which definitions."""

    def __init__(self, texts: TwoTexts, at: Definition | None, assumed: Container[Assumption] = ()) -> None:
        """Take both texts; something new goes below `at`, if that is known."""
        self.replaced: list[Definition] = []
        self.pairs: list[Pair] = []
        self.whole: list[Definition] = []
        self.gone = Gone()
        """Lines of the file that are in no function."""
        self.is_unclear = False
        """Whether something gives way next to marks, at one of several places, which the marks may cover."""
        self._texts, self._file, self._shown = texts, texts.file, texts.shown
        self._rivals: list[tuple[_Between, Span, Path]] = []
        """Other readings of what is between two pairs, and which of the placed lines are between them."""
        own, given = texts.file.root, texts.shown.root
        blocks = [each for each in given.walk() if not each.is_text]
        self._new = {(each.lead, each.end): each for each in reversed(blocks)}
        self.added: list[Definition] = []
        self._out: list[Placed] = []
        self._at, self._assumed = at, assumed
        level = level_of(texts, at) if given.children else None
        if level is None and shows_only_new(texts.shown):
            around = own.parent_of(at) if at is not None else None
            if around is None:
                raise UnmergedError(Unmerged.NOT_THERE, given.children[0].name, own.members())
            level = around
        self._level = level or fragment_home(texts, least=1 if Assumption.LINES in assumed else 2)

    def lines(self) -> list[str]:
        """Return the merged lines."""
        self._merge_level(self._level, self._shown.root, None, is_whole=True)
        return self._laid_out(self._out)

    def others(self, sound: Soundness) -> Iterator[list[str]]:
        """Yield the lines of other readings as likely, but for those whose own part shows them unsound."""
        for between, (first, end), path in self._rivals:
            try:
                placed = self._placed(between, self._certain(between, path))
            except UnmergedError:
                continue
            texts = [each.text for each in placed]
            if texts == [each.text for each in self._out[first:end]]:
                continue
            above, below = self._out[max(0, first - 1) : first], self._out[end : end + 1]
            if sound.may_have([each.text for each in (*above, *placed, *below)]):
                yield self._laid_out([*self._out[:first], *placed, *self._out[end:]])

    def _laid_out(self, placed: Sequence[Placed]) -> list[str]:
        return laid_out(self._texts, placed, (self._level.start, self._level.end))

    def _merge_level(
        self,
        own: Definition,
        given: Definition,
        shift: Shift | None,
        *,
        is_whole: bool = False,
    ) -> None:
        """Merge the lines and members of one level, the head of a definition and its last line included."""
        pairs = pairs_of(self._texts, own, given, self._at)
        if shift is None:
            shift = self._shift_of_text(own, given, pairs)
        own_at, given_at = own.start, given.start
        if not is_whole:
            own_at, given_at = self._merge_head(own, given, shift)
        first, last, is_behind = is_whole, False, False
        blocks, given_blocks = ({child.lead: child for child in each.children} for each in (own, given))
        for one, other in [*pairs, (None, None)]:
            last = one is None
            own_end = own.end if one is None else one.lead
            given_end = given.end if other is None else other.lead
            if (first or (last and is_whole)) and not self._shown.solid(given_at, given_end):
                self._out += kept_run(self._file, (own_at, own_end))
            else:
                file = tokens_of_file(self._file, blocks, (own_at, own_end))
                known = {token.text.strip() for token in file if token.kind is Kind.LINE}
                shown = tokens_of_shown(self._shown, given_blocks, (given_at, given_end), shift, known)
                between = _Between(own, file, shown, shift, (is_behind, not last))
                self._merge_piece(between, opens=first, closes=last and is_whole)
            if one is None or other is None:
                break
            self._merge_pair(one, other)
            own_at, given_at, first, is_behind = one.end, other.end, False, True

    def _merge_head(self, own: Definition, given: Definition, shift: Shift) -> tuple[int, int]:
        """Place the head of a definition and a docstring that is not shown; return where both texts go on."""
        start = len(self._out)
        ends = fuller_head(self._texts, own, given)
        if ends is None:
            self._out.append(self._line(own.start, given.start, shift))
        at, given_at = ends or (own.start + 1, given.start + 1)
        end = behind_docstring(self._texts, own, given, (at, given_at))
        rows = self._file.solid(own.start if ends else at, end)
        self._out += [Placed(row, None, self._file.lines[row]) for row in rows]
        if rows:
            self._out[start] = self._out[start]._replace(given=given.start)
            self._out[-1] = self._out[-1]._replace(given=given_at - 1)
        return end, given_at

    def _merge_pair(self, own: Definition, given: Definition) -> None:
        texts, shown, syntax = self._texts, self._shown, self._file.syntax
        shown.lines[given.start] = visible_head(texts, own, given)
        shown.lines[given.end - 1] = separated_end(texts, own, given)
        shift = shift_between(texts, own, given)
        self.replaced.append(own)
        self.pairs.append((own, given))
        if has_other_comment(texts, own, given):
            raise UnmergedError(Unmerged.UNCLEAR, own.name, (own,))
        self._out += lead_lines(texts, own, given, shift)
        if own.is_container:
            self._merge_level(own, given, shift)
            return
        require_no_member(texts, own, given)
        rows = shown.solid(given.start, given.end)
        is_marked = not shown.marks.isdisjoint(range(given.start, given.end))
        is_head = syntax.by_heads and own.end - own.start > 1
        is_alone = not is_marked and len(rows) == 1 and (is_head or shown.words(rows[0]).endswith(":"))
        is_cut = (syntax.family == "python" or is_marked) and is_cut_off(texts, own, rows)
        if is_alone or is_cut:
            raise UnmergedError(Unmerged.UNCLEAR, own.name, (own,))
        if is_marked:
            self._merge_level(*with_common(texts, own, given), shift)
            return
        self.whole.append(own)
        self._out += _replacing(texts, own, rows, shift, is_all=Assumption.WHOLE in self._assumed)

    def _merge_piece(self, between: _Between, *, opens: bool, closes: bool) -> None:
        """Merge what is between two pairs; before and after all that is shown, anything may be left out."""
        level, file, shown = between.level, between.file, between.shown
        if not shown:
            self._require_no_block(between)
            self._out += self._kept(file)
            return
        goes_on = any(token.kind is Kind.BLOCK for token in file)
        ends_with_block = closes and level.is_text and shown[-1].kind is Kind.BLOCK
        if ends_with_block and goes_on and has_marks_between(self._shown) and not self._is_in(file):
            # more of the file follows, and a mark may be missing for it
            raise self._without_place(file, shown)
        may_have_gaps = self._may_have_gaps(between)
        brace = int(shown[0].text.strip() == "{")
        is_marked = any(token.kind is Kind.MARK for token in shown[brace:][:1])
        if (opens or (may_have_gaps and not between.edges[0])) and not is_marked:
            shown = [*shown[:brace], Token(Kind.IMPLIED), *shown[brace:]]
        # A statement there may be another version of one that stays.
        only_new = all(token.kind is Kind.BLOCK for token in shown)
        leaves_gap = not closes and goes_on and only_new and may_have_gaps
        if (closes or leaves_gap) and shown[-1].kind is not Kind.MARK:
            shown = [*shown, Token(Kind.IMPLIED)]
        only_ends = all(token.kind is Kind.LINE and is_closing(token.text) for token in shown)
        if goes_on and only_ends and may_have_gaps:
            shown = [Token(Kind.IMPLIED), *shown]
        if len(shown) == 1 and shown[0].kind in (Kind.MARK, Kind.IMPLIED):
            self._out += self._kept(file)
            return
        try:
            aligned = align(file, shown)
        except TooLargeError:
            raise UnmergedError(Unmerged.TOO_LARGE) from None
        if aligned is None:
            self._require_no_block(between)
            raise UnmergedError(Unmerged.UNCLEAR)
        between = replace(between, file=file, shown=shown)
        covering = self._covering(between, aligned)
        path = self._certain(between, covering or aligned.best, is_new=covering is not None)
        if level.is_container:
            path = self.gone.add(path, file, may_go=Assumption.GAPS not in self._assumed)
        self.added += [self._new[token.first, token.end] for token in _new_blocks(path, shown)]
        first = len(self._out)
        self._out += self._placed(between, path)
        if path is aligned.best:
            self._rivals += [(between, (first, len(self._out)), rival) for rival in aligned.rivals]

    def _covering(self, between: _Between, aligned: Alignment) -> Path | None:
        """Return the reading in which marks cover what gives way next to them, if that is assumed.

        Raises `UnmergedError` where it is not, and something gives way that a mark may cover.
        """
        level, file, shown = between.level, between.file, between.shown
        covering = with_more_covered(aligned.best, file, shown)
        if covering is not None and not are_alike((aligned.best, *aligned.rivals), file, shown):
            self.is_unclear = True
            return None
        if covering is not None and Assumption.STAYS not in self._assumed:
            raise UnmergedError(Unmerged.UNCLEAR, level.name, () if level.is_text else (level,))
        return covering

    def _certain(self, between: _Between, path: Path, *, is_new: bool = False) -> Path:
        """Return a reading, with what is new below the definition that was chosen.

        Raises `UnmergedError` where it is doubtful.
        """
        level, file, shown = between.level, between.file, between.shown
        deleted = sum(step is Step.DELETED for step, _, _ in path)
        if deleted > sum(token.kind in (Kind.LINE, Kind.BLOCK) for token in shown):
            raise UnmergedError(Unmerged.DELETES, "", self.replaced)
        piece = Piece(self._file, level, self._level, file, shown, path, between.edges, is_new)
        piece.require_certain()
        if self._at is not None and self._is_in(file) and _new_blocks(path, shown):
            path = with_blocks_below(path, file, shown, self._at.start)
        elif not piece.tells_place():
            error = self._without_place(file, shown)
            if Assumption.LAST not in self._assumed or not error.places:
                raise error
            path = with_blocks_below(path, file, shown, error.places[-1].start)
        if piece.lacks_members():
            raise UnmergedError(Unmerged.DELETES, level.name, (level,))
        return path

    def _placed(self, between: _Between, path: Path) -> list[Placed]:
        """Return the lines of a reading. Raises `UnmergedError` where something new may not be new."""
        file, shown, shift = between.file, between.shown, between.shift
        placed: list[Placed] = []
        for step, i, j in path:
            if step is Step.KEPT:
                placed += self._kept([file[i]])
            elif step in (Step.SAME, Step.CHANGED):
                placed.append(self._line(file[i].first, shown[j].first, shift))
            elif step is Step.INSERTED and shown[j].kind is Kind.BLOCK:
                placed += self._inserted(shown[j], shift)
            elif step is Step.INSERTED:
                row = shown[j].first
                placed.append(Placed(None, row, shift.apply(self._shown.lines[row], row)))
        return placed

    def _is_in(self, file: Sequence[Token]) -> bool:
        """Return whether the definition that was chosen is among the tokens of a piece."""
        at = self._at
        return at is not None and any(each.kind is Kind.BLOCK and each.first == at.start for each in file)

    def _without_place(self, file: Sequence[Token], shown: Sequence[Token]) -> UnmergedError:
        """Return the error for something new that may go below any of the definitions in a piece."""
        starts = {token.first for token in file if token.kind is Kind.BLOCK}
        places = [each for each in self._file.root.walk() if each.start in starts and not each.is_text]
        new = next(token for token in shown if token.kind is Kind.BLOCK)
        blocks = (each for each in self._shown.root.walk() if not each.is_text)
        name = next(each.name for each in blocks if each.lead == new.first)
        return UnmergedError(Unmerged.PLACE, name, places)

    def _line(self, own: int, given: int, shift: Shift) -> Placed:
        text = shift.apply(self._shown.lines[given], given)
        known = self._file.lines[own]
        return Placed(own, given, known if text.rstrip() == known.rstrip() else text)

    def _kept(self, file: Sequence[Token]) -> list[Placed]:
        rows = (row for token in file for row in self._file.solid(token.first, token.end))
        return [Placed(row, None, self._file.lines[row]) for row in rows]

    def _inserted(self, token: Token, shift: Shift) -> list[Placed]:
        new, shown = self._new[token.first, token.end], self._shown
        if has_copy(self._texts, self._file.root.walk(), new):
            raise UnmergedError(Unmerged.DOUBLED, new.name)
        if not shown.marks.isdisjoint(range(token.first, token.end)):
            raise UnmergedError(Unmerged.LEFT_OUT_OF_NEW, new.name)
        rows = shown.solid(token.first, token.end)
        return [Placed(None, row, shift.apply(shown.lines[row], row)) for row in rows]

    def _may_have_gaps(self, between: _Between) -> bool:
        """Return whether what a piece has of the file may be left out without a mark.

        So it may at an end of a namespace, as at an end of the file.
        """
        is_end = not (between.level.is_text or all(between.edges))
        return Assumption.GAPS in self._assumed or (is_end and is_namespace(self._file, between.level))

    def _require_no_block(self, between: _Between) -> None:
        lost = next((token for token in between.file if token.kind is Kind.BLOCK), None)
        if lost is not None and not self._may_have_gaps(between):
            blocks = self._file.root.walk()
            place = next(each for each in blocks if (each.start, each.end) == (lost.first, lost.end))
            raise UnmergedError(Unmerged.LOST, place.name, (place,))

    def _shift_of_text(self, own: Definition, given: Definition, pairs: Sequence[Pair]) -> Shift:
        if pairs:
            return shift_between(self._texts, *pairs[0])
        if self._at is not None and given.children:
            return shift_between(self._texts, self._at, given.children[0])
        return shift_of_lines(self._texts, own, given)


def _replacing(
    texts: TwoTexts, own: Definition, rows: Sequence[int], shift: Shift, *, is_all: bool
) -> list[Placed]:
    """Return the shown lines `rows`, which take the place of a definition of the file as a whole.

    Raises `UnmergedError` where lines may have been left out of them without a mark, unless `is_all`.
    """
    file, shown = texts.file, texts.shown
    mine = file.solid(own.start, own.end)
    new = [shift.apply(shown.lines[row], row) for row in rows]
    steps: list[tuple[str | None, str | None]] = []
    same: dict[int, int] = {}
    for is_equal, i1, i2, j1, j2 in line_opcodes(list(map(file.words, mine)), list(map(shown.words, rows))):
        old = [file.lines[row] for row in mine[i1:i2]]
        if is_equal:
            steps += zip(old, new[j1:j2], strict=True)
            same.update(zip(range(j1, j2), mine[i1:i2], strict=True))
        else:
            steps += [(line, None) for line in old]
            steps += [(None, line) for line in new[j1:j2]]
    if not is_all and may_omit(steps, texts.file.syntax):
        raise UnmergedError(Unmerged.DELETES, own.name, (own,))
    is_dense = rows[-1] - rows[0] + 1 == len(rows) and mine[-1] - mine[0] + 1 > len(mine)
    placed = [
        Placed(same.get(n) if is_dense else None, row, line)
        for n, (row, line) in enumerate(zip(rows, new, strict=True))
    ]
    placed[0] = Placed(own.start, rows[0], new[0])
    if len(placed) > 1:
        placed[-1] = Placed(own.end - 1, rows[-1], new[-1])
    return placed
