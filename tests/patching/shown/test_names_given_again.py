"""A name that shown code gives a value twice has both lines, as they are shown."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

FILES = {
    "a.py": "def f(s):\n    s = s.strip()\n    return s\n\n\ndef g():\n    return 1\n",
    "b.py": "class B:\n    def f(self, q):\n        self.q = q.filter(1)\n        return self.q\n",
    "a.js": "function f(s) {\n  s = s.trim();\n  return s;\n}\n\nfunction g() {\n  return 1;\n}\n",
}
NEW = {
    "a.py": "    s = s.lower()\n",
    "b.py": "        self.q = self.q.order(2)\n",
    "a.js": "  s = 'x' + s;\n",
}


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize("lead", ["Update `f` in `{}`:", "**{}**", "Ersetze `f` in `{}` durch:"])
def test_a_second_value_is_below_the_first_one(path: str, lead: str) -> None:
    lines = FILES[path].splitlines(keepends=True)
    at = next(row for row, line in enumerate(lines) if " = " in line) + 1
    changed = [*lines[:at], NEW[path], *lines[at:]]
    end = at + (3 if path == "a.js" else 2)
    answer = f"{lead.format(path)}\n\n```\n{''.join(changed[:end])}```\n"
    assert apply_edits({path: FILES[path]}, answer).files == {path: "".join(changed)}


def test_the_same_line_twice_between_marks_adds_no_second_one() -> None:
    calls = "    token = lexer.read()\n    check(token, 1)\n    token = lexer.read()\n    check(token, 2)\n"
    file = f"def test(text):\n    lexer = Lexer(text)\n{calls}\n\ndef other():\n    return 1\n"
    call = "    token = lexer.read()\n"
    code = f"def test(text):\n    # ...\n    lexer = Lexer(text)\n{call}{call}    # ...\n"
    report = apply_edits({"a.py": file}, f"Update `a.py`:\n\n```python\n{code}```\n")
    assert report.files == {"a.py": file}
