"""The definitions of a text are read from the tree of its grammar."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from patchpoint.structure.lazy.definition import UnmergedError
from patchpoint.structure.lazy.merge import merge_shown
from patchpoint.structure.lazy.outline import by_grammar
from patchpoint.structure.lazy.outline.by_grammar import changed_names, outline, outline_of_file
from patchpoint.structure.lazy.outline.names import defined_name
from patchpoint.structure.lazy.syntax import syntaxes_of


def test_a_name_is_that_of_the_definition_itself_in_a_text_of_several_chunks() -> None:
    # The parser is given the text in chunks of 64 KiB.
    lines = [f"def function_{number}(é, value):\n    return '{'x' * 80}'" for number in range(2000)]
    found = outline("\n".join(lines).split("\n"), syntaxes_of("a.py")[0])
    assert found is not None
    assert [each.name for each in found.children] == [f"function_{number}" for number in range(2000)]


def test_what_is_not_in_a_function_is_found_without_reading_the_functions() -> None:
    text = "class A:\n    def b():\n        def c():\n            pass\n        return c\ndef d():\n    pass"
    syntax = syntaxes_of("a.py")[0]
    whole, lasting = (outline(text.split("\n"), syntax, lasting_only=only) for only in (False, True))
    assert whole is not None
    assert lasting is not None
    assert list(whole.names()) == ["A", "A\0b", "A\0b\0c", "d"]
    assert (
        [each.name for each in lasting.members()]
        == ["A", "b", "d"]
        == [each.name for each in whole.members()]
    )
    assert list(lasting.names()) == ["A", "A\0b", "d"]


PYTHON = """import os

# of a
def a():
    return 1

class B:
    def c(self):
        text = '''
def d():
'''
        return text

    def e(self): return os

@f
def g():
    pass
    # its end

if os:
    def h():
        pass
"""
JAVASCRIPT = """import x from "x";

export function a() {
  return `
function b() {}`;
}
/* of c */
const c = {
  d() { return 1; },
};
export default class E {
  f() { return x; } // g
  h = () => { return 2; };
}
"""


@pytest.mark.parametrize(("path", "text"), [("a.py", PYTHON), ("a.js", JAVASCRIPT)])
def test_the_names_of_a_changed_text_are_those_that_all_of_it_has(path: str, text: str) -> None:
    file = tuple(text.split("\n"))
    own, parses = outline_of_file(file, path)
    assert parses
    before = Counter(own.root.names(lasting_only=True))
    new = ("", "def z():", "  return 0", "'''", "function z() { return 0; }", "/*", "*/", "`", "}", "    # z")
    parts = 0
    for start in range(len(file)):
        for end in range(start, min(start + 4, len(file))):
            for line in (None, *new):
                changed = [*file[:start], *(() if line is None else (line,)), *file[end:]]
                whole = outline(changed, own.syntax, lasting_only=True)
                found = changed_names(own, changed, parses=parses)
                assert (whole is None) is (found is None), changed
                if whole is not None and found is not None:
                    gone, added = found
                    assert gone <= before
                    assert before - gone + added == Counter(whole.names(lasting_only=True)), changed
                    parts += gone != before
    assert parts > 100


def test_a_file_is_looked_through_once_however_much_code_is_merged_into_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = 0

    def counted(*of: Any) -> str:
        nonlocal read
        read += 1
        return defined_name(*of)

    monkeypatch.setattr(by_grammar, "defined_name", counted)
    file = [line for n in range(200) for line in (f"def looked_at_{n}(a):", f"    return a + {n}", "")]
    for n in range(0, 200, 4):
        merged = merge_shown(file, [f"def looked_at_{n}(a):", f"    return a * {n}"], "a.py")
        assert merged.lines[3 * n + 1] == f"    return a * {n}"
    assert 200 <= read < 3 * 200


def test_what_is_kept_of_a_file_stays_as_it_is_when_code_is_merged_into_it() -> None:
    file = ["export const a = {", "  b() {", "    return 1;", "  },", "};"]
    kept, _ = outline_of_file(file, "a.js")
    merged = merge_shown(file, ["const a = {", "  b() {", "    return 2;", "  }", "}"], "a.js")
    assert merged.lines == ("export const a = {", "  b() {", "    return 2;", "  },", "}")
    assert outline_of_file(file, "a.js")[0] is kept
    assert kept.lines == file


@pytest.mark.parametrize("depth", [150, 1_000, 5_000])
@pytest.mark.parametrize("element", ["<div>{0}</div>", '<div id="d">{0}</div>', '<div id="d">\n{0}\n</div>'])
def test_elements_at_any_depth_are_merged_or_refused(element: str, depth: int) -> None:
    before, after = element.split("{0}")
    file = [*(before * depth).split("\n"), "x", *(after * depth).split("\n")]
    with pytest.raises(UnmergedError):
        merge_shown(file, ["<div>", "<!-- ... existing code ... -->", "<p>y</p>", "</div>"], "m.html")
