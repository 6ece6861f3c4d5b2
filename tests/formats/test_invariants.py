"""What holds for every text: it is read without an exception, and nothing of it is lost."""

from __future__ import annotations

import json

import pytest
from hypothesis import example as also
from hypothesis import given, settings
from hypothesis import strategies as st

from patchpoint.edit import Edit, Malformed
from patchpoint.formats import FORMAT_NAMES, Item, edits_from_data, parse_edits, read_answer
from tests.formats.examples import Example, examples
from tests.sampling import tries

_PIECES = [
    *("<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE", "<<< search", "------- SEARCH", "+++++++ REPLACE"),
    *(
        "<<<<<<< BEFORE",
        ">>>>>>> AFTER",
        "<<<<<<< HEAD",
        ">>>>>>> topic",
        "&lt;&lt;&lt;&lt;&lt;&lt;&lt; SEARCH",
    ),
    *(
        ":start_line: 3",
        ":end_line: 4",
        "-------",
        "\\=======",
        "src/a.py",
        "**b.py**",
        "### `c.py`",
        "d.py:",
    ),
    *("```", "```python", "```py x.py", "````", "~~~", "```diff", "> ", "    ", "- item", "..."),
    *(
        "*** Begin Patch",
        "*** End Patch",
        "*** Add File: n.py",
        "*** Update File: a.py",
        "*** Delete File: a.py",
    ),
    *(
        "*** Move to: b.py",
        "*** End of File",
        "*** Odd File: x",
        "@@",
        "@@ class A:",
        "@@ -1,2 +3,4 @@",
        "@@ ... @@",
    ),
    *(
        "diff --git a/x b/x",
        "--- a/x",
        "+++ b/x",
        "--- /dev/null",
        "+++ /dev/null",
        "rename from x",
        "rename to y",
    ),
    *(
        "new file mode 100755",
        "old mode 100644",
        "new mode 100644",
        "deleted file mode 1",
        "Binary files a and b",
    ),
    *("\\ No newline at end of file", "-- ", "2.39.0", "+new", "-old", " same", "+", "-", " ", ""),
    *(
        "cd src && apply_patch <<'EOF'",
        "EOF",
        "apply_patch '*** Begin Patch",
        "apply_patch <<EOF | sh",
        "<<EOF",
    ),
    *(
        '{"path": "a.py", "old_string": "x", "new_string": "y"}',
        '{"path": "a.py", "edits": [',
        "]}",
        "{",
        "[",
        '"',
    ),
    *(
        '["bash", "-lc", "apply_patch <<E\\n*** Begin Patch\\nE"]',
        '{"old_str": "x\\n", "new',
        "{'path': 'a',}",
    ),
    *(
        '<invoke name="Edit">',
        '<parameter name="path">a.py</parameter>',
        "</invoke>",
        "<function=Edit>",
        "<edits>",
    ),
    *(
        "<old_text>",
        "</old_text>",
        "<new_text line=3>",
        "</new_text>",
        "<write_to_file>",
        "<path>a</path>",
        "<diff>",
    ),
    *("cat > a.txt <<'EOF'", "cat <<EOF", "tee a.txt <<-E", "sed -i s/a/b/ a.txt", "```bash", "#!/bin/sh"),
    *(
        "\x1b[31m-old\x1b[m",
        "\x1b[32m+\x1b[m\x1b[32mnew\x1b[m",
        "\x1b[1m--- a/x\x1b[m",
        "\x1b[35m",
        "-- x",
        "+- y",
    ),
    *("<apply_diff>", "<args>", "<file>", "<file><path>a</path><diff>", "</edits>"),
    *(
        '{"payload": {"name": "apply_patch", "input": "*** Begin Patch\\n',
        '{"functionCall": {"name": "edit", "args": {"path": "a", "old": "x", "new": "y"}}}',
        '{"name_path": "A/f", "relative_path": "a.py", "body": "def f(): 1"}',
        '{"changes": {"file:///a": [{"range": {}, "newText": "x"}]}}',
    ),
    *(
        "Here is the complete `x.py`:",
        "Create `y.py`:",
        "\x00",
        "\ufeff",
        "\u2028",
        "# ... existing code ...",
        "\f",
    ),
]
_LINES = st.one_of(st.sampled_from(_PIECES), st.text(max_size=20))
_ENDINGS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", "\n\n", ""])
_MARGINS = st.sampled_from(["", "", "", "  ", "\t", "> ", ">> "])


@st.composite
def _answers(draw: st.DrawFn) -> str:
    lines = draw(st.lists(st.tuples(_MARGINS, _LINES, _ENDINGS), max_size=25))
    return "".join(part for line in lines for part in line)


def _check(text: str, wanted: str) -> None:
    answer = read_answer(text, wanted, path="given.py" if len(text) % 2 else "")
    spans = sorted((*(item.span for item in answer.items), *answer.prose))
    reached = 0
    for start, end in spans:
        assert start == reached, "every character belongs to one item or to prose"
        assert start <= end <= len(text)
        reached = end
    assert reached == len(text)
    for item in answer.items:
        if isinstance(item, Malformed):
            assert item.message.startswith(f"Line {item.line}: ")
            assert 1 <= item.line <= max(1, text.count("\n") + text.count("\r") + 1)
        else:
            assert item.path, "an edit names its file"


_DIFF = """```diff
--- src/greet.py
+++ src/greet.py
@@ ... @@
-    print('Hello ' + name)
+    print(f'Hello {name}')
"""


@given(_answers(), st.sampled_from(FORMAT_NAMES))
@settings(max_examples=tries(200), deadline=None)
@also("*** Begin Patch", "auto")
@also("@@\n+a", "auto")
@also("<old_text>", "auto")
@also(f"{_DIFF}\n--- list.txt\n+++ ", "auto")
@also(f"{_DIFF}\n--- \n+++ \n@@\n-a\n+b\n", "unifiedDiff")
def test_any_text_is_read_and_nothing_of_it_is_lost(text: str, wanted: str) -> None:
    _check(text, wanted)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "".join(f"{' ' * n}--- a\n{' ' * n}+++ b\n" for n in range(1500)),
        "".join(f"{'> ' * n}<<<<<<< SEARCH\n" for n in range(1500)),
        '{"path": "a", "edits": ' * 3000,
        "{'path': 'a', 'edits': " + "[" * 3000 + "]" * 3000 + "}",
        '["path", ' * 3000,
        "<<<<<<< SEARCH\n" * 3000 + ">>>>>>> REPLACE\n" * 3000,
        "".join("`" * n + "py a.py\n" for n in range(3, 1000)),
    ],
    ids=("indentations", "quotes", "objects", "broken lists", "lists", "blocks", "fences"),
)
def test_things_inside_things_a_thousand_deep_are_read(text: str) -> None:
    _check(text, "auto")


@pytest.mark.slow
@given(st.data())
@settings(max_examples=tries(80), deadline=None)
def test_an_answer_cut_off_anywhere_is_read(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(examples())).answer
    _check(text[: data.draw(st.integers(0, len(text)))], "auto")


@pytest.mark.slow
@given(st.data())
@settings(max_examples=tries(80), deadline=None)
def test_an_answer_with_a_line_too_many_or_too_few_is_read(data: st.DataObject) -> None:
    lines = data.draw(st.sampled_from(examples())).answer.splitlines(keepends=True)
    at = data.draw(st.integers(0, max(len(lines) - 1, 0)))
    lines[at : at + data.draw(st.integers(0, 1))] = data.draw(st.lists(_LINES.map("{}\n".format), max_size=2))
    _check("".join(lines), "auto")


_KEY_NAMES = """
path file_path old_string new_str search replace edits command operation insert_line content before
after modified name arguments input diff line occurrence scope replace_all new_path uri type payload
edit changes patch op pos end lines cell_id cell_number new_source edit_mode name_path body deleted
range newText oldText kind documentChanges textDocument edits mode rename delete is_new_cell
set_line anchor
"""
_KEYS = st.sampled_from(_KEY_NAMES.split())
_VALUES = st.recursive(
    st.one_of(
        *(st.none(), st.booleans(), st.integers(-2, 5), st.text(max_size=8), _LINES),
        st.sampled_from(["insert", "create", "rename", "delete", "view", "write", '{"path": "a"}', "[]"]),
        st.sampled_from(["replace", "append", "1#KT", "diff", "modify", "replace_symbol_body", "file:///a"]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_KEYS, inner, max_size=5)),
    max_leaves=12,
)


@given(_VALUES)
@settings(max_examples=tries(150), deadline=None)
def test_any_data_is_read(value: object) -> None:
    for item in edits_from_data(value):
        assert isinstance(item, Malformed) or (item.path and item.span == (0, 0))
    _check(json.dumps(value), "auto")
    _check(json.dumps(value, indent=1), "toolCall")


@pytest.mark.parametrize("number", ["0\x1f", " 7 ", "9" * 5000, "²", ""])
def test_a_text_for_a_number_is_read(number: str) -> None:
    call = {"path": "a.py", "command": "insert", "insert_line": number, "new_str": "x"}
    assert edits_from_data(call)


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_quoting_an_answer_changes_nothing_that_it_asks_for(example: Example) -> None:
    text = example.answer.replace("\r\n", "\n")
    quoted = "".join(f"> {line}" for line in text.splitlines(keepends=True))
    assert _asked(parse_edits(quoted)) == _asked(parse_edits(text))


def _asked(items: list[Item]) -> list[tuple[object, ...]]:
    edits = [item for item in items if isinstance(item, Edit)]
    return [(edit.operation, edit.path, edit.search, edit.replace, edit.content) for edit in edits]
