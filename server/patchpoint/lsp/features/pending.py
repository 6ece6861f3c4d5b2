"""Edits that could not land: listed, put where a person says, discarded; and landed ones taken back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from patchpoint.edit import Edit, Format
from patchpoint.lsp import answers, arguments
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.features.apply_edits import carry_out
from patchpoint.lsp.planning import Asked
from patchpoint.pending import PendingEdit

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
    """Apply a pending edit at one of the candidates that it has at this moment."""
    pending = session.find_edit(given.edit)
    look = await session.pending.look(pending)
    chosen = {}
    if look.outcome.candidates:
        if given.candidate > len(look.outcome.candidates):
            raise RequestFailed(
                "no-candidate",
                f"The edit has no candidate {given.candidate} now, but {len(look.outcome.candidates)}.",
            )
        chosen = {0: look.outcome.candidates[given.candidate - 1].span}
    elif given.candidate > 1:
        raise RequestFailed("no-candidate", f"The edit has no candidate number {given.candidate} now.")
    asked = Asked(
        edits=(anew(pending),),
        ladder=session.ladder(),
        source=pending.source,
        chosen=chosen,
    )
    answer = await carry_out(session, asked, arguments.ApplyEdits(text=""), work)
    if answer.applied or answer.edits[0].status == "alreadyApplied":
        await session.pending.drop([pending.id])
    return answer


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
