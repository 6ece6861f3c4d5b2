"""A configuration file keeps every character that is not ours, while an item is added and taken out again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint.hooks.setup.json_edit import JSON, has_container, items_at, with_item, without_items
from patchpoint.structure.json.scan import JsonError, Shape, Value, scan

OURS: JSON = {"matcher": "Bash", "hooks": [{"type": "command", "command": "patchpoint hook claude"}]}
PATH = ("hooks", "PreToolUse")

KEYS = st.sampled_from(["a", "hooks", "PreToolUse", "Stop", "env", 'q"uote', "ü"])
PLAIN = (
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["", "x", "//", "/*", "a\\n,b", "]}"])
)
TREE = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)
HOOKS = st.dictionaries(
    st.sampled_from(["PreToolUse", "Stop"]), st.lists(TREE, min_size=1, max_size=3), max_size=2
)
DOCUMENTS = st.tuples(st.dictionaries(KEYS, TREE, max_size=3), st.none() | HOOKS).map(
    lambda both: {**{key: value for key, value in both[0].items() if key != "hooks"},
                  **({"hooks": both[1]} if both[1] is not None else {})}
)  # fmt: skip
INDENTS = st.sampled_from([None, 2, 4, "\t", " "])


def written(data: Any, indent: Any, newline: str, end: str, blanks: list[str]) -> str:
    """`data` as somebody may have written it: with this indent and with comments between the lines."""
    text = json.dumps(data, indent=indent, ensure_ascii=False)
    lines = text.split("\n")
    if len(lines) > 2:
        for number, blank in enumerate(blanks):
            at = 1 + number * (len(lines) - 2) // len(blanks)
            lines[at] += blank
    return newline.join(lines) + end


def is_ours(value: Value) -> bool:
    return value.text_of("matcher") == "Bash"


def plain(value: Value) -> Any:
    if value.shape is Shape.OBJECT:
        return {member.key: plain(member.value) for member in value.members}
    return [plain(item) for item in value.items] if value.shape is Shape.LIST else value.scalar


TEXTS = st.builds(
    written,
    DOCUMENTS,
    INDENTS,
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n", "\n\n"]),
    st.lists(st.sampled_from(["", " // note, {", " /* [ */", "\n", "\n\n// alone\n"]), max_size=3),
)


@given(DOCUMENTS, INDENTS)
def test_a_text_is_read_as_json_reads_it(data: Any, indent: Any) -> None:
    text = json.dumps(data, indent=indent)
    assert plain(scan(text)) == data
    assert all(text[member.start] == '"' for member in scan(text).members)


@given(TEXTS)
def test_an_item_is_added_to_all_that_there_is_and_nothing_else_changes(text: str) -> None:
    before = plain(scan(text))
    after = plain(scan(with_item(text, PATH, OURS)))
    hooks = dict(before.get("hooks", {}))
    hooks["PreToolUse"] = [*hooks.get("PreToolUse", []), OURS]
    assert after == {**before, "hooks": hooks}
    assert list(after)[: len(before)] == list(before)


@given(TEXTS)
def test_what_was_added_is_taken_out_to_the_byte(text: str) -> None:
    created = 2 - has_container(text, PATH[:1]) - has_container(text, PATH)
    added = with_item(text, PATH, OURS)
    assert without_items(added, PATH, is_ours, created) == text


@given(TEXTS, st.integers(0, 3), TREE)
def test_what_others_added_in_between_stays(text: str, times: int, item: Any) -> None:
    added = with_item(text, PATH, OURS)
    for _ in range(times):
        added = with_item(added, PATH, item)
    expected = plain(scan(text))
    if times or "PreToolUse" in expected.get("hooks", {}):
        hooks = dict(expected.get("hooks", {}))
        hooks["PreToolUse"] = [*hooks.get("PreToolUse", []), *[item] * times]
        expected = {**expected, "hooks": hooks}
    created = 2 - has_container(text, PATH[:1]) - has_container(text, PATH)
    left = plain(scan(without_items(added, PATH, is_ours, created)))
    assert left == expected


@given(st.text(st.sampled_from('{}[]",:/*\\ \n1ae')))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        value = scan(text)
    except JsonError:
        return
    assert 0 <= value.start < value.end <= len(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[]", "the whole is a list, not an object"),
        ('{"hooks": []}', "`hooks` is a list, not an object"),
        ('{"hooks": {"PreToolUse": {}}}', "`hooks.PreToolUse` is an object, not a list"),
        ('{"hooks": ', "line 1"),
        ("[" * 5000, "nested too deeply"),
        ('{"a": 1 "b": 2}', "expected a comma or }"),
    ],
)
def test_what_cannot_be_edited_is_refused_with_the_reason(text: str, problem: str) -> None:
    with pytest.raises(JsonError) as caught:
        with_item(text, PATH, OURS)
    assert problem in str(caught.value)


def test_what_is_added_looks_like_the_rest() -> None:
    text = '{\n    "env": {}, // mine\n    "hooks": {\n        "Stop": [{"x": 1}],\n    },\n}\n'
    assert with_item(text, ("hooks", "Stop"), "y") == text.replace('{"x": 1}]', '{"x": 1}, "y"]')
    added = with_item(text, ("hooks", "Start"), ["y"])
    assert added == text.replace(
        '"Stop": [{"x": 1}],\n',
        '"Stop": [{"x": 1}],\n        "Start": [\n'
        '            [\n                "y"\n            ]\n        ],\n',
    )  # fmt: skip
    assert with_item("", ("hooks", "Stop"), 1) == '{\n  "hooks": {\n    "Stop": [\n      1\n    ]\n  }\n}'
    assert items_at("", PATH) == ()
