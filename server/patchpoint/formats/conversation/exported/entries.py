"""What one entry of an export or a session says: words, tool calls, and the results of calls.

The chat products, the agents and the interfaces of models have names of their own for the same few things;
the tables here are the union of these names, all folded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from patchpoint.dataclass import dataclass, replace
from patchpoint.formats.conversation.failures import call_ids, failure_of, flagged_failure, texts_of
from patchpoint.formats.conversation.results import results_in
from patchpoint.formats.conversation.speakers import Speaker
from patchpoint.formats.conversation.speech import SENT_BY_AGENT
from patchpoint.formats.spelling import folded, words_of
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
_ROLE = ("role", "sender", "author", "speaker", "from")
_ENVELOPES = ("payload", "message", "info", "item", "response", "data")
"""The keys of an entry that has what is said in an object of its own."""
_CALLS = words_of("""
tooluse servertooluse mcptooluse toolcall toolcallrequest toolinvocation dynamictool tool functioncall
function customtoolcall localshellcall shellcall applypatchcall mcpcall commandexecution
""")
_RESULTS = words_of("""
toolresult toolcallresult toolcalloutput toolresponse functioncalloutput functionresponse customtoolcalloutput
localshellcalloutput shellcalloutput applypatchcalloutput mcptoolresult
""")
_OF_CALLS = "call"
_TEXTS = ("", "text", "inputtext", "outputtext", "markdown", "markdowncontent", "request", "response")
_UNFINISHED = ("item.started", "item.updated")
"""The types of Codex's events that tell of what another event has whole."""
_CONTENT = ("content", "parts", "blocks", "segments", "text", "value", "message")
_TEXT_IN_USE = ("text", "multimodal_text")
"""The types of a ChatGPT message's content that are words for the other side."""


def events_in(entry: Fields) -> Iterator[Event]:
    """Yield what an entry says, in order; nothing for one of an unknown kind, and nothing of reasoning."""
    if entry.get("isMeta") is True or entry.get("type") in _UNFINISHED:
        return
    asked = entry.get("message", entry.get("prompt"))
    if isinstance(entry.get("response"), list if isinstance(asked, dict) else str) and asked is not None:
        yield Event(Speaker.USER, tuple(_pieces(asked)))
        yield Event(Speaker.MODEL, tuple(_pieces(entry["response"])))
        yield from _rounds_of(entry)
        return
    if isinstance(entry.get("versions"), list):
        entry = _selected(entry)
    inner = next((entry[key] for key in _ENVELOPES if isinstance(entry.get(key), dict)), entry)
    if entry.get("type") == "event_msg":
        # all else of which such an event of Codex tells is in the other lines too
        if call_ids(inner) and (failure := flagged_failure(inner)):
            yield _result(inner, failure)
        return
    name = _name_of(inner, entry)
    if name == _OF_CALLS:
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
    """Return what the speaker of an entry is called, `_OF_CALLS` where it is a call or a result."""
    for source in sources:
        for key in (*_ROLE, "type"):
            name = source.get(key)
            name = folded(str(name.get("role") or name.get("name") if isinstance(name, dict) else name))
            if key == "type" and name in (*_CALLS, *_RESULTS):
                return _OF_CALLS
            if name in _SPEAKERS:
                return name
    return ""


def _heard(inner: Fields, entry: Fields, speaker: Speaker) -> list[Event]:
    """Return what the content of an entry says: one text, or a list of texts and blocks."""
    content = next((source[key] for source in (inner, entry) for key in _CONTENT if source.get(key)), None)
    if isinstance(content, dict) and "content_type" in content:
        is_heard = inner.get("recipient") in (None, "all") or speaker is not Speaker.MODEL
        is_heard = is_heard and content["content_type"] in _TEXT_IN_USE
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
