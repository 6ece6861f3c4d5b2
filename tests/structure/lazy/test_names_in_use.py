"""A line that names what the rest of a file uses is not lost to another one that is shown in its place."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

NAMES = ["Count", "db", "x"]
MEMBERS = {
    "m.py": (
        "class A:\n    NAME = 1\n\n    def f(self):\n        return 1\n\n"
        "    def g(self):\n        return self.NAME\n",
        "class A:\n    other = {}\n\n    def f(self):\n        return self.other\n\n"
        "    # ... existing code ...\n",
    ),
    "A.java": (
        "class A {\n    private int NAME = 1;\n\n    int f() {\n        return 1;\n    }\n\n"
        "    int g() {\n        return NAME;\n    }\n}\n",
        "class A {\n    private int other = 2;\n\n    int f() {\n        return other;\n    }\n\n"
        "    // ... existing code ...\n}\n",
    ),
    "a.ts": (
        "class A {\n  NAME = 1;\n\n  f() {\n    return 1;\n  }\n\n  g() {\n    return this.NAME;\n  }\n}\n",
        "class A {\n  other = 2;\n\n  f() {\n    return this.other;\n  }\n\n  // ... existing code ...\n}\n",
    ),
    "m.c": (
        "#define NAME 1\n\nint f(void) {\n  return 1;\n}\n\nint g(void) {\n  return NAME;\n}\n",
        "#define OTHER 2\n\nint f(void) {\n  return OTHER;\n}\n",
    ),
    "m.rs": (
        "const NAME: u8 = 1;\n\nfn f() -> u8 {\n    1\n}\n\nfn g() -> u8 {\n    NAME\n}\n",
        "const OTHER: u8 = 2;\n\nfn f() -> u8 {\n    OTHER\n}\n",
    ),
}  # fmt: skip
MIXIN = "class A\n  include Comparable\n\n  def f\n    1\n  end\n\n  def g\n    2\n  end\nend\n"


def answer(path: str, code: str) -> str:
    return f"{path}\n```\n{code}```\n"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("path", MEMBERS)
def test_what_is_in_use_is_not_replaced_unasked(path: str, name: str) -> None:
    file, code = (text.replace("NAME", name) for text in MEMBERS[path])
    assert apply_edits({path: file}, answer(path, code)).files == {path: file}


def test_what_a_class_includes_is_not_replaced_unasked() -> None:
    code = "class A\n  include Enumerable\n\n  def f\n    3\n  end\n\n  # ... existing code ...\nend\n"
    assert apply_edits({"a.rb": MIXIN}, answer("a.rb", code)).files == {"a.rb": MIXIN}


@pytest.mark.parametrize("path", MEMBERS)
def test_a_new_value_is_written(path: str) -> None:
    file = MEMBERS[path][0].replace("NAME", "limit")
    code = MEMBERS[path][1].replace("other", "limit").replace("OTHER", "limit")
    after = apply_edits({path: file}, answer(path, code)).files[path] or ""
    assert after != file
    assert code.splitlines()[1] in after
