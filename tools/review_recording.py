"""The recording of `patchpoint review` in README.md, of a real run in a terminal; `make docs` writes it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.cli.screen import screen_of
from tests.demo import agent
from tools.recording import animated
from tools.review_page import run

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "review.svg"

COLUMNS, ROWS = 104, 26
STEPS = (
    ("1 of 12", 3.0, ("y",)),
    ("2 of 12", 1.6, ("j", "j", "j", "j")),
    ("6 of 12", 1.6, ("c",)),
    ("Note for the model:", 0.8, ("half an hour is promised",)),
    ("half an hour is promised", 1.2, ("\r", "r")),
    ("7 of 12", 2.4, ("y", "y")),
    ("9 of 12", 1.2, ("/",)),
    ("Find:", 0.6, ("debug",)),
    ("debug", 0.8, ("\r",)),
    ("SESSION_TIMEOUT", 1.6, ("r",)),
    ("to revert 2", 3.0, ()),
)
"""What is on the screen, for how many seconds it is looked at, and which keys are pressed then."""


def events() -> Iterator[tuple[float, str]]:
    """Yield what a terminal is sent of a review, and at which second."""
    with tempfile.TemporaryDirectory() as folder:
        project, state = Path(folder) / "shop", Path(folder) / "state"
        project.mkdir()
        agent.write("before", project)
        run(project, "checkpoint", "before the agent", "--session", "chat", "--message", "1")
        agent.write("after", project)
        second = 0.0
        with screen_of(["review"], project, state, columns=COLUMNS, lines=ROWS) as screen:
            for shown, seconds, keys in STEPS:
                screen.until(shown)
                yield second, screen.sent()
                second += seconds
                screen.press(*keys)


if __name__ == "__main__":
    PICTURE.write_bytes(animated(events(), COLUMNS, ROWS))
