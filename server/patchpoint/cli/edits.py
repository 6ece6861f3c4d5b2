"""`patchpoint apply` and `revert`: what a model wrote lands in the files of a folder, or is refused."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from patchpoint.applications import application_of
from patchpoint.checkpoints.checkpoint import Checkpoint, Kind
from patchpoint.checkpoints.errors import CheckpointError
from patchpoint.checkpoints.store import CheckpointStore
from patchpoint.cli.answering import answer_json
from patchpoint.cli.edit_answers import edits_answer
from patchpoint.cli.outcomes import Done, say_done
from patchpoint.cli.refusal import DONE, ENVIRONMENT_FAILED, REFUSED, WRONG_USAGE, CommandError
from patchpoint.cli.stores import refusal_of, require_folder, watching
from patchpoint.cli.terminal import Terminal
from patchpoint.disk import land_changes
from patchpoint.edit import Edit, Format, Malformed
from patchpoint.files import FileError
from patchpoint.formats import parse_edits
from patchpoint.ledger import Ledger
from patchpoint.locate.ladder import Ladder
from patchpoint.outcome import Outcome, Status
from patchpoint.plan import Atomic, FileOperation, Plan
from patchpoint.progress import Progress, Silent
from patchpoint.refusals import note_refused, refused_before, told_again
from patchpoint.text.encoding import EncodingError, decode
from patchpoint.text.lines import Span
from patchpoint.workspace import Workspace, plan_request, read_request

_FINE = (Status.APPLIED, Status.MATCHED, Status.ALREADY_APPLIED)


def apply(options: argparse.Namespace, terminal: Terminal) -> int:
    """Apply the edits in an answer: those that have one certain place."""
    require_folder(options.root)
    edits = parse_edits(_read_answer(options.answer))
    if not edits:
        raise CommandError(
            "There is no edit in this text; hand over the model's whole answer.", "no-edit", REFUSED
        )
    ladder = _ladder(options)
    with watching() as progress:
        done = apply_to_folder(
            options.root.resolve(),
            edits,
            atomic=Atomic(options.atomic),
            ladder=ladder,
            choices=dict(options.choose),
            dry_run=options.check,
            checkpoint=None if options.no_checkpoint else _before(options),
            progress=progress,
        )
    return _answer(options, terminal, done)


def revert(options: argparse.Namespace, terminal: Terminal) -> int:
    """Take an application back, though its files have moved on."""
    require_folder(options.root)
    root = options.root.resolve()
    known = Ledger(root).applications()
    if options.application is None:
        found = known[0] if known else None
    else:
        found = next((one for one in known if one.id == options.application), None)
    if found is None:
        what = f"no application '{options.application}'" if options.application else "nothing to take back"
        raise CommandError(f"There is {what} in {root}.", "no-application", REFUSED)
    with watching() as progress:
        done = apply_to_folder(
            root,
            found.back,
            atomic=Atomic.ALL,
            originals=found.originals(),
            dry_run=options.check,
            checkpoint=None if options.no_checkpoint else (f"Before taking back {found.id}", None, None),
            progress=progress,
        )
    return _answer(options, terminal, done)


def apply_patch(options: argparse.Namespace, terminal: Terminal) -> int:
    """Do what the `apply_patch` that agents call does, and answer as it does, with our refusals."""
    require_folder(options.root)
    text = options.patch if options.patch is not None else _read_answer("-")
    edits = parse_edits(text, Format.ENVELOPE.value)
    if not edits:
        raise CommandError("The text holds no patch; it begins with *** Begin Patch.", "no-edit", REFUSED)
    done = apply_to_folder(
        options.root.resolve(),
        edits,
        atomic=Atomic.ALL,
        checkpoint=("Before apply_patch", None, None),
        progress=Silent(),
    )
    refused = [outcome for outcome in done.outcomes if outcome.status not in _FINE]
    if refused:
        complaints = [one.feedback or one.message for one in refused if one.status is not Status.HELD]
        raise CommandError("\n".join(complaints), "not-applied", REFUSED)
    terminal.line("Success. Updated the following files:")
    letters = {FileOperation.CREATE: "A", FileOperation.DELETE: "D"}
    for change in done.changes:
        terminal.line(f"{letters.get(change.operation, 'M')} {change.new_path or change.path}")
    return DONE


def apply_to_folder(
    root: Path,
    edits: list[Edit | Malformed] | tuple[Edit, ...],
    *,
    atomic: Atomic,
    ladder: Ladder | None = None,
    choices: dict[int, int] | None = None,
    originals: Mapping[str, bytes] | None = None,
    dry_run: bool = False,
    checkpoint: tuple[str, str | None, str | None] | None,
    progress: Progress,
) -> Done:
    """Decide what `edits` do to the files below `root` and, unless `dry_run`, do it.

    `choices` says at which candidate an edit goes, both counted from 1; `originals` are the bytes of files
    that come back as they were; `checkpoint` is the label, session and message of the one to take before
    anything is written. Raises `CommandError`.
    """
    request = read_request(
        edits, Workspace(roots=(root,)), base=Path.cwd(), originals=originals, progress=progress
    )
    ledger = Ledger(root)
    names = [request.id_of(index) for index in range(len(edits))]
    chosen_before = {name for application in ledger.applications() for name in application.chosen}
    settled = {at for at, name in enumerate(names) if name in chosen_before and at + 1 not in (choices or {})}

    def plan_with(chosen: Mapping[int, Span]) -> Plan:
        return plan_request(
            request, atomic=atomic, ladder=ladder, chosen=chosen, settled=settled, progress=progress
        )

    plan, chosen = plan_with({}), {}
    if choices:
        # Which candidates there are to choose from is known only now.
        chosen = _chosen(plan, choices)
        plan = plan_with(chosen)
    if dry_run:
        return Done(request, plan.outcomes, plan.changes, None, None, dry_run=True)
    times = refused_before(ledger)
    told = told_again(request, plan.outcomes, lambda name: times.get(name, 0))
    note_refused(ledger, request, plan.outcomes)
    if not plan.changes:
        return Done(request, told, plan.changes, None, None, dry_run=False)
    taken = _take_checkpoint(root, checkpoint, progress) if checkpoint is not None else None
    try:
        land_changes(request, plan.changes, progress)
    except FileError as error:
        raise CommandError(f"{error} Nothing was written.", "not-written", ENVIRONMENT_FAILED) from error
    outcomes = tuple(
        replace(one, status=Status.APPLIED) if one.status is Status.MATCHED else one for one in told
    )
    landed = [names[one.index] for one in outcomes if one.status is Status.APPLIED]
    placed = [names[index] for index in chosen if names[index] in landed]
    application = application_of(request, plan.changes, landed, placed)
    ledger.keep_application(application)
    return Done(request, outcomes, plan.changes, application, taken, dry_run=False)


def _answer(options: argparse.Namespace, terminal: Terminal, done: Done) -> int:
    if options.json:
        answer_json(terminal, edits_answer(done))
    else:
        say_done(terminal, done)
    return DONE if all(outcome.status in _FINE for outcome in done.outcomes) else REFUSED


def _read_answer(source: str) -> str:
    """The answer, in whatever encoding it is. Raises `CommandError` and `OSError`."""
    if source == "-":
        if sys.stdin.isatty():
            print("Paste the answer, then end it with Ctrl-D.", file=sys.stderr)
        data = sys.stdin.buffer.read()
    else:
        data = Path(source).read_bytes()
    try:
        return decode(data).text
    except EncodingError as error:
        raise CommandError(f"The answer {error}", "unreadable-answer", WRONG_USAGE) from error


def _ladder(options: argparse.Namespace) -> Ladder:
    given = {
        name: value
        for name in ("min_similarity", "min_margin")
        if (value := getattr(options, name)) is not None
    }
    return Ladder(**given)


def _before(options: argparse.Namespace) -> tuple[str, str | None, str | None]:
    name = "an answer" if options.answer == "-" else os.path.basename(options.answer)  # noqa: PTH119
    return f"Before applying {name}", options.session, options.message


def _chosen(plan: Plan, choices: dict[int, int]) -> dict[int, Span]:
    chosen = {}
    for number, candidate in choices.items():
        if number > len(plan.outcomes):
            raise CommandError(f"There is no edit {number}.", "no-such-edit", WRONG_USAGE)
        outcome: Outcome = plan.outcomes[number - 1]
        if candidate > len(outcome.candidates):
            count = len(outcome.candidates)
            raise CommandError(
                f"Edit {number} has {count or 'no'} candidates.", "no-such-candidate", WRONG_USAGE
            )
        chosen[number - 1] = outcome.candidates[candidate - 1].span
    return chosen


def _take_checkpoint(
    root: Path, wanted: tuple[str, str | None, str | None], progress: Progress
) -> Checkpoint:
    label, session, message = wanted
    try:
        store = CheckpointStore.open(root)
        return store.take(
            label=label, session=session, message=message, kind=Kind.BEFORE_APPLY, progress=progress
        )
    except CheckpointError as error:
        refusal = refusal_of(error)
        hint = "Nothing was written; --no-checkpoint applies without one."
        raise CommandError(f"{refusal} {hint}", refusal.code, refusal.status) from error
