"""The messages of a conversation that is JSON: an export of a chat, or the file of an agent's session."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from patchpoint.dataclass import dataclass
from patchpoint.formats.conversation.exported.entries import Event, events_in
from patchpoint.formats.conversation.exported.exports import entries_in
from patchpoint.formats.conversation.speakers import Speaker
from patchpoint.formats.tool_calls.json_text import JsonValue, json_values, places_in
from patchpoint.text.lines import Span


@dataclass(frozen=True, slots=True)
class TextPart:
    """A text of a message."""

    text: str
    span: Span
    """The extent of its JSON string; of a text in pieces, from the first of its strings to the last."""
    failure: str = ""
    """Of a text that has calls written as tags: the first line of their result, if that says they failed."""


@dataclass(frozen=True, slots=True)
class CallPart:
    """A tool call that the model made."""

    value: object
    """The call as data, with its name and its arguments."""
    span: Span
    """The extent of its JSON object."""
    failure: str
    """The first line of its result, if that says that it failed or was turned down; else empty."""


@dataclass(frozen=True, slots=True)
class ConversationMessage:
    """What one speaker says in one entry of the conversation."""

    speaker: Speaker
    parts: tuple[TextPart | CallPart, ...]


def messages_in(text: str) -> list[ConversationMessage]:
    """Return the messages of a conversation that is JSON as a whole or JSON lines, in its own order.

    There are none in a text of any other kind, nor in one that is an answer or a call alone: a
    conversation has a message of the user, the result of a call, or two who speak. What an agent does for
    one question is several messages of the model with those of its tools between them.
    """
    values = json_values(text)
    if not values:
        return []
    drafts = [
        _MessageDraft(speaker, entry.value, list(events))
        for entry in entries_in(values)
        for speaker, events in groupby(events_in(entry.fields), key=attrgetter("speaker"))
    ]
    every = (event for draft in drafts for event in draft.events)
    if not any(event.speaker is not Speaker.MODEL or event.failure for event in every):
        return []
    _pair(drafts)
    spans = _spans(text, values, drafts)
    return [ConversationMessage(draft.speaker, tuple(_parts(draft, spans))) for draft in drafts]


@dataclass(slots=True)
class _MessageDraft:
    """A message whose places are not known yet, of one value of the text."""

    speaker: Speaker
    value: int
    events: list[Event]


def _pair(drafts: Sequence[_MessageDraft]) -> None:
    """Give each call the failure of its result: by an id, else by the order behind the call's message."""
    made: dict[str, Event] = {}
    waiting: list[Event] = []
    said: list[Event] = []
    for draft in drafts:
        if draft.speaker is Speaker.MODEL:
            waiting = []
            said = [event for event in draft.events if event.call is None]
        for event in draft.events:
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


def _spans(text: str, values: Sequence[JsonValue], drafts: Sequence[_MessageDraft]) -> dict[int, Span]:
    """Return the spans of the strings and objects of the drafts, by their `id`."""
    wanted: dict[int, list[object]] = {}
    for draft in drafts:
        for event in draft.events:
            wanted.setdefault(draft.value, []).extend((event.call,) if event.call else event.texts)
    return {
        owner: span
        for value, inside in wanted.items()
        if inside
        for owner, span in places_in(text, values[value], inside).items()
    }


def _parts(draft: _MessageDraft, spans: dict[int, Span]) -> Iterator[TextPart | CallPart]:
    for event in draft.events:
        if event.call:
            yield CallPart(event.value, spans[id(event.call)], event.failure)
        elif event.texts:
            places = [spans[id(text)] for text in event.texts]
            yield TextPart("".join(event.texts), (places[0][0], places[-1][1]), event.failure)
