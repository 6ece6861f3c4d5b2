"""The definitions of a text as lines: what the grammars and the patterns of headers both say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, eq=False)
class Definition:
    """One definition, or a whole text, in 0-based numbers of lines; ends are exclusive."""

    name: str
    """What it is called by within the definition around it; empty for a whole text."""
    lead: int
    """Where the comments and decorators right above it begin."""
    start: int
    end: int
    header: str = ""
    """Its decorators and its head, without white space."""
    is_container: bool = False
    """It holds members that may be shown one by one, as a class does."""
    children: tuple[Definition, ...] = field(default=(), repr=False)

    @property
    def is_text(self) -> bool:
        """Whether it is a whole text."""
        return not self.name

    def walk(self) -> Iterator[Definition]:
        """Yield this definition and all within it, outermost first."""
        yield self
        for child in self.children:
            yield from child.walk()

    def names(self, prefix: str = "") -> Iterator[str]:
        """Yield the qualified names of all definitions within it."""
        for child in self.children:
            name = f"{prefix}{child.name}"
            yield name
            yield from child.names(f"{name}\0")


def indentation_of(line: str) -> str:
    """Return the white space that a line begins with."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def is_comment(line: str, signs: Sequence[str]) -> bool:
    """Return whether a line is wholly a comment, given the signs that comments begin with."""
    return line.lstrip().startswith(tuple(signs))


def lead_above(
    lines: Sequence[str], start: int, signs: Sequence[str], lowest: int, excluded: frozenset[int]
) -> int:
    """Return where the comments right above line `start` begin, `lowest` at the least.

    The lines in `excluded` are no comments.
    """
    first = start
    while first > lowest and first - 1 not in excluded:
        above = lines[first - 1].strip()
        if above.startswith(tuple(signs)) and not above.startswith(("/*", "#!")):
            first -= 1
            continue
        if above.endswith("*/") and "/*" in signs:
            opening = first - 1
            while opening > lowest and not lines[opening].lstrip().startswith("/*"):
                if opening in excluded:
                    return first
                opening -= 1
            if lines[opening].lstrip().startswith("/*"):
                first = opening
                continue
        break
    return first
