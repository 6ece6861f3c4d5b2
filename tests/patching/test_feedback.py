"""What a person reads and a model is sent of an edit that was not applied."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from patchpoint.edit import Edit
from patchpoint.locate.ladder import Ladder
from patchpoint.outcome import Outcome, Status, percent
from patchpoint.patching.feedback import feedback, nearest_place, request_feedback, visible
from patchpoint.patching.resolve import resolve_edit

TEXT = """\
def area(shape):
    width = shape.width
    height = shape.height
    return width * height


def volume(solid):
    base = area(solid.base)
    return base * solid.height
"""


def refused(search: str, replace: str = "x\n", text: str = TEXT) -> Outcome:
    outcome = resolve_edit(text, Edit(path="shapes.py", search=search, replace=replace))
    assert not outcome.matched
    return outcome


def test_the_nearest_place_is_shown_line_by_line_with_the_first_difference() -> None:
    outcome = refused(
        "    bass = area(solid.bass)\n    return bass / solid.depth\n    done()\n    finish()\n"
    )
    assert "shapes.py" in outcome.message
    assert "line 8" in outcome.feedback or "lines 8 to 9" in outcome.feedback
    assert "-       " in outcome.feedback
    assert "    return base * solid.height" in outcome.feedback
    assert "The first difference is in line" in outcome.feedback


def test_all_places_of_an_ambiguous_edit_are_distinguished() -> None:
    text = "start\nitem = 1\nmiddle\nitem = 1\nend\n"
    outcome = refused("item = 1\n", text=text)
    assert "lines 2, 4" in outcome.message
    for line in ("preceded by", "start", "middle", "the line before"):
        assert line in outcome.feedback


def test_a_place_at_the_beginning_of_the_file_is_said_to_be_there() -> None:
    outcome = refused("item = 1\n", text="item = 1\nmiddle\nitem = 1\nend\n")
    first, second = outcome.feedback.split("2. line 3")
    assert "preceded by:\n     (start of the file)" in first
    assert "preceded by:\n     middle" in second
    assert "ends here" not in outcome.feedback


def test_a_place_at_the_end_of_the_file_is_said_to_be_there() -> None:
    outcome = refused("item = 1\n", text="same\nitem = 1\nmiddle\nsame\nitem = 1\n")
    assert "followed by:\n     (end of the file)" in outcome.feedback
    assert "begins here" not in outcome.feedback


def test_a_blank_line_that_alone_tells_two_places_apart_is_seen() -> None:
    outcome = refused("item = 1\n", text="start\n\nitem = 1\nmiddle\nitem = 1\nend\n")
    assert "1. line 3\n   preceded by:\n     (a blank line)\n2. line 5" in outcome.feedback


def test_the_nearest_place_is_given_alone_for_a_person() -> None:
    edit = Edit(
        path="shapes.py", search="    bass = area(solid.bass)\n    more()\n    done()\n", replace="x\n"
    )
    outcome = resolve_edit(TEXT, edit)
    shown = nearest_place(TEXT, edit, outcome)
    assert shown.startswith("The nearest match is line")
    assert shown in outcome.feedback
    assert nearest_place(TEXT, Edit(path="shapes.py", search="height"), refused("height")) == ""


def test_context_that_lies_farther_away_is_found() -> None:
    text = "a\nsame\nx = 1\nsame\nb\n" + "same\nx = 1\nsame\nc\n"
    outcome = refused("x = 1\n", text=text)
    assert "the 2 lines before" in outcome.feedback


def test_an_edit_sent_again_is_recognised() -> None:
    search, replace = "    width = shape.width\n", "    width = shape.width\n    check(width)\n"
    once = resolve_edit(
        TEXT, Edit(path="shapes.py", search=search + "    height", replace=replace + "    height")
    )
    assert once.text is not None
    again = resolve_edit(
        once.text, Edit(path="shapes.py", search=search + "    height", replace=replace + "    height")
    )
    assert "Do not send this edit again" in again.feedback


def test_the_same_failure_has_other_words_each_time() -> None:
    edit = Edit(
        path="shapes.py", search="    bass = area(solid.bass)\n    done()\n    more()\n", replace="x\n"
    )
    outcome = resolve_edit(TEXT, edit)
    said = [feedback(TEXT, edit, outcome, repeated=times) for times in range(3)]
    assert len(set(said)) == 3
    assert said[0] == outcome.feedback
    assert "fails again" in said[1]
    assert "3 times" in said[2]


def test_an_applied_edit_needs_no_feedback() -> None:
    assert (
        resolve_edit(TEXT, Edit(path="shapes.py", search="height", replace="h", replace_all=True)).feedback
        == ""
    )


def test_white_space_and_invisible_characters_are_made_visible() -> None:
    assert visible("\ta b\u200b\r") == "→a·b<U+200B>␍"


def test_a_difference_in_white_space_alone_is_made_visible() -> None:
    text = "if ready:\n\tgo  (now)\n\tstop()\n"
    outcome = refused("if ready:\n    go (now)\n    stop()\n    halt(9)\n    alt(7)\n", "x\n", text=text)
    assert "→go··(now)" in outcome.feedback


def test_nothing_similar_asks_to_read_the_file_again() -> None:
    outcome = refused("SELECT * FROM table WHERE key = 12345\n", text="a\nb\n")
    assert outcome.candidates == ()
    assert "Read the file again" in outcome.feedback


def test_what_is_not_wholly_alike_is_never_shown_as_wholly_alike() -> None:
    lines = [
        f"    entry_{number} = table.lookup('name of {number}', default={number})\n" for number in range(20)
    ]
    text = "def fill(table):\n" + "".join(lines)
    search = text.replace("name of 7'", "nam of 7'")
    outcome = resolve_edit(text, Edit(path="fill.py", search=search, replace=search + "    return table\n"))
    assert outcome.matched
    assert outcome.similarity is not None
    assert 0.995 < outcome.similarity < 1
    assert "(99%)" in outcome.message
    assert [percent(similarity) for similarity in (0.29, 0.57, 0.999999, 1.0)] == [29, 57, 99, 100]


def test_a_person_is_shown_the_lines_that_differ_and_those_next_to_them() -> None:
    lines = [f"line number {number} of the file\n" for number in range(1, 81)]
    quoted = list(lines)
    quoted[19], quoted[59] = "line 20 of that file\n", "line 60 of that file\n"
    edit = Edit(path="a.txt", search="".join(quoted[9:70]) + "and one more\n", replace="x\n")
    outcome = resolve_edit("".join(lines), edit, Ladder(min_similarity=1.0))
    shown = nearest_place("".join(lines), edit, outcome).splitlines()[2:]
    assert [row.split(maxsplit=1)[0] for row in shown] == [
        *("...", "19", "-", "+", "21", "...", "59", "-", "+", "61", "...", "70", "-"),
    ]


OUTCOMES = st.lists(
    st.builds(Outcome, status=st.sampled_from(Status), path=st.just("a.py"), feedback=st.just("Quote it.")),
    max_size=9,
)


@given(OUTCOMES)
def test_the_feedback_on_a_request_is_about_what_was_refused_and_names_each_edit_once(
    made: list[Outcome],
) -> None:
    outcomes = [replace(one, index=index) for index, one in enumerate(made)]
    fine = {Status.APPLIED, Status.REVERTED, Status.ALREADY_APPLIED, Status.MATCHED, Status.HELD}
    refused = [one for one in outcomes if one.status not in fine]
    text = request_feedback(outcomes)
    assert bool(text) is bool(refused)
    assert text.count("Quote it.") == len(refused)
    if refused and len(outcomes) > 1:
        head = text.partition("\n")[0].partition("applied.")[2]
        named = [int(number) for number in re.findall(r"\d+", head)]
        titles = [int(number) for number in re.findall(r"^Edit (\d+) of", text, re.MULTILINE)]
        assert sorted(named + titles) == list(range(1, len(outcomes) + 1))
