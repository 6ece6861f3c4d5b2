"""Answers as chat pages write them: each is applied as it is meant, or refused with what to do."""

from __future__ import annotations

import random

import pytest

from patchpoint import apply_edits
from patchpoint.api import Report
from patchpoint.edit import Edit
from patchpoint.formats import read_answer
from patchpoint.outcome import Status
from tests.formats.chat_answers import ChatAnswer, chat_answers
from tests.formats.cut_off_answers import edits_of, samples_in

ANSWERS = pytest.mark.parametrize("chat", chat_answers(), ids=lambda chat: chat.name)


def said(report: Report) -> str:
    """Return the outcomes of a report, and what it says of fences that are no edits."""
    outcomes = [f"{outcome.status.value}: {outcome.message}" for outcome in report.outcomes]
    unplaced = [f"unplaced: {one.message}" for one in report.unplaced]
    return "".join(f"{line}\n" for line in (*outcomes, *unplaced))


@ANSWERS
def test_an_answer_does_to_the_files_what_it_means(chat: ChatAnswer) -> None:
    report = apply_edits(chat.before, chat.answer)
    assert {path: text for path, text in report.files.items() if text is not None} == chat.after


@ANSWERS
def test_what_becomes_of_it_is_said(chat: ChatAnswer) -> None:
    report = apply_edits(chat.before, chat.answer)
    assert said(report) == chat.says
    applied = any(outcome.status is Status.APPLIED for outcome in report.outcomes)
    assert applied is (chat.before != chat.after), "what is not applied is refused"


@ANSWERS
def test_every_fence_is_an_edit_or_has_a_word(chat: ChatAnswer) -> None:
    answer = read_answer(chat.answer)
    spans = [item.span for item in (*answer.items, *answer.unplaced)]
    opening = False
    offset = 0
    for line in chat.answer.splitlines(keepends=True):
        if line.startswith("```"):
            opening = not opening
            if opening:
                assert any(start <= offset < end for start, end in spans), line
        offset += len(line)


@pytest.mark.slow
@ANSWERS
def test_no_beginning_of_it_asks_for_more(chat: ChatAnswer) -> None:
    whole = edits_of(chat.answer)
    shown = samples_in(whole, chat.answer)
    choices = random.Random(chat.name)
    ends = {choices.randrange(len(chat.answer)) for _ in range(40)}
    for end in sorted(ends):
        assert edits_of(chat.answer[:end]) - shown <= whole, chat.answer[:end]


@ANSWERS
def test_windows_line_endings_change_nothing_that_it_asks_for(chat: ChatAnswer) -> None:
    def asked(text: str) -> list[tuple[str, str, str]]:
        return [
            (item.operation.value, item.path, (item.content or item.replace).replace("\r\n", "\n"))
            for item in read_answer(text).items
            if isinstance(item, Edit)
        ]

    assert asked(chat.answer.replace("\n", "\r\n")) == asked(chat.answer)
