"""What a tool says that it does to a file has one result, or none."""

from __future__ import annotations

import pytest

from patchpoint.hooks.tools.stated_changes import stated_changes
from patchpoint.stated_change import DoesNotApplyError, Replacement, StatedChange, results_of


def replaced(old: str, new: str, **how: bool) -> StatedChange:
    return StatedChange(replacements=(Replacement(old, new, **how),))


@pytest.mark.parametrize(
    ("change", "before", "after"),
    [
        (replaced("b", "x"), b"abc", b"axc"),
        (replaced("a", "x", every=True), b"aba", b"xbx"),
        (replaced("b\n", "x\ny\n"), b"a\r\nb\r\n", b"a\r\nx\r\ny\r\n"),
        (replaced("b\n", "x\n", whole_lines=True), b"ab\nb\n", b"ab\nx\n"),
        (replaced("", "new"), None, b"new"),
        (StatedChange(content="new\n"), None, b"new\n"),
        (StatedChange(), b"gone", None),
    ],
)
def test_a_change_that_fits_once_has_one_result(
    change: StatedChange, before: bytes | None, after: bytes | None
) -> None:
    assert results_of(change, before) == (after,)


def test_a_program_may_keep_the_line_endings_of_a_file_that_it_writes_whole() -> None:
    assert results_of(StatedChange(content="x\n"), b"a\r\n") == (b"x\n", b"x\r\n")


@pytest.mark.parametrize(
    ("change", "before"),
    [
        (replaced("b", "x"), b"abab"),
        (replaced("aa", "x"), b"aaa"),
        (replaced("c", "x"), b"ab"),
        (replaced("b", "x"), None),
        (replaced("", "x"), b"text"),
        (replaced("b", "x"), b"b\xff"),
        (StatedChange(), None),
    ],
)
def test_a_change_that_fits_nowhere_or_twice_has_none(change: StatedChange, before: bytes | None) -> None:
    with pytest.raises(DoesNotApplyError):
        results_of(change, before)


PATCH = """*** Begin Patch
*** Update File: a.py
@@ def f():
 one
-two
+TWO
@@
-three
+THREE
*** Add File: b.py
+new
*** Delete File: c.py
*** Update File: d.py
*** Move to: e.py
@@
-x
+y
*** End Patch
"""


@pytest.mark.parametrize(
    ("tool", "arguments", "stated"),
    [
        ("Edit", {"file_path": "a", "old_string": "x", "new_string": ""}, {"a": replaced("x", "")}),
        (
            "Edit",
            {"filePath": "a", "oldString": "x", "newString": "y", "replaceAll": True},
            {"a": replaced("x", "y", every=True)},
        ),
        (
            "MultiEdit",
            {
                "file_path": "a",
                "edits": [{"old_string": "x", "new_string": "y"}, {"old_string": "z", "new_string": ""}],
            },
            {"a": StatedChange(replacements=(Replacement("x", "y"), Replacement("z", "")))},
        ),
        ("write_file", {"file_path": "a", "content": ""}, {"a": StatedChange(content="")}),
        ("create", '{"path": "a", "file_text": "x"}', {"a": StatedChange(content="x")}),
        ("Delete", {"path": "a"}, {"a": StatedChange()}),
        (
            "apply_patch",
            {"input": PATCH},
            {
                "a.py": StatedChange(
                    replacements=(
                        Replacement("one\ntwo\n", "one\nTWO\n", whole_lines=True),
                        Replacement("three\n", "THREE\n", whole_lines=True),
                    )
                ),
                "b.py": StatedChange(content="new\n"),
                "c.py": StatedChange(),
            },
        ),
        ("apply_patch", {"input": "*** Begin Patch\n*** Update File: a\n@@\n+only new\n*** End Patch"}, {}),
        ("NotebookEdit", {"notebook_path": "a.ipynb", "new_source": "x"}, {}),
        ("Write", {"file_path": "a", "content": "x" * 100_000}, {}),
        ("Write", {"file_path": "a", "content": "\ud800"}, {}),
        ("Bash", {"command": "x", "file_path": "a", "content": "x"}, {}),
        ("Edit", ["nothing"], {}),
    ],
)
def test_the_arguments_of_an_edit_tool_say_what_it_does(
    tool: str, arguments: object, stated: dict[str, StatedChange]
) -> None:
    assert stated_changes(tool, arguments) == stated
