"""Patches that the envelope's own tool applies to the letter, held against a model of that tool."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from patchpoint.headless.exact_patch import exact_patch
from patchpoint.patching.plan import PlannedChange
from patchpoint.text.file_operation import FileOperation

# Few different lines, so that the same ones occur again and again.
lines = st.sampled_from(["a", "b", "", "  a", "}", "*** End Patch", "@@", "-a", "+a", "é"])
texts = st.lists(lines, max_size=30).map(lambda found: "".join(f"{line}\n" for line in found))


def apply_by_tool(patch: str, files: dict[str, str]) -> dict[str, str]:
    """What the tool makes of the files: each hunk at the first place behind the last that has its lines."""
    left = dict(files)
    rows = patch.split("\n")
    assert (rows[0], rows[-2], rows[-1]) == ("*** Begin Patch", "*** End Patch", "")
    rows = rows[1:-2]
    while rows:
        kind, _, path = rows.pop(0).partition(": ")
        body: list[str] = []
        while rows and not rows[0].startswith(("*** Add File: ", "*** Update File: ", "*** Delete File: ")):
            body.append(rows.pop(0))
        if kind == "*** Delete File":
            del left[path]
        elif kind == "*** Add File":
            assert all(row.startswith("+") for row in body)
            left[path] = "".join(f"{row[1:]}\n" for row in body)
        else:
            assert kind == "*** Update File"
            target = body.pop(0).removeprefix("*** Move to: ") if body[0].startswith("*** Move") else path
            left[target] = updated(left.pop(path), body)
    return left


def updated(text: str, body: list[str]) -> str:
    before = text.split("\n")
    if before[-1] == "":
        before.pop()
    made: list[str] = []
    at = 0
    assert body[0] == "@@"
    hunks: list[list[str]] = []
    for row in body:
        if row == "@@":
            hunks.append([])
        else:
            assert row[0] in " -+"
            hunks[-1].append(row)
    for hunk in hunks:
        wanted = [row[1:] for row in hunk if row[0] in " -"]
        if wanted:
            place = next(
                number for number in range(at, len(before)) if before[number : number + len(wanted)] == wanted
            )
        else:
            place = len(before)
        made += before[at:place]
        made += [row[1:] for row in hunk if row[0] in " +"]
        at = place + len(wanted)
    return "".join(f"{line}\n" for line in [*made, *before[at:]])


def change(before: str | None, after: str | None, new_path: str | None = None) -> PlannedChange:
    kinds = {(True, False): FileOperation.CREATE, (False, True): FileOperation.DELETE}
    operation = kinds.get((before is None, after is None)) or FileOperation.UPDATE
    return PlannedChange(path="a.py", operation=operation, before=before, after=after, new_path=new_path)


@given(texts, texts)
def test_the_tool_makes_of_the_file_what_was_planned(before: str, after: str) -> None:
    assume(after and before != after)
    patch = exact_patch([change(before, after)], {})
    assert patch is not None
    assert apply_by_tool(patch, {"a.py": before}) == {"a.py": after}


@given(texts)
def test_a_hunk_among_equal_ones_is_at_its_own_place(block: str) -> None:
    assume(block)
    before = block * 4
    after = block * 2 + "new\n" + block * 2
    patch = exact_patch([change(before, after)], {})
    assert patch is not None
    assert apply_by_tool(patch, {"a.py": before}) == {"a.py": after}


def test_files_are_created_deleted_and_moved() -> None:
    created = exact_patch([change(None, "x\n\ny\n")], {"a.py": "sub/b.py"})
    assert created == "*** Begin Patch\n*** Add File: sub/b.py\n+x\n+\n+y\n*** End Patch\n"
    deleted = exact_patch([change("x\n", None)], {})
    assert deleted == "*** Begin Patch\n*** Delete File: a.py\n*** End Patch\n"
    moved = exact_patch([change("x\n", "y\n", new_path="b.py")], {})
    assert moved is not None
    assert apply_by_tool(moved, {"a.py": "x\n"}) == {"b.py": "y\n"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\r\n", "b\r\n"), ("a\n", "b"), ("a", "b\n"), ("a\n", ""), (None, ""), (None, "a"), ("a\n", "a\n"),
    ],
)  # fmt: skip
def test_what_the_tool_would_make_something_else_of_is_not_written(
    before: str | None, after: str | None
) -> None:
    assert exact_patch([change(before, after)], {}) is None


@pytest.mark.parametrize("path", ["a\nb", " a", "a ", ""])
def test_a_path_that_the_tool_would_read_otherwise_is_not_written(path: str) -> None:
    assert exact_patch([change("a\n", "b\n")], {"a.py": path}) is None
