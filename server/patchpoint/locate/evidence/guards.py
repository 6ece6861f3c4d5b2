"""Guards: reasons to reject a place that only resembles the search text.

A score cannot tell a drifted quotation from another place that looks like it; these guards can, for the most
part. The worth of each was measured on edits that real models wrote: the line to be changed, the declared
name, the loose edge and the one-line lookalike each kept edits from wrong places at the cost of few right
ones. Shares of drift in comments, counts of differing identifiers and "the file's line is a line of the
replacement" were measured, too, and made no difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from itertools import pairwise

from patchpoint.locate.alignment import Alignment, line_similarity
from patchpoint.locate.evidence.differences import without_remark
from patchpoint.locate.evidence.elsewhere import (
    guards_of_elsewhere,
    is_in_another_block,
    is_next_to_movable_gap,
    only_place,
)
from patchpoint.locate.evidence.names import declared_name, is_remark
from patchpoint.locate.evidence.search_diff import SearchHunk, changes_of
from patchpoint.locate.evidence.siblings import TELLING_CHANGE, guards_of_another_member, near_changes
from patchpoint.locate.evidence.threshold import is_import
from patchpoint.locate.source import CLOSERS, SourceText, depth
from patchpoint.locate.verdict import Find, Quote
from patchpoint.outcome import Guard
from patchpoint.text.lines import TELLING_LINE
from patchpoint.text.regex import WORD, regex

_REMARK = regex(r"#(?!\s*(?:define|include|if|endif))|//|/?\*|--|<!--")
LONELY_LINE = 0.70
"""Least similarity of a one-line search with other names; it needs half its words and no rival, too."""

SURE_REMARK = 0.9
"""A comment that is deleted is at least this similar to the quoted one, or has all its words."""
SURE_COVERAGE = 0.9
SURE_LINES = 5
"""Coverage and exact lines that allow an insertion next to a search line that is not in the file."""

_FRAME = 20
"""So many exact lines, and hardly another, are the place of a line among them that is quoted otherwise."""

SURE_DELETION = 0.8
_MOST = 0.7
"""A line of a block that goes is at least so similar to the quoted one, if so many others are as quoted."""

FEW_LINES = 4
LITTLE = 40
"""A search text of so few lines, with so few characters in at most one line that the file has once and as
quoted, shows no place where other code differs, or lines are left out."""

_GOING_ON = regex(r"[)\]}]|</|(?:else|elif|elsif|except|finally|catch|rescue|ensure|when|end|fi|done)\b")


def rejecting_guards(source: SourceText, find: Find, regions: Sequence[Alignment]) -> Iterator[Guard]:
    """Yield the guards that reject `find`, the best of the similar `regions`, each when it is asked for."""
    quote = find.quote
    partners = find.partners
    if len(quote.solid) == 1 and _is_lookalike(source, find, regions):
        yield Guard.LOOKALIKE
    if other_name(source, find) is not None:
        yield Guard.OTHER_NAME
    solid_lines = set(quote.solid)
    exact = sum(
        quote.stripped[line] == source.stripped[number]
        for line, (number, _) in partners.items()
        if line in solid_lines
    )
    sure = find.similarity >= SURE_COVERAGE and exact >= SURE_LINES
    hunks = changes_of(find)
    yield from guards_of_elsewhere(source, find, hunks)
    yield from guards_of_another_member(source, find, regions, hunks)
    if is_next_to_movable_gap(source, find, hunks):
        yield Guard.MOVABLE_GAP
    if is_in_another_block(source, find, hunks):
        yield Guard.ANOTHER_BLOCK
    yield from _guards_of_moves(find, hunks)
    if _is_commented_out(find, hunks):
        yield Guard.PART
    for hunk in hunks:
        solid, brings = hunk.solid, hunk.brought
        if (
            solid
            and brings
            and not any(line in partners or is_remark(quote.stripped[line]) for line in solid)
        ):
            yield Guard.NO_PARTNER
        if solid and brings and _lacks_bracket(quote, solid, partners):
            yield Guard.BRACKET_MISSING
        is_framed = sure and exact >= _FRAME
        if solid and not brings and not _is_sure_deletion(source, find, solid, may_differ=is_framed):
            yield Guard.UNSURE_DELETION
        if solid and brings and _is_changed_already(source, find, hunk, solid):
            yield Guard.CHANGED_ALREADY
        if not solid and brings and _belongs_to_missing(hunk, partners):
            yield Guard.BELONGS_TO_MISSING
        is_loose = not solid and brings and not sure and _at_loose_edge(hunk, partners)
        if is_loose and not (all(map(is_import, brings)) and _next_to_import(find, hunk)):
            yield Guard.LOOSE_EDGE
    if _is_little(source, find, hunks):
        yield Guard.LITTLE_QUOTED


def _is_commented_out(find: Find, hunks: Sequence[SearchHunk]) -> bool:
    """Return whether a line of code that the edit changes, and not to a comment, is only there as one."""
    to_code = (hunk for hunk in hunks if not any(map(is_remark, map(str.strip, hunk.brought))))
    changed = {line for hunk in to_code for line in hunk.solid}
    return any(
        line in changed and is_remark(found) and not is_remark(quoted)
        for line, _, quoted, found in find.misquoted()
    )


def other_name(source: SourceText, find: Find) -> tuple[str, str] | None:
    """Return the name that a search line declares and the other one of its partner; `None` without such."""
    for line, number, _, _ in find.misquoted():
        wanted = declared_name(find.quote.search_lines[line])
        name = declared_name(source.lines[number])
        if wanted and name and wanted != name:
            return wanted, name
    return None


def _is_little(source: SourceText, find: Find, hunks: Sequence[SearchHunk]) -> bool:
    """Return whether little of the search text is there alone and as quoted, a line that says where the
    change goes among what is as quoted, and code is not, or lines at the place were left out."""
    if len(find.quote.solid) > FEW_LINES:
        return False
    stripped, partners = find.quote.stripped, find.partners
    as_quoted = [
        line
        for line in find.quote.solid
        if line in partners
        and [without_remark(stripped[line])]
        == list(map(without_remark, source.stripped[slice(*partners[line])]))
    ]
    alone = [len(stripped[line]) for line in as_quoted if only_place(source, stripped[line]) is not None]
    differs = any(not is_remark(stripped[line]) for line in set(find.quote.solid).difference(as_quoted))
    return (
        (differs or bool(find.unquoted))
        and len(alone) <= 1
        and sum(alone) <= LITTLE
        and not near_changes(hunks).isdisjoint(as_quoted)
    )


def _guards_of_moves(find: Find, hunks: Sequence[SearchHunk]) -> Iterator[Guard]:
    """Yield what speaks against a line that goes from one place of the search text to another.

    A line that is not in the file would come back, and one that passes lines which nobody quoted may be meant
    to stay on its side of them.
    """
    source, quote, partners = find.source, find.quote, find.partners
    quoted = {number for number, _ in partners.values()}
    for target in hunks:
        brought = set(map(str.strip, target.brought))
        for origin in hunks:
            for line in range(*origin.quoted) if origin is not target else ():
                if len(quote.stripped[line]) < TELLING_LINE or quote.stripped[line] not in brought:
                    continue
                if line not in partners:
                    yield Guard.MOVED_LINE_MISSING
                    continue
                at = (line, target.quoted[0] - 1, target.quoted[1])
                ends = [partners[n][0] for n in at if n in partners]
                between = range(min(ends) + 1, max(ends))
                if any(source.stripped[number] and number not in quoted for number in between):
                    yield Guard.MOVED_PAST


def _is_lookalike(source: SourceText, find: Find, regions: Sequence[Alignment]) -> bool:
    """Return whether a one-line search has other words than its line, and shares too few or has rivals."""
    quoted = find.quote.stripped[find.quote.solid[0]]
    found = source.stripped[find.lines[0]]
    words, others = Counter(WORD.findall(quoted)), Counter(WORD.findall(found))
    if words == others:
        return False
    few_shared = 2 * (words & others).total() < words.total()
    if (
        not few_shared
        and find.similarity >= LONELY_LINE
        and _is_only_declaration(source, find, quoted, found)
    ):
        return False
    return few_shared or len(regions) > 1 or find.similarity < LONELY_LINE


def _is_only_declaration(source: SourceText, find: Find, quoted: str, found: str) -> bool:
    """Return whether both lines declare a name that no other line declares, and the edit keeps that line.

    It is only where the new lines go then: the file's own declaration stays as it is.
    """
    name = declared_name(quoted)
    if name is None or declared_name(found) != name:
        return False
    if quoted not in {line.strip() for line in find.quote.replace_lines}:
        return False
    return sum(name in line and declared_name(line) == name for line in source.folded_solid) == 1


def _is_sure_deletion(source: SourceText, find: Find, lines: Sequence[int], *, may_differ: bool) -> bool:
    """Return whether the file lines that are paired with search lines to be deleted are surely those.

    At the edge of the search text they must be next to the line inside of it, unless they are nowhere else.
    They have all words that were quoted, and no others, or are comments much like those. It is enough to be
    much like them where they `may_differ`, as all around them is as quoted, and within a block that goes as a
    whole, most of which is as quoted.
    """
    is_beyond_gap = _is_at_edge(find, lines) and bool(_gaps_next_to(source, find, lines))
    if is_beyond_gap and not _occurs_once(source, find, lines):
        return False
    least = SURE_REMARK
    if _is_block_as_quoted(source, find, lines):
        may_differ, least = True, SURE_DELETION
    for pair in find.pairs:
        if pair.quoted[1] <= lines[0] or pair.quoted[0] > lines[-1]:
            continue
        said = list(filter(None, find.quote.stripped[slice(*pair.quoted)]))
        have = list(filter(None, source.stripped[slice(*pair.found)]))
        if not said or not have or said == have:
            continue
        is_remark = all(map(_REMARK.match, have)) and all(map(_REMARK.match, said))
        is_alike = (is_remark or may_differ) and line_similarity("".join(said), "".join(have)) >= least
        if not is_alike and WORD.findall(" ".join(said)) != WORD.findall(" ".join(have)):
            return False
    return True


def _is_block_as_quoted(source: SourceText, find: Find, lines: Sequence[int]) -> bool:
    """Return whether most lines of a block are as quoted, its first and its last one among them."""
    if len(lines) < FEW_LINES:
        return False
    same = {
        number
        for pair in find.pairs
        for number, row in zip(range(*pair.quoted), range(*pair.found), strict=False)
        if number in lines and find.quote.stripped[number] == source.stripped[row]
    }
    return {lines[0], lines[-1]} <= same and len(same) >= _MOST * len(lines)


def _lacks_bracket(quote: Quote, lines: Sequence[int], partners: Container[int]) -> bool:
    """Return whether one of some search lines is only brackets that close others, and not in the file."""
    return any(line not in partners and CLOSERS.fullmatch(quote.stripped[line]) for line in lines)


def _is_changed_already(source: SourceText, find: Find, hunk: SearchHunk, lines: Sequence[int]) -> bool:
    """Return whether a line at the edge of the search text has become a new one, and one beyond is paired."""
    if not _is_at_edge(find, lines):
        return False
    telling = {line.rstrip() for line in hunk.brought if len(line.strip()) >= TELLING_LINE}
    return any(source.lines[number].rstrip() in telling for number in _gaps_next_to(source, find, lines))


def _is_at_edge(find: Find, lines: Sequence[int]) -> bool:
    return lines[0] == find.quote.solid[0] or lines[-1] == find.quote.solid[-1]


def _occurs_once(source: SourceText, find: Find, lines: Sequence[int]) -> bool:
    """Return whether search lines tell of the place alone: each is once in the file, and they are long."""
    texts = [find.quote.stripped[line] for line in lines]
    return sum(map(len, texts)) >= TELLING_CHANGE and all(
        only_place(source, text) is not None for text in texts
    )


def _gaps_next_to(source: SourceText, find: Find, lines: Sequence[int]) -> list[int]:
    """Return the file lines that nobody quoted among those of some search lines, or next to them."""
    pairs = [pair for pair in find.pairs if find.quote.stripped[pair.quoted[0]]]
    return [
        number
        for pair, following in pairwise(pairs)
        if lines[0] <= pair.quoted[1] - 1 <= lines[-1] or lines[0] <= following.quoted[0] <= lines[-1]
        for number in range(pair.found[1], following.found[0])
        if source.stripped[number]
    ]


def _at_loose_edge(hunk: SearchHunk, partners: Container[int]) -> bool:
    """Return whether an insertion at the edge of the search text is next to an unpaired search line."""
    before, after = hunk.around
    if before and before[-1] not in partners and not any(line in partners for line in after):
        return True
    if after and after[0] not in partners and not any(line in partners for line in before):
        return True
    inner_before = before and before[-1] not in partners
    inner_after = after and after[0] not in partners
    return bool(inner_before and (inner_after or not after)) or bool(inner_after and not before)


def _belongs_to_missing(hunk: SearchHunk, partners: Container[int]) -> bool:
    """Return whether new lines were to follow a line that is not in the file, inside of what that is in.

    They are deeper than the line after them: put before that, they would be part of something else.
    """
    quote, (before, after) = hunk.quote, hunk.around
    if not before or not after or before[-1] in partners or after[0] not in partners:
        return False
    if _GOING_ON.match(quote.stripped[after[0]]):
        return False
    return depth(hunk.brought[0]) > depth(quote.search_lines[after[0]])


def _next_to_import(find: Find, hunk: SearchHunk) -> bool:
    """Return whether the quoted line nearest to an insertion, of those in the file, is an exact import."""
    quote, partners = find.quote, find.partners
    before, after = ([line for line in lines if line in partners] for lines in hunk.around)
    nearest = before[-1:] or after[:1]
    return any(
        is_import(quote.search_lines[line])
        and quote.stripped[line] == find.source.stripped[partners[line][0]]
        for line in nearest
    )
