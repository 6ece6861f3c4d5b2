"""Calls in tags that no tool writes and models do: what is read of them, and that it is only proposed."""

from __future__ import annotations

import json

import pytest

from patchpoint.api import apply_edits
from patchpoint.edit import Edit, Operation
from patchpoint.formats import parse_edits

OLD, NEW = "    return 1\n", "    return 3\n"
FILES = {"a.py": "def f():\n    return 1\n\n\ndef g():\n    return 2\n"}

NAMED = "<tool_call>\n<name>str_replace</name>\n<path>a.py</path>\n{}</tool_call>"
TEXTS = "<old_str>\n    return 1\n</old_str>\n<new_str>\n    return 3\n</new_str>\n"
PAIR = "<search>\n    return 1\n</search>\n<replace>\n    return 3\n</replace>\n"


@pytest.mark.parametrize(
    "call",
    [
        NAMED.format(TEXTS),
        NAMED.format(f"<arguments>\n{TEXTS}</arguments>\n"),
        f"<tool_use>\n<tool_name>Edit</tool_name>\n<input>\n<path>a.py</path>\n{TEXTS}</input>\n</tool_use>",
        '<tool_call>\n<name>edit</name>\n<arguments>{"path": "a.py", "old_string": "    return 1\\n", '
        '"new_string": "    return 3\\n"}</arguments>\n</tool_call>',
        '<function_call name="edit_file">\n<parameter name="path">a.py</parameter>\n'
        f'<parameter name="old_string">\n{OLD}</parameter>\n'
        f'<parameter name="new_string">\n{NEW}</parameter>\n'
        "</function_call>",
        f'<edit file="a.py">\n{PAIR}</edit>',
        f"<edit path='a.py' reason='clearer'>\n{PAIR}</edit>",
        f'<file path="a.py">\n<!-- the first function -->\n<edit>\n{PAIR}</edit>\n</file>',
        f'<change path="a.py">\n<before>\n{OLD}</before>\n<after>\n{NEW}</after>\n</change>',
        f'<replace file="a.py">\n<old><![CDATA[\n{OLD}]]></old>\n<new><![CDATA[\n{NEW}]]></new>\n</replace>',
    ],
)
def test_each_tag_is_an_argument_and_so_is_each_attribute(call: str) -> None:
    (edit,) = parse_edits(f"I return something else:\n\n{call}\n\nThat is all.\n")
    assert isinstance(edit, Edit)
    assert (edit.path, edit.search, edit.replace) == ("a.py", OLD, NEW)
    assert edit.doubt


@pytest.mark.parametrize(
    "call",
    [
        '<edit file="a.py">\n{0}{1}</edit>',
        "<edit>\n<path>a.py</path>\n{0}{1}</edit>",
        '<file path="a.py">\n<edit>\n{0}</edit>\n<edit>\n{1}</edit>\n</file>',
        '<edits>\n<edit file="a.py">\n{0}</edit>\n<edit file="a.py">\n{1}</edit>\n</edits>',
    ],
)
def test_none_of_several_edits_of_a_file_is_lost(call: str) -> None:
    other = PAIR.replace("1", "2").replace("3", "4")
    answer = call.format(PAIR, other)
    assert apply_edits(FILES, answer).files == FILES
    made = apply_edits(FILES, answer, accept="all").files["a.py"]
    assert made == "def f():\n    return 3\n\n\ndef g():\n    return 4\n"


def test_a_tag_may_have_the_text_of_a_new_file() -> None:
    for tag in ("create_file", "new_file", "file"):
        (edit,) = parse_edits(f'<{tag} path="b.txt">\nfirst\n\nlast\n</{tag}>\n')
        assert isinstance(edit, Edit)
        assert (edit.path, edit.content) == ("b.txt", "first\n\nlast\n")
        assert edit.doubt
    (gone,) = parse_edits('<delete_file path="b.txt"/>\n')
    assert isinstance(gone, Edit)
    assert gone.operation is Operation.DELETE


@pytest.mark.parametrize(
    "text",
    [
        '<action name="save" path="/save">Save</action>',
        '<file path="a.py">see there',
        '<edit file="a.py">Please look at the second line.</edit>',
        '<route path="/users">\n<name>users</name>\n</route>',
        "<tool>\n<name>hammer</name>\n<path>garage</path>\n</tool>",
        f'<read_file path="a.py">\n{PAIR}</read_file>'.replace("search", "lines").replace("replace", "more"),
        f'<edit file="a.py">\nFirst this:\n{PAIR}</edit>',
    ],
)
def test_a_page_is_no_call(text: str) -> None:
    assert not [item for item in parse_edits(f"So it is:\n\n{text}\n") if isinstance(item, Edit)]


def test_a_call_that_is_cut_off_is_refused() -> None:
    (refused,) = parse_edits(f'<edit file="a.py">\n{PAIR[:-12]}')
    assert not isinstance(refused, Edit)
    assert "cut off" in refused.message


TAGS = "<edit>\n<path>{}</path>\n<old_str>{}</old_str>\n<new_str>{}</new_str>\n</edit>\n"


@pytest.mark.parametrize(
    ("path", "old", "escaped", "meant"),
    [
        ("a.cpp", "int a;", "int a;\nstd::vector&lt;int&gt; b;", "int a;\nstd::vector<int> b;"),
        ("A.java", "int a;", "List&lt;String&gt; b;", "List<String> b;"),
        ("a.rs", "f(x);", "f(&amp;x);", "f(&x);"),
        ("a.py", "x = 1", "if x &lt; 1 and y:\n    x = &quot;&quot;", 'if x < 1 and y:\n    x = ""'),
    ],
)
def test_a_new_text_that_is_escaped_as_in_xml_is_not_written_so(
    path: str, old: str, escaped: str, meant: str
) -> None:
    files = {path: f"{old}\n"}
    answer = TAGS.format(path, old, escaped)
    assert apply_edits(files, answer).files == files
    assert apply_edits(files, answer, accept="all").files[path] == f"{meant}\n"


@pytest.mark.parametrize(
    ("path", "new"),
    [
        ("a.js", 'text = "a &lt; b";'),
        ("a.js", "text = a < b ? `&lt;` : c;"),
        ("a.html", "a &lt; b"),
        ("a.md", "Write `&lt;b&gt;` for that."),
        ("a.c", "a = b && c; // &lt;"),
    ],
)
def test_an_entity_that_may_be_meant_stays(path: str, new: str) -> None:
    assert apply_edits({path: "old\n"}, TAGS.format(path, "old", new)).files[path] == f"{new}\n"


METHOD = '    void back() {\n        store.save(item);\n        log.info("returned", item);\n    }\n'
CHANGED = '        store.save(item);\n        log.info("returned: {}", item, why);\n'


@pytest.mark.parametrize(
    "place",
    [
        {"start_line": 3, "end_line": 4},
        {"startLine": 3, "endLine": 4},
        {"line_range": [3, 4]},
        {"lines": "3-4"},
        {"first_line": "3", "last_line": "4"},
    ],
)
@pytest.mark.parametrize("key", ["content", "replacement", "new_code"])
def test_lines_named_by_numbers_are_proposed_where_they_are_like_the_new_ones(
    place: dict[str, object], key: str
) -> None:
    files = {"P.java": f"class P {{\n{METHOD}\n    void other() {{\n        log.info(1);\n    }}\n}}\n"}
    call = {"action": "edit", "file": "P.java", **place, key: CHANGED}
    answer = f"```json\n{json.dumps(call)}\n```\n"
    assert apply_edits(files, answer).files == files
    made = apply_edits(files, answer, accept="all").files["P.java"]
    old = '        log.info("returned", item);\n'
    assert made == files["P.java"].replace(old, CHANGED.splitlines(keepends=True)[1])


def test_numbers_of_other_lines_are_no_place() -> None:
    files = {"P.java": f"class P {{\n{METHOD}\n    void other() {{\n        log.info(1);\n    }}\n}}\n"}
    for first, last, action in ((1, 2, "edit"), (6, 8, "edit"), (40, 41, "edit"), (3, 4, "insert")):
        call = {"action": action, "file": "P.java", "start_line": first, "end_line": last, "content": CHANGED}
        assert apply_edits(files, f"```json\n{json.dumps(call)}\n```\n", accept="all").files == files
