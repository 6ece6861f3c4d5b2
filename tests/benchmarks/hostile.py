"""What input made to be slow costs: run `python -m tests.benchmarks.hostile [--patterns N]`.

Prints the time of a search text as large as its file, and of ignore patterns with many stars, each matched
against a long path that it nearly matches. `tests.benchmarks.server` has the open documents.
"""

from __future__ import annotations

import argparse
import random
import time
from statistics import median

from patchpoint import apply_edit
from patchpoint.git.ignore.rules import IgnoreRules, PathRules

CHARACTERS = 1_600_000
MOST_STARS = 6


def main() -> None:
    """Print every figure."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--patterns", type=int, default=10_000, help="ignore patterns (%(default)s)")
    given = options.parse_args()
    report_search()
    report_patterns(given.patterns, random.Random(20))


def report_search() -> None:
    """A search text as large as the file: three of its lines are not there, or all are spaced differently."""
    for name, line in (
        ("lines that are alike", "value = {0} + 1\n"),
        ("lines of one letter", "a\n"),
        ("lines of seven letters", "{2}\n"),
        ("lines that all differ", "line {1} of the file\n"),
    ):
        lines: list[str] = []
        size = 0
        while size < CHARACTERS:
            lines.append(line.format(len(lines) % 7, len(lines), "abcdefg"[len(lines) % 7]))
            size += len(lines[-1])
        for search in (
            "".join(lines[:-3]) + "something else\n" * 3,
            "".join(line.replace("\n", " \n") for line in lines),
            "".join(f" {line}" for line in lines),
        ):
            start = time.process_time()
            outcome = apply_edit("".join(lines), search, search + "more\n")
            took = time.process_time() - start
            how = outcome.rung.value if outcome.rung else outcome.status.value
            print(f"search of {len(search) / 1e6:.1f} MB, {name:<22} {took:6.2f} s  {how}")


def report_patterns(count: int, chance: random.Random) -> None:
    """Patterns of up to six stars, read and matched against a path of 200 characters."""
    took = []
    for _ in range(count):
        parts = [chance.choice(["*", "**/", "*a", "*/", "a", "?", "[ab]", "a*"]) for _ in range(9)]
        pattern = "".join(parts) + "b"
        while pattern.count("*") > MOST_STARS:
            pattern = pattern.replace("*", "", 1)
        path = "/".join("a" * chance.randint(1, 60) for _ in range(4)).encode()
        start = time.thread_time()
        rules = IgnoreRules().within(b"", f"{pattern}\n".encode())
        PathRules(rules, lambda _: None).ignores(path)
        took.append(time.thread_time() - start)
    print(f"{count} ignore patterns: median {median(took) * 1e3:.3f} ms, slowest {max(took) * 1e3:.2f} ms")


if __name__ == "__main__":
    main()
