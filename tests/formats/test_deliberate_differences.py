"""What each group of `tests/formats/deliberate_differences.py` comes to."""

from __future__ import annotations

from patchpoint import apply_edits


def _patched(before: dict[str, str], *lines: str) -> dict[str, str | None]:
    patch = "\n".join(("*** Begin Patch", *lines, "*** End Patch", ""))
    return dict(apply_edits(before, patch).files)


def test_a_file_is_not_overwritten_by_a_move() -> None:
    before = {"a.txt": "a\n", "b.txt": "b\n"}
    assert _patched(before, "*** Update File: a.txt", "*** Move to: b.txt", "-a", "+c") == before


def test_a_file_with_other_content_is_not_created_again() -> None:
    assert _patched({"a.txt": "a\n"}, "*** Add File: a.txt", "+b") == {"a.txt": "a\n"}


def test_a_changed_line_keeps_its_line_ending() -> None:
    before = {"a.txt": "one\r\ntwo\nthree\r\n"}
    assert _patched(before, "*** Update File: a.txt", " one", "-two", "+2") == {
        "a.txt": "one\r\n2\nthree\r\n"
    }


def test_a_missing_line_ending_at_the_end_stays_missing() -> None:
    assert _patched({"a.txt": "one\ntwo"}, "*** Update File: a.txt", "-one", "+1") == {"a.txt": "1\ntwo"}


def test_a_search_text_that_occurs_twice_is_refused() -> None:
    before = {"a.txt": "one\ntwo\none\n"}
    assert _patched(before, "*** Update File: a.txt", "-one", "+1") == before


def test_a_shortened_path_is_resolved_by_the_files_that_there_are() -> None:
    before = {"src/deep/a.txt": "one\n", "src/b.txt": "one\n"}
    assert _patched(before, "*** Update File: a.txt", "-one", "+1") == before | {"src/deep/a.txt": "1\n"}


def test_the_path_nearest_to_a_block_counts() -> None:
    answer = "```\nb.txt\n```\n```\na.txt\n```python\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n"
    files = apply_edits({"a.txt": "one\n", "b.txt": "one\n"}, answer).files
    assert files == {"a.txt": "1\n", "b.txt": "one\n"}
