"""Writes `docs/formats.md` from the examples; `python -m tests.formats.document` writes it anew."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.formats.examples import FOLDER, Example, examples

PAGE = Path(__file__).parents[2] / "docs" / "formats.md"

_SECTIONS = {
    "SEARCH/REPLACE blocks": (
        "search-replace",
        ("search-replace", "git-conflict"),
        """What to look for and what to put there, between markers. The path stands above the block,
inside or beside its fence, in a heading, in bold, behind `File:` or in the sentence before it; a block
that has none is for the file of the block before. Markers have three characters or more, are made of
`<`, `=`, `>` or of `-`, `=`, `+`, in any case, with the word glued to them or a `>` behind it;
`ORIGINAL` and `UPDATED` will do. An empty search text creates the file. `:start_line:` and `line=` are
hints that choose between equal finds, never evidence.

A line of the content that looks like a divider is told apart by its indentation or its length, or by
which reading's search text stands in the file; where that does not tell, the block is refused. A
backslash before such a line says that it is content.""",
    ),
    "Patch envelopes": (
        "envelope",
        ("envelope",),
        """The format of Codex's `apply_patch`: sections that add, update, move and delete files. Each
`@@` line names a scope (a line of the file above the change), outermost first; numbers there are hints.
A line without a sign is context. `*** End of File` says that the change ends the file. Lines without any
context are appended to the file; with a scope and nothing else they are refused, since they might go
anywhere below it. Prose or a fence may stand around, and the first line may be missing; a patch that
just stops is refused, since it may be cut off.""",
    ),
    "Patches in shell commands": (
        "shell",
        ("shell",),
        """`apply_patch` (or `applypatch`) with the patch as its here-document or its one argument,
alone or behind `cd FOLDER &&`, in a fence, alone, or as the words of `["bash", "-lc", …]`. The command
is read with a grammar of the shell and never run; one that does anything else is refused, with the
reason.""",
    ),
    "Unified and git diffs": (
        "unified-diff",
        ("unified-diff",),
        """Numbers are hints, counts are not believed, and both may be missing. New, deleted and renamed
files and modes are understood; copies, symbolic links, submodules and binary files are refused. A fence
of `diff` with nothing but changed lines is for the file that is named above it or beside it; where none
is, it is a sample.""",
    ),
    "Anchors": (
        "anchors",
        ("anchors",),
        """The lines before, the new text, the lines after: what stands between the two in the file is
replaced and never quoted. As data: `{"path", "before", "modified", "after"}`, texts or lists of lines.""",
    ),
    "Tool calls": (
        "tool-call",
        ("tool-call", "tool-tags"),
        """The calls that models make to editing tools, as JSON (in a fence, one a line, in tags, or
alone) or as tags (`<invoke name="Edit">`, `<function=…>`, `<replace_in_file>`). Keys are compared
without case, underscores and hyphens. The path may be called `path`, `file_path`, `target_file` and so
on; search and replacement `old_string` and `new_string`, `old_str` and `new_str`, `search` and
`replace`, `before` and `after`. Edits may be listed below `edits` or `replacements`, also as a JSON
text. `insert` at a line, `create`, `write`, `delete` and `rename` are understood; a call that only looks
is prose. JSON that is broken slightly is repaired, if the repair keeps every word. Only edits of tool
calls may name absolute paths.""",
    ),
    "Whole files": (
        "whole-file",
        ("whole-file",),
        """A fence is a whole file where the line above names the file and says that this is the
complete, full, whole or new one. A fence with a path beside its language creates that file, and never
overwrites one. Everything else is a sample and left alone; content with parts left out is refused. With
the format set to `wholeFile`, a path above the fence is enough.""",
    ),
}


def page() -> str:
    """The whole page."""
    return "\n".join(_page())


def _page() -> Iterator[str]:
    every = examples()
    by_name = {example.name: example for example in every}
    yield "# The formats that are understood"
    yield ""
    yield "Each is found by itself in the middle of prose and Markdown, several in one answer, also in"
    yield "quoted text. What is plainly meant as an edit and cannot be read as one is refused with its"
    yield "line and what was expected there. Everything else is prose. `format` names one when the others"
    yield "are not to be looked for."
    yield ""
    yield "This page is written from the tests' examples by `python -m tests.formats.document`."
    for title, (name, families, text) in _SECTIONS.items():
        yield ""
        yield f"## {title}"
        yield ""
        yield text
        yield ""
        yield from _fenced(by_name[name].answer)
        yield ""
        yield "| example | becomes |"
        yield "| --- | --- |"
        for example in every:
            if _family(example) in families:
                link = (FOLDER / f"{example.name}.txt").relative_to(PAGE.parents[1])
                yield f"| [{example.title}](../{link.as_posix()}) | {_becomes(example)} |"
    yield ""


def _family(example: Example) -> str:
    names = sorted((f for _, families, _ in _SECTIONS.values() for f in families), key=len, reverse=True)
    return next((name for name in names if example.name.startswith(name)), "")


def _becomes(example: Example) -> str:
    said = [re.sub(r" \(\w+, lines \d+ to \d+\)", "", line) for line in example.edits.splitlines()]
    return "<br>".join(line.replace("|", "\\|").replace("<", "&lt;") for line in said) or "prose"


def _fenced(answer: str) -> Iterator[str]:
    longest = max((len(signs) for signs in re.findall(r"`{3,}", answer)), default=2)
    yield "`" * (longest + 1) + "text"
    yield answer.rstrip("\n")
    yield "`" * (longest + 1)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
