"""What the client at the other end is able to do, worked out once, and what we tell it that we do.

Both are read from and written as plain JSON: a client that declares something unheard of must not keep the
session from starting, and the answer to `initialize` must not wait for the protocol's types to load.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version

from patchpoint.lsp.decode import JSON
from patchpoint.text.positions import Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """What one client can do; each default is what the protocol assumes of a client that does not say."""

    name: str = ""
    """For the log, and for `_RUNS_THE_UNRESOLVED`: features are chosen by capability otherwise."""
    process_id: int | None = None
    unit: Unit = Unit.UTF_16
    """In which it counts the characters of a line."""

    apply_edit: bool = False
    document_changes: bool = False
    """It takes versioned edits. One that takes resource operations does so too, declared or not."""
    create_files: bool = False
    rename_files: bool = False
    delete_files: bool = False
    change_annotations: bool = False
    edit_metadata: bool = False

    action_literals: bool = False
    action_resolve: bool = False
    """The command of a code action may be left for later, with data that says which it is."""
    action_disabled: bool = False
    action_preferred: bool = False
    action_generated_tag: bool = False

    code_lens: bool = False
    code_lens_refresh: bool = False

    diagnostic_related: bool = False
    diagnostic_data: bool = False
    diagnostic_version: bool = False

    show_document: bool = False
    work_done_progress: bool = False
    configuration: bool = False
    configuration_registration: bool = False
    watched_files: bool = False
    relative_patterns: bool = False
    """It watches names below a folder that is given by its URI."""
    shows_results: bool = False
    """It shows its user what every command answers, so that no message has to."""
    text_document_content: bool = False
    workspace_folders: bool = False

    @classmethod
    def of(cls, params: JSON) -> Client:
        """What the parameters of `initialize` say; what cannot be understood in them counts as not there."""
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
            process_id=process_id if type(process_id) is int and process_id > 0 else None,
            unit=_encoding(_at(declared, "general", "positionEncodings")),
            apply_edit=_yes(workspace, "applyEdit"),
            document_changes=_yes(edit, "documentChanges") or bool(operations),
            create_files="create" in operations,
            rename_files="rename" in operations,
            delete_files="delete" in operations,
            change_annotations=_there(edit, "changeAnnotationSupport"),
            edit_metadata=_yes(edit, "metadataSupport"),
            action_literals=_there(action, "codeActionLiteralSupport"),
            action_resolve=_yes(action, "dataSupport")
            and "command" in _strings(_at(action, "resolveSupport", "properties"))
            and name not in _RUNS_THE_UNRESOLVED,
            action_disabled=_yes(action, "disabledSupport"),
            action_preferred=_yes(action, "isPreferredSupport"),
            action_generated_tag=1 in _items(_at(action, "tagSupport", "valueSet")),
            code_lens=_there(declared, "textDocument", "codeLens"),
            code_lens_refresh=_yes(workspace, "codeLens", "refreshSupport"),
            diagnostic_related=_yes(diagnostics, "relatedInformation"),
            diagnostic_data=_yes(diagnostics, "dataSupport"),
            diagnostic_version=_yes(diagnostics, "versionSupport"),
            show_document=_yes(window, "showDocument", "support"),
            work_done_progress=_yes(window, "workDoneProgress"),
            configuration=_yes(workspace, "configuration"),
            configuration_registration=_yes(workspace, "didChangeConfiguration", "dynamicRegistration"),
            watched_files=_yes(workspace, "didChangeWatchedFiles", "dynamicRegistration"),
            relative_patterns=_yes(workspace, "didChangeWatchedFiles", "relativePatternSupport"),
            shows_results=_yes(params, "initializationOptions", SHOWS_RESULTS),
            text_document_content=_yes(workspace, "textDocumentContent", "dynamicRegistration"),
            workspace_folders=_yes(workspace, "workspaceFolders"),
        )


SHOWS_RESULTS = "showsResults"
"""Among the options of `initialize`, and in a single request: whoever asks shows the answer himself."""

_RUNS_THE_UNRESOLVED = frozenset({"helix"})
"""Names of clients that resolve a code action and then run the command of what they had before (Helix 25.01):
a command that was left for later is never run there."""

CODE_ACTION_KINDS = ("quickfix", "refactor.rewrite", "source.patchpoint")

INCREMENTAL = 2
"""The protocol's number for documents sent as changes."""


def initialize_result(client: Client, commands: Iterable[str]) -> dict[str, JSON]:
    """The answer to `initialize`: what the server does for this client."""
    return {
        "capabilities": _server_capabilities(client, list(commands)),
        "serverInfo": {"name": "patchpoint", "version": version("patchpoint")},
    }


def _server_capabilities(client: Client, commands: list[JSON]) -> dict[str, JSON]:
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
    if client.code_lens:
        capabilities["codeLensProvider"] = {"resolveProvider": False}
    return capabilities


def _at(value: JSON, *keys: str) -> JSON:
    for key in keys:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def _yes(value: JSON, *keys: str) -> bool:
    return _at(value, *keys) is True


def _there(value: JSON, *keys: str) -> bool:
    return isinstance(_at(value, *keys), dict)


def _items(value: JSON) -> list[JSON]:
    return value if isinstance(value, list) else []


def _strings(value: JSON) -> frozenset[str]:
    return frozenset(item for item in _items(value) if isinstance(item, str))


def _encoding(offered: JSON) -> Unit:
    """The first that the client offers and we know; UTF-16 is what every client must take."""
    known = {unit.value: unit for unit in Unit}
    for name in _items(offered):
        if isinstance(name, str) and name in known:
            return known[name]
    return Unit.UTF_16
