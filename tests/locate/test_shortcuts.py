"""What is worked out in a quicker way is what the plain way gives, for any text."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from patchpoint.edit import Edit
from patchpoint.locate.alignment import FULL_AREA, FULL_WORK, LONG_LINE, is_small, similar_pairs
from patchpoint.locate.brackets import balance
from patchpoint.locate.evidence.names import has_name
from patchpoint.locate.rungs.line_blocks import (
    blocks,
    find_of_block,
    one_depth_each,
    same_blank_lines,
    same_depths,
    same_text,
    with_blank_lines,
)
from patchpoint.locate.source import SourceText, indentation
from patchpoint.locate.verdict import ConsecutivePairs, Find, Quote, SearchLimit, line_pair
from patchpoint.outcome import Rung
from patchpoint.patching.feedback import feedback
from patchpoint.patching.merging.merge import merge
from patchpoint.patching.merging.reindent import depths_of
from patchpoint.patching.resolve import resolve_edit
from patchpoint.text.lookalikes import folded, folded_lines

LINES = [
    "a",
    "",
    "  b(c)",
    "\tname = 'x(\"'",
    "é\u0301",
    "\u0301e",
    "\u00a0“q”\u200b",
    "\u200b",
    "x\u2028y ",
    "…",
]
lines = st.lists(
    st.one_of(st.sampled_from(LINES), st.text(st.characters(exclude_characters="\n\r"), max_size=8))
)
texts = st.builds(str.__add__, lines.map("\n".join), st.sampled_from(["", "\n"]))


@given(lines)
def test_lines_folded_at_once_are_the_lines_folded_one_by_one(lines: list[str]) -> None:
    assert folded_lines(lines) == list(map(folded, lines))


@given(texts)
def test_the_forms_of_a_text_agree(text: str) -> None:
    source = SourceText(text)
    assert source.folded == [folded(line.strip()).strip() for line in source.lines]
    assert source.folded_solid == [source.folded[line] for line in source.solid]
    assert source.folded_text == "\n" + "\n".join(source.folded_solid) + "\n"
    assert list(source.places) == list(dict.fromkeys(source.folded_solid))
    for line, positions in source.places.items():
        assert positions == [at for at, other in enumerate(source.folded_solid) if other == line]


@given(texts, st.integers(0, 200))
def test_whole_lines_are_counted_from_the_beginning(text: str, repeated: int) -> None:
    source = SourceText("\n".join(["ab"] * repeated) + text)
    count = len(source.lines)
    starts = [sum(len(line) + 1 for line in source.lines[:number]) for number in range(count)]
    starts.append(len(source.plain))
    assert source.starts == starts
    assert [source.whole_lines(0, number)[1] for number in range(count + 1)] == starts
    assert [source.whole_lines(number, count)[0] for number in range(count + 1)] == starts


@given(st.text(st.sampled_from("ab_1é.( \n"), max_size=40), st.from_regex(r"[^\W\d]\w{0,3}", fullmatch=True))
def test_a_name_is_a_whole_word(text: str, name: str) -> None:
    for each in (name, "a", "ab", "a_1", "é"):
        assert has_name(SourceText(text), each) == bool(re.search(rf"\b{re.escape(each)}\b", text))


@given(st.lists(st.text(st.sampled_from("()[]{}\"'\\ab"), max_size=12)))
def test_the_balance_of_lines_is_the_sum_of_each_line(lines: list[str]) -> None:
    each = [balance([line]) for line in lines]
    assert balance(lines) == tuple(map(sum, zip(*each, strict=True))) if lines else (0, 0, 0)


@given(st.lists(st.integers(0, 3000), max_size=12), st.lists(st.integers(0, 9000), max_size=60))
def test_little_work_is_known_without_counting_all_of_it(quoted: list[int], found: list[int]) -> None:
    words = sum(1 + min(length, LONG_LINE) // 64 for length in quoted)
    work = words * sum(min(length, LONG_LINE) for length in found)
    small = len(quoted) * len(found) <= FULL_AREA and work <= FULL_WORK
    assert is_small(["x" * length for length in quoted], ["y" * length for length in found]) == small


@given(st.lists(st.sampled_from(["one", "two", "once", "}"])), st.integers(0, 5), st.integers(0, 5))
def test_pairs_are_counted_from_where_both_sides_begin(
    found: list[str], quoted_at: int, found_at: int
) -> None:
    plain = similar_pairs(["one", "}"], found)
    moved = similar_pairs(["one", "}"], found, at=(quoted_at, found_at))
    assert moved == [(pair.quoted + quoted_at, pair.found + found_at, pair.similarity) for pair in plain]
    assert Counter(pair.similarity for pair in plain)[1.0] == found.count("one") + found.count("}")


@given(texts, texts, texts)
def test_edits_that_share_a_text_have_the_outcomes_of_each_alone(text: str, search: str, other: str) -> None:
    edits = [Edit(path="a", search=one, replace="new\n") for one in (search, other)]
    shared = SourceText(text)
    for edit in edits:
        alone = resolve_edit(text, edit)
        assert resolve_edit(shared, edit) == alone
        assert feedback(shared, edit, alone) == feedback(text, edit, alone)


indented = st.lists(
    st.builds(
        lambda blanks, word, end: blanks + word + end,
        st.sampled_from(["", " ", "  ", "\t"]),
        st.sampled_from(["a", "b", "", "a"]),
        st.sampled_from(["", " "]),
    ),
    min_size=1,
    max_size=8,
)


@given(indented, indented)
def test_a_block_is_classified_as_by_looking_at_each_of_its_lines(quoted: list[str], file: list[str]) -> None:
    quote, source = Quote("\n".join(quoted), ""), SourceText("\n".join(file))
    assert quote.folded == [folded(line.strip()).strip() for line in quote.search_lines if line.strip()]
    for block in blocks(source.solid_text, source.solid, quote.solid_lines, SearchLimit()):
        pairs = list(zip(quote.solid, block.found, strict=True))
        both = [(quote.search_lines[one], source.lines[other]) for one, other in pairs]
        assert same_text(source, quote, block) == all(one.rstrip() == other.rstrip() for one, other in both)
        depths = [(indentation(one), indentation(other)) for one, other in both]
        assert same_depths(source, quote, block) == all(one == other for one, other in depths)
        assert same_blank_lines(source, quote, block) == (len({other - one for one, other in pairs}) == 1)
        first = dict(reversed(depths))
        agree = all(first[one] == other for one, other in depths)
        order = sorted(dict.fromkeys(one for one, _ in depths), key=len)
        rising = all(len(first[a]) < len(first[b]) for a, b in pairwise(order))
        assert one_depth_each(source, quote, block) == (agree and rising)


@example(["", "\ta", "\ta", "  a", "\ta"], ["\ta", "\ta", "a", "\ta"], 0)
@given(indented, indented, st.integers(0, 9))
def test_pairs_that_are_not_kept_are_those_of_each_line(quoted: list[str], file: list[str], at: int) -> None:
    quote = Quote("\n".join(quoted), "\n".join(["  new", *quoted[1:]]))
    source = SourceText("\n".join(file))
    for block in blocks(source.solid_text, source.solid, quote.solid_lines, SearchLimit()):
        runs = [line_pair(one, other) for one, other in zip(quote.solid, block.found, strict=True)]
        plain = with_blank_lines(source, quote, runs)
        find = find_of_block(source, quote, block, Rung.WHITESPACE)
        assert tuple(find.pairs) == plain
        assert [find.pairs[number] for number in range(len(find.pairs))] == list(plain)
        assert tuple(find.pairs[at : at + 3]) == plain[at : at + 3]
        assert find.lines == (plain[0].found[0], plain[-1].found[1])
        each = Find.of_lines(source, quote, Rung.WHITESPACE, plain)
        depths, plain_depths = depths_of(source, find), depths_of(source, each)
        for blanks in ("", " ", "  ", "\t", "\t ", "    "):
            assert depths.of_new_line(blanks, at) == plain_depths.of_new_line(blanks, at)
        assert merge(source, find) == merge(source, each)
        if isinstance(find.pairs, ConsecutivePairs):
            assert dict(find.pairs.partners()) == {pair.quoted[0]: pair.found for pair in plain}
