"""Editors' own files are in no checkpoint, and a restore leaves those that are there."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.session_revert import revert_session
from patchpoint.checkpoints.snapshot import scan, take
from patchpoint.git.ignore.editor_files import EDITOR_FILES, editor_file
from patchpoint.review.tree import SinceCheckpoint
from tests.git.git_judge import WorkingTree

OWN = [
    ".tax.py.swp",
    ".tax.py.swo",
    ".swp",
    "4913",
    ".#tax.py",
    "#tax.py#",
    "tax.py~",
    ".tax.py.kate-swp",
    ".~lock.sheet.ods#",
    ".patchpoint-0123456789abcdef.tmp",
    "tax.py.tmp.5318.82db9f404ba7",
]
ORDINARY = [
    ".logo.svg",
    ".schema.sql",
    ".notes.sws",
    ".patchpoint-notes.tmp",
    "tax.py.tmp.5318",
    "data.tmp.2024.measurements",
    "swp",
    "x.swp",
    "#1 plan.md",
    "a#b#",
    "49130",
    ".#dir/in.txt",
    "old~/in.txt",
]
VIM = shutil.which("vim")


@contextmanager
def earlier_version(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Take checkpoints as before there was the rule."""
    with monkeypatch.context() as patched:
        patched.setattr(scan, "editor_file", lambda path: None)
        patched.setattr(take, "EDITOR_FILES", ())
        yield


def held(tree: WorkingTree, ref: str) -> set[str]:
    """The paths in a checkpoint."""
    return set(tree.git("ls-tree", "-r", "-z", "--name-only", ref).split("\0")) - {""}


def write(tree: WorkingTree, names: list[str], content: str) -> None:
    tree.write(dict.fromkeys(names, content))


@contextmanager
def vim_with_unsaved_text(file: Path) -> Iterator[None]:
    """A Vim that has typed a line into `file`, has it in its swap file, and is killed in the end."""
    command = [str(VIM), "-N", "-u", "NONE", "-i", "NONE", "-es", file.name]
    typing = b"set swapfile directory=.\nnormal! Gotyped and never saved\npreserve\nprint\n"
    with subprocess.Popen(command, cwd=file.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as vim:
        assert vim.stdin is not None
        assert vim.stdout is not None
        vim.stdin.write(typing)
        vim.stdin.flush()
        printed = b""
        while b"typed and never saved" not in printed:
            piece = os.read(vim.stdout.fileno(), 1000)
            assert piece, "Vim ended"
            printed += piece
        try:
            yield
        finally:
            vim.kill()


def test_each_name_of_the_table_is_known_and_no_other() -> None:
    assert all(editor_file(name.encode()) and editor_file(b"in/" + name.encode()) for name in OWN)
    assert not any(editor_file(name.encode()) for name in ORDINARY)
    known = {editor_file(name.encode()) for name in OWN}
    assert known == {what for _, what in EDITOR_FILES}


def test_the_page_lists_what_the_table_has() -> None:
    page = (Path(__file__).parents[2] / "docs" / "checkpoints.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    for name, what in EDITOR_FILES:
        assert any(f"`{name.decode()}`" in row and row.endswith(f"| {what} |") for row in rows)


def test_an_editors_files_are_in_no_checkpoint_and_no_review_and_stay(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    before = store.take()
    write(tree, [*OWN, *(f"src/{name}" for name in OWN)], "unsaved\n")
    write(tree, ORDINARY, "mine\n")
    after = store.take()
    assert held(tree, after.commit) - held(tree, before.commit) == set(ORDINARY)
    assert [left.path for left in after.skipped] == []
    assert {file.path for file in SinceCheckpoint.open(store, before.id).files()} == set(ORDINARY)
    restored = store.restore(before.id)
    assert set(restored.deleted) == set(ORDINARY)
    assert restored.kept == ()
    for name in OWN:
        assert (tree.root / name).read_text() == (tree.root / "src" / name).read_text() == "unsaved\n"


def test_a_tracked_file_of_such_a_name_is_an_ordinary_one(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    write(tree, OWN, "tracked\n")
    tree.git("add", "-f", "--", *OWN)
    taken = store.take()
    assert set(OWN) <= held(tree, taken.commit)
    write(tree, OWN, "changed\n")
    assert {file.path for file in SinceCheckpoint.open(store, taken.id).files()} == set(OWN)
    assert set(store.restore(taken.id).written) == set(OWN)
    tree.git("rm", "-q", "--cached", "--", *OWN)
    assert not set(OWN) & held(tree, store.take().commit)


def test_of_an_earlier_version_s_checkpoint_those_that_are_there_stay_as_they_are(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = CheckpointStore.open(tree.root)
    with earlier_version(monkeypatch):
        write(tree, OWN, "then\n")
        tree.write({"a.txt": "then\n"})
        taken = store.take()
    assert set(OWN) <= held(tree, taken.commit)
    write(tree, OWN, "now\n")
    tree.write({"a.txt": "now\n", "tax.py~": None})
    assert {file.path for file in SinceCheckpoint.open(store, taken.id).files()} == {"a.txt"}
    assert {each.path for each in store.diff(taken.id)} == {"a.txt"}
    restored = store.restore(taken.id)
    assert set(restored.written) == {"a.txt", "tax.py~"}
    assert {left.path for left in restored.kept} == set(OWN) - {"tax.py~"}
    assert [left.reason for left in restored.kept if left.path == ".#tax.py"] == ["it is Emacs' lock"]
    assert {(tree.root / name).read_text() for name in OWN if name != "tax.py~"} == {"now\n"}
    store.undo()
    assert (tree.root / "a.txt").read_text() == "now\n"
    tree.refuse_damage()


def test_what_a_session_changed_is_reverted_without_an_editor_s_files(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = CheckpointStore.open(tree.root)
    with earlier_version(monkeypatch):
        write(tree, [".old.swp"], "then\n")
        store.take(session="s", message="1")
    tree.write({"a.txt": "agent\n", ".old.swp": None, ".new.swp": "now\n"})
    reverted = revert_session(tree.root, "s", until_now=True)
    assert reverted.restored is not None
    assert reverted.restored.written == ("a.txt",)
    assert not (tree.root / ".old.swp").exists()
    assert (tree.root / ".new.swp").exists()


def test_a_lock_of_emacs_which_leads_nowhere_is_no_file_of_the_project(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    (tree.root / "src" / ".#b.txt").symlink_to("me@here.4711:1764000000")
    assert held(tree, store.take().commit) == held(tree, taken.commit)
    assert store.restore(taken.id).deleted == ()
    assert os.path.lexists(tree.root / "src" / ".#b.txt")


@pytest.mark.skipif(VIM is None, reason="there is no Vim")
def test_a_restore_leaves_the_swap_file_from_which_vim_recovers_unsaved_text(tree: WorkingTree) -> None:
    tree.write({"src/tax.py": "one\ntwo\n"})
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"src/tax.py": "one\ntwo\nthree\n"})
    swap = tree.root / "src" / ".tax.py.swp"
    with vim_with_unsaved_text(tree.root / "src" / "tax.py"):
        bytes_before = swap.read_bytes()
        restored = store.restore(taken.id)
        assert restored.written == ("src/tax.py",)
        assert restored.deleted == ()
        store.undo()
        store.redo()
        assert swap.read_bytes() == bytes_before
    recover = [str(VIM), "-N", "-u", "NONE", "-i", "NONE", "-es", "-r", "tax.py"]
    commands = ["-c", "write! recovered.txt", "-c", "qall!"]
    subprocess.run([*recover, *commands], cwd=tree.root / "src", stdin=subprocess.DEVNULL, check=False)
    assert "typed and never saved" in (tree.root / "src" / "recovered.txt").read_text()
