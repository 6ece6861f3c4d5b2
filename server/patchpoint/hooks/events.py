"""What an agent's hook sends: JSON, read by its shape, since keys and names differ and change.

Sources, as of autumn 2026: the hook references of Claude Code, Gemini CLI, Cursor and Copilot CLI, the JSON
schemas of Codex (codex-rs/hooks/schema), and the plugin interface of opencode.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from enum import Enum

from patchpoint.dataclass import dataclass, field
from patchpoint.hooks.fields import DETAIL_KEYS, Fields, folder_in, plain
from patchpoint.hooks.tools.names import READERS, WRITERS
from patchpoint.hooks.tools.passed_over import AFTER_STEPS, FAILED_STEP, FILE_EDITED, STEPS
from patchpoint.text.regex import regex

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    from patchpoint.stated_change import StatedChange


class Moment(Enum):
    """When a hook is called, as far as that matters for checkpoints."""

    PROMPT = "prompt"
    """Before the agent begins to work on what the user asked."""
    STEP = "step"
    """Before a tool that may change files, such as a shell command or an edit."""
    AFTER_STEP = "afterStep"
    """When such a tool has done its work, or failed."""
    END = "end"
    """When the agent is done, and waits for the user."""
    OTHER = "other"
    """Any other: nothing is about to change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HookEvent:
    """One call of a hook."""

    moment: Moment
    session: str | None = None
    turn: str | None = None
    """What the agent calls the turn, or the time of the prompt where it has no name."""
    folder: str | None = None
    prompt: str = ""
    tool: str = ""
    detail: str = ""
    """What the tool is about to do: a command, or the file that it edits."""
    writes: tuple[str, ...] | None = None
    """The files that the tool writes, as it names them; `None` where it may write any."""
    changes: Mapping[str, StatedChange] = field(default_factory=dict)
    """What it says that it does to them, as far as it says so."""
    places: tuple[str, ...] = ()
    """Files and folders that it names, as it names them: what it works on may be elsewhere."""
    call: str | None = None
    """What the agent calls this call of the tool."""
    has_failed: bool = False
    """Whether the tool did not do what it was called for."""
    is_late: bool = False
    """Whether the turn may have ended long before, and may have been said to."""

    @property
    def is_stated(self) -> bool:
        """Whether the tool says all that it does to files."""
        return self.writes is not None and bool(self.writes) and set(self.writes) <= self.changes.keys()

    @property
    def label(self) -> str:
        """What a checkpoint that precedes the event is called: the first words of the prompt or the step."""
        if self.moment is Moment.PROMPT:
            return _first_words(self.prompt) or "Before a turn"
        if self.moment is Moment.END:
            return "After a turn"
        detail = _first_words(self.detail)
        when = "After" if self.moment is Moment.AFTER_STEP else "Before"
        return f"{when} {_first_words(self.tool) or 'a step'}{': ' if detail else ''}{detail}"


def read_event(data: object) -> HookEvent:
    """Return the event that the JSON `data` describes. What is not of the expected kind is passed over."""
    given = Fields(data)
    tool = given.text("toolname", "tool")
    arguments = given.value("toolinput", "toolargs", "toolinputs", "args", "arguments", "input")
    command = given.text("command")
    event = given.text("hookeventname", "eventname", "event", "agentactionname", "type")
    moment = _moment(event, given, tool)
    if plain(event) == FILE_EDITED and not tool:
        tool, arguments = "edit", data
    detail = command or _detail(arguments)
    session = given.text(
        "sessionid", "conversationid", "threadid", "chatid", "trajectoryid", "taskid", "session"
    )
    return HookEvent(
        moment=moment,
        session=session[:_LONGEST_NAME] or None,
        turn=_turn(given, moment, plain(event))[:_LONGEST_NAME] or None,
        folder=folder_in(given),
        prompt=given.text("prompt", "userprompt", "message", "text"),
        tool=tool or ("a command" if command else ""),
        detail=detail,
        writes=() if moment is Moment.PROMPT else _written(tool, arguments),
        changes=_changes(given, tool, arguments, moment),
        places=_places(given, moment, detail),
        call=given.text("tooluseid", "callid", "toolcallid", "invocationid")[:_LONGEST_NAME] or None,
        has_failed=moment is Moment.AFTER_STEP and _has_failed(plain(event), given),
        is_late=plain(event) in _LATE_ENDS,
    )


_TURN_KEYS = ("turnid", "promptid", "generationid", "messageid", "executionid", "requestid")

_PROMPTS = {
    "userpromptsubmit", "userpromptsubmitted", "beforesubmitprompt", "beforeagent", "chatmessage",
    "preuserprompt",
}  # fmt: skip
_LATE_ENDS = {"notification", "sessionend"}
"""Events that come long after a turn, or after one that was interrupted."""
_ENDS = {
    "stop", "stopfailure", "agentstop", "afteragent", "sessionidle", "postcascaderesponse", "sessionend",
}  # fmt: skip
_ENDS_OF_ANSWERS = {"stop", "sessionend"}
_IDLE = {"idleprompt", "idle"}
_RESPONSE_KEYS = ("toolresponse", "toolresult", "tooloutput", "output", "result")
_NO_RESULTS = {"denied", "error", "failure", "rejected"}
_PATCHED = regex(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$", re.MULTILINE)

_BETWEEN_WORDS = regex(r"""[\s"'`;|&<>()=,{}$]+""")
_LONGEST_DETAIL = 20_000
_MOST_PLACES = 50

_LABEL_LENGTH = 60
_LONGEST_NAME = 200
"""Characters; a session or a turn with a longer name is cut."""


def _moment(event: str, given: Fields, tool: str) -> Moment:
    name = plain(event)
    if name in _PROMPTS:
        # Qwen Code calls it after each tool as well, with an empty prompt.
        return Moment.OTHER if given.is_empty("prompt") else Moment.PROMPT
    if name in _ENDS or (not name and given.has("stopreason")):
        return Moment.END
    if name == "notification":
        idle = plain(given.text("notificationtype", "notification", "kind")) in _IDLE
        return Moment.END if idle else Moment.OTHER
    is_after = name in AFTER_STEPS or (not name and given.value("toolresult", "toolresponse") is not None)
    if not is_after and (name in STEPS or (not name and tool)):
        return Moment.OTHER if plain(tool) in READERS else Moment.STEP
    if is_after:
        is_known = tool or name in (FILE_EDITED, "aftershellexecution")
        return Moment.AFTER_STEP if is_known and plain(tool) not in READERS else Moment.OTHER
    if not name:
        return Moment.PROMPT if given.text("prompt", "userprompt") or given.has("sessionid") else Moment.OTHER
    if name.startswith(("before", "pre")):
        return Moment.STEP if tool else Moment.OTHER
    return Moment.OTHER


def _written(tool: str, arguments: object) -> tuple[str, ...] | None:
    if plain(tool) not in WRITERS:
        return None  # before what it takes to read an edit is loaded
    from patchpoint.hooks.tools.stated_changes import files_written

    return files_written(tool, arguments)


def _changes(given: Fields, tool: str, arguments: object, moment: Moment) -> Mapping[str, StatedChange]:
    """Return what a tool says that it does; afterwards, what it did, if that is another text."""
    if moment not in (Moment.STEP, Moment.AFTER_STEP) or plain(tool) not in WRITERS:
        return {}
    from patchpoint.hooks.tools.stated_changes import stated_changes

    stated = stated_changes(tool, arguments)
    did = given.value(*_RESPONSE_KEYS) if moment is Moment.AFTER_STEP else None
    return {**stated, **{path: did for path, did in stated_changes(tool, did).items() if path in stated}}


def _places(given: Fields, moment: Moment, detail: str) -> tuple[str, ...]:
    """Return what may be a path elsewhere: other folders of the agent, and words of what a tool is given."""
    found = given.texts("workspaceroots", "workspacepaths", "roots", "additionaldirectories")[1:]
    if moment is Moment.STEP and (os.sep in detail or "~" in detail or ".." in detail):
        words = _BETWEEN_WORDS.split(detail[:_LONGEST_DETAIL])
        found += [word for word in words if word.startswith(("/", "~/", "..")) or os.sep in word]
    return tuple(dict.fromkeys(found))[:_MOST_PLACES]


def _has_failed(event: str, given: Fields) -> bool:
    response = Fields(given.value(*_RESPONSE_KEYS))
    return (
        event == FAILED_STEP
        or response.value("success") is False
        or response.value("iserror") is True
        or bool(response.value("error"))
        or plain(response.text("resulttype", "status")) in _NO_RESULTS
    )


def _turn(given: Fields, moment: Moment, event: str) -> str:
    # With these, Droid names the answer by `message_id`, and not the prompt.
    named = given.text(*(key for key in _TURN_KEYS if key != "messageid" or event not in _ENDS_OF_ANSWERS))
    return named if named or moment is not Moment.PROMPT else given.text("timestamp", "time")


def _detail(arguments: object) -> str:
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)  # some agents send them as a text of JSON
        except (ValueError, RecursionError):
            return str(arguments).encode("utf-8", "replace").decode("utf-8")
    fields = Fields(arguments)
    found = fields.text(*DETAIL_KEYS) or fields.first(*DETAIL_KEYS)
    files = _PATCHED.findall(found) if found.lstrip().startswith("*** Begin Patch") else []
    return " ".join(files) or found


def _first_words(text: str) -> str:
    """Return as many of the first words as fit into a label; one that is longer is cut."""
    words = " ".join(text[: 20 * _LABEL_LENGTH].split())
    if len(words) <= _LABEL_LENGTH:
        return words
    return words[:_LABEL_LENGTH].rpartition(" ")[0] or words[:_LABEL_LENGTH]
