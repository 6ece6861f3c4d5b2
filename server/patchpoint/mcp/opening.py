"""The first messages of a client, answered before the protocol's library is loaded, which takes a second.

A client waits for the answers to `initialize` and `tools/list` when its session begins. They are always the
same, and in `opening.json`, which `make docs` writes from what the library answers. Whatever else comes is
left to the library, which is given the messages that opened the connection, too; its answer to `initialize`
is not sent again.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from patchpoint.dataclass import dataclass, field
from patchpoint.signals import end_by, obeyed
from patchpoint.version import __version__

DATA = Path(__file__).with_name("opening.json")
_CHUNK = 1 << 16
_DISCOVERED = {
    "cacheScope": "private",
    "resultType": "complete",
    "supportedVersions": ["2026-07-28"],
    "ttlMs": 0,
}
"""Answered to `server/discover`. A client that waits too long for it goes on with `initialize`."""


@dataclass(slots=True)
class Opened:
    """What was read of standard input, and what is left to be done with it."""

    given: bytes = b""
    """What the library reads first: the messages that opened the connection, and what followed."""
    answered: str | int | None = None
    """The id of the request `initialize` that was answered; `None` if there was none."""
    has_ended: bool = False
    """The client has closed standard input, and nothing is left to be answered."""


@dataclass(slots=True)
class _Lines:
    """Standard input by lines, with what was read beyond them."""

    left: bytes = b""

    def next(self) -> bytes | None:
        """Return the next line with its ending; `None` at the end, where `left` has what follows the last."""
        parts = [self.left]
        while b"\n" not in parts[-1]:
            read = os.read(0, _CHUNK)
            if not read:
                self.left = b"".join(parts)
                return None
            parts.append(read)
        line, ending, self.left = b"".join(parts).partition(b"\n")
        return line + ending


@dataclass(slots=True)
class _Conversation:
    """What has been said so far."""

    known: Mapping[str, Any]
    tools: list[Any]
    opened: Opened = field(default_factory=Opened)

    def answer(self, line: bytes) -> dict[str, Any] | None:
        """Return what is answered to a message: `{}` for nothing, `None` where the library has to."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return None
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or "result" in message:
            return None
        method, number, params = message.get("method"), message.get("id"), message.get("params", {})
        if self.opened.answered is None:
            if method == "server/discover" and _is_id(number) and not self.opened.given:
                return {"id": number, "result": self._discovered()}
            if method != "initialize" or not _is_id(number) or not self._is_plain(params):
                return None
            self.opened.answered = number
            self.opened.given += line
            result = {"protocolVersion": params["protocolVersion"], **self.known["initialize"]}
            return {"id": number, "result": result}
        if method == "notifications/initialized" and "id" not in message:
            self.opened.given += line
            return {}
        if not _is_id(number) or not isinstance(params, dict) or set(params) - {"_meta"}:
            return None
        results = {"ping": {}, "tools/list": {"tools": self.tools}}
        return {"id": number, "result": results[method]} if method in results else None

    def _discovered(self) -> dict[str, Any]:
        """Return what the library answers to a client that asks which protocol is spoken, without it."""
        known = dict(self.known["initialize"])
        about = {"io.modelcontextprotocol/serverInfo": known.pop("serverInfo")}
        return {**_DISCOVERED, **known, "_meta": about}

    def _is_plain(self, params: object) -> bool:
        """Return whether the library would answer `initialize` with these parameters as usual."""
        if not isinstance(params, dict) or set(params) != {"protocolVersion", "capabilities", "clientInfo"}:
            return False
        able, who = params["capabilities"], params["clientInfo"]
        return (
            params["protocolVersion"] in self.known["versions"]
            and isinstance(able, dict)
            and all(isinstance(each, dict) for each in able.values())
            and isinstance(who, dict)
            and all(isinstance(who.get(key), str) for key in ("name", "version"))
        )


def answer_first(*, read_only: bool, allow_restore: bool) -> Opened:
    """Answer the client's first messages; return what is left to the library, once it has to answer.

    It is being loaded from the moment in which the tools have been listed.
    """
    known = json.loads(DATA.read_bytes())
    known["initialize"]["serverInfo"]["version"] = __version__
    listed = known["listed"]["read-only" if read_only else "allow-restore" if allow_restore else "default"]
    with obeyed(end_by):
        return _answered(_Conversation(known, [known["tools"][name] for name in listed]))


def _answered(conversation: _Conversation) -> Opened:
    opened, lines = conversation.opened, _Lines()
    loading: threading.Thread | None = None
    while (line := lines.next()) is not None:
        answer = conversation.answer(line)
        if answer is None:
            opened.given += line + lines.left
            return opened
        if answer:
            _write({"jsonrpc": "2.0", **answer})
        if loading is None and "tools" in answer.get("result", {}):
            loading = threading.Thread(target=_load, daemon=True)
            loading.start()
    opened.has_ended = not lines.left.strip()
    opened.given += lines.left
    if loading is not None and opened.has_ended:
        loading.join()  # a process that ends while it loads a module can crash
    return opened


def _is_id(number: object) -> bool:
    return isinstance(number, str) or (isinstance(number, int) and not isinstance(number, bool))


def _write(message: Mapping[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
    sys.stdout.buffer.flush()


def _load() -> None:
    with suppress(ImportError):  # said where it is imported to serve
        import_module("patchpoint.mcp.server")
