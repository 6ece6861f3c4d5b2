"""The parameters of the tools: one frozen dataclass a tool, with what a model has to know of each.

What lowers a safeguard is not among them: a model would set it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from patchpoint.dataclass import dataclass, field
from patchpoint.edit import TEXT_FORMATS
from patchpoint.outcome import Atomic
from patchpoint.schema.decode import choices, limits
from patchpoint.schema.requests import EditData, require_digests


def described(description: str, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the metadata of a field whose meaning the model is shown, and `more` of it."""
    return {"description": description, **(more or {})}


LARGEST_ANSWER = 8 * 2**20
"""Characters of the edits of one call: some seconds of work."""


def require_size(characters: int) -> None:
    """Raise `ValueError` for more than `LARGEST_ANSWER`."""
    if characters > LARGEST_ANSWER:
        raise ValueError(
            f"the edits have {characters:,} characters; send at most {LARGEST_ANSWER:,} in one call."
        )


_ROOT = "The path of a folder, if there are several. Without it: all (to take and list), or the first."
_CHECKPOINT = "The id of a checkpoint or its beginning, `last`, or `last~2`."
_SESSION = "The chat that this belongs to."
_MESSAGE = "The message of that chat which the checkpoint precedes."


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewArguments:
    """Edits to look at."""

    text: str | None = field(
        default=None,
        metadata=described("Edits as text, for example search/replace blocks. Or give `edits`."),
    )
    edits: tuple[EditData, ...] | None = field(
        default=None, metadata=described("Edits as data. Or give `text`.")
    )
    format: str = field(
        default="auto",
        metadata=described(
            "How the edits are written in `text`; `auto` recognises it.", choices(TEXT_FORMATS)
        ),
    )
    atomic: Atomic | None = field(
        default=None,
        metadata=described(
            "What is not applied when an edit does not match: `all` edits, those of its `file`, or only "
            "that `edit`."
        ),
    )
    expected: Mapping[str, str] = field(
        default_factory=dict,
        metadata=described(
            "The SHA-256 (hexadecimal) of each file as you read it, by path. Edits of a file that has "
            "changed since are refused. Next time, expect the `newSha256` of the result."
        ),
    )

    def __post_init__(self) -> None:
        """Refuse a request without edits, or with edits in two places, and what is no SHA-256."""
        if (self.text is None) == (self.edits is None):
            raise ValueError("give exactly one of `text` and `edits`.")
        characters = len(self.text or "") + sum(
            len(part or "") for edit in self.edits or () for part in (edit.search, edit.replace, edit.content)
        )
        require_size(characters)
        require_digests(self.expected)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplyArguments(PreviewArguments):
    """Edits to apply."""

    dry_run: bool = field(
        default=False, metadata=described("Change nothing; return what would be changed, as a diff.")
    )
    session: str | None = field(default=None, metadata=described(_SESSION))
    message: str | None = field(default=None, metadata=described(_MESSAGE))

    def __post_init__(self) -> None:
        """Refuse what a preview refuses."""
        PreviewArguments.__post_init__(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolArguments:
    """A definition to replace, or to add to."""

    path: str = field(metadata=described("The path of the file."))
    name: str = field(
        metadata=described("The name of a definition of the file: `function`, `Class`, `Class.method`.")
    )
    text: str = field(
        metadata=described("The whole new definition, with its signature. It is indented as the file needs.")
    )
    where: str = field(
        default="replace",
        metadata=described(
            "Whether `text` replaces the definition or is added `before` or `after` it.",
            choices(("replace", "before", "after")),
        ),
    )
    expected: Mapping[str, str] = field(
        default_factory=dict, metadata=described("The SHA-256 of the file as you read it, by its path.")
    )
    dry_run: bool = field(
        default=False, metadata=described("Change nothing; return what would be changed, as a diff.")
    )
    session: str | None = field(default=None, metadata=described(_SESSION))
    message: str | None = field(default=None, metadata=described(_MESSAGE))

    def __post_init__(self) -> None:
        """Refuse what is too large, and what is no SHA-256."""
        require_size(len(self.text))
        require_digests(self.expected)


@dataclass(frozen=True, slots=True, kw_only=True)
class RevertArguments:
    """The application to revert."""

    application: str = field(metadata=described("The `application` of a result of apply_edits."))


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptArguments:
    """The proposals to make."""

    ids: tuple[str, ...] = field(
        metadata=described("The ids, from a result, of the proposals whose diff is what you mean.")
    )
    session: str | None = field(default=None, metadata=described(_SESSION))
    message: str | None = field(default=None, metadata=described(_MESSAGE))
    root: str | None = field(default=None, metadata=described(_ROOT))

    def __post_init__(self) -> None:
        """Refuse a request that accepts nothing, and a message of no chat."""
        if not self.ids:
            raise ValueError("`ids` is empty; name the proposals to accept.")
        if self.message is not None and self.session is None:
            raise ValueError("`message` needs `session`, the chat that it belongs to.")


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeArguments:
    """The label and the anchor of a new checkpoint."""

    label: str = field(default="", metadata=described("What comes next, in a few words."))
    session: str | None = field(default=None, metadata=described(_SESSION))
    message: str | None = field(default=None, metadata=described(_MESSAGE))
    root: str | None = field(default=None, metadata=described(_ROOT))

    def __post_init__(self) -> None:
        """Refuse a message of no chat."""
        if self.message is not None and self.session is None:
            raise ValueError("`message` needs `session`, the chat that it belongs to.")


@dataclass(frozen=True, slots=True, kw_only=True)
class HookArguments:
    """What an agent sends to a hook, by the names of Claude Code; empty what the event has not."""

    agent: str | None = field(default=None, metadata=described("The agent that calls it."))
    hook_event_name: str = field(metadata=described("The event."))
    cwd: str = field(metadata=described("The folder that the agent works in."))
    session_id: str = field(default="", metadata=described(_SESSION))
    prompt_id: str = field(default="", metadata=described("The turn."))
    prompt: str = field(default="", metadata=described("What the user asked."))
    tool_name: str = field(default="", metadata=described("The tool that is called."))
    tool_use_id: str = field(default="", metadata=described("Its call."))
    tool_input: str = field(default="", metadata=described("What it is given, as JSON."))
    tool_response: str = field(default="", metadata=described("What it returned, as JSON."))
    tool_calls: str = field(default="", metadata=described("The tools that were called together, as JSON."))
    error: str = field(default="", metadata=described("Why it failed."))

    def sent(self) -> dict[str, str]:
        """Return what the event has, by the names of Claude Code."""
        named = {name: getattr(self, name) for name in HOOK_FIELDS}
        return {name: text for name, text in named.items() if text}


HOOK_FIELDS = (
    "hook_event_name", "cwd", "session_id", "prompt_id", "prompt", "tool_name", "tool_use_id", "tool_input",
    "tool_response", "error",
)  # fmt: skip
"""The fields of an event that are passed on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListArguments:
    """Which checkpoints to list."""

    session: str | None = field(default=None, metadata=described("Only those of this chat."))
    limit: int = field(default=20, metadata=described("At most this many.", limits(minimum=1, maximum=1000)))
    root: str | None = field(default=None, metadata=described(_ROOT))


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffArguments:
    """The two states to compare."""

    checkpoint: str = field(metadata=described(_CHECKPOINT))
    against: str = field(
        default="worktree", metadata=described("`worktree` (the files as they are) or another checkpoint.")
    )
    path: str | None = field(default=None, metadata=described("Only this file or folder."))
    root: str | None = field(default=None, metadata=described(_ROOT))


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreArguments:
    """The checkpoint to go back to."""

    checkpoint: str = field(metadata=described(_CHECKPOINT))
    paths: tuple[str, ...] | None = field(
        default=None,
        metadata=described("Restore only these files and folders; branch and index stay as they are."),
    )
    dry_run: bool = field(default=False, metadata=described("Change nothing; return what would be done."))
    root: str | None = field(default=None, metadata=described(_ROOT))


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationsArguments:
    """Which operations to list."""

    session: str | None = field(default=None, metadata=described("Only those of this chat."))
    limit: int = field(default=20, metadata=described("At most this many.", limits(minimum=1, maximum=100)))
    root: str | None = field(default=None, metadata=described(_ROOT))


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoArguments:
    """What to undo, or to redo."""

    operation: str | None = field(
        default=None,
        metadata=described("The id of an operation of list_operations; without it, the last of yours."),
    )
    redo: bool = field(default=False, metadata=described("Bring back what was undone last instead."))
    session: str | None = field(default=None, metadata=described(_SESSION))
    dry_run: bool = field(default=False, metadata=described("Change nothing; return what would be done."))
    root: str | None = field(default=None, metadata=described(_ROOT))


EDIT_DESCRIPTIONS = {
    "path": "Relative to a folder, or absolute inside one.",
    "uri": "In place of `path`.",
    "operation": "`replace` needs `search` and `replace`, `create` and `write` need `content`, "
    "`rename` needs `newPath`.",
    "search": "Lines of the file, copied exactly, enough of them to occur only once.",
    "replace": "The text to put in their place.",
    "replaceAll": "Replace every occurrence.",
    "occurrence": "Which occurrence to replace, from 1.",
    "line": "A line, from 1, near the search text.",
    "scope": "The lines that name the class or function around the search text, outermost first.",
    "newPath": "The file's new path.",
    "content": "The whole text of the file.",
}
"""What a model is shown of the keys of an edit as data."""
