from __future__ import annotations

import json

import pytest

from patchpoint.edit import Edit, Format, Malformed, Operation
from patchpoint.formats import edits_from_data, parse_edits


def one(value: object) -> Edit:
    (item,) = edits_from_data(value)
    assert isinstance(item, Edit), item
    return item


def refusal(value: object) -> str:
    (item,) = edits_from_data(value)
    assert isinstance(item, Malformed), item
    return item.message


ARGUMENTS = {"path": "a.py", "old_str": "x", "new_str": "y"}


@pytest.mark.parametrize(
    "call",
    [
        {"file_path": "a.py", "old_string": "x", "new_string": "y"},
        {"filePath": "a.py", "oldString": "x", "newString": "y", "explanation": "better"},
        {"path": "a.py", "old_str": "x", "new_str": "y", "command": "str_replace"},
        {"path": "a.py", "old_text": "x", "new_text": "y"},
        {"target_file": "a.py", "search": "x", "replace": "y"},
        {"uri": "a.py", "search": "x", "replace": "y"},
        {"path": "a.py", "before": "x", "after": "y"},
        {"file_path": "a.py", "edits": [{"old_string": "x", "new_string": "y"}]},
        {"path": "a.py", "edits": json.dumps([{"old_text": "x", "new_text": "y"}])},
        {"replacements": [{"filePath": "a.py", "oldString": "x", "newString": "y"}], "explanation": "z"},
        {"name": "Edit", "arguments": ARGUMENTS},
        {"name": "edit", "arguments": json.dumps(ARGUMENTS)},
        {"type": "tool_use", "id": "1", "name": "Edit", "input": ARGUMENTS},
        {"type": "function", "function": {"name": "edit", "arguments": json.dumps(ARGUMENTS)}},
        {"tool_calls": [{"function": {"name": "edit", "arguments": ARGUMENTS}}]},
        {"tool_uses": [{"recipient_name": "functions.edit", "parameters": ARGUMENTS}]},
        {
            "content": [
                {"type": "text", "text": "so"},
                {"type": "tool_use", "input": ARGUMENTS, "name": "edit"},
            ]
        },
    ],
)
def test_every_spelling_of_a_replacement_is_the_same_edit(call: dict[str, object]) -> None:
    edit = one(call)
    assert (edit.operation, edit.path, edit.search, edit.replace) == (Operation.REPLACE, "a.py", "x", "y")
    assert edit.format is Format.TOOL_CALL


def test_the_protocols_own_edits_are_read_with_all_their_hints() -> None:
    given = {"path": "a", "search": "x", "replace": "y", "replaceAll": True, "occurrence": 2, "line": 3}
    edit = one({**given, "scope": ["class A:", "def f"]})
    assert (edit.replace_all, edit.occurrence, edit.line, edit.scope) == (True, 2, 3, ("class A:", "def f"))
    assert one({"path": "a", "operation": "rename", "newPath": "b"}).new_path == "b"
    assert one({"path": "a", "operation": "delete"}).operation is Operation.DELETE
    assert one({"path": "a", "operation": "write", "content": "c"}).content == "c"
    assert one({"path": "a", "operation": "create", "content": ""}).operation is Operation.CREATE
    assert edits_from_data(given, origin=Format.REQUEST)[0].format is Format.REQUEST


def test_a_file_uri_names_a_path() -> None:
    assert one({"uri": "file:///tmp/a%20b.py", "search": "x", "replace": "y"}).path == "/tmp/a b.py"
    assert one({"uri": "file:///c:/a.py", "search": "x", "replace": "y"}).path == "c:/a.py"


@pytest.mark.parametrize("uri", ["file://..\uff0fout\uff0ff", "file://[::1", "file:///%ff"])
def test_a_uri_that_is_none_is_read_too(uri: str) -> None:
    assert one({"uri": uri, "search": "x", "replace": "y"}).path


def test_an_empty_search_text_creates_a_file() -> None:
    edit = one({"file_path": "a.py", "old_string": "", "new_string": "x\n"})
    assert (edit.operation, edit.content) == (Operation.CREATE, "x\n")


def test_a_line_to_insert_at_is_counted_as_its_tool_counts() -> None:
    anthropic = one({"command": "insert", "path": "a", "insert_line": 2, "new_str": "x"})
    assert (anthropic.operation, anthropic.line, anthropic.replace) == (Operation.INSERT, 2, "x\n")
    assert one({"path": "a", "insert_line": 2, "new_text": "x"}).line == 1
    before = {"name": "insert_content", "arguments": {"path": "a", "line": 3, "content": "x"}}
    assert one(before).line == 2
    at_end = one({"name": "insert_content", "arguments": {"path": "a", "line": 0, "content": "x"}})
    assert (at_end.line, at_end.at_end) == (None, True)


def test_lists_of_lines_are_texts() -> None:
    edit = one({"path": "a", "before": ["one"], "modified": ["two", "three"], "after": ["four"]})
    assert (edit.before, edit.replace, edit.after) == ("one\n", "two\nthree\n", "four\n")


def test_a_patch_inside_a_call_may_name_absolute_paths() -> None:
    patch = "*** Begin Patch\n*** Update File: /home/me/a.py\n-x\n+y\n*** End Patch\n"
    for call in (
        {"input": patch},
        {"name": "apply_patch", "input": patch},
        {"command": ["apply_patch", patch]},
    ):
        edit = one(call)
        assert (edit.path, edit.format) == ("/home/me/a.py", Format.TOOL_CALL)


def test_blocks_inside_a_call_are_for_its_file() -> None:
    diff = "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"
    edit = one({"path": "a.py", "diff": diff})
    assert (edit.path, edit.search) == ("a.py", "x\n")


def test_a_file_with_parts_left_out_is_merged_into_the_one_that_is_there() -> None:
    code = "def f():\n    pass\n# ... existing code ...\n"
    edit = one({"target_file": "a.py", "code_edit": code, "instructions": "Add it below `g`."})
    assert (edit.operation, edit.replace, edit.lead) == (Operation.MERGE, code, "Add it below `g`.")


def test_a_file_without_parts_left_out_is_created_or_merged() -> None:
    edit = one({"target_file": "a.py", "code_edit": "def f():\n    pass\n"})
    assert (edit.operation, edit.may_be_part) == (Operation.CREATE, True)


def test_a_patch_is_read_from_the_message_of_a_channel() -> None:
    text = (
        "<|start|>assistant<|channel|>commentary to=functions.apply_patch <|constrain|>json<|message|>"
        '{"input":"*** Begin Patch\\n*** Update File: a.py\\n@@\\n-x\\n+y\\n*** End Patch"}<|call|>'
    )
    (edit,) = parse_edits(text)
    assert isinstance(edit, Edit)
    assert (edit.path, edit.search, edit.replace) == ("a.py", "x\n", "y\n")


def test_a_call_that_lacks_something_names_the_key_that_was_expected() -> None:
    assert "'new_string'" in refusal({"file_path": "a.py", "old_string": "x"})
    assert "'path'" in refusal({"old_string": "x", "new_string": "y"})
    assert "'line' must be a number" in refusal({"path": "a", "search": "x", "replace": "y", "line": "top"})
    assert "'oldstring' must be a text" in refusal({"path": "a", "old_string": 3, "new_string": "y"})


def test_a_call_that_only_views_asks_for_nothing() -> None:
    assert edits_from_data({"command": "view", "path": "a.py"}) == []
    assert edits_from_data({"name": "read_file", "arguments": {"path": "a.py", "content": "?"}}) == []


@pytest.mark.parametrize(
    "sample",
    [
        '[{"op": "remove", "path": "/users/1"}, {"op": "add", "path": "/users/2", "value": 3}]',
        '{"path": "/items", "before": "abc", "after": "def"}',
        '{"path": "/users", "content": "all of them", "type": "create"}',
        '{"path": "/q", "search": "word", "replace": true}',
        '{"name": "demo", "files": ["a.py", "b.py"], "path": "src"}',
        '{"path": path, "search": term, "limit": 10}',
        '{"uri": uri, "edits": edits, ...}',
    ],
)
def test_json_in_prose_that_is_no_call_is_prose(sample: str) -> None:
    assert parse_edits(f"The service answers:\n\n```json\n{sample}\n```\n") == []


@pytest.mark.parametrize(
    "broken",
    [
        "{'path': 'a.py', 'old_str': 'x\\n  ', 'new_str': 'y '}",
        '{"path": "a.py", "old_str": "x\\n  ", "new_str": "y ",}',
        '{"path": "a.py", "old_str": "x\n  ", "new_str": "y "}',
        '{"path": "a.py", "old_str": "x\\n  " "new_str": "y "}',
    ],
)
def test_repaired_json_keeps_every_character_of_its_texts(broken: str) -> None:
    (edit,) = parse_edits(broken, "toolCall")
    assert isinstance(edit, Edit), edit
    assert (edit.path, edit.search, edit.replace) == ("a.py", "x\n  ", "y ")


def test_json_whose_repair_might_lose_something_is_refused() -> None:
    broken = '{"path": "a.py", "old_str": "say "x", now", "new_str": "y" "z"}'
    (item,) = parse_edits(broken)
    assert isinstance(item, Malformed)


def test_each_of_several_edits_has_the_span_of_its_object() -> None:
    first, second = '{"old_str": "a}{", "new_str": "b"}', '{"old_str": "c", "new_str": "d"}'
    text = f'So:\n{{"path": "a.py", "edits": [{first}, {second}]}}\n'
    assert [text[slice(*item.span)] for item in parse_edits(text)] == [first, second]
