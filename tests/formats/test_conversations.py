"""Whole conversations: only what the model says is an edit, the last answer counts, words take edits back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from patchpoint.edit import Edit, ObjectionCode, Unplaced
from patchpoint.formats import ParsedAnswer, read_answer
from tests.formats.examples import examples
from tests.formats.exchanges import FORMS, Said, around
from tests.sampling import share

TRANSCRIPTS = Path(__file__).parents[1] / "data" / "transcripts"
BLOCK = "src/lamp.py\n<<<<<<< SEARCH\nlit = {0}\n=======\nlit = {1}\n>>>>>>> REPLACE\n"
FIRST, SECOND = BLOCK.format(0, 1), BLOCK.format(0, 2)


def asked(answer: ParsedAnswer) -> list[tuple[str, str, str]]:
    """What an answer asks for, and what it does not take back, wherever it is written."""
    return [
        (item.path, item.search, item.replace)
        for item in answer.items
        if isinstance(item, Edit) and item.objection is None
    ]


def written(*values: int) -> list[tuple[str, str, str]]:
    return [("src/lamp.py", "lit = 0\n", f"lit = {value}\n") for value in values]


def left_alone(answer: ParsedAnswer) -> list[ObjectionCode]:
    return [one.objection.code for one in answer.unplaced if one.objection is not None]


@pytest.mark.parametrize(("number", "form"), list(enumerate(FORMS)), ids=FORMS)
def test_an_answer_gives_in_a_conversation_what_it_gives_alone(number: int, form: str) -> None:
    for example in share(examples(), number, 8):
        alone = asked(read_answer(example.answer))
        if not alone or (form == "aider" and example.answer.startswith(">")):
            continue  # in aider's history, what is quoted is the program's own
        path, search, replace = alone[0]
        for code in (search or replace, replace or search):
            said = around(example.answer, path, code)
            assert asked(read_answer(FORMS[form](said))) == alone, example.name


@pytest.mark.parametrize("form", sorted(FORMS.keys() - {"aider"}))  # whose signs in front of lines hide it
def test_what_the_user_pastes_is_left_alone_and_counted(form: str) -> None:
    said = [Said(True, f"I have this:\n\n{FIRST}\nIs it right?"), Said(False, f"No:\n\n{SECOND}")]
    answer = read_answer(FORMS[form](said))
    assert asked(answer) == written(2)
    assert left_alone(answer) == [ObjectionCode.NOT_SAID_BY_THE_MODEL]


@pytest.mark.parametrize("form", FORMS)
def test_of_several_answers_the_last_one_with_edits_is_read_unless_another_is_asked_for(form: str) -> None:
    said = [
        *(Said(True, "One?"), Said(False, FIRST)),
        *(Said(True, "Two?"), Said(False, SECOND)),
        *(Said(True, "Thanks!"), Said(False, "You are welcome.")),
    ]
    text = FORMS[form](said)
    answer = read_answer(text)
    assert (asked(answer), answer.turn.number, answer.turn.count) == (written(2), 2, 2)
    answer = read_answer(text, turn="1")
    assert (asked(answer), answer.turn.number) == (written(1), 1)
    answer = read_answer(text, turn="all")
    assert (asked(answer), answer.turn.number) == (written(1, 2), 0)


@pytest.mark.parametrize("turn", ["0", "3", "-1", "newest", ""])
def test_a_turn_that_is_none_is_an_error(turn: str) -> None:
    with pytest.raises(ValueError, match="turn"):
        read_answer(FORMS["headings"]([Said(True, "One?"), Said(False, FIRST)]), turn=turn)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("user", "model"),
    [
        ("No, scrap that, leave it as it is.", "As you wish."),
        ("Hm, why?", "On second thought, ignore my change above."),
        ("Don't apply this yet.", "Fine."),
    ],
)
def test_what_is_said_next_takes_an_answer_back(form: str, user: str, model: str) -> None:
    said = [Said(True, "Light it."), Said(False, FIRST), Said(True, user), Said(False, model)]
    (item,) = read_answer(FORMS[form](said)).items
    assert isinstance(item, Edit)
    assert item.objection is not None
    assert item.objection.code is ObjectionCode.RETRACTED
    assert item.objection.words in (user, model)


@pytest.mark.parametrize("form", FORMS)
def test_thanks_and_another_question_take_nothing_back(form: str) -> None:
    said = [Said(True, "Light it."), Said(False, FIRST), Said(True, "Great, it works. How do I test it?")]
    assert asked(read_answer(FORMS[form]([*said, Said(False, "With `pytest`.")]))) == written(1)


CALL = """\
<invoke name="Edit">
<parameter name="file_path">src/lamp.py</parameter>
<parameter name="old_string">lit = 0
</parameter>
<parameter name="new_string">lit = {0}
</parameter>
</invoke>
"""
FAILED = '<tool_result is_error="true">String to replace not found in file.</tool_result>'
KINDS = {
    "code of the user": (f"I have:\n\n{FIRST}", SECOND),
    "a call that failed": ("Light it.", f"{CALL.format(1)}\n{FAILED}\n\nOnce more:\n\n{CALL.format(2)}"),
    "what is taken back": ("Light it.", f"{FIRST}\nWait, scrap that. Two is right:\n\n{SECOND}"),
    "several ways": (
        "Light it.",
        f"### Option A\n\n{FIRST}\n### Option B\n\n{FIRST.replace('lamp', 'desk')}",
    ),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_asked_for_that_the_model_does_not_mean(form: str, kind: str) -> None:
    user, model = KINDS[kind]
    answer = read_answer(FORMS[form]([Said(True, user), Said(False, model)]))
    assert asked(answer) == ([] if kind == "several ways" else written(2))


def session(*calls: tuple[int, str]) -> str:
    """A session of an agent in which each call has a result, an error where it is not empty."""
    lines: list[dict[str, object]] = [{"type": "user", "message": {"role": "user", "content": "Light it."}}]
    for number, (value, error) in enumerate(calls):
        arguments = {"file_path": "src/lamp.py", "old_string": "lit = 0", "new_string": f"lit = {value}"}
        call = {"type": "tool_use", "id": f"t{number}", "name": "Edit", "input": arguments}
        said = {"is_error": bool(error), "content": error or "ok"}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", **said}
        for role, content in (("assistant", call), ("user", result)):
            lines.append({"type": role, "message": {"role": role, "content": [content]}})
    return "\n".join(map(json.dumps, lines)) + "\n"


def test_a_call_that_failed_is_left_alone_and_its_retry_counts() -> None:
    answer = read_answer(session((1, "String to replace not found in file."), (2, "")))
    assert [edit[2] for edit in asked(answer)] == ["lit = 2"]
    (left,) = answer.unplaced
    assert left.objection is not None
    assert left.objection.code is ObjectionCode.FAILED_CALL
    assert "String to replace not found in file." in left.message


def test_a_call_that_the_user_rejected_is_no_edit() -> None:
    answer = read_answer(session((1, "The user doesn't want to proceed with this tool use.")))
    assert not answer.items
    assert left_alone(answer) == [ObjectionCode.FAILED_CALL]


def test_the_history_of_aider_has_what_it_applied_and_not_what_failed_or_was_pasted() -> None:
    text = (TRANSCRIPTS / "aider.chat.history.md").read_text(encoding="utf-8")
    answer = read_answer(text)
    assert asked(answer) == [("src/lamp.py", "    lamp.dim()\n", "    lamp.fade()\n")]
    assert left_alone(answer) == [ObjectionCode.FAILED_CALL]


def test_what_an_answer_quotes_above_it_is_what_the_user_pasted() -> None:
    quoted = "".join(f"> {line}\n" for line in f"Is this right?\n\n{FIRST}".splitlines())
    assert asked(read_answer(f"{quoted}\nNo, it has to be two:\n\n{SECOND}")) == written(2)


def line_of(text: str, sign: str) -> str:
    return str(text[: text.index(sign)].count("\n") + 1)


def test_what_is_left_alone_is_carried_out_where_its_line_is_included() -> None:
    text = FORMS["headings"]([Said(True, FIRST), Said(False, "That is right.")])
    assert asked(read_answer(text)) == []
    answer = read_answer(text, include=[line_of(text, "<<<<<<<")])
    assert asked(answer) == written(1)
    assert not answer.unplaced


def test_of_several_ways_the_one_that_is_included_is_carried_out_and_the_others_are_left_alone() -> None:
    other = FIRST.replace("lamp", "desk")
    text = f"### Option A\n\n{FIRST}\n### Option B\n\n{other}"
    assert asked(read_answer(text)) == []
    answer = read_answer(text, include=["Option B"])
    assert asked(answer) == [("src/desk.py", "lit = 0\n", "lit = 1\n")]
    assert left_alone(answer) == [ObjectionCode.ALTERNATIVE]


def test_an_edit_that_is_taken_back_is_left_alone_where_another_takes_its_place() -> None:
    answer = read_answer(f"{FIRST}\nWait, scrap that. Two is right:\n\n{SECOND}")
    assert asked(answer) == written(2)
    assert left_alone(answer) == [ObjectionCode.RETRACTED]


def test_an_edit_that_is_taken_back_is_refused_where_nothing_takes_its_place() -> None:
    text = f"{FIRST}\nWait, scrap that.\n\nAnd here:\n\n{FIRST.replace('lamp', 'desk')}"
    answer = read_answer(text)
    assert len(answer.items) == 2
    assert asked(answer) == [("src/desk.py", "lit = 0\n", "lit = 1\n")]


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_no_beginning_of_a_conversation_raises(form: str) -> None:
    text = FORMS[form](around(FIRST, "src/lamp.py", "lit = 0"))
    for end in range(0, len(text), 7):
        for one in read_answer(text[:end]).unplaced:
            assert isinstance(one, Unplaced)
