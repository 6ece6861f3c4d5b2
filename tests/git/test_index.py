from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from patchpoint.checkpoints.errors import SnapshotFailedError
from patchpoint.git.index.read import STAGE, STAT_WORDS, IndexFile, read_index
from patchpoint.git.index.write import write_index
from patchpoint.git.repository import Repository
from tests.checkpoints.snapshot_judge import conflict
from tests.git.git_judge import WorkingTree


def listed(index: IndexFile) -> str:
    """As `git ls-files -s` lists it."""
    return "".join(
        f"{mode:06o} {oid.hex()} {(flags & STAGE) >> 12}\t{path.decode('utf-8', 'surrogateescape')}\0"
        for path, mode, oid, flags in zip(index.paths, index.modes, index.ids, index.flags, strict=True)
    )


def read(tree: WorkingTree) -> IndexFile:
    return read_index(Repository.open(tree.root))


def busy_tree(root: Path, *arguments: str) -> WorkingTree:
    """A tree whose index has all sorts of entries."""
    tree = WorkingTree.create(root, *arguments)
    tree.write({f"many/part{number % 7}/{number}.txt": f"{number}\n" for number in range(60)})
    tree.write(
        {"run.sh": "#!/bin/sh\n", "long/" + "n" * 200 + "/" + "m" * 200 + ".txt": "x\n", "é ü.txt": "x\n"}
    )
    (tree.root / "run.sh").chmod(0o755)
    (tree.root / "pointer").symlink_to("run.sh")
    tree.commit("many")
    return tree


@pytest.mark.parametrize("version", ["2", "3", "4"])
@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_every_version_is_read_as_git_reads_it(tmp_path: Path, version: str, object_format: str) -> None:
    tree = busy_tree(tmp_path / "repo", f"--object-format={object_format}")
    if version == "3":
        tree.write({"meant.txt": "x\n"})
        tree.git("add", "-N", "meant.txt")
    else:
        tree.git("update-index", "--index-version", version)
    index = read(tree)
    assert (tree.root / ".git" / "index").read_bytes()[7] == int(version)
    assert listed(index) == tree.git("ls-files", "-s", "-z")


def statuses(tree: WorkingTree) -> list[list[int]]:
    """The stat words that git has of each entry."""
    return [
        list(map(int, re.findall(r": ?(\d+)", entry)[:9]))
        for entry in tree.git("ls-files", "--debug").split("\n  ctime")[1:]
    ]


def read_statuses(index: IndexFile) -> list[list[int]]:
    rows = [index.stats[at : at + STAT_WORDS] for at in range(0, len(index.stats), STAT_WORDS)]
    return [[word for at, word in enumerate(row) if at != 6] for row in rows]


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_an_index_is_read_rightly_again_and_again(tmp_path: Path, object_format: str) -> None:
    tree = busy_tree(tmp_path / "repo", f"--object-format={object_format}")
    first = read(tree)

    def change(*commands: tuple[str, ...]) -> IndexFile:
        for command in commands:
            tree.git(*command)
        index = read(tree)
        assert listed(index) == tree.git("ls-files", "-s", "-z")
        assert read_statuses(index) == statuses(tree)
        return index

    for number in range(0, 60, 7):
        os.utime(tree.root / f"many/part{number % 7}/{number}.txt", (number + 1, number + 1))
    assert change(("update-index", "-q", "--refresh")).entries_signature == first.entries_signature
    tree.write({"many/part1/1.txt": "changed\n", "run.sh": "#!/bin/bash\n"})
    assert change(("add", "-A")).entries_signature == first.entries_signature
    assert change(("commit", "-q", "-m", "second")).entries_signature == first.entries_signature
    flagged = change(("update-index", "--assume-unchanged", "many/part1/1.txt"))
    assert flagged.entries_signature != first.entries_signature
    assert (
        change(("update-index", "--chmod=+x", "many/part2/2.txt")).entries_signature
        != flagged.entries_signature
    )
    tree.write({"many/part1/new.txt": "new\n"})
    change(("add", "-N", "many/part1/new.txt"))
    change(("rm", "-q", "--cached", "many/part2/9.txt"))
    tree.git("mv", "many/part3/3.txt", "many/part3/4.txt")
    change(("update-index", "--index-version", "4"))
    tree.write({"many/part1/1.txt": "changed again\n"})
    change(("update-index", "--no-assume-unchanged", "many/part1/1.txt"), ("add", "many/part1/1.txt"))


def test_a_split_index_is_read_as_one(tmp_path: Path) -> None:
    tree = busy_tree(tmp_path / "repo")
    tree.git("update-index", "--split-index")
    tree.write({"a.txt": "changed\n", "many/part1/1.txt": None, "many/new.txt": "new\n", "zz.txt": "z\n"})
    tree.git("add", "-A")
    assert listed(read(tree)) == tree.git("ls-files", "-s", "-z")


def test_a_sparse_index_is_read_as_git_lists_it(tmp_path: Path) -> None:
    tree = busy_tree(tmp_path / "repo")
    tree.git("sparse-checkout", "set", "--cone", "--sparse-index", "many/part1")
    listing = tree.git("ls-files", "-s", "-z", "--sparse")
    assert "src/\0" in listing
    assert listed(read(tree)) == listing


@pytest.mark.parametrize("version", ["2", "4"])
def test_paths_of_every_length_are_read_and_written(tmp_path: Path, version: str) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    blob = tree.git("rev-parse", "HEAD:a.txt").strip()
    # A version 4 path says how much less it has in common with the one before, in one byte up to 127.
    lengths = (1, 127, 128, 129, 200, 4094, 4095, 4096, 5000)
    paths = [
        f"{number}/" + "/".join(["n" * 90] * 60)[:length].rstrip("/") for number, length in enumerate(lengths)
    ]
    paths += [f"{number}~" for number in range(len(lengths))]
    lines = "".join(f"100644 {blob} 0\t{path}\n" for path in paths)
    tree.git("update-index", "--add", "--index-info", stdin=lines)
    tree.git("update-index", "--index-version", version)
    listing = tree.git("ls-files", "-s", "-z")
    assert listed(read(tree)) == listing
    write_index(Repository.open(tree.root), read(tree))
    assert tree.git("ls-files", "-s", "-z") == listing


def test_a_conflict_is_read_with_its_stages(tmp_path: Path) -> None:
    tree = busy_tree(tmp_path / "repo")
    conflict(tree)
    assert listed(read(tree)) == tree.git("ls-files", "-s", "-z")


def test_the_trees_that_the_index_knows_are_those_of_the_commit(tmp_path: Path) -> None:
    tree = busy_tree(tmp_path / "repo")
    known = read(tree).trees
    assert known[b""].hex() == tree.git("rev-parse", "HEAD^{tree}").strip()
    for folder in (b"many", b"many/part1", b"src"):
        assert known[folder].hex() == tree.git("rev-parse", f"HEAD:{folder.decode()}").strip()
    tree.write({"many/part1/1.txt": "changed\n"})
    tree.git("add", "-A")
    assert not {b"", b"many", b"many/part1"} & read(tree).trees.keys()


def test_a_damaged_index_is_refused_by_name(tmp_path: Path) -> None:
    tree = busy_tree(tmp_path / "repo")
    place = tree.root / ".git" / "index"
    whole = place.read_bytes()
    for broken in (whole[:100], whole[:500] + b"x" + whole[501:], b"", b"NOPE" + whole[4:]):
        place.write_bytes(broken)
        with pytest.raises(SnapshotFailedError, match="index"):
            read(tree)


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_what_is_written_is_to_git_what_was_read(tmp_path: Path, object_format: str) -> None:
    tree = busy_tree(tmp_path / "repo", f"--object-format={object_format}")
    tree.write({"meant.txt": "x\n"})
    tree.git("add", "-N", "meant.txt")
    tree.git("update-index", "--assume-unchanged", "a.txt")
    tree.git("update-index", "--skip-worktree", "src/b.txt")
    before = tree.git("ls-files", "-s", "-v", "--debug")
    status = tree.git("status", "--porcelain")
    write_index(Repository.open(tree.root), read(tree))
    assert tree.git("ls-files", "-s", "-v", "--debug") == before
    assert tree.git("status", "--porcelain") == status
    tree.refuse_damage()


def test_trees_are_left_for_git_which_finds_the_same(tmp_path: Path) -> None:
    tree = busy_tree(tmp_path / "repo")
    index = read(tree)
    write_index(Repository.open(tree.root), index)
    assert read(tree).trees == {}
    assert tree.git("write-tree").strip() == tree.git("rev-parse", "HEAD^{tree}").strip()
    assert read(tree).trees == index.trees


def test_extensions_that_would_lie_are_not_written(tmp_path: Path) -> None:
    tree = busy_tree(tmp_path / "repo")
    tree.git("update-index", "--force-untracked-cache", "--split-index")
    tree.git("status")
    index = read(tree)
    del index.paths[3], index.ids[3], index.modes[3], index.flags[3], index.stats[30:40]
    index.trees = {}
    write_index(Repository.open(tree.root), index)
    assert tree.git("status", "--porcelain") == tree.git(
        "-c", "core.untrackedCache=false", "status", "--porcelain"
    )
    written = (tree.root / ".git" / "index").read_bytes()
    assert not any(name in written for name in (b"UNTR", b"FSMN", b"link\0", b"EOIE"))
