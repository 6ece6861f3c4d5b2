"""Applications: listed, and reverted by the same ladder, since their files may have changed meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from patchpoint.lsp.applying.planning import EditRequest, plan_edits
from patchpoint.lsp.commands import LIST_APPLICATIONS, REVERT_EDITS, handles
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.features.apply_edits import apply_request
from patchpoint.lsp.features.edits_result import dry_run_result
from patchpoint.outcome import Status
from patchpoint.schema import requests, responses
from patchpoint.schema.operations import applications_result
from patchpoint.workspace.history.applications import Application, of_session

if TYPE_CHECKING:
    from patchpoint.lsp.language_server import PatchpointServer
    from patchpoint.lsp.session.progress import Work

_GONE = (Status.REVERTED, Status.ALREADY_APPLIED)


@handles(LIST_APPLICATIONS)
async def list_applications(
    session: PatchpointServer, params: requests.ListApplications, work: Work
) -> responses.ApplicationsResult:
    """Return the applications, newest first, those of earlier sessions and of the command line among them."""
    work.check()
    return applications_result(await session.applications.current(), params.session, params.limit)


@handles(REVERT_EDITS)
async def revert_edits(
    session: PatchpointServer, params: requests.RevertEdits, work: Work
) -> responses.EditsResult:
    """Revert an application, or those of a chat, newest first, up to one that cannot be.

    Raises `RequestFailed` when it is reverted already, or there is none.
    """
    if params.session is None:
        wanted = [await _unreverted(session, str(params.application))]
    else:
        wanted = of_session(await session.applications.current(), params.session, params.turn)
        if not wanted:
            raise RequestFailed(
                "no-application", f"Nothing that chat {params.session} applied is left to revert."
            )
    done: list[responses.EditsResult] = []
    for application in wanted:
        done.append(await _revert(session, application, work, dry_run=params.dry_run))
        if not params.dry_run and any(edit.status not in _GONE for edit in done[-1].edits):
            break
    return done[0] if len(done) == 1 else _together(done)


async def _unreverted(session: PatchpointServer, name: str) -> Application:
    application = await session.applications.find(name)
    if application.reverted_at:
        raise RequestFailed(
            "already-reverted", f"Nothing to revert: {application.id} has already been reverted."
        )
    return application


async def _revert(
    session: PatchpointServer, application: Application, work: Work, *, dry_run: bool
) -> responses.EditsResult:
    request = EditRequest(
        edits=application.back,
        ladder=await session.ladder(),
        originals=await session.run(application.originals),
    )
    if dry_run:
        return dry_run_result(session, await plan_edits(session, request, work))
    # What was there before is asked for by the application's id.
    again = requests.ApplyEdits(text="", allow_executing_files=True)
    return await apply_request(session, request, again, work, reverts=application.id)


def _together(done: Sequence[responses.EditsResult]) -> responses.EditsResult:
    """Return several results as one, with the checkpoint before the first and the last application."""
    return responses.EditsResult(
        applied=any(one.applied for one in done),
        application=next((one.application for one in reversed(done) if one.application), None),
        edits=tuple(edit for one in done for edit in one.edits),
        files=tuple(file for one in done for file in one.files),
        checkpoint=next((one.checkpoint for one in done if one.checkpoint), None),
    )
