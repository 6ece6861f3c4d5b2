"""The command lines that the pages show from nothing to the first applied edit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[2]

PROGRAMS = ("code", "make", "patchpoint", "pipx", "uv", "uvx")


def first_steps(page: str) -> str:
    """The part of a page that leads to the first applied edit."""
    text = re.sub("<!--.*?-->", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    if page == "README.md":
        return text.partition("## Quick start\n")[2].partition("\n## ")[0]
    return text[text.index("\n1. ") :].partition("\n| command |")[0]


def step_numbers(page: str) -> list[str]:
    """The numbers of the steps in that part."""
    return re.findall(r"^\d\. ", first_steps(page), re.MULTILINE)


def command_lines(page: str) -> Iterator[str]:
    """Every command line in that part: in a block of code, behind `or:` in its comment, in a sentence."""
    text = first_steps(page)
    for shown in re.findall(r"^(?: {4}|\$ )(\w.*)$", text, re.MULTILINE):
        line, _, comment = shown.partition(" # ")
        yield line.strip()
        yield from re.findall(r"or: (.*)$", comment)
    for span in re.findall(r"`([^`\n]+)`", re.sub(r"^( {4}|\$ ).*$", "", text, flags=re.MULTILINE)):
        if span.split()[0] in PROGRAMS and " " in span:
            yield span


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of code in that part."""
    return [
        dedent(block) for block in re.findall(rf"```{language}\n(.*?) *```", first_steps(page), re.DOTALL)
    ]
