"""The session files of Claude Code, `projects/*/ID.jsonl`, of the versions 2.

A record is a line. Those of the conversation have a `uuid` and name the one before them (`parentUuid`); what
the user asks begins with a record that has the `promptId` which hooks are given as well. Claude Code goes on
from the last record. Its own fork (`forkSession` of its SDK) is what is made here: the records up to one,
with the id of another session.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from patchpoint.hooks.conversations.errors import CannotForkError, FirstPromptError

_CONVERSATION = {"user", "assistant", "attachment", "system", "progress"}
_VERSION = "2."
_KEPT = {"content-replacement", "relocated"}
"""Records without a `uuid` that say how others are read."""
_NOT_KEPT = {"teamName", "agentName", "sessionKind", "slug"}
"""Fields that tie a session to others, and to files of its own."""


def forked(records: Iterable[bytes], turn: str, session: str, title: str) -> bytes:
    """Return the file of the session `session`, which has of `records` those before the prompt `turn`.

    `title` is what the session is listed as. Raises `CannotForkError`, also for records of an unknown kind.
    """
    kept: list[Mapping[str, object]] = []
    for record in _parsed(records):
        if record.get("promptId") == turn and not record.get("isSidechain"):
            return _file(kept, record.get("parentUuid"), session, title)
        kept.append(record)
    raise CannotForkError("its session file does not name the prompt")


def _parsed(records: Iterable[bytes]) -> Iterator[Mapping[str, object]]:
    for number, line in enumerate(records, 1):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        is_known = isinstance(record, dict) and isinstance(record.get("type"), str)
        if is_known and ("uuid" in record or "parentUuid" in record) and not _is_setting(record):
            version = record.get("version")
            is_known = record["type"] in _CONVERSATION and str(version or _VERSION).startswith(_VERSION)
        if not is_known:
            raise CannotForkError(f"line {number} of its session file is of a kind that is not known")
        yield record


def _is_setting(record: Mapping[str, object]) -> bool:
    """Return whether a record is about the session; the SDK gives some of these a `uuid`."""
    return record.get("type") in {*_KEPT, "custom-title"}


def _file(records: list[Mapping[str, object]], last: object, session: str, title: str) -> bytes:
    """Return the file with the records up to the one called `last`."""
    if last is None:
        raise FirstPromptError
    end = next((at for at, each in enumerate(records, 1) if each.get("uuid") == last), None)
    if end is None:
        raise CannotForkError("the records before the prompt are not in its session file")
    kept = [each for each in records[:end] if each["type"] in _CONVERSATION and not each.get("isSidechain")]
    kept += [each for each in records if each["type"] in _KEPT]
    kept.append({"type": "custom-title", "customTitle": title})
    return b"".join(
        json.dumps(
            {key: value for key, value in each.items() if key not in _NOT_KEPT} | {"sessionId": session},
            separators=(",", ":"),
        ).encode("ascii")
        + b"\n"
        for each in kept
    )
