"""What became of the edits of a request, as a person reads it."""

from __future__ import annotations

from dataclasses import dataclass

from patchpoint.applications import Application
from patchpoint.checkpoints.checkpoint import Checkpoint
from patchpoint.cli.terminal import Terminal, plural
from patchpoint.outcome import Outcome, Rung, Status, percent
from patchpoint.plan import FileChange
from patchpoint.text.diff import unified_diff
from patchpoint.text.lines import LineTable
from patchpoint.workspace import Request

_MARKS = {
    Status.APPLIED: ("✓", "green"),
    Status.MATCHED: ("✓", "green"),
    Status.ALREADY_APPLIED: ("=", "dim"),
    Status.AMBIGUOUS: ("?", "yellow"),
    Status.HELD: ("◦", "yellow"),
}
_REFUSED = ("✗", "red")

_WORDS = {
    Status.ALREADY_APPLIED: "already there",
    Status.NOT_FOUND: "not found",
    Status.HELD: "held back",
    Status.MATCHED: "would be applied",
}


@dataclass(frozen=True, slots=True)
class Done:
    """What a request did, or would do."""

    request: Request
    outcomes: tuple[Outcome, ...]
    changes: tuple[FileChange, ...]
    application: Application | None
    """The record by which it can be taken back."""
    checkpoint: Checkpoint | None
    """The one that was taken before."""
    dry_run: bool

    @property
    def applied(self) -> int:
        """How many edits landed, or would."""
        return sum(outcome.status in (Status.APPLIED, Status.MATCHED) for outcome in self.outcomes)

    def table_before(self, name: str) -> LineTable | None:
        """The lines of a file as the edits found it."""
        target = self.request.targets.get(name)
        return LineTable.of(target.text) if target is not None and target.text is not None else None

    def table_after(self, name: str) -> LineTable | None:
        """The lines of a file as the edits leave it."""
        for change in self.changes:
            if change.path == name:
                return LineTable.of(change.after) if change.after is not None else None
        return self.table_before(name)

    def diff(self, change: FileChange) -> str:
        """The unified diff of one file."""
        disk = self.request.targets[change.path].disk
        return unified_diff(
            change.before,
            change.after,
            change.path,
            change.new_path,
            mode=disk.mode if disk is not None else None,
            new_mode=change.mode,
        )


def say_done(terminal: Terminal, done: Done) -> None:
    """One line for each edit, with what a person needs to decide where there is something to decide."""
    width = max(len(_place(done, outcome)) for outcome in done.outcomes)
    for outcome in done.outcomes:
        _say_outcome(terminal, done, outcome, width)
    if done.dry_run:
        for change in done.changes:
            terminal.line()
            terminal.diff(done.diff(change))
    terminal.line()
    verb = "would be applied" if done.dry_run else "applied"
    total = len(done.outcomes)
    colour = "green" if done.applied == total else "yellow"
    terminal.line(terminal.paint(f"{done.applied} of {plural(total, 'edit')} {verb}", "bold", colour))
    if done.checkpoint is not None:
        terminal.line(terminal.paint(f"Go back with: patchpoint restore {done.checkpoint.id}", "dim"))
    _say_remedies(terminal, done)


def _say_outcome(terminal: Terminal, done: Done, outcome: Outcome, width: int) -> None:
    mark, colour = _MARKS.get(outcome.status, _REFUSED)
    word = terminal.paint(_WORDS.get(outcome.status, outcome.status.value), colour)
    place = _place(done, outcome).ljust(width)
    terminal.line(f"{terminal.paint(mark, colour)} {outcome.index + 1:>2}  {place}  {word}{_how(outcome)}")
    message = () if outcome.matched else (outcome.message,)
    for sentence in (*message, *outcome.notes):
        for line in sentence.splitlines():
            terminal.line(f"      {line}")
    if outcome.status is Status.AMBIGUOUS:
        for number, candidate in enumerate(outcome.candidates, 1):
            first = candidate.preview.strip().partition("\n")[0]
            label = terminal.paint(f"{number})", "bold")
            terminal.line(f"      {label} line {candidate.line}  {terminal.paint(first, 'dim')}")


def _how(outcome: Outcome) -> str:
    """How the place was found, where that is worth a word."""
    if outcome.rung is None or outcome.rung is Rung.EXACT:
        return ""
    if outcome.rung is Rung.SIMILARITY and outcome.similarity is not None:
        return f" (similarity {percent(outcome.similarity)}%)"
    return f" ({outcome.rung.value})"


def _place(done: Done, outcome: Outcome) -> str:
    table, span = done.table_before(outcome.path), outcome.span
    if table is None or span is None:
        return outcome.path or "(no path)"
    return f"{outcome.path}:{table.line_of(span[0]) + 1}"


def _say_remedies(terminal: Terminal, done: Done) -> None:
    ambiguous = [one for one in done.outcomes if one.status is Status.AMBIGUOUS and one.candidates]
    if ambiguous:
        example = f"--choose {ambiguous[0].index + 1}:1"
        terminal.line(terminal.paint(f"Choose a place with {example}, for instance", "dim"))
    if any(one.status is Status.HELD for one in done.outcomes):
        terminal.line(terminal.paint("Apply the others alone with --atomic edit", "dim"))
