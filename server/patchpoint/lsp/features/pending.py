"""Edits that could not land: listed, put where a person says, discarded; and landed ones taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from patchpoint.edit import Edit, Format
from patchpoint.lsp import answers, arguments
from patchpoint.lsp.convert import answer_range
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.features.apply_edits import carry_out
from patchpoint.lsp.pending_edits import Look
from patchpoint.lsp.planning import Asked
from patchpoint.lsp.uris import name_of
from patchpoint.outcome import Outcome
from patchpoint.pending import PendingEdit
from patchpoint.text.lines import Span

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.progress import Work


async def list_pending_edits(
    session: PatchpointServer, given: arguments.ListPendingEdits, work: Work
) -> answers.PendingAnswer:
    """List them, as they stand to their files at this moment."""
    work.check()
    await session.pending.look_again()
    return answers.PendingAnswer(edits=session.pending.answers(given.uri))


async def resolve_edit(
    session: PatchpointServer, given: arguments.ResolveEdit, work: Work
) -> answers.EditsAnswer:
    """Apply a pending edit at one of the candidates that were shown, if it still stands there."""
    pending = session.find_edit(given.edit)
    shown = session.shown_outcomes(pending.id)
    look = await session.pending.look(pending)
    place = look.outcome.span
    if look.outcome.candidates:
        if given.candidate > len(look.outcome.candidates):
            raise RequestFailed(
                "no-candidate",
                f"The edit has no candidate {given.candidate} now, but {len(look.outcome.candidates)}.",
            )
        place = look.outcome.candidates[given.candidate - 1].span
    elif given.candidate > 1:
        raise RequestFailed("no-candidate", f"The edit has no candidate number {given.candidate} now.")
    if not _is_as_shown(session, given, shown, look, place):
        raise RequestFailed(
            "candidate-moved",
            f"{name_of(look.uri)} has changed since it was shown, and candidate {given.candidate} is not "
            "what it was; look at the candidates again and choose anew.",
        )
    asked = Asked(
        edits=(anew(pending),),
        ladder=session.ladder(),
        source=pending.source,
        chosen={0: place} if look.outcome.candidates and place is not None else {},
        chosen_in=look.table.text if look.table is not None and place is not None else None,
    )
    answer = await carry_out(session, asked, arguments.ApplyEdits(text=""), work)
    if answer.applied or answer.edits[0].status == "alreadyApplied":
        await session.pending.drop([pending.id])
    return answer


def _is_as_shown(
    session: PatchpointServer,
    given: arguments.ResolveEdit,
    shown: Sequence[Outcome],
    look: Look,
    place: Span | None,
) -> bool:
    """Whether the place is the one that the person saw: by its range, or else by all that was shown of it."""
    if given.range is not None:
        return (
            look.table is not None
            and place is not None
            and answer_range(look.table, place, session.client.unit) == given.range
        )
    return not shown or any(_looks(outcome) == _looks(look.outcome) for outcome in shown)


def _looks(outcome: Outcome) -> object:
    """What a person can tell an edit's candidates by."""
    if outcome.candidates:
        return [(candidate.similarity, candidate.preview) for candidate in outcome.candidates]
    return outcome.matched, outcome.rung, outcome.similarity


async def discard_edit(
    session: PatchpointServer, given: arguments.DiscardEdit, work: Work
) -> answers.DiscardAnswer:
    """Forget a pending edit, or all of them."""
    work.check()
    if given.all:
        return answers.DiscardAnswer(discarded=tuple(await session.pending.drop(session.pending.names())))
    name = session.find_edit(str(given.edit)).id
    await session.pending.drop([name])
    session.blocks.discard(name)
    return answers.DiscardAnswer(discarded=(name,))


async def revert_edits(
    session: PatchpointServer, given: arguments.RevertEdits, work: Work
) -> answers.EditsAnswer:
    """Take back what was applied, by the same ladder, though its files may have moved on."""
    application = await session.applications.find(given.application)
    asked = Asked(
        edits=application.back, ladder=session.ladder(), originals=await session.run(application.originals)
    )
    return await carry_out(session, asked, arguments.ApplyEdits(text=""), work)


def anew(pending: PendingEdit) -> Edit:
    """A pending edit as one to be asked for again: its file is known, so its path is no longer read."""
    return replace(pending.edit, path=pending.file, format=Format.REQUEST)
