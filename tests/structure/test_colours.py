"""What the parts of a line of code are."""

from __future__ import annotations

import pytest

from patchpoint.structure.colours import coloured_lines


@pytest.mark.parametrize(
    ("path", "text", "wanted"),
    [
        ("a.py", "def größe():  # ü\n", [("def", "keyword"), ("größe", "function"), ("# ü", "comment")]),
        ("a.py", "return 'x'\n", [("return", "keyword"), ("'x'", "string")]),
        ("a.go", "func f() {}\n", [("func", "keyword")]),
        ("a.rs", "fn f() -> u8 { 1 }\n", [("fn", "keyword")]),
        ("a.js", "const a = 'b'\n", [("const", "keyword"), ("'b'", "string")]),
    ],
)
def test_each_part_has_its_kind(path: str, text: str, wanted: list[tuple[str, str]]) -> None:
    found = coloured_lines(text, path, [(0, 1)])
    shown = [(text[start:end], kind) for (start, end), kind in found[0]]
    assert [part for part in wanted if part not in shown] == []


def test_only_the_lines_that_are_asked_for_have_parts() -> None:
    text = "x = 1\n" * 9
    assert sorted(coloured_lines(text, "a.py", [(1, 3), (6, 7)])) == [1, 2, 6]


@pytest.mark.parametrize("path", ["a.txt", "a.swift", "no suffix"])
def test_what_has_no_grammar_or_no_query_has_no_parts(path: str) -> None:
    assert coloured_lines("let x = 1\n", path, [(0, 1)]) == {}


def test_what_is_too_long_or_broken_raises_nothing() -> None:
    assert coloured_lines("x = 1\n" * 60_000, "a.py", [(0, 9)]) == {}
    coloured_lines("def (((\n" * 50, "a.py", [(0, 9)])
    coloured_lines("", "a.py", [(0, 9)])
