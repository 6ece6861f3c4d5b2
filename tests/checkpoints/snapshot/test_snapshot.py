from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from patchpoint.checkpoints.errors import SnapshotFailedError
from patchpoint.checkpoints.snapshot import stat_cache, take
from patchpoint.checkpoints.snapshot.staged import read_flags
from patchpoint.checkpoints.snapshot.take import Snapshot, take_snapshot
from patchpoint.git.objects.reader import Change, KnownTrees, ObjectReader
from patchpoint.git.odb.ids import ObjectID
from patchpoint.git.repository import Repository
from patchpoint.progress import CancelledError
from tests.checkpoints.snapshot.random_history import RandomHistory
from tests.checkpoints.snapshot_judge import conflict, snapshot_of, tree_of_git, wait_until_settled
from tests.git.git_judge import WorkingTree, environment

_HISTORIES = int(os.environ.get("PATCHPOINT_HISTORIES", "5"))
"""How many random histories are held against what git makes of them."""
_STEPS = 45


def files_in(tree: WorkingTree, name: str) -> set[str]:
    return set(tree.git("ls-tree", "-r", "-z", "--name-only", name).split("\0")[:-1])


def content(tree: WorkingTree, name: str, path: str) -> bytes:
    done = subprocess.run(
        ["git", "cat-file", "blob", f"{name}:{path}"],
        cwd=tree.root,
        env=environment(),
        capture_output=True,
        check=True,
    )
    return done.stdout


def skipped(snapshot: Snapshot) -> dict[str, str]:
    return {os.fsdecode(each.path): each.reason.name for each in snapshot.skipped}


def differences(
    tree: WorkingTree, one: Snapshot, other: Snapshot, known: KnownTrees | None = None
) -> set[Change]:
    objects = ObjectReader(Repository.open(tree.root))
    return set(objects.changes(ObjectID(one.tree.encode()), ObjectID(other.tree.encode()), known))


@pytest.fixture
def tree(tmp_path: Path) -> WorkingTree:
    return WorkingTree.create(tmp_path / "repo")


@pytest.mark.parametrize("seed", range(_HISTORIES))
def test_through_a_random_history_the_tree_is_always_the_one_that_git_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    if seed % 2:
        # As when every snapshot is taken by a process of its own, which knows what is on the disk only.
        monkeypatch.setattr(stat_cache, "_MOST_KEPT_FILES", -1)
    tree = WorkingTree.create(tmp_path / "repo")
    history = RandomHistory(tree, seed)
    steps: list[str] = []
    before: Snapshot | None = None
    for number in range(_STEPS):
        steps.append(history.step())
        if number % 3 == seed % 3:
            taken = snapshot_of(tree)
            assert taken.tree == tree_of_git(tree), steps
            if before is not None:
                assert differences(tree, taken, before, taken.built) == differences(tree, taken, before), (
                    steps
                )
            before = taken
    tree.refuse_damage()


def test_of_files_that_were_edited_no_tree_is_read_to_tell_what_changed(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(take, "_RACY_NS", -3_600_000_000_000)  # so that no folder is too young to tell
    chance = random.Random(11)
    names = [f"d{number % 3}/e{number % 4}/{number}.txt" for number in range(40)] + ["a.txt", "src/b.txt"]
    tree.write(dict.fromkeys(names, "first\n"))
    before = snapshot_of(tree, max_file_size=1_000)
    for number in range(15):
        for name in chance.sample(names, chance.randrange(1, 12)):
            if chance.random() < 0.3:
                (tree.root / name).chmod(chance.choice((0o644, 0o755)))
            else:
                (tree.root / name).write_text("edited\n" * chance.choice((number + 2, number + 30, 2_000)))
        # Files of more than 1,000 bytes are left out.
        taken = snapshot_of(tree, max_file_size=1_000)
        expected = differences(tree, taken, before)
        with monkeypatch.context() as patch:
            patch.setattr(ObjectReader, "_read", lambda *_: pytest.fail("an object was read"))
            assert differences(tree, taken, before, taken.built) == expected
        before = taken


def test_untracked_files_are_in_it_and_ignored_ones_are_not(tree: WorkingTree) -> None:
    tree.write({"new.txt": "new\n", "debug.log": "noise\n", "build/out": "made\n"})
    taken = snapshot_of(tree)
    assert files_in(tree, taken.tree) == {".gitignore", "a.txt", "src/b.txt", "new.txt"}
    assert files_in(tree, taken.untracked) == {"new.txt"}
    assert taken.files == 4


def test_a_tracked_file_stays_in_it_though_a_rule_would_ignore_it(tree: WorkingTree) -> None:
    tree.write({"kept.log": "kept\n", "build/kept": "kept\n", "build/noise": "noise\n"})
    tree.git("add", "-f", "kept.log", "build/kept")
    assert {"kept.log", "build/kept"} <= files_in(tree, snapshot_of(tree).tree)
    tree.write({"build/kept": "changed\n", "build/more": "noise\n"})
    taken = snapshot_of(tree)
    assert content(tree, taken.tree, "build/kept") == b"changed\n"
    assert "build/more" not in files_in(tree, taken.tree)


def test_an_edited_gitignore_changes_what_is_in_it_at_once(tree: WorkingTree) -> None:
    tree.write({"debug.log": "noise\n", "src/new.txt": "new\n"})
    assert "debug.log" not in files_in(tree, snapshot_of(tree).tree)
    tree.write({".gitignore": "src/new.txt\n"})
    assert "debug.log" in files_in(tree, (taken := snapshot_of(tree)).tree)
    assert "src/new.txt" not in files_in(tree, taken.tree)
    assert taken.tree == tree_of_git(tree)


def test_a_change_of_the_same_size_right_after_a_snapshot_is_seen(tree: WorkingTree) -> None:
    for number in range(30):
        tree.write({"a.txt": f"{number:04}\n"})
        assert content(tree, snapshot_of(tree).tree, "a.txt") == f"{number:04}\n".encode()


def test_a_file_added_to_an_empty_folder_is_seen(tree: WorkingTree) -> None:
    (tree.root / "empty" / "inner").mkdir(parents=True)
    os.utime(tree.root / "empty", (1, 1))
    os.utime(tree.root / "empty" / "inner", (1, 1))
    snapshot_of(tree)
    tree.write({"empty/inner/file": "here\n"})
    assert "empty/inner/file" in files_in(tree, snapshot_of(tree).tree)


def test_a_link_in_place_of_a_folder_does_not_pass_for_the_folder(tree: WorkingTree) -> None:
    snapshot_of(tree)
    (tree.root / "src").rename(tree.root / "moved")
    (tree.root / "src").symlink_to("moved")
    taken = snapshot_of(tree)
    assert files_in(tree, taken.tree) == {".gitignore", "a.txt", "moved/b.txt", "src"}
    assert taken.tree == tree_of_git(tree)


@pytest.mark.parametrize(
    ("attributes", "config"),
    [("* text=auto\n", ""), ("*.txt eol=crlf\n", ""), ("", "true"), ("[attr]mine text\n*.txt mine\n", "")],
    ids=["text=auto", "eol=crlf", "core.autocrlf", "a macro"],
)
def test_the_bytes_of_a_file_are_recorded_whatever_git_would_convert(
    tree: WorkingTree, attributes: str, config: str
) -> None:
    if config:
        tree.git("config", "core.autocrlf", config)
    tree.write({".gitattributes": attributes, "dos.txt": "one\r\ntwo\r\n"})
    tree.git("add", "-A")
    tree.git("commit", "-q", "-m", "converted")
    wait_until_settled(tree)
    assert "\r" not in tree.git("cat-file", "blob", ":dos.txt")
    assert content(tree, snapshot_of(tree).tree, "dos.txt") == b"one\r\ntwo\r\n"


@pytest.mark.parametrize("seed", range(_HISTORIES))
def test_whatever_the_attributes_every_file_is_recorded_byte_for_byte(tmp_path: Path, seed: int) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    history = RandomHistory(tree, seed, attributes=True)
    for number in range(_STEPS):
        step = history.step()
        if number % 6 == seed % 6:
            taken = snapshot_of(tree)
            recorded = {path: content(tree, taken.tree, path) for path in files_in(tree, taken.tree)}
            files = tree.files()
            assert recorded == {path: files[path][1] for path in recorded}, step


def test_no_filter_runs_and_what_it_would_change_is_recorded_as_it_is(tree: WorkingTree) -> None:
    witness = tree.root.parent / "ran"
    tree.git("config", "filter.loud.clean", f"sh -c 'touch {witness}; tr a-z A-Z'")
    tree.write({".gitattributes": "*.txt filter=loud\n", "x.txt": "quiet $Id$\n"})
    tree.git("add", "-A")
    tree.git("commit", "-q", "-m", "filtered")
    wait_until_settled(tree)
    witness.unlink()
    assert content(tree, snapshot_of(tree).tree, "x.txt") == b"quiet $Id$\n"
    assert not witness.exists()


def test_an_attribute_that_the_run_took_away_is_still_reckoned_with(tree: WorkingTree) -> None:
    tree.write({".gitattributes": "* text\n", "dos.txt": "one\r\n"})
    tree.commit("converted")
    wait_until_settled(tree)
    tree.write({".gitattributes": None})
    assert content(tree, snapshot_of(tree).tree, "dos.txt") == b"one\r\n"


def test_names_that_are_no_text_and_odd_ones_are_recorded(tree: WorkingTree) -> None:
    names = [b"\xff\xfe.txt", b"new\nline", b"tab\t", b'quote"', "h\u00e9".encode(), b"-x", b"back\\slash"]
    for name in names:
        with open(os.path.join(os.fsencode(tree.root), name), "wb") as file:
            file.write(name)
    assert snapshot_of(tree).tree == tree_of_git(tree)


def test_links_and_executable_bits_are_recorded(tree: WorkingTree) -> None:
    tree.write({"run.sh": "#!/bin/sh\n"})
    (tree.root / "run.sh").chmod(0o755)
    (tree.root / "link").symlink_to("nowhere/at all")
    taken = snapshot_of(tree)
    assert taken.tree == tree_of_git(tree)
    (tree.root / "run.sh").chmod(0o644)
    assert snapshot_of(tree).tree == tree_of_git(tree) != taken.tree


def test_where_the_executable_bit_means_nothing_the_index_is_believed(tree: WorkingTree) -> None:
    (tree.root / "a.txt").chmod(0o755)
    tree.commit("executable")
    tree.git("config", "core.fileMode", "false")
    (tree.root / "a.txt").chmod(0o644)
    (tree.root / "src" / "b.txt").chmod(0o755)
    tree.write({"new": "x\n"})
    (tree.root / "new").chmod(0o755)
    assert snapshot_of(tree).tree == tree_of_git(tree)


def test_what_cannot_be_recorded_is_left_out_and_named(tree: WorkingTree) -> None:
    os.mkfifo(tree.root / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(tree.root / "socket"))
    tree.write({"big.bin": b"x" * 2000, "secret/key": "k\n", ".GIT/config": "evil\n"})
    taken = snapshot_of(tree, max_file_size=1000, exclude=("secret/",))
    assert skipped(taken) == {
        "pipe": "SPECIAL_FILE",
        "socket": "SPECIAL_FILE",
        "big.bin": "TOO_LARGE",
        "secret": "EXCLUDED",
        ".GIT": "UNSAFE_NAME",
    }
    assert files_in(tree, taken.tree) == {".gitignore", "a.txt", "src/b.txt"}
    assert skipped(snapshot_of(tree, max_file_size=1000, exclude=("secret/",))) == skipped(taken)


def test_settings_that_leave_files_out_take_effect_at_once(tree: WorkingTree) -> None:
    tree.write({"big.bin": b"x" * 2000})
    assert "big.bin" in files_in(tree, snapshot_of(tree).tree)
    without = snapshot_of(tree, exclude=("*.bin", "a.txt"))
    assert skipped(without) == {"big.bin": "EXCLUDED", "a.txt": "EXCLUDED"}
    assert files_in(tree, without.tree) == {".gitignore", "src/b.txt"}
    assert snapshot_of(tree).tree == tree_of_git(tree)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_left_out_and_named(tree: WorkingTree) -> None:
    tree.write({"locked": "x\n"})
    (tree.root / "locked").chmod(0)
    assert skipped(snapshot_of(tree)) == {"locked": "UNREADABLE"}


def test_a_repository_inside_is_one_of_its_own(tree: WorkingTree) -> None:
    inner = WorkingTree.create(tree.root / "inner")
    taken = snapshot_of(tree)
    assert skipped(taken) == {"inner": "NESTED_REPOSITORY"}
    assert files_in(tree, taken.tree) == {".gitignore", "a.txt", "src/b.txt"}
    shutil.rmtree(inner.root / ".git")
    assert "inner/src/b.txt" in files_in(tree, snapshot_of(tree).tree)


def test_a_submodule_is_recorded_by_the_commit_that_is_checked_out(tree: WorkingTree, tmp_path: Path) -> None:
    WorkingTree.create(tmp_path / "library")
    tree.git(
        "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(tmp_path / "library"), "lib"
    )
    tree.commit("with a submodule")
    inner = WorkingTree(tree.root / "lib")
    taken = snapshot_of(tree)
    assert taken.tree == tree_of_git(tree)
    assert skipped(taken) == {"lib": "SUBMODULE"}
    inner.write({"more.txt": "x\n"})
    commit = inner.commit("moved on")
    taken = snapshot_of(tree)
    assert f"160000 commit {commit}\tlib" in tree.git("ls-tree", taken.tree)
    assert taken.tree == tree_of_git(tree)


def test_more_than_fits_on_the_disk_is_refused_before_anything_is_written(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tree.root / "vast.bin").open("wb") as file:
        file.truncate(80 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(100, 99, 1))
    with pytest.raises(SnapshotFailedError, match="80 MiB"):
        snapshot_of(tree, max_file_size=100 << 20)
    assert not list((tree.root / ".git" / "objects" / "pack").iterdir())


def test_an_unchanged_tree_costs_no_object(tree: WorkingTree) -> None:
    tree.write({"new.txt": "new\n"})
    first = snapshot_of(tree)
    again = snapshot_of(tree)
    assert again.new_objects == 0
    assert (again.tree, again.untracked, again.index) == (first.tree, first.untracked, first.index)


def test_objects_that_a_garbage_collection_took_are_written_again(tree: WorkingTree) -> None:
    tree.write({"new.txt": "new\n"})
    first = snapshot_of(tree)
    tree.loosen()
    tree.git("gc", "-q", "--prune=now")
    assert tree.git("cat-file", "-e", first.tree, check=False) == ""
    second = snapshot_of(tree)
    assert second.tree == first.tree
    assert second.new_objects > 0
    assert content(tree, second.tree, "new.txt") == b"new\n"


def test_many_new_objects_become_one_pack(tree: WorkingTree) -> None:
    tree.write({f"many/{number}.txt": f"{number}\n" for number in range(300)})
    taken = snapshot_of(tree)
    packs = list((tree.root / ".git" / "objects" / "pack").glob("*.pack"))
    assert len(packs) == 1
    tree.git("verify-pack", str(packs[0]))
    assert taken.tree == tree_of_git(tree)
    tree.refuse_damage()


def test_an_unborn_branch_has_no_head(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    root.mkdir()
    tree = WorkingTree(root)
    tree.git("init", "-q", "-b", "main")
    tree.write({"a.txt": "a\n"})
    taken = snapshot_of(tree)
    assert (taken.head, taken.branch) == (None, "refs/heads/main")
    assert files_in(tree, taken.tree) == {"a.txt"}
    assert taken.index is not None
    assert files_in(tree, taken.index.tree) == set()


def test_a_detached_head_is_on_no_branch(tree: WorkingTree) -> None:
    tree.git("checkout", "-q", "--detach")
    taken = snapshot_of(tree)
    assert (taken.head, taken.branch) == (tree.git("rev-parse", "HEAD").strip(), None)


def test_a_folder_without_a_repository_is_kept_in_a_private_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "plain"
    WorkingTree(tmp_path).write(
        {"plain/a.txt": "a\n", "plain/sub/b.bin": b"\0", "plain/.gitignore": "*.log\n"}
    )
    WorkingTree(tmp_path).write({"plain/x.log": "noise\n"})
    repository = Repository.open(folder)
    taken = take_snapshot(repository)
    assert repository.private
    assert taken.index is None
    assert sorted(path.name for path in folder.iterdir()) == [".gitignore", "a.txt", "sub", "x.log"]
    store = WorkingTree(Path(os.fsdecode(repository.gitdir)))
    assert (
        files_in(store, taken.tree)
        == {".gitignore", "a.txt", "sub/b.bin"}
        == files_in(store, taken.untracked)
    )
    assert take_snapshot(Repository.open(folder)).new_objects == 0


def test_the_staged_state_is_recorded_with_the_files(tree: WorkingTree) -> None:
    tree.write({"a.txt": "staged\n"})
    tree.git("add", "a.txt")
    tree.write({"a.txt": "on disk\n", "meant.txt": "meant\n"})
    tree.git("add", "-N", "meant.txt")
    tree.git("update-index", "--assume-unchanged", "src/b.txt")
    taken = snapshot_of(tree)
    assert content(tree, taken.tree, "a.txt") == b"on disk\n"
    assert taken.index is not None
    assert content(tree, taken.index.tree, "a.txt") == b"staged\n"
    assert taken.index.tree == tree.git("write-tree").strip()
    assert taken.index.flags is not None
    flags = read_flags(tree.git("cat-file", "blob", taken.index.flags).encode())
    assert set(flags) == {b"meant.txt", b"src/b.txt"}
    assert "meant.txt" in files_in(tree, taken.tree)
    assert taken.untracked == tree.git("hash-object", "-t", "tree", os.devnull).strip()


def test_a_conflict_is_recorded_with_all_its_sides(tree: WorkingTree) -> None:
    conflict(tree)
    taken = snapshot_of(tree)
    assert taken.index is not None
    assert taken.index.stages is not None
    sides = [content(tree, stage, "a.txt") for stage in taken.index.stages]
    assert sides == [b"one\ntwo\nthree\n", b"ours\n", b"theirs\n"]
    assert taken.tree == tree_of_git(tree)


def test_files_left_out_by_a_sparse_checkout_are_in_it_as_the_index_has_them(tree: WorkingTree) -> None:
    tree.write({"left/out.txt": "out\n", "left/in/deep.txt": "deep\n"})
    tree.commit("more")
    expected = tree.git("rev-parse", "HEAD^{tree}").strip()
    tree.git("sparse-checkout", "set", "--cone", "src")
    assert not (tree.root / "left").exists()
    assert snapshot_of(tree).tree == expected
    tree.git("sparse-checkout", "reapply", "--sparse-index")
    assert snapshot_of(tree).tree == expected
    tree.write({"left/new.txt": "new\n"})
    assert {"left/new.txt", "left/out.txt"} <= files_in(tree, snapshot_of(tree).tree)


def test_work_is_stopped_when_it_is_no_longer_wanted(tree: WorkingTree) -> None:
    class Stopped:
        def check(self) -> None:
            raise CancelledError

        def report(self, message: str, done: int = 0, total: int | None = None) -> None: ...

    tree.write({"new.txt": "x\n"})
    with pytest.raises(CancelledError):
        take_snapshot(Repository.open(tree.root), progress=Stopped())
    assert snapshot_of(tree).tree == tree_of_git(tree)
