"""What was decided about the other changes of a file stays decided where some were reverted or edited."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from patchpoint.review.decision import Decision
from patchpoint.review.decisions import Review
from patchpoint.review.hunks import Alignment, id_of
from patchpoint.review.records import ReviewRecords
from tests.review.reviewed_texts import text_file

SINCE = "06ak0r7m2bpbkf"
HISTORIES = int(os.environ.get("PATCHPOINT_HISTORIES", "30"))


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_equal_lines_that_slide_ask_no_decision_again(ending: str, tmp_path: Path) -> None:
    slid = 0
    for seed in range(HISTORIES):
        chance = random.Random(seed)
        before, now = (
            "".join(f"{chance.choice('abc')}{ending}" for _ in range(chance.randint(0, 14))) for _ in range(2)
        )
        file = text_file("f", before, now)
        review = Review(since=SINCE, split=tuple(hunk.id for hunk in file.hunks if chance.random() < 0.2))
        file = text_file("f", before, now, review=review)
        review = review.deciding(Decision.KEEP, file, [hunk.id for hunk in file.hunks])
        waiting = [hunk.id for hunk in file.hunks]
        chance.shuffle(waiting)
        while waiting:
            gone = waiting.pop()
            review = review.deciding(Decision.TAKE_BACK, file, [gone])
            now = file.text_without([gone])
            slid += bool(review.aligned)
            # As after a restart.
            review = restarted(ReviewRecords(tmp_path / str(seed)), review)
            file = text_file("f", before, now, review=review)
            assert sorted(hunk.id for hunk in file.hunks) == sorted(waiting), (seed, before, now)
            assert all(review.decision(hunk) is Decision.KEEP for hunk in file.hunks)
        assert now == before
    assert slid, "equal lines have to slide for this to show anything"


def restarted(records: ReviewRecords, review: Review) -> Review:
    """The review as another process reads it."""
    records.update(SINCE, lambda _: review)
    return records.read(SINCE) or review


def test_an_alignment_is_of_its_texts_alone() -> None:
    before, now = "a\nb\n", "a\nc\n"
    file = text_file("f", before, now)
    own = id_of("f", "file", now)
    for text, places in (
        (id_of("f", "file", "other"), (("x", 1, 2, 1, 2),)),
        (own, (("x", 0, 1, 0, 1),)),
        (own, (("x", 1, 9, 1, 9),)),
        (own, (("x", -1, 2, -1, 2),)),
        (own, (("x", 1, 2, 1, 2), ("y", 0, 1, 0, 1))),
    ):
        review = Review(since=SINCE, aligned={"f": Alignment(text, places)})
        assert text_file("f", before, now, review=review).hunks == file.hunks
