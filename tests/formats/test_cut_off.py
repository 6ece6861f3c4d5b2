"""An answer that is cut off anywhere asks for nothing that the whole answer does not ask for."""

from __future__ import annotations

import random

import pytest

from patchpoint.edit import Edit, Format, Malformed, Operation
from patchpoint.formats import FORMAT_NAMES, parse_edits, read_answer
from tests.formats.cut_off_answers import COUNT, edits_of, samples_in, whole_answers
from tests.sampling import tries

DIFF = """\
--- a/src/lamp.py
+++ b/src/lamp.py
@@ -1,4 +1,4 @@
 def glow(lamp):
-    lamp.dim()
+    lamp.fade()
     lamp.wait()
     return lamp
"""
FENCED = f"Here it is:\n\n```diff\n{DIFF}```\n"


def fault_of(text: str) -> str:
    """Return the one complaint about a text that asks for nothing else."""
    (item,) = parse_edits(text)
    assert isinstance(item, Malformed), item
    return item.message


@pytest.mark.slow
def test_the_answers_are_in_every_format() -> None:
    found = {item.format.value for text in whole_answers() for item in read_answer(text).items}
    assert found == set(FORMAT_NAMES) - {"auto"}
    assert len(whole_answers()) == COUNT


@pytest.mark.parametrize("number", range(COUNT))
def test_no_beginning_of_an_answer_asks_for_more_than_the_whole(number: int) -> None:
    text = whole_answers()[number]
    whole = edits_of(text)
    shown = samples_in(whole, text)
    choices = random.Random(number)
    for end in {*range(len(text) - 4, len(text)), *(choices.randrange(len(text)) for _ in range(tries(10)))}:
        assert edits_of(text[:end]) - shown <= whole, text[:end]


@pytest.mark.parametrize("text", [DIFF, FENCED])
def test_a_diff_that_is_whole_is_read(text: str) -> None:
    (edit,) = parse_edits(text)
    assert isinstance(edit, Edit)
    assert edit.replace.endswith("    lamp.wait()\n    return lamp\n")


@pytest.mark.parametrize("end", ["-", "--", "-- ", "-- \n", "-- \n2", "-- \n2.", "-- \n2.43.0\n"])
def test_a_mailed_patch_that_ends_within_its_signature_removes_no_line_of_that(end: str) -> None:
    mailed = f"From 1f3 Mon Sep 17 00:00:00 2001\nSubject: fade\n\n---\n src/lamp.py | 2 +-\n\n{DIFF}{end}"
    (edit,), (whole,) = parse_edits(mailed), parse_edits(DIFF)
    assert isinstance(edit, Edit)
    assert isinstance(whole, Edit)
    assert (edit.search, edit.replace) == (whole.search, whole.replace)


def test_a_diff_in_a_fence_that_is_never_closed_is_cut_off() -> None:
    assert "the end of its fence was expected" in fault_of(FENCED.removesuffix("```\n"))
    assert "the end of its fence was expected" in fault_of(f"```diff\n# lamps\n\n{DIFF}")


def test_a_diff_whose_last_line_just_stops_is_cut_off() -> None:
    assert "a line ending was expected" in fault_of(DIFF.removesuffix("lamp\n"))
    assert "a line ending was expected" in fault_of(DIFF.removesuffix("\n"))
    assert "a line ending was expected" in fault_of(DIFF.replace("\n", "\r\n").removesuffix("\n"))


def test_a_diff_without_numbers_that_ends_with_a_removed_line_may_be_cut_off() -> None:
    diff = "--- a/song.txt\n+++ b/song.txt\n@@ ... @@\n one\n-two\n"
    (item,) = parse_edits(diff)
    assert isinstance(item, Malformed)
    assert "a fence around it" in item.message
    for whole in (
        f"```diff\n{diff}```\n",
        f"{diff}+2\n",
        f"{diff} three\n",
        diff.replace("...", "-1,2 +1,1"),
    ):
        assert isinstance(parse_edits(whole)[0], Edit)


def test_a_diff_with_fewer_lines_than_its_heading_says_is_cut_off() -> None:
    lines = DIFF.splitlines(keepends=True)
    for count in range(5, len(lines)):
        assert "more lines were expected" in fault_of("".join(lines[:count]))


def test_wrong_counts_do_no_harm_where_the_end_is_plain() -> None:
    wrong = FENCED.replace("-1,4 +1,4", "-1,40 +1,40")
    assert [type(item) for item in parse_edits(wrong)] == [Edit]
    assert [
        type(item) for item in parse_edits(wrong.replace("```diff\n", "").replace("```", "\nSo much."))
    ] == [Edit]


def test_fences_among_the_lines_of_a_diff_are_not_around_it() -> None:
    text = "--- a/README.md\n+++ b/README.md\n@@ -3,4 +3,4 @@\n Run it:\n \n ```sh\n-go\n+go now\n"
    assert [type(item) for item in parse_edits(text)] == [Edit]
    assert [type(item) for item in parse_edits(f"A sample:\n\n```sh\ngo\n```\n\n{text}")] == [Edit]
    assert "the end of its fence was expected" in fault_of(f"```diff\n{text}")


def test_only_the_last_hunk_is_refused_where_it_is_cut_off() -> None:
    text = DIFF + "@@ -9,3 +9,2 @@\n one\n-two\n"
    kept, refused = parse_edits(text)
    assert isinstance(kept, Edit)
    assert isinstance(refused, Malformed)
    assert refused.line == text.count("\n")


def test_a_new_or_deleted_file_is_never_taken_without_its_lines() -> None:
    created = "diff --git a/new.py b/new.py\nnew file mode 100644\nindex 000000..83db48f\n"
    deleted = "diff --git a/old.py b/old.py\ndeleted file mode 100644\nindex 83db48f..000000\n"
    for header in (created, deleted, created + "--- /dev/null\n", created + "--- /dev/null\n+++ b/new.py\n"):
        assert "cut off" in fault_of(header)
    (empty,) = parse_edits(created.replace("83db48f", "e69de29"))
    assert isinstance(empty, Edit)
    assert empty.operation is Operation.CREATE


def test_a_diff_inside_a_tool_call_ends_where_the_call_says() -> None:
    call = '{"name": "apply_diff", "arguments": {"path": "src/lamp.py", "diff": "@@ -1,2 +1,2 @@\\n-a\\n+b"}}'
    (edit,) = parse_edits(call)
    assert isinstance(edit, Edit)
    assert edit.format is Format.TOOL_CALL
    assert (edit.search, edit.replace) == ("a\n", "b\n")


@pytest.mark.parametrize(
    "section", ["*** Delete File: src/old.py\n", "*** Update File: src/old.py\n*** Move to: lib/ne"]
)
def test_a_patch_that_stops_at_a_file_leaves_the_file_alone(section: str) -> None:
    assert "*** End Patch" in fault_of(f"*** Begin Patch\n{section}")


def test_a_block_without_a_path_below_one_that_is_never_closed_may_be_its_content() -> None:
    block = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
    text = f"src/lamp.py\n<<<<<<< SEARCH\nx\n=======\n{block}"
    assert [type(item) for item in parse_edits(text)] == [Malformed, Malformed]
    assert [type(item) for item in parse_edits(text.replace(block, f"y\n\nsrc/b.py\n{block}"))] == [
        Malformed,
        Edit,
    ]


@pytest.mark.parametrize("number", range(0, COUNT, 5))
def test_a_call_as_python_writes_it_is_read_whatever_follows(number: int) -> None:
    call = "{'path': 'src/own.py', 'old_string': 'it = 1', 'new_string': 'it = {2: \"}\"}'}"
    other = whole_answers()[number]
    text = f"{call}\n\n{other}"
    (edit,) = edits_of(call)
    assert edit in edits_of(text)
    for end in (len(call), len(call) + 1, len(call) + 2 + len(other) // 2):
        assert edit in edits_of(text[:end]), text[:end]
