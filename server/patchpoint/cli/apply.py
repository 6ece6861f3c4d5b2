"""`patchpoint apply`, `revert` and `apply-patch`: applying a model's edits to files below a folder."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from patchpoint.checkpoints.errors import CheckpointError
from patchpoint.checkpoints.record.checkpoint import Checkpoint, CheckpointKind
from patchpoint.checkpoints.store import CheckpointStore
from patchpoint.cli.answers.clipboard import read_clipboard
from patchpoint.cli.answers.feedback import no_edit_feedback, send_feedback
from patchpoint.cli.edit_results import ApplyResult, edits_result, print_result
from patchpoint.cli.output import print_json
from patchpoint.cli.stores import command_error, require_folder, settings_in, store_options, watching
from patchpoint.cli.terminal import (
    DONE,
    ENVIRONMENT_FAILED,
    REFUSED,
    WRONG_USAGE,
    CommandError,
    Terminal,
    ask,
    can_ask,
)
from patchpoint.edit import Edit, Format, Malformed
from patchpoint.filesystem.errors import FileError
from patchpoint.filesystem.user_state import is_shown
from patchpoint.formats import parse_edits
from patchpoint.locate.ladder import Ladder
from patchpoint.outcome import Atomic, Outcome, Status
from patchpoint.patching.clash import edits_named
from patchpoint.patching.feedback import request_feedback
from patchpoint.patching.plan import Plan
from patchpoint.progress import Progress, Silent
from patchpoint.text.encoding import EncodingError, decode
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.lines import Span
from patchpoint.workspace.history.applications import Application, application_of
from patchpoint.workspace.history.ledger import Ledger
from patchpoint.workspace.history.refusals import record_refusals, refusal_counts, with_repeat_feedback
from patchpoint.workspace.request import Workspace, plan_request, read_request
from patchpoint.workspace.write import failure_message, write_changes

_HOW_TO_CONFIRM = "look at the edits of it, then apply them with --allow-executing-files"

_FINE = (Status.APPLIED, Status.REVERTED, Status.MATCHED, Status.ALREADY_APPLIED)


def apply(options: argparse.Namespace, terminal: Terminal) -> int:
    """Apply the edits in a model's answer that have one certain place."""
    require_folder(options.root)
    _refuse_contradictions(options)
    edits = parse_edits(read_clipboard() if options.clipboard else _read_answer(options.answer or "-"))
    if not edits:
        if options.feedback:
            _send_feedback(options, terminal, no_edit_feedback())
        raise CommandError(
            "There is no edit in this text; pass the model's whole answer.",
            "no-edit",
            REFUSED,
            no_edit_feedback(),
        )
    settings = settings_in(options.root)
    wanted = settings.checkpoint_before_apply and not options.no_checkpoint
    with watching() as progress:
        done = apply_to_folder(
            options.root.resolve(),
            edits,
            atomic=Atomic(options.atomic or settings.atomic.value),
            ladder=settings.ladder(options.min_similarity, options.min_margin),
            choices=dict(options.choose),
            insists=_insists(options),
            dry_run=options.check,
            allow_executing_files=options.allow_executing_files,
            checkpoint=_before(options) if wanted else None,
            progress=progress,
        )
    return _print(options, terminal, done)


def revert(options: argparse.Namespace, terminal: Terminal) -> int:
    """Revert an application, even if its files have changed since."""
    require_folder(options.root)
    root = options.root.resolve()
    known = Ledger(root).applications()
    named = options.application
    found = next((one for one in known if (one.id == named if named else one.is_revertible)), None)
    if found is None:
        what = f"no application '{named}'" if named else "nothing to revert"
        raise CommandError(f"There is {what} in {root}.", "no-application", REFUSED)
    if found.reverted_at:
        raise CommandError(
            f"There is nothing to revert: '{named}' is reverted already.", "already-reverted", REFUSED
        )
    with watching() as progress:
        done = apply_to_folder(
            root,
            found.back,
            atomic=Atomic.ALL,
            originals=found.originals(),
            allow_executing_files=True,  # what was there before is asked for by name
            reverts=found.id,
            dry_run=options.check,
            checkpoint=None
            if options.no_checkpoint
            else CheckpointBefore(f"Before reverting {found.id}", wait=options.wait),
            progress=progress,
        )
    return _print(options, terminal, done)


def apply_patch(options: argparse.Namespace, terminal: Terminal) -> int:
    """Apply a patch and print what the `apply_patch` that agents call prints; refusals are our feedback."""
    require_folder(options.root)
    text = options.patch if options.patch is not None else _read_answer("-")
    edits = parse_edits(text, Format.ENVELOPE.value)
    if not edits:
        raise CommandError(
            "The text holds no patch; a patch begins with *** Begin Patch.", "no-edit", REFUSED
        )
    done = apply_to_folder(
        options.root.resolve(),
        edits,
        atomic=Atomic.ALL,
        allow_executing_files=options.allow_executing_files,
        checkpoint=CheckpointBefore("Before apply_patch"),
        progress=Silent(),
    )
    refused = [outcome for outcome in done.outcomes if outcome.status not in _FINE]
    if refused:
        messages = [one.feedback or one.message for one in refused if one.status is not Status.HELD]
        raise CommandError("\n".join(messages), "not-applied", REFUSED)
    terminal.line("Success. Updated the following files:")
    letters = {FileOperation.CREATE: "A", FileOperation.DELETE: "D"}
    for change in done.changes:
        terminal.line(f"{letters.get(change.operation, 'M')} {change.new_path or change.path}")
    return DONE


@dataclass(frozen=True, slots=True)
class CheckpointBefore:
    """The checkpoint to take before anything is written."""

    label: str
    session: str | None = None
    message: str | None = None
    wait: float | None = None
    """Seconds for which a lock is waited for; `None` for the usual ones."""


def apply_to_folder(
    root: Path,
    edits: list[Edit | Malformed] | tuple[Edit, ...],
    *,
    atomic: Atomic,
    ladder: Ladder | None = None,
    choices: dict[int, int] | None = None,
    insists: Callable[[ApplyResult, str], bool] | None = None,
    originals: Mapping[str, bytes] | None = None,
    reverts: str = "",
    dry_run: bool = False,
    allow_executing_files: bool = False,
    checkpoint: CheckpointBefore | None,
    progress: Progress,
) -> ApplyResult:
    """Plan `edits` against the files below `root` and, unless `dry_run`, apply them.

    `choices` maps the number of an edit to that of its candidate, both counted from 1; where such an edit was
    not found, `insists` is asked with the plan and the numbers of those edits. `originals` are the
    exact bytes of files that a revert creates again, and `reverts` is the id of the application that it is
    about; `allow_executing_files` confirms the edits of files that start programs; `checkpoint` is the one to
    take before anything is written. Raises `CommandError`.
    """
    request = read_request(
        edits, Workspace(roots=(root,)), base=Path.cwd(), originals=originals, progress=progress
    )
    ledger = Ledger(root)
    names = [request.id_of(index) for index in range(len(edits))]
    chosen_before = {name for application in ledger.applications() for name in application.chosen}
    placed_before = {
        at for at, name in enumerate(names) if name in chosen_before and at + 1 not in (choices or {})
    }

    def plan_with(chosen: Mapping[int, Span]) -> Plan:
        return plan_request(
            request,
            atomic=atomic,
            ladder=ladder,
            chosen=chosen,
            placed=placed_before,
            remedy=None if allow_executing_files else _HOW_TO_CONFIRM,
            progress=progress,
        )

    plan, chosen = plan_with({}), {}
    if choices:
        # The candidates to choose from are known only after planning.
        chosen = _chosen(plan, choices)
        lost = [index for index, place in chosen.items() if _is_lost(plan.outcomes[index], place)]
        plan = plan_with(chosen)
        if lost and not dry_run:
            foreseen = ApplyResult(request, plan.outcomes, plan.changes, None, None, dry_run=True)
            if insists is None or not insists(foreseen, edits_named(lost)):
                raise CommandError("Nothing was written: you did not agree.", "not-confirmed", REFUSED)
    if dry_run:
        return ApplyResult(
            request, plan.outcomes, plan.changes, None, None, dry_run=True, reverting=bool(reverts)
        )
    times = refusal_counts(ledger)
    outcomes = with_repeat_feedback(request, plan.outcomes, lambda name: times.get(name, 0))
    record_refusals(ledger, request, plan.outcomes)
    if not plan.changes:
        if reverts and all(one.status is Status.ALREADY_APPLIED for one in outcomes):
            ledger.keep_reverted(reverts)
        return ApplyResult(
            request, outcomes, plan.changes, None, None, dry_run=False, reverting=bool(reverts)
        )
    taken = _take_checkpoint(root, checkpoint, progress) if checkpoint is not None else None
    try:
        write_changes(request, plan.changes, progress)
    except FileError as error:
        raise CommandError(failure_message(error), "not-written", ENVIRONMENT_FAILED) from error
    made = Status.REVERTED if reverts else Status.APPLIED
    outcomes = tuple(replace(one, status=made) if one.status is Status.MATCHED else one for one in outcomes)
    applied = [names[one.index] for one in outcomes if one.status is made]
    placed = [names[index] for index in chosen if names[index] in applied]
    application = application_of(request, plan.changes, applied, placed, reverts)
    kept: Application | None = application
    try:
        ledger.keep_application(application)
        if reverts:
            ledger.keep_reverted(reverts)
    except OSError as error:
        kept = None
        reason = error.strerror or error
        print(f"patchpoint: The edits are applied, but cannot be reverted: {reason}.", file=sys.stderr)
    return ApplyResult(request, outcomes, plan.changes, kept, taken, dry_run=False, reverting=bool(reverts))


def _is_lost(outcome: Outcome, place: Span) -> bool:
    """Return whether an edit was not found, and `place` is a candidate that is not what it quotes."""
    return outcome.status is Status.NOT_FOUND and not any(
        candidate.is_quoted for candidate in outcome.candidates if candidate.span == place
    )


def _insists(options: argparse.Namespace) -> Callable[[ApplyResult, str], bool]:
    """Return how to learn whether the user wants edits where they were not found."""

    def insists(foreseen: ApplyResult, named: str) -> bool:
        if options.yes:
            return True
        if not can_ask():
            raise CommandError(
                f"Nothing was written: {named} was not found, and there is no terminal to ask at; look at "
                "what would change with --check, then say --yes.",
                "not-confirmed",
                REFUSED,
            )
        lines = [line for change in foreseen.changes for line in foreseen.diff(change).splitlines()]
        return ask((*lines, "", f"{named.capitalize()} was not found. Replace the lines as shown?"))

    return insists


def _print(options: argparse.Namespace, terminal: Terminal, done: ApplyResult) -> int:
    if options.json:
        print_json(terminal, edits_result(done))
    elif getattr(options, "feedback", False):
        print_result(Terminal.of(sys.stderr), done)
        _send_feedback(options, terminal, request_feedback(done.outcomes))
    else:
        print_result(terminal, done)
    return DONE if all(outcome.status in _FINE for outcome in done.outcomes) else REFUSED


def _refuse_contradictions(options: argparse.Namespace) -> None:
    if options.clipboard and options.answer is not None:
        raise CommandError(
            f"The answer is either {options.answer} or in the clipboard; leave out one of the two.",
            "two-answers",
            WRONG_USAGE,
        )
    if options.feedback and options.json:
        raise CommandError(
            "--json has the feedback on each edit in any case; leave out --feedback.",
            "feedback-twice",
            WRONG_USAGE,
        )


def _send_feedback(options: argparse.Namespace, terminal: Terminal, text: str) -> None:
    """Send `text` where the options say; without a way to the clipboard, it is printed all the same."""
    people = Terminal.of(sys.stderr)
    try:
        send_feedback(terminal, people, text, to_clipboard=options.clipboard)
    except CommandError as error:
        people.line(f"patchpoint: {error}")
        send_feedback(terminal, people, text, to_clipboard=False)


def _read_answer(source: str) -> str:
    """Return the answer, its encoding detected. Raises `CommandError` and `OSError`."""
    if source == "-":
        if sys.stdin.isatty():
            print("Paste the answer, then end it with Ctrl-D.", file=sys.stderr)
        data = sys.stdin.buffer.read()
    else:
        if is_shown(Path(source)):
            raise CommandError(
                f"{source} only shows edits; pass the model's answer.", "not-an-answer", WRONG_USAGE
            )
        data = Path(source).read_bytes()
    try:
        return decode(data).text
    except EncodingError as error:
        raise CommandError(f"The answer {error}", "unreadable-answer", WRONG_USAGE) from error


def _before(options: argparse.Namespace) -> CheckpointBefore:
    name = "an answer" if options.answer in (None, "-") else os.path.basename(options.answer)  # noqa: PTH119
    return CheckpointBefore(f"Before applying {name}", options.session, options.message, options.wait)


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


def _take_checkpoint(root: Path, wanted: CheckpointBefore, progress: Progress) -> Checkpoint:
    try:
        store = CheckpointStore.open(root, options=store_options(root, wanted.wait))
        return store.take(
            label=wanted.label,
            session=wanted.session,
            message=wanted.message,
            kind=CheckpointKind.BEFORE_APPLY,
            progress=progress,
        )
    except CheckpointError as error:
        failure = command_error(error)
        hint = "Nothing was written; --no-checkpoint applies without one."
        raise CommandError(f"{failure} {hint}", failure.code, failure.status) from error
