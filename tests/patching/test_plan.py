"""A request is decided as a whole: which edits match, what they make together, what is held back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint.edit import Edit, Malformed, Operation
from patchpoint.outcome import Atomic, Status
from patchpoint.patching.plan import Item, Plan, Refused, plan_edits
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.splice import apply_splices

SONG = "one\ntwo\nthree\nfour\nfive\n"


def change(search: str, replace: str, path: str = "song.txt") -> Edit:
    return Edit(path=path, search=search, replace=replace)


def statuses(plan: Plan) -> list[Status]:
    return [outcome.status for outcome in plan.outcomes]


def text_after(plan: Plan, path: str = "song.txt") -> str | None:
    return next(c.after for c in plan.changes if path in (c.path, c.new_path))


def test_edits_of_one_file_are_applied_together_in_any_order() -> None:
    edits = [change("four\n", "4\n"), change("two\n", "2\n"), change("one\n", "1\n1b\n")]
    expected = "1\n1b\n2\nthree\n4\nfive\n"
    assert text_after(plan_edits(edits, {"song.txt": SONG})) == expected
    assert text_after(plan_edits(edits[::-1], {"song.txt": SONG})) == expected


def test_an_edit_that_was_put_at_its_place_does_not_go_to_another() -> None:
    twice = change("two\n", "2\n")
    text = SONG.replace("four", "2")
    assert statuses(plan_edits([twice], {"song.txt": text}, placed={0})) == [Status.ALREADY_APPLIED]
    assert plan_edits([twice], {"song.txt": text}, placed={0}).changes == ()
    assert statuses(plan_edits([twice], {"song.txt": text})) == [Status.MATCHED]
    # It has been reverted: the lines that it wrote are gone.
    assert statuses(plan_edits([twice], {"song.txt": SONG}, placed={0})) == [Status.MATCHED]


def test_one_edit_that_does_not_match_holds_the_others_back() -> None:
    edits = [change("two\n", "2\n"), change("nowhere to be found\n", "x\n")]
    plan = plan_edits(edits, {"song.txt": SONG})
    assert statuses(plan) == [Status.HELD, Status.NOT_FOUND]
    assert plan.changes == ()
    assert "edit 2" in plan.outcomes[0].message


def test_by_file_only_the_edits_of_the_same_file_are_held_back() -> None:
    edits = [
        change("two\n", "2\n"),
        change("nowhere to be found\n", "x\n"),
        change("a\n", "b\n", "other.txt"),
    ]
    plan = plan_edits(edits, {"song.txt": SONG, "other.txt": "a\n"}, atomic=Atomic.FILE)
    assert statuses(plan) == [Status.HELD, Status.NOT_FOUND, Status.MATCHED]
    assert text_after(plan, "other.txt") == "b\n"


def test_by_edit_every_edit_that_matches_is_applied() -> None:
    edits = [change("two\n", "2\n"), change("nowhere to be found\n", "x\n")]
    plan = plan_edits(edits, {"song.txt": SONG}, atomic=Atomic.EDIT)
    assert statuses(plan) == [Status.MATCHED, Status.NOT_FOUND]
    assert text_after(plan) == SONG.replace("two", "2")


def test_an_edit_is_found_in_what_an_earlier_one_wrote() -> None:
    edits = [change("two\n", "def new_function():\n    pass\n"), change("    pass\n", "    return 2\n")]
    plan = plan_edits(edits, {"song.txt": SONG})
    assert statuses(plan) == [Status.MATCHED, Status.MATCHED]
    assert text_after(plan) == SONG.replace("two\n", "def new_function():\n    return 2\n")


def test_an_edit_is_not_found_in_what_a_later_one_wrote() -> None:
    edits = [change("    pass\n", "    return 2\n"), change("two\n", "def new_function():\n    pass\n")]
    assert statuses(plan_edits(edits, {"song.txt": SONG}))[0] is Status.NOT_FOUND


CHEAPEST = """\
def cheapest(items):
    best = None
    for item in items:
        if best is None or item.price() < best.price():
            best = item
    return best
"""
KNOWN = "weight = price = None\n\n\n"
HEAVIEST = (
    CHEAPEST.replace("cheapest", "heaviest").replace("price() <", "weight() >").replace("price", "weight")
)


def test_an_edit_that_quotes_what_an_earlier_one_wrote_does_not_go_to_what_resembles_it() -> None:
    body = HEAVIEST[HEAVIEST.index("    for") : HEAVIEST.index("    return")]
    edits = [
        change("x = 1\n", f"x = 1\n\n\n{HEAVIEST}"),
        change(body, body.replace("weight() >", "weight() >=")),
    ]
    plan = plan_edits(edits, {"song.txt": f"{KNOWN}{CHEAPEST}\n\nx = 1\n"})
    wanted = HEAVIEST.replace("weight() >", "weight() >=")
    assert text_after(plan) == f"{KNOWN}{CHEAPEST}\n\nx = 1\n\n\n{wanted}"


def test_an_edit_is_found_in_what_an_earlier_one_wrote_although_several_places_resemble_it() -> None:
    edits = [
        change('base = Rate("3.50")\n', 'base = Rate("3.50")\nextra = Rate("4.00")\n'),
        change('extra = Rate("4.00")\n', 'extra = Rate("4.20")\n'),
    ]
    text = 'base = Rate("3.50")\ntotal = Rate("4.00")\nspare = Rate("4.00")\n'
    assert text_after(plan_edits(edits, {"song.txt": text})) == text.replace(
        "total", 'extra = Rate("4.20")\ntotal'
    )


def test_lines_that_are_moved_are_deleted_where_they_were_although_blanks_differ_there() -> None:
    was = HEAVIEST.replace("    best = None\n", "    best = None  \n")
    text = f"{was}\n\nx = 1\n\n\n{CHEAPEST}"
    edits = [change("def cheapest", f"{HEAVIEST}\n\ndef cheapest"), change(f"{HEAVIEST}\n\n", "")]
    after = text_after(plan_edits(edits, {"song.txt": text}))
    assert after == f"x = 1\n\n\n{HEAVIEST}\n\n{CHEAPEST}"


def test_an_edit_that_resembles_the_file_and_is_twice_in_what_was_written_is_refused() -> None:
    body = HEAVIEST[HEAVIEST.index("    for") : HEAVIEST.index("    return")]
    twice = f"{HEAVIEST}\n\n{HEAVIEST.replace('heaviest', 'biggest')}"
    edits = [change("x = 1\n", f"x = 1\n\n\n{twice}"), change(body, body.replace(" >", " >="))]
    plan = plan_edits(edits, {"song.txt": f"{KNOWN}{CHEAPEST}\n\nx = 1\n"})
    assert plan.changes == ()
    assert plan.outcomes[1].status is Status.CONFLICT
    assert "edit 1" in plan.outcomes[1].message


def test_two_edits_of_the_same_text_are_both_refused_and_named() -> None:
    edits = [change("two\n", "2\n"), change("two\nthree\n", "zwei\ndrei\n")]
    plan = plan_edits(edits, {"song.txt": SONG}, atomic=Atomic.EDIT)
    assert statuses(plan) == [Status.CONFLICT, Status.CONFLICT]
    assert "edit 2" in plan.outcomes[0].message
    assert "edit 1" in plan.outcomes[1].message
    assert plan.changes == ()


def test_edits_that_quote_the_same_lines_and_change_different_ones_are_both_applied() -> None:
    edits = [change("two\nthree\n", "2\nthree\n"), change("two\nthree\n", "two\n3\n")]
    plan = plan_edits(edits, {"song.txt": SONG})
    assert text_after(plan) == "one\n2\n3\nfour\nfive\n"


def test_the_same_edit_sent_twice_is_made_once() -> None:
    plan = plan_edits([change("two\n", "2\n")] * 2, {"song.txt": SONG})
    assert statuses(plan) == [Status.MATCHED, Status.ALREADY_APPLIED]
    assert text_after(plan) == SONG.replace("two", "2")


def test_places_are_given_in_the_text_before_and_in_the_text_after() -> None:
    plan = plan_edits([change("four\n", "4\n"), change("one\n", "1\n1b\n")], {"song.txt": SONG})
    after = text_after(plan)
    assert after is not None
    outcome = plan.outcomes[0]
    assert outcome.span is not None
    assert outcome.new_span is not None
    assert SONG[slice(*outcome.span)] == "four\n"
    assert after[slice(*outcome.new_span)] == "4\n"


def test_a_new_file_is_created_and_edited_in_one_request() -> None:
    create = Edit(path="new.txt", operation=Operation.CREATE, content="a\nb\n")
    plan = plan_edits([create, change("b\n", "c\n", "new.txt")], {})
    assert text_after(plan, "new.txt") == "a\nc\n"
    assert plan.changes[0].operation is FileOperation.CREATE


def test_an_empty_search_creates_a_file_and_fills_an_empty_one_and_touches_no_other() -> None:
    fill = change("", "text\n")
    assert text_after(plan_edits([fill], {})) == "text\n"
    assert text_after(plan_edits([fill], {"song.txt": ""})) == "text\n"
    assert plan_edits([fill], {"song.txt": SONG}).changes == ()


def test_a_file_with_other_content_is_not_created_over() -> None:
    create = Edit(path="song.txt", operation=Operation.CREATE, content="a\n")
    assert statuses(plan_edits([create], {"song.txt": SONG})) == [Status.CONFLICT]
    assert statuses(plan_edits([create], {"song.txt": "a\n"})) == [Status.ALREADY_APPLIED]
    assert text_after(plan_edits([create], {"song.txt": ""})) == "a\n"
    # An editor that shows an empty file as one empty line.
    assert text_after(plan_edits([create], {"song.txt": "\n"})) == "a\n"
    assert text_after(plan_edits([create], {"song.txt": "\r\n"})) == "a\r\n"


def test_a_file_is_deleted_only_while_it_holds_what_is_said_to_be_deleted() -> None:
    delete = Edit(path="song.txt", operation=Operation.DELETE, content=SONG)
    assert statuses(plan_edits([delete], {"song.txt": SONG})) == [Status.MATCHED]
    assert statuses(plan_edits([delete], {"song.txt": SONG + "more\n"})) == [Status.CONFLICT]


def test_a_file_that_is_written_whole_keeps_its_line_endings() -> None:
    write = Edit(path="song.txt", operation=Operation.WRITE, content="1\n2\n")
    assert text_after(plan_edits([write], {"song.txt": "one\r\ntwo\r\n"})) == "1\r\n2\r\n"


def test_a_file_deleted_and_created_again_is_written_whole() -> None:
    edits = [
        Edit(path="song.txt", operation=Operation.DELETE),
        Edit(path="song.txt", operation=Operation.CREATE, content="new\n"),
    ]
    plan = plan_edits(edits, {"song.txt": SONG})
    assert [(c.operation, c.after) for c in plan.changes] == [(FileOperation.UPDATE, "new\n")]


def test_a_file_that_is_deleted_cannot_be_edited_in_the_same_request() -> None:
    edits = [Edit(path="song.txt", operation=Operation.DELETE), change("two\n", "2\n")]
    assert statuses(plan_edits(edits, {"song.txt": SONG})) == [Status.HELD, Status.CONFLICT]


def test_a_moved_file_takes_its_edits_along_under_either_name() -> None:
    move = Edit(path="song.txt", operation=Operation.RENAME, new_path="lied.txt")
    edits = [change("one\n", "eins\n"), move, change("two\n", "zwei\n", "lied.txt")]
    plan = plan_edits(edits, {"song.txt": SONG})
    [moved] = plan.changes
    assert (moved.operation, moved.path, moved.new_path) == (FileOperation.RENAME, "song.txt", "lied.txt")
    assert moved.after == SONG.replace("one", "eins").replace("two", "zwei")


def test_a_file_is_not_moved_onto_another() -> None:
    move = Edit(path="song.txt", operation=Operation.RENAME, new_path="lied.txt")
    assert statuses(plan_edits([move], {"song.txt": SONG, "lied.txt": "x"})) == [Status.CONFLICT]
    two = [move, Edit(path="other.txt", operation=Operation.RENAME, new_path="lied.txt")]
    assert set(statuses(plan_edits(two, {"song.txt": SONG, "other.txt": "x"}))) == {Status.CONFLICT}


@pytest.mark.parametrize(
    "operation", [Operation.DELETE, Operation.RENAME, Operation.CHMOD, Operation.REPLACE]
)
def test_a_file_that_is_not_there_is_named(operation: Operation) -> None:
    edit = Edit(path="gone.txt", operation=operation, search="x", replace="y", new_path="new.txt", mode=0o755)
    [outcome] = plan_edits([edit], {}).outcomes
    assert outcome.status is Status.NOT_FOUND
    assert "gone.txt" in outcome.message


def test_what_cannot_be_read_or_may_not_be_touched_keeps_its_message_and_holds_the_rest() -> None:
    items: list[Item] = [
        Malformed(message="line 3: no divider", span=(0, 1), line=3),
        Refused(change("a", "b", "../x"), "../x leaves the workspace"),
        change("two\n", "2\n"),
    ]
    plan = plan_edits(items, {"song.txt": SONG})
    assert statuses(plan) == [Status.MALFORMED, Status.REJECTED, Status.HELD]
    assert [o.message for o in plan.outcomes[:2]] == ["line 3: no divider", "../x leaves the workspace"]


LINES = [f"line number {n} of this text\n" for n in range(12)]


@given(st.lists(st.tuples(st.integers(0, 11), st.text(alphabet="xyz\n", max_size=5)), max_size=8))
def test_the_splices_of_a_change_make_its_text_and_the_order_of_edits_makes_no_difference(
    wanted: list[tuple[int, str]],
) -> None:
    edits = [change(LINES[n], new + "\n") for n, new in dict(wanted).items()]
    files = {"song.txt": "".join(LINES)}
    plan = plan_edits(edits, files)
    shuffled = sorted(edits, key=lambda edit: edit.replace)
    for found in plan.changes:
        assert apply_splices(found.before or "", found.splices) == found.after
    assert [c.after for c in plan.changes] == [c.after for c in plan_edits(shuffled, files).changes]


def test_a_file_is_deleted_by_a_diff_that_has_its_lines_and_by_none_that_has_a_few() -> None:
    text = "".join(f"line {number}\n" for number in range(20))
    few = Edit(path="song.txt", operation=Operation.DELETE, search="line 3\nline 4\n")
    plan = plan_edits([few], {"song.txt": text})
    assert statuses(plan) == [Status.CONFLICT]
    assert not plan.changes
    most = Edit(path="song.txt", operation=Operation.DELETE, search=text.replace("line 7\n", ""))
    for edit in (most, Edit(path="song.txt", operation=Operation.DELETE)):
        (change,) = plan_edits([edit], {"song.txt": text}).changes
        assert change.operation is FileOperation.DELETE
