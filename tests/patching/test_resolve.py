"""One edit against one text: anchors, insertions, several readings, chosen candidates."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from patchpoint.edit import Edit, Operation, Split
from patchpoint.locate.ladder import Ladder
from patchpoint.outcome import Reason, Rung, Status
from patchpoint.patching.resolve import resolve_edit
from patchpoint.progress import CancelledError

LIST = """\
def first():
    begin()
    old_one()
    old_two()
    end()


def second():
    begin()
    other()
    end()
"""


def between(before: str, after: str, replace: str, text: str = LIST, **more: object) -> Edit:
    return Edit(path="f.py", operation=Operation.BETWEEN, before=before, after=after, replace=replace, **more)  # type: ignore[arg-type]


def test_the_lines_between_two_anchors_are_replaced_and_counted_in_a_note() -> None:
    outcome = resolve_edit(
        LIST, between("def first():\n    begin()\n", "    end()\n\n\ndef second", "    new()\n")
    )
    assert outcome.status is Status.MATCHED
    assert outcome.text == LIST.replace("    old_one()\n    old_two()\n", "    new()\n")
    assert any("2 lines" in note for note in outcome.notes)


def test_anchors_at_another_depth_bring_the_new_text_to_theirs() -> None:
    outcome = resolve_edit(LIST, between("def second():\n  begin()\n", "  end()\n", "  new()\n"))
    assert outcome.text == LIST.replace("    other()\n", "    new()\n")


def test_anchors_that_fit_twice_are_ambiguous_and_can_be_chosen() -> None:
    edit = between("    begin()\n", "    end()\n", "    new()\n")
    outcome = resolve_edit(LIST, edit)
    assert outcome.status is Status.AMBIGUOUS
    assert len(outcome.candidates) == 2
    chosen = resolve_edit(LIST, edit, chosen=outcome.candidates[1].span)
    assert chosen.text == LIST.replace("    other()\n", "    new()\n")


def test_anchors_in_the_wrong_order_are_not_found() -> None:
    outcome = resolve_edit(LIST, between("    old_two()\n", "    old_one()\n", "x\n"))
    assert outcome.status is Status.NOT_FOUND


def test_an_open_anchor_is_the_edge_of_the_text() -> None:
    assert resolve_edit("a\nb\nc\n", between("a\n", "", "z\n")).text == "a\nz\n"
    assert resolve_edit("a\nb\nc\n", between("", "c\n", "z\n")).text == "z\nc\n"
    assert resolve_edit("a\nb\nc\n", between("", "", "z\n")).status is Status.REJECTED


def test_lines_go_in_between_anchors_that_are_neighbours() -> None:
    assert resolve_edit("a\nb\n", between("a\n", "b\n", "new\n")).text == "a\nnew\nb\n"


@pytest.mark.parametrize(
    ("line", "text", "expected"),
    [
        (0, "a\nb\n", "new\na\nb\n"),
        (1, "a\nb\n", "a\nnew\nb\n"),
        (2, "a\nb\n", "a\nb\nnew\n"),
        (2, "a\nb", "a\nb\nnew"),
        (0, "", "new\n"),
        (1, "a\r\nb\r\n", "a\r\nnew\r\nb\r\n"),
    ],
)
def test_text_goes_in_after_a_line(line: int, text: str, expected: str) -> None:
    edit = Edit(path="f", operation=Operation.INSERT, line=line, replace="new\n")
    assert resolve_edit(text, edit).text == expected


def test_a_line_that_is_not_there_is_refused() -> None:
    outcome = resolve_edit("a\nb\n", Edit(path="f", operation=Operation.INSERT, line=7, replace="new\n"))
    assert outcome.status is Status.NOT_FOUND
    assert "2 lines" in outcome.message


def test_of_several_readings_the_one_that_is_found_is_meant() -> None:
    readings = (
        Split("Title\n", "=======\nold\n=======\nTitle\n=======\nnew\n"),
        Split("Title\n=======\nold\n", "Title\n=======\nnew\n"),
        Split("Title\n=======\nold\n=======\nTitle\n", "new\n"),
    )
    edit = Edit(path="f", search=readings[0].search, replace=readings[0].replace, splits=readings)
    text = "Title\n=======\nold\n"
    assert resolve_edit(text, edit).text == "Title\n=======\nnew\n"
    assert resolve_edit("nothing of it\n", edit).status is Status.NOT_FOUND


def test_a_candidate_of_an_ambiguous_edit_is_applied_where_it_was_chosen() -> None:
    edit = Edit(path="f.py", search="begin()\n", replace="begin(now)\n")
    outcome = resolve_edit(LIST, edit)
    assert outcome.status is Status.AMBIGUOUS
    chosen = resolve_edit(LIST, edit, chosen=outcome.candidates[1].span)
    assert chosen.text is not None
    assert chosen.text.endswith("def second():\n    begin(now)\n    other()\n    end()\n")


def test_the_nearest_place_of_an_edit_that_was_not_found_can_be_chosen() -> None:
    edit = Edit(
        path="f.py",
        search="def third():\n  begin()\n  other()\n",
        replace="def third():\n  begin()\n  mine()\n",
    )
    outcome = resolve_edit(LIST, edit)
    assert outcome.status is Status.NOT_FOUND
    chosen = resolve_edit(LIST, edit, chosen=outcome.candidates[0].span)
    assert chosen.text == LIST.replace("other()", "mine()")


@given(st.lists(st.sampled_from(["begin()", "other()", "mine(now)", "x", ""]), min_size=1, max_size=6))
def test_where_a_person_wants_it_the_replacement_takes_the_place_of_whole_lines(lines: list[str]) -> None:
    search = "def third():\n  begin()\n  other()\n"
    replace = "".join(f"  {line}\n" for line in lines)
    edit = Edit(path="f.py", search=search, replace=replace)
    outcome = resolve_edit(LIST, edit)
    assume(outcome.status is not Status.ALREADY_APPLIED)
    assert outcome.status is Status.NOT_FOUND
    for candidate in outcome.candidates:
        first, end = candidate.span
        chosen = resolve_edit(LIST, edit, chosen=candidate.span, whole=True)
        assert chosen.text == LIST[:first] + replace + LIST[end:]
        assert chosen.needs_confirmation
        assert any("as a whole" in note for note in chosen.notes)


def test_a_place_that_is_no_longer_a_candidate_is_refused() -> None:
    edit = Edit(path="f.py", search="begin()\n", replace="begin(now)\n")
    outcome = resolve_edit(LIST, edit, chosen=(3, 4))
    assert outcome.status is Status.AMBIGUOUS
    assert "has changed" in outcome.message
    unique = resolve_edit(LIST, Edit(path="f.py", search="other()", replace="x"), chosen=(3, 4))
    assert unique.status is Status.NOT_FOUND


def test_an_operation_on_the_file_itself_is_none_on_its_text() -> None:
    with pytest.raises(ValueError, match="delete"):
        resolve_edit("a", Edit(path="f", operation=Operation.DELETE))


PYTHON = """\
def load(path):
    with open(path) as stream:
        data = stream.read()
        checked = check(data)
        report(checked)
    return checked
"""


def test_a_similar_place_that_the_edit_would_break_is_only_offered() -> None:
    search = (
        "def load(path):\n    with open(path) as stream:\n        data = stream.read()\n    return checked\n"
    )
    replace = "def load(path):\n    data = fetch(path)\n    return data\n"
    edit = Edit(path="f.py", search=search, replace=replace)
    outcome = resolve_edit(PYTHON, edit)
    assert outcome.status is Status.PROPOSED
    chosen = resolve_edit(PYTHON, edit, chosen=outcome.candidates[0].span)
    assert chosen.matched
    assert chosen.needs_confirmation
    assert any("breaks the syntax" in note for note in chosen.notes)


class Stopped:
    """Progress of work that nobody wants any more."""

    def check(self) -> None:
        raise CancelledError

    def report(self, message: str, done: int = 0, total: int | None = None) -> None:
        raise AssertionError(message)


def test_a_search_can_be_cancelled() -> None:
    with pytest.raises(CancelledError):
        resolve_edit(LIST, Edit(path="f", search="no such thing\n", replace="x"), progress=Stopped())


@pytest.mark.parametrize(
    ("text", "search"),
    [
        ("x" * 400_000 + "\n", "y" * 300_000 + "\n"),
        ("    return None\n" * 50_000, "   return Nine\n   return None\n" * 200),
        ("}\n" * 50_000 + "{\n" * 50_000, "}\n}\n{\n}\n"),
    ],
)
def test_what_is_too_large_for_similarity_is_not_found_and_says_so(text: str, search: str) -> None:
    outcome = resolve_edit(text, Edit(path="f", search=search, replace="z\n"))
    assert outcome.status is Status.NOT_FOUND
    assert "too long" in outcome.message


def test_a_line_that_occurs_very_often_is_ambiguous_at_bounded_cost() -> None:
    outcome = resolve_edit("    return None\n" * 50_000, Edit(path="f", search="return None", replace="x"))
    assert outcome.status is Status.AMBIGUOUS
    assert len(outcome.candidates) == 100
    assert "at least" in outcome.message


def test_similarity_asks_for_confirmation_and_other_rungs_do_not() -> None:
    search = "  begin()\n  old_one()\n"
    edit = Edit(path="f.txt", search=search, replace=search.replace("one", "three"))
    outcome = resolve_edit(LIST, edit)
    assert (outcome.rung, outcome.needs_confirmation) == (Rung.INDENTATION, False)
    ladder = Ladder(rungs=(Rung.SIMILARITY,))
    assert resolve_edit(LIST, edit, ladder).needs_confirmation


def test_a_place_that_was_offered_and_has_moved_is_refused_with_one_sentence() -> None:
    outcome = resolve_edit(
        LIST, Edit(path="f.py", search="    old_one()\n", replace="    new()\n"), chosen=(0, 5)
    )
    assert outcome.status is Status.NOT_FOUND
    assert outcome.reason is Reason.NOT_THERE
    assert outcome.message == (
        "f.py does not contain the place that was chosen; it has changed since, so choose again (line 3)."
    )


@pytest.mark.parametrize("search", ["a = 1\n", "    a = 1\n", "a = 1\n    b = 2\n"])
def test_lines_that_go_take_their_indentation_with_them(search: str) -> None:
    text = "def f():\n    a = 1\n    b = 2\n    return 3\n"
    outcome = resolve_edit(text, Edit(path="f.py", search=search, replace=""))
    left = text.replace(f"    {search.lstrip(' ')}", "")
    assert (outcome.status, outcome.text) == (Status.MATCHED, left)


def test_lines_for_a_scope_with_nothing_next_to_them_are_refused() -> None:
    edit = Edit(path="f.py", operation=Operation.INSERT, scope=("def first",), replace="    new()\n")
    assert resolve_edit(LIST, edit).reason is Reason.NOT_PLACED
