"""Conversations that are JSON: exports of chats, and the files in which agents keep their sessions.

The chat products, the agents and the interfaces of models have names of their own for the same few things;
the tables here are the union of these names, all folded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, groupby
from operator import attrgetter, itemgetter
from typing import Any

from patchpoint.dataclass import dataclass, replace
from patchpoint.formats.conversation.failures import call_ids, failure_of, flagged_failure, texts_of
from patchpoint.formats.conversation.results import results_in
from patchpoint.formats.conversation.speakers import Speaker
from patchpoint.formats.conversation.speech import SENT_BY_AGENT
from patchpoint.formats.spelling import folded, words_of
from patchpoint.formats.tool_calls.json_text import JsonValue, json_values, places_in
from patchpoint.text.lines import Span

Fields = dict[str, Any]


@dataclass(slots=True)
class Event:
    """Words, a call of the model's, or what came of one: that is the tool's."""

    speaker: Speaker
    texts: tuple[str, ...] = ()
    """The decoded strings that together are one text; none where only the speaker is known."""
    ids: tuple[str, ...] = ()
    """The ids by which a call and its result name each other."""
    failure: str = ""
    """Why the call failed, or those in the words, as the first line of the result says."""
    call: Fields | None = None
    """The object of the text that is a call."""
    value: object = None
    """The call as data, with its name and its arguments."""
    is_result: bool = False
    span: Span = (0, 0)
    """The extent of the call, or from the first of the strings to the last; put in later."""

    @property
    def text(self) -> str:
        """What is said."""
        return "".join(self.texts)


_SPEAKERS: dict[str, Speaker | None] = {
    **dict.fromkeys(("user", "human", "you", "prompter"), Speaker.USER),
    **dict.fromkeys(
        ("assistant", "model", "gemini", "ai", "bot", "gpt", "chatgpt", "claude", "agent", "agentmessage"),
        Speaker.MODEL,
    ),
    **dict.fromkeys(("tool", "function", "toolresult", "toolresponse", "ipython"), Speaker.TOOL),
    **dict.fromkeys(("system", "developer", "info", "error", "warning", "summary")),
}
"""The speakers by what they are called; those of `None` do not count."""
_CALLS = words_of("""
tooluse servertooluse mcptooluse toolcall toolcallrequest toolinvocation dynamictool tool functioncall
function customtoolcall localshellcall shellcall applypatchcall mcpcall commandexecution
""")
_RESULTS = words_of("""
toolresult toolcallresult toolcalloutput toolresponse functioncalloutput functionresponse customtoolcalloutput
localshellcalloutput shellcalloutput applypatchcalloutput mcptoolresult
""")
_TEXTS = ("", "text", "inputtext", "outputtext", "markdown", "markdowncontent", "request", "response")
_CONTENT = ("content", "parts", "blocks", "segments", "text", "value", "message")
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
"""The keys of an entry; the head of a file of them has none."""


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
    if not all(_OF_ENTRIES.isdisjoint(fields) for fields, _ in loose):
        return _as_replayed(loose)
    # of equal times, the last one
    return _as_replayed(max(reversed(found), key=itemgetter(0))[1]) if found else loose


def _conversation(value: object, depth: int = 0) -> list[dict[str, Any]] | None:
    """Return the entries of a value that has a conversation, or `None` for any other."""
    if not isinstance(value, dict) or depth > 4:
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
            is_of_heads = all(map(_OF_ENTRIES.isdisjoint, entries))
            inside = [_conversation(each, depth + 1) for each in entries] if is_of_heads else [None]
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


def events_in(entry: Fields) -> Iterator[Event]:
    """Yield what an entry says, in order; nothing for one of an unknown kind, and nothing of reasoning.

    What `item.started` and `item.updated` of Codex tell, another entry has whole.
    """
    if entry.get("isMeta") is True or entry.get("type") in ("item.started", "item.updated"):
        return
    asked = entry.get("message", entry.get("prompt"))
    if isinstance(entry.get("response"), list if isinstance(asked, dict) else str) and asked is not None:
        yield Event(Speaker.USER, tuple(_pieces(asked)))
        yield Event(Speaker.MODEL, tuple(_pieces(entry["response"])))
        yield from _rounds_of(entry)
        return
    if isinstance(entry.get("versions"), list):
        entry = _selected(entry)
    inner = next(
        (
            entry[key]
            for key in ("payload", "message", "info", "item", "response", "data")
            if isinstance(entry.get(key), dict)
        ),
        entry,
    )
    if entry.get("type") == "event_msg":
        # all else of which such an event of Codex tells is in the other lines too
        if call_ids(inner) and (failure := flagged_failure(inner)):
            yield _result(inner, failure)
        return
    name = _name_of(inner, entry)
    if name == "call":
        yield from _block_events(inner, Speaker.MODEL)
    elif speaker := _SPEAKERS.get(name):
        sources = (inner,) if inner is entry else (inner, entry)
        events = [*_heard(inner, entry, speaker), *chain.from_iterable(map(_calls_of, sources))]
        if entry.get("isSidechain") is True:
            events = [each for each in events if each.call or each.is_result]
        yield from events or (Event(speaker),)


def _list_of(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict_of(value: object) -> Fields:
    return value if isinstance(value, dict) else {}


def _selected(entry: Fields) -> Fields:
    """Return the version of a message of LM Studio that is shown, with its steps as its content."""
    versions = list(map(_dict_of, entry["versions"]))
    number = entry.get("currentlySelected")
    shown = versions[number:] if isinstance(number, int) else versions[-1:]
    chosen = next(iter(shown), {})
    return {"role": chosen.get("role"), "content": chosen.get("content") or chosen.get("steps")}


def _pieces(said: object) -> Iterator[str]:
    """Yield the pieces of a text of which a chat in VS Code keeps each by itself."""
    if isinstance(said, str) and said:
        yield said
    elif isinstance(said, list):
        for each in said:
            kind = each.get("kind") if isinstance(each, dict) else ""
            if kind in (None, "markdownContent", "inlineReference"):
                yield from _pieces(each.get("name") if kind == "inlineReference" else each)
    elif isinstance(said, dict):
        yield from _pieces(next((said[key] for key in ("text", "value", "content") if key in said), None))


def _rounds_of(request: Fields) -> Iterator[Event]:
    """Yield the calls of a request in VS Code's chat, and their results."""
    metadata = _dict_of(_dict_of(request.get("result")).get("metadata"))
    results = _dict_of(metadata.get("toolCallResults"))
    for turn in _list_of(metadata.get("toolCallRounds")):
        for call in filter(None, map(_dict_of, _list_of(_dict_of(turn).get("toolCalls")))):
            yield _made(call)
            if (answer := results.get(str(call.get("id")))) is not None:
                yield _result(call, failure_of(answer))


def _name_of(*sources: Fields) -> str:
    """Return what the speaker of an entry is called, "call" where it is a call or a result."""
    for source in sources:
        for key in (*("role", "sender", "author", "speaker", "from"), "type"):
            name = source.get(key)
            name = folded(str(name.get("role") or name.get("name") if isinstance(name, dict) else name))
            if key == "type" and name in (*_CALLS, *_RESULTS):
                return "call"
            if name in _SPEAKERS:
                return name
    return ""


def _heard(inner: Fields, entry: Fields, speaker: Speaker) -> list[Event]:
    """Return what the content of an entry says: one text, or a list of texts and blocks."""
    content = next((source[key] for source in (inner, entry) for key in _CONTENT if source.get(key)), None)
    if isinstance(content, dict) and "content_type" in content:
        is_heard = inner.get("recipient") in (None, "all") or speaker is not Speaker.MODEL
        is_heard = is_heard and content["content_type"] in ("text", "multimodal_text")
        content = content.get("parts", content.get("text")) if is_heard else None
    blocks = content if isinstance(content, list) else [content]
    events = [event for block in blocks for event in _block_events(block, speaker)]
    others = [each for each in events if each.call or each.is_result]
    texts = tuple(text for each in events if not (each.call or each.is_result) for text in each.texts)
    if speaker is Speaker.TOOL and not others:
        ids = call_ids(inner) or call_ids(entry)
        failure = flagged_failure({**inner, "content": list(texts)}) or failure_of(list(texts))
        return [Event(Speaker.TOOL, texts, ids, failure, is_result=True)]
    if speaker is Speaker.USER and texts and SENT_BY_AGENT.match(texts[0]):
        failure = next((each.failure for each in results_in("\n".join(texts)) if each.failure), "")
        return [*others, Event(Speaker.TOOL, texts, (), failure, is_result=True)]
    return others if speaker is Speaker.TOOL else events


def _block_events(block: object, speaker: Speaker) -> Iterator[Event]:
    """Yield what a piece of the content says: a text, or an object with one, a call or a result."""
    if isinstance(block, str):
        if block.strip():
            yield Event(speaker, (block,))
        return
    fields = _dict_of(block)
    for key, event in _IN_KEYS:
        if isinstance(fields.get(key), dict):
            yield event(fields[key])
            return
    kind = folded(str(fields.get("type") or fields.get("kind") or ""))
    if kind in _CALLS or (kind.startswith("tool") and isinstance(fields.get("input"), dict)):
        yield _made(fields)
    elif kind in _RESULTS:
        yield _came(fields)
    elif kind == "contentblock" and _dict_of(fields.get("style")).get("type") != "thinking":
        for each in _list_of(fields.get("content")):
            yield from _block_events(each, speaker)
    elif kind in _TEXTS and not fields.get("thought") and not fields.get("synthetic"):
        fields = _dict_of(fields.get("text")) or fields
        text = next((fields[key] for key in ("text", "content", "value") if fields.get(key)), "")
        if isinstance(text, str) and text.strip():
            yield Event(speaker, (text,))


def _calls_of(message: Fields) -> Iterator[Event]:
    """Yield the calls that a message has in a list of their own, or as its one function call."""
    calls = (*_list_of(message.get("tool_calls")), *_list_of(message.get("toolCalls")))
    yield from map(_made, filter(None, map(_dict_of, (*calls, message.get("function_call")))))
    for state in map(_dict_of, _list_of(message.get("toolCallStates"))):
        if failure := flagged_failure(state):
            yield _result(state, failure)


def _made(call: Fields) -> Event:
    kind = str(call.get("type") or "")
    value: object = call
    if kind.startswith("tool-") and folded(kind) not in _CALLS:
        value = {"name": kind.removeprefix("tool-"), "input": call.get("input")}
    # agents that keep one object for a call and its result have the failure there
    failure = flagged_failure({key: value for key, value in call.items() if key != "type"})
    return Event(Speaker.MODEL, (), call_ids(call), failure, call, value)


def _came(result: Fields) -> Event:
    return replace(_result(result, failure_of(result)), texts=tuple(texts_of(result)))


def _result(named: Fields, failure: str) -> Event:
    return Event(Speaker.TOOL, (), call_ids(named), failure, is_result=True)


_IN_KEYS: tuple[tuple[str, Callable[[Fields], Event]], ...] = (
    ("functionCall", _made),
    ("toolInvocation", _made),
    ("functionResponse", _came),
)
"""The keys of blocks that have a call or a result as an object of its own."""
