"""Python: the verdict is that of its own parser, and newer syntax is not judged."""

from __future__ import annotations

import ast
import sys
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchpoint.structure.parse import TextBefore, Verdict, judge

LINES = (
    "value = 1",
    "call(value)",
    "if value:\n{indent}    pass",
    "value = (1,\n{indent}    2)",
    'text = "x" * 9',
)
BROKEN = ("call(value", "def (", "if value", "  value = 1", "class Other:", "else:", "return", ")")


def parses(text: str) -> bool:
    return judge("app.py", text).verdict is Verdict.PARSES


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


@pytest.mark.parametrize(
    "newer",
    [
        "type Name = str\n",
        "def first[T](items: list[T]) -> T:\n    return items[0]\n",
        "class Box[T]:\n    pass\n",
    ],
)
def test_syntax_that_came_after_this_python_is_no_error(newer: str) -> None:
    before = "value = 1\n"
    assert judge("app.py", newer).verdict is (
        Verdict.PARSES if sys.version_info >= (3, 12) else Verdict.UNJUDGED
    )
    assert TextBefore("app.py", before).problem_of(before + newer) is None
    assert TextBefore("app.py", before).problem_of(before + newer + "(\n") is not None


def test_a_file_of_python_2_is_not_judged() -> None:
    before = "print 'hello'\n"
    assert judge("old.py", before).verdict is Verdict.BROKEN
    assert TextBefore("old.py", before).problem_of(before + "(((\n") is None


def parsers_problem(text: str) -> tuple[int, int, str] | None:
    """Return what the parser says of a text that is short and not deep."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except SyntaxError as error:
            return max(1, error.lineno or 1), max(1, error.offset or 1), error.msg
    return None


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    global x\n",
        "nonlocal x\n",
        "def f():\n    def g():\n        nonlocal x\n",
        "def f(a, a):\n    pass\n",
        "def f():\n    x = 1\n    global x\n",
        "def f():\n    from m import *\n",
        "class A:\n    x = [(y := 1) for y in z]\n",
        "from __future__ import braces\n",
        "return\n",
    ],
)
def test_what_only_a_compiler_refuses_parses(text: str) -> None:
    assert parsers_problem(text) is None
    assert judge("app.py", text).verdict is Verdict.PARSES


@settings(max_examples=80, deadline=None)
@given(programs(), st.data())
def test_the_verdict_and_the_place_are_the_parsers(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    new = data.draw(
        st.sampled_from([*BROKEN, "\n", "\t", " ", "'", '"""', "global x\n", "nonlocal x\n", "\\"])
    )
    text = text[:at] + new + text[at + data.draw(st.integers(0, 3)) :]
    found = judge("app.py", text).problem
    assert (found and (found.line, found.column, found.message)) == parsers_problem(text)
