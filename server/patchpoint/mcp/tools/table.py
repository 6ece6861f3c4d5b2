"""The table of the tools."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from importlib import import_module

from patchpoint.dataclass import dataclass
from patchpoint.mcp.call import Call, Reply
from patchpoint.mcp.json_schema import Schema, input_schema, output_schema
from patchpoint.mcp.tools import parameters, results
from patchpoint.schema.decode import JSON, decode
from patchpoint.schema.requests import EditData

_GRAMMAR = """Write each edit as the path of its file and a block:

path/to/file.py
<<<<<<< SEARCH
lines copied exactly from the file
=======
the new lines
>>>>>>> REPLACE

Quote whole lines, enough of them to occur only once in the file. An empty SEARCH creates a file. \
Unified diffs, `*** Begin Patch` envelopes and other formats work too."""


DRY_RUN = " With `dryRun`, nothing is written, and the diff is returned."


class Needs(Enum):
    """What the person who starts the server allows a tool to do."""

    NOTHING = "it reads"
    WRITING = "it writes"
    RESTORING = "it goes back"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool; a client shows its title, and a model reads its description."""

    name: str
    title: str
    description: str
    params: type
    result: type
    handler: str
    """`module.function` in this folder. The module is imported when the tool is called, so that a client does
    not wait for it when it starts the server."""
    needs: Needs
    hint: str = ""
    """Words for clients that have a model search for tools."""
    is_always_loaded: bool = False
    """A model is shown it without a search."""
    destructive: bool = False
    """It changes or deletes what is there, rather than only adding."""
    idempotent: bool = False
    """To call it again with the same arguments changes nothing more; clients replay such calls, at any time.

    A restore that is replayed would take out what was done in between, and `undo` would undo the replay
    instead of the restore.
    """

    def run(self, call: Call, arguments: object) -> Reply:
        """Return what comes of a call. Raises `ToolError`, `Asked`, `CancelledError` and `OSError`."""
        module, _, function = self.handler.partition(".")
        reply: Reply = getattr(import_module(f"patchpoint.mcp.tools.{module}"), function)(call, arguments)
        return reply

    def meta(self) -> dict[str, str | bool] | None:
        """Return what Claude Code reads of a tool that it would have its model search for."""
        found: dict[str, str | bool] = {"anthropic/searchHint": self.hint} if self.hint else {}
        if self.is_always_loaded:
            found["anthropic/alwaysLoad"] = True
        return found or None

    def decoded(self, arguments: JSON) -> object:
        """Return the parameters. Raises `InvalidArgumentError`."""
        return decode(self.params, arguments)

    def input_schema(self) -> Schema:
        """Return the JSON Schema of its parameters."""
        return input_schema(self.params, {EditData: parameters.EDIT_DESCRIPTIONS})

    def output_schema(self) -> Schema:
        """Return the JSON Schema of its result."""
        return output_schema(self.result)


TOOLS = (
    Tool(
        name="preview_edits",
        title="Preview edits",
        description="Show what the edits would change, as a diff, and which have no certain place. Writes "
        f"nothing.\n\n{_GRAMMAR}",
        params=parameters.PreviewArguments,
        result=results.EditsDone,
        handler="editing.preview_edits",
        needs=Needs.NOTHING,
        hint="preview edits as a diff without writing",
        idempotent=True,
    ),
    Tool(
        name="apply_edits",
        title="Apply edits",
        description="Apply edits to files, even when they misquote the text; an edit without a certain "
        "place is refused, with feedback on what to send instead. All edits are applied or none, after "
        f"a checkpoint of the files.{DRY_RUN}\n\n"
        f"{_GRAMMAR}",
        params=parameters.ApplyArguments,
        result=results.EditsDone,
        handler="editing.apply_edits",
        needs=Needs.WRITING,
        hint="edit files, string to replace not found, apply patch or diff, several files at once",
        is_always_loaded=True,
        destructive=True,
    ),
    Tool(
        name="edit_symbol",
        title="Edit a definition",
        description="Replace a function, method or class by its name, or add a definition before or after "
        "it, without quoting the file. A name that occurs twice is refused, with the places; so is a text "
        "after which the file would not parse. Comments above the definition stay. A checkpoint is taken "
        f"first.{DRY_RUN}",
        params=parameters.SymbolArguments,
        result=results.EditsDone,
        handler="editing.edit_symbol",
        needs=Needs.WRITING,
        hint="replace a function, method or class by its name, add a method or function after one",
        destructive=True,
    ),
    Tool(
        name="accept_proposals",
        title="Accept proposals",
        description="Apply edits that were proposed because they were not certain enough: the result that "
        "proposed them has their ids and diffs. Accept a proposal only if its diff is what you mean. An "
        "id whose file has changed since is refused. A checkpoint is taken first.",
        params=parameters.AcceptArguments,
        result=results.EditsDone,
        handler="editing.accept_proposals",
        needs=Needs.WRITING,
        hint="accept a proposed edit by its id",
        destructive=True,
    ),
    Tool(
        name="revert_edits",
        title="Revert edits",
        description="Revert what one call of apply_edits changed, even if the files have changed since.",
        params=parameters.RevertArguments,
        result=results.EditsDone,
        handler="editing.revert_edits",
        needs=Needs.WRITING,
        hint="take out an edit, although the file has changed since",
        destructive=True,
    ),
    Tool(
        name="take_checkpoint",
        title="Take a checkpoint",
        description="Record the current files so that the user can go back to them. Files, index and HEAD "
        "are not touched. Take one before running a command that changes or deletes files.",
        params=parameters.TakeArguments,
        result=results.CheckpointsDone,
        handler="checkpoints.take_checkpoint",
        needs=Needs.WRITING,
        hint="back up files before a risky command",
    ),
    Tool(
        name="list_checkpoints",
        title="List checkpoints",
        description="List the checkpoints, newest first.",
        params=parameters.ListArguments,
        result=results.CheckpointsDone,
        handler="checkpoints.list_checkpoints",
        needs=Needs.NOTHING,
        hint="list backups of the files",
        idempotent=True,
    ),
    Tool(
        name="diff_checkpoint",
        title="Compare with a checkpoint",
        description="Show what has changed since a checkpoint, or between two, as a diff.",
        params=parameters.DiffArguments,
        result=results.DiffDone,
        handler="checkpoints.diff_checkpoint",
        needs=Needs.NOTHING,
        hint="what changed since",
        idempotent=True,
    ),
    Tool(
        name="restore_checkpoint",
        title="Restore a checkpoint",
        description="Restore files to a checkpoint: files changed since are rewritten, new ones deleted. A "
        "safety checkpoint is taken first, and undo undoes the restore. Use it only when the "
        "user asks for it.",
        params=parameters.RestoreArguments,
        result=results.RestoreDone,
        handler="checkpoints.restore_checkpoint",
        needs=Needs.RESTORING,
        hint="go back, bring back deleted files",
        destructive=True,
    ),
    Tool(
        name="undo",
        title="Undo",
        description="Take back the last thing that you did with these tools, exactly, and nothing that the "
        "user or another agent did; again, go further back. With `redo`, bring back what you undid last. "
        "Refused where a file has changed since: revert_edits takes out only your lines then.",
        params=parameters.UndoArguments,
        result=results.UndoDone,
        handler="undoing.undo",
        needs=Needs.WRITING,
        hint="undo or redo the last edit or restore",
        destructive=True,
    ),
    Tool(
        name="list_operations",
        title="List operations",
        description="List what Patchpoint did here for you, the user and other agents, newest first; undo "
        "takes the ids.",
        params=parameters.OperationsArguments,
        result=results.OperationsDone,
        handler="undoing.list_operations",
        needs=Needs.NOTHING,
        hint="history of edits and restores",
        idempotent=True,
    ),
)


HOOK_TOOL = Tool(
    name="hook",
    title="Answer a hook",
    description="Take the checkpoint that precedes an event of an agent. Its hooks call it.",
    params=parameters.HookArguments,
    result=results.CheckpointsDone,
    handler="agent_hook.answer_hook",
    needs=Needs.WRITING,
)
"""What `patchpoint setup` has an agent's hooks call. No model is shown it."""


def tools_allowed(*, read_only: bool, allow_restore: bool) -> dict[str, Tool]:
    """Return the tools that there are, by name."""
    allowed = {Needs.NOTHING}
    if not read_only:
        allowed |= {Needs.WRITING, Needs.RESTORING} if allow_restore else {Needs.WRITING}
    return {tool.name: tool for tool in TOOLS if tool.needs in allowed}


def tools_listed(allowed: Mapping[str, Tool]) -> list[Tool]:
    """Return the tools that a model is shown.

    `preview_edits` is shown where `apply_edits` is not, which does the same with `dryRun`: what edits look
    like is long, and would be sent twice.
    """
    return [tool for tool in allowed.values() if tool.name != "preview_edits" or "apply_edits" not in allowed]
