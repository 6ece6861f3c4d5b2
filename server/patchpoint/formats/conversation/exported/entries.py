"""What one entry of an export or a session says: words, tool calls, and the results of calls.

The chat products, the agents and the interfaces of models have names of their own for the same few things;
the tables here are the union of these names, all folded.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from patchpoint.dataclass import dataclass
from patchpoint.formats.conversation.failures import call_ids, failure_of, flagged_failure, texts_of
from patchpoint.formats.conversation.results import results_in
from patchpoint.formats.conversation.speakers import Speaker
from patchpoint.formats.conversation.speech import SENT_BY_AGENT
from patchpoint.formats.spelling import folded, words_of

Fields = dict[str, Any]


@dataclass(slots=True)
class Said:
    """Words: the decoded strings that together are one text; none where only the speaker is known."""

    speaker: Speaker
    texts: tuple[str, ...] = ()
    failure: str = ""
    """Why the calls in it failed, as the first line of their result says."""


@dataclass(slots=True)
class Made:
    """A tool call, with what is said of its failure."""

    value: object
    owner: object
    """The object of the text that is the call."""
    ids: tuple[str, ...]
    failure: str = ""
    speaker: Speaker = Speaker.MODEL


@dataclass(slots=True)
class Came:
    """What came of a call."""

    ids: tuple[str, ...]
    failure: str
    texts: tuple[str, ...] = ()
    speaker: Speaker = Speaker.TOOL


Event = Said | Made | Came

_IGNORED = "ignored"
_SPEAKERS: dict[str, Speaker | str] = {
    **dict.fromkeys(("user", "human", "you", "prompter"), Speaker.USER),
    **dict.fromkeys(
        ("assistant", "model", "gemini", "ai", "bot", "gpt", "chatgpt", "claude", "agent", "agentmessage"),
        Speaker.MODEL,
    ),
    **dict.fromkeys(("tool", "function", "toolresult", "toolresponse", "ipython"), Speaker.TOOL),
    **dict.fromkeys(("system", "developer", "info", "error", "warning", "summary"), _IGNORED),
}
_ROLE = ("role", "sender", "author", "speaker")
_ENVELOPES = ("payload", "message", "info", "item", "response", "data", "User", "Agent")
"""The keys of an entry that has what is said in an object of its own."""


def _list_of(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict_of(value: object) -> Fields:
    return value if isinstance(value, dict) else {}


_CALLS = frozenset(
    words_of("""
tooluse servertooluse mcptooluse toolcall toolcallrequest toolinvocation dynamictool tool functioncall
function customtoolcall localshellcall shellcall applypatchcall mcpcall commandexecution
""")
)
_RESULTS = frozenset(
    words_of("""
toolresult toolcallresult toolcalloutput toolresponse functioncalloutput functionresponse customtoolcalloutput
localshellcalloutput shellcalloutput applypatchcalloutput mcptoolresult
""")
)
_TEXTS = frozenset(
    ("", "text", "inputtext", "outputtext", "markdown", "markdowncontent", "request", "response")
)
_UNFINISHED = ("item.started", "item.updated")
"""The types of Codex's events that tell of what another event has whole."""
_CONTENT = ("content", "parts", "blocks", "segments", "text", "value", "fragments", "message")
_FRAGMENTS = {"REQUEST": "user", "RESPONSE": "assistant"}
_TEXT_IN_USE = frozenset(("text", "multimodal_text"))
"""The types of a ChatGPT message's content that are words for the other side."""


def events_in(entry: Fields) -> Iterator[Event]:
    """Yield what an entry says, in order; nothing for one of an unknown kind, and nothing of reasoning."""
    if entry.get("isMeta") is True or entry.get("type") in _UNFINISHED:
        return
    asked = entry.get("message", entry.get("prompt"))
    if isinstance(entry.get("response"), list if isinstance(asked, dict) else str) and asked is not None:
        yield from (
            Said(Speaker.USER, tuple(_pieces(asked))),
            Said(Speaker.MODEL, tuple(_pieces(entry["response"]))),
        )
        yield from _rounds_of(entry)
        return
    if isinstance(entry.get("versions"), list):
        entry = _selected(entry)
    inner = next((entry[key] for key in _ENVELOPES if isinstance(entry.get(key), dict)), entry)
    speaker = _speaker_of(inner, entry)
    if entry.get("type") == "event_msg":
        # all else of which such an event of Codex tells is in the other lines too
        if call_ids(inner) and (failure := flagged_failure(inner)):
            yield Came(call_ids(inner), failure)
    elif speaker is None:
        yield from (each for each in _block_events(inner, Speaker.MODEL) if not isinstance(each, Said))
    elif isinstance(speaker, Speaker):
        sources = (inner,) if inner is entry else (inner, entry)
        events = [*_heard(inner, entry, speaker), *chain.from_iterable(map(_calls_of, sources))]
        if entry.get("isSidechain") is True:
            events = [each for each in events if not isinstance(each, Said)]
        yield from events or (Said(speaker),)


def _selected(entry: Fields) -> Fields:
    """Return the version of a message of LM Studio that is shown, with its steps as its content."""
    versions = {str(number): each for number, each in enumerate(entry["versions"])}
    chosen = versions.get(str(entry.get("currentlySelected")), next(reversed(versions.values()), None))
    if not isinstance(chosen, dict):
        return {}
    return {
        "role": chosen.get("role") or entry.get("role"),
        "content": chosen.get("content") or chosen.get("steps"),
    }


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
        for call in _list_of(_dict_of(turn).get("toolCalls")):
            if isinstance(call, dict):
                yield _made(call)
                if (answer := results.get(str(call.get("id")))) is not None:
                    yield Came(call_ids(call), failure_of(answer))


def _speaker_of(*sources: Fields) -> Speaker | str | None:
    """Return who speaks, `_IGNORED` for those who do not count, and `None` where nobody is named."""
    for source in sources:
        if isinstance(source.get("isCreatedByUser"), bool):
            return Speaker.USER if source["isCreatedByUser"] else Speaker.MODEL
        for key in (*_ROLE, *(("from",) if "value" in source or "content" in source else ())):
            name = source.get(key)
            if isinstance(name, dict):
                name = name.get("role") or name.get("name")
            if isinstance(name, str) and folded(name) in _SPEAKERS:
                return _SPEAKERS[folded(name)]
        if folded(str(source.get("type"))) in _CALLS | _RESULTS:
            return None
    types = [folded(str(source.get("type"))) for source in sources]
    types += [folded(key) for source in sources for key in ("User", "Agent") if key in source]
    types += [
        _FRAGMENTS.get(str(_dict_of(each).get("type")), "")
        for source in sources
        for each in _list_of(source.get("fragments"))[-1:]
    ]
    return next((_SPEAKERS[each] for each in types if each in _SPEAKERS), None)


def _content_of(inner: Fields, entry: Fields) -> object:
    """Return what is said in an entry; of several, the first that says anything."""
    found = (source[key] for source in (inner, entry) for key in _CONTENT if source.get(key))
    content = next(found, None)
    if isinstance(content, dict) and "content_type" in content:
        heard = inner.get("recipient") in (None, "all") or _speaker_of(inner) is not Speaker.MODEL
        in_use = str(content["content_type"]) in _TEXT_IN_USE and heard
        return content.get("parts", content.get("text")) if in_use else None
    return content


def _heard(inner: Fields, entry: Fields, speaker: Speaker) -> list[Event]:
    """Return what the content of an entry says: one text, or a list of texts and blocks."""
    content = _content_of(inner, entry)
    blocks = content if isinstance(content, list) else [content]
    events = [event for block in blocks for event in _block_events(block, speaker)]
    texts = tuple(text for event in events if isinstance(event, Said) for text in event.texts)
    if speaker is Speaker.TOOL and not any(isinstance(event, Came) for event in events):
        ids = call_ids(inner) or call_ids(entry)
        return [
            Came(ids, flagged_failure({**inner, "content": list(texts)}) or failure_of(list(texts)), texts)
        ]
    if speaker is Speaker.USER and texts and SENT_BY_AGENT.match(texts[0]):
        failure = next((each.failure for each in results_in("\n".join(texts)) if each.failure), "")
        return [*(event for event in events if not isinstance(event, Said)), Came((), failure, texts)]
    return events


def _block_events(block: object, speaker: Speaker) -> Iterator[Event]:
    if isinstance(block, str):
        if block.strip():
            yield Said(speaker, (block,))
        return
    if not isinstance(block, dict):
        return
    for key, event in (("functionCall", _made), ("toolInvocation", _made), ("functionResponse", _came)):
        if isinstance(block.get(key), dict):
            yield event(block[key])
            return
    kind = folded(str(block.get("type") or block.get("kind") or ""))
    if kind in _CALLS or (kind.startswith("tool") and isinstance(block.get("input"), dict)):
        yield _made(block)
    elif kind in _RESULTS:
        yield _came(block)
    elif kind == "contentblock" and _dict_of(block.get("style")).get("type") != "thinking":
        for each in _list_of(block.get("content")):
            yield from _block_events(each, speaker)
    elif kind in _TEXTS and not block.get("thought") and not block.get("synthetic"):
        block = block["text"] if isinstance(block.get("text"), dict) else block
        keys = ("text", "content", "value", "Text")
        text = next((block[key] for key in keys if isinstance(block.get(key), str)), "")
        if text.strip():
            yield Said(speaker, (text,))


def _calls_of(message: Fields) -> Iterator[Event]:
    """Yield the calls that a message has in a list of their own, or as its one function call."""
    calls = [*_list_of(message.get("tool_calls")), *_list_of(message.get("toolCalls"))]
    yield from (_made(each) for each in (*calls, message.get("function_call")) if isinstance(each, dict))
    for state in _list_of(message.get("toolCallStates")):
        if isinstance(state, dict) and (failure := flagged_failure(state)):
            yield Came(call_ids(state), failure)


def _made(call: Fields) -> Made:
    kind = str(call.get("type") or "")
    value: object = call
    if kind.startswith("tool-") and folded(kind) not in _CALLS:
        value = {"name": kind[len("tool-") :], "input": call.get("input")}
    # agents that keep one object for a call and its result have the failure there
    failure = flagged_failure({key: value for key, value in call.items() if key != "type"})
    return Made(value, call, call_ids(call), failure)


def _came(result: Fields) -> Came:
    return Came(call_ids(result), failure_of(result), tuple(texts_of(result)))
