"""Guards: reasons to reject a place that only resembles the search text.

A score cannot tell a drifted quotation from another place that looks like it; these guards can, for the most
part. Each asks one thing of the evidence: whether enough of it is the place's own, whether what differs is
what differs from one of its kind to the next, whether the lines that decide are there, and nowhere else. The
bounds were measured with edits that real models wrote, and with drifted ones.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from patchpoint.locate.alignment import Alignment, line_similarity
from patchpoint.locate.evidence.comparison import Comparison, is_import, only_place
from patchpoint.locate.evidence.members import is_another_member
from patchpoint.locate.evidence.names import declared_name, is_remark, without_remark
from patchpoint.locate.evidence.search_diff import SearchHunk
from patchpoint.locate.source import CLOSERS, depth
from patchpoint.locate.verdict import Find
from patchpoint.outcome import Guard
from patchpoint.text.lines import TELLING_LINE
from patchpoint.text.regex import WORD, regex

FAMILY = 0.45
"""Least coverage of a region that may be another one of its kind."""

LONELY_LINE = 0.70
"""Least similarity of a one-line search with other words; it needs half its words and no rival, too."""

FEW_LINES = 4
LITTLE = 40
HARDLY_ANY = 30
"""A search text of so few lines, with so few characters in at most one line that the file has once and as
quoted, shows no place where other code differs, or lines are left out."""

SURE_REMARK = 0.9
"""A comment that is deleted is at least this similar to the quoted one, or has all its words."""
SURE_DELETION = 0.8
_MOST = 0.7
"""A line of a block that goes is at least so similar to the quoted one, if so many others are as quoted."""
SURE_COVERAGE = 0.9
_FRAME = 20
"""So many exact lines, and hardly another, are the place of a line among them that is quoted otherwise."""
TELLING_CHANGE = 40
"""So many characters of lines that are nowhere else in the file show the place alone."""

_REMARK = regex(r"#(?!\s*(?:define|include|if|endif))|//|/?\*|--|<!--")


def rejecting_guards(find: Find, regions: Sequence[Alignment]) -> Iterator[Guard]:
    """Yield the guards that reject `find`, the best of the similar `regions`, each when it is asked for."""
    seen = Comparison(find)
    family = any(region.coverage >= FAMILY for region in regions[1:])
    if other_name(find) is not None:
        yield Guard.OTHER_NAME
    if _is_elsewhere(seen):
        yield Guard.ELSEWHERE
    if _has_nothing_of_its_own(seen, family=family):
        yield Guard.NOTHING_OF_ITS_OWN
    if is_another_member(seen):
        is_clear = seen.own or len(find.quote.solid) == 1
        yield Guard.ANOTHER_MEMBER if is_clear else Guard.NOTHING_OF_ITS_OWN
    if _is_commented_out(seen):
        yield Guard.PART
    if any(_is_loose(seen, hunk) for hunk in seen.hunks):
        yield Guard.LOOSE_EDGE
    if any(_is_missing(seen, hunk) for hunk in seen.hunks):
        yield Guard.MISSING
    for hunk in seen.hunks:
        if hunk.solid and not hunk.brought and not _is_sure_deletion(seen, hunk.solid):
            yield Guard.UNSURE_DELETION
        if hunk.solid and hunk.brought and _is_changed_already(seen, hunk):
            yield Guard.PARTLY_APPLIED
    if _is_lookalike(find, regions) if len(find.quote.solid) == 1 else _is_little(seen, family=family):
        yield Guard.LITTLE_QUOTED


def other_name(find: Find) -> tuple[str, str] | None:
    """Return the name that a search line declares and the other one of its partner; `None` without such."""
    for line, number, _, _ in find.misquoted():
        wanted = declared_name(find.quote.search_lines[line])
        name = declared_name(find.source.lines[number])
        if wanted and name and wanted != name:
            return wanted, name
    return None


def _is_elsewhere(seen: Comparison) -> bool:
    """Return whether a line that says where the change goes may be another one of the file.

    So it is where the file has it once, and elsewhere, and where it has it and the place has not. Where its
    neighbours at the place are others than were quoted, it may be an equal line that nobody quoted there, or
    one that has those neighbours; next to new lines, it may be the former whatever its neighbours are.
    """
    source, quote, solid = seen.source, seen.quote, seen.quote.solid
    left_out = {source.lines[row].rstrip() for row in seen.find.unquoted}
    for line in seen.near:
        at, place = bisect_left(solid, line), only_place(source, quote.stripped[line])
        text, (start, end) = quote.folded[at], seen.find.partners.get(line, (0, 0))
        says_enough = line not in seen.changed or len(text) >= TELLING_LINE
        if place is not None and not start <= place < end:
            return True
        if start == end and says_enough and text in source.places:
            return True
        if start == end:
            continue
        has_neighbour = _has_a_neighbour(seen, line)
        is_left_out = says_enough and source.lines[start].rstrip() in left_out
        if is_left_out and not (has_neighbour and line in seen.changed):
            return True
        is_within = 0 < at < len(solid) - 1 and not has_neighbour
        if is_within and "\n".join(["", *quote.folded[at - 1 : at + 2], ""]) in source.folded_text:
            return True
    return False


def _has_a_neighbour(seen: Comparison, line: int) -> bool:
    """Return whether the line before or after a search line is there, too, right next to it."""
    source, solid = seen.source, seen.quote.solid
    at, (start, end) = bisect_left(solid, line), seen.find.partners[line]
    sides = ((at - 1, source.solid_above(start)), (at + 1, source.solid_below(end)))
    return any(
        0 <= other < len(solid) and row is not None and source.stripped[row] == seen.quote.solid_lines[other]
        for other, row in sides
    )


def _has_nothing_of_its_own(seen: Comparison, *, family: bool) -> bool:
    """Return whether a place is not all as quoted, and its lines are not its own where others are similar.

    Twins share most of their lines: those that occur once show which one was quoted.
    """
    differs = any(sorted(said) != sorted(have) for _, said, have in seen.runs)
    few = len(seen.quote.solid)
    is_mixed = family and bool(seen.missing) and differs
    is_doubtful = differs or bool(seen.missing or seen.find.unquoted)
    return few > 1 and (family or few == 2) and seen.own <= is_mixed and is_doubtful


def _is_little(seen: Comparison, *, family: bool) -> bool:
    """Return whether little of the search text is there alone and as quoted, a line that says where the
    change goes among what is as quoted, and code is not, or lines at the place were left out."""
    solid, stripped, partners = seen.quote.solid, seen.quote.stripped, seen.find.partners
    if len(solid) > FEW_LINES:
        return False
    as_quoted = [
        line
        for line in solid
        if line in partners
        and [without_remark(stripped[line])]
        == list(map(without_remark, seen.source.stripped[slice(*partners[line])]))
    ]
    alone = [len(stripped[line]) for line in as_quoted if only_place(seen.source, stripped[line]) is not None]
    differs = any(not is_remark(stripped[line]) for line in set(solid).difference(as_quoted))
    is_hardly_there = family and differs and sum(alone) < HARDLY_ANY
    return (
        (differs or bool(seen.find.unquoted))
        and len(alone) <= 1
        and sum(alone) <= LITTLE
        and (is_hardly_there or not seen.near.isdisjoint(as_quoted))
    )


def _is_lookalike(find: Find, regions: Sequence[Alignment]) -> bool:
    """Return whether a one-line search has other words than its line, and shares too few or has rivals.

    A rival is none where both lines declare a name that no other line declares, and the edit keeps that line.
    """
    quoted, found = find.quote.solid_lines[0], find.source.stripped[find.lines[0]]
    words, others = Counter(WORD.findall(quoted)), Counter(WORD.findall(found))
    if words == others:
        return False
    if 2 * (words & others).total() < words.total() or find.similarity < LONELY_LINE:
        return True
    name = declared_name(quoted)
    is_only = (
        name is not None
        and declared_name(found) == name
        and quoted in {line.strip() for line in find.quote.replace_lines}
        and sum(name in line and declared_name(line) == name for line in find.source.folded_solid) == 1
    )
    return len(regions) > 1 and not is_only


def _is_commented_out(seen: Comparison) -> bool:
    """Return whether a line of code that the edit changes, and not to a comment, is only there as one."""
    to_code = (hunk for hunk in seen.hunks if not any(map(is_remark, map(str.strip, hunk.brought))))
    changed = {line for hunk in to_code for line in hunk.solid}
    return any(
        line in changed and is_remark(found) and not is_remark(quoted)
        for line, _, quoted, found in seen.misquoted
    )


def _is_missing(seen: Comparison, hunk: SearchHunk) -> bool:
    """Return whether the lines that a change is of, or next to, are not at the place.

    So it is where none of them is, where a line at the end of the search text or one that closes a block is
    to be changed, and where new lines belong to one above that is not there.
    """
    quote, partners, solid = seen.quote, seen.find.partners, hunk.solid
    missing = [line for line in hunk.deciding if line not in partners]
    if solid and not {quote.solid[0], quote.solid[-1]}.isdisjoint(missing):
        return True
    if not missing or not hunk.brought:
        return False
    is_all = len(missing) == len(hunk.deciding)
    if solid:
        is_closer = any(CLOSERS.fullmatch(quote.stripped[line]) for line in missing)
        return is_closer or (is_all and not any(is_remark(quote.stripped[line]) for line in solid))
    above, below = hunk.next_to
    return not is_all and above == missing and depth(hunk.brought[0]) > depth(quote.search_lines[below[0]])


def _is_loose(seen: Comparison, hunk: SearchHunk) -> bool:
    """Return whether new lines are next to none that is there, and may not be anywhere as imports may."""
    if hunk.solid or not hunk.brought or not seen.find.partners.keys().isdisjoint(hunk.deciding):
        return False
    return not all(map(is_import, hunk.brought)) and seen.find.similarity < SURE_COVERAGE


def _is_sure_deletion(seen: Comparison, lines: Sequence[int]) -> bool:
    """Return whether the file lines that are paired with search lines to be deleted are surely those.

    At the edge of the search text they must be next to the line inside of it, unless they are nowhere else.
    They have all words that were quoted, and no others, or are comments much like those. It is enough to be
    much like them where nearly all around them is as quoted, and within a block that goes as a whole, most of
    which is as quoted.
    """
    find, stripped = seen.find, seen.quote.stripped
    texts = [stripped[line] for line in lines]
    is_once = sum(map(len, texts)) >= TELLING_CHANGE and all(
        only_place(seen.source, text) is not None for text in texts
    )
    if _is_at_edge(seen, lines) and not is_once and _gaps_next_to(seen, lines):
        return False
    same = [line for line in lines if seen.is_exact(line)]
    has_ends = {lines[0], lines[-1]} <= set(same)
    is_block = has_ends and len(lines) >= FEW_LINES and len(same) >= _MOST * len(lines)
    is_framed = find.similarity >= SURE_COVERAGE and sum(map(seen.is_exact, seen.quote.solid)) >= _FRAME
    for pair in find.pairs:
        if pair.quoted[1] <= lines[0] or pair.quoted[0] > lines[-1]:
            continue
        said = list(filter(None, stripped[slice(*pair.quoted)]))
        have = list(filter(None, seen.source.stripped[slice(*pair.found)]))
        if not said or not have or said == have:
            continue
        may_differ = is_block or is_framed or all(map(_REMARK.match, [*said, *have]))
        least = SURE_DELETION if is_block else SURE_REMARK
        is_alike = may_differ and line_similarity("".join(said), "".join(have)) >= least
        if not is_alike and WORD.findall(" ".join(said)) != WORD.findall(" ".join(have)):
            return False
    return True


def _is_changed_already(seen: Comparison, hunk: SearchHunk) -> bool:
    """Return whether a line at the edge of the search text has become a new one, and one beyond is paired."""
    telling = {line.rstrip() for line in hunk.brought if len(line.strip()) >= TELLING_LINE}
    return _is_at_edge(seen, hunk.solid) and any(
        seen.source.lines[number].rstrip() in telling for number in _gaps_next_to(seen, hunk.solid)
    )


def _is_at_edge(seen: Comparison, lines: Sequence[int]) -> bool:
    return lines[0] == seen.quote.solid[0] or lines[-1] == seen.quote.solid[-1]


def _gaps_next_to(seen: Comparison, lines: Sequence[int]) -> list[int]:
    """Return the file lines that nobody quoted among those of some search lines, or next to them."""
    pairs = [pair for pair, _, _ in seen.runs]
    return [
        number
        for pair, following in pairwise(pairs)
        if lines[0] <= pair.quoted[1] - 1 <= lines[-1] or lines[0] <= following.quoted[0] <= lines[-1]
        for number in range(pair.found[1], following.found[0])
        if seen.source.stripped[number]
    ]
