"""`patchpoint explain`: what decides about each edit of an answer. Nothing is written."""

from __future__ import annotations

import argparse
from pathlib import Path

from patchpoint.cli.answers.answer_text import read_answer_text, read_edits
from patchpoint.cli.answers.feedback import no_edit_message
from patchpoint.cli.output import print_json, print_table
from patchpoint.cli.stores import require_folder, settings_in, watching
from patchpoint.cli.terminal import DONE, REFUSED, WRONG_USAGE, CommandError, Terminal
from patchpoint.headless.apply import FolderRequest, plan_in_folders
from patchpoint.headless.explanation import EditExplained, ExplainResult, PlaceExplained, explained
from patchpoint.outcome import Status, percent


def explain(options: argparse.Namespace, terminal: Terminal) -> int:
    """Print, for each edit of an answer or for one of them, what decides about it."""
    require_folder(options.root)
    text = read_answer_text(options.answer or "-")
    ladder = settings_in(options.root).ladder(None, None)
    roots = (options.root.resolve(),)
    with watching() as progress:
        answer = read_edits(options, text, roots, ladder, progress)
        if not answer.edits:
            raise CommandError(no_edit_message(answer.unplaced, text), "no-edit", REFUSED)
        if options.edit is not None and not 1 <= options.edit <= len(answer.edits):
            raise CommandError(f"There is no edit {options.edit}.", "no-such-edit", WRONG_USAGE)
        asked = FolderRequest(edits=answer.edits, roots=roots, base=Path.cwd(), ladder=ladder)
        planned = plan_in_folders(asked, progress)
        wanted = range(len(answer.edits)) if options.edit is None else [options.edit - 1]
        found = [one for index in wanted if (one := explained(planned, index)) is not None]
    if options.json:
        print_json(terminal, ExplainResult(edits=tuple(found)))
        return DONE
    for one in found:
        _print_edit(terminal, one)
    if not found:
        terminal.line("Nothing is looked for: no edit quotes a text of a file that is there.")
    return DONE


def _print_edit(terminal: Terminal, one: EditExplained) -> None:
    fate = "would be applied" if one.status is Status.MATCHED else one.status.value
    terminal.line(f"edit {one.edit}  {one.path}  {fate}")
    for sentence in dict.fromkeys((one.message, *one.why.splitlines())):
        terminal.line(f"  {sentence}")
    rows = [("  evidence", "", "found")]
    if one.rung is not None:
        rows.append(("  rung", "", one.rung.value))
    rows += [("  place", _share(place), _lines(place)) for place in one.places]
    rows += [
        (f"  {guard.name}", "a look settles it" if guard.is_settled_by_a_look else "refuses", guard.found)
        for guard in one.guards
    ]
    print_table(terminal, rows)
    for line in one.diff.splitlines():
        terminal.line(f"  {line}")


def _share(place: PlaceExplained) -> str:
    return f"{percent(place.similarity)} % similar" if place.similarity is not None else ""


def _lines(place: PlaceExplained) -> str:
    lines = f"lines {place.first_line} to {place.last_line}"
    named = f"line {place.first_line}" if place.first_line == place.last_line else lines
    return f"{named} {place.where}".strip()
