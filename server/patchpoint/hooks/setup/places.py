"""Where each agent has its configuration, and what of it calls the hook."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from patchpoint.dataclass import dataclass, field, replace
from patchpoint.hooks.setup.json_edit import JSON
from patchpoint.hooks.tools.names import CLAUDE_STEPS

_TIMEOUT_S = 20
"""Seconds after which an agent ends a hook that does not end by itself; the hook gives up long before."""

_SERVER_TIMEOUT_S = 10
"""The same for a tool of a server, which does not give up by itself."""

_PLUGINS = Path(__file__).parent
_KEPT_PROCESS = "kept_process.js"
"""The part that all plugins have; the other one is called by the agent."""


@dataclass(frozen=True, slots=True)
class AgentPlace:
    """One agent: where its configuration is, and what is to be in it."""

    name: str
    title: str
    variable: str
    """The environment variable that names the user's folder of the agent."""
    folder: str
    """That folder, below the home directory, where the variable is not set."""
    user_file: str
    """The file below it."""
    project_file: str
    """The file below the root of a project."""
    entries: Mapping[str, JSON] = field(default_factory=dict)
    """By event what is added to its list; `COMMAND` is replaced by the command. Empty for a plugin."""
    base: str = "{}\n"
    """The text of a file that is created, before anything is added."""
    is_own: bool = False
    """Whether the file is for Patchpoint alone."""
    can_repair: bool = False
    """Whether its hook may give a tool another patch than the agent did."""
    note: str = ""
    """What the user has to do after that."""
    other_events: tuple[str, ...] = ()
    """Events that are in no entry of this set-up, and may be in that of another one for the same agent."""
    plugin_of: str = ""
    """The agent whose plugin it takes, where that is not its own."""
    asks_server: bool = False
    """Whether steps are announced to the server of the tools, which runs already, and to no program."""

    def home(self) -> Path:
        """Return the user's folder of the agent, which is there if the agent has been used."""
        named = os.environ.get(self.variable, "") if self.variable else ""
        return Path(named).expanduser() if named else Path.home() / self.folder

    def path(self, project: Path | None) -> Path:
        """Return the file that is changed: the user's, or that of a project."""
        return project / self.project_file if project is not None else self.home() / self.user_file

    def entry(self, event: str, command: str) -> JSON:
        """Return what is added to the list of an event."""
        text = json.dumps(self.entries[event]).replace("COMMAND", json.dumps(command)[1:-1])
        entry: JSON = json.loads(text)
        return entry

    def asking_server(self) -> AgentPlace:
        """Return it with hooks that call the server's tool for steps.

        The prompt and the end of a turn stay with the program: a server that is not there costs no more than
        the checkpoints in between.
        """
        steps = {event: _group(_server_handler(*_STEP_FIELDS), _CLAUDE_TOOLS) for event in _CLAUDE_STEPS}
        batch = {event: _group(_server_handler("tool_calls")) for event in self.other_events}
        return replace(self, entries={**self.entries, **steps, **batch}, asks_server=True)

    def plugin(self, words: list[str]) -> str:
        """Return the text of the plugin that calls the program `words`."""
        parts = [
            (_PLUGINS / name).read_text(encoding="utf-8")
            for name in (_KEPT_PROCESS, f"{self.plugin_of or self.name}.js")
        ]
        text = "".join(parts).replace("AGENT", self.name)
        return text.replace('["patchpoint"]', json.dumps(words, ensure_ascii=False))


def _server_handler(*names: str) -> JSON:
    """Return the handler that calls the server's tool with these fields of the event.

    Claude Code replaces each name by what the event has, and what is not a text by JSON.
    """
    fields = {_camel_case(name): f"${{{name}}}" for name in ("hook_event_name", "cwd", *names)}
    return {
        "type": "mcp_tool",
        "server": SERVER_NAME,
        "tool": SERVER_TOOL,
        "input": {"agent": "claude", **fields},
        "timeout": _SERVER_TIMEOUT_S,
    }


def _camel_case(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def _handler(timeout: int = _TIMEOUT_S, **more: JSON) -> JSON:
    return {"type": "command", **more, "command": "COMMAND", "timeout": timeout}


def _group(handler: JSON, matcher: str = "") -> JSON:
    return {"matcher": matcher, "hooks": [handler]} if matcher else {"hooks": [handler]}


_COPILOT: JSON = {"type": "command", "bash": "COMMAND", "powershell": "COMMAND", "timeoutSec": _TIMEOUT_S}
_CLAUDE_TOOLS = "|".join(CLAUDE_STEPS)
_CLAUDE_STEPS = ("PreToolUse", "PostToolUse", "PostToolUseFailure")
_STEP_FIELDS = (
    "session_id", "prompt_id", "tool_name", "tool_use_id", "tool_input", "tool_response", "error",
)  # fmt: skip
SERVER_NAME, SERVER_TOOL = "patchpoint", "hook"
"""The server of the tools, as docs/mcp.md has it set up, and the tool that hooks call."""
_CODEX_TOOLS = "Bash|apply_patch"
_GEMINI_TOOLS = "run_shell_command|write_file|replace|edit"
_QWEN_TOOLS = "run_shell_command|write_file|edit"
_DROID_TOOLS = "Execute|Edit|MultiEdit|Create|ApplyPatch"
_QWEN = _handler(_TIMEOUT_S * 1000, name="patchpoint")
_GEMINI = _handler(_TIMEOUT_S * 1000, name="patchpoint")

PLACES = (
    AgentPlace(
        name="claude",
        title="Claude Code",
        variable="CLAUDE_CONFIG_DIR",
        folder=".claude",
        user_file="settings.json",
        project_file=".claude/settings.json",
        entries={
            "UserPromptSubmit": _group(_handler()),
            "PreToolUse": _group(_handler(), _CLAUDE_TOOLS),
            "PostToolUse": _group(_handler(), _CLAUDE_TOOLS),
            "PostToolUseFailure": _group(_handler(), _CLAUDE_TOOLS),
            "Stop": _group(_handler()),
            "StopFailure": _group(_handler()),
            "Notification": _group(_handler(), "idle_prompt"),
            "SessionEnd": _group(_handler()),
        },
        other_events=("PostToolBatch",),
    ),
    AgentPlace(
        name="codex",
        title="Codex",
        variable="CODEX_HOME",
        folder=".codex",
        user_file="hooks.json",
        project_file=".codex/hooks.json",
        entries={
            "UserPromptSubmit": _group(_handler()),
            "PreToolUse": _group(_handler(), _CODEX_TOOLS),
            "PostToolUse": _group(_handler(), _CODEX_TOOLS),
            "Stop": _group(_handler()),
        },
        can_repair=True,
        note="Codex asks at its next start whether you trust the hooks, and calls none until you do "
        "(see /hooks).",
    ),
    AgentPlace(
        name="gemini",
        title="Gemini CLI",
        variable="",
        folder=".gemini",
        user_file="settings.json",
        project_file=".gemini/settings.json",
        entries={
            "BeforeAgent": _group(_GEMINI),
            "BeforeTool": _group(_GEMINI, _GEMINI_TOOLS),
            "AfterTool": _group(_GEMINI, _GEMINI_TOOLS),
            "AfterAgent": _group(_GEMINI),
        },
    ),
    AgentPlace(
        name="cursor",
        title="Cursor",
        variable="",
        folder=".cursor",
        user_file="hooks.json",
        project_file=".cursor/hooks.json",
        entries={
            "beforeSubmitPrompt": {"command": "COMMAND"},
            "beforeShellExecution": {"command": "COMMAND"},
            "preToolUse": {"command": "COMMAND", "matcher": "Write|StrReplace|Edit|Delete"},
            "afterShellExecution": {"command": "COMMAND"},
            "afterFileEdit": {"command": "COMMAND"},
            "stop": {"command": "COMMAND"},
        },
        base='{\n  "version": 1\n}\n',
    ),
    AgentPlace(
        name="copilot",
        title="Copilot CLI",
        variable="COPILOT_HOME",
        folder=".copilot",
        user_file="hooks/patchpoint.json",
        project_file=".github/hooks/patchpoint.json",
        entries={
            "userPromptSubmitted": _COPILOT,
            "preToolUse": _COPILOT,
            "postToolUse": _COPILOT,
            "agentStop": _COPILOT,
        },
        base='{\n  "version": 1\n}\n',
        is_own=True,
    ),
    AgentPlace(
        name="opencode",
        title="opencode",
        variable="OPENCODE_CONFIG_DIR",
        folder=".config/opencode",
        user_file="plugins/patchpoint.js",
        project_file=".opencode/plugins/patchpoint.js",
        is_own=True,
    ),
    AgentPlace(
        name="qwen",
        title="Qwen Code",
        variable="",
        folder=".qwen",
        user_file="settings.json",
        project_file=".qwen/settings.json",
        entries={
            "UserPromptSubmit": _group(_QWEN),
            "PreToolUse": _group(_QWEN, _QWEN_TOOLS),
            "PostToolUse": _group(_QWEN, _QWEN_TOOLS),
            "PostToolUseFailure": _group(_QWEN, _QWEN_TOOLS),
            "Stop": _group(_QWEN),
            "StopFailure": _group(_QWEN),
            "SessionEnd": _group(_QWEN),
        },
    ),
    AgentPlace(
        name="pi",
        title="pi",
        variable="PI_CODING_AGENT_DIR",
        folder=".pi/agent",
        user_file="extensions/patchpoint.ts",
        project_file=".pi/extensions/patchpoint.ts",
        is_own=True,
    ),
    AgentPlace(
        name="kilo",
        title="Kilo",
        variable="KILO_CONFIG_DIR",
        folder=".config/kilo",
        user_file="plugins/patchpoint.js",
        project_file=".kilo/plugins/patchpoint.js",
        is_own=True,
        plugin_of="opencode",
    ),
    AgentPlace(
        name="droid",
        title="Droid",
        variable="",
        folder=".factory",
        user_file="settings.json",
        project_file=".factory/settings.json",
        entries={
            "UserPromptSubmit": _group(_handler()),
            "PreToolUse": _group(_handler(), _DROID_TOOLS),
            "PostToolUse": _group(_handler(), _DROID_TOOLS),
            "Stop": _group(_handler()),
            "SessionEnd": _group(_handler()),
        },
    ),
)
"""The agents that can be set up."""


_GENERIC_EVENTS = (
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "Stop",
    "SessionEnd",
)


def generic_hooks(command: str) -> JSON:
    """Return the hooks of an agent that is configured like Claude Code, whatever its tools are called."""
    handler: JSON = {"type": "command", "command": command, "timeout": _TIMEOUT_S}
    return {"hooks": {event: [_group(handler)] for event in _GENERIC_EVENTS}}


def place_of(agent: str) -> AgentPlace:
    """Return the row of an agent that is known by name."""
    return next(place for place in PLACES if place.name == agent)
