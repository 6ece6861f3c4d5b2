"""The rows of a file of a review: every line that went or came is among them, and folds open."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint.review.change_set import FileChanges, FileState
from patchpoint.review.hunks import hunks_of, without_lines
from patchpoint.review.rows import MOST_ROWS, RowKind, rows_of
from patchpoint.text.lines import split_at_line_feeds

LINES = st.lists(st.sampled_from(["a", "b", "same", "", "\tx"]), max_size=30)


def file_of(
    old: str | None, new: str | None, path: str = "a.txt", new_path: str | None = None
) -> FileChanges:
    then, now = [None if text is None else FileState(0o100644, text.encode()) for text in (old, new)]
    return FileChanges(path, then, now, new_path)


def bare(text: str) -> list[str]:
    return [line.removesuffix("\n").removesuffix("\r") for line in split_at_line_feeds(text)]


@given(LINES, LINES, st.booleans())
def test_with_all_folds_open_both_texts_can_be_read_off_the_rows(
    old: list[str], new: list[str], ended: bool
) -> None:
    before, now = "\n".join(old) + "\n", "\n".join(new) + ("\n" if ended else "")
    file = file_of(before, now)
    opened: dict[int, int] = {}
    rows = rows_of(file)
    while folds := [row for row in rows if row.kind is RowKind.FOLD]:
        opened |= {row.fold: opened.get(row.fold, 0) + 4 for row in folds}
        rows = rows_of(file, opened)
    same_or = {
        kind: [row for row in rows if row.kind in (RowKind.SAME, kind)]
        for kind in (RowKind.REMOVED, RowKind.ADDED)
    }
    assert [row.text for row in same_or[RowKind.REMOVED]] == bare(before)
    assert [row.text for row in same_or[RowKind.ADDED]] == bare(now)
    assert [row.then for row in same_or[RowKind.REMOVED]] == list(range(len(bare(before))))
    assert [row.now for row in same_or[RowKind.ADDED]] == list(range(len(bare(now))))


@given(LINES, LINES)
def test_what_is_folded_is_counted_and_no_changed_line_is_folded(old: list[str], new: list[str]) -> None:
    now = "".join(f"{line}\n" for line in new)
    file = file_of("".join(f"{line}\n" for line in old), now)
    rows = rows_of(file)
    shown = sum(1 for row in rows if row.kind in (RowKind.SAME, RowKind.ADDED))
    assert shown + sum(row.hidden for row in rows) == len(new)
    changed = {row.hunk for row in rows if row.kind in (RowKind.REMOVED, RowKind.ADDED)}
    assert changed == {hunk.id for hunk in file.hunks}


@pytest.mark.parametrize(
    ("file", "notes", "signs"),
    [
        (file_of(None, "one\ntwo\n"), ["created"], "++"),
        (file_of("one\ntwo\n", None), ["deleted"], "--"),
        (file_of("one\ntwo\n", "one\n2\n", "old.py", "new.py"), ["renamed from old.py"], "-+"),
        (file_of(None, ""), ["created"], ""),
        (
            FileChanges("run", FileState(0o100644, b"a\n"), FileState(0o100755, b"a\n")),
            ["mode 100644 → 100755"],
            "",
        ),
        (
            FileChanges("logo", FileState(0o100644, b"\0\1"), FileState(0o100644, b"\0\1\2")),
            ["no text that can be compared line by line: 2 bytes → 3 bytes"],
            "",
        ),
    ],
    ids=["created", "deleted", "renamed", "empty", "mode", "binary"],
)
def test_a_file_as_a_whole_says_what_became_of_it_and_shows_its_lines(
    file: FileChanges, notes: list[str], signs: str
) -> None:
    rows = rows_of(file)
    kinds = {RowKind.ADDED: "+", RowKind.REMOVED: "-"}
    assert [row.text for row in rows if row.kind is RowKind.NOTE] == notes
    assert "".join(kinds.get(row.kind, "") for row in rows) == signs
    assert {row.hunk for row in rows if row.kind in (*kinds, RowKind.NOTE)} == {file.hunks[0].id}


def test_of_a_very_long_change_the_rest_is_folded_until_somebody_asks() -> None:
    file = file_of(None, "line\n" * (MOST_ROWS + 5))
    rows = rows_of(file)
    assert [row.hidden for row in rows if row.kind is RowKind.FOLD] == [5]
    (fold,) = (row for row in rows if row.kind is RowKind.FOLD)
    opened = rows_of(file, {fold.fold: 10})
    assert sum(1 for row in opened if row.kind is RowKind.ADDED) == MOST_ROWS + 5


def test_the_words_that_differ_are_marked_on_both_sides() -> None:
    rows = rows_of(file_of("total = price * count\n", "total = price * number\n"))
    assert [(row.kind, [row.text[slice(*span)] for span in row.words]) for row in rows] == [
        (RowKind.REMOVED, ["count"]),
        (RowKind.ADDED, ["number"]),
    ]


@given(LINES.filter(bool), LINES, st.data())
def test_all_lines_reverted_is_the_text_of_before_and_none_that_of_now(
    old: list[str], new: list[str], data: st.DataObject
) -> None:
    before, now = ("".join(f"{line}\n" for line in side) for side in (old, new))
    for hunk in hunks_of("a", before, now):
        removed = range(len(bare(hunk.removed)))
        added = range(len(bare(hunk.added)))
        assert without_lines(hunk, removed, added) == hunk.removed
        assert without_lines(hunk, (), ()) == hunk.added
        back = data.draw(st.sets(st.sampled_from(removed))) if removed else set()
        gone = data.draw(st.sets(st.sampled_from(added))) if added else set()
        kept = bare(without_lines(hunk, back, gone))
        wanted = [bare(hunk.removed)[at] for at in back] + [
            line for at, line in enumerate(bare(hunk.added)) if at not in gone
        ]
        assert sorted(kept) == sorted(wanted)


def test_a_last_line_without_an_ending_gets_one_where_it_is_no_longer_the_last() -> None:
    (hunk,) = hunks_of("a", "same\nold", "same\nnew\n")
    assert without_lines(hunk, [0], []) == "old\nnew\n"
