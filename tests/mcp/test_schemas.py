"""The schemas that a model is shown describe what the tools take and return."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from patchpoint.mcp.call import Call, Reply
from patchpoint.mcp.json_schema import result_json
from patchpoint.mcp.tools.resources import content_of
from patchpoint.mcp.tools.table import TOOLS, Tool
from patchpoint.schema.decode import InvalidArgumentError

BY_NAME = {tool.name: tool for tool in TOOLS}
values = st.recursive(
    st.one_of(
        st.booleans(),
        st.integers(-2, 2000),
        st.floats(-1, 1),
        st.sampled_from(["a.txt", "replace", "auto", "all", "worktree", "0" * 64, ""]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2),
        st.dictionaries(
            st.sampled_from(["path", "search", "replace", "a.txt", "content"]), inner, max_size=4
        ),
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_the_schemas_are_schemas_that_every_revision_knows(tool: Tool) -> None:
    for schema in (tool.input_schema(), tool.output_schema()):
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        assert "$ref" not in str(schema)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_model_is_shown_what_every_parameter_means(tool: Tool) -> None:
    for name, schema in tool.input_schema()["properties"].items():
        assert schema.get("description"), name
        for key, inner in schema.get("items", {}).get("properties", {}).items():
            assert inner.get("description"), key


@given(st.sampled_from(sorted(BY_NAME)), st.data())
def test_what_the_schema_refuses_is_refused(name: str, data: st.DataObject) -> None:
    tool = BY_NAME[name]
    keys = st.sampled_from([*tool.input_schema()["properties"], "other"])
    arguments: dict[str, Any] = data.draw(st.dictionaries(keys, values, max_size=4))
    try:
        tool.decoded(arguments)
    except InvalidArgumentError:
        return
    errors = [error.message for error in Draft202012Validator(tool.input_schema()).iter_errors(arguments)]
    assert not errors


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("list_checkpoints", {"limit": 0}),
        ("list_checkpoints", {"limit": 1001}),
        ("list_checkpoints", {"limit": "5"}),
        ("list_checkpoints", {"other": 1}),
        ("preview_edits", {"text": "", "format": "none"}),
        ("preview_edits", {"edits": [{"path": "a", "operation": "burn"}]}),
        ("preview_edits", {"edits": [{"path": "a", "kind": "replace"}]}),
        ("preview_edits", {"edits": [{"path": "a", "line": 0}]}),
        ("preview_edits", {"edits": "a"}),
        ("preview_edits", {"text": "", "expected": {"a": 1}}),
        ("restore_checkpoint", {}),
        ("revert_edits", {"application": None}),
        ("undo", {"operation": 5}),
        ("list_operations", {"limit": 101}),
    ],
)
def test_what_is_refused_the_schema_refuses(name: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgumentError):
        BY_NAME[name].decoded(arguments)
    assert not Draft202012Validator(BY_NAME[name].input_schema()).is_valid(arguments)


def test_what_the_tools_return_is_what_their_schema_says(project: Path) -> None:
    def check(tool: str, arguments: dict[str, Any]) -> Reply:
        found = BY_NAME[tool]
        reply = found.run(Call(roots=(project,), may_restore=True), found.decoded(arguments))
        Draft202012Validator(found.output_schema()).validate(result_json(reply.data))
        return reply

    check("preview_edits", {"edits": [{"path": "nothing.py", "search": "a", "replace": "b"}]})
    edits = [
        {"path": "new.txt", "operation": "create", "content": "x\n"},
        {"path": "README.md", "operation": "rename", "newPath": "READ.md"},
        {"path": "till/tax.py", "operation": "delete"},
    ]
    applied: Any = check("apply_edits", {"edits": edits})
    check("revert_edits", {"application": applied.data.application})
    odd = project / "odd\udcff.txt"
    odd.write_text("x\n")
    taken: Any = check("take_checkpoint", {})
    (project / "new.txt").write_text("y\n")
    odd.unlink()
    id_ = taken.data.checkpoints[0].id
    check("list_checkpoints", {})
    compared: Any = check("diff_checkpoint", {"checkpoint": "last"})
    assert compared.data.files[1].original_uri == f"patchpoint:/checkpoint/{id_}/odd%FF.txt"
    assert content_of(Call(roots=(project,)), compared.data.files[1].original_uri).text == "x\n"
    check("restore_checkpoint", {"checkpoint": id_, "dryRun": True, "paths": ["new.txt"]})
    check("restore_checkpoint", {"checkpoint": id_, "paths": ["new.txt"]})
    check("list_operations", {})
    check("undo", {"dryRun": True})
    check("undo", {})
    check("undo", {"redo": True})
