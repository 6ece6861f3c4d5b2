"""A journal in `.git` is believed only if this user's Patchpoint wrote it and it agrees with two trees."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore, StoreOptions
from patchpoint.checkpoints.errors import (
    NothingToUndoError,
    RepositoryBusyError,
    UnfinishedRestoreError,
    UnsupportedRepositoryError,
    UntrustedJournalError,
)
from patchpoint.checkpoints.restore import journal as journals
from patchpoint.checkpoints.restore.journal import HeadMove, RestoreJournal
from patchpoint.checkpoints.restore.phases import Phase
from patchpoint.checkpoints.restore.plan import WorktreeChange
from patchpoint.checkpoints.restore.worktree import RestoreStep
from patchpoint.git.objects.reader import Entry
from patchpoint.git.odb.ids import ObjectID
from patchpoint.git.repository import Repository
from tests.checkpoints.interrupted_restore import interrupt, plant, strangers_journal
from tests.git.git_judge import WorkingTree

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")


def everything(folder: Path) -> dict[str, bytes]:
    """Return every file below `folder` but git's objects, and what is Patchpoint's own."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {"objects", "patchpoint"} & set(path.relative_to(folder).parts)
        # What a crash left behind goes with `doctor --repair`.
        if not path.name.startswith(".patchpoint-")
    }


def edited(tree: WorkingTree) -> tuple[CheckpointStore, str]:
    """Return a store and the id of a checkpoint, since which files were changed, created and deleted."""
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "run\n", "src/b.txt": None, "new/n.txt": "n\n"})
    return store, taken.id


def interrupted(tree: WorkingTree) -> str:
    """Leave a restore of a checkpoint unfinished; return its id."""
    store, taken = edited(tree)
    interrupt(lambda: store.restore(taken))
    return taken


def tampered(tree: WorkingTree, change: Callable[[RestoreJournal], RestoreJournal]) -> None:
    """Change the journal of an interrupted restore, and authenticate it with the user's own key."""
    repository = Repository.open(tree.root)
    journal = journals.read(repository, Phase.APPLYING)
    assert journal is not None
    change(journal).write(repository)
    journals.advance(repository.patchpoint_directory, Phase.PREPARED, Phase.APPLYING)


@pytest.mark.skipif(sys.platform == "win32", reason="the paths lead there from the root")
@pytest.mark.parametrize("phase", ["prepared", "applying", "done"])
def test_a_strangers_journal_is_not_carried_out_by_anything(
    tree: WorkingTree, tmp_path: Path, phase: str
) -> None:
    outside = tmp_path / "outside" / "precious.txt"
    outside.parent.mkdir()
    outside.write_text("precious\n")
    blob = tree.git("hash-object", "-w", str(outside)).strip()
    taken = CheckpointStore.open(tree.root).take().id
    plant(tree.root, phase, strangers_journal(tree.root, blob, outside))
    # The machine seems to have been started again, after which the last restore is checked.
    (tree.root / ".git/patchpoint/restore.boot").write_text("another boot")
    before = everything(tmp_path)
    store = CheckpointStore.open(tree.root)
    store.list()
    codes = [finding.code for finding in store.doctor().findings]
    assert codes == ["untrusted-journal"]
    with pytest.raises(
        NothingToUndoError if phase == "done" else UntrustedJournalError, match="list --safety"
    ):
        store.undo()
    if phase != "done":
        with pytest.raises(UntrustedJournalError, match="doctor --repair"):
            store.restore(taken)
    assert everything(tmp_path) == before
    assert store.doctor(repair=True).healthy
    assert store.doctor().findings == ()
    assert everything(tmp_path) == before
    (aside,) = (tree.root / ".git/patchpoint").glob(f"restore.{phase}.untrusted-*")
    assert json.loads(aside.read_text())["commit"] == blob
    store.restore(taken)
    assert {path: content for path, content in everything(tmp_path).items() if path not in before} == {}


def test_of_a_journal_that_another_user_wrote_nothing_is_done_until_it_is_moved_aside(
    tree: WorkingTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = interrupted(tree)
    before = tree.files()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state of another user"))
    store = CheckpointStore.open(tree.root)
    assert tree.files() == before
    (finding,) = store.doctor().findings
    assert (finding.code, finding.repaired) == ("untrusted-journal", False)
    assert "restore.applying" in finding.message
    assert "doctor --repair" in finding.message
    moved, *left_behind = store.doctor(repair=True).findings
    assert moved.repaired
    assert {finding.code for finding in left_behind} == {"left-behind"}
    before = {path: file for path, file in before.items() if ".patchpoint-" not in path}
    assert tree.files() == before
    store.restore(taken)
    assert (tree.root / "a.txt").read_text() != "run\n"
    store.undo()
    assert tree.files() == before


def test_the_user_whose_restore_it_was_finishes_it_after_somebody_else_saw_it(
    tree: WorkingTree, tmp_path: Path
) -> None:
    interrupted(tree)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_STATE_HOME", str(tmp_path / "state of another user"))
        CheckpointStore.open(tree.root).doctor()
    CheckpointStore.open(tree.root)
    assert (tree.root / "src/b.txt").exists()
    assert not (tree.root / "new").exists()


def test_a_journal_of_an_earlier_version_undoes_nothing_and_hinders_nothing(tree: WorkingTree) -> None:
    store, taken = edited(tree)
    before = tree.files()
    restored = store.restore(taken)
    assert restored.safety is not None
    place = tree.root / ".git/patchpoint/restore.done"
    journal = json.loads(place.read_text())
    del journal["authentication"], journal["hunk"]
    plant(tree.root, "done", journal)
    store = CheckpointStore.open(tree.root)
    with pytest.raises(NothingToUndoError, match="earlier version") as refused:
        store.undo()
    assert "list --safety" in str(refused.value)
    store.take()
    store.prune(keep=0)
    store.restore(restored.safety.id)
    assert tree.files() == before
    store.undo()
    assert store.doctor().findings == ()


def test_a_changed_byte_makes_a_journal_untrusted(tree: WorkingTree) -> None:
    interrupted(tree)
    place = tree.root / ".git/patchpoint/restore.applying"
    before = tree.files()
    original = place.read_text()
    for old, new in (
        ('"whole":true', '"whole":false'),
        ('"a.txt"', '"c.txt"'),
        ('"stagedState":true', '"stagedState":false'),
    ):
        assert old in original
        place.write_text(original.replace(old, new))
        CheckpointStore.open(tree.root)
        assert tree.files() == before
    for code in ("", "é", 7, None, json.loads(original)["authentication"].upper()):
        plant(tree.root, "applying", json.loads(original) | {"authentication": code})
        CheckpointStore.open(tree.root)
        assert tree.files() == before
    place.write_text(original)
    CheckpointStore.open(tree.root)
    assert tree.files() != before


_OTHER = "1" * 40


def _with_step(
    path: bytes, staged: bytes | None, new: bool = True
) -> Callable[[RestoreJournal], RestoreJournal]:
    def change(journal: RestoreJournal) -> RestoreJournal:
        entry = next(step.change.new for step in journal.steps if step.change.new is not None)
        number = len(journal.steps)
        place = (
            staged.replace(b"ID", journal.safety.encode()).replace(b"N", b"%d" % number) if staged else None
        )
        files = WorktreeChange(path, None if new else entry, entry if new else None)
        return replace(journal, steps=(*journal.steps, RestoreStep(files, place)))

    return change


@pytest.mark.parametrize(
    "change",
    [
        _with_step(b"../outside", b".patchpoint-ID-N"),
        _with_step(b"src/../../outside", b".patchpoint-ID-N"),
        _with_step(b"/outside", b".patchpoint-ID-N"),
        _with_step(b".git/hooks/post-checkout", b".patchpoint-ID-N"),
        _with_step(b"src/.GIT/config", b".patchpoint-ID-N"),
        _with_step(b"git~1/config", b".patchpoint-ID-N"),
        _with_step(b"nul\0", b".patchpoint-ID-N"),
        _with_step(b"", b".patchpoint-ID-N"),
        _with_step(b"../outside", None, new=False),
        _with_step(b".git/config", None, new=False),
        _with_step(b"src//config", None, new=False),
        _with_step(b"other.txt", b".patchpoint-ID-N"),
        _with_step(b"other.txt", None, new=False),
        _with_step(b"src/other.txt", b"a.txt"),
        _with_step(b"src/other.txt", b"../.patchpoint-ID-N"),
        _with_step(b"src/other.txt", b".git/.patchpoint-ID-N"),
        _with_step(b"src/other.txt", b"/.patchpoint-ID-N"),
        _with_step(b"src/other.txt", None),
        lambda journal: replace(journal, steps=(*journal.steps, journal.steps[0])),
        lambda journal: replace(journal, steps=tuple(_reversed(step) for step in journal.steps)),
        lambda journal: replace(journal, commit=_OTHER),
        lambda journal: replace(journal, safety_commit=_OTHER),
        lambda journal: replace(journal, safety=journal.checkpoint, safety_commit=journal.commit),
        lambda journal: replace(journal, safety="../" + journal.safety[3:]),
        lambda journal: replace(journal, checkpoint="0" * 14),
        lambda journal: replace(journal, head=HeadMove(ref="refs/heads/main", old=None, new=_OTHER)),
        lambda journal: replace(journal, head=HeadMove(ref="../../outside", old=None, new=_OTHER)),
        lambda journal: replace(journal, head=HeadMove(ref="refs/heads/../x", old=None, new=_OTHER)),
        lambda journal: replace(journal, head=HeadMove(ref="refs/tags/x", old=None, new=_OTHER)),
        lambda journal: replace(journal, head=HeadMove(ref="HEAD", old=None, new="no id")),
        lambda journal: replace(journal, dropped=((journal.checkpoint, journal.commit),)),
        lambda journal: replace(journal, revived=((journal.checkpoint, journal.commit),)),
        lambda journal: replace(journal, dropped=(("../../x", journal.commit),)),
        lambda journal: replace(journal, hunk="@@ -1 +1 @@\n-run\n+a\n"),
    ],
)
def test_what_disagrees_with_the_two_trees_is_not_carried_out_whoever_wrote_it(
    tree: WorkingTree, tmp_path: Path, change: Callable[[RestoreJournal], RestoreJournal]
) -> None:
    interrupted(tree)
    tree.write({"other.txt": tree.git("show", "HEAD:a.txt")})
    tampered(tree, change)
    before = everything(tmp_path)
    store = CheckpointStore.open(tree.root)
    assert everything(tmp_path) == before
    with pytest.raises(UnfinishedRestoreError):
        store.undo()
    assert not store.doctor().healthy
    store.doctor(repair=True)
    assert everything(tmp_path) == before


def _reversed(step: RestoreStep) -> RestoreStep:
    files = step.change.reversed()
    entry = files.new or Entry(0o100644, ObjectID(b"0" * 40))
    return replace(step, change=replace(files, new=entry, old=None))


def test_one_hunk_whose_restore_was_cut_short_is_finished(tree: WorkingTree) -> None:
    tree.write({"a.txt": "".join(f"{number}\n" for number in range(40))})
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    changed = [f"{number}\n" for number in range(40)]
    changed[2], changed[30] = "two\n", "thirty\n"
    tree.write({"a.txt": "".join(changed)})
    (difference,) = store.diff(taken.id)
    interrupt(lambda: store.restore(taken.id, paths=["a.txt"], hunk=difference.hunks[1]))
    assert (tree.root / "a.txt").read_text() == "".join(changed)
    CheckpointStore.open(tree.root)
    assert (tree.root / "a.txt").read_text() == "".join(changed).replace("thirty", "30")
    CheckpointStore.open(tree.root).undo()
    assert (tree.root / "a.txt").read_text() == "".join(changed)


def test_an_ignored_file_in_the_way_does_not_hinder_the_finish(tree: WorkingTree) -> None:
    tree.write({"kept.txt": "then\n"})
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"kept.txt": "ignored now\n", ".git/info/exclude": "kept.txt\n"})
    interrupt(lambda: store.restore(taken.id))
    CheckpointStore.open(tree.root)
    assert (tree.root / "kept.txt").read_text() == "then\n"


def test_checkpoints_of_a_restore_that_was_cut_short_are_not_pruned(tree: WorkingTree) -> None:
    taken = interrupted(tree)
    (tree.root / ".git/index.lock").write_text("git's own")
    try:
        store = CheckpointStore.open(tree.root, options=StoreOptions(wait=0))
        store.prune(keep=0)
        assert taken in {each.id for each in store.list()}
    finally:
        (tree.root / ".git/index.lock").unlink()
    CheckpointStore.open(tree.root)
    assert not (tree.root / "new").exists()


def test_without_a_place_for_the_key_a_restore_works_and_its_process_can_undo_it(
    tree: WorkingTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "a file"))
    store, taken = edited(tree)
    before = tree.files()
    store.restore(taken)
    assert (tree.root / "a.txt").read_text() != "run\n"
    store.undo()
    assert tree.files() == before


def test_in_a_folder_that_is_not_trusted_a_restore_that_was_cut_short_stays_so(tree: WorkingTree) -> None:
    taken = interrupted(tree)
    before = tree.files()
    store = CheckpointStore.open(tree.root, recover=False)
    with pytest.raises(UnfinishedRestoreError, match="not trusted"):
        store.restore(taken)
    with pytest.raises(UnfinishedRestoreError, match="not trusted"):
        store.undo()
    assert tree.files() == before
    CheckpointStore.open(tree.root)
    assert tree.files() != before


@needs_links
@pytest.mark.parametrize("name", ["restore.boot", "restore.applying.new", "lock"])
def test_no_file_is_written_through_a_link_in_the_git_directory(
    tree: WorkingTree, tmp_path: Path, name: str
) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("precious\n")
    link = tree.root / ".git/patchpoint" / name
    link.parent.mkdir()
    link.symlink_to(outside)
    if name == "lock":
        with pytest.raises(RepositoryBusyError, match="symbolic link"):
            edited(tree)
    else:
        store, taken = edited(tree)
        store.restore(taken)
    assert outside.read_text() == "precious\n"


@needs_links
def test_a_directory_of_ours_that_is_a_link_is_refused(tree: WorkingTree, tmp_path: Path) -> None:
    (tmp_path / "outside/replaced-x").mkdir(parents=True)
    os.utime(tmp_path / "outside/replaced-x", (0, 0))
    (tree.root / ".git/patchpoint").symlink_to(tmp_path / "outside")
    with pytest.raises(UnsupportedRepositoryError, match="symbolic link"):
        CheckpointStore.open(tree.root)
    assert [path.name for path in (tmp_path / "outside").iterdir()] == ["replaced-x"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("phase", ["prepared", "applying", "done"])
def test_a_named_pipe_in_place_of_a_journal_keeps_nobody_waiting(tree: WorkingTree, phase: str) -> None:
    (tree.root / ".git/patchpoint").mkdir()
    os.mkfifo(tree.root / ".git/patchpoint" / f"restore.{phase}")
    os.mkfifo(tree.root / ".git/patchpoint/restore.boot")
    store = CheckpointStore.open(tree.root)
    store.take()
    (finding,) = store.doctor().findings
    assert "a named pipe" in finding.message


@pytest.mark.parametrize(
    "journal",
    ["[]", "7", "[" * 100_000, '{"version": 1e999}', '{"version": ' + "9" * 5000 + "}", "\udcff"],
)
def test_what_is_no_journal_at_all_is_reported(tree: WorkingTree, journal: str) -> None:
    place = plant(tree.root, "applying", "")
    place.write_bytes(os.fsencode(journal))
    findings = CheckpointStore.open(tree.root).doctor(repair=True).findings
    assert {finding.code for finding in findings} <= {"unfinished-restore", "untrusted-journal"}
    assert findings
