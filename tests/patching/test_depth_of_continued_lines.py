"""A replacement that begins without the depth of its line, and goes on below it."""

from __future__ import annotations

import pytest

from patchpoint import apply_edit

FILE = (
    "class A {\n    void f() {\n        if (x >= 34 && y() >= 34) {\n            go();\n        }\n    }\n}\n"
)
SEARCH = "if (x >= 34 && y() >= 34) {\n"


@pytest.mark.parametrize("deeper", [4, 6, 8, 12])
def test_what_goes_on_inside_a_bracket_is_deeper_than_the_line_it_goes_on(deeper: int) -> None:
    blanks = " " * deeper
    outcome = apply_edit(FILE, SEARCH, f"if (x >= UP\n{blanks}&& y() >= UP) {{\n", path="A.java")
    shift = deeper if deeper > 8 else 8 + deeper
    wanted = f"        if (x >= UP\n{' ' * shift}&& y() >= UP) {{\n"
    assert outcome.text == FILE.replace(f"        {SEARCH}", wanted)


def test_a_statement_of_its_own_is_as_deep_as_it_was_written() -> None:
    outcome = apply_edit(FILE, "go();\n", "go();\n            stop();\n", path="A.java")
    assert outcome.text == FILE.replace("go();\n", "go();\n            stop();\n")


def test_an_import_goes_above_the_comment_of_the_first_class() -> None:
    from patchpoint.structure.imports import with_first_imports

    file = ["/**", " * What it is.", " */", "export class A {", "}"]
    lines = with_first_imports(file, ["import { b } from './b'"], "a.ts")
    assert lines == ["import { b } from './b'", "", *file]
