"""Where Patchpoint means to differ from the tools whose own tests `tests.benchmarks.peers` runs, and why.

The ids are those of the cases; what each group comes to is shown by `test_deliberate_differences.py`.
"""

from __future__ import annotations

_MOVES_ONTO = "a file that exists is not overwritten by a move"
_ADDS_OVER = "a file that exists with other content is not created again"
_KEEPS_ENDINGS = "a changed line keeps the line ending that it had; the file's first one is not spread"
_EQUAL_LINES = "of two equal lines it makes no difference which goes, and the first keeps its line ending"
_NO_NEWLINE = "a file that does not end in a line ending is not given one"
_AMBIGUOUS = "a search text that occurs twice is refused; the tool takes the first"
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
