"""The proof that the way back works: a checkpoint of the tree, restored next to it, every byte compared."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.maintenance import prove as module
from patchpoint.checkpoints.options import StoreOptions
from tests.git.git_judge import WorkingTree


def with_all_kinds(tree: WorkingTree) -> None:
    tree.write({"tool.sh": "#!/bin/sh\n", "mixed.txt": b"a\r\nb\n\xff", "build/ignored": "x\n"})
    (tree.root / "tool.sh").chmod(0o755)
    (tree.root / "link").symlink_to("a.txt")
    (tree.root / "private.key").touch(0o600)


def test_a_tree_is_proven_from_the_mirror_alone_and_nothing_stays(tree: WorkingTree) -> None:
    with_all_kinds(tree)
    before, around = (tree.files(), tree.staged(), tree.refs()), sorted(tree.root.parent.iterdir())
    store = CheckpointStore.open(tree.root)
    proof = store.prove()
    assert (proof.holds, proof.from_mirror, proof.different, proof.changed) == (True, True, (), ())
    assert proof.files == 7
    assert proof.bytes == sum(
        len(content) for path, (_, content) in tree.files().items() if not path.startswith("build/")
    )
    assert (tree.files(), tree.staged(), tree.refs()) == before
    assert [each for each in sorted(tree.root.parent.iterdir()) if each.name != "state"] == [
        each for each in around if each.name != "state"
    ]
    assert (store.list(), store.list(safety=True), store.elsewhere()) == ((), (), ())


def test_without_a_mirror_the_repository_proves_it(tree: WorkingTree) -> None:
    proof = CheckpointStore.open(tree.root, options=StoreOptions(mirror_bytes=None)).prove()
    assert (proof.holds, proof.from_mirror) == (True, False)


def test_a_folder_in_no_repository_can_be_proven(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain/a.txt").write_text("a\n")
    proof = CheckpointStore.open(tmp_path / "plain").prove()
    assert (proof.holds, proof.files, proof.bytes) == (True, 1, 2)


def test_a_file_that_comes_back_otherwise_is_named(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = module._restore_aside

    def and_spoil(*arguments: object) -> None:
        real(*arguments)  # type: ignore[arg-type]
        folder = arguments[3]
        assert isinstance(folder, Path)
        (folder / "tree/a.txt").write_text("spoilt\n")
        (folder / "tree/src/b.txt").unlink()
        (folder / "tree/more.txt").touch()

    os.utime(tree.root / "a.txt", (1, 1))
    monkeypatch.setattr(module, "_restore_aside", and_spoil)
    monkeypatch.setattr(module, "_changed_since", lambda *_: False)
    proof = CheckpointStore.open(tree.root).prove()
    assert not proof.holds
    assert proof.different == ("a.txt", "more.txt", "src/b.txt")
