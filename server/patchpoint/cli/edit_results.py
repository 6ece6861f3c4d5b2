"""The result of applying edits, as a table for a person and in the shapes of the protocol."""

from __future__ import annotations

from dataclasses import dataclass

from patchpoint.checkpoints.record.checkpoint import Checkpoint
from patchpoint.cli.terminal import Terminal
from patchpoint.edit import Malformed
from patchpoint.outcome import Outcome, Reason, Rung, Status, percent
from patchpoint.patching.feedback import nearest_place
from patchpoint.patching.plan import PlannedChange
from patchpoint.schema.checkpoints import checkpoint_data
from patchpoint.schema.edits import outcome_data
from patchpoint.schema.responses import EditsResult, FileChangeData, OutcomeData
from patchpoint.schema.uris import uri_of
from patchpoint.text.lines import LineTable
from patchpoint.text.positions import Unit
from patchpoint.text.unified_diff import unified_diff
from patchpoint.wording import plural
from patchpoint.workspace.history.applications import Application
from patchpoint.workspace.request import ResolvedRequest

_MARKS = {
    Status.APPLIED: ("✓", "green"),
    Status.REVERTED: ("✓", "green"),
    Status.MATCHED: ("✓", "green"),
    Status.ALREADY_APPLIED: ("=", "dim"),
    Status.AMBIGUOUS: ("?", "yellow"),
    Status.HELD: ("◦", "yellow"),
}
_REFUSED = ("✗", "red")
_DIFFERENCE = {"-": ("red",), "+": ("green",)}

_WORDS = {
    Status.ALREADY_APPLIED: "already there",
    Status.NOT_FOUND: "not found",
    Status.HELD: "held back",
}


@dataclass(frozen=True, slots=True)
class ApplyResult:
    """The result of a request, applied or planned."""

    request: ResolvedRequest
    outcomes: tuple[Outcome, ...]
    changes: tuple[PlannedChange, ...]
    application: Application | None
    """The record by which it can be reverted."""
    checkpoint: Checkpoint | None
    """The checkpoint that was taken before."""
    dry_run: bool
    reverting: bool = False
    """An application is reverted."""

    @property
    def applied(self) -> int:
        """The number of edits that were applied, or would be."""
        return sum(
            outcome.status in (Status.APPLIED, Status.REVERTED, Status.MATCHED) for outcome in self.outcomes
        )

    def table_before(self, name: str) -> LineTable | None:
        """Return the lines of a file before the edits."""
        target = self.request.targets.get(name)
        return LineTable.of(target.text) if target is not None and target.text is not None else None

    def table_after(self, name: str) -> LineTable | None:
        """Return the lines of a file after the edits."""
        for change in self.changes:
            if change.path == name:
                return LineTable.of(change.after) if change.after is not None else None
        return self.table_before(name)

    def diff(self, change: PlannedChange) -> str:
        """Return the unified diff of one file."""
        disk = self.request.targets[change.path].disk
        return unified_diff(
            change.before,
            change.after,
            change.path,
            change.new_path,
            mode=disk.mode if disk is not None else None,
            new_mode=change.mode,
        )


def print_result(terminal: Terminal, result: ApplyResult) -> None:
    """Print one line for each edit, and the candidates of those that a person has to decide."""
    width = max(len(_place(result, outcome)) for outcome in result.outcomes)
    for outcome in result.outcomes:
        _print_outcome(terminal, result, outcome, width)
    if result.dry_run:
        for change in result.changes:
            terminal.line()
            terminal.diff(result.diff(change))
    terminal.line()
    verb = f"{'would be ' if result.dry_run else ''}{'reverted' if result.reverting else 'applied'}"
    total = len(result.outcomes)
    colour = "green" if result.applied == total else "yellow"
    terminal.line(terminal.paint(f"{result.applied} of {plural(total, 'edit')} {verb}", "bold", colour))
    if result.checkpoint is not None:
        terminal.line(terminal.paint(f"Go back with: patchpoint restore {result.checkpoint.id}", "dim"))
    _print_remedies(terminal, result)


def edits_result(result: ApplyResult) -> EditsResult:
    """Return `result` in the shape of the protocol; positions count characters."""
    return EditsResult(
        applied=not result.dry_run and bool(result.changes),
        application=result.application.id if result.application else None,
        edits=tuple(_outcome_data(result, outcome) for outcome in result.outcomes),
        files=tuple(_change_data(result, change) for change in result.changes),
        checkpoint=checkpoint_data(result.checkpoint) if result.checkpoint else None,
    )


def _print_outcome(terminal: Terminal, result: ApplyResult, outcome: Outcome, width: int) -> None:
    mark, colour = _MARKS.get(outcome.status, _REFUSED)
    word = terminal.paint(_word(result, outcome), colour)
    place = _place(result, outcome).ljust(width)
    terminal.line(f"{terminal.paint(mark, colour)} {outcome.index + 1:>2}  {place}  {word}{_how(outcome)}")
    message = () if outcome.matched else (outcome.message,)
    for sentence in (*message, *outcome.notes):
        for line in sentence.splitlines():
            terminal.line(f"      {line}")
    for line in _nearest(result, outcome).splitlines():
        terminal.line(f"      {terminal.paint(line, *_DIFFERENCE.get(line[:1], ()))}")
    if outcome.status is Status.AMBIGUOUS:
        for number, candidate in enumerate(outcome.candidates, 1):
            first = candidate.preview.strip().partition("\n")[0]
            label = terminal.paint(f"{number})", "bold")
            terminal.line(f"      {label} line {candidate.line}  {terminal.paint(first, 'dim')}")


def _word(result: ApplyResult, outcome: Outcome) -> str:
    if outcome.status is Status.MATCHED:
        return f"would be {'reverted' if result.reverting else 'applied'}"
    return _WORDS.get(outcome.status, str(outcome.status.value))


def _nearest(result: ApplyResult, outcome: Outcome) -> str:
    """Return the nearest place of an edit that was not found, compared with what it quotes."""
    edit, target = result.request.edit_at(outcome.index), result.request.targets.get(outcome.path)
    if isinstance(edit, Malformed) or target is None or target.text is None:
        return ""
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
        terminal.line(terminal.paint(f"Choose a place with {example}, for instance", "dim"))
    breaking = [one for one in result.outcomes if one.reason is Reason.BREAKS_SYNTAX]
    if breaking:
        example = f"--choose {breaking[0].index + 1}:1"
        terminal.line(terminal.paint(f"Apply what would break a file with {example}, for instance", "dim"))
    if any(one.status is Status.HELD for one in result.outcomes):
        terminal.line(terminal.paint("Apply only the others with --atomic edit", "dim"))


def _outcome_data(result: ApplyResult, outcome: Outcome) -> OutcomeData:
    return outcome_data(
        outcome,
        edit_id=result.request.id_of(outcome.index),
        uri=_uri(result, outcome.path),
        before=result.table_before(outcome.path),
        after=result.table_after(outcome.path),
        unit=Unit.UTF_32,
    )


def _change_data(result: ApplyResult, change: PlannedChange) -> FileChangeData:
    return FileChangeData(
        uri=_uri(result, change.path),
        operation=change.operation,
        new_uri=_uri(result, change.new_path) if change.new_path is not None else None,
        diff=result.diff(change),
    )


def _uri(result: ApplyResult, name: str) -> str:
    target = result.request.targets.get(name)
    return uri_of(target.resolved.path) if target is not None and target.resolved is not None else ""
