from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from patchpoint.checkpoints import CheckpointStore, SnapshotOptions, StoreOptions
from patchpoint.checkpoints.errors import NothingToUndoError
from tests.git.git_judge import WorkingTree

SMALL_FILES = StoreOptions(snapshot=SnapshotOptions(max_file_size=1000))


def test_everything_a_run_did_is_rolled_back(tree: WorkingTree) -> None:
    tree.write({"a.txt": "staged\n"})
    tree.git("add", "a.txt")
    tree.write({"a.txt": "unstaged\n", "untracked.txt": "u\n"})
    before, staged, refs = tree.files(), tree.staged(), tree.refs()
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "run\n", "untracked.txt": None, "made/by/run.txt": "r\n", "src/b.txt": None})
    made = tree.commit("by the run")
    restored = store.restore(taken.id)
    assert (tree.files(), tree.staged(), tree.refs()) == (before, staged, refs)
    assert restored.written == ("a.txt", "src/b.txt", "untracked.txt")
    assert restored.deleted == ("made/by/run.txt",)
    assert not (tree.root / "made").exists()
    assert (restored.head_from, restored.head_to) == (made, taken.head)
    assert tree.git("for-each-ref", "refs/patchpoint/undone", "--format=%(objectname)").strip() == made
    assert "patchpoint: restore" in tree.git("reflog", "-1")
    assert "?? untracked.txt" in tree.git("status", "--porcelain")
    tree.refuse_damage()


def test_an_undo_brings_back_what_the_restore_took_away_and_a_second_one_takes_it_again(
    tree: WorkingTree,
) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    old = (tree.files(), tree.staged(), tree.refs())
    tree.write({"a.txt": "run\n", "new.txt": "n\n"})
    tree.commit("by the run")
    tree.write({"a.txt": "run, later\n"})
    tree.git("add", "a.txt")
    new = (tree.files(), tree.staged(), tree.refs())
    store.restore(taken.id)
    assert (tree.files(), tree.staged(), tree.refs()) == old
    store.undo()
    assert (tree.files(), tree.staged(), tree.refs()) == new
    store.undo()
    assert (tree.files(), tree.staged(), tree.refs()) == old


def test_without_a_restore_there_is_nothing_to_undo(tree: WorkingTree) -> None:
    with pytest.raises(NothingToUndoError) as caught:
        CheckpointStore.open(tree.root).undo()
    assert caught.value.code == "nothing-to-undo"


def test_a_dry_run_says_what_would_be_done_and_does_nothing(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "run\n", "new.txt": "n\n"})
    before = (tree.files(), tree.staged(), tree.refs())
    shown = store.restore(taken.id, dry_run=True)
    assert (shown.written, shown.deleted, shown.safety) == (("a.txt",), ("new.txt",), None)
    assert (tree.files(), tree.staged(), tree.refs()) == before
    assert store.list(safety=True) == ()


def test_files_that_are_as_they_were_are_not_touched(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "run\n"})
    before = (tree.root / "src/b.txt").stat()
    store.restore(taken.id)
    after = (tree.root / "src/b.txt").stat()
    assert (after.st_mtime_ns, after.st_ctime_ns, after.st_ino) == (
        before.st_mtime_ns,
        before.st_ctime_ns,
        before.st_ino,
    )


def test_executable_bits_links_and_permissions_come_back(tree: WorkingTree) -> None:
    tree.write({"run.sh": "#!/bin/sh\n", "private.txt": "mine\n"})
    (tree.root / "run.sh").chmod(0o755)
    (tree.root / "private.txt").chmod(0o600)
    (tree.root / "link").symlink_to("src")
    before = tree.files()
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    (tree.root / "run.sh").chmod(0o644)
    (tree.root / "link").unlink()
    (tree.root / "link").symlink_to("nowhere")
    tree.write({"private.txt": "changed\n"})
    store.restore(taken.id)
    assert tree.files() == before
    assert stat.S_IMODE((tree.root / "private.txt").stat().st_mode) == 0o600


def test_a_file_that_became_a_folder_and_a_folder_that_became_a_file_change_back(tree: WorkingTree) -> None:
    before = tree.files()
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": None, "a.txt/deep/er": "x\n", "src/b.txt": None})
    (tree.root / "src").rmdir()
    tree.write({"src": "now a file\n"})
    after = tree.files()
    store.restore(taken.id)
    assert tree.files() == before
    store.undo()
    assert tree.files() == after


def test_a_folder_that_became_a_link_out_of_the_tree_is_not_followed(
    tree: WorkingTree, tmp_path: Path
) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    before = tree.files()
    outside = tmp_path / "outside"
    (tree.root / "src").rename(outside)
    (outside / "b.txt").write_text("outside\n")
    (tree.root / "src").symlink_to(outside)
    store.restore(taken.id)
    assert tree.files() == before
    assert (outside / "b.txt").read_text() == "outside\n"


def test_one_file_is_restored_and_all_else_stays(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "run\n", "src/b.txt": "run\n", "src/new.txt": "n\n"})
    commit = tree.commit("by the run")
    restored = store.restore(taken.id, paths=["src"])
    assert (restored.written, restored.deleted) == (("src/b.txt",), ("src/new.txt",))
    assert (tree.root / "a.txt").read_text() == "run\n"
    assert tree.git("rev-parse", "HEAD").strip() == commit
    store.undo()
    assert tree.git("status", "--porcelain") == ""


def test_undoing_the_restore_of_a_file_leaves_what_was_done_to_others_since(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "run\n"})
    store.restore(taken.id, paths=["a.txt"])
    tree.write({"src/b.txt": "later\n"})
    store.undo()
    assert (tree.root / "a.txt").read_text() == "run\n"
    assert (tree.root / "src/b.txt").read_text() == "later\n"


def test_a_restore_of_what_is_as_it_was_does_nothing_and_is_not_what_an_undo_takes_back(
    tree: WorkingTree,
) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "run\n"})
    store.restore(taken.id)
    for paths in (None, ["src"]):
        again = store.restore(taken.id, paths=paths)
        assert (again.written, again.deleted, again.safety) == ((), (), None)
    store.undo()
    assert (tree.root / "a.txt").read_text() == "run\n"


def test_one_hunk_is_restored_and_the_others_stay(tree: WorkingTree) -> None:
    lines = [f"line {number}\n" for number in range(40)]
    tree.write({"long.txt": "".join(lines)})
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    changed = ["first\n", *lines[1:-1], "last\n"]
    tree.write({"long.txt": "".join(changed)})
    first, last = store.diff(taken.id)[0].hunks
    store.restore(taken.id, paths=["long.txt"], hunk=first)
    assert (tree.root / "long.txt").read_text() == "".join([lines[0], *changed[1:]])
    store.restore(taken.id, paths=["long.txt"], hunk=store.diff(taken.id)[0].hunks[0])
    assert (tree.root / "long.txt").read_text() == "".join(lines)
    assert last.endswith("-line 39\n+last\n")


def test_the_only_hunk_of_a_new_file_is_the_file(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"new.txt": "n\n"})
    (hunk,) = store.diff(taken.id)[0].hunks
    assert store.restore(taken.id, paths=["new.txt"], hunk=hunk).deleted == ("new.txt",)
    assert not (tree.root / "new.txt").exists()


def test_a_store_opened_on_a_folder_restores_that_folder_alone(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root / "src")
    taken = store.take()
    tree.write({"a.txt": "run\n", "src/b.txt": "run\n"})
    assert [each.path for each in store.diff(taken.id)] == ["src/b.txt"]
    assert store.restore(taken.id).written == ("src/b.txt",)
    assert (tree.root / "a.txt").read_text() == "run\n"


def test_ignored_files_survive(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"x.log": "log\n", "build/out": "out\n", "new.txt": "n\n"})
    store.restore(taken.id)
    assert (tree.root / "x.log").read_text() == "log\n"
    assert (tree.root / "build/out").read_text() == "out\n"


def test_what_the_old_rules_ignored_survives_a_restore_that_brings_them_back(tree: WorkingTree) -> None:
    tree.write({"precious.log": "older than the checkpoint\n"})
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({".gitignore": "", "a.txt": "run\n"})
    restored = store.restore(taken.id)
    assert (tree.root / "precious.log").read_text() == "older than the checkpoint\n"
    assert (tree.root / ".gitignore").read_text() == "*.log\nbuild/\n"
    assert [left.path for left in restored.kept] == ["precious.log"]


def test_what_was_ignored_outside_the_tree_then_survives_too(tree: WorkingTree) -> None:
    exclude = tree.root / ".git/info/exclude"
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_text("*.secret\n")
    tree.write({"key.secret": "k\n"})
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    exclude.write_text("")
    store.restore(taken.id)
    assert (tree.root / "key.secret").read_text() == "k\n"


def test_what_is_ignored_now_and_was_not_then_is_saved_before_it_is_overwritten(tree: WorkingTree) -> None:
    tree.write({"data.txt": "then\n"})
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({".gitignore": "data.txt\n", "data.txt": "now, and ignored\n"})
    restored = store.restore(taken.id)
    assert (tree.root / "data.txt").read_text() == "then\n"
    assert restored.safety is not None
    assert store.read(restored.safety.id, "data.txt") == b"now, and ignored\n"
    store.undo()
    assert (tree.root / "data.txt").read_text() == "now, and ignored\n"


def test_what_a_checkpoint_left_out_is_neither_deleted_nor_overwritten(tree: WorkingTree) -> None:
    tree.write({"large.bin": b"x" * 5000})
    small = CheckpointStore.open(tree.root, options=SMALL_FILES)
    taken = small.take()
    everything = CheckpointStore.open(tree.root)
    restored = everything.restore(taken.id)
    assert restored.deleted == ()
    assert [left.path for left in restored.kept] == ["large.bin"]
    whole = everything.take()
    tree.write({"large.bin": b"y" * 5000})
    restored = small.restore(whole.id)
    assert (tree.root / "large.bin").read_bytes() == b"y" * 5000
    assert [left.path for left in restored.kept] == ["large.bin"]


def test_unsaved_text_comes_back_as_unsaved(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take(buffers={"a.txt": "unsaved then\n", str(tree.root / "src/b.txt"): "b\ud800"})
    restored = store.restore(taken.id, buffers={"a.txt": "unsaved now\n"})
    assert restored.buffers == {"a.txt": "unsaved then\n", "src/b.txt": "b\ud800"}
    assert (tree.root / "a.txt").read_text() == "one\ntwo\nthree\n"
    assert store.undo().buffers == {"a.txt": "unsaved now\n"}


@pytest.mark.parametrize(
    "attributes", ["* text=auto eol=crlf\n", "* ident\n", "* working-tree-encoding=UTF-16\n"]
)
def test_bytes_come_back_whatever_the_attributes_say(tree: WorkingTree, attributes: str) -> None:
    tree.git("config", "core.autocrlf", "true")
    tree.write({".gitattributes": attributes, "mixed.txt": b"\xff\xfea\r\nb\n$Id$\r", "a.txt": b"x\r\ny\n"})
    before = tree.files()
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"mixed.txt": "changed\n", "a.txt": None})
    store.restore(taken.id)
    assert tree.files() == before


def test_a_name_that_is_no_text_comes_back(tree: WorkingTree) -> None:
    name = os.fsdecode(b"\xff\xfe.txt")
    tree.write({name: "odd\n", 'quote"d\n.txt': "q\n"})
    before = tree.files()
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({name: None, 'quote"d\n.txt': "changed\n"})
    store.restore(taken.id)
    assert tree.files() == before


def test_the_first_commit_of_a_run_is_undone_to_an_unborn_branch(tmp_path: Path) -> None:
    root = tmp_path / "new"
    root.mkdir()
    tree = WorkingTree(root)
    tree.git("init", "-q", "-b", "main")
    tree.write({"a.txt": "a\n"})
    store = CheckpointStore.open(root)
    taken = store.take()
    made = tree.commit("by the run")
    restored = store.restore(taken.id)
    assert (restored.head_from, restored.head_to) == (made, None)
    assert tree.git("status", "--porcelain") == "?? a.txt\n"
    assert tree.git("symbolic-ref", "HEAD").strip() == "refs/heads/main"
    store.undo()
    assert tree.git("rev-parse", "HEAD").strip() == made


def test_a_detached_head_goes_back(tree: WorkingTree) -> None:
    tree.git("checkout", "-q", "--detach")
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "run\n"})
    tree.commit("by the run")
    store.restore(taken.id)
    assert tree.git("rev-parse", "HEAD").strip() == taken.head
    assert tree.git("status", "--porcelain") == ""


def test_linked_working_trees_have_checkpoints_of_their_own(tree: WorkingTree) -> None:
    main = CheckpointStore.open(tree.root)
    main.take(label="main")
    linked_root = tree.root.parent / "linked"
    tree.git("worktree", "add", "-q", "-b", "topic", str(linked_root))
    linked_tree = WorkingTree(linked_root)
    linked = CheckpointStore.open(linked_root)
    taken = linked.take(label="linked")
    assert [each.label for each in linked.list()] == ["linked"]
    assert [each.label for each in main.list()] == ["main"]
    linked_tree.write({"a.txt": "run\n"})
    linked_tree.commit("by the run")
    linked.restore(taken.id)
    assert linked_tree.git("status", "--porcelain") == ""
    assert tree.git("status", "--porcelain") == ""
    tree.refuse_damage()


def test_a_sha256_repository_is_restored(tmp_path: Path) -> None:
    tree = WorkingTree.create(tmp_path / "repo", "--object-format=sha256")
    before = (tree.files(), tree.staged(), tree.refs())
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "run\n", "new.txt": "n\n"})
    tree.commit("by the run")
    store.restore(taken.id)
    assert (tree.files(), tree.staged(), tree.refs()) == before
    tree.refuse_damage()


_PATHS = st.sampled_from(
    ["a.txt", "src/b.txt", "src", "d", "d/e", "d/e/f", "x.log", "keep/y.log", ".gitignore"]
)
_STATES = st.dictionaries(
    _PATHS, st.sampled_from(["", "1\n", "2\n", "*.log\n", "!*.log\n", "link"]), min_size=1, max_size=6
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(then=_STATES, now=_STATES, commits=st.booleans(), stages=st.booleans())
def test_whatever_the_two_states_are_nothing_of_either_is_lost(
    tmp_path_factory: pytest.TempPathFactory,
    then: dict[str, str],
    now: dict[str, str],
    commits: bool,
    stages: bool,
) -> None:
    tree = WorkingTree.create(tmp_path_factory.mktemp("any") / "repo")
    _become(tree, then)
    old = tree.files()
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    recorded = set(tree.git("ls-tree", "-r", "-z", "--name-only", taken.commit).split("\0")) - {""}
    if commits:
        tree.git("commit", "-q", "--allow-empty", "-a", "-m", "by the run")
    _become(tree, now)
    if stages:
        tree.git("add", "-A")
    new = tree.files()
    restored = store.restore(taken.id)
    kept = {left.path for left in restored.kept}
    for path in recorded:
        assert path in kept or tree.files()[path] == old[path]
    if restored.safety is None:
        assert (restored.written, restored.deleted, tree.files()) == ((), (), new)
        return
    for path in restored.deleted:
        assert path not in old
        assert store.read(restored.safety.id, path) == new[path][1]
    assert tree.git("rev-parse", "HEAD").strip() == taken.head
    store.undo()
    assert tree.files() == new
    tree.refuse_damage()


def test_a_folder_comes_and_goes_in_place_of_a_link_to_itself(tmp_path: Path) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    (tree.root / "src" / "b.txt").unlink()
    (tree.root / "src").rmdir()
    (tree.root / "src").symlink_to("src")
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    assert taken.skipped == ()
    (tree.root / "src").unlink()
    tree.write({"src/b.txt": "new\n"})
    store.restore(taken.id)
    assert (tree.root / "src").is_symlink()
    store.undo()
    assert (tree.root / "src" / "b.txt").read_text() == "new\n"


def _become(tree: WorkingTree, state: dict[str, str]) -> None:
    """Replace what is there by the files of `state`, as far as they go together."""
    for path in sorted(tree.files()):
        (tree.root / path).unlink()
    for path, content in sorted(state.items(), key=lambda item: -len(item[0])):
        place = tree.root / path
        for folder in (*place.parents, place):
            if folder.is_relative_to(tree.root) and folder != tree.root and folder.is_file():
                break
        else:
            if place.is_dir() and any(place.iterdir()):
                continue
            if place.is_dir():
                place.rmdir()
            place.parent.mkdir(parents=True, exist_ok=True)
            if content == "link":
                place.symlink_to("a.txt")
            else:
                place.write_text(content)


def test_what_a_restore_saves_is_one_pack(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take().id
    tree.write({f"new/{number}.txt": f"{number}\n" for number in range(3)})
    before = set((tree.root / ".git/objects/pack").glob("*.pack"))
    store.restore(taken)
    assert len(set((tree.root / ".git/objects/pack").glob("*.pack")) - before) == 1


def test_a_preview_of_a_restore_leaves_what_it_found_for_the_next_checkpoint(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take().id
    tree.write({"new.txt": "new\n"})
    store.restore(taken, dry_run=True)
    assert tree.git("cat-file", "-t", tree.git("hash-object", "new.txt").strip()).strip() == "blob"
