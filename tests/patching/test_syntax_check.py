"""Whether a change breaks the syntax of a file: the quick check agrees with parsing all of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchpoint.patching.syntax_check import no_longer_parses, parses_as_python

LINES = (
    "value = 1",
    "call(value)",
    "if value:\n{indent}    pass",
    "value = (1,\n{indent}    2)",
    'text = "x" * 9',
)
BROKEN = ("call(value", "def (", "if value", "  value = 1", "class Other:", "else:", "return", ")")


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Functions and classes with methods, short ones and ones of several thousand characters."""
    parts: list[str] = []
    for number in range(draw(st.integers(1, 4))):
        length = draw(st.sampled_from([1, 3, 40, 400]))
        indent = "    "
        if draw(st.booleans()):
            parts.append(f"class Thing{number}:\n    def method(self):\n")
            indent = "        "
        else:
            parts.append(f"def function{number}():\n")
        for _ in range(length):
            parts.append(indent + draw(st.sampled_from(LINES)).format(indent=indent) + "\n")
    return "".join(parts)


@settings(max_examples=60, deadline=None)
@given(programs(), st.data())
def test_the_result_is_that_of_parsing_the_whole_file(before: str, data: st.DataObject) -> None:
    lines = before.splitlines(keepends=True)
    number = data.draw(st.integers(0, len(lines) - 1))
    new = data.draw(st.sampled_from([*BROKEN, "pass", "value = 2", lines[number].strip()]))
    depth = data.draw(st.sampled_from([len(lines[number]) - len(lines[number].lstrip()), 0, 4]))
    start = sum(map(len, lines[:number]))
    changed = (start, start + len(lines[number]))
    after = before[: changed[0]] + " " * depth + new + "\n" + before[changed[1] :]
    assert no_longer_parses(before, after, changed, "app.py") == (
        parses_as_python(before) and not parses_as_python(after)
    )


@pytest.mark.parametrize(
    ("path", "sound", "broken"), [("a.py", "x = 1\n", "x = (\n"), ("a.json", "[1]", "[1")]
)
def test_a_byte_order_mark_does_not_keep_a_text_from_being_judged(path: str, sound: str, broken: str) -> None:
    assert no_longer_parses("\ufeff" + sound, "\ufeff" + broken, (1, 1 + len(sound)), path)
    assert not no_longer_parses("\ufeff" + sound, "\ufeff" + sound, (1, 1), path)
