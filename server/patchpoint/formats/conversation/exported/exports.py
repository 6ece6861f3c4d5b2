"""The entries of an export or a session: where they are, and which of several conversations they are of."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from patchpoint.formats.spelling import words_of
from patchpoint.formats.tool_calls.json_text import JsonValue

_LISTS = words_of("""
clientHistory messages chat_messages history requests contents conversation conversations turns thread input
chunks responses chats
""")
"""The keys below which an object has a list of entries, or an object that has one."""
_ENVELOPES = ("chat", "session", "data", "history", "thread", "conversation", "chunkedPrompt")
"""The keys of an object that has all of a conversation."""
_TREES = (("mapping", "current_node", "parent"), ("messages", "currentId", "parentId"))
"""The keys of a tree of messages: of the nodes, of the last one that is shown, and of a node's parent."""
_LEAF, _ID, _PARENT = "current_leaf_message_uuid", "uuid", "parent_message_uuid"
_TIMES = words_of("update_time updated_at updatedAt lastUpdated create_time created_at creationDate")
_OF_ENTRIES = frozenset(words_of("role message payload sender content parts from response prompt"))
_DEEPEST = 4
_KEYS = {*_LISTS, *_ENVELOPES, *(nodes for nodes, _, _ in _TREES)}


ExportEntry = tuple[dict[str, Any], int]
"""One object of a conversation, and the number of the value of the text that it is in."""


def entries_in(values: Sequence[JsonValue]) -> list[ExportEntry]:
    """Return the entries of the conversation that the values of a text are, in its own order.

    Of several conversations it is the one that was changed last, and of its branches the one that is shown.
    """
    found: list[tuple[str, list[ExportEntry]]] = []
    loose: list[ExportEntry] = []
    for number, value in enumerate(values):
        for element in value.value if isinstance(value.value, list) else [value.value]:
            if isinstance(element, dict):
                inside = _conversation(element)
                if inside is None:
                    loose.append((element, number))
                else:
                    time = next((str(element[key]) for key in _TIMES if element.get(key)), "")
                    found.append((time, [(each, number) for each in inside]))
    if any(_is_entry(fields) for fields, _ in loose):
        return _as_replayed(loose)
    # of equal times, the last one
    return _as_replayed(max(reversed(found), key=itemgetter(0))[1]) if found else loose


def _is_entry(fields: dict[str, Any]) -> bool:
    """Return whether an object is an entry, and not the head of a file of them."""
    return not _OF_ENTRIES.isdisjoint(fields)


def _conversation(value: dict[str, Any], depth: int = 0) -> list[dict[str, Any]] | None:
    """Return the entries of an object that has a conversation, or `None` for any other."""
    if _KEYS.isdisjoint(value):
        return None
    for nodes, current, parent in _TREES:
        if isinstance(value.get(nodes), dict):
            branch = _branch(value[nodes], value.get(current), parent)
            return [node["message"] if isinstance(node.get("message"), dict) else node for node in branch]
    for key in _ENVELOPES:
        if (inside := _inside(value.get(key), depth)) is not None:
            return inside
    for key in _LISTS:
        entries = value.get(key)
        if isinstance(entries, list) and entries and all(isinstance(each, dict) for each in entries):
            if isinstance(value.get(_LEAF), str) and all(_PARENT in each for each in entries):
                return _branch({str(each.get(_ID)): each for each in entries}, value[_LEAF], _PARENT)
            listed = [None] if any(map(_is_entry, entries)) else [_inside(each, depth) for each in entries]
            return entries if None in listed else listed[-1]
    return None


def _inside(value: object, depth: int) -> list[dict[str, Any]] | None:
    """Return the entries of an object that has a conversation in one that is `depth` deep."""
    return _conversation(value, depth + 1) if isinstance(value, dict) and depth < _DEEPEST else None


def _branch(nodes: dict[str, Any], current: object, parent: str) -> list[dict[str, Any]]:
    """Return the nodes from the root to the current one, or to the last that is nobody's parent."""
    if not isinstance(current, str) or current not in nodes:
        parents = {str(node.get(parent)) for node in nodes.values() if isinstance(node, dict)}
        current = next((key for key in reversed(nodes) if key not in parents), None)
    path: list[dict[str, Any]] = []
    seen: set[object] = set()
    while isinstance(current, str) and current not in seen and isinstance(nodes.get(current), dict):
        seen.add(current)
        path.append(nodes[current])
        current = nodes[current].get(parent)
    return path[::-1]


def _as_replayed(entries: list[ExportEntry]) -> list[ExportEntry]:
    """Return the entries that count where a session was written as a log of what changes.

    An entry that has the id of an earlier one takes its place, and `$rewindTo` takes away all from one on.
    """
    if not any(fields.get("type") == "gemini" for fields, _ in entries):
        return entries
    kept: dict[str, ExportEntry] = {}
    for number, each in enumerate(entries):
        rewound = each[0].get("$rewindTo")
        if not isinstance(rewound, str):
            kept[str(each[0].get("id", number))] = each
        elif rewound in kept:
            for key in list(kept)[list(kept).index(rewound) :]:
                del kept[key]
    return list(kept.values())
