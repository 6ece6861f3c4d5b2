"""The messages of a conversation that is JSON: an export of a chat, or the file of an agent's session."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any

from patchpoint.dataclass import dataclass
from patchpoint.formats.conversation.exported.entries import Event, events_in
from patchpoint.formats.conversation.speakers import Speaker
from patchpoint.formats.spelling import words_of
from patchpoint.formats.tool_calls.json_text import JsonValue, json_values, places_in

_KEYS = words_of("""
chat session data history thread conversation chunkedPrompt clientHistory messages chat_messages requests
contents conversations turns input chunks responses chats
""")
"""The keys below which an object has all of a conversation, a list of entries, or objects that have one."""
_TREES = (
    ("mapping", "current_node", "parent"),
    ("messages", "currentId", "parentId"),
    ("chat_messages", "current_leaf_message_uuid", "parent_message_uuid"),
)
"""The keys of a tree of messages: of the nodes, of the last one that is shown, and of a node's parent."""
_TIMES = words_of("update_time updated_at updatedAt lastUpdated create_time created_at creationDate")
_OF_ENTRIES = frozenset(words_of("role message payload sender content parts from response prompt"))
_DEEPEST = 4


_Entry = tuple[dict[str, Any], int]
"""One object of a conversation, and the number of the value of the text that it is in."""


@dataclass(slots=True)
class ConversationMessage:
    """What one speaker says in one entry of the conversation."""

    speaker: Speaker
    value: int
    """The number of the value of the text that it is in."""
    parts: list[Event]


def messages_in(text: str) -> list[ConversationMessage]:
    """Return the messages of a conversation that is JSON as a whole or JSON lines, in its own order.

    There are none in a text of any other kind, nor in one that is an answer or a call alone: a
    conversation has a message of the user, the result of a call, or two who speak. What an agent does for
    one question is several messages of the model with those of its tools between them.
    """
    values = json_values(text)
    messages = [
        ConversationMessage(speaker, number, list(events))
        for fields, number in _entries(values)
        for speaker, events in groupby(events_in(fields), key=attrgetter("speaker"))
    ]
    every = (event for message in messages for event in message.parts)
    if not any(event.speaker is not Speaker.MODEL or event.failure for event in every):
        return []
    _pair(messages)
    for message in messages:
        message.parts = [event for event in message.parts if event.call or event.texts]
    _place(text, values, messages)
    return messages


def _pair(messages: Sequence[ConversationMessage]) -> None:
    """Give each call the failure of its result: by an id, else by the order behind the call's message."""
    made: dict[str, Event] = {}
    waiting: list[Event] = []
    said: list[Event] = []
    for message in messages:
        if message.speaker is Speaker.MODEL:
            waiting = []
            said = [event for event in message.parts if event.call is None]
        for event in message.parts:
            if event.call is not None:
                waiting.append(event)
                made.update(dict.fromkeys(event.ids, event))
            elif event.is_result:
                unnamed = (call for call in waiting if not (event.ids and call.ids))
                call = next((made[one] for one in event.ids if one in made), None) or next(unnamed, None)
                waiting = [one for one in waiting if one is not call]
                # where no call is an object, they are tags in what the model said last
                for failed in [call] if call else [] if event.ids else said:
                    failed.failure = failed.failure or event.failure


def _place(text: str, values: Sequence[JsonValue], messages: Sequence[ConversationMessage]) -> None:
    """Put the spans of their strings and objects into the parts of messages."""
    wanted: dict[int, list[object]] = {}
    for message in messages:
        owners = (event.call or text for event in message.parts for text in event.texts or ("",))
        wanted.setdefault(message.value, []).extend(owners)
    spans = {
        owner: span
        for value, inside in wanted.items()
        if inside
        for owner, span in places_in(text, values[value], inside).items()
    }
    for event in (event for message in messages for event in message.parts):
        places = [spans[id(owner)] for owner in ((event.call,) if event.call else event.texts)]
        event.span = places[0][0], places[-1][1]


def _entries(values: Sequence[JsonValue]) -> list[_Entry]:
    """Return the entries of the conversation that the values of a text are, in its own order.

    Of several conversations it is the one that was changed last, and of its branches the one that is shown.
    """
    found: list[tuple[str, list[_Entry]]] = []
    loose: list[_Entry] = []
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


def _conversation(value: object, depth: int = 0) -> list[dict[str, Any]] | None:
    """Return the entries of a value that has a conversation, or `None` for any other."""
    if not isinstance(value, dict) or depth > _DEEPEST:
        return None
    for key, current, parent in _TREES:
        nodes = value.get(key)
        if isinstance(nodes, list) and isinstance(value.get(current), str):
            nodes = {str(each.get("uuid")): each for each in nodes if isinstance(each, dict)}
        if isinstance(nodes, dict):
            branch = _branch(nodes, value.get(current), parent)
            return [node["message"] if isinstance(node.get("message"), dict) else node for node in branch]
    for key in _KEYS:
        entries = value.get(key)
        found = _conversation(entries, depth + 1)
        if isinstance(entries, list) and entries and all(isinstance(each, dict) for each in entries):
            inside = (
                [None]
                if any(map(_is_entry, entries))
                else [_conversation(each, depth + 1) for each in entries]
            )
            found = entries if None in inside else inside[-1]
        if found is not None:
            return found
    return None


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


def _as_replayed(entries: list[_Entry]) -> list[_Entry]:
    """Return the entries that count where a session was written as a log of what changes.

    An entry that has the id of an earlier one takes its place, and `$rewindTo` takes away all from one on.
    """
    if not any(fields.get("type") == "gemini" for fields, _ in entries):
        return entries
    kept: dict[str, _Entry] = {}
    for number, each in enumerate(entries):
        rewound = each[0].get("$rewindTo")
        if not isinstance(rewound, str):
            kept[str(each[0].get("id", number))] = each
        elif rewound in kept:
            for key in list(kept)[list(kept).index(rewound) :]:
                del kept[key]
    return list(kept.values())
