"""Lines named by number and tag: a tag that is not the line's changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from patchpoint import apply_edits
from patchpoint.edit import Edit, Operation, Side, Target, TargetKind
from patchpoint.outcome import Outcome, Status
from patchpoint.patching.named.tagged_lines import LineReference, has_tag, line_reference, tag_of, xx_hash_32
from tests.sampling import tries

LINES = ["one", "two", "}", "three", "}", "four"]
TEXT = "".join(f"{line}\n" for line in LINES)


def named(number: int, lines: list[str] = LINES, sign: str = "#") -> str:
    """A line by its number and its tag."""
    return f"{number}{tag_of(lines[number - 1], LineReference(number, sign))}"


def outcome_of(text: str, name: str, last: str, new: str, side: Side) -> tuple[str, Outcome]:
    """The text after an edit of tagged lines, and what became of the edit."""
    target = Target(TargetKind.LINES, name, side, last=last)
    edit = Edit(path="a.txt", operation=Operation.PLACE, target=target, replace=new)
    report = apply_edits({"a.txt": text}, [edit])
    return report.files["a.txt"] or "", report.outcomes[0]


@pytest.mark.parametrize(
    ("data", "seed", "expected"),
    [
        (b"", 0, 0x02CC5D05),
        (b"", 0x9E3779B1, 0x36B78AE7),
        (b"a", 0, 0x550D7456),
        (b"abc", 0, 0x32D153FF),
        (b"Nobody inspects the spammish repetition", 0, 0xE2293B2F),
    ],
)
def test_the_hash_is_that_of_its_specification(data: bytes, seed: int, expected: int) -> None:
    assert xx_hash_32(data, seed) == expected


@pytest.mark.parametrize(
    ("reference", "number", "tag"),
    [("12#KT", 12, "#KT"), (" 7 # ZP|text", 7, "#ZP"), ("3:a3", 3, ":a3"), (">>> 4#MQ:x", 4, "#MQ")],
)
def test_a_reference_is_a_number_and_a_tag(reference: str, number: int, tag: str) -> None:
    assert line_reference(reference) == LineReference(number, tag)


@pytest.mark.parametrize("text", ["", "12", "#KT", "12#kt", "12#K", "a#KT", "12:A3"])
def test_anything_else_is_no_reference(text: str) -> None:
    assert line_reference(text) is None


@pytest.mark.parametrize("sign", ["#", ":"])
def test_lines_change_at_the_place_that_is_named(sign: str) -> None:
    two = named(2, sign=sign)
    assert outcome_of(TEXT, two, "", "2\n", Side.INSTEAD)[0] == TEXT.replace("two", "2")
    assert outcome_of(TEXT, two, "", "2\n", Side.AFTER)[0] == TEXT.replace("two\n", "two\n2\n")
    assert outcome_of(TEXT, two, "", "2\n", Side.BEFORE)[0] == TEXT.replace("two\n", "2\ntwo\n")
    assert outcome_of(TEXT, two, named(4, sign=sign), "", Side.DELETED)[0] == "one\n}\nfour\n"


def test_a_line_that_is_there_twice_is_known_by_the_other_end_or_chosen() -> None:
    after, outcome = outcome_of(TEXT, named(5), "", "]\n", Side.INSTEAD)
    assert (after, outcome.status) == (TEXT, Status.AMBIGUOUS)
    assert [one.line for one in outcome.candidates] == [3, 5]
    after, outcome = outcome_of(TEXT, named(4), named(5), "4\n", Side.INSTEAD)
    assert (after, outcome.status) == ("one\ntwo\n}\n4\nfour\n", Status.APPLIED)


def test_one_tag_alone_asks_for_a_confirmation_and_two_do_not() -> None:
    assert outcome_of(TEXT, named(2), "", "2\n", Side.INSTEAD)[1].needs_confirmation
    assert not outcome_of(TEXT, named(1), named(2), "2\n", Side.INSTEAD)[1].needs_confirmation


@pytest.mark.slow
@given(st.lists(st.text("ab} \t", max_size=4), min_size=1, max_size=12), st.data())
@settings(max_examples=tries(150), deadline=None)
def test_a_tag_of_another_line_never_changes_anything(lines: list[str], data: st.DataObject) -> None:
    number = data.draw(st.integers(1, len(lines)))
    other = data.draw(st.sampled_from(lines))
    reference = LineReference(number, tag_of(other, LineReference(number, "#")))
    assume(not has_tag(lines[number - 1], reference))
    text = "".join(f"{line}\n" for line in lines)
    after, outcome = outcome_of(text, f"{number}{reference.tag}", "", "new\n", Side.INSTEAD)
    assert after == text
    assert outcome.status is Status.NOT_FOUND


def test_a_line_beyond_the_end_and_an_end_above_the_beginning_are_refused() -> None:
    assert outcome_of(TEXT, "90#KT", "", "x\n", Side.INSTEAD)[1].status is Status.NOT_FOUND
    assert outcome_of(TEXT, named(4), named(2), "x\n", Side.INSTEAD)[1].status is Status.REJECTED
    assert outcome_of(TEXT, "top", "", "x\n", Side.INSTEAD)[1].status is Status.REJECTED
