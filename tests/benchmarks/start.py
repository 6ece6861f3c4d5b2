"""What a command takes from its start to its end: `python -m tests.benchmarks.start [--rounds 9]`.

Starts, in turns so that all meet the same noise, the bare interpreter, commands of Patchpoint and two of
git's in a repository of some files, and prints the processor time of each (least and median), how many times
that of the interpreter it is, the modules that were loaded (all of them, and Patchpoint's), and the patterns
that were compiled. Each does real work: `undo` undoes a restore, `hook` and `apply` take a checkpoint. No
hook leaves a process behind that would answer the next one, as the first in ten minutes finds it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from patchpoint.filesystem.user_state import OVERRIDE
from patchpoint.hooks.sharing.stay import STAY_VARIABLE
from tests.loading import Loaded, loaded_by

_FILES = 40
_BARE = (sys.executable, "-c", "pass")
_PATCHPOINT = (sys.executable, "-m", "patchpoint")
_GIT = ("git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org")
_COMMANDS: tuple[tuple[str, ...], ...] = (
    ("--version",),
    ("--help",),
    ("list",),
    ("undo",),
    ("hook", "claude"),
    ("apply", "answer.md"),
)
_OTHERS = (("git", "log", "-1"), ("git", "status"))


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description="Measure what commands take from their start to their end.")
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    # Without bytecode each start would compile what it loads.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory(prefix="patchpoint-bench-") as folder:
        os.environ[OVERRIDE] = os.fspath(Path(folder, "state"))
        os.environ[STAY_VARIABLE] = "0"
        root = project(Path(folder, "project"))
        programs = [
            _BARE,
            *((*_PATCHPOINT, *words) for words in _COMMANDS),
            *_OTHERS,
        ]
        taken: dict[Sequence[str], list[float]] = {program: [] for program in programs}
        for turn in range(rounds + 1):
            for program in programs:
                used = processor_ms(root, program, turn)
                if turn:  # the first one writes the bytecode
                    taken[program].append(used)
        loaded = {words: loaded_in(root, words) for words in _COMMANDS}
        show(taken, loaded)


def project(root: Path) -> Path:
    """Make a repository with a checkpoint, and an answer with one edit to apply."""
    (root / "till").mkdir(parents=True)
    for number in range(_FILES):
        lines = (f"def total_{line}(a, b):\n    return a + b * {line}\n\n\n" for line in range(_FILES))
        (root / f"till/tax{number}.py").write_text("".join(lines))
    (root / "answer.md").write_text(
        "till/tax7.py\n```python\n<<<<<<< SEARCH\n    return a + b * 7\n=======\n    return a - b * 7\n"
        ">>>>>>> REPLACE\n```\n"
    )
    for words in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "Start"]):
        subprocess.run([*_GIT, *words], cwd=root, check=True)
    subprocess.run([*_PATCHPOINT, "checkpoint"], cwd=root, check=True, stdout=subprocess.DEVNULL)
    return root


def restored(root: Path) -> None:
    """Restore a checkpoint, so that the last operation is one that can be undone."""
    with (root / "till/tax3.py").open("a") as file:
        file.write("half done\n")
    subprocess.run([*_PATCHPOINT, "restore", "last"], cwd=root, check=True, stdout=subprocess.DEVNULL)


def processor_ms(root: Path, program: Sequence[str], turn: int) -> float:
    """Run a program to its end and return the processor time that it took, in milliseconds."""
    tax = root / "till/tax7.py"
    tax.write_text(tax.read_text().replace("a - b * 7\n", "a + b * 7\n"))
    if "undo" in program:
        restored(root)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(program, cwd=root, input=sent(root, program, turn), stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(program)} failed")
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def sent(root: Path, program: Sequence[str], turn: int) -> bytes:
    """Return what Claude Code sends before a turn, for the hook; nothing for another program."""
    if "hook" not in program:
        return b""
    fields = {"hook_event_name": "UserPromptSubmit", "session_id": "bench", "prompt_id": f"turn-{turn}"}
    return json.dumps({**fields, "prompt": "Round the tax half up", "cwd": os.fspath(root)}).encode()


def loaded_in(root: Path, words: Sequence[str]) -> Loaded:
    """Return what a command loads."""
    processor_ms(root, _BARE, 0)  # the file is as the answer expects it
    if "undo" in words:
        restored(root)
    return loaded_by(root, *words, sent=sent(root, words, 0))


def show(taken: dict[Sequence[str], list[float]], loaded: dict[tuple[str, ...], Loaded]) -> None:
    """Print the table."""
    bare = taken[_BARE]
    print("processor time, in ms  least  median  of bare  modules  Patchpoint's  patterns")
    for program, times in taken.items():
        words = tuple(program[3:]) if "patchpoint" in program else ()
        name = " ".join(
            ("patchpoint", *words) if words else ("python -c pass",) if program == _BARE else program
        )
        counts = loaded.get(words)
        numbers = f"{counts.modules:9}{counts.own:14}{counts.patterns:10}" if counts else ""
        ratio = statistics.median(times) / statistics.median(bare)
        print(f"{name:22}{min(times):6.1f}{statistics.median(times):8.1f}{ratio:8.1f}x{numbers}")


if __name__ == "__main__":
    main()
