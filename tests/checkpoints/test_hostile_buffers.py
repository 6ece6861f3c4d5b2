"""Unsaved text of a checkpoint that came from elsewhere goes to no path out of the tree, or into git's."""

from __future__ import annotations

import subprocess

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import CheckpointDamagedError
from tests.git.git_judge import WorkingTree


def write_object(tree: WorkingTree, kind: str, content: bytes) -> str:
    """Write an object as it is, whatever git thinks of it; return its id."""
    done = subprocess.run(
        ["git", "hash-object", "-w", "--stdin", "--literally", "-t", kind],
        cwd=tree.root,
        input=content,
        capture_output=True,
        check=True,
    )
    return done.stdout.decode().strip()


def nested(tree: WorkingTree, path: str, text: bytes) -> str:
    """Write a tree with one file whose path is exactly `path`; return its id."""
    oid, mode = write_object(tree, "blob", text), b"100644"
    for name in reversed(path.split("/")):
        entry = mode + b" " + name.encode() + b"\0" + bytes.fromhex(oid)
        oid, mode = write_object(tree, "tree", entry), b"40000"
    return oid


def with_buffers(tree: WorkingTree, taken: str, buffers: str) -> None:
    """Have the checkpoint `taken` hold the tree `buffers` as its unsaved text, as a remote could send it."""
    ref = f"refs/patchpoint/checkpoints/{taken}"
    commit = tree.git("cat-file", "commit", ref)
    state = tree.git("rev-parse", f"{ref}^2").strip()
    entries = [line for line in tree.git("ls-tree", state).splitlines() if "\tbuffers" not in line]
    entries.append(f"040000 tree {buffers}\tbuffers")
    listed = subprocess.run(
        ["git", "mktree"], cwd=tree.root, input="\n".join(entries), capture_output=True, text=True, check=True
    )
    content = tree.git("cat-file", "commit", state)
    old_tree = tree.git("rev-parse", f"{state}^{{tree}}").strip()
    new_state = write_object(tree, "commit", content.replace(old_tree, listed.stdout.strip()).encode())
    tree.git("update-ref", ref, write_object(tree, "commit", commit.replace(state, new_state).encode()))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("../outside.txt", b"evil\n"),
        ("a/../../outside.txt", b"evil\n"),
        (".git/config", b"evil\n"),
        ("src/.GIT/hooks/post-checkout", b"evil\n"),
        ("/outside.txt", b"evil\n"),
        ("a.txt", b"\xff\xfe is no UTF-8"),
    ],
)
def test_a_checkpoint_with_such_unsaved_text_counts_as_damaged(
    tree: WorkingTree, path: str, text: bytes
) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take(buffers={"a.txt": "unsaved\n"}).id
    tree.write({"a.txt": "now\n"})
    before = tree.files()
    with_buffers(tree, taken, nested(tree, path, text))
    store = CheckpointStore.open(tree.root)
    with pytest.raises(CheckpointDamagedError):
        store.restore(taken)
    assert tree.files() == before
    assert "checkpoint-damaged" in {finding.code for finding in store.doctor().findings}


def test_such_a_checkpoint_with_a_harmless_path_is_restored(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take(buffers={"a.txt": "unsaved\n"}).id
    with_buffers(tree, taken, nested(tree, "src/b.txt", b"from elsewhere\n"))
    restored = CheckpointStore.open(tree.root).restore(taken)
    assert restored.buffers == {"src/b.txt": "from elsewhere\n"}
