"""The recording of `list`, `log` and `rewind` after 200 prompts of three agents, in docs/checkpoints.md.

`python -m tools.turns_recording` draws it, in some minutes, for it takes a thousand checkpoints; that is too
long for `make docs`.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from random import Random

from dulwich.repo import Repo

from patchpoint.hooks.take import HookCall, answer_each
from tools.recording import PICTURES, Recording, drawn

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
TURNS = Recording(
    PICTURES / "turns.svg",
    (104, 26),
    (
        (r"\$", "patchpoint list\r"),
        ("Older ones: patchpoint list", "clear; patchpoint log --agent codex --limit 6\r"),
        ("Older ones: patchpoint log", "clear; patchpoint rewind\r"),
        ("1 of ", "j"),
        ("2 of ", "j"),
        ("3 of ", "\t"),
        ("what a restore takes back", "\r"),
        (r"\[y/N\]", "y\r"),
        ("To undo: patchpoint undo", "exit\r"),
    ),
)


def turns() -> bytes:
    """Return the recording."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "shop"
        project.mkdir()
        Repo.init(str(project)).close()
        _work(project, Random(1))
        return drawn(TURNS, project)


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
    TURNS.picture.write_bytes(turns())
