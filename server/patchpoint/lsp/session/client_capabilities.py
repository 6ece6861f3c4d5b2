"""The capabilities of the client, resolved once, and those of the server, as answered to `initialize`.

Both are plain JSON here: a client that declares something unknown must not keep the session from starting,
and the response to `initialize` must not wait until the protocol's types are loaded.
"""

from __future__ import annotations

from collections.abc import Iterable

from patchpoint.dataclass import dataclass
from patchpoint.schema.decode import JSON
from patchpoint.text.positions import Unit
from patchpoint.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientCapabilities:
    """What one client supports; each default is what the protocol assumes where nothing is declared."""

    name: str = ""
    """For the log and for `_RUNS_UNRESOLVED_ACTIONS` only: features are chosen by capability."""
    process_id: int | None = None
    unit: Unit = Unit.UTF_16
    """Unit in which the client counts the characters of a line."""

    apply_edit: bool = False
    document_changes: bool = False
    """Versioned edits. A client with resource operations supports them, declared or not."""
    create_files: bool = False
    rename_files: bool = False
    delete_files: bool = False
    change_annotations: bool = False
    edit_metadata: bool = False

    action_literals: bool = False
    action_resolve: bool = False
    """The client resolves the command of a code action when the action is chosen, from its data."""
    action_disabled: bool = False
    action_preferred: bool = False
    action_generated_tag: bool = False

    code_lens: bool = False
    code_lens_refresh: bool = False

    diagnostic_related: bool = False
    diagnostic_version: bool = False
    pulls_diagnostics: bool = False
    """The client only requests diagnostics; one that takes both kinds would show each twice."""
    diagnostic_refresh: bool = False

    show_document: bool = False
    work_done_progress: bool = False
    configuration: bool = False
    configuration_registration: bool = False
    watched_files: bool = False
    relative_patterns: bool = False
    """The client watches glob patterns relative to a folder given by its URI."""
    shows_results: bool = False
    """The client shows the results of commands to its user, so that we send no message about them."""
    text_document_content: bool = False
    notebooks: bool = False
    """The client tells of the cells of open notebooks."""
    trusts_workspace: bool = True
    """The user trusts the workspace, as far as the client says; if not, nothing interrupted is recovered."""

    @classmethod
    def of(cls, params: JSON) -> ClientCapabilities:
        """Return the capabilities in the parameters of `initialize`; what is malformed counts as missing."""
        declared = _at(params, "capabilities")
        operations = _strings(_at(declared, "workspace", "workspaceEdit", "resourceOperations"))
        process_id = _at(params, "processId")
        name = _at(params, "clientInfo", "name")
        edit = _at(declared, "workspace", "workspaceEdit")
        action = _at(declared, "textDocument", "codeAction")
        diagnostics = _at(declared, "textDocument", "publishDiagnostics")
        workspace = _at(declared, "workspace")
        window = _at(declared, "window")
        return cls(
            name=name if isinstance(name, str) else "",
            process_id=process_id if type(process_id) is int and 0 < process_id <= _MAX_PROCESS_ID else None,
            unit=_encoding(_at(declared, "general", "positionEncodings")),
            apply_edit=_flag(workspace, "applyEdit"),
            document_changes=_flag(edit, "documentChanges") or bool(operations),
            create_files="create" in operations,
            rename_files="rename" in operations,
            delete_files="delete" in operations,
            change_annotations=_present(edit, "changeAnnotationSupport"),
            edit_metadata=_flag(edit, "metadataSupport"),
            action_literals=_present(action, "codeActionLiteralSupport"),
            action_resolve=_flag(action, "dataSupport")
            and "command" in _strings(_at(action, "resolveSupport", "properties"))
            and name not in _RUNS_UNRESOLVED_ACTIONS,
            action_disabled=_flag(action, "disabledSupport"),
            action_preferred=_flag(action, "isPreferredSupport"),
            action_generated_tag=1 in _items(_at(action, "tagSupport", "valueSet")),
            code_lens=_present(declared, "textDocument", "codeLens"),
            code_lens_refresh=_flag(workspace, "codeLens", "refreshSupport"),
            diagnostic_related=_flag(diagnostics, "relatedInformation"),
            diagnostic_version=_flag(diagnostics, "versionSupport"),
            pulls_diagnostics=_present(declared, "textDocument", "diagnostic")
            and not isinstance(diagnostics, dict),
            diagnostic_refresh=_flag(workspace, "diagnostics", "refreshSupport"),
            show_document=_flag(window, "showDocument", "support"),
            work_done_progress=_flag(window, "workDoneProgress"),
            configuration=_flag(workspace, "configuration"),
            configuration_registration=_flag(workspace, "didChangeConfiguration", "dynamicRegistration"),
            watched_files=_flag(workspace, "didChangeWatchedFiles", "dynamicRegistration"),
            relative_patterns=_flag(workspace, "didChangeWatchedFiles", "relativePatternSupport"),
            shows_results=_flag(params, "initializationOptions", SHOWS_RESULTS),
            text_document_content=_flag(workspace, "textDocumentContent", "dynamicRegistration"),
            notebooks=_present(declared, "notebookDocument", "synchronization"),
            trusts_workspace=_trusts(_at(params, "initializationOptions", TRUSTED)),
        )


SHOWS_RESULTS = "showsResults"
"""Key of `initializationOptions`, and of a single request, by which a client shows results itself."""

TRUSTED = "trusted"
"""Key of `initializationOptions`: whether the user trusts the workspace. Any value but true means no; without
the key it is trusted, as for the clients that do not know of trust."""

OWN_OPTIONS = frozenset({SHOWS_RESULTS, TRUSTED})
"""The keys of `initializationOptions` that are not settings."""

_RUNS_UNRESOLVED_ACTIONS = frozenset({"helix"})
"""Names of clients that resolve a code action and then execute the command of the unresolved one (Helix
25.01): a command that is resolved later is never executed there."""

_MAX_PROCESS_ID = 2**31 - 1
"""The largest process id of the systems that Python can ask; it refuses to ask for a larger one."""

CODE_ACTION_KINDS = ("quickfix", "refactor.rewrite", "source.patchpoint")

INCREMENTAL = 2
"""`TextDocumentSyncKind.Incremental`: documents are synchronised by their changes."""


def initialize_result(client: ClientCapabilities, commands: Iterable[str]) -> dict[str, JSON]:
    """Return the result of `initialize`: the server's capabilities for this client."""
    return {
        "capabilities": _server_capabilities(client, list(commands)),
        "serverInfo": {"name": "patchpoint", "version": __version__},
    }


def _server_capabilities(client: ClientCapabilities, commands: list[JSON]) -> dict[str, JSON]:
    capabilities: dict[str, JSON] = {
        "positionEncoding": client.unit.value,
        "textDocumentSync": {"openClose": True, "change": INCREMENTAL, "save": True},
        "executeCommandProvider": {"commands": commands, "workDoneProgress": True},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
    }
    if client.action_literals:
        capabilities["codeActionProvider"] = {
            "codeActionKinds": list(CODE_ACTION_KINDS),
            "resolveProvider": client.action_resolve,
        }
    else:
        capabilities["codeActionProvider"] = True
    if client.pulls_diagnostics:
        # An edit's outcome depends on the file that it is for, not only on the document that it is in.
        capabilities["diagnosticProvider"] = {"interFileDependencies": True, "workspaceDiagnostics": True}
    if client.notebooks:
        capabilities["notebookDocumentSync"] = {
            "notebookSelector": [{"notebook": {"scheme": "file", "pattern": "**/*.ipynb"}}],
            "save": True,
        }
    if client.code_lens:
        capabilities["codeLensProvider"] = {"resolveProvider": False}
    return capabilities


def _at(value: JSON, *keys: str) -> JSON:
    for key in keys:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def _flag(value: JSON, *keys: str) -> bool:
    return _at(value, *keys) is True


def _trusts(value: JSON) -> bool:
    return value is None or value is True


def _present(value: JSON, *keys: str) -> bool:
    return isinstance(_at(value, *keys), dict)


def _items(value: JSON) -> list[JSON]:
    return value if isinstance(value, list) else []


def _strings(value: JSON) -> frozenset[str]:
    return frozenset(item for item in _items(value) if isinstance(item, str))


def _encoding(offered: JSON) -> Unit:
    """Return the first position encoding offered that we know; every client must support UTF-16."""
    known = {unit.value: unit for unit in Unit}
    for name in _items(offered):
        if isinstance(name, str) and name in known:
            return known[name]
    return Unit.UTF_16
