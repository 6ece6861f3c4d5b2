"""The recordings in the pages: asciinema's, of the real program in a terminal, drawn as moving pictures.

`make docs` writes those in README.md. A picture depends on the text alone: what is on the screen stays for as
long as it takes to read what is new of it. See docs/decisions/recordings.md.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from pathlib import Path

from termtosvg.anim import render_animation
from termtosvg.asciicast import AsciiCastV2Event, AsciiCastV2Header
from termtosvg.config import default_templates
from termtosvg.term import timed_frames

from tests.cli.screen import in_terminal
from tests.demo import agent
from tools.review_page import run

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"

TEMPLATE = "window_frame"
LOOK, LINE_READ, LONGEST = 0.8, 0.25, 5.0
"""Seconds for each screen, for each line that is new on it, and for the longest of them."""
LAST_FRAME = 6000
"""Milliseconds until it begins again."""


@dataclass(frozen=True)
class Recording:
    """What is typed at a shell, in a terminal of that many columns and lines."""

    picture: Path
    size: tuple[int, int]
    steps: tuple[tuple[str, str], ...]
    """A pattern of what is on the screen, and the keys that are pressed then; the last ones are not shown."""


DEMO = Recording(
    PICTURES / "demo.svg",
    (80, 34),
    (
        (r"\$", "patchpoint demo\r"),
        *((rf"\n{number}\. .*q: quit\s*$", "\r") for number in range(1, 6)),
        (r"Now with.*\$\s*$", "exit\r"),
    ),
)
REVIEW = Recording(
    PICTURES / "review.svg",
    (104, 26),
    (
        (r"\$", "exec patchpoint review\r"),
        ("1 of 12", "y"),
        ("2 of 12", "jjjj"),
        ("6 of 12", "c"),
        ("Note for the model:", "half an hour is promised"),
        ("half an hour is promised", "\rr"),
        ("7 of 12", "yy"),
        ("9 of 12", "/"),
        ("Find:", "debug"),
        ("debug", "\r"),
        ("SESSION_TIMEOUT", "r"),
        ("to revert 2", "q"),
    ),
)


def demo() -> bytes:
    """Return the recording of `patchpoint demo`."""
    with tempfile.TemporaryDirectory() as folder:
        return drawn(DEMO, Path(folder))


def review() -> bytes:
    """Return the recording of `patchpoint review`, after an agent was at work."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "shop"
        project.mkdir()
        agent.write("before", project)
        run(project, "checkpoint", "before the agent", "--session", "chat", "--message", "1")
        agent.write("after", project)
        return drawn(REVIEW, project)


def drawn(recording: Recording, project: Path) -> bytes:
    """Return the moving picture, as SVG, of a recording that is made in a project now."""
    header = AsciiCastV2Header(2, *recording.size, None)
    events = (AsciiCastV2Event(second, "o", text, None) for second, text in recorded(recording, project))
    geometry, frames = timed_frames([header, *events], last_frame_dur=LAST_FRAME)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made.svg"
        render_animation(frames, geometry, str(made), _template())
        return made.read_bytes() + b"\n"


def recorded(recording: Recording, project: Path) -> Iterator[tuple[float, str]]:
    """Yield at which second a terminal is sent which text, with the same folder, ids and times every time."""
    columns, rows = recording.size
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment |= {
        "PATCHPOINT_STATE_HOME": str(project.parent / "state"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PS1": "\x1b[32m$\x1b[0m ",
        "TERM": "xterm-256color",
    }
    with tempfile.TemporaryDirectory() as folder:
        cast = Path(folder) / "made.cast"
        size = ["--cols", str(columns), "--rows", str(rows)]
        shell = ["--command", "bash --norc --noprofile --noediting -i"]
        words = [sys.executable, "-m", "asciinema", "rec", "--quiet", "--stdin", *size, *shell, str(cast)]
        seconds, before = [0.0], set[str]()
        with in_terminal(words, project, environment, recording.size) as screen:
            for shown, keys in recording.steps:
                screen.until(partial(_has, re.compile(shown, re.DOTALL)))
                screen.sent()
                lines = {line for line in screen.text.splitlines() if line}
                seconds.append(min(LOOK + LINE_READ * len(lines - before), LONGEST))
                before = lines
                screen.press(keys)
            screen.end()
        records = [json.loads(line) for line in cast.read_text(encoding="utf-8").splitlines()[1:]]
    ends = list(accumulate((len(keys) for _, keys in recording.steps), initial=0))
    texts, typed = [""] * len(ends), 0
    for _, kind, text in records:
        if kind == "i":
            typed += len(text)
        else:
            texts[bisect_left(ends, typed)] += text
    seconds[1] = 0.0  # the prompt alone is nothing to look at
    yield from zip(accumulate(seconds[:-1]), map(_steady, texts[:-1]), strict=True)


def _has(pattern: re.Pattern[str], text: str) -> bool:
    return pattern.search(text) is not None


def _steady(text: str) -> str:
    """Return what a terminal is sent, with one folder, id and time for those of today."""
    text = re.sub(r"(?m)^( *)\S*[/\\]patchpoint-demo-\w+", r"\1/tmp/patchpoint-demo", text)
    text = re.sub(r"06[0-9a-z]{12}(?![0-9a-z])", "06agyjywetzqxa", text)
    styled = r"((?:\x1b\[[0-9;]*m)*)"
    listed = rf"(?m)^{styled}[0-9a-z]{{4}}{styled}  {styled}\d\d:\d\d"
    return re.sub(listed, r"\g<1>tzqx\g<2>  \g<3>08:35", text)


def _template() -> bytes:
    """Return the template, in which what is bold has the colour that it has otherwise: its own are dim."""
    template: str = default_templates()[TEMPLATE].decode()
    colours = dict(re.findall(r"\.color(\d+) \{fill: (#\w+)\}", template))
    for number in range(9, 15):
        bright, plain = f".color{number} {{fill: ", colours[str(number - 8)]
        template = template.replace(f"{bright}{colours[str(number)]}", f"{bright}{plain}")
    return template.encode()


if __name__ == "__main__":
    DEMO.picture.write_bytes(demo())
    REVIEW.picture.write_bytes(review())
