"""Tags that call no known tool, texts in tags that are escaped, and lines that are only named by numbers."""

from __future__ import annotations

import json

import pytest

from patchpoint.api import apply_edits
from patchpoint.edit import Edit
from patchpoint.formats import parse_edits

PAIR = "<search>\n    return 1\n</search>\n<replace>\n    return 3\n</replace>\n"


@pytest.mark.parametrize(
    "call",
    [
        f'<edit file="a.py">\n{PAIR}</edit>',
        f"<edit path='a.py' reason='clearer'>\n{PAIR}</edit>",
        '<create_file path="b.txt">\nfirst\n\nlast\n</create_file>\n',
        '<delete_file path="b.txt"/>\n',
        f'<edit file="a.py">\n{PAIR[:-12]}',
    ],
)
def test_a_tag_of_a_tool_with_the_path_as_an_attribute_is_refused(call: str) -> None:
    (refused,) = parse_edits(f"I return something else:\n\n{call}\n\nThat is all.\n")
    assert not isinstance(refused, Edit)
    assert "no known tool" in refused.message


@pytest.mark.parametrize(
    "text",
    [
        '<action name="save" path="/save">Save</action>',
        '<file path="a.py">see there',
        '<route path="/users">\n<name>users</name>\n</route>',
        "<tool>\n<name>hammer</name>\n<path>garage</path>\n</tool>",
        f'<read_file path="a.py">\n{PAIR}</read_file>'.replace("search", "lines").replace("replace", "more"),
    ],
)
def test_a_page_is_no_call(text: str) -> None:
    assert not parse_edits(f"So it is:\n\n{text}\n")


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


@pytest.mark.parametrize(
    "place",
    [{"start_line": 3, "end_line": 4}, {"startLine": 3, "endLine": 4}, {"first_line": "3", "last_line": "4"}],
)
@pytest.mark.parametrize("key", ["content", "replacement", "new_code"])
def test_lines_that_are_only_named_by_numbers_are_refused(place: dict[str, object], key: str) -> None:
    call = {"action": "edit", "file": "P.java", **place, key: "x = 1;\n"}
    (refused,) = parse_edits(f"```json\n{json.dumps(call)}\n```\n")
    assert not isinstance(refused, Edit)
    assert "numbers" in refused.message


@pytest.mark.parametrize("key", ["lines", "line_range"])
def test_a_range_of_lines_is_none_of_the_whole_file(key: str) -> None:
    for place in ("3-4", [3, 4]):
        call = {"name": "edit_file", "arguments": {"path": "a.py", key: place, "content": "x = 1\n"}}
        assert not any(isinstance(item, Edit) for item in parse_edits(json.dumps(call)))
