"""The names that two imports take from one module, in one list."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint.structure.import_names import with_names
from patchpoint.structure.imports import has_stray_import, imports_of, united


@pytest.mark.parametrize(
    ("own", "new", "together"),
    [
        ("from typing import Dict, List", "from typing import Any", "from typing import Any, Dict, List"),
        ("from m import b, a", "from m import c", "from m import b, a, c"),
        ("from m import (a, c)", "from m import b", "from m import (a, b, c)"),
        (
            "from m import (\n    a,\n    c,\n)",
            "from m import b",
            "from m import (\n    a,\n    b,\n    c,\n)",
        ),
        ("import { a, c } from 'm';", "import { b } from 'm'", "import { a, b, c } from 'm';"),
        ("import x, { a } from 'm';", "import x, { b } from 'm';", "import x, { a, b } from 'm';"),
        ("use a::{b, c};", "use a::{d};", "use a::{b, c, d};"),
        ("use App\\V\\{A, C};", "use App\\V\\{B};", "use App\\V\\{A, B, C};"),
        ("from m import a", "from n import b", None),
        ("from m import a as b", "from m import c as b", None),
        ("from m import *", "from m import b", None),
        ("from m import a  # noqa", "from m import b", None),
        ("import type { A } from 'm'", "import { B } from 'm'", None),
        ("import x, { a } from 'm';", "import { b } from 'm';", None),
    ],
)
def test_a_list_has_the_names_of_both(own: str, new: str, together: str | None) -> None:
    lines = with_names(own.split("\n"), new.split("\n"))
    assert lines == (together.split("\n") if together is not None else None)


NAMES = st.lists(st.sampled_from("abcdefghij"), min_size=1, unique=True)


@given(own=NAMES, new=NAMES, is_long=st.booleans())
def test_no_name_is_lost_or_there_twice(own: list[str], new: list[str], is_long: bool) -> None:
    listed = "(\n    " + ",\n    ".join(own) + ",\n)" if is_long else ", ".join(own)
    lines = united(
        f"from m import {listed}\n\nx = 1\n".split("\n"), [f"from m import {', '.join(new)}"], "a.py"
    )
    assert lines is not None
    every = ",".join(each.text.partition("import ")[2] for each in imports_of(lines, "a.py"))
    assert sorted(filter(None, re.split(r"\W+", every))) == sorted({*own, *new})
    assert lines[-3:] == ["", "x = 1", ""]


def test_an_import_is_a_stray_where_it_is_away_from_those_of_the_file() -> None:
    file = ["import a", "", "def f():", "    pass"]
    assert has_stray_import(file, [*file[:2], "import b", *file[2:]], "m.py") is False
    assert has_stray_import(file, [*file, "import b", "x = 1"], "m.py") is True
    assert has_stray_import(file[1:], [*file[1:], "import b"], "m.py") is False
