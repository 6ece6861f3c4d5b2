"""Where Patchpoint means to differ from the tools whose own tests `tests.benchmarks.peers` runs, and why.

The ids are those of the cases; what each group comes to is shown by a test of its own.
"""

from __future__ import annotations

from patchpoint import apply_edits

_MOVES_ONTO = "a file that exists is not overwritten by a move"
_ADDS_OVER = "a file that exists with other content is not created anew"
_KEEPS_ENDINGS = "a changed line keeps the line ending that it had; the file's first one is not spread"
_EQUAL_LINES = "of two equal lines it makes no difference which goes, and the first keeps its line ending"
_NO_NEWLINE = "a file that does not end in a line ending is not given one"
_AMBIGUOUS = "a search text that stands twice is refused; the tool takes the first"
_RESOLVED_LATER = "a path is read as it was written; the files that there are decide later whom it means"
_NEAREST = "the path nearest to the block counts (the case was recorded with its lines reversed)"

DIFFERENCES = {
    "codex_scenarios-0010": _MOVES_ONTO,
    "codex_tests-0017": _MOVES_ONTO,
    "codex_scenarios-0011": _ADDS_OVER,
    "codex_tests-0018": _ADDS_OVER,
    "codex_scenarios-0025": _KEEPS_ENDINGS,
    "codex_tests-0009": _KEEPS_ENDINGS,
    "codex_tests-0008": _EQUAL_LINES,
    "codex_tests-0010": _NO_NEWLINE,
    "codex_tests-0021": _NO_NEWLINE,
    "aider_editblock-0004": _RESOLVED_LATER,
    "aider_editblock-0008": _RESOLVED_LATER,
    "aider_editblock-0009": _RESOLVED_LATER,
    "aider_editblock-0040": _RESOLVED_LATER,
    "aider_editblock-0006": _NEAREST,
    "aider_editblock-0024": _AMBIGUOUS,
    "aider_editblock-0025": _AMBIGUOUS,
}
"""The reason for each case that is meant to differ."""


def _patched(before: dict[str, str], *lines: str) -> dict[str, str | None]:
    patch = "\n".join(("*** Begin Patch", *lines, "*** End Patch", ""))
    return dict(apply_edits(before, patch).files)


def test_a_file_is_not_overwritten_by_a_move() -> None:
    before = {"a.txt": "a\n", "b.txt": "b\n"}
    assert _patched(before, "*** Update File: a.txt", "*** Move to: b.txt", "-a", "+c") == before


def test_a_file_with_other_content_is_not_created_anew() -> None:
    assert _patched({"a.txt": "a\n"}, "*** Add File: a.txt", "+b") == {"a.txt": "a\n"}


def test_a_changed_line_keeps_its_line_ending() -> None:
    before = {"a.txt": "one\r\ntwo\nthree\r\n"}
    assert _patched(before, "*** Update File: a.txt", " one", "-two", "+2") == {
        "a.txt": "one\r\n2\nthree\r\n"
    }


def test_a_missing_line_ending_at_the_end_stays_missing() -> None:
    assert _patched({"a.txt": "one\ntwo"}, "*** Update File: a.txt", "-one", "+1") == {"a.txt": "1\ntwo"}


def test_a_search_text_that_stands_twice_is_refused() -> None:
    before = {"a.txt": "one\ntwo\none\n"}
    assert _patched(before, "*** Update File: a.txt", "-one", "+1") == before


def test_a_shortened_path_is_resolved_by_the_files_that_there_are() -> None:
    before = {"src/deep/a.txt": "one\n", "src/b.txt": "one\n"}
    assert _patched(before, "*** Update File: a.txt", "-one", "+1") == before | {"src/deep/a.txt": "1\n"}


def test_the_path_nearest_to_a_block_counts() -> None:
    answer = "```\nb.txt\n```\n```\na.txt\n```python\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n"
    files = apply_edits({"a.txt": "one\n", "b.txt": "one\n"}, answer).files
    assert files == {"a.txt": "1\n", "b.txt": "one\n"}
