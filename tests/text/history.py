"""A file that two change in turn, and what it would be without one of them."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass
class Line:
    """A line of a file: who wrote it, and who deleted it."""

    text: str
    by: str
    gone_by: str = ""


class History:
    """A file that two of them change in turn, of which every line is remembered."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.count = 0
        self.lines = [self.line("") for _ in range(self.chance.randint(0, 30))]
        self.steps: list[tuple[str, str, str]] = []

    def line(self, by: str) -> Line:
        self.count += 1
        return Line(f"{by or 'file'} {self.count}\n", by)

    @property
    def text(self) -> str:
        return "".join(line.text for line in self.lines if not line.gone_by)

    def step(self, by: str) -> None:
        before = self.text
        for _ in range(self.chance.randint(1, 3)):
            place = self.chance.randint(0, len(self.lines))
            if self.chance.random() < 0.5:
                new = [self.line(by) for _ in range(self.chance.randint(1, 3))]
                self.lines[place:place] = new
            for line in self.lines[place : place + self.chance.randint(0, 2)]:
                line.gone_by = line.gone_by or by
        self.steps.append((by, before, self.text))

    def without(self, by: str) -> str:
        """What the file is if one of them never was there; lines that come back are where they were."""
        return "".join(line.text for line in self.lines if line.by != by and line.gone_by in ("", by))
