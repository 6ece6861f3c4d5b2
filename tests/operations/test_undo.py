"""`undo` takes back the last thing that was done, exactly, and says which it was; `redo` brings it back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import ChangedSinceError, NothingToRedoError, NothingToUndoError
from patchpoint.checkpoints.session_revert import revert_session
from patchpoint.headless.undo import UndoRequest, operations_of, undo
from patchpoint.operations.log import KEPT, OperationLog
from patchpoint.progress import Silent
from patchpoint.review.tree import SinceCheckpoint
from patchpoint.workspace.history.ledger import Ledger
from tests.git.git_judge import WorkingTree
from tests.operations.working import (
    applied,
    created,
    deleted,
    files_in,
    redone,
    replaced,
    restored,
    reverted,
    undone,
)


def test_each_kind_of_operation_is_taken_back_the_last_one_first(tree: WorkingTree) -> None:
    root = tree.root
    tree.write({"a.txt": "one\ntwo\nthree\n", "old.txt": "old\n"})
    (root / "old.txt").chmod(0o640)
    (root / "a.txt").chmod(0o755)
    taken = CheckpointStore.open(root).take(label="start")
    edits = [replaced("a.txt", "two\n", "TWO\n"), created("new/deep.txt", "n\n"), deleted("old.txt")]
    states = [files_in(root)]
    for act in (
        lambda: applied(root, edits),
        lambda: reverted(root),
        lambda: applied(root, edits),
        lambda: restored(root, taken.id),
        lambda: applied(root, [created("more.txt", "more\n"), deleted("a.txt")]),
        lambda: everything_taken_back(root, taken.id),
    ):
        act()
        states.append(files_in(root))
        assert states[-1] != states[-2]

    kinds = []
    for before in reversed(states[:-1]):
        kinds.append(undone(root).operation.cause.kind.value)
        assert files_in(root) == before, kinds
    assert kinds == ["review", "apply", "restore", "apply", "revert", "apply"]
    with pytest.raises(NothingToUndoError):
        undone(root)
    for after in states[1:]:
        redone(root)
        assert files_in(root) == after
    with pytest.raises(NothingToRedoError):
        redone(root)


def everything_taken_back(root: Path, since: str) -> None:
    since_then = SinceCheckpoint.open(CheckpointStore.open(root), since)
    since_then.take_back({file.path: [hunk.id for hunk in file.hunks] for file in since_then.files()})


def test_what_it_takes_back_is_exact_without_a_checkpoint_and_where_git_ignores_it(tree: WorkingTree) -> None:
    root = tree.root
    tree.write({".gitignore": "*.log\n", "x.log": b"\xff\xfe\x00a\r\n\x00b", "y.log": "caf\u00e9\r\n"})
    (root / "y.log").chmod(0o600)
    (root / "link").symlink_to("a.txt")
    before = files_in(root)
    applied(root, [deleted("link")], checkpoint=False)
    between = files_in(root)
    assert "link" not in between
    applied(root, [replaced("y.log", "caf\u00e9", "tea"), created("z.log", "z\n")], checkpoint=False)
    after = files_in(root)
    for _ in range(2):
        for state in (between, before):
            undone(root)
            assert files_in(root) == state
        for state in (between, after):
            redone(root)
            assert files_in(root) == state


def test_folders_that_an_operation_made_go_with_it(tree: WorkingTree) -> None:
    applied(tree.root, [created("new/deep/n.txt", "n\n")])
    undone(tree.root)
    assert not (tree.root / "new").exists()
    redone(tree.root)
    assert (tree.root / "new/deep/n.txt").read_text() == "n\n"


def test_a_file_that_was_changed_since_is_never_overwritten(tree: WorkingTree) -> None:
    tree.write({"a.txt": "one\ntwo\n", "b.txt": "b\n"})
    applied(tree.root, [replaced("a.txt", "two\n", "TWO\n"), replaced("b.txt", "b\n", "B\n")])
    tree.write({"a.txt": "one\nTWO\nmine\n"})
    with pytest.raises(ChangedSinceError, match=r"'a.txt' has been changed since.*patchpoint revert"):
        undone(tree.root)
    assert ((tree.root / "a.txt").read_text(), (tree.root / "b.txt").read_text()) == (
        "one\nTWO\nmine\n",
        "B\n",
    )
    tree.write({"a.txt": "one\nTWO\n"})
    undone(tree.root)
    assert (tree.root / "a.txt").read_text() == "one\ntwo\n"


def test_a_restore_is_taken_back_and_what_came_after_it_stays(tree: WorkingTree) -> None:
    taken = CheckpointStore.open(tree.root).take()
    tree.write({"a.txt": "changed\n", "new.txt": "new\n"})
    before = files_in(tree.root)
    restored(tree.root, taken.id)
    tree.write({"mine.txt": "mine\n"})
    undone(tree.root)
    assert files_in(tree.root) == before | {"mine.txt": (0o644, b"mine\n")}
    tree.write({"a.txt": "changed again\n"})
    with pytest.raises(ChangedSinceError, match="patchpoint restore"):
        redone(tree.root)
    assert (tree.root / "a.txt").read_text() == "changed again\n"


def test_the_branch_and_the_staged_state_come_back_unless_they_moved_since(tree: WorkingTree) -> None:
    taken = CheckpointStore.open(tree.root).take()
    tree.write({"a.txt": "committed\n"})
    commit = tree.commit("by the run")
    tree.write({"a.txt": "staged\n"})
    tree.git("add", "a.txt")
    staged, before = tree.staged(), files_in(tree.root)
    restored(tree.root, taken.id)
    assert tree.git("rev-parse", "HEAD").strip() != commit.strip()
    undone(tree.root)
    assert tree.git("rev-parse", "HEAD").strip() == commit.strip()
    assert (tree.staged(), files_in(tree.root)) == (staged, before)
    redone(tree.root)
    head = tree.git("rev-parse", "HEAD")
    tree.write({"other.txt": "o\n"})
    tree.git("add", "other.txt")
    with pytest.raises(ChangedSinceError, match="staged since"):
        undone(tree.root)
    tree.git("commit", "-qm", "of mine")
    with pytest.raises(ChangedSinceError, match="checked out since"):
        undone(tree.root)
    assert tree.git("rev-parse", "HEAD~1") == head


def test_what_a_session_did_stays_unless_it_is_asked_for(tree: WorkingTree) -> None:
    root = tree.root
    applied(root, [created("mine.txt", "mine\n")])
    applied(root, [created("theirs.txt", "theirs\n")], "claude-1")
    applied(root, [created("others.txt", "others\n")], "codex-1")
    done = undone(root)
    assert not (root / "mine.txt").exists()
    assert [each.cause.session for each in done.passed] == ["codex-1", "claude-1"]
    with pytest.raises(NothingToUndoError, match="'codex-1' did"):
        undone(root)
    assert (root / "theirs.txt").exists()
    undone(root, "cla")
    assert not (root / "theirs.txt").exists()
    undone(root, None)
    assert not (root / "others.txt").exists()
    redone(root)
    assert (root / "mine.txt").exists()
    assert not (root / "theirs.txt").exists()


def test_an_operation_is_named_by_the_beginning_of_its_id(tree: WorkingTree) -> None:
    root = tree.root
    first = applied(root, [created("first.txt", "1\n")]).application
    applied(root, [created("second.txt", "2\n")])
    assert first is not None
    undone(root, named=first.id[:6])
    assert not (root / "first.txt").exists()
    assert (root / "second.txt").exists()
    with pytest.raises(NothingToUndoError, match="already undone"):
        undone(root, named=first.id)
    redone(root, named=first.id)
    assert (root / "first.txt").exists()
    with pytest.raises(NothingToUndoError, match="no operation 'zz'"):
        undone(root, named="zz")


def test_nothing_is_redone_after_something_else_was_done(tree: WorkingTree) -> None:
    applied(tree.root, [created("first.txt", "1\n")])
    undone(tree.root)
    applied(tree.root, [created("second.txt", "2\n")])
    with pytest.raises(NothingToRedoError, match="was done since"):
        redone(tree.root)
    undone(tree.root)
    redone(tree.root)
    with pytest.raises(NothingToRedoError):
        redone(tree.root)
    assert (tree.root / "second.txt").exists()
    assert not (tree.root / "first.txt").exists()


def test_the_ledger_of_applications_knows(tree: WorkingTree) -> None:
    root = tree.root
    applied(root, [created("first.txt", "1\n")])
    undone(root)
    assert [bool(one.reverted_at) for one in Ledger(root).applications()] == [True]
    redone(root)
    assert [bool(one.reverted_at) for one in Ledger(root).applications()] == [False]
    reverted(root)
    undone(root)
    first, second = reversed(Ledger(root).applications())
    assert (bool(first.reverted_at), bool(second.reverted_at)) == (False, True)
    redone(root)
    first, second = reversed(Ledger(root).applications())
    assert (bool(first.reverted_at), bool(second.reverted_at)) == (True, False)


def test_deleted_checkpoints_come_back_with_their_pins(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    pinned = store.pin(store.take(label="kept").id)
    tree.write({"a.txt": "more\n"})
    other = store.take(label="other")
    store.prune(keep=0)
    store.delete(pinned.id)
    assert store.list() == ()
    assert undone(tree.root).checkpoints == (pinned.id,)
    assert undone(tree.root).checkpoints == (other.id,)
    assert {(one.id, one.pinned) for one in store.list()} == {(pinned.id, True), (other.id, False)}
    assert store.read(other.id, "a.txt") == b"more\n"
    assert redone(tree.root).checkpoints == (other.id,)
    assert [one.id for one in store.list()] == [pinned.id]


def test_checkpoints_whose_objects_are_gone_are_said_to_be(tmp_path: Path) -> None:
    folder = tmp_path / "no repository"
    folder.mkdir()
    (folder / "a.txt").write_text("a\n")
    store = CheckpointStore.open(folder)
    taken = store.take()
    store.prune(keep=0)
    done = undone(folder)
    assert (done.checkpoints, done.missing) == ((), (taken.id,))


def test_what_git_has_collected_comes_back_from_the_mirror(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    tree.write({"a.txt": "only here\n"})
    taken = store.take()
    tree.write({"a.txt": "now\n"})
    store.prune(keep=0)
    tree.git("reflog", "expire", "--expire=now", "--all")
    tree.git("gc", "-q", "--prune=now")
    assert undone(tree.root).checkpoints == (taken.id,)
    assert CheckpointStore.open(tree.root).read(taken.id, "a.txt") == b"only here\n"


def test_what_a_session_changed_is_reverted_and_that_undone(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    store.take(session="chat", message="1")
    tree.write({"a.txt": "by the chat\n"})
    store.take(session="chat", message="2")
    before = files_in(tree.root)
    revert_session(tree.root, "chat", until_now=True, include_unattributed=True)
    assert files_in(tree.root) != before
    done = undone(tree.root)
    assert (done.operation.cause.kind.value, done.operation.cause.label) == ("revert", "session chat")
    assert files_in(tree.root) == before


def test_the_undo_of_an_editor_is_known_to_the_log(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "after\n"})
    store.restore(taken.id)
    store.undo()
    with pytest.raises(NothingToUndoError):
        undone(tree.root)
    redone(tree.root)
    store.undo()
    store.redo()
    assert undone(tree.root).operation.cause.kind.value == "restore"
    assert (tree.root / "a.txt").read_text() == "after\n"


def test_a_dry_run_changes_nothing(tree: WorkingTree) -> None:
    applied(tree.root, [created("first.txt", "1\n")])
    before = len(operations_of(tree.root)[1])
    done = undo(tree.root, UndoRequest(dry_run=True), Silent())
    assert done.files == (("D", "first.txt"),)
    assert (tree.root / "first.txt").exists()
    assert len(operations_of(tree.root)[1]) == before


def test_only_so_many_operations_are_kept(tree: WorkingTree) -> None:
    for number in range(6):
        applied(tree.root, [created(f"{number}.txt", "1\n")], checkpoint=False)
    log = OperationLog.of(tree.root)
    first = log.all()[-1]
    for _ in range(KEPT):
        log.record(log.newly_named(first.cause), {})
    assert len(log.all()) == KEPT
    assert not log.old(first.cause).exists()


def test_a_folder_without_checkpoints_has_a_log_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", os.fspath(home))
    applied(home, [created("note.txt", "n\n")], checkpoint=False)
    undone(home)
    assert not (home / "note.txt").exists()


def test_the_log_is_one_for_all_folders_of_a_working_tree(tree: WorkingTree) -> None:
    tree.write({"sub/x.txt": "x\n"})
    applied(tree.root / "sub", [replaced("x.txt", "x\n", "X\n")])
    assert [one.files() for one in operations_of(tree.root)[1]] == [
        [("M", str(tree.root.resolve() / "sub/x.txt"))]
    ]
    undone(tree.root)
    assert (tree.root / "sub/x.txt").read_text() == "x\n"


def test_where_a_file_has_changed_since_the_newest_that_can_be_undone_is_named(tree: WorkingTree) -> None:
    tree.write({"a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n"})
    applied(tree.root, [replaced("c.txt", "c\n", "C\n")])
    applied(tree.root, [replaced("b.txt", "b\n", "B\n")])
    applied(tree.root, [replaced("c.txt", "C\n", "CC\n")], session="chat")
    applied(tree.root, [replaced("a.txt", "a\n", "A\n")])
    ids = {each.files()[0][1].rpartition("/")[2]: each.id for each in OperationLog.of(tree.root).all()}
    tree.write({"a.txt": "mine\n"})
    with pytest.raises(ChangedSinceError) as refused:
        undone(tree.root)
    assert str(refused.value).endswith(
        f"The newest that can be undone is {ids['b.txt']} (edits of b.txt, just now): "
        f"'patchpoint undo {ids['b.txt']}'."
    )
    assert (tree.root / "b.txt").read_text() == "B\n"
    undone(tree.root, named=ids["b.txt"])
    with pytest.raises(ChangedSinceError) as stuck:
        undone(tree.root)
    assert "can be undone is" not in str(stuck.value), "what is left is below what the chat did"
