"""`patchpoint apply`, `revert` and `apply-patch`: applying a model's edits to files below a folder."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Container, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints.errors import CheckpointError
from patchpoint.cli.answers.answer_text import read_answer_text, read_edits
from patchpoint.cli.edit_results import print_result
from patchpoint.cli.stores import (
    Stoppable,
    command_error,
    require_folder,
    settings_in,
    store_options,
    watching,
)
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
from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Operation
from patchpoint.filesystem.errors import FileError, StaleFileError
from patchpoint.formats import parse_edits
from patchpoint.headless.apply import CheckpointBefore, FolderRequest, apply_planned, plan_in_folders
from patchpoint.headless.result import edits_result
from patchpoint.outcome import Atomic, Reason, Status
from patchpoint.patching.pending import digest_of
from patchpoint.patching.proposal import Accepted
from patchpoint.schema.files_to_confirm import files_to_confirm
from patchpoint.schema.uris import uri_of
from patchpoint.signals import unbroken
from patchpoint.text.file_operation import FileOperation
from patchpoint.workspace.history.applications import Origin
from patchpoint.workspace.label import title_of
from patchpoint.workspace.write import failure_message

if TYPE_CHECKING:
    from patchpoint.cli.parsing.values import ChosenCandidate
    from patchpoint.headless.apply import PlannedRequest
    from patchpoint.headless.result import ApplyResult
    from patchpoint.outcome import Outcome
    from patchpoint.progress import Progress
    from patchpoint.text.lines import Span


_HOW_TO_CONFIRM = "review its edits, then apply them with --allow-executing-files"

_ATTEMPTS = 5
"""How often a request is planned, each time with the files as another program has left them."""

_FINE = (Status.APPLIED, Status.REVERTED, Status.MATCHED, Status.ALREADY_APPLIED)
_SENT_BACK = (Status.NOT_FOUND, Status.CONFLICT, Status.REJECTED, Status.MALFORMED)
"""What only the model can put right, where a person has no choice that does."""


def apply(options: argparse.Namespace, terminal: Terminal) -> int:
    """Apply the edits in a model's answer that have one certain place."""
    require_folder(options.root)
    _refuse_contradictions(options)
    text = _clipboard() if options.clipboard else read_answer_text(options.answer or "-")
    settings = settings_in(options.root)
    ladder = settings.ladder(options.min_similarity, options.min_margin)
    roots = (options.root.resolve(),)
    with watching() as progress:
        answer = read_edits(options, text, roots, ladder, progress)
    if not answer.edits:
        from patchpoint.cli.answers.feedback import no_edit_message
        from patchpoint.formats.instructions import no_edit_feedback

        feedback = no_edit_feedback(answer.unplaced, text)
        if options.feedback:
            _send_feedback(terminal, feedback, to_clipboard=options.clipboard)
        raise CommandError(no_edit_message(answer.unplaced, text), "no-edit", REFUSED, feedback)
    wanted = settings.checkpoint_before_apply and not options.no_checkpoint
    asked = FolderRequest(
        edits=answer.edits,
        roots=roots,
        base=Path.cwd(),
        atomic=Atomic(options.atomic or settings.atomic.value),
        ladder=ladder,
        expected=dict(options.expect),
        origin=Origin(
            source=uri_of(Path(options.answer).resolve()) if options.answer not in (None, "-") else "",
            session=options.session or "",
            message=options.message or "",
            title=title_of(text) if answer.turn.count == 1 else "",
        ),
        answer=digest_of("\0".join((text, options.session or "", options.message or ""))),
        remedy=None if options.allow_executing_files else _HOW_TO_CONFIRM,
        confirm=files_to_confirm(roots, settings),
        unplaced=answer.unplaced,
        turn=answer.turn,
        accept=accepted_of(options),
    )
    with watching() as progress:
        done = carry_out(options, asked, _before(options) if wanted else None, progress, text)
    if any(outcome.reason for outcome in done.outcomes):
        from patchpoint.cli.answers.elsewhere import with_roots_named

        done = with_roots_named(done, roots[0])
    return print_done(options, terminal, done, text)


def apply_patch(options: argparse.Namespace, terminal: Terminal) -> int:
    """Apply a patch and print what the `apply_patch` that agents call prints; refusals are our feedback."""
    require_folder(options.root)
    text = options.patch if options.patch is not None else read_answer_text("-")
    edits = parse_edits(text, Format.ENVELOPE.value)
    if not edits:
        raise CommandError(
            "No patch found in this text; a patch begins with *** Begin Patch.", "no-edit", REFUSED
        )
    root = options.root.resolve()
    asked = FolderRequest(
        edits=tuple(edits),
        roots=(root,),
        base=Path.cwd(),
        remedy=None if options.allow_executing_files else _HOW_TO_CONFIRM,
        confirm=files_to_confirm((root,), settings_in(root)),
    )
    before = CheckpointBefore(options=store_options(root))
    done = carry_out(options, asked, before, Stoppable())
    refused = [outcome for outcome in done.outcomes if outcome.status not in _FINE]
    if refused:
        messages = [one.feedback or one.message for one in refused if one.status is not Status.HELD]
        raise CommandError("\n".join(messages), "not-applied", REFUSED)
    terminal.line("Success. Updated the following files:")
    letters = {FileOperation.CREATE: "A", FileOperation.DELETE: "D"}
    for change in done.changes:
        terminal.line(f"{letters.get(change.operation, 'M')} {change.new_path or change.path}")
    return DONE


def accepted_of(options: argparse.Namespace) -> Accepted:
    """Return the proposals that the options accept."""
    return Accepted.of("all" if "all" in options.accept else options.accept)


def carry_out(
    options: argparse.Namespace,
    asked: FolderRequest,
    checkpoint: CheckpointBefore | None,
    progress: Progress,
    text: str = "",
) -> ApplyResult:
    """Plan `asked` with the places that the user chose and, unless only that is wanted, apply it.

    `text` is the answer that it was read from. Raises `CommandError`.
    """
    choices: list[ChosenCandidate] = getattr(options, "choose", [])
    planned = plan_in_folders(asked, progress, choosing={one.edit - 1 for one in choices})
    if choices:
        # The candidates to choose from are known only after planning.
        chosen, whole = _chosen(planned, choices), {one.edit - 1 for one in choices if one.whole}
        lost = [index for index, place in chosen.items() if _is_lost(planned.plan.outcomes[index], place)]
        planned = planned.at(chosen, progress, whole=whole)
        shown = [index for index in {*lost, *whole} if planned.plan.outcomes[index].matched]
        if shown and not options.check:
            _insist(options, planned.foreseen(), shown, whole)
    if getattr(options, "check", False):
        return planned.foreseen()
    wants_feedback = False
    is_settled = any(getattr(options, name, False) for name in ("json", "feedback", "yes"))
    if hasattr(options, "accept") and not is_settled and can_ask():
        from patchpoint.cli.answers.asking import decided_at_terminal

        planned, wants_feedback = decided_at_terminal(planned, progress)
    try:
        with unbroken():
            done = _applied(planned, checkpoint, progress, attempts=1 if choices else _ATTEMPTS)
    except CheckpointError as error:
        failure = command_error(error)
        hint = "Nothing was written. Pass --no-checkpoint to apply without one."
        raise CommandError(f"{failure} {hint}", failure.code, failure.status) from error
    except FileError as error:
        raise CommandError(failure_message(error), "not-written", ENVIRONMENT_FAILED) from error
    for warning in done.warnings:
        print(f"patchpoint: {warning}", file=sys.stderr)
    if wants_feedback:
        from patchpoint.headless.feedback import feedback_on

        feedback = feedback_on(done, text)
        _send_feedback(Terminal.of(sys.stderr), feedback, to_clipboard=True)
    return done


def _applied(
    planned: PlannedRequest, checkpoint: CheckpointBefore | None, progress: Progress, *, attempts: int
) -> ApplyResult:
    """Apply a plan; where another program has changed a file meanwhile, plan again with what it has now."""
    while True:
        attempts -= 1
        try:
            return apply_planned(planned, checkpoint=checkpoint, progress=progress)
        except StaleFileError:
            if not attempts:
                raise
        planned = plan_in_folders(planned.asked, progress)


def _is_lost(outcome: Outcome, place: Span) -> bool:
    """Return whether an edit was not found, and `place` is a candidate that is not what it quotes."""
    return outcome.is_lost and not any(
        candidate.is_quoted for candidate in outcome.candidates if candidate.span == place
    )


def _insist(
    options: argparse.Namespace, foreseen: ApplyResult, shown: Sequence[int], whole: Container[int]
) -> None:
    """Ask the user about edits at places where they were not found, or that replace all lines there.

    Raises `CommandError` for a no.
    """
    if options.yes:
        return
    from patchpoint.patching.reasons import edits_named

    sentences = [
        f"{edits_named(some).capitalize()} {words}."
        for some, words in (
            ([index for index in shown if index not in whole], "was not found"),
            ([index for index in shown if index in whole], "replaces all lines there"),
        )
        if some
    ]
    if not can_ask():
        raise CommandError(
            f"Nothing was written: {' '.join(sentences)} There is no terminal to ask at; review the change "
            "with --check, then pass --yes.",
            "not-confirmed",
            REFUSED,
        )
    lines = [line for change in foreseen.changes for line in foreseen.diff(change).splitlines()]
    if not ask((*lines, "", f"{' '.join(sentences)} Change the lines as shown?")):
        raise CommandError("Cancelled; nothing was written.", "not-confirmed", REFUSED)


def print_done(options: argparse.Namespace, terminal: Terminal, done: ApplyResult, text: str = "") -> int:
    """Print the result of a request, which the answer `text` makes, and return the exit status."""
    if options.json:
        from patchpoint.cli.output import print_json
        from patchpoint.headless.feedback import feedback_on

        # Of what is no answer, or is reverted, nothing is to be sent.
        feedback = feedback_on(done, text) if text else ""
        print_json(terminal, replace(edits_result(done), feedback=feedback))
    elif getattr(options, "feedback", False):
        from patchpoint.headless.feedback import feedback_on

        print_result(Terminal.of(sys.stderr), done)
        feedback = feedback_on(done, text)
        _send_feedback(terminal, feedback, to_clipboard=options.clipboard)
    else:
        print_result(terminal, done)
        choices: list[ChosenCandidate] = getattr(options, "choose", [])
        for one in choices:
            if not one.whole and done.outcomes[one.edit - 1].is_lost:
                words = f"Replace all lines there with --choose {one.edit}:{one.candidate}:whole"
                terminal.line(terminal.paint(words, "dim"))
        refused = [one for one in done.outcomes if one.status in _SENT_BACK]
        # what starts programs is for a person to confirm
        if hasattr(options, "feedback") and any(one.reason is not Reason.EXECUTING for one in refused):
            from patchpoint.cli.answers.feedback import SEND_BACK

            terminal.line(terminal.paint(SEND_BACK, "dim"))
    return DONE if all(outcome.status in _FINE for outcome in done.outcomes) else REFUSED


def _refuse_contradictions(options: argparse.Namespace) -> None:
    if options.clipboard and options.answer is not None:
        raise CommandError(
            f"Give {options.answer} or --clipboard, not both.",
            "two-answers",
            WRONG_USAGE,
        )
    if options.feedback and options.json:
        raise CommandError(
            "--json already includes the feedback; drop --feedback.",
            "feedback-twice",
            WRONG_USAGE,
        )


def _send_feedback(terminal: Terminal, text: str, *, to_clipboard: bool) -> None:
    """Send `text` where the options say; without a way to the clipboard, it is printed all the same."""
    from patchpoint.cli.answers.feedback import send_feedback

    people = Terminal.of(sys.stderr)
    try:
        send_feedback(terminal, people, text, to_clipboard=to_clipboard)
    except CommandError as error:
        people.line(f"patchpoint: {error}")
        send_feedback(terminal, people, text, to_clipboard=False)


def _clipboard() -> str:
    from patchpoint.cli.answers.clipboard import read_clipboard

    return read_clipboard()


def _before(options: argparse.Namespace) -> CheckpointBefore:
    return CheckpointBefore(
        session=options.session,
        message=options.message,
        options=store_options(options.root, options.wait),
    )


def _chosen(planned: PlannedRequest, choices: Sequence[ChosenCandidate]) -> dict[int, Span]:
    chosen = {}
    for each in choices:
        number, candidate, whole = each.edit, each.candidate, each.whole
        if number > len(planned.plan.outcomes):
            raise CommandError(f"The answer has no edit {number}.", "no-such-edit", WRONG_USAGE)
        outcome: Outcome = planned.plan.outcomes[number - 1]
        edit = planned.request.edit_at(number - 1)
        if whole and not (isinstance(edit, Edit) and edit.operation is Operation.REPLACE):
            raise CommandError(
                f"Edit {number} has no lines to replace whole; drop :whole.", "no-replacement", WRONG_USAGE
            )
        if candidate > len(outcome.candidates):
            count = len(outcome.candidates)
            raise CommandError(
                f"Edit {number} has {count or 'no'} candidates.", "no-such-candidate", WRONG_USAGE
            )
        chosen[number - 1] = outcome.candidates[candidate - 1].span
    return chosen
