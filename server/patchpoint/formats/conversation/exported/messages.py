"""The messages of a conversation that is JSON: an export of a chat, or the file of an agent's session."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.dataclass import dataclass, field
from patchpoint.formats.conversation.exported.entries import Came, Event, Made, Said, events_in
from patchpoint.formats.conversation.exported.exports import entries_in
from patchpoint.formats.conversation.exported.json_values import JsonValue, json_values, places_in
from patchpoint.formats.conversation.speakers import Speaker
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
    entries = list(entries_in(values))
    if not entries:
        return []
    drafts: list[_MessageDraft] = []
    for entry in entries:
        _add(drafts, entry.value, events_in(entry.fields))
    if not _is_conversation(drafts):
        return []
    _pair(drafts)
    spans = _spans(text, values, drafts)
    return [ConversationMessage(draft.speaker, tuple(_parts(draft, spans))) for draft in drafts]


@dataclass(slots=True, eq=False)
class _MessageDraft:
    """A message whose places and failures are not known yet."""

    speaker: Speaker
    value: int
    events: list[Event]
    failures: dict[int, str] = field(default_factory=dict)
    """By the number of a call or a text, why it failed."""


_Place = tuple[_MessageDraft, int]
"""A message, and the number of one of its events."""


def _add(drafts: list[_MessageDraft], value: int, events: Iterator[Event]) -> None:
    """Add what one entry says: a message for each stretch of one speaker."""
    first = len(drafts)
    for event in events:
        speaker = (
            event.speaker
            if isinstance(event, Said)
            else Speaker.MODEL
            if isinstance(event, Made)
            else Speaker.TOOL
        )
        if len(drafts) == first or drafts[-1].speaker is not speaker:
            drafts.append(_MessageDraft(speaker, value, []))
        drafts[-1].events.append(event)


def _is_conversation(drafts: Sequence[_MessageDraft]) -> bool:
    speakers = {draft.speaker for draft in drafts}
    made = (event for draft in drafts for event in draft.events if isinstance(event, Made))
    return bool(speakers - {Speaker.MODEL}) or any(event.failure for event in made)


def _pair(drafts: Sequence[_MessageDraft]) -> None:
    """Give each call the failure of its result: by an id, else by the order behind the call's message."""
    made: dict[str, _Place] = {}
    waiting: dict[_Place, None] = {}
    last: _MessageDraft | None = None
    for draft in drafts:
        if draft.speaker is Speaker.MODEL:
            waiting, last = {}, draft
        for number, event in enumerate(draft.events):
            if isinstance(event, Made):
                waiting[draft, number] = None
                made.update(dict.fromkeys(event.ids, (draft, number)))
                if event.failure:
                    draft.failures[number] = event.failure
            elif isinstance(event, Came):
                call = next((made[one] for one in event.ids if one in made), None)
                if call is None:
                    call = next((one for one in waiting if not (event.ids and _ids_of(one))), None)
                if call is not None:
                    waiting.pop(call, None)
                for failed in [call] if call else _texts_of(last) if not event.ids else []:
                    if event.failure:
                        failed[0].failures.setdefault(failed[1], event.failure)


def _ids_of(call: _Place) -> tuple[str, ...]:
    event = call[0].events[call[1]]
    return event.ids if isinstance(event, Made) else ()


def _texts_of(message: _MessageDraft | None) -> list[_Place]:
    """Return the texts of the last message of the model: its calls are tags in them."""
    events = message.events if message else []
    return [(message, number) for number, each in enumerate(events) if message and isinstance(each, Said)]


def _spans(text: str, values: Sequence[JsonValue], drafts: Sequence[_MessageDraft]) -> dict[int, Span]:
    """Return the spans of the strings and objects of the drafts, by their `id`."""
    wanted: dict[int, dict[int, object]] = {}
    for draft in drafts:
        inside = wanted.setdefault(draft.value, {})
        for event in draft.events:
            for one in (event.owner,) if isinstance(event, Made) else event.texts:
                inside[id(one)] = one
    spans: dict[int, Span] = {}
    for value, inside in wanted.items():
        if inside:
            spans.update(places_in(text, values[value], inside))
    return spans


def _parts(draft: _MessageDraft, spans: dict[int, Span]) -> Iterator[TextPart | CallPart]:
    for number, event in enumerate(draft.events):
        failure = draft.failures.get(number, "")
        if isinstance(event, Made):
            yield CallPart(event.value, spans[id(event.owner)], failure)
        elif event.texts:
            places = [spans[id(text)] for text in event.texts]
            yield TextPart("".join(event.texts), (places[0][0], places[-1][1]), failure)
