"""The three sides of an edit that waits: what the model quoted, what the file has, what is wanted there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from patchpoint.lsp import answers, arguments
from patchpoint.lsp.diagnostics import percent
from patchpoint.lsp.pending_edits import Look
from patchpoint.lsp.uris import name_of
from patchpoint.text.diff import unified_diff
from patchpoint.text.lines import LineTable, Span

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.progress import Work


async def compare_edit(
    session: PatchpointServer, given: arguments.CompareEdit, work: Work
) -> answers.ShownAnswer:
    """Open the three sides of a pending edit in the editor, as one document."""
    work.check()
    look = await session.pending.look(session.find_edit(given.edit))
    text = "\n".join(_sections(look))
    return answers.ShownAnswer(uri=await session.shown.show("three-sides.md", text))


def _sections(look: Look) -> Iterator[str]:
    edit, name = look.pending.edit, name_of(look.uri)
    wanted = edit.content if edit.content is not None else edit.replace
    yield f"# An edit of {name}\n\n{look.outcome.message}\n"
    yield f"## What the model quoted\n\n{_fenced(edit.search)}"
    places = list(_places(look))
    if look.table is None or not places:
        yield f"## What {name} has\n\nNothing that could be meant.\n"
    else:
        for title, span in places:
            here = _fenced(_text(look.table, span))
            yield f"## What {name} has, {_lines(look.table, span)}{title}\n\n{here}"
    yield f"## What the model wants there\n\n{_fenced(wanted)}"
    for _, span in places[:1]:
        if look.table is not None:
            difference = unified_diff(_text(look.table, span), wanted, name)
            yield f"## How the two differ\n\n{_fenced(difference, 'diff')}"


def _places(look: Look) -> Iterator[tuple[str, Span]]:
    """Where the edit goes, or could go, with how it is told apart."""
    if look.outcome.candidates:
        for number, candidate in enumerate(look.outcome.candidates, 1):
            yield f" (candidate {number}, {percent(candidate.similarity)} similar)", candidate.span
    elif look.outcome.span is not None:
        yield "", look.outcome.span


def _lines(table: LineTable, span: Span) -> str:
    first, last = table.line_of(span[0]) + 1, table.line_of(max(span[0], span[1] - 1)) + 1
    return f"line {first}" if first == last else f"lines {first} to {last}"


def _text(table: LineTable, span: Span) -> str:
    return table.text[slice(*span)]


def _fenced(text: str, language: str = "") -> str:
    """A text as Markdown shows it as it stands, whatever fences are in it."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    end = "" if text.endswith("\n") or not text else "\n"
    return f"{fence}{language}\n{text}{end}{fence}\n"
