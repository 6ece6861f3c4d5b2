"""Hunks since a checkpoint: what they are, that their ids last, and what is left without some of them."""

from __future__ import annotations

import os
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint.review.change_set import FileChanges, FileState
from patchpoint.review.hunks import HunkMovedError, hunks_of, parts_of
from patchpoint.text.lines import split_at_line_feeds
from tests.git.git_judge import WorkingTree
from tests.review.reviewed_texts import text_file, without_hunks
from tests.text.history import History

HISTORIES = int(os.environ.get("PATCHPOINT_HISTORIES", "300"))


@pytest.fixture(scope="module")
def judging(tmp_path_factory: pytest.TempPathFactory) -> WorkingTree:
    """A repository in which git reverses hunks."""
    return WorkingTree.create(tmp_path_factory.mktemp("judging") / "repo")


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "a\r\n", "\n", "\u00e9\n", "x"]), max_size=14)
TEXTS = st.builds(lambda lines, end: "".join(lines) + end, LINES, st.sampled_from(["", "end", "\r"]))


@given(TEXTS, TEXTS)
def test_without_all_of_its_hunks_a_text_is_what_it_was(before: str, now: str) -> None:
    ids = [hunk.id for hunk in hunks_of("f", before, now)]
    assert without_hunks("f", before, now, ids) == before
    assert len(set(ids)) == len(ids)


@given(TEXTS, TEXTS, st.randoms(use_true_random=False))
def test_the_order_in_which_hunks_are_taken_back_makes_no_difference(
    before: str, now: str, chance: random.Random
) -> None:
    hunks = list(hunks_of("f", before, now))
    wanted = chance.sample(hunks, chance.randint(0, len(hunks)))
    at_once = without_hunks("f", before, now, [hunk.id for hunk in wanted])
    lines = now.split("\n")
    for hunk in sorted(wanted, key=lambda hunk: hunk.new, reverse=True):
        joined = "\n".join(lines)
        lines = _reversed(joined, hunk.new, hunk.removed).split("\n")
    assert at_once == "\n".join(lines)


def _reversed(text: str, lines: tuple[int, int], removed: str) -> str:
    kept = text.split("\n")
    ended = [f"{line}\n" for line in kept[:-1]] + ([kept[-1]] if kept[-1] else [])
    return "".join((*ended[: lines[0]], removed, *ended[lines[1] :]))


@given(TEXTS, TEXTS, TEXTS)
def test_a_hunk_that_is_not_there_is_refused(before: str, now: str, later: str) -> None:
    there = {hunk.id: hunk for hunk in hunks_of("f", before, later)}
    for hunk in hunks_of("f", before, now):
        if hunk.id not in there:
            with pytest.raises(HunkMovedError, match="has changed since"):
                without_hunks("f", before, later, [hunk.id])
        else:
            assert (hunk.removed, hunk.added) == (there[hunk.id].removed, there[hunk.id].added)


def test_a_hunk_keeps_its_id_while_lines_elsewhere_change() -> None:
    before = "".join(f"line {number}\n" for number in range(40))
    now = before.replace("line 20\n", "LINE 20\nand more\n")
    (hunk,) = hunks_of("f", before, now)
    moved = "new\nnew\n" + now.replace("line 3\n", "") + "end\n"
    found = {each.id: each for each in hunks_of("f", before, moved)}
    assert found[hunk.id].new == (21, 23)
    assert without_hunks("f", before, moved, [hunk.id]) == moved.replace("LINE 20\nand more\n", "line 20\n")


def test_of_two_equal_hunks_the_one_that_is_meant_is_taken_back() -> None:
    before = "start\nx\nmiddle\nx\nend\n"
    first, second = hunks_of("f", before, before.replace("x", "y"))
    after_first = without_hunks("f", before, before.replace("x", "y"), [first.id])
    assert after_first == "start\nx\nmiddle\ny\nend\n"
    with pytest.raises(HunkMovedError):
        without_hunks("f", before, after_first, [first.id])
    assert without_hunks("f", before, after_first, [second.id]) == before


def test_a_hunk_that_was_changed_again_is_another_one() -> None:
    (one,) = hunks_of("f", "a\n", "b\n")
    (other,) = hunks_of("f", "a\n", "c\n")
    assert one.id != other.id
    assert one.id != hunks_of("g", "a\n", "b\n")[0].id


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("", "a\n"),
        ("a\n", ""),
        ("a", "a\n"),
        ("a\n", "a"),
        ("a\nb", "a\nb\nc"),
        ("a\r\nb\r\n", "a\r\nc\r\n"),
        ("a\r\n", "a\n"),
        ("x\n" * 5, "x\n" * 7),
        ("\r", "\r\r"),
        ("a\n\x0cb\n", "a\n\x0c\n"),
        ("a\u2028b\n", "a\u2028c\n"),
    ],
)
def test_git_reverses_each_hunk_to_the_same_bytes(judging: WorkingTree, before: str, now: str) -> None:
    judge(judging, before, now)


@pytest.mark.parametrize("seed", range(HISTORIES))
def test_git_reverses_the_hunks_of_random_histories_to_the_same_bytes(
    judging: WorkingTree, seed: int
) -> None:
    history = History(seed)
    before = history.text
    for _ in range(history.chance.randint(1, 6)):
        history.step(history.chance.choice("ab"))
    texts = [before, history.text]
    if seed % 3 == 1:
        texts = [text.replace("\n", "\r\n") for text in texts]
    if seed % 4 == 2:
        texts = [text.removesuffix("\n") for text in texts]
    judge(judging, *texts)


def judge(tree: WorkingTree, before: str, now: str) -> None:
    """Take back each hunk alone, and have git reverse the same one."""
    file = FileChanges("f.txt", FileState(0o100644, before.encode()), FileState(0o100644, now.encode()))
    for hunk in hunks_of("f.txt", before, now):
        ours = without_hunks("f.txt", before, now, [hunk.id])
        tree.write({"f.txt": now.encode()})
        patch = f"--- a/f.txt\n+++ b/f.txt\n{file.diff(hunk)}"
        tree.git("apply", "-R", "--unidiff-zero", "-", stdin=patch)
        assert (tree.root / "f.txt").read_bytes() == ours.encode()


@given(TEXTS, TEXTS, st.data())
def test_any_parts_of_a_change_are_reversed_and_the_others_stay(
    before: str, now: str, data: st.DataObject
) -> None:
    file = text_file("f", before, now)
    split = replace(file, split=frozenset(hunk.id for hunk in file.hunks))
    assert split.text_without([part.id for part in split.hunks]) == before
    assert split.text_without([]) == now
    for hunk in file.hunks:
        parts = parts_of("f", hunk)
        assert "".join(part.removed for part in parts) == hunk.removed
        assert "".join(part.added for part in parts) == hunk.added
    gone = data.draw(st.sets(st.sampled_from(split.hunks))) if split.hunks else set()
    old, new = split_at_line_feeds(before), split_at_line_feeds(now)
    left, at = [], 0
    for part in split.hunks:
        left += new[at : part.new[0]] + (old[slice(*part.old)] if part in gone else new[slice(*part.new)])
        at = part.new[1]
    assert split.text_without([part.id for part in gone]) == "".join([*left, *new[at:]])
