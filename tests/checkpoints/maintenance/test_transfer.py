from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from dulwich.repo import Repo
from dulwich.server import BackendRepo, DictBackend
from dulwich.web import make_wsgi_chain

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import CheckpointNotFoundError, TransferError
from tests.git.git_judge import WorkingTree


class QuietHandler(WSGIRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def bare(tmp_path: Path) -> WorkingTree:
    """An empty bare repository."""
    root = tmp_path / "remote.git"
    root.mkdir()
    remote = WorkingTree(root)
    remote.git("init", "-q", "--bare")
    remote.git("config", "http.receivepack", "true")
    return remote


@pytest.fixture(params=["folder", "http"])
def remote(request: pytest.FixtureRequest, bare: WorkingTree) -> Iterator[str]:
    """What names the bare repository: its folder, or a URL at which it is served."""
    if request.param == "folder":
        yield str(bare.root)
        return
    with Repo(str(bare.root)) as repo:
        application = make_wsgi_chain(DictBackend({"/remote.git": cast(BackendRepo, repo)}))
        with make_server("127.0.0.1", 0, application, handler_class=QuietHandler) as server:
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            yield f"http://127.0.0.1:{server.server_port}/remote.git"
            server.shutdown()
            thread.join()


def test_checkpoints_follow_a_person_to_another_machine(
    tree: WorkingTree, bare: WorkingTree, remote: str, tmp_path: Path
) -> None:
    here = CheckpointStore.open(tree.root)
    tree.write({"a.txt": "staged\n", "untracked.txt": "u\n"})
    tree.git("add", "a.txt")
    taken = here.take(label="take me along", session="chat", message="m1", buffers={"a.txt": "unsaved"})
    tree.write({"a.txt": "more\n"})
    second = here.take()
    assert here.push(remote) == (second.id, taken.id)
    assert here.push(remote) == ()
    bare.refuse_damage()
    there_root = tmp_path / "there"
    tree.git("clone", "-q", str(tree.root), str(there_root))
    there_tree = WorkingTree(there_root)
    there = CheckpointStore.open(there_root)
    assert there.fetch(remote) == (second.id, taken.id)
    assert there.fetch(remote) == ()
    assert there.show(taken.id) == replace(taken, root=str(there_root))
    restored = there.restore(taken.id)
    assert restored.buffers == {"a.txt": "unsaved"}
    assert there_tree.git("status", "--porcelain") == "M  a.txt\n?? untracked.txt\n"
    there_tree.refuse_damage()


def test_one_checkpoint_is_sent_by_its_id(tree: WorkingTree, bare: WorkingTree, remote: str) -> None:
    store = CheckpointStore.open(tree.root)
    first = store.take()
    store.take()
    assert store.push(remote, [first.id]) == (first.id,)
    assert bare.git("for-each-ref", "--format=%(refname)").split() == [
        f"refs/patchpoint/checkpoints/{first.id}"
    ]
    with pytest.raises(CheckpointNotFoundError):
        store.push(remote, ["0" * 14])


def test_a_remote_is_found_by_its_name(tree: WorkingTree, bare: WorkingTree) -> None:
    tree.git("remote", "add", "backup", str(bare.root))
    taken = CheckpointStore.open(tree.root).take()
    assert CheckpointStore.open(tree.root).push("backup") == (taken.id,)


def test_checkpoints_of_a_linked_working_tree_are_sent_as_all_others(
    tree: WorkingTree, bare: WorkingTree
) -> None:
    linked = tree.root.parent / "linked"
    tree.git("worktree", "add", "-q", "-b", "topic", str(linked))
    taken = CheckpointStore.open(linked).take()
    CheckpointStore.open(linked).push(str(bare.root))
    assert CheckpointStore.open(tree.root).fetch(str(bare.root)) == (taken.id,)


def test_checkpoints_of_a_plain_folder_are_sent_too(
    tmp_path: Path, bare: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "a.txt").write_text("a\n")
    taken = CheckpointStore.open(folder).take()
    assert CheckpointStore.open(folder).push(str(bare.root)) == (taken.id,)
    assert bare.git("show", f"refs/patchpoint/checkpoints/{taken.id}:a.txt") == "a\n"


@pytest.mark.parametrize(
    "remote",
    ["nowhere", "ssh://host/repo.git", "git@host:repo.git", "http://127.0.0.1:9/x.git", "ext::sh -c true"],
)
def test_a_remote_that_cannot_be_used_is_named(tree: WorkingTree, remote: str) -> None:
    store = CheckpointStore.open(tree.root)
    store.take()
    for move in (store.push, store.fetch):
        with pytest.raises(TransferError) as caught:
            move(remote)
        assert remote in str(caught.value)
        assert caught.value.code == "transfer-failed"
