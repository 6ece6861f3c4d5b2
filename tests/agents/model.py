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
Script = Callable[[str, int], list[Step]]
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
    `script`, it does that in each turn which a prompt names (`TURN`), with the agents that have their turns
    so: Claude Code and Codex.
    """
    server = _Server(("127.0.0.1", 0), _Handler)
    server.script = script
    server.file = str(project / "till" / "tax.py")
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
    file = ""
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
            answer = _gemini(body, self.server.file)
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


def _turn(entries: Sequence[dict[str, Any]], server: _Server) -> tuple[list[Step], list[dict[str, Any]]]:
    """Return the steps of the turn that the last prompt names, and the entries from that on."""
    for at in range(len(entries) - 1, -1, -1):
        found = TURN.search(json.dumps(entries[at])) if entries[at].get("role") == "user" else None
        if found is not None and server.script is not None:
            return server.script(found[2], int(found[1])), list(entries[at:])
    return [], list(entries)


def _anthropic(body: dict[str, Any], server: _Server) -> tuple[dict[str, Any], list[Event]]:
    file = server.file
    tools = {tool.get("name") for tool in body.get("tools") or ()}
    steps, messages = _turn(body.get("messages", ()), server)
    lists = [one["content"] for one in messages if isinstance(one.get("content"), list)]
    done = sum(part.get("type") == "tool_result" for parts in lists for part in parts)
    if server.script is not None:
        steps = steps if "Edit" in tools else []
    elif "Execute" in tools:
        edit = {"file_path": file, "old_str": OLD, "new_str": NEW}
        shell = {"command": COMMAND, "summary": "Remove a file"}
        steps = [("Read", {"file_path": file}), ("Edit", edit), ("Execute", shell)]
    elif "Edit" in tools:
        edit = {"file_path": file, "old_string": OLD, "new_string": NEW}
        steps = [("Read", {"file_path": file}), ("Edit", edit), ("Bash", {"command": COMMAND})]
    elif {"read", "bash", "edit", "write"} <= tools and "glob" not in tools:
        replacements = [{"oldText": OLD, "newText": NEW}]
        steps = [
            ("read", {"path": file}),
            ("edit", {"path": file, "edits": replacements}),
            ("bash", {"command": COMMAND}),
        ]
    elif "edit" in tools and "read" in tools:
        edit = {"filePath": file, "oldString": OLD, "newString": NEW}
        shell = {"command": COMMAND, "description": "Remove a file"}
        steps = [("read", {"filePath": file}), ("edit", edit), ("bash", shell)]
    elif "edit" in tools and "run_shell_command" in tools:
        edit = {"file_path": file, "old_string": OLD, "new_string": NEW}
        command = {"command": COMMAND, "description": "Remove a file", "is_background": False}
        steps = [("read_file", {"file_path": file}), ("edit", edit), ("run_shell_command", command)]
    elif "view" in tools and "bash" in tools:
        edit = {"path": file, "old_str": OLD, "new_str": NEW}
        shell = {"command": COMMAND, "description": "Remove a file"}
        steps = [("view", {"path": file}), ("edit", edit), ("bash", shell)]
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


def _openai(body: dict[str, Any], server: _Server) -> list[Event]:
    steps, entries = _turn(body.get("input", ()), server)
    if server.script is None:
        steps = [("apply_patch", {"input": server.patch}), ("exec_command", {"cmd": COMMAND})]
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


def _gemini(body: dict[str, Any], file: str) -> dict[str, Any]:
    declared = [tool.get("functionDeclarations") or () for tool in body.get("tools") or ()]
    tools = {one["name"] for group in declared for one in group}
    parts = [part for content in body.get("contents", ()) for part in content.get("parts", ())]
    done = sum("functionResponse" in part for part in parts)
    edit = {"file_path": file, "instruction": "Set the rate", "old_string": OLD, "new_string": NEW}
    steps: list[Step] = [("replace", edit), ("run_shell_command", {"command": COMMAND})]
    part: dict[str, Any] = {"text": CLOSING}
    if "replace" in tools and done < len(steps):
        part = {"functionCall": {"name": steps[done][0], "args": steps[done][1]}}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    return {"candidates": [candidate], "usageMetadata": usage}
