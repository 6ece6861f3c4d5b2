"""The page `docs/formats.md`, made from `SECTIONS` and the examples; `make docs` writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.formats.examples import FOLDER, Example, examples
from tools.format_sections import SECTIONS as OF_FORMATS
from tools.format_sections import Section

SECTIONS = tuple(section for sections in OF_FORMATS.values() for section in sections)
PAGE = Path(__file__).parents[1] / "docs" / "formats.md"


def page() -> str:
    """Return the whole page."""
    return "\n".join(_page())


def _page() -> Iterator[str]:
    every = examples()
    by_name = {example.name: example for example in every}
    yield "# The formats that are understood"
    yield ""
    yield "Each is found by itself in the middle of prose and Markdown, several in one answer, also in"
    yield "quoted text. What is plainly meant as an edit and cannot be read as one is refused with its"
    yield "line and what was expected there. Everything else is prose, reasoning (`<think>`, a channel of"
    yield "its own) included. `format` names one when the others are not to be looked for."
    yield ""
    yield "This page is written from the tests' examples by `make docs`."
    for section in SECTIONS:
        yield ""
        yield f"## {section.title}"
        yield ""
        yield section.description
        yield ""
        yield from _fenced(by_name[section.examples[0]].answer)
        yield ""
        yield "| example | becomes |"
        yield "| --- | --- |"
        for example in every:
            if _section_of(example) is section:
                link = (FOLDER / f"{example.name}.txt").relative_to(PAGE.parents[1])
                yield f"| [{example.title}](../{link.as_posix()}) | {_becomes(example)} |"
    yield ""


def _section_of(example: Example) -> Section | None:
    """Return the section whose examples have the longest common beginning with the name of this one."""
    fitting = [
        (len(prefix), section)
        for section in SECTIONS
        for prefix in section.examples
        if example.name.startswith(prefix)
    ]
    return max(fitting, key=lambda each: each[0], default=(0, None))[1]


def _becomes(example: Example) -> str:
    lines = [re.sub(r" \(\w+, lines \d+ to \d+\)", "", line) for line in example.edits.splitlines()]
    return "<br>".join(line.replace("|", "\\|").replace("<", "&lt;") for line in lines) or "prose"


def _fenced(answer: str) -> Iterator[str]:
    longest = max((len(signs) for signs in re.findall(r"`{3,}", answer)), default=2)
    yield "`" * (longest + 1) + "text"
    yield answer.rstrip("\n")
    yield "`" * (longest + 1)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
