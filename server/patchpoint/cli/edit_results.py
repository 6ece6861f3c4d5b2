"""The result of applying edits, as a table for a person."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.edit import Edit, Malformed, ObjectionCode
from patchpoint.outcome import Reason, Rung, Status, percent
from patchpoint.wording import plural

if TYPE_CHECKING:
    from patchpoint.cli.terminal import Terminal
    from patchpoint.edit import TurnRead, Unplaced
    from patchpoint.headless.result import ApplyResult, TakenBefore
    from patchpoint.outcome import Outcome


_MARKS = {
    Status.APPLIED: ("✓", "green"),
    Status.REVERTED: ("✓", "green"),
    Status.MATCHED: ("✓", "green"),
    Status.ALREADY_APPLIED: ("=", "dim"),
    Status.AMBIGUOUS: ("?", "yellow"),
    Status.HELD: ("◦", "yellow"),
    Status.PROPOSED: ("?", "yellow"),
}
_REFUSED = ("✗", "red")
_DIFFERENCE = {"-": ("red",), "+": ("green",)}

_MOST_LISTED = 20
"""So many of the blocks that are not carried out are listed; a transcript may have thousands."""

_MOST_CHOICES = 12
"""Places of an edit that are listed to choose from."""

_MOST_PLACES = 6
"""Other places of a proposal that are named on its line."""

_WORDS = {
    Status.ALREADY_APPLIED: "already there",
    Status.NOT_FOUND: "not found",
    Status.HELD: "held back",
}


def print_result(terminal: Terminal, result: ApplyResult) -> None:
    """Print one line for each edit, and the candidates of those that a person has to decide."""
    width = max(len(_place(result, outcome)) for outcome in result.outcomes)
    for outcome in result.outcomes:
        _print_outcome(terminal, result, outcome, width)
    for line in left_alone(result.unplaced, result.turn):
        terminal.line(terminal.paint(f"- {line}", "dim"))
    if result.dry_run:
        for change in result.changes:
            terminal.line()
            terminal.diff(result.diff(change))
    terminal.line()
    verb = f"{'would be ' if result.dry_run else ''}{'reverted' if result.reverting else 'applied'}"
    total = len(result.outcomes)
    colour = "green" if result.applied == total else "yellow"
    terminal.line(terminal.paint(f"{result.applied} of {plural(total, 'edit')} {verb}", "bold", colour))
    for taken in (one for one in result.checkpoints if one.holds_changed):
        back = f"Go back with: patchpoint restore {taken.checkpoint.id}{_root_option(taken)}"
        terminal.line(terminal.paint(back, "dim"))
    _print_remedies(terminal, result)


def left_alone(unplaced: Sequence[Unplaced], turn: TurnRead) -> Iterator[str]:
    """Yield a line for each thing in an answer that is not carried out; what the user said is in one."""
    if turn.count == 1 and not unplaced:
        return
    from patchpoint.schema.edits import reading_remark

    remark = reading_remark(turn, unplaced)
    if remark:
        yours = [str(one.line) for one in unplaced if _is_yours(one)]
        where = f" ({'line' if len(yours) == 1 else 'lines'} {', '.join(yours)})" if yours else ""
        yield f"{remark}{where}{'; --turn N reads another' if turn.count > 1 else ''}"
    others = sorted((one for one in unplaced if not _is_yours(one)), key=lambda one: one.objection is None)
    for one in others[:_MOST_LISTED]:
        yield f"{'no edit' if one.objection is None else 'left alone'}: {one.message}"
    if len(others) > _MOST_LISTED:
        yield f"and {plural(len(others) - _MOST_LISTED, 'block')} more, all of them with --json"


def _is_yours(one: Unplaced) -> bool:
    return one.objection is not None and one.objection.code is ObjectionCode.NOT_SAID_BY_THE_MODEL


def _root_option(taken: TakenBefore) -> str:
    """Return the option with which a command finds a checkpoint; nothing where it needs none."""
    here, root = Path.cwd(), taken.root
    if taken.is_found_from(here):
        return ""
    return f" --root {shlex.quote(str(root.relative_to(here) if root.is_relative_to(here) else root))}"


def _print_outcome(terminal: Terminal, result: ApplyResult, outcome: Outcome, width: int) -> None:
    mark, colour = _MARKS.get(outcome.status, _REFUSED)
    word = terminal.paint(_word(result, outcome), colour)
    place = _place(result, outcome).ljust(width)
    terminal.line(f"{terminal.paint(mark, colour)} {outcome.index + 1:>2}  {place}  {word}{_how(outcome)}")
    # why it is not certain; what the model could do about it is not for the person
    message = outcome.proposal.why if outcome.proposal is not None else outcome.message
    for sentence in (*(() if outcome.matched else (message,)), *outcome.notes):
        for line in sentence.splitlines():
            terminal.line(f"      {line}")
    shown = outcome.proposal.diff if outcome.proposal is not None else _nearest(result, outcome)
    for line in shown.splitlines():
        terminal.line(f"      {terminal.paint(line, *_DIFFERENCE.get(line[:1], ()))}")
    if outcome.status is Status.AMBIGUOUS:
        for number, candidate in enumerate(outcome.candidates[:_MOST_CHOICES], 1):
            first = candidate.preview.strip().partition("\n")[0]
            label = terminal.paint(f"{number})", "bold")
            where = f"  {candidate.where}" if candidate.where else ""
            terminal.line(f"      {label} line {candidate.line}{where}  {terminal.paint(first, 'dim')}")
        more = len(outcome.candidates) - _MOST_CHOICES
        if more > 0:
            terminal.line(f"      and {plural(more, 'place')} more, all of them with --json")


def _word(result: ApplyResult, outcome: Outcome) -> str:
    if outcome.status is Status.MATCHED:
        return f"would be {'reverted' if result.reverting else 'applied'}"
    return _WORDS.get(outcome.status, str(outcome.status.value))


def _nearest(result: ApplyResult, outcome: Outcome) -> str:
    """Return the nearest place of an edit that was not found, compared with what it quotes."""
    edit, target = result.request.edit_at(outcome.index), result.request.targets.get(outcome.path)
    if outcome.reason is None or isinstance(edit, Malformed) or target is None or target.text is None:
        return ""
    from patchpoint.patching.feedback import nearest_place

    return nearest_place(target.text, edit, outcome)


def _how(outcome: Outcome) -> str:
    """Return how the place was found, or nothing if it was found exactly."""
    if outcome.rung is None or outcome.rung is Rung.EXACT:
        return ""
    if outcome.rung is Rung.SIMILARITY and outcome.similarity is not None:
        return f" (similarity {percent(outcome.similarity)}%)"
    return f" ({outcome.rung.value})"


def _place(result: ApplyResult, outcome: Outcome) -> str:
    table, span = result.table_before(outcome.path), outcome.span
    if table is None or span is None:
        return outcome.path or "(no path)"
    return f"{outcome.path}:{table.line_of(span[0]) + 1}"


def _print_remedies(terminal: Terminal, result: ApplyResult) -> None:
    ambiguous = [one for one in result.outcomes if one.status is Status.AMBIGUOUS and one.candidates]
    if ambiguous:
        example = f"--choose {ambiguous[0].index + 1}:1"
        terminal.line(terminal.paint(f"Choose a place, for example with {example}", "dim"))
    proposals = [one.proposal for one in result.outcomes if one.proposal is not None]
    if proposals:
        confirmed = " --allow-executing-files" if any(one.starts_programs for one in proposals) else ""
        ids = ",".join(one.id for one in proposals)
        terminal.line(terminal.paint(f"Apply as shown with --accept {ids}{confirmed}", "dim"))
    for one in result.outcomes:
        if one.proposal is not None and one.reason is Reason.NEW_ALONE:
            places = [f"{number} {each.where}" for number, each in enumerate(one.candidates, 1)]
            shown = ", ".join([*places[:_MOST_PLACES], *(["..."] if places[_MOST_PLACES:] else [])])
            terminal.line(terminal.paint(f"Put it elsewhere with --choose {one.index + 1}:N: {shown}", "dim"))
    breaking = [one for one in result.outcomes if one.reason is Reason.BREAKS_SYNTAX]
    if breaking:
        example = f"--choose {breaking[0].index + 1}:1"
        terminal.line(
            terminal.paint(f"Apply an edit although it breaks a file, for example with {example}", "dim")
        )
    if any(one.status is Status.HELD for one in result.outcomes):
        terminal.line(terminal.paint("Apply only the others with --atomic edit", "dim"))
    insisted = next(_insistences(result), None)
    if insisted is not None:
        terminal.line(terminal.paint(f"Apply it anyway, for example with --include {insisted}", "dim"))


def _insistences(result: ApplyResult) -> Iterator[str]:
    """Yield what `--include` takes for each edit that is left alone, or refused for what the answer says."""
    edits = (result.request.edit_at(outcome.index) for outcome in result.outcomes)
    for edit in edits:
        if isinstance(edit, Edit) and edit.objection is not None:
            yield shlex.quote(edit.objection.name) if edit.objection.name else str(edit.objection.line)
    for one in result.unplaced:
        if one.objection is not None:
            yield shlex.quote(one.objection.name) if one.objection.name else str(one.line)
