"""A long answer is read once: the work does not grow with the product of its lines and its edits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from patchpoint.formats import parse_edits
from patchpoint.formats.diffs.unified_diff import read_signed_lines
from patchpoint.formats.scan import TextScan
from patchpoint.formats.source import AnswerText

HUNKS = 200


class CountedSpan(tuple[int, int]):
    """A span that counts how often any is looked at."""

    looked_at = 0

    def __getitem__(self, key: object) -> int:  # type: ignore[override]
        CountedSpan.looked_at += 1
        return super().__getitem__(key)  # type: ignore[call-overload, no-any-return]

    def __iter__(self) -> Iterator[int]:
        CountedSpan.looked_at += 1
        return super().__iter__()


def test_each_hunk_of_a_long_diff_is_looked_at_once_to_find_the_lines_around_it() -> None:
    text = "--- a/x\n+++ b/x\n" + "@@ -1 +1 @@\n-a\n+b\n" * HUNKS + "\ny.py\n- old\n+ new\n\n"
    items = [replace(item, span=CountedSpan(item.span)) for item in parse_edits(text) if item.path == "x"]
    assert len(items) == HUNKS
    scan = TextScan(AnswerText(text), None, "", lambda *_: [])
    CountedSpan.looked_at = 0
    (found,) = read_signed_lines(scan, list(items))
    assert found.path == "y.py"
    assert 0 < CountedSpan.looked_at <= 10 * HUNKS
