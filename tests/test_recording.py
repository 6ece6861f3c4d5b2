"""The recordings in README.md show what the program prints, and nothing else."""

from __future__ import annotations

import os
import re
from html import unescape

import pytest

from tools import review_recording
from tools.recording import PICTURE, animated, drawn, printed


def test_the_recording_is_that_of_the_program() -> None:
    assert PICTURE.read_bytes() == drawn(printed(coloured=True)), "run `make docs`"


def test_every_line_that_the_program_prints_is_in_the_recording() -> None:
    picture = PICTURE.read_text(encoding="utf-8")
    shown = re.sub(r"\s+", "", unescape("".join(re.findall(r"<text[^>]*>([^<]*)</text>", picture))))
    lines = [line for line in printed(coloured=False).splitlines() if line.strip()]
    assert len(lines) > 80
    for line in lines:
        assert re.sub(r"\s+", "", line) in shown, line


@pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")
def test_the_recording_of_a_review_is_that_of_the_program() -> None:
    size = review_recording.COLUMNS, review_recording.ROWS
    made = animated(review_recording.events(), *size)
    assert review_recording.PICTURE.read_bytes() == made, "run `make docs`"
