"""What one entry of an export or a session says: words, tool calls, and the results of calls.

The chat products, the agents and the interfaces of models have names of their own for the same few things;
the tables here are the union of these names, all folded.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from patchpoint.dataclass import dataclass
from patchpoint.formats.conversation.failures import failure_of, flagged_failure, texts_of
from patchpoint.formats.conversation.results import results_in
from patchpoint.formats.conversation.speakers import Speaker
from patchpoint.formats.conversation.speech import SENT_BY_AGENT
from patchpoint.formats.spelling import folded, words_of

Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Said:
    """Words: the decoded strings that together are one text; none where only the speaker is known."""

    speaker: Speaker
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Made:
    """A tool call, with what its own entry says of its failure."""

    value: object
    owner: object
    """The object of the text that is the call."""
    ids: tuple[str, ...]
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Came:
    """What came of a call."""

    ids: tuple[str, ...]
    failure: str
    texts: tuple[str, ...] = ()


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
_IDS = words_of("tool_use_id toolUseId tool_call_id toolCallId toolCallRequestId call_id callID callId")
_CONTENT = ("content", "parts", "blocks", "segments", "text", "value", "fragments", "message")
_FRAGMENTS = {"REQUEST": "user", "RESPONSE": "assistant"}
_TEXT_IN_USE = frozenset(("text", "multimodal_text"))
"""The types of a ChatGPT message's content that are words for the other side."""


def events_in(entry: Fields) -> Iterator[Event]:
    """Yield what an entry says, in order; nothing for one of an unknown kind, and nothing of reasoning."""
    if entry.get("isMeta") is True or entry.get("type") in _UNFINISHED:
        return
    if isinstance(entry.get("response"), list) and isinstance(entry.get("message"), dict):
        yield from _request_events(entry)
        return
    if isinstance(entry.get("prompt"), str) and isinstance(entry.get("response"), str):
        yield from (Said(Speaker.USER, (entry["prompt"],)), Said(Speaker.MODEL, (entry["response"],)))
        return
    if isinstance(entry.get("versions"), list):
        entry = _selected(entry)
    inner = next((entry[key] for key in _ENVELOPES if isinstance(entry.get(key), dict)), entry)
    if entry.get("type") == "event_msg":
        yield from _notice(inner)
        return
    speaker = _speaker_of(inner, entry)
    if isinstance(speaker, str):
        return
    if speaker is None:
        yield from (each for each in _block_events(inner, Speaker.MODEL) if not isinstance(each, Said))
        return
    sources = (inner,) if inner is entry else (inner, entry)
    events = [*_heard(inner, entry, speaker), *chain.from_iterable(map(_calls_of, sources))]
    if entry.get("isSidechain") is True:
        yield from (each for each in events if not isinstance(each, Said))
    else:
        yield from events or (Said(speaker),)


def _selected(entry: Fields) -> Fields:
    """Return the version of a message of LM Studio that is shown, with its steps as its content."""
    versions = entry["versions"]
    number = entry.get("currentlySelected")
    index = number if isinstance(number, int) and 0 <= number < len(versions) else len(versions) - 1
    chosen = versions[index] if versions else None
    if not isinstance(chosen, dict):
        return {}
    role = chosen.get("role") or entry.get("role")
    return {"role": role, "content": chosen.get("content") or chosen.get("steps")}


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
    types += [_FRAGMENTS.get(str(_last_fragment(source)), "") for source in sources]
    return next((_SPEAKERS[each] for each in types if each in _SPEAKERS), None)


def _last_fragment(source: Fields) -> object:
    """Return the kind of the last of the fragments of which a message of DeepSeek's is made."""
    fragments = _list_of(source.get("fragments"))
    return fragments[-1].get("type") if fragments and isinstance(fragments[-1], dict) else None


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
        ids = _call_ids(inner) or _call_ids(entry)
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
    for key in ("functionCall", "toolInvocation"):
        if isinstance(block.get(key), dict):
            yield _made(block[key])
            return
    if isinstance(block.get("functionResponse"), dict):
        yield _came(block["functionResponse"])
        return
    kind = folded(str(block.get("type") or block.get("kind") or ""))
    if kind in _CALLS or (kind.startswith("tool") and isinstance(block.get("input"), dict)):
        yield _made(block)
    elif kind in _RESULTS:
        yield _came(block)
    elif kind == "contentblock" and not _is_thinking(block):
        for each in _list_of(block.get("content")):
            yield from _block_events(each, speaker)
    elif kind in _TEXTS and not block.get("thought") and not block.get("synthetic"):
        block = block["text"] if isinstance(block.get("text"), dict) else block
        keys = ("text", "content", "value", "Text")
        text = next((block[key] for key in keys if isinstance(block.get(key), str)), "")
        if text.strip():
            yield Said(speaker, (text,))


def _is_thinking(block: Fields) -> bool:
    style = block.get("style")
    return isinstance(style, dict) and style.get("type") == "thinking"


def _calls_of(message: Fields) -> Iterator[Event]:
    """Yield the calls that a message has in a list of their own, or as its one function call."""
    for key in ("tool_calls", "toolCalls"):
        for call in _list_of(message.get(key)):
            if isinstance(call, dict):
                yield _made(call)
    if isinstance(message.get("function_call"), dict):
        yield _made(message["function_call"])
    for state in _list_of(message.get("toolCallStates")):
        if isinstance(state, dict) and (failure := flagged_failure(state)):
            yield Came(_call_ids(state), failure)


def _made(call: Fields) -> Made:
    kind = str(call.get("type") or "")
    value: object = call
    if kind.startswith("tool-") and folded(kind) not in _CALLS:
        value = {"name": kind[len("tool-") :], "input": call.get("input")}
    return Made(value, call, _call_ids(call), _own_failure(call))


def _own_failure(call: Fields) -> str:
    """Return what a call itself says of its failure: agents that keep one object for both have it there."""
    return flagged_failure({key: value for key, value in call.items() if key != "type"})


def _came(result: Fields) -> Came:
    return Came(_call_ids(result), failure_of(result), tuple(texts_of(result)))


def _call_ids(fields: Fields) -> tuple[str, ...]:
    """Return the ids by which a call and its result may name each other, the surest first."""
    named = [fields[key] for key in (*_IDS, "id") if isinstance(fields.get(key), (str, int))]
    return tuple(dict.fromkeys(map(str, named)))


def _notice(payload: Fields) -> Iterator[Event]:
    """Yield the failure of a call of which an event of Codex tells: all else is in the other lines too."""
    if folded(str(payload.get("type"))) in ("patchapplyend", "execcommandend") and (
        failure := flagged_failure(payload)
    ):
        yield Came(_call_ids(payload), failure)


def _request_events(request: Fields) -> Iterator[Event]:
    """Yield a request of VS Code's chat and its response, whose text is in pieces."""
    asked = request["message"].get("text")
    yield Said(Speaker.USER, (asked,) if isinstance(asked, str) and asked.strip() else ())
    pieces: list[str] = []
    for piece in request["response"]:
        if not isinstance(piece, dict) or piece.get("kind") not in (
            None,
            "markdownContent",
            "inlineReference",
        ):
            continue
        value = (
            piece.get("name")
            if piece.get("kind") == "inlineReference"
            else piece.get("value", piece.get("content"))
        )
        value = value.get("value") if isinstance(value, dict) else value
        if isinstance(value, str) and value:
            pieces.append(value)
    yield Said(Speaker.MODEL, tuple(pieces))
    result = request.get("result")
    metadata = result.get("metadata") if isinstance(result, dict) else None
    if not isinstance(metadata, dict):
        return
    results = metadata.get("toolCallResults")
    for turn in _list_of(metadata.get("toolCallRounds")):
        for call in _list_of(turn.get("toolCalls")) if isinstance(turn, dict) else ():
            if isinstance(call, dict):
                yield _made(call)
                answer = results.get(str(call.get("id"))) if isinstance(results, dict) else None
                if answer is not None:
                    yield Came(_call_ids(call), failure_of(answer))
