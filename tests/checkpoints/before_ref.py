"""Something that happens when all objects of a checkpoint are written, and its ref is not."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.git import refs
from tests.git.git_judge import WorkingTree


def happens_before_each_ref(
    monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object], module: ModuleType = refs
) -> None:
    """Call `happens` before each ref that is created through `module`."""
    create = refs.create

    def create_after(store: refs.Refs, name: bytes, commit: str) -> bool:
        happens()
        return create(store, name, commit)

    monkeypatch.setattr(module, "create", create_after)


def comes_back(tree: WorkingTree, store: CheckpointStore, checkpoint: str) -> None:
    """What is changed and deleted now is as before, once the checkpoint is restored."""
    before = tree.files()
    tree.write({"new/1.txt": None, "new/2.txt": "changed\n"})
    store.restore(checkpoint)
    assert tree.files() == before
