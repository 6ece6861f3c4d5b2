"""What is written has the line endings of the lines around it."""

from __future__ import annotations

import pytest

from patchpoint.locate.source import SourceText, plain
from patchpoint.patching.merging.minimal_splices import splices_between
from patchpoint.text.splice import apply_splices


def written(text: str, new: str) -> str:
    """`text` after its whole plain content has become `new`."""
    source = SourceText(text)
    return apply_splices(text, splices_between(source, (0, len(plain(text))), new))


@pytest.mark.parametrize(
    ("text", "new", "expected"),
    [
        ("a\r\nb\nc\n", "a\nx\nb\nc\n", "a\r\nx\r\nb\nc\n"),
        ("a\r\nb\nc\n", "a\nb\nx\nc\n", "a\r\nb\nx\nc\n"),
    ],
)
def test_a_new_line_takes_the_ending_of_the_line_above(text: str, new: str, expected: str) -> None:
    assert written(text, new) == expected


def test_a_new_first_line_takes_the_ending_of_the_line_it_pushes_down() -> None:
    assert written("a\r\nb\n", "x\na\nb\n") == "x\r\na\r\nb\n"


def test_a_line_put_behind_one_without_an_ending_takes_the_usual_one() -> None:
    assert written("a\r\nb\r\nc", "a\nb\nc\nd") == "a\r\nb\r\nc\r\nd"
    assert written("only", "only\nx") == "only\nx"


def test_a_changed_line_keeps_its_ending() -> None:
    assert written("a\r\nb\nc\r", "x\nb\nz\n") == "x\r\nb\nz\r"
