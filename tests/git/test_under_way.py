from __future__ import annotations

import os
from pathlib import Path

import pytest

from patchpoint.git.index.under_way import UnderWay, read_under_way, set_under_way
from patchpoint.git.repository import Repository
from tests.git.git_judge import WorkingTree

ID = b"0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def tree(tmp_path: Path) -> WorkingTree:
    return WorkingTree.create(tmp_path / "repo")


def test_a_checkpoint_from_elsewhere_writes_nothing_but_files_of_a_merge(tree: WorkingTree) -> None:
    before = {
        name: (tree.root / ".git" / name).lstat().st_mtime_ns for name in os.listdir(tree.root / ".git")
    }
    recorded = {
        "config": b"[core]\n\tfsmonitor = evil\n",
        "rebase-merge": b"exec evil\n",
        "MERGE_MSG": b"a message\n",
        "MERGE_HEAD": ID + b"\n",
        "MERGE_RR": ID + b"\t../outside\x00",
        "steps": b"\xff\nrebase-merge x\n",
    }
    set_under_way(Repository.open(tree.root), UnderWay.from_record(recorded))
    after = {name: (tree.root / ".git" / name).lstat().st_mtime_ns for name in os.listdir(tree.root / ".git")}
    assert set(after) - set(before) == {"MERGE_MSG", "MERGE_HEAD"}
    assert {name: after[name] for name in before} == before


@pytest.mark.parametrize("path", [b"a.txt", b"src/b.txt", b".git/config", b"../x", b"/etc/x"])
def test_what_git_remembers_of_conflicts_is_brought_back_for_paths_of_the_tree_alone(path: bytes) -> None:
    resolutions = ID + b".1\t" + path + b"\x00" + ID + b"\tother\x00"
    is_safe = path in (b"a.txt", b"src/b.txt")
    assert UnderWay.from_record({"MERGE_RR": resolutions}).files == (
        {"MERGE_RR": resolutions} if is_safe else {}
    )


def test_a_link_or_a_pipe_in_place_of_such_a_file_is_neither_followed_nor_waited_for(
    tree: WorkingTree, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(ID)
    (tree.root / ".git/MERGE_HEAD").symlink_to(outside)
    os.mkfifo(tree.root / ".git/MERGE_MSG")
    repository = Repository.open(tree.root)
    found = read_under_way(repository)
    assert (found.files, set(found.steps), found.operation) == ({}, {"MERGE_HEAD", "MERGE_MSG"}, "merge")
    set_under_way(repository, UnderWay({"MERGE_HEAD": ID + b"\n"}))
    assert outside.read_bytes() == ID
    assert (tree.root / ".git/MERGE_HEAD").read_bytes() == ID + b"\n"


def test_what_is_under_way_is_recorded_and_read_as_it_was() -> None:
    found = UnderWay(
        {"MERGE_HEAD": ID + b"\n" + ID[::-1] + b"\n", "MERGE_MSG": b"\xff"}, {"sequencer": "0" * 64}
    )
    assert UnderWay.from_record(found.to_record()) == found
    assert found.commits == (ID.decode(), ID[::-1].decode())
    assert UnderWay.from_record({}) == UnderWay()
