"""`undo` and `list_operations`: what Patchpoint did, from the log that persons and editors share."""

from __future__ import annotations

from pathlib import Path

from patchpoint.dataclass import replace
from patchpoint.headless.undo import Undone, UndoRequest, operations_of, redo, said_of
from patchpoint.headless.undo import undo as undone
from patchpoint.mcp.call import AGENT, Call, Reply, ToolError
from patchpoint.mcp.folders import chosen
from patchpoint.mcp.tools.checkpoints import reported
from patchpoint.mcp.tools.parameters import OperationsArguments, UndoArguments
from patchpoint.mcp.tools.results import OperationDone, OperationsDone, undo_done
from patchpoint.mcp.tools.words import operations_in_words, undone_in_words
from patchpoint.schema.checkpoints import shown_path
from patchpoint.schema.operations import operations_result
from patchpoint.schema.uris import path_of

_OWN_KINDS = ("apply", "resolve", "revert")
"""What an agent may take back without leave to restore."""


def undo(call: Call, asked: UndoArguments) -> Reply:
    """Take back the last thing that was done for the agent, or bring it back.

    Raises `ToolError`, for what others did, for restores, and where the person who started the server has not
    allowed that.
    """
    folder, session = chosen(call.roots, asked.root)[0], asked.session or AGENT
    way = redo if asked.redo else undone
    request = UndoRequest(
        session=session,
        named=asked.operation or "",
        dry_run=True,
        by=session,
        options=call.settings().store_options,
    )
    with reported():
        foreseen = way(folder, request, call.progress)
        _require_allowed(call, foreseen, session)
        done = foreseen
        if not asked.dry_run:
            exactly = replace(request, named=foreseen.operation.id, dry_run=False)
            done = replace(way(folder, exactly, call.progress), passed=foreseen.passed)
    return Reply(data=undo_done(done), text=undone_in_words(done))


def list_operations(call: Call, asked: OperationsArguments) -> Reply:
    """Return what was done, newest first."""
    folder = chosen(call.roots, asked.root)[0]
    with reported():
        root, known = operations_of(folder, call.settings().store_options, recover=call.recovers)
    listed = operations_result(root, known, asked.session, asked.limit).operations
    found = tuple(
        OperationDone(
            id=one.id,
            kind=one.kind,
            at=one.at,
            undone=one.state == "undone",
            session=one.session,
            label=one.label,
            target=one.target,
            files=tuple(
                f"{each.change} {shown_path(path_of(each.uri) or Path(each.uri), root)}" for each in one.files
            ),
        )
        for one in listed
    )
    return Reply(data=OperationsDone(operations=found), text=operations_in_words(found))


def _require_allowed(call: Call, foreseen: Undone, session: str) -> None:
    for _, path in foreseen.files:
        whole = foreseen.root / path
        if not any(map(whole.is_relative_to, call.roots)):
            raise ToolError(f"{whole} is not below the folders of this server.", "outside-root")
    operation, last = foreseen.operation.cause, foreseen.last.cause
    is_own = operation.session == session == last.session and operation.kind.value in _OWN_KINDS
    if is_own or call.may_restore:
        return
    others = last if last.session != session else operation
    whose = f"session {others.session}" if others.session else "a person"
    raise ToolError(
        f"Operation {operation.id} ({said_of(foreseen.operation, foreseen.root)}) is left to the user: "
        f"{whose} did {others.id} ({others.kind.value}). The user can run 'patchpoint "
        f"{foreseen.kind.value} {operation.id}', or start this server with --allow-restore.",
        "not-allowed",
    )
