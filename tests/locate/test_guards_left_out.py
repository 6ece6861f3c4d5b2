"""Guards: a refused edit names the one that rejected its place, and a ladder can leave some out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from patchpoint import Ladder, apply_edit
from patchpoint.outcome import Guard, Outcome, Reason, Rung

TEXT = (
    "def total(cart):\n"
    "    amount = 0\n"
    "    for item in cart.items:\n"
    "        amount += item.price * item.quantity\n"
    "    return amount\n"
)
OTHER_NAME = TEXT.replace("def total(cart):", "def total_of(cart):").replace("amount += ", "amount+=")


def outcome(search: str, replace: str, *without: Guard, text: str = TEXT, path: str = "") -> Outcome:
    return apply_edit(text, search, replace, ladder=Ladder(without=frozenset(without)), path=path)


def test_a_refused_edit_names_the_guard_that_rejected_its_place() -> None:
    refused = outcome(OTHER_NAME, OTHER_NAME.replace("    return amount", "    return round(amount)"))
    assert (refused.guard, refused.reason) == (Guard.OTHER_NAME, Reason.DOUBTED)


def test_an_edit_that_is_written_and_one_that_names_no_place_name_no_guard() -> None:
    assert outcome("    return amount\n", "    return round(amount)\n").guard is None
    assert outcome("", "x\n").guard is None


def test_a_guard_that_is_left_out_gives_way_to_the_next_or_to_a_write() -> None:
    replace = OTHER_NAME.replace("    return amount", "    return round(amount)")
    written = outcome(OTHER_NAME, replace, *Guard)
    assert written.rung is Rung.SIMILARITY
    assert written.text == TEXT.replace("    return amount", "    return round(amount)")
    left_out: list[Guard] = []
    while (refused := outcome(OTHER_NAME, replace, *left_out)).text is None:
        assert refused.guard is not None
        assert refused.guard not in left_out
        left_out.append(refused.guard)
    assert left_out[0] is Guard.OTHER_NAME
    assert refused.text == written.text


def test_what_was_applied_before_is_a_guard_too() -> None:
    search, replace = "    return amount\n", "    return amount\n\n\nprint(total)\n"
    text = TEXT + "\n\nprint(total)\n"
    refused = outcome(search, replace, text=text)
    assert (refused.guard, refused.reason) == (Guard.REPLACEMENT_THERE, Reason.ALREADY_APPLIED)
    doubled = outcome(search, replace, Guard.REPLACEMENT_THERE, text=text)
    assert doubled.text == text.replace(search, replace)


def test_a_text_that_no_longer_parses_is_written_only_without_that_guard() -> None:
    search = TEXT.replace("    amount = 0\n", "    amount  = 0\n")
    replace = search.replace("total(cart):", "total(cart:")
    refused = outcome(search, replace, path="a.py")
    assert (refused.guard, refused.reason) == (Guard.BREAKS_SYNTAX, Reason.BREAKS_SYNTAX)
    assert outcome(search, replace, Guard.BREAKS_SYNTAX, path="a.py").text is not None


@pytest.mark.parametrize("guard", Guard)
def test_a_guard_has_a_title_of_its_own_and_a_reason(guard: Guard) -> None:
    assert guard.title
    assert [other for other in Guard if other.title == guard.title] == [guard]
    assert isinstance(guard.reason, Reason)


def test_no_guard_is_asked_behind_the_first_that_is_not_left_out() -> None:
    asked: list[Guard] = []

    def every() -> Iterator[Guard]:
        for guard in Guard:
            asked.append(guard)
            yield guard

    first, second, *_ = Guard
    assert Guard.first(every(), {first}) is second
    assert asked == [first, second]
