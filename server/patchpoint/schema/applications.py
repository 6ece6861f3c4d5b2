"""Applications in the shape of the protocol."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from patchpoint.schema.responses import ApplicationData, ApplicationsResult
from patchpoint.schema.uris import uri_of
from patchpoint.workspace.history.applications import Application


def applications_result(
    applications: Iterable[Application], session: str | None = None, limit: int | None = None
) -> ApplicationsResult:
    """Return the applications, newest first, or those of one chat, as the result of the command."""
    wanted = [one for one in applications if session is None or one.origin.session == session]
    return ApplicationsResult(applications=tuple(map(_application_data, wanted[:limit])))


def _application_data(application: Application) -> ApplicationData:
    origin = application.origin
    return ApplicationData(
        id=application.id,
        created_at=application.created_at,
        source=origin.source or None,
        session=origin.session or None,
        message=origin.message or None,
        edits=application.edits,
        files=tuple(uri_of(file) if Path(file).is_absolute() else file for file in application.changed()),
        reverted_at=application.reverted_at or None,
        reverts=application.reverts or None,
    )
