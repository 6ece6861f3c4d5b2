"""Exports and sessions that are JSON: one file a program, in which the same lamp is edited.

In each the user pastes `lamp.pasted()`, tools print `lamp.printed()`, and the model thinks of
`lamp.thought()`; a call that writes `lamp.failed()` fails, and one that writes `lamp.fade()` does not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from patchpoint.formats import edits_from_data
from patchpoint.formats.conversation.exported import ConversationMessage, Event, messages_in
from patchpoint.formats.conversation.speakers import Speaker
from tests.formats.examples import Example, examples

FOLDER = Path(__file__).parents[1] / "data" / "conversations"
FILES = sorted(FOLDER.iterdir())
OF_CALLS = [path for path in FILES if "failed" in path.read_text(encoding="utf-8")]
IN_TAGS = {"cline.json"}
WITHOUT_USER = {"codex-exec.jsonl"}


def read(path: Path) -> tuple[str, list[ConversationMessage]]:
    text = path.read_text(encoding="utf-8")
    return text, messages_in(text)


def parts_of(messages: list[ConversationMessage], speaker: Speaker) -> list[Event]:
    every = (part for message in messages if message.speaker is speaker for part in message.parts)
    return [part for part in every if part.call is None]


def calls_of(messages: list[ConversationMessage]) -> list[Event]:
    return [part for message in messages for part in message.parts if part.call is not None]


def edits_of(call: Event) -> list[str]:
    return [repr(item) for item in edits_from_data(call.value)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_the_user_and_the_tools_said_is_never_the_models(path: Path) -> None:
    _, messages = read(path)
    said = [part.text for part in parts_of(messages, Speaker.MODEL)]
    assert said
    assert not [text for text in said if "pasted" in text or "printed" in text]
    asked = [part.text for part in parts_of(messages, Speaker.USER)]
    assert any("lamp.pasted()" in text for text in asked) or path.name in WITHOUT_USER


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.name not in IN_TAGS], ids=lambda path: path.name
)
def test_thoughts_and_abandoned_answers_are_left_out(path: Path) -> None:
    _, messages = read(path)
    assert not [part for part in parts_of(messages, Speaker.MODEL) if "thought" in part.text]
    assert not [call for call in calls_of(messages) if "thought" in str(call.value)]


@pytest.mark.parametrize(
    "path", [path for path in OF_CALLS if path.name not in IN_TAGS], ids=lambda path: path.name
)
def test_the_call_that_failed_has_its_failure_and_its_retry_has_none(path: Path) -> None:
    _, messages = read(path)
    calls = [(edits, call.failure) for call in calls_of(messages) if (edits := edits_of(call))]
    (failed, why), (retried, nothing) = calls
    assert "lamp.failed()" in failed[0]
    assert why
    assert "\n" not in why
    assert "lamp.fade()" in retried[0]
    assert not nothing


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_span_of_a_part_is_its_string_and_that_of_a_call_its_object(path: Path) -> None:
    text, messages = read(path)
    for message in messages:
        for part in message.parts:
            shown = text[slice(*part.span)]
            if part.call is not None:
                call = json.loads(shown)
                assert call == part.value or {"name": "edit", "input": call["input"]} == part.value
            elif message.speaker is not Speaker.TOOL and path.name != "copilot.json":
                assert json.loads(shown) == part.text


def test_a_text_in_pieces_is_one_part() -> None:
    _, messages = read(FOLDER / "copilot.json")
    (said,) = parts_of(messages, Speaker.MODEL)
    assert said.text.startswith(
        "Change src/lamp.py:\n\n```python\n# src/lamp.py\ndef glow(lamp):\n    lamp.fade()\n```"
    )


def test_a_call_in_tags_fails_with_the_text_that_has_it() -> None:
    _, messages = read(FOLDER / "cline.json")
    why = {
        ("failed" in part.text): part.failure
        for part in parts_of(messages, Speaker.MODEL)
        if "<diff>" in part.text
    }
    assert why == {True: "The tool execution failed with the following error:", False: ""}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("claude-code.jsonl", "String to replace not found in file."),
        ("codex.jsonl", "apply_patch verification failed: Failed to find expected lines in src/lamp.py:"),
        ("codex-old.jsonl", "aborted by user after 3.2s"),
        ("gemini-session.json", "[Operation Cancelled] Reason: User did not allow tool call"),
        ("opencode.json", "Error: oldString not found in content"),
        ("roo.json", "The user denied this operation."),
        ("openai-responses.json", "Error: Invalid Context 0:"),
        ("continue.json", "string not found in file: lamp.printed()"),
    ],
)
def test_a_failure_is_the_first_line_that_says_something(name: str, why: str) -> None:
    _, messages = read(FOLDER / name)
    assert [call.failure for call in calls_of(messages) if call.failure] == [why]


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_an_answer_is_no_conversation(example: Example) -> None:
    if example.name != "dialect-codex":  # it has a result
        assert messages_in(example.answer) == []


@pytest.mark.parametrize(
    "value",
    [
        {"role": "assistant", "content": "```python\nx\n```"},
        {"choices": [{"message": {"role": "assistant", "tool_calls": []}}]},
        {"candidates": [{"content": {"role": "model", "parts": [{"text": "x"}]}}]},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "1", "name": "Edit", "input": {}}],
        },
        [{"path": "a.py", "old_str": "x", "new_str": "y"}],
        {"messages": []},
        {"mapping": {}},
        {"history": {"messages": {"a": 1}}},
        [[[1]], {"role": 1, "message": 2, "versions": [], "parts": 3}],
        {"versions": [None], "currentlySelected": 7},
    ],
)
def test_a_response_or_a_call_alone_is_no_conversation(value: object) -> None:
    assert messages_in(json.dumps(value)) == []


@pytest.mark.parametrize(
    "text", ["", "  ", "Sure.", "{", "[", "{}", "[]", '{"role": "user"} and so on', '"user"', "{]}"]
)
def test_a_text_that_is_no_json_has_no_messages(text: str) -> None:
    assert messages_in(text) == []


SESSIONS = [path for path in FILES if path.suffix == ".jsonl" and path.name not in WITHOUT_USER]


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.name)
def test_the_end_of_a_session_is_one_too(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    retry = max(number for number, line in enumerate(lines) if "lamp.fade()" in line)
    messages = messages_in("".join(lines[max(retry - 1, 0) :]))
    assert messages or path.name == "gemini-session.jsonl"  # where a call and its result are one object
    assert not [call for call in calls_of(messages) if call.failure]


def test_a_broken_line_is_passed_over() -> None:
    lines = (FOLDER / "openai.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    whole = messages_in("".join(lines))
    assert messages_in("".join([*lines, '{"role": "assistant", "content": "and th'])) == whole
    broken = messages_in("".join([*lines[:2], '{"role": "assist\n', *lines[2:]]))
    assert [message.speaker for message in broken] == [message.speaker for message in whole]


def test_a_text_with_many_broken_lines_is_no_session() -> None:
    message = '{"role": "user", "content": "x"}\n'
    assert len(messages_in(message + '{"role": "us\n' * 50 + message)) == 2
    assert messages_in(message + '{"role": "us\n' * 500 + message) == []


@pytest.mark.parametrize(
    "name", ["openai-old.json", "openai.json", "anthropic.json", "opencode.json", "gemini-session.json"]
)
def test_a_file_that_is_cut_off_has_the_messages_that_are_whole(name: str) -> None:
    text, whole = read(FOLDER / name)
    expected = [(message.speaker, len(message.parts)) for message in whole]
    for end in range(text.rindex("lamp.failed()") + 800, len(text) - 1, 7):
        cut_off = [(message.speaker, len(message.parts)) for message in messages_in(text[:end])]
        assert len(cut_off) >= 2
        assert cut_off == expected[: len(cut_off)]


def test_a_file_that_is_broken_in_the_middle_has_no_messages() -> None:
    text = (FOLDER / "openai.json").read_text(encoding="utf-8")
    assert messages_in(text.replace("Once more.", 'Once "more".')) == []


def test_a_call_without_a_result_was_made() -> None:
    call = {
        "type": "tool_use",
        "id": "t",
        "name": "Edit",
        "input": {"path": "a.py", "old_str": "x", "new_str": "y"},
    }
    text = json.dumps([{"role": "user", "content": "x"}, {"role": "assistant", "content": [call]}])
    (made,) = calls_of(messages_in(text))
    assert (made.value, made.failure) == (call, "")


def test_an_id_that_is_used_again_is_that_of_the_call_before_the_result() -> None:
    def call(new: str) -> dict[str, object]:
        arguments = json.dumps({"path": "a.py", "old_str": "x", "new_str": new})
        return {
            "role": "assistant",
            "tool_calls": [{"id": "call_0", "function": {"name": "edit", "arguments": arguments}}],
        }

    def result(words: str) -> dict[str, object]:
        return {"role": "tool", "tool_call_id": "call_0", "content": words}

    session = [call("1"), result("ok"), call("2"), result("Error: not found"), call("3"), result("ok")]
    found = calls_of(messages_in(json.dumps(session)))
    assert [each.failure for each in found] == ["", "Error: not found", ""]


def values_of(path: Path) -> list[Any]:
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else [json.loads(text)]


def with_another(value: Any) -> Iterator[Any]:
    """Yield the value with each thing in it replaced by one of another kind."""
    yield from (1, "a", [1], {"a": 1})
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        for other in with_another(value[key]):
            changed = value.copy()
            changed[key] = other
            yield changed


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_of_another_shape_is_read_without_an_error(path: Path) -> None:
    values = values_of(path)
    for number, value in enumerate(values):
        for other in with_another(value):
            text = "\n".join(map(json.dumps, [*values[:number], other, *values[number + 1 :]]))
            for message in messages_in(text):
                assert all(0 <= part.span[0] < part.span[1] <= len(text) for part in message.parts)


def test_a_string_that_is_spelled_in_another_way_has_its_place_too() -> None:
    text = '[{"role": "user", "content": "x"}, {"role":"assistant","content":"a \\u003cb\\u003E \\/ c"}]'
    (part,) = parts_of(messages_in(text), Speaker.MODEL)
    assert (part.text, text[slice(*part.span)]) == ("a <b> / c", '"a \\u003cb\\u003E \\/ c"')


def test_where_an_object_has_a_key_twice_the_place_is_that_of_the_line() -> None:
    line = '{"role":"assistant","content":[{"type":"text","text":"x","text":"y"},{"type":"text","text":"z"}]}'
    text = f'{{"role":"user","content":"x"}}\n{line}\n'
    assert {text[slice(*part.span)] for part in parts_of(messages_in(text), Speaker.MODEL)} == {line}
