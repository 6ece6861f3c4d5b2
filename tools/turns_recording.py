"""The recording of `list`, `log` and `rewind` after 200 prompts of three agents, in docs/checkpoints.md.

`python -m tools.turns_recording` draws it, in some minutes, for it takes a thousand checkpoints; that is too
long for `make docs`.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from dulwich.repo import Repo

from patchpoint.hooks.take import HookCall, answer_each
from tests.cli.screen import screen_of
from tools.recording import animated

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "turns.svg"

COLUMNS, ROWS = 104, 26
PROMPTS = 200
ASKED = (
    "Add tests for the cart",
    "Fix the rounding of the total",
    "continue",
    "Rename Money to Amount, also in the documentation",
    "no, undo that",
    "Say in the README how prices are rounded",
    "Make the search faster",
)
EVENTS = {
    "claude": ("UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"),
    "codex": ("UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"),
    "gemini": ("BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent"),
}
STEPS = (
    ("$", 0.8, "patchpoint list\r"),
    ("Older ones: patchpoint list", 5.0, "clear; patchpoint log --agent codex --limit 6\r"),
    ("Older ones: patchpoint log", 5.0, "clear; patchpoint rewind\r"),
    ("1 of ", 3.0, "j"),
    ("2 of ", 1.5, "j"),
    ("3 of ", 1.5, "\t"),
    ("what a restore takes back", 3.0, "\r"),
    ("[y/N]", 3.0, "y\r"),
    ("To undo: patchpoint undo", 4.0, ""),
)
"""What is on the screen, for how many seconds it is looked at, and what is typed then."""


def events() -> Iterator[tuple[float, str]]:
    """Yield what a terminal is sent, and at which second."""
    with tempfile.TemporaryDirectory() as folder:
        project, state = Path(folder) / "shop", Path(folder) / "state"
        project.mkdir()
        Repo.init(str(project)).close()
        _work(project, Random(1))
        yield from shown(project, state)


def shown(project: Path, state: Path) -> Iterator[tuple[float, str]]:
    """Yield what a terminal is sent in a project, and at which second."""
    second = 0.0
    shell = ["PS1='$ ' exec bash --norc --noprofile -i"]
    with screen_of(shell, project, state, columns=COLUMNS, lines=ROWS, shell=True) as screen:
        for there, seconds, typed in STEPS:
            screen.until(there)
            yield second, screen.sent()
            second += seconds
            screen.press(typed)
        screen.press("exit\r")


def _work(project: Path, chance: Random) -> None:
    """Have three agents take turns in a project of a dozen files."""
    files = [project / f"{name}.py" for name in ("cart", "money", "order", "search", "stock", "tax")]
    for file in files:
        file.write_text("".join(f"{file.stem}_{number} = {number}\n" for number in range(40)))
    for number in range(PROMPTS):
        agent = chance.choice(sorted(EVENTS))
        begin, before, after, end = EVENTS[agent]
        _hook(project, agent, begin, prompt=chance.choice(ASKED), prompt_id=f"{number}")
        for _ in range(chance.choice((1, 1, 2))):
            file = chance.choice(files)
            tool = {"tool_name": "run_shell_command" if agent == "gemini" else "Bash"}
            step = {**tool, "tool_input": {"command": f"python -m edit {file.name}"}}
            _hook(project, agent, before, **step)
            lines = file.read_text().splitlines(keepends=True)
            at = chance.randrange(len(lines) - 2)
            lines[at : at + chance.randrange(3)] = [f"{file.stem} = {number}\n"] * chance.randint(1, 4)
            file.write_text("".join(lines))
            _hook(project, agent, after, **step)
        _hook(project, agent, end)


def _hook(project: Path, agent: str, event: str, **fields: object) -> None:
    sent = {"session_id": f"{agent}-1", "cwd": str(project), "hook_event_name": event, **fields}
    answer_each([HookCall(agent=agent, folder=str(project), sent=json.dumps(sent).encode(), wait=5)])


if __name__ == "__main__":
    PICTURE.write_bytes(animated(events(), COLUMNS, ROWS))
