"""The recording in README.md, drawn from what `patchpoint demo` prints; `make docs` writes it.

A chapter is shown at once, for as long as it takes to read it. The result depends on the text alone.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from termtosvg.anim import render_animation
from termtosvg.asciicast import AsciiCastV2Event, AsciiCastV2Header
from termtosvg.config import default_templates
from termtosvg.term import timed_frames

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "demo.svg"

COLUMNS, ROWS = 84, 34
TEMPLATE = "window_frame"
TYPED = 0.06
"""Seconds for each character that is typed."""
LINE_READ = 0.28
"""Seconds for each line of a chapter."""
LAST_FRAME = 6000
"""Milliseconds until it begins again."""


def printed(*, coloured: bool) -> str:
    """Return what the demo prints, with the same folder and checkpoint id every time."""
    state = {"PYTHONIOENCODING": "utf-8", "FORCE_COLOR" if coloured else "NO_COLOR": "1"}
    inherited = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "NO_COLOR")}
    done = subprocess.run(
        [sys.executable, "-m", "patchpoint", "demo"],
        env=inherited | state | {"TERM": "xterm"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    text = re.sub(r"(?m)^( *)\S*[/\\]patchpoint-demo-\w+", r"\1/tmp/patchpoint-demo", done.stdout)
    text = re.sub(r"06[0-9a-z]{12}(?![0-9a-z])", "06agyjywetzqxa", text)
    styled = r"((?:\x1b\[[0-9;]*m)*)"
    listed = rf"(?m)^{styled}[0-9a-z]{{4}}{styled}  {styled}\d\d:\d\d"
    return re.sub(listed, r"\g<1>tzqx\g<2>  \g<3>08:35", text)


def events(text: str) -> Iterator[tuple[float, str]]:
    """Yield what a terminal is sent, and at which second: the command as it is typed, then each chapter."""
    second = 0.5
    yield 0.0, "\x1b[32m$\x1b[0m "
    for character in "patchpoint demo":
        second += TYPED
        yield second, character
    for chapter in re.split(r"(?=^(?:\x1b\[[0-9;]*m)?(?:\d\. |Now with))", text, flags=re.MULTILINE):
        second += 0.6
        yield second, f"\n{chapter}".replace("\n", "\r\n").removesuffix("\r\n")
        second += LINE_READ * chapter.count("\n")


def drawn(text: str) -> bytes:
    """Return the moving picture, as SVG, of a terminal in which the demo prints `text`."""
    return animated(events(text), COLUMNS, ROWS)


def animated(events: Iterable[tuple[float, str]], columns: int, rows: int) -> bytes:
    """Return the moving picture, as SVG, of a terminal that is sent texts at these seconds."""
    header = AsciiCastV2Header(2, columns, rows, None)
    records = [header, *(AsciiCastV2Event(second, "o", data, None) for second, data in events)]
    geometry, frames = timed_frames(records, last_frame_dur=LAST_FRAME)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made.svg"
        render_animation(frames, geometry, str(made), _template())
        return made.read_bytes() + b"\n"


def _template() -> bytes:
    """Return the template, in which what is bold has the colour that it has otherwise: its own are dim."""
    template: str = default_templates()[TEMPLATE].decode()
    colours = dict(re.findall(r"\.color(\d+) \{fill: (#\w+)\}", template))
    for number in range(9, 15):
        bright, plain = f".color{number} {{fill: ", colours[str(number - 8)]
        template = template.replace(f"{bright}{colours[str(number)]}", f"{bright}{plain}")
    return template.encode()


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_bytes(drawn(printed(coloured=True)))
