"""Answers of every format, made from the examples, and what a text asks for that may be cut off anywhere."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

from patchpoint.edit import Edit, Format, Malformed, TargetKind
from patchpoint.formats import FORMAT_NAMES, read_answer
from tests.formats.examples import Example, examples

COUNT = 100
"""How many answers are made."""

_PROSE = ("", "Next:\n\n", "I also changed the other file, see below.\n\n", "- done\n\n")


@cache
def whole_answers() -> tuple[str, ...]:
    """Return `COUNT` answers, the same in every process: the formats by turns, alone, mixed, and quoted."""
    known = [example for example in examples() if _is_whole(example)]
    by_format = [
        found
        for one in Format
        if one.value in FORMAT_NAMES and (found := [example for example in known if _asks_in(example, one)])
    ]
    choices = random.Random(20)
    return tuple(_answer(choices, by_format[number % len(by_format)], known) for number in range(COUNT))


def edits_of(text: str) -> set[Edit]:
    """Return the edits that a text asks for, wherever it says so and whether or not a line ending is last."""
    return {_in_any_place(item) for item in read_answer(text).items if isinstance(item, Edit)}


def samples_in(whole: set[Edit], text: str) -> set[Edit]:
    """Return what the beginnings of `text` show or say of files that it edits by other means, too.

    A sentence that asks for a change is an edit only where no code follows.
    """
    edited = {edit.path for edit in whole if edit.format is not Format.LAZY and not edit.may_be_part}
    lines = text.splitlines(keepends=True)
    beginnings = ("".join(lines[:count]) for count in range(len(lines)))
    shown = {edit for beginning in beginnings for edit in edits_of(beginning)}
    return {
        edit
        for edit in shown
        if (edit.path in edited and (edit.format is Format.LAZY or edit.may_be_part))
        or (edit.target is not None and edit.target.kind is TargetKind.WORDS)
    }


def _is_whole(example: Example) -> bool:
    """Return whether all of an example is read, and none of it shows only at its end to be a sample."""
    if example.format != "auto" or example.name == "whole-file-sample-of-edited-file":
        return False
    return not any(isinstance(item, Malformed) for item in read_answer(example.answer).items)


def _asks_in(example: Example, one: Format) -> bool:
    return any(isinstance(item, Edit) and item.format is one for item in read_answer(example.answer).items)


def _answer(choices: random.Random, of_format: list[Example], known: list[Example]) -> str:
    parts = [choices.choice(of_format).answer]
    while choices.random() < 0.4:
        parts.insert(choices.randint(0, len(parts)), choices.choice(known).answer)
    text = "".join(choices.choice(_PROSE) + part.rstrip("\r\n") + "\n\n" for part in parts)
    return choices.choice((text, text, _quoted(text), text.replace("\n", "\r\n")))


def _quoted(text: str) -> str:
    return "".join(f"> {line}" for line in text.replace("\r\n", "\n").splitlines(keepends=True))


def _in_any_place(edit: Edit) -> Edit:
    return replace(edit, span=(0, 0), remark="", may_be_cut_off=False)
