"""`preview_edits`, `apply_edits`, `revert_edits`: the tools that place edits."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from patchpoint.checkpoints.errors import CheckpointError
from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Operation, Side, Target, TargetKind
from patchpoint.filesystem.errors import FileError
from patchpoint.formats.instructions import named_in_words
from patchpoint.headless.answer import AnswerEdits, read_in_folders
from patchpoint.headless.apply import (
    CheckpointBefore,
    FolderRequest,
    PlannedRequest,
    apply_planned,
    plan_in_folders,
)
from patchpoint.headless.result import ApplyResult
from patchpoint.mcp.call import AGENT, Call, Reply, ToolError
from patchpoint.mcp.questions import Answer, Field, Question, Silence, yes_or_no
from patchpoint.mcp.tools.parameters import (
    AcceptArguments,
    ApplyArguments,
    PreviewArguments,
    RevertArguments,
    SymbolArguments,
)
from patchpoint.mcp.tools.results import edits_done
from patchpoint.mcp.tools.words import edits_in_words
from patchpoint.outcome import Atomic, Candidate, Outcome, Reason, Status
from patchpoint.patching.proposal import Accepted
from patchpoint.schema.edits import edit_from_data
from patchpoint.schema.files_to_confirm import files_to_confirm
from patchpoint.schema.settings import Confirm
from patchpoint.text.lines import Span
from patchpoint.text.shown import visible
from patchpoint.workspace.digests import digest_of
from patchpoint.workspace.history.applications import Origin
from patchpoint.workspace.history.ledger import Ledger, ProposedEdit
from patchpoint.workspace.request import to_be_confirmed
from patchpoint.workspace.write import failure_message

_CANNOT_ASK = (
    "the client cannot ask its user to confirm the edits: the user has to make them, or apply them with "
    "`patchpoint apply --allow-executing-files`"
)
_DECLINED = "the user did not confirm the edits"
_NOT_ANSWERED = (
    "the user closed the question without an answer. The user has to make the edits, or apply them with "
    "`patchpoint apply --allow-executing-files`"
)
_NOWHERE = "nowhere: do not apply it"
_APPLY, _DO_NOT_APPLY = "Apply", "Do not apply"
_SHOWN_LINES = 60
"""Lines of a difference in a question."""

_FINE = (Status.APPLIED, Status.REVERTED, Status.MATCHED, Status.ALREADY_APPLIED)


def preview_edits(call: Call, asked: PreviewArguments) -> Reply:
    """Return what edits would change."""
    return _reply(call, _planned(call, asked).foreseen())


def apply_edits(call: Call, asked: ApplyArguments) -> Reply:
    """Apply the edits that have one certain place, or the one that the user chooses."""
    return _carried_out(call, asked, _planned(call, asked))


def edit_symbol(call: Call, asked: SymbolArguments) -> Reply:
    """Put a definition in place of the one of a name, before it or after it."""
    side = {"replace": Side.INSTEAD, "before": Side.BEFORE, "after": Side.AFTER}[asked.where]
    edit = Edit(
        path=asked.path,
        operation=Operation.PLACE,
        replace=asked.text,
        target=Target(kind=TargetKind.DEFINITION, name=asked.name, side=side),
    )
    return _carried_out(call, asked, _planned_of(call, asked, AnswerEdits((edit,), ()), None))


def _carried_out(call: Call, asked: ApplyArguments | SymbolArguments, planned: PlannedRequest) -> Reply:
    if asked.dry_run:
        return _reply(call, planned.foreseen())
    settings = call.settings()
    planned = _confirmed(call, _placed(call, planned))
    if planned.plan.changes and _needs_confirmation(planned, settings.confirm):
        message = f"Apply these edits?\n\n{_difference(planned)}"
        answer = call.answer(yes_or_no(_about(planned), message, _APPLY, _DO_NOT_APPLY))
        if call.can_ask and answer is Silence.NOT_ASKED:
            raise ToolError(_why_not_asked(settings.confirm), "could-not-ask")
        if call.can_ask and not _is_yes(answer):
            raise ToolError("Nothing was written: the user reviewed the edits and declined.", "not-confirmed")
    checkpoint = CheckpointBefore(
        session=asked.session, message=asked.message, options=settings.store_options
    )
    return _applied(call, planned, checkpoint if settings.checkpoint_before_apply else None)


def accept_proposals(call: Call, asked: AcceptArguments) -> Reply:
    """Make what was proposed under some ids, of files that are as they were then."""
    known = Ledger(call.roots[0]).proposals()
    unknown = [one for one in asked.ids if one not in known]
    if unknown:
        raise ToolError(
            f"There is no proposal {', '.join(unknown)}; ids are in the results of preview_edits and "
            "apply_edits, and only the latest are kept. Send the edit again.",
            "no-proposal",
        )
    settings = call.settings()
    request = FolderRequest(
        edits=tuple(known[one].edit for one in dict.fromkeys(asked.ids)),
        roots=call.roots,
        ladder=settings.ladder(),
        origin=Origin(session=asked.session or "", message=asked.message or ""),
        by=AGENT,
        remedy=None if call.can_ask else _CANNOT_ASK,
        confirm=files_to_confirm(call.roots, settings),
        accept=Accepted.of(asked.ids),
    )
    planned = _confirmed(call, plan_in_folders(request, call.progress))
    if any(one.reason is Reason.STALE_PROPOSAL for one in planned.plan.outcomes):
        kept = _reply(call, planned.foreseen())
        raise ToolError(f"Nothing was written. {kept.text}", "stale-proposal")
    checkpoint = CheckpointBefore(
        session=asked.session, message=asked.message, options=settings.store_options
    )
    return _applied(call, planned, checkpoint if settings.checkpoint_before_apply else None)


def revert_edits(call: Call, asked: RevertArguments) -> Reply:
    """Revert an application, even if its files have changed since."""
    found = next((one for one in Ledger(call.roots[0]).applications() if one.id == asked.application), None)
    if found is None:
        raise ToolError(
            f"There is no application '{asked.application}'; only the newest can be reverted.",
            "no-application",
        )
    if found.reverted_at:
        raise ToolError(f"'{found.id}' has already been reverted.", "already-reverted")
    request = FolderRequest(
        edits=found.back, roots=call.roots, originals=found.originals(), reverts=found.id, remedy=None
    )
    before = CheckpointBefore(options=call.settings().store_options)
    return _applied(call, plan_in_folders(request, call.progress), before)


def _planned(call: Call, asked: PreviewArguments) -> PlannedRequest:
    ladder = call.settings().ladder()
    if asked.edits is not None:
        answer = AnswerEdits(tuple(map(edit_from_data, asked.edits)), ())
    else:
        answer = read_in_folders(
            asked.text or "", call.roots, format=asked.format, ladder=ladder, progress=call.progress
        )
    if not answer.edits:
        why = "".join(f" {one.message}" for one in answer.unplaced) or f" {named_in_words(asked.text or '')}"
        raise ToolError(
            f"No edits found in this text.{why} Write search/replace blocks, each after the path of its "
            "file.",
            "no-edit",
        )
    return _planned_of(call, asked, answer, asked.atomic)


def _planned_of(
    call: Call, asked: PreviewArguments | SymbolArguments, answer: AnswerEdits, atomic: Atomic | None
) -> PlannedRequest:
    settings = call.settings()
    request = FolderRequest(
        edits=answer.edits,
        roots=call.roots,
        atomic=atomic or settings.atomic,
        ladder=settings.ladder(),
        expected=asked.expected,
        origin=Origin(
            session=getattr(asked, "session", None) or "", message=getattr(asked, "message", None) or ""
        ),
        by=AGENT,
        remedy=None if call.can_ask else _CANNOT_ASK,
        confirm=files_to_confirm(call.roots, settings),
        unplaced=answer.unplaced,
    )
    return plan_in_folders(request, call.progress)


def _placed(call: Call, planned: PlannedRequest) -> PlannedRequest:
    """Return the plan with the places that the user chooses for edits that fit several."""
    ambiguous = [one for one in planned.plan.outcomes if one.status is Status.AMBIGUOUS and one.candidates]
    if not ambiguous:
        return planned
    options = {one.index: _options(one.candidates) for one in ambiguous}
    question = Question(
        about=_about(planned),
        message="\n\n".join(_several(one, options[one.index]) for one in ambiguous),
        fields=tuple(
            Field(
                name=f"edit{index + 1}",
                title=f"Where does edit {index + 1} belong?",
                options=(*labels, _NOWHERE),
            )
            for index, labels in options.items()
        ),
    )
    answer = call.answer(question)
    chosen: dict[int, Span] = {}
    for index, labels in options.items() if not isinstance(answer, Silence) else ():
        place = None if isinstance(answer, Silence) else labels.get(answer[f"edit{index + 1}"])
        if place is not None:
            chosen[index] = place
    return planned.at(chosen, call.progress) if chosen else planned


def _confirmed(call: Call, planned: PlannedRequest) -> PlannedRequest:
    """Return the plan without the edits of files that start programs, unless the user confirms them."""
    files = planned.unconfirmed()
    if not files:
        return planned
    message = f"{to_be_confirmed(files)}\n\n{_difference(planned)}"
    answer = call.answer(yes_or_no(_about(planned), message, _APPLY, _DO_NOT_APPLY))
    if _is_yes(answer):
        return planned
    remedy = planned.asked.remedy or (_NOT_ANSWERED if answer is Silence.NOT_ASKED else _DECLINED)
    refusing = replace(planned.asked, remedy=remedy)
    again = plan_in_folders(refusing, call.progress, choosing=planned.chosen)
    return again.at(planned.chosen, call.progress) if planned.chosen else again


def _is_yes(answer: Answer) -> bool:
    return not isinstance(answer, Silence) and answer["answer"] == _APPLY


def _why_not_asked(confirm: Confirm) -> str:
    wish = (
        "Edits that quote the file exactly are applied without a question."
        if confirm is Confirm.SIMILARITY
        else "The user wants to be asked about each edit (`git config patchpoint.apply.confirm`)."
    )
    return (
        "Nothing was written: the user closed the question whether to apply the edits without an answer. "
        f"{wish}"
    )


def _needs_confirmation(planned: PlannedRequest, confirm: Confirm) -> bool:
    """Return whether the user wants to be asked about a plan, where the client can ask (`apply.confirm`)."""
    similar = any(one.needs_confirmation for one in planned.plan.outcomes if one.status is Status.MATCHED)
    return confirm is Confirm.ALWAYS or (confirm is Confirm.SIMILARITY and similar)


def _applied(call: Call, planned: PlannedRequest, checkpoint: CheckpointBefore | None) -> Reply:
    try:
        return _reply(call, apply_planned(planned, checkpoint=checkpoint, progress=call.progress))
    except CheckpointError as error:
        raise ToolError(f"{error} Nothing was written.", error.code) from error
    except FileError as error:
        raise ToolError(failure_message(error), "not-written") from error


def _reply(call: Call, done: ApplyResult) -> Reply:
    proposed = [
        ProposedEdit(id=one.proposal.id, edit=replace(edit, path=one.path))
        for one in done.outcomes
        if one.proposal is not None and isinstance(edit := done.request.edit_at(one.index), Edit)
    ]
    with suppress(OSError):
        Ledger(call.roots[0]).keep_proposals(proposed)
    refused = any(one.status not in _FINE for one in done.outcomes)
    return Reply(data=edits_done(done), text=edits_in_words(done), is_error=refused)


def _about(planned: PlannedRequest) -> tuple[object, ...]:
    """Return what an answer about a plan holds for: these edits, of these texts, at these places."""
    request = planned.request
    edits = [request.id_of(index) for index in range(len(request.items))]
    texts = sorted((target.place, digest_of(target)) for target in request.targets.values())
    return (edits, texts, sorted(planned.chosen.items()))


def _options(candidates: tuple[Candidate, ...]) -> Mapping[str, Span]:
    """Return the places of an edit by what they are called in a question."""
    options: dict[str, Span] = {}
    for candidate in candidates:
        name = ", ".join(filter(None, (candidate.lines_named, candidate.where)))
        count = sum(one == name or one.startswith(f"{name} (") for one in options)
        options[f"{name} ({count + 1})" if count else name] = candidate.span
    return options


def _several(outcome: Outcome, options: Mapping[str, Span]) -> str:
    previews = {candidate.span: candidate.preview for candidate in outcome.candidates}
    places = "\n".join(f"{name}:\n{visible(previews[span]).rstrip()}" for name, span in options.items())
    return f"Edit {outcome.index + 1} of {outcome.path} fits several places.\n\n{places}"


def _difference(planned: PlannedRequest) -> str:
    foreseen = planned.foreseen()
    lines = [line for change in foreseen.changes for line in foreseen.diff(change).splitlines()]
    more = f"\n… and {len(lines) - _SHOWN_LINES} lines more" if len(lines) > _SHOWN_LINES else ""
    return visible("\n".join(lines[:_SHOWN_LINES])) + more
