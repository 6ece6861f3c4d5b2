"""The dialects of products: what holds for all of their calls."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from patchpoint.edit import Edit, Malformed, Operation, Side, Target, TargetKind
from patchpoint.formats import edits_from_data, parse_edits
from tests.formats.cut_off_answers import edits_of, samples_in
from tests.formats.examples import Example, examples

PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch\n"
ARGUMENTS = {"file_path": "a.py", "old_string": "x", "new_string": "y"}

WRAPPERS: dict[str, Callable[[str, object], object]] = {
    "Codex": lambda name, arguments: {
        "timestamp": "2026-05-04T09:30:00.000Z",
        "type": "response_item",
        "payload": {
            "type": "function_call",
            "name": name,
            "arguments": json.dumps(arguments),
            "call_id": "1",
        },
    },
    "Gemini": lambda name, arguments: {
        "candidates": [
            {"content": {"role": "model", "parts": [{"functionCall": {"name": name, "args": arguments}}]}}
        ]
    },
    "opencode": lambda name, arguments: {
        "info": {"role": "assistant"},
        "parts": [
            {"type": "text", "text": "Here it is."},
            {
                "type": "tool",
                "callID": "1",
                "tool": name,
                "state": {"status": "completed", "input": arguments},
            },
        ],
    },
    "Antigravity": lambda name, arguments: {
        "type": "PLANNER_RESPONSE",
        "content": "Here it is.",
        "tool_calls": [{"name": name, "args": arguments}],
    },
    "Claude": lambda name, arguments: {
        "type": "assistant",
        "message": {"role": "assistant", "content": [{"type": "tool_use", "name": name, "input": arguments}]},
    },
    "OpenAI": lambda name, arguments: {
        "role": "assistant",
        "content": "Here it is.",
        "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        ],
    },
}


@pytest.mark.parametrize("product", WRAPPERS)
@pytest.mark.parametrize("lines", [1, 2])
def test_a_call_is_the_same_edit_in_every_transcript(product: str, lines: int) -> None:
    line = json.dumps(WRAPPERS[product]("edit", ARGUMENTS))
    items = parse_edits(f"{line}\n" * lines)
    assert len(items) == lines
    for item in items:
        assert isinstance(item, Edit)
        assert (item.path, item.search, item.replace) == ("a.py", "x", "y")


@pytest.mark.parametrize("product", WRAPPERS)
def test_a_call_that_only_looks_is_prose_in_every_transcript(product: str) -> None:
    line = json.dumps(WRAPPERS[product]("read_file", {"file_path": "a.py", "content": "?"}))
    assert parse_edits(f"{line}\n") == []


@pytest.mark.slow
@pytest.mark.parametrize("product", WRAPPERS)
def test_no_beginning_of_a_line_asks_for_anything_else(product: str) -> None:
    line = json.dumps(WRAPPERS[product]("edit", ARGUMENTS))
    for end in range(len(line)):
        assert edits_of(line[:end]) <= edits_of(line), line[:end]


WHOLE = [
    example
    for example in examples()
    if example.name.startswith(("dialect", "here-document", "unified-diff-coloured"))
    and edits_of(example.answer)
]


@pytest.mark.slow
@pytest.mark.parametrize("example", WHOLE, ids=lambda example: example.name)
def test_no_beginning_of_a_dialect_asks_for_more_than_the_whole(example: Example) -> None:
    text = example.answer
    whole = edits_of(text)
    shown = samples_in(whole, text)
    for end in {*range(0, len(text), max(1, len(text) // 60)), *range(max(0, len(text) - 12), len(text))}:
        assert edits_of(text[:end]) - shown <= whole, text[:end]


def test_a_call_of_a_known_tool_that_is_cut_off_is_refused() -> None:
    call = json.dumps({"name": "WriteFile", "arguments": {"path": "a.py", "content": "x = 1"}})
    (refused,) = parse_edits(call[:-6])
    assert isinstance(refused, Malformed)
    assert parse_edits('{"name": "create-app", "path": path, "content": [}') == []


def test_what_a_transcript_says_of_results_is_prose() -> None:
    result = {
        "type": "event_msg",
        "payload": {
            "type": "patch_apply_end",
            "success": True,
            "changes": {"/w/a.py": {"update": {"unified_diff": "@@ -1 +1 @@\n-x\n+y\n", "move_path": None}}},
        },
    }
    output = {"type": "response_item", "payload": {"type": "custom_tool_call_output", "output": PATCH}}
    read = {"role": "user", "parts": [{"functionResponse": {"name": "replace", "response": ARGUMENTS}}]}
    for line in (result, output, read):
        assert parse_edits(json.dumps(line)) == []
        assert edits_from_data(line) == []


def test_a_patch_call_may_be_an_empty_file_and_may_not_lack_its_path() -> None:
    (edit,) = edits_from_data({"type": "create_file", "path": "a.py", "diff": ""})
    assert isinstance(edit, Edit)
    assert (edit.operation, edit.content) == (Operation.CREATE, "")
    (refused,) = edits_from_data({"type": "create_file", "diff": "+x"})
    assert isinstance(refused, Malformed)
    assert "'path'" in refused.message


def test_the_diff_of_a_new_file_may_be_any_diff() -> None:
    diff = "--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+x\n"
    (edit,) = edits_from_data({"type": "create_file", "path": "a.py", "diff": diff})
    assert isinstance(edit, Edit)
    assert (edit.operation, edit.path, edit.content) == (Operation.CREATE, "a.py", "x\n")


def test_paths_of_a_protocol_diff_are_those_of_its_changes() -> None:
    header = "diff --git a/w/a.py b/w/a.py\n--- a/w/a.py\n+++ b/w/a.py\n@@ -1 +1 @@\n-x\n+y\n"
    diff = {
        "type": "diff",
        "changes": [{"operation": "modify", "path": "/w/a.py"}],
        "patch": {"format": "git_patch", "diff": header},
    }
    update = {"sessionUpdate": "tool_call", "kind": "edit", "content": [diff], "rawInput": ARGUMENTS}
    for one in (
        diff,
        {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "1", "update": update}},
        {"method": "session/request_permission", "params": {"toolCall": update, "options": []}},
    ):
        (edit,) = edits_from_data(one)
        assert edit.path == "/w/a.py"
    (broken,) = edits_from_data({**diff, "patch": {"format": "git_patch", "diff": "so it is\n"}})
    assert isinstance(broken, Malformed)
    assert "git patch" in broken.message


@pytest.mark.parametrize("operation", ["add", "modify", "copy"])
def test_a_change_without_a_patch_is_refused(operation: str) -> None:
    change = {"operation": operation, "path": "/w/a.py", "oldPath": "/w/b.py"}
    (refused,) = edits_from_data({"type": "diff", "changes": [change]})
    assert isinstance(refused, Malformed)
    assert "was expected" in refused.message


def test_a_file_that_is_only_read_is_not_that_of_a_block_without_a_path() -> None:
    block = "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"
    read = "<read_file>\n<args>\n<file>\n<path>a.py</path>\n</file>\n</args>\n</read_file>\n"
    (item,) = parse_edits(f"{read}\n{block}")
    assert isinstance(item, Malformed)


def test_each_of_two_zed_edits_is_for_the_path_above_them() -> None:
    edits = "<edits>\n\n<old_text>\nx\n</old_text>\n<new_text>\ny\n</new_text>\n\n</edits>\n"
    items = parse_edits(f"a.py\n\n{edits}\nb.py\n\n{edits}")
    assert [item.path for item in items] == ["a.py", "b.py"]


def test_two_signs_on_every_changed_line_have_two_readings() -> None:
    (two,) = parse_edits("*** Begin Patch\n*** Update File: a\n f\n-- x\n++ y\n*** End Patch\n")
    assert isinstance(two, Edit)
    assert [(split.search, split.replace) for split in two.splits] == [
        ("f\n- x\n", "f\n+ y\n"),
        ("f\n x\n", "f\n y\n"),
    ]
    (one,) = parse_edits("*** Begin Patch\n*** Update File: a\n f\n-- x\n+y\n*** End Patch\n")
    assert isinstance(one, Edit)
    assert one.splits == ()
    (added,) = parse_edits("*** Begin Patch\n*** Update File: a\n f\n+- y\n*** End Patch\n")
    assert isinstance(added, Edit)
    assert added.splits == ()


def target_of(value: object) -> Target:
    """What the one edit of a call names."""
    (edit,) = edits_from_data(value)
    assert isinstance(edit, Edit), edit
    assert edit.operation is Operation.PLACE
    assert edit.target is not None
    return edit.target


@pytest.mark.parametrize(
    ("name", "arguments", "target"),
    [
        ("NotebookEdit", {"cell_id": "ab"}, Target(TargetKind.CELL, "ab")),
        ("NotebookEdit", {"cell_number": 0}, Target(TargetKind.CELL, "0")),
        (
            "NotebookEdit",
            {"cell_id": "ab", "edit_mode": "insert", "cell_type": "code"},
            Target(TargetKind.CELL, "ab", Side.AFTER, cell_type="code"),
        ),
        (
            "NotebookEdit",
            {"edit_mode": "insert", "cell_type": "markdown"},
            Target(TargetKind.CELL, "", Side.BEFORE, cell_type="markdown"),
        ),
        (
            "NotebookEdit",
            {"cell_number": 2, "edit_mode": "insert", "cell_type": "code"},
            Target(TargetKind.CELL, "2", Side.BEFORE, cell_type="code"),
        ),
        (
            "NotebookEdit",
            {"cell_id": "ab", "edit_mode": "delete"},
            Target(TargetKind.CELL, "ab", Side.DELETED),
        ),
        (
            "edit_notebook_file",
            {"editType": "insert", "cellId": "BOTTOM", "language": "markdown", "newCode": "# x"},
            Target(TargetKind.CELL, "", Side.AFTER, cell_type="markdown"),
        ),
        (
            "edit_notebook_file",
            {"editType": "edit", "cellId": "ab", "language": "python", "newCode": "x"},
            Target(TargetKind.CELL, "ab"),
        ),
        (
            "edit_notebook",
            {
                "cell_idx": 1,
                "is_new_cell": True,
                "cell_language": "python",
                "old_string": "",
                "new_string": "x",
            },
            Target(TargetKind.CELL, "1", Side.BEFORE, cell_type="code"),
        ),
    ],
)
def test_a_cell_is_named_as_each_tool_names_it(
    name: str, arguments: dict[str, object], target: Target
) -> None:
    path = (
        {"notebook_path": "a.ipynb", "new_source": "x"} if name == "NotebookEdit" else {"filePath": "a.ipynb"}
    )
    assert target_of({"name": name, "input": {**path, **arguments}}) == target


@pytest.mark.parametrize(
    "edit",
    [
        {"op": "replace", "pos": "3#KT", "end": "4#ZZ", "lines": ["x"]},
        {"replace_lines": {"start_anchor": "3#KT", "end_anchor": "4#ZZ", "new_text": "x"}},
    ],
)
def test_tagged_lines_are_named_in_both_versions(edit: dict[str, object]) -> None:
    target = Target(TargetKind.LINES, "3#KT", last="4#ZZ")
    assert target_of({"path": "a.py", "edits": [edit]}) == target


def test_lines_without_a_tag_go_to_the_ends_of_the_file() -> None:
    edits = [{"op": "append", "lines": ["x"]}, {"op": "prepend", "lines": "y"}]
    last, first = edits_from_data({"filePath": "a.py", "edits": edits})
    assert isinstance(last, Edit)
    assert isinstance(first, Edit)
    assert (last.at_end, last.replace) == (True, "x\n")
    assert (first.line, first.replace) == (0, "y\n")
    (refused,) = edits_from_data({"filePath": "a.py", "edits": [{"op": "replace", "lines": ["x"]}]})
    assert isinstance(refused, Malformed)


def test_a_file_may_be_deleted_or_moved_with_its_tagged_lines() -> None:
    (deleted,) = edits_from_data({"filePath": "a.py", "edits": [], "delete": True})
    assert isinstance(deleted, Edit)
    assert deleted.operation is Operation.DELETE
    edit = {"op": "replace", "pos": "3#KT", "lines": None}
    _, moved = edits_from_data({"filePath": "a.py", "edits": [edit], "rename": "b.py"})
    assert isinstance(moved, Edit)
    assert (moved.operation, moved.new_path) == (Operation.RENAME, "b.py")


@pytest.mark.parametrize(
    "edit",
    [
        {"startLine": 3, "endLine": 4, "newText": "x"},
        {"range": {"start": {"line": 3, "character": 1}, "end": {"line": 3, "character": 4}}, "newText": "x"},
    ],
)
def test_lines_and_columns_alone_are_no_place(edit: dict[str, object]) -> None:
    (refused,) = edits_from_data({"filePath": "a.py", "edits": [edit]})
    assert isinstance(refused, Malformed)
    assert "nothing shows" in refused.message


def test_a_symbol_of_a_tool_that_is_not_named_is_refused() -> None:
    arguments = {"name_path": "A/f", "relative_path": "a.py", "body": "def f(): pass"}
    (refused,) = edits_from_data(arguments)
    assert isinstance(refused, Malformed)
    for name in ("replace_symbol_body", "mcp__serena__replace_symbol_body", "serena_replace_symbol_body"):
        assert target_of({"name": name, "arguments": arguments}) == Target(TargetKind.DEFINITION, "A/f")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        (
            "mcp__serena__replace_symbol_body",
            {"name_path": "A/f", "relative_path": "a.py", "body": "def f():\n  x"},
        ),
        ("NotebookEdit", {"notebook_path": "a.ipynb", "cell_id": "ab", "new_source": "  x\n\n  y"}),
        ("replace_content", {"relative_path": "a.py", "needle": " x", "repl": " y ", "mode": "literal"}),
    ],
)
def test_a_call_in_tags_is_the_call_in_json(name: str, arguments: dict[str, str]) -> None:
    parameters = "".join(f'<parameter name="{key}">{value}</parameter>\n' for key, value in arguments.items())
    (tagged,) = parse_edits(f'<invoke name="{name}">\n{parameters}</invoke>\n')
    (given,) = edits_from_data({"name": name, "arguments": arguments})
    assert isinstance(tagged, Edit), tagged
    assert isinstance(given, Edit), given
    assert replace(tagged, span=(0, 0)) == given


def test_a_regular_expression_is_not_looked_for() -> None:
    arguments = {"relative_path": "a.py", "needle": "a.*b", "repl": "c", "mode": "regex"}
    (refused,) = edits_from_data({"name": "replace_content", "arguments": arguments})
    assert isinstance(refused, Malformed)
    assert "regular expression" in refused.message
