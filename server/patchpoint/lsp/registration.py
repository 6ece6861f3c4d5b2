"""Messages of the client and the features that handle them."""

from __future__ import annotations

import logging

from lsprotocol import types

from patchpoint.lsp.commands import COMMANDS
from patchpoint.lsp.features.code_actions import code_actions
from patchpoint.lsp.features.code_lens import code_lenses
from patchpoint.lsp.features.offers import resolve_code_action
from patchpoint.lsp.language_server import PatchpointServer

NOT_KEPT = "This text is no longer available; open it again.\n"
"""What is shown in place of a text that many others have been shown after."""


def new_session() -> PatchpointServer:
    """Return a session with every feature, which waits for its client."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    session = PatchpointServer()

    @session.feature(types.INITIALIZED)
    def initialized(_: types.InitializedParams) -> None:
        session.start(session.on_initialized())
        session.start(session.add_workspace_folders(session.roots))
        session.start(_prepare(session))

    @session.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def did_change_configuration(params: types.DidChangeConfigurationParams) -> None:
        session.receive_settings(params.settings)

    @session.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        session.diagnostics.opened(params.text_document.uri)
        session.saves.opened(params.text_document.uri)
        session.document_changed(params.text_document.uri)

    @session.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        session.documents.note_changed(params.text_document.uri)
        session.saves.changed(params.text_document.uri)
        session.document_changed(params.text_document.uri)

    @session.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        session.saves.closed(params.text_document.uri)
        session.document_changed(params.text_document.uri)

    @session.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        session.documents.note_saved(params.text_document.uri)
        session.saves.saved(params.text_document.uri)
        session.document_changed(params.text_document.uri)

    @session.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def did_change_notebook(params: types.DidChangeNotebookDocumentParams) -> None:
        cells = params.change.cells
        for cell in (cells.text_content if cells is not None else None) or ():
            session.documents.note_changed(cell.document.uri)

    @session.feature(types.TEXT_DOCUMENT_CODE_ACTION)
    async def code_action(params: types.CodeActionParams) -> list[types.CodeAction | types.Command]:
        return await code_actions(session, params)

    @session.feature(types.TEXT_DOCUMENT_DIAGNOSTIC)
    async def diagnostic(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        await session.blocks.current(params.text_document.uri)
        return types.RelatedFullDocumentDiagnosticReport(session.diagnostics.of(params.text_document.uri))

    @session.feature(types.WORKSPACE_DIAGNOSTIC)
    def workspace_diagnostic(params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        known = {one.uri: one.value for one in params.previous_result_ids}
        return types.WorkspaceDiagnosticReport(session.diagnostics.of_workspace(known))

    @session.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def code_lens(params: types.CodeLensParams) -> list[types.CodeLens] | None:
        return await code_lenses(session, params)

    @session.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT)
    async def text_document_content(
        params: types.TextDocumentContentParams,
    ) -> types.TextDocumentContentResult:
        from patchpoint.lsp.checkpoints.past_files import is_past_file, past_file

        if is_past_file(params.uri):
            return types.TextDocumentContentResult(text=await past_file(session, params.uri))
        preview = session.previews.shown_in(params.uri)
        text = preview.text if preview is not None else session.shown.find(params.uri)
        return types.TextDocumentContentResult(text=NOT_KEPT if text is None else text)

    @session.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(_: types.DidChangeWatchedFilesParams) -> None:
        session.outside.poll_soon()

    @session.feature(types.CODE_ACTION_RESOLVE)
    def code_action_resolve(action: types.CodeAction) -> types.CodeAction:
        return resolve_code_action(action)

    @session.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def did_change_folders(params: types.DidChangeWorkspaceFoldersParams) -> None:
        session.on_folders_changed(params.event)

    return session


async def _prepare(session: PatchpointServer) -> None:
    """Import the handlers of commands, then listen for hooks, and watch for changes that others make."""
    await session.run(_import_handlers)
    session.start(session.hook_calls.serve())
    await session.outside.poll()


def _import_handlers() -> None:
    """Import what the first command needs before the user sends one."""
    for command in COMMANDS:
        command.handler()
