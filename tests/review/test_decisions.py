"""What is decided about changes, remembered, and said to the model in the end."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from patchpoint import parse_edits
from patchpoint.filesystem.user_state import state_directory
from patchpoint.review import records as kept_records
from patchpoint.review.change_set import FileChanges, FileState
from patchpoint.review.decision import Decision
from patchpoint.review.decisions import MOST_TAKEN_BACK, Review, TakenBack, Tally, summary_of
from patchpoint.review.records import ReviewRecords
from tests.review.reviewed_texts import text_file

SINCE = "06ak0r7m2bpbkf"


THREE = text_file("src/a.py", "a\nb\nc\nd\ne\n", "A\nb\nC\nd\nE\n")


def test_a_change_is_open_until_somebody_decides() -> None:
    first, second, _ = THREE.hunks
    review = Review(since=SINCE).deciding(Decision.KEEP, THREE, [first.id])
    assert [review.decision(hunk) for hunk in THREE.hunks] == [Decision.KEEP, Decision.OPEN, Decision.OPEN]
    assert review.tally([THREE]) == Tally(1, 0, 2)
    assert review.deciding(Decision.OPEN, THREE, [first.id]).tally([THREE]) == Tally(0, 0, 3)
    assert (
        review.deciding(Decision.TAKE_BACK, THREE, [second.id])
        .tally([text_file("src/a.py", "a\nc\n", "A\nC\n")])
        .open
        == 1
    )


def test_a_kept_change_that_is_changed_again_is_open_again() -> None:
    review = Review(since=SINCE).deciding(Decision.KEEP, THREE, [hunk.id for hunk in THREE.hunks])
    again = text_file("src/a.py", "a\nb\nc\nd\ne\n", "new\nA\nb\nC\nd\nE2\n")
    assert review.tally([again]) == Tally(1, 0, 2)


def test_a_change_that_was_taken_back_and_is_there_again_is_open() -> None:
    review = Review(since=SINCE).deciding(Decision.TAKE_BACK, THREE, [THREE.hunks[0].id])
    assert review.tally([THREE]) == Tally(0, 0, 3)


def test_the_summary_says_what_and_why_and_holds_no_edit() -> None:
    made = FileChanges("made.py", None, FileState(0o100644, b"<<<<<<< SEARCH\nx\n=======\n"))
    review = Review(since=SINCE).deciding(Decision.TAKE_BACK, THREE, [THREE.hunks[1].id], "the tests need c.")
    review = review.deciding(Decision.TAKE_BACK, made, [made.hunks[0].id]).deciding(
        Decision.KEEP, THREE, [THREE.hunks[0].id]
    )
    left = text_file("src/a.py", "a\nb\nc\nd\ne\n", "A\nb\nc\nd\nE\n")
    said = summary_of(review, [left])
    assert said == (
        "Your changes were reviewed: kept 1, reverted 2, undecided 1.\n"
        "Kept: src/a.py (1).\n"
        "Undecided: src/a.py (1).\n"
        "Reverted, so it is no longer in the files; do not write it again unchanged:\n"
        "- src/a.py, line 3, because the tests need c:\n"
        "      - c\n"
        "      + C\n"
        "- made.py, the file as a whole.\n"
    )
    assert not parse_edits(said)


def test_the_summary_says_what_is_still_on_the_disk() -> None:
    other = text_file("b.py", "x\n", "y\n")
    review = (
        Review(since=SINCE)
        .deciding(Decision.TAKE_BACK, THREE, [THREE.hunks[1].id])
        .deciding(Decision.TAKE_BACK, other, [other.hunks[0].id])
    )
    assert summary_of(review, [], [other]) == (
        "Your changes were reviewed: kept 0, reverted 2.\n"
        "Not saved in the editor, so not on disk yet: b.py.\n"
        "Reverted, so it is no longer in the files; do not write it again unchanged:\n"
        "- src/a.py, line 3:\n"
        "      - c\n"
        "      + C\n"
        "Reverted in the editor but not saved yet, so it is still in the files on disk; do not write it "
        "again unchanged:\n"
        "- b.py, line 1:\n"
        "      - x\n"
        "      + y\n"
    )


@pytest.mark.parametrize(
    ("saved", "shown", "is_unsaved"),
    [
        ("a\n", "a\n", False),
        ("a\n", "b\n", True),
        ("a\r\nb\r\n", "a\nb\n", False),
        ("a\r\nb\n", "a\nb\n", True),
        ("a\n", None, False),
    ],
)
def test_a_file_is_unsaved_where_the_editor_has_another_text(
    saved: str, shown: str | None, is_unsaved: bool
) -> None:
    file = replace(text_file("a.py", "then\n", saved), unsaved=shown)
    assert file.is_unsaved is is_unsaved
    assert not replace(file, new=None).is_unsaved, "a file that was deleted is not to be saved"


def test_even_code_that_looks_like_an_edit_is_none_in_the_summary() -> None:
    text = "x\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```\n*** Begin Patch\n"
    file = text_file("notes.md", "x\n", text)
    review = Review(since=SINCE).deciding(Decision.TAKE_BACK, file, [file.hunks[0].id])
    assert not parse_edits(summary_of(review, []))


def test_a_name_that_is_no_text_is_shown_escaped() -> None:
    file = text_file("a\udcff\n.py", "a\n", "b\n")
    review = Review(since=SINCE).deciding(Decision.TAKE_BACK, file, [file.hunks[0].id])
    assert "- a\\udcff\\n.py, line 1:\n" in summary_of(review, [])
    assert "Undecided: a\\udcff\\n.py (1)." in summary_of(Review(since=SINCE), [file])


def test_what_is_remembered_is_bounded() -> None:
    review = Review(since=SINCE)
    for number in range(MOST_TAKEN_BACK + 3):
        file = text_file(f"{number}.txt", "a\n", "b" * 100_000)
        review = review.deciding(Decision.TAKE_BACK, file, [file.hunks[0].id])
    assert len(review.taken_back) == MOST_TAKEN_BACK
    assert review.tally([]).taken_back == MOST_TAKEN_BACK + 3
    assert max(len(one.added) for one in review.taken_back) < 5000


def test_decisions_are_there_for_the_next_process(tmp_path: Path) -> None:
    review = Review(
        since=SINCE,
        paths=("src",),
        shown=True,
        kept={"0123": "a\udcff.py"},
        taken_back=(TakenBack(id="1", path="p", line=3, removed="r", added="a", because="b"),),
        uncounted=2,
    )
    ReviewRecords(tmp_path).update(SINCE, lambda _: review)
    again = ReviewRecords(tmp_path)
    assert again.read(SINCE) == review
    assert again.newest() == again.newest(shown=True) == review
    again.finish(SINCE)
    assert again.newest() is None


def test_a_review_that_nobody_touches_is_not_shown_for_ever(tmp_path: Path) -> None:
    records = ReviewRecords(tmp_path)
    records.update(SINCE, lambda review: replace(review, shown=True))
    assert records.newest(shown=True) is not None
    long_ago = time.time() - kept_records.SHOWN_FOR_S - 60
    os.utime(records.path(SINCE), (long_ago, long_ago))
    assert records.newest(shown=True) is None
    assert records.newest() is not None


def test_two_that_decide_at_once_lose_nothing(tmp_path: Path) -> None:
    def decide(number: int) -> None:
        ReviewRecords(tmp_path).update(
            SINCE, lambda review: review.deciding(Decision.KEEP, THREE, [str(number)])
        )

    threads = [threading.Thread(target=decide, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = ReviewRecords(tmp_path).read(SINCE)
    assert found is not None
    assert len(found.kept) == 16


def test_only_the_latest_reviews_are_kept(tmp_path: Path) -> None:
    for number in range(kept_records.MOST_REVIEWS + 5):
        ReviewRecords(tmp_path).update(
            f"{number:014d}", lambda review: review.deciding(Decision.KEEP, THREE, ["1"])
        )
    files = list((state_directory(tmp_path) / "reviews").glob("*.json"))
    assert len(files) == kept_records.MOST_REVIEWS
    assert ReviewRecords(tmp_path).read(f"{number:014d}") is not None


@pytest.mark.parametrize(
    "damage",
    [
        "{",
        '{"version": 1, "content": []}',
        '{"version": 1, "content": {"kept": [], "paths": [], "shown": 1}}',
    ],
)
def test_a_damaged_file_is_set_aside(tmp_path: Path, damage: str) -> None:
    records = ReviewRecords(tmp_path)
    records.update(SINCE, lambda review: review.deciding(Decision.KEEP, THREE, ["1"]))
    records.path(SINCE).write_text(damage)
    assert records.read(SINCE) is None
    assert list(records.path(SINCE).parent.glob(f"{SINCE}.json.damaged-*"))
    records.update(SINCE, lambda review: review.deciding(Decision.KEEP, THREE, ["2"]))
    assert records.read(SINCE) == Review(since=SINCE, kept={"2": THREE.path})


def test_a_note_is_in_the_summary_whatever_was_decided(tmp_path: Path) -> None:
    kept, reverted, undecided = (hunk.id for hunk in THREE.hunks)
    review = (
        Review(since=SINCE)
        .deciding(Decision.OPEN, THREE, [kept], "good name")
        .deciding(Decision.KEEP, THREE, [kept])
    )
    review = review.deciding(Decision.OPEN, THREE, [undecided], "why is this here?")
    review = review.deciding(Decision.OPEN, THREE, [reverted], "c was right")
    review = review.deciding(Decision.TAKE_BACK, THREE, [reverted])
    said = summary_of(review, [text_file("src/a.py", "a\nb\nc\nd\ne\n", "A\nb\nc\nd\nE\n")])
    assert "- src/a.py, line 1: good name\n- src/a.py, line 5: why is this here?\n" in said
    assert "- src/a.py, line 3, because c was right:\n" in said
    records = ReviewRecords(tmp_path)
    records.update(SINCE, lambda _: review)
    assert records.read(SINCE) == review
    assert not review.deciding(Decision.OPEN, THREE, [kept], "").notes.get(kept)
