"""A search text may be as large as the file: the work does not grow with the product of their sizes."""

from __future__ import annotations

import pytest

from patchpoint import apply_edit
from patchpoint.locate.alignment import Match
from patchpoint.locate.evidence.pairing import paired_by_position
from patchpoint.locate.rungs.similarity import MOST_PAIRS
from patchpoint.locate.rungs.tokens import MOST_SEARCHES, find_tokens
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Quote, SearchLimit
from patchpoint.outcome import Reason, Rung, Status
from patchpoint.patching.merging import merge
from patchpoint.text import line_diff


class CountedText(str):
    """A text that counts how often it is searched."""

    __slots__ = ("searches",)

    searches: int

    def __contains__(self, part: object) -> bool:
        self.searches += 1
        return isinstance(part, str) and self.find(part) >= 0


def searched(text: str, search: str) -> tuple[int, int]:
    """Return how often the token rung searches the whole text, and how many places it finds."""
    source = SourceText(text)
    counted = CountedText(source.folded_text)
    counted.searches = 0
    source.__dict__["folded_text"] = counted
    finds = find_tokens(source, Quote.of(search, ""), SearchLimit())
    return counted.searches, len(finds)


def test_the_token_rung_searches_the_file_only_so_many_times() -> None:
    text = "".join(f"line {number} of {number * 7}\n" for number in range(5000))
    searches, finds = searched(text, text.replace("line", "lime"))
    assert 0 < searches <= 2 * MOST_SEARCHES
    assert finds == 0


def test_a_long_search_text_is_found_by_its_tokens() -> None:
    text = "".join(f"call_{number}(one, two)\n" for number in range(1000))
    searches, finds = searched(text, text.replace("(one, two)", "(one,\n    two)"))
    assert 0 < searches <= 2 * MOST_SEARCHES
    assert finds == 1
    found = apply_edit("before\n" + text, text.replace("(one, two)", "(one,\n    two)"), "after\n")
    assert (found.rung, found.text) == (Rung.TOKENS, "before\nafter\n")


def test_too_many_lines_to_compare_are_refused_with_the_reason() -> None:
    lines = int(MOST_PAIRS**0.5) + 1
    text = "".join(f"a{number}\n" for number in range(lines))
    outcome = apply_edit(text, text.replace("a", "b"), "new\n")
    assert (outcome.reason, outcome.text) == (Reason.TOO_LARGE, None)


def test_similar_lines_before_the_first_match_pair_from_the_inside_out() -> None:
    quoted, found = ["one 1", "two 2", "same"], ["one x", "two y", "same"]
    pairs = paired_by_position(quoted, found, [Match(2, 2, 1.0)])
    assert [(pair.quoted, pair.found) for pair in pairs] == [(0, 0), (1, 1), (2, 2)]


def lines_compared(count: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how many lines are compared to merge an edit of `count` lines, half of which are misquoted."""
    compared = 0
    line_opcodes = line_diff.line_opcodes

    def counted(old: list[str], new: list[str]) -> list[tuple[bool, int, int, int, int]]:
        nonlocal compared
        compared += len(old) + len(new)
        return line_opcodes(old, new)

    lines = [f"line {number} of {number * 7}\n" for number in range(count)]
    search = "".join(line if number % 2 else line.replace("ne", "me") for number, line in enumerate(lines))
    with monkeypatch.context() as patched:
        patched.setattr(merge, "line_opcodes", counted)
        outcome = apply_edit("".join(lines), search, search.replace("7", "eight"))
    assert outcome.status is Status.APPLIED
    return compared


@pytest.mark.slow
def test_merging_many_changes_compares_each_with_its_own_surroundings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few, many = (lines_compared(count, monkeypatch) for count in (150, 600))
    assert many < 8 * few
