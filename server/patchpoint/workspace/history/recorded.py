"""Applications as they are recorded: objects of JSON, for what needs to decode none of their edits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any


def is_record(value: object) -> bool:
    """Return whether a value may be an application as it is recorded, as far as the functions here care."""
    if not isinstance(value, dict):
        return False
    back, deleted, chosen = value.get("back"), value.get("deleted"), value.get("chosen", [])
    names = (value.get("id"), *(value.get(name, "") for name in ("reverts", "reverted_at")))
    return (
        isinstance(back, list)
        and all(isinstance(edit, dict) for edit in back)
        and isinstance(deleted, dict)
        and isinstance(chosen, list)
        and all(isinstance(text, str) for text in (*names, *deleted.values(), *chosen, *_texts_of(back)))
    )


def within(records: Sequence[dict[str, Any]], count: int, size: int) -> list[dict[str, Any]]:
    """Return the newest `count` of recorded applications, newest first, as many as `size` characters hold.

    The newest one is kept in any case.
    """
    kept: list[dict[str, Any]] = []
    for one in records[:count]:
        size -= sum(map(len, (*_texts_of(one["back"]), *one["deleted"].values())))
        if kept and size < 0:
            break
        kept.append(one)
    return kept


def revert_times(reverts: Mapping[str, str], name: str, *, reverted: bool = True) -> dict[str, str]:
    """Return the new revert times of applications, by id, once `name` has been reverted.

    The time is empty for one that is no longer reverted: the one that `name` had itself reverted. `reverts`
    maps each application to the one that it reverts. Without `reverted`, `name` has just been made again.
    """
    concerned = [each for each in (name, reverts.get(name, "")) if each in reverts]
    return {each: now() if (each == name) == reverted else "" for each in concerned}


def now() -> str:
    """Return the present moment in ISO 8601 and UTC."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _texts_of(edits: Iterable[dict[str, Any]]) -> list[str]:
    return [text for edit in edits for name in ("search", "replace", "content") if (text := edit.get(name))]
