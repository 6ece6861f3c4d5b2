"""Harm that users of other tools report, each tried here unless another module tries it already."""

from __future__ import annotations

from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import FolderRefusedError, SnapshotFailedError
from tests.git.git_judge import WorkingTree


@pytest.mark.parametrize("name", ["", "Desktop", "Downloads"])
def test_no_checkpoints_are_taken_of_a_home_folder_by_accident(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / name).mkdir(exist_ok=True)
    with pytest.raises(FolderRefusedError) as caught:
        CheckpointStore.open(tmp_path / name)
    assert caught.value.code == "refused-folder"


def test_what_is_said_of_a_checkpoint_does_not_grow_with_the_number_of_files(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    few = store.take()
    tree.write({f"many/{number}.txt": f"{number}\n" for number in range(300)})
    many = store.take()
    sizes = [len(tree.git("cat-file", "commit", each.commit)) for each in (few, many)]
    assert abs(sizes[0] - sizes[1]) < 20


def test_a_capture_that_fails_is_no_checkpoint_and_never_an_older_state(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "two days of work\n"})
    (tree.root / ".git/index").write_bytes(b"DIRC and then nonsense")
    with pytest.raises(SnapshotFailedError):
        store.take()
    assert [each.id for each in store.list()] == [taken.id]
    with pytest.raises(SnapshotFailedError):
        store.restore(taken.id)
    assert (tree.root / "a.txt").read_text() == "two days of work\n"


def test_a_repository_inside_can_be_left_alone_and_has_checkpoints_of_its_own(tree: WorkingTree) -> None:
    inner = WorkingTree.create(tree.root / "inner")
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    assert [left.path for left in taken.skipped] == ["inner"]
    inner.write({"a.txt": "changed inside\n"})
    tree.write({"a.txt": "changed outside\n"})
    before = inner.files()
    store.restore(taken.id, only=True)
    assert inner.files() == before
    inside = CheckpointStore.open(inner.root)
    assert inside.root == inner.root


def test_a_submodule_can_be_left_alone(tree: WorkingTree, tmp_path: Path) -> None:
    WorkingTree.create(tmp_path / "library")
    tree.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(tmp_path / "library"), "lib")
    tree.commit("with a submodule")
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    library = WorkingTree(tree.root / "lib")
    library.write({"a.txt": "changed in the submodule\n"})
    library.commit("in the submodule")
    restored = store.restore(taken.id, only=True)
    assert (library.root / "a.txt").read_text() == "changed in the submodule\n"
    assert "lib" in {left.path for left in (*restored.kept, *taken.skipped)}


def test_a_file_moved_in_since_is_saved_before_it_is_deleted(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"moved-in.txt": "the only copy\n"})
    restored = store.restore(taken.id)
    assert restored.safety is not None
    assert store.read(restored.safety.id, "moved-in.txt") == b"the only copy\n"
    store.undo()
    assert (tree.root / "moved-in.txt").read_text() == "the only copy\n"


def test_a_wiped_store_deletes_nothing(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"new.txt": "n\n"})
    before = tree.files()
    tree.git("update-ref", "-d", f"refs/patchpoint/checkpoints/{taken.id}")
    tree.git("reflog", "expire", "--expire=now", "--all")
    tree.git("gc", "-q", "--prune=now")
    with pytest.raises(Exception, match=taken.id):
        CheckpointStore.open(tree.root).restore(taken.id)
    assert tree.files() == before


def test_a_store_that_is_open_while_git_tidies_up_goes_on(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    tree.write({f"{number}.txt": f"{number}\n" for number in range(150)})
    taken = store.take()
    assert store.read(taken.id, "7.txt") == b"7\n"
    tree.write({"7.txt": "run\n"})
    tree.git("gc", "-q", "--prune=now")
    assert store.restore(taken.id).written == ("7.txt",)
    assert (tree.root / "7.txt").read_text() == "7\n"
    store.take()


def test_the_variables_that_git_sets_for_its_hooks_mislead_nobody(
    tree: WorkingTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = WorkingTree.create(tmp_path / "other")
    for name, value in (
        ("GIT_DIR", other.root / ".git"),
        ("GIT_WORK_TREE", other.root),
        ("GIT_INDEX_FILE", other.root / ".git/index"),
    ):
        monkeypatch.setenv(name, str(value))
    store = CheckpointStore.open(tree.root)
    tree.write({"a.txt": "run\n"})
    taken = store.take()
    tree.write({"a.txt": "more\n"})
    store.restore(taken.id)
    assert (tree.root / "a.txt").read_text() == "run\n"
    assert "patchpoint" in tree.git("for-each-ref")
    assert "patchpoint" not in other.git("for-each-ref")


def test_no_file_of_the_repositorys_own_configuration_is_written(tree: WorkingTree) -> None:
    git = tree.root / ".git"
    kept = [path for path in (git / "config", git / "info/exclude", git / "description") if path.exists()]
    before = [(path.read_bytes(), path.stat().st_mtime_ns) for path in kept]
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "run\n"})
    store.restore(taken.id)
    assert [(path.read_bytes(), path.stat().st_mtime_ns) for path in kept] == before


def test_edits_by_any_program_whatsoever_are_rolled_back(tree: WorkingTree) -> None:
    before = tree.files()
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.git("rm", "-q", "-r", "src")
    tree.git("mv", "a.txt", "b.txt")
    store.restore(taken.id)
    assert tree.files() == before
