"""The recording in README.md shows what the program prints, and nothing else."""

from __future__ import annotations

import re
from html import unescape

from tools.recording import PICTURE, drawn, printed


def test_the_recording_is_that_of_the_program() -> None:
    assert PICTURE.read_bytes() == drawn(printed(coloured=True)), "run `make docs`"


def test_every_line_that_the_program_prints_is_in_the_recording() -> None:
    picture = PICTURE.read_text(encoding="utf-8")
    shown = re.sub(r"\s+", "", unescape("".join(re.findall(r"<text[^>]*>([^<]*)</text>", picture))))
    lines = [line for line in printed(coloured=False).splitlines() if line.strip()]
    assert len(lines) > 80
    for line in lines:
        assert re.sub(r"\s+", "", line) in shown, line
