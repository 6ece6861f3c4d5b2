"""Which lines are marks of code that is left out."""

from __future__ import annotations

import pytest

from patchpoint.structure.lazy.marks import is_mark, marks_among


@pytest.mark.parametrize(
    "line",
    [
        "# ... existing code ...",
        "    // ... existing code ...",
        "/* ... rest of the class ... */",
        "// ...",
        "...",
        "…",
        "# [... other methods ...]",
        "<!-- ... same as before ... -->",
        "-- ... unchanged ...",
        "// … keep existing imports …",
        "// ... optionHighlight, groupHighlight, addPointer, pointerForward, pointerBackward ...",
        "# ... attributes, initialize, store=, count and read unchanged ...",
        "# rest of the code remains the same",
        "// existing methods",
        "# (unchanged)",
        "/* omitted for brevity */",
        "// the rest of the file stays the same",
        "{/* ... existing code ... */}",
        "// Keep the rest as is",
        "# --- snip ---",
        "# ===== rest unchanged =====",
        "/* --- existing code --- */",
        "// the other handlers stay as they are",
        "// existing methods...",
        "// leave the remaining code untouched",
        "# All other methods remain exactly as they were",
        "/* 40 unchanged lines */",
        "# >>> unchanged <<<",
        "<!-- ... header ... -->",
        "<!-- Rest of the page -->",
    ],
)
def test_a_line_that_says_only_that_code_is_left_out_is_a_mark(line: str) -> None:
    assert is_mark(line)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "#",
        "return ...",
        "# Return the blob unchanged",
        "# ... and then the server answers the client",
        "# ... total = first, second ...",
        "// existing code relies on the order, keep it sorted",
        "x = [...existing]",
        "...existing",
        "foo(...args)",
        "# the same key in other functions is another one",
        "print('...')",
        "# TODO: rest of the checks for names",
        "# leave the name unchanged",
        "# restore the previous state",
        "// keys(x) stay the same",
        "# other handlers register themselves...",
    ],
)
def test_any_other_line_is_none(line: str) -> None:
    assert not is_mark(line)


def test_the_end_of_a_sentence_in_a_comment_is_no_mark() -> None:
    lines = ["# The keys of both", "# are the same.", "x = 1", "# are the same."]
    assert marks_among(lines, []) == {3}


def test_a_line_that_the_file_has_too_is_no_mark() -> None:
    assert marks_among(["# ...", "x = 1", "    # ..."], ["# ...", "x = 0"]) == frozenset()
    assert marks_among(["# ...", "x = 1"], ["x = 0"]) == {0}
