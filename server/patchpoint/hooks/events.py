"""What an agent's hook sends: JSON, read by its shape, since keys and names differ and change.

Sources, as of autumn 2026: the hook references of Claude Code, Gemini CLI, Cursor and Copilot CLI, the JSON
schemas of Codex (codex-rs/hooks/schema), and the plugin interface of opencode.
"""

from __future__ import annotations

import json
import re
from enum import Enum

from patchpoint.dataclass import dataclass
from patchpoint.hooks.fields import DETAIL_KEYS, Fields, folder_in, plain
from patchpoint.text.regex import regex


class Moment(Enum):
    """When a hook is called, as far as that matters for checkpoints."""

    PROMPT = "prompt"
    """Before the agent begins to work on what the user asked."""
    STEP = "step"
    """Before a tool that may change files, such as a shell command or an edit."""
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
    """The files that the tool is about to write, as it names them; `None` where it may write any."""

    @property
    def label(self) -> str:
        """What a checkpoint that precedes the event is called: the first words of the prompt or the step."""
        if self.moment is Moment.PROMPT:
            return _first_words(self.prompt) or "Before a turn"
        if self.moment is Moment.END:
            return "After a turn"
        detail = _first_words(self.detail)
        return f"Before {_first_words(self.tool) or 'a step'}{': ' if detail else ''}{detail}"


def read_event(data: object) -> HookEvent:
    """Return the event that the JSON `data` describes. What is not of the expected kind is passed over."""
    given = Fields(data)
    tool = given.text("toolname", "tool")
    arguments = given.value("toolinput", "toolargs", "toolinputs", "args", "arguments", "input")
    command = given.text("command")
    moment = _moment(
        given.text("hookeventname", "eventname", "event", "agentactionname", "type"), given, tool
    )
    detail = command or _detail(arguments)
    session = given.text(
        "sessionid", "conversationid", "threadid", "chatid", "trajectoryid", "taskid", "session"
    )
    return HookEvent(
        moment=moment,
        session=session[:_LONGEST_NAME] or None,
        turn=_turn(given, moment)[:_LONGEST_NAME] or None,
        folder=folder_in(given),
        prompt=given.text("prompt", "userprompt", "message", "text"),
        tool=tool or ("a command" if command else ""),
        detail=detail,
        writes=() if moment is Moment.PROMPT else _written(tool, arguments),
    )


_TURN_KEYS = ("turnid", "promptid", "generationid", "messageid", "executionid", "requestid")

_PROMPTS = {
    "userpromptsubmit", "userpromptsubmitted", "beforesubmitprompt", "beforeagent", "chatmessage",
    "preuserprompt",
}  # fmt: skip
_STEPS = {"pretooluse", "beforetool", "beforeshellexecution", "beforemcpexecution", "toolexecutebefore"}
_ENDS = {"stop", "stopfailure", "agentstop", "afteragent", "sessionidle", "postcascaderesponse"}
_READERS = {
    "askuser", "askuserquestion", "bashoutput", "codesearch", "exitplanmode", "fetch", "find", "glob",
    "googlewebsearch", "grep", "grepsearch", "killshell", "list", "listdir", "listdirectory", "ls", "lsp",
    "open", "planexit", "question", "read", "readfile", "readlints", "readmanyfiles", "ripgrep",
    "savememory", "search", "searchfilecontent", "semanticsearch", "skill", "task", "taskoutput", "think",
    "todoread", "todowrite", "toolsearch", "updateplan", "view", "viewimage", "webfetch", "websearch",
    "writetodos",
}  # fmt: skip
"""Tools that change no file of the project; those of a subagent call the hook themselves."""

_WRITERS = {
    "applypatch", "create", "createfile", "delete", "deletefile", "edit", "editfile", "editnotebook",
    "inserteditintofile", "multiedit", "multireplacestringinfile", "notebookedit", "patch", "replace",
    "replaceinfile", "replacestringinfile", "searchreplace", "strreplace", "strreplacebasededittool",
    "strreplaceeditor", "write", "writefile", "writetofile",
}  # fmt: skip
"""Tools that change the files they name, and no other."""

_FILE_KEYS = ("filepath", "path", "file", "targetfile", "notebookpath", "filename", "absolutepath")
_PATCH_KEYS = ("input", "patch", "patchtext", "command", "cmd")
_LIST_KEYS = ("edits", "replacements", "files")

_PATCHED = regex(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$", re.MULTILINE)
_PATCHED_OR_MOVED = regex(r"^\*\*\* (?:(?:Update|Add|Delete) File|Move to): (.+?)[ \t\r]*$", re.MULTILINE)

_LABEL_LENGTH = 60
_LONGEST_NAME = 200
"""Characters; a session or a turn with a longer name is cut."""


def _moment(event: str, given: Fields, tool: str) -> Moment:
    name = plain(event)
    if name in _PROMPTS:
        return Moment.PROMPT
    if name in _ENDS or (not name and given.has("stopreason")):
        return Moment.END
    if name in _STEPS or (not name and tool):
        return Moment.OTHER if plain(tool) in _READERS else Moment.STEP
    if not name:
        return Moment.PROMPT if given.text("prompt", "userprompt") or given.has("sessionid") else Moment.OTHER
    if name.startswith(("before", "pre")):
        return Moment.STEP if tool else Moment.OTHER
    return Moment.OTHER


def _turn(given: Fields, moment: Moment) -> str:
    named = given.text(*_TURN_KEYS)
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


def _written(tool: str, arguments: object) -> tuple[str, ...] | None:
    """Return the files that a tool names as those it changes; `None` where it may change others."""
    if plain(tool) not in _WRITERS:
        return None
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            arguments = {"patch": arguments}
    fields = Fields(arguments)
    parts = [fields]
    for key in _LIST_KEYS:
        each = fields.value(key)
        parts += [Fields(one) for one in each] if isinstance(each, list) else []
    named = [path for part in parts if (path := part.text(*_FILE_KEYS))]
    for key in _PATCH_KEYS:
        named += _PATCHED_OR_MOVED.findall(fields.text(key) or fields.first(key))
    return tuple(dict.fromkeys(named)) or None


def _first_words(text: str) -> str:
    """Return as many of the first words as fit into a label; one that is longer is cut."""
    words = " ".join(text[: 20 * _LABEL_LENGTH].split())
    if len(words) <= _LABEL_LENGTH:
        return words
    return words[:_LABEL_LENGTH].rpartition(" ")[0] or words[:_LABEL_LENGTH]
