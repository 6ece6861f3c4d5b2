"""What is sent back to a model of a whole answer: what is open, and how all of it is to be sent."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from patchpoint import Report, apply_edits
from patchpoint.edit import Unplaced
from patchpoint.outcome import Outcome, Reason, Status
from patchpoint.patching.answers.feedback import answer_feedback

FILES = {
    "till.py": "RATE = 5\n\n\ndef tax(net):\n    return net * RATE / 100\n",
    "notes.md": "# Notes\n\n## Open\n\nNothing.\n",
    ".github/workflows/ci.yml": "on: push\njobs: {}\n",
}
CERTAIN = "till.py\n```\n<<<<<<< SEARCH\nRATE = 5\n=======\nRATE = 7\n>>>>>>> REPLACE\n```\n\n"
NOWHERE = "notes.md\n```\n<<<<<<< SEARCH\nA line that no file has\n=======\nx\n>>>>>>> REPLACE\n```\n\n"
WORKFLOW = (
    ".github/workflows/ci.yml\n```\n<<<<<<< SEARCH\non: push\n=======\non: pull_request\n"
    ">>>>>>> REPLACE\n```\n\n"
)
LIKELY = "In `till.py`, set `RATE` to `7`, since the law asks for it.\n"
FORM = "a line `<<<<<<< SEARCH`"
AGAIN = "Send all that is not applied in one answer, in this form."


def report(answer: str, **options: str) -> Report:
    return apply_edits(FILES, answer, **options)  # type: ignore[arg-type]


def test_what_waits_for_the_rest_is_to_be_sent_with_it() -> None:
    said = report(CERTAIN + NOWHERE).feedback
    assert said.startswith("Nothing of your answer was applied.\n")
    assert "Understood, but not applied: till.py." in said
    assert "The edit of notes.md:\n\nThe search text is not in notes.md" in said
    assert AGAIN in said
    assert said.count(FORM) == 1


def test_what_was_applied_is_not_to_be_sent_again() -> None:
    said = report(CERTAIN + NOWHERE, atomic="edit").feedback
    assert said.startswith("Applied, and not to be sent again: till.py.\n")
    assert "Understood" not in said


def test_of_several_edits_of_one_file_each_is_called_by_its_number_among_them() -> None:
    said = report(CERTAIN + NOWHERE + NOWHERE.replace("no file", "nobody")).feedback
    assert "Edit 1 of notes.md:" in said
    assert "Edit 2 of notes.md:" in said


def test_code_that_was_not_read_as_an_edit_is_named_and_commands_are_not() -> None:
    piece = "And this goes somewhere else:\n\n```python\nTOTAL = sum(amounts)\n```\n\n"
    said = report(NOWHERE + piece + "Run it:\n\n```bash\nmake test\n```\n").feedback
    assert "if it is one, send it, too:\n- TOTAL = sum(amounts)\n\n" in said
    assert "make test" not in said
    assert "Line " not in said


def test_a_sentence_that_was_not_read_holds_the_rest_and_is_named_once() -> None:
    said = report(CERTAIN + "- Update `notes.md` accordingly.\n").feedback
    assert "Understood, but not applied: till.py." in said
    assert said.count("Update `notes.md` accordingly") == 1
    assert "No edit was made of this; send it, too, if it is to be done:\n- Update" in said
    assert AGAIN in said


def test_of_what_is_likely_the_difference_is_shown_and_a_yes_is_all_that_it_needs() -> None:
    made = report(LIKELY)
    said, name = made.feedback, made.proposals[0].id
    assert "The edit of till.py was read as this:\n\ndiff --git a/till.py b/till.py\n" in said
    assert "-RATE = 5\n+RATE = 7\n" in said
    assert f"Then send nothing: a person makes them with `--accept {name}`. If one is missing, or" in said
    assert "send all your changes again in one answer, also those shown here, in this form." in said
    assert apply_edits(FILES, LIKELY, accept=[name]).ok


def test_what_is_likely_is_sent_again_where_something_else_is_open() -> None:
    said = report(LIKELY + "\n" + NOWHERE).feedback
    assert "--accept" not in said
    assert AGAIN in said


def test_what_only_a_person_can_do_is_not_asked_of_the_model() -> None:
    said = report(CERTAIN + WORKFLOW).feedback
    assert "The same yes also makes: till.py." in said
    assert said.endswith("yml and makes them with `--allow-executing-files`.\n")
    assert FORM not in said
    said = report(CERTAIN + WORKFLOW + NOWHERE).feedback
    assert "a person has to confirm that. Send it with the rest." in said
    assert AGAIN in said


def test_of_many_places_none_of_which_is_likelier_none_is_listed() -> None:
    many = "".join(f"def f{number}():\n    return {number}\n\n\n" for number in range(12))
    new = "till.py\n```python\ndef brand_new():\n    return 0\n```\n"
    said = apply_edits({"till.py": many, "notes.md": "# Notes\n"}, new + NOWHERE).feedback
    assert "till.py has no brand_new" in said
    assert "1. below" not in said


def test_who_sends_all_again_in_the_form_that_is_asked_for_has_it_applied() -> None:
    first = report(CERTAIN + "- Update `notes.md` accordingly.\n")
    assert first.files == FILES
    patch = "*** Begin Patch\n*** Delete File: notes.md\n*** End Patch\n"
    assert "`*** Delete File: ` and the path" in first.feedback
    second = report(f"{CERTAIN}```\n{patch}```\n")
    assert second.ok
    assert second.files["notes.md"] is None
    assert second.feedback == ""


OUTCOMES = st.lists(
    st.builds(
        Outcome,
        status=st.sampled_from(Status),
        reason=st.sampled_from([None, *Reason]),
        path=st.sampled_from(["a.py", "b.py", ""]),
        feedback=st.sampled_from(["", "Quote it.\n"]),
        message=st.just("It is not clear; send it."),
    ),
    max_size=7,
)
UNPLACED = st.lists(
    st.builds(
        Unplaced,
        message=st.text(max_size=20),
        span=st.just((0, 0)),
        line=st.integers(min_value=1, max_value=9),
        is_sentence=st.booleans(),
        is_code=st.booleans(),
    ),
    max_size=4,
)
FINE = (Status.APPLIED, Status.REVERTED, Status.ALREADY_APPLIED, Status.MATCHED, Status.HELD)


@given(made=OUTCOMES, unplaced=UNPLACED, text=st.text(max_size=60))
def test_there_is_feedback_just_where_an_edit_was_refused_and_it_asks_for_one_thing(
    made: list[Outcome], unplaced: list[Unplaced], text: str
) -> None:
    outcomes = [replace(one, index=index) for index, one in enumerate(made)]
    said = answer_feedback(outcomes, unplaced, text, "The form.\n")
    assert bool(said) is any(one.status not in FINE for one in outcomes)
    if said:
        assert said.count("Nothing of your answer was applied.") + said.count("not to be sent again:") == 1
        assert "in this form." in said or said.rstrip().rpartition("\n")[2].startswith("Send nothing:")
        assert ("The form." in said) is ("in this form." in said)
        assert "\n\n\n" not in said
