"""The messages of a conversation that is JSON: an export of a chat, or the file of an agent's session."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter

from patchpoint.dataclass import dataclass
from patchpoint.formats.conversation.exported.entries import Event, events_in
from patchpoint.formats.conversation.exported.exports import entries_in
from patchpoint.formats.conversation.speakers import Speaker
from patchpoint.formats.tool_calls.json_text import JsonValue, json_values, places_in


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
        for fields, number in entries_in(values)
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
