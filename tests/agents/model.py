"""A model on this machine, which has an agent edit a file, delete another by a shell command, and stop.

It speaks the protocols of the providers that agents can be pointed at: Anthropic's Messages, OpenAI's
Responses and Gemini's generateContent, each as far as these agents listen. How far a turn has come is counted
by the results in what the agent sends, which has the whole of it each time.
"""

from __future__ import annotations

import itertools
import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

OLD, NEW = 'REDUCED = Decimal("0.05")', 'REDUCED = Decimal("0.07")'
PATCH = f"*** Begin Patch\n*** Update File: till/tax.py\n@@\n-{OLD}\n+{NEW}\n*** End Patch\n"
COMMAND = "rm README.md"
CLOSING = "The reduced rate is 7 %."

TURN = re.compile(r"Turn (\d+) of (\w+)")
"""A prompt that a script of turns has an answer to."""

Step = tuple[str, dict[str, Any]]
"""A call of a tool: its name, and what it is given."""
Action = tuple[str, ...]
"""A step in words of our own: `read PATH`, `edit PATH OLD NEW`, `write PATH TEXT` or `shell COMMAND`."""
Script = Callable[[str, int], list[Action]]
"""What an agent is to do in one of its turns, by its name and the number."""
Event = tuple[str, dict[str, Any]]
_NUMBERS = itertools.count()
"""Of the calls of tools, whose names are not given twice in a conversation."""


@contextmanager
def model(
    project: Path, patch: str = PATCH, heard: list[str] | None = None, script: Script | None = None
) -> Iterator[str]:
    """Serve a model that works on `project` while the block runs; yield its address.

    `patch` is what it gives to an agent that has `apply_patch`; `heard` gets what agents send to it. With a
    `script`, it does that in each turn which a prompt names (`TURN`).
    """
    server = _Server(("127.0.0.1", 0), _Handler)
    server.script = script
    server.project = project
    server.patch = patch
    server.heard = heard if heard is not None else []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    project = Path()
    patch = PATCH
    heard: list[str]
    script: Script | None = None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the name is the library's
        """Log nothing."""

    def do_HEAD(self) -> None:
        self._send_json({})

    def do_GET(self) -> None:
        self._send_json({"data": [], "models": []})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        path = self.path.partition("?")[0]
        self.server.heard.append(json.dumps(body))
        if path.endswith("/messages"):
            self._send(body.get("stream"), *_anthropic(body, self.server))
        elif path.endswith("/responses"):
            self._send(True, {}, _openai(body, self.server))
        elif "enerateContent" in path:
            answer = _gemini(body, self.server)
            self._send("stream" in path, answer, [("", answer)])
        else:
            self._send_json({"input_tokens": 1})

    def _send(self, streamed: object, whole: dict[str, Any], events: Sequence[Event]) -> None:
        if not streamed:
            self._send_json(whole)
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for name, data in events:
            head = f"event: {name}\n" if name else ""
            self.wfile.write(f"{head}data: {json.dumps(data)}\n\n".encode())
        self.close_connection = True

    def _send_json(self, data: dict[str, Any]) -> None:
        text = json.dumps(data).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


@dataclass(frozen=True)
class _Tools:
    """What an agent calls the tools that read, edit, write and run, and what they are given."""

    names: str
    path: str = "file_path"
    old: str = "old_string"
    new: str = "new_string"
    text: str = "content"
    also: frozenset[str] = frozenset()
    """Another tool that it has, where the names are those of another agent, too."""

    def are_among(self, offered: set[str]) -> bool:
        return offered >= {*self.names.split(), *self.also}

    def step(self, action: Action, project: Path) -> Step:
        name = dict(zip(("read", "edit", "write", "shell"), self.names.split(), strict=True))[action[0]]
        if action[0] == "shell":
            said = {"description": "Run it", "summary": "Run it", "is_background": False}
            return name, {"command": action[1], **({} if name == "Bash" else said)}
        given: dict[str, Any] = {self.path: str(project / action[1])}
        if action[0] == "write":
            given[self.text] = action[2]
        if action[0] == "edit":
            pair = {self.old: action[2], self.new: action[3]}
            given |= {"edits": [pair]} if self.old == "oldText" else pair
            given |= {"instruction": "Set the rate"} if name == "replace" else {}
        return name, given


_TOOLS = (
    _Tools("Read Edit Create Execute", old="old_str", new="new_str"),
    _Tools("Read Edit Write Bash"),
    _Tools("read edit write bash", "filePath", "oldString", "newString", also=frozenset({"glob"})),
    _Tools("read edit write bash", "path", "oldText", "newText"),
    _Tools("view edit create bash", "path", "old_str", "new_str", "file_text"),
    _Tools("read_file edit write_file run_shell_command"),
    _Tools("read_file replace write_file run_shell_command"),
)
"""Droid's, Claude Code's, opencode's and Kilo's, pi's, Copilot's, Qwen Code's and Gemini CLI's."""
_ACTIONS: list[Action] = [
    ("read", "till/tax.py"),
    ("edit", "till/tax.py", OLD, NEW),
    ("shell", COMMAND),
]


def _turn(
    entries: Sequence[dict[str, Any]], server: _Server, actions: list[Action]
) -> tuple[list[Action], list[dict[str, Any]]]:
    """Return the actions of the turn that the last prompt names, else `actions`; and what follows it."""
    for at in range(len(entries) - 1, -1, -1):
        found = TURN.search(json.dumps(entries[at])) if entries[at].get("role") == "user" else None
        if found is not None and server.script is not None:
            return server.script(found[2], int(found[1])), list(entries[at:])
    return ([] if server.script is not None else actions), list(entries)


def _steps(actions: list[Action], offered: set[str], project: Path) -> list[Step]:
    """Return the actions as calls of the tools that are offered; none where those are not known."""
    known = next((tools for tools in _TOOLS if tools.are_among(offered)), None)
    return [] if known is None else [known.step(action, project) for action in actions]


def _anthropic(body: dict[str, Any], server: _Server) -> tuple[dict[str, Any], list[Event]]:
    actions, messages = _turn(body.get("messages", ()), server, _ACTIONS)
    steps = _steps(actions, {tool.get("name") for tool in body.get("tools") or ()}, server.project)
    lists = [one["content"] for one in messages if isinstance(one.get("content"), list)]
    done = sum(part.get("type") == "tool_result" for parts in lists for part in parts)
    part: dict[str, Any] = {"type": "text", "text": CLOSING}
    empty, delta = {**part, "text": ""}, {"type": "text_delta", "text": CLOSING}
    stop = "end_turn"
    if done < len(steps):
        name, given = steps[done]
        part = {"type": "tool_use", "id": f"toolu_{next(_NUMBERS)}", "name": name, "input": given}
        empty, delta = {**part, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(given)}
        stop = "tool_use"
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {
        "id": f"msg_{next(_NUMBERS)}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
    }
    whole = {**message, "content": [part], "stop_reason": stop, "stop_sequence": None, "usage": usage}
    begun = {**whole, "content": [], "stop_reason": None}
    datas: list[dict[str, Any]] = [
        {"type": "message_start", "message": begun},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    ]
    return whole, [(data["type"], data) for data in datas]


def _patched(action: Action) -> Step:
    """Return the action as Codex's tools have it, whose patches name files of the project."""
    what, path, *texts = action
    if what == "shell":
        return "exec_command", {"cmd": path}
    old, new = texts if what == "edit" else ("", *texts)
    lines = [sign + each for sign, text in (("-", old), ("+", new)) for each in text.splitlines()]
    head = f"Update File: {path}\n@@" if what == "edit" else f"Add File: {path}"
    patch = ("*** Begin Patch", f"*** {head}", *lines, "*** End Patch", "")
    return "apply_patch", {"input": "\n".join(patch)}


def _openai(body: dict[str, Any], server: _Server) -> list[Event]:
    actions, entries = _turn(body.get("input", ()), server, [("shell", COMMAND)])
    steps = [_patched(action) for action in actions if action[0] != "read"]
    if server.script is None:
        steps.insert(0, ("apply_patch", {"input": server.patch}))
    done = sum(str(one.get("type", "")).endswith("_output") for one in entries)
    said = [{"type": "output_text", "text": CLOSING}]
    item: dict[str, Any] = {"type": "message", "role": "assistant", "content": said}
    if done < len(steps):
        name, given = steps[done]
        call = {"call_id": f"c{next(_NUMBERS)}", "name": name}
        if name == "apply_patch":
            item = {"type": "custom_tool_call", **call, "input": given["input"]}
        else:
            item = {"type": "function_call", **call, "arguments": json.dumps(given)}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    datas: list[dict[str, Any]] = [
        {"type": "response.created", "response": {"id": "r1"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {"id": "r1", "usage": usage}},
    ]
    return [(data["type"], data) for data in datas]


def _gemini(body: dict[str, Any], server: _Server) -> dict[str, Any]:
    declared = [tool.get("functionDeclarations") or () for tool in body.get("tools") or ()]
    actions, contents = _turn(body.get("contents", ()), server, _ACTIONS)
    steps = _steps(actions, {one["name"] for group in declared for one in group}, server.project)
    done = sum("functionResponse" in part for content in contents for part in content.get("parts", ()))
    part: dict[str, Any] = {"text": CLOSING}
    if done < len(steps):
        part = {"functionCall": {"name": steps[done][0], "args": steps[done][1]}}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    return {"candidates": [candidate], "usageMetadata": usage}
