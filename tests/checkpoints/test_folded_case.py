"""On a disk that folds case, a file has one name: in a checkpoint, in a restore and in its undo."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.cli import main
from tests.checkpoints.folding import folding_disk
from tests.checkpoints.interrupted_restore import interrupt
from tests.git.git_judge import WorkingTree


@pytest.fixture(params=["double", "exFAT"])
def disk(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on a disk that folds case."""
    with folding_disk(request.param, tmp_path, monkeypatch) as place:
        yield place


@pytest.fixture
def folding(disk: Path) -> WorkingTree:
    """A repository on such a disk."""
    tree = WorkingTree(disk / "repo")
    tree.root.mkdir()
    tree.git("init", "-q", "-b", "main")
    for name, value in (("ignorecase", "true"), ("fileMode", "false"), ("symlinks", "false")):
        tree.git("config", f"core.{name}", value)
    tree.write({"Foo.py": "one\n", "src/b.py": "b\n"})
    tree.git("add", "-A")
    tree.git("commit", "-qm", "first")
    return tree


def names(tree: WorkingTree) -> dict[str, str]:
    """The files of the tree by the names that the disk lists, with their text."""
    found = {}
    for folder, folders, files in os.walk(tree.root):
        folders[:] = [each for each in folders if each != ".git"]
        for name in files:
            place = os.path.join(folder, name)
            with open(place, encoding="utf-8") as file:
                found[os.path.relpath(place, tree.root)] = file.read()
    return found


def held(tree: WorkingTree, commit: str) -> set[str]:
    return set(tree.git("ls-tree", "-r", "-z", "--name-only", commit).split("\0")) - {""}


def rename(tree: WorkingTree, old: str, new: str, text: str | None) -> None:
    os.rename(tree.root / old, tree.root / new)
    if text is not None:
        tree.write({new: text})


def test_a_file_that_is_renamed_by_case_is_in_a_checkpoint_once(folding: WorkingTree) -> None:
    store = CheckpointStore.open(folding.root)
    store.take()
    rename(folding, "Foo.py", "foo.py", "two\n")
    for _ in range(3):
        assert held(folding, store.take().commit) == {"foo.py", "src/b.py"}
        folding.write({"foo.py": names(folding)["foo.py"] + "more\n"})
    folding.git("add", "-A")
    assert held(folding, store.take().commit) == {"foo.py", "src/b.py"}


@pytest.mark.parametrize("text", ["two\n", None], ids=["edited", "as it was"])
def test_a_restore_and_its_undo_bring_back_name_and_text(folding: WorkingTree, text: str | None) -> None:
    store = CheckpointStore.open(folding.root)
    taken = store.take()
    before = names(folding)
    rename(folding, "Foo.py", "foo.py", "changed, to be seen\n")
    folding.write({"foo.py": text or "one\n"})
    after = names(folding)
    assert set(after) == {"foo.py", "src/b.py"}
    restored = store.restore(taken.id)
    assert names(folding) == before
    assert (restored.written, restored.deleted, restored.kept) == (("Foo.py",), ("foo.py",), ())
    assert restored.safety is not None
    assert held(folding, restored.safety.commit) == set(after)
    store.undo()
    assert names(folding) == after
    store.redo()
    assert names(folding) == before


def test_the_command_that_undoes_the_last_operation_brings_back_the_name(
    folding: WorkingTree, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = CheckpointStore.open(folding.root).take()
    before = names(folding)
    rename(folding, "Foo.py", "foo.py", "two\n")
    after = names(folding)
    monkeypatch.chdir(folding.root)
    assert main(["restore", taken.id]) == 0, capsys.readouterr()
    assert names(folding) == before
    assert main(["undo"]) == 0, capsys.readouterr()
    assert names(folding) == after
    assert main(["redo"]) == 0, capsys.readouterr()
    assert names(folding) == before


def test_a_restore_that_was_cut_short_brings_back_the_name_when_it_is_finished(folding: WorkingTree) -> None:
    store = CheckpointStore.open(folding.root)
    taken = store.take()
    before = names(folding)
    rename(folding, "Foo.py", "foo.py", "changed, to be seen\n")
    folding.write({"foo.py": "one\n"})
    interrupt(lambda: store.restore(taken.id))
    assert held(folding, CheckpointStore.open(folding.root).take().commit) == set(before)
    assert names(folding) == before


def test_of_two_names_of_one_file_one_is_restored_and_the_other_named(folding: WorkingTree) -> None:
    store = CheckpointStore.open(folding.root)
    taken = with_two_names(folding, store)
    before = names(folding)
    restored = store.restore(taken)
    assert names(folding) == before | {"A.py": "large\n", "Foo.py": "one\n"}
    assert [(left.path, left.reason) for left in restored.kept] == [
        ("a.py", "this disk takes it for 'A.py'"),
        ("foo.py", "this disk takes it for 'Foo.py'"),
    ]
    assert restored.written == ("A.py",)
    store.undo()
    assert names(folding) == before


def test_a_restore_of_files_that_differ_only_in_case_changes_nothing_elsewhere(tree: WorkingTree) -> None:
    tree.write({"A.py": "large\n", "a.py": "small\n"})
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"A.py": None, "a.py": None})
    restored = store.restore(taken.id)
    assert (restored.written, restored.kept) == (("A.py", "a.py"), ())
    assert ((tree.root / "A.py").read_text(), (tree.root / "a.py").read_text()) == ("large\n", "small\n")


def test_a_folder_that_is_renamed_by_case_keeps_its_files(folding: WorkingTree) -> None:
    store = CheckpointStore.open(folding.root)
    taken = store.take()
    rename(folding, "src", "SRC", None)
    folding.write({"SRC/b.py": "changed\n", "SRC/c.py": "new\n"})
    assert held(folding, store.take().commit) == {"Foo.py", "SRC/b.py", "SRC/c.py"}
    store.restore(taken.id)
    assert {path.lower(): text for path, text in names(folding).items()} == {
        "foo.py": "one\n",
        "src/b.py": "b\n",
    }
    store.undo()
    assert {path.lower(): text for path, text in names(folding).items()} == {
        "foo.py": "one\n",
        "src/b.py": "changed\n",
        "src/c.py": "new\n",
    }


def with_two_names(tree: WorkingTree, store: CheckpointStore) -> str:
    """Add to the store a checkpoint from elsewhere, with `A.py` and `a.py`, `Foo.py` and `foo.py`."""
    taken = store.take()
    large, small = (
        tree.git("hash-object", "-w", "--stdin", stdin=text).strip() for text in ("large\n", "small\n")
    )
    entries = tree.git("ls-tree", f"{taken.commit}^{{tree}}")
    entries += f"100644 blob {large}\tA.py\n100644 blob {small}\ta.py\n100644 blob {small}\tfoo.py\n"
    made = tree.git("mktree", stdin=entries).strip()
    raw = tree.git("cat-file", "commit", taken.commit).split("\n", 1)[1]
    commit = tree.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=f"tree {made}\n{raw}").strip()
    tree.git("update-ref", f"refs/patchpoint/checkpoints/{taken.id}", commit)
    return taken.id


@pytest.mark.parametrize("disk", ["double"], indirect=True)
def test_names_that_the_disk_decomposes_are_recorded_composed_where_git_does(folding: WorkingTree) -> None:
    apart, together = "cafe\u0301/na\u0308me.py", "caf\u00e9/n\u00e4me.py"
    folding.write({apart: "one\n"})
    store = CheckpointStore.open(folding.root)
    assert apart in held(folding, store.take().commit)
    folding.git("config", "core.precomposeunicode", "true")
    store = CheckpointStore.open(folding.root)
    taken = store.take()
    assert held(folding, taken.commit) == {"Foo.py", "src/b.py", together}
    folding.write({apart: "two\n"})
    assert held(folding, store.take().commit) == {"Foo.py", "src/b.py", together}
    restored = store.restore(taken.id)
    assert restored.written == (together,)
    assert [*names(folding).values()].count("one\n") == 2, "Foo.py and this one, once"
    store.undo()
    assert sorted(names(folding).values()) == ["b\n", "one\n", "two\n"]
    store.redo()
    (folding.root / restored.written[0]).unlink()
    assert held(folding, store.take().commit) == {"Foo.py", "src/b.py"}
    store.restore(taken.id)
    assert sorted(names(folding).values()) == ["b\n", "one\n", "one\n"]


def test_a_disk_that_keeps_both_compositions_apart_has_two_files(tree: WorkingTree) -> None:
    both = {"caf\u00e9.py": "together\n", "cafe\u0301.py": "apart\n", "e\u0301.py": "alone\n"}
    tree.write(both)
    tree.git("config", "core.precomposeunicode", "true")
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    assert both.keys() <= held(tree, taken.commit)
    tree.write(dict.fromkeys(both, "changed\n"))
    store.restore(taken.id)
    assert {name: (tree.root / name).read_text(encoding="utf-8") for name in both} == both
