"""Diffs as they are copied from a terminal: their colours are no part of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from patchpoint.edit import Edit, Malformed
from patchpoint.formats import parse_edits
from tests.formats.examples import Example, examples

DIFFS = [example for example in examples() if example.name.startswith("unified-diff")]
SIGNS = {"-": "31", "+": "32", "@": "36"}
PLAIN = """\
--- a/src/lamp.py
+++ b/src/lamp.py
@@ -1,3 +1,3 @@
 def glow(lamp):
-    lamp.dim()
+    lamp.fade()
     return lamp
"""


def coloured(line: str) -> str:
    """A line of a diff as git shows it on a terminal."""
    text = line.rstrip("\r\n")
    ending = line[len(text) :]
    if text.startswith(("diff --git ", "index ", "--- ", "+++ ")):
        return f"\x1b[1m{text}\x1b[m{ending}"
    if text[:1] == "+":
        return f"\x1b[32m+\x1b[m\x1b[32m{text[1:]}\x1b[m{ending}" if text[1:] else f"\x1b[32m+\x1b[m{ending}"
    code = SIGNS.get(text[:1])
    return f"\x1b[{code}m{text}\x1b[m{ending}" if code else line


@pytest.mark.parametrize("example", DIFFS, ids=lambda example: example.name)
def test_colouring_a_diff_changes_nothing_that_it_asks_for(example: Example) -> None:
    plain = example.answer.replace("\x1b", "")
    shown = "".join(map(coloured, plain.splitlines(keepends=True)))
    read, expected = parse_edits(shown), parse_edits(plain)
    assert [replace(item, span=(0, 0)) for item in read] == [replace(item, span=(0, 0)) for item in expected]


def test_an_edit_of_a_coloured_diff_has_the_span_of_all_of_its_lines() -> None:
    shown = "".join(map(coloured, PLAIN.splitlines(keepends=True)))
    (edit,) = parse_edits(f"It says:\n\n{shown}\nSo be it.\n")
    start, end = edit.span
    assert f"It says:\n\n{shown}\nSo be it.\n"[start:end] == shown.rstrip("\n")


def test_escape_sequences_of_the_file_itself_are_never_lost() -> None:
    lines = PLAIN.replace("lamp.fade()", "print('\x1b[35mdim\x1b[0m')").splitlines(keepends=True)
    (refused,) = parse_edits("".join(map(coloured, lines)))
    assert isinstance(refused, Malformed)
    assert "plain text was expected" in refused.message
    (edit,) = parse_edits("".join(lines))
    assert isinstance(edit, Edit)
    assert "\x1b[35mdim\x1b[0m" in edit.replace


def test_a_coloured_diff_that_is_cut_off_is_refused() -> None:
    shown = "".join(map(coloured, PLAIN.splitlines(keepends=True)))
    for end in range(shown.index("+\x1b[m"), len(shown)):
        assert not any(isinstance(item, Edit) for item in parse_edits(shown[:end])), end
