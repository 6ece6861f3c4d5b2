"""Changes of a real working tree since a checkpoint, taken back one by one."""

from __future__ import annotations

import codecs
import os
import random

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import HunkNotFoundError
from patchpoint.review.change_set import FileChanges
from patchpoint.review.decision import Decision
from patchpoint.review.tree import SinceCheckpoint
from patchpoint.text.file_operation import FileOperation
from tests.git.git_judge import WorkingTree

LINES = "".join(f"line {number}\n" for number in range(1, 21))


def checkpoint(tree: WorkingTree, files: dict[str, str | bytes | None] | None = None) -> SinceCheckpoint:
    """Take a checkpoint of the tree, in which these files are."""
    write(tree, files or {})
    store = CheckpointStore.open(tree.root)
    return SinceCheckpoint.open(store, store.take(label="before").id)


def write(tree: WorkingTree, files: dict[str, str | bytes | None]) -> None:
    """Write these files; one without content is not there afterwards."""
    gone = [name for name, content in files.items() if content is None]
    tree.write({name: content for name, content in files.items() if content is not None})
    for name in gone:
        (tree.root / name).unlink(missing_ok=True)


def only(since: SinceCheckpoint) -> FileChanges:
    """The one file that differs."""
    (file,) = since.files()
    return file


def test_one_change_is_taken_back_and_the_others_stay(tree: WorkingTree) -> None:
    since = checkpoint(tree, {"n.txt": LINES})
    changed = LINES.replace("line 3\n", "3\n").replace("line 9\n", "").replace("line 15\n", "line 15\nnew\n")
    tree.write({"n.txt": changed})
    first, second, third = only(since).hunks
    done = since.take_back({"n.txt": [second.id]})
    assert (tree.root / "n.txt").read_text() == changed.replace("line 10\n", "line 9\nline 10\n")
    assert done.written == ("n.txt",)
    assert [hunk.id for hunk in only(since).hunks] == [first.id, third.id]


def test_taking_back_is_undone_like_a_restore(tree: WorkingTree) -> None:
    since = checkpoint(tree, {"n.txt": LINES})
    tree.write({"n.txt": LINES.replace("line 3\n", "3\n"), "made.txt": "made\n", "a.txt": None})
    before = tree.files()
    since.take_back({file.path: [hunk.id for hunk in file.hunks] for file in since.files()})
    assert not since.files()
    CheckpointStore.open(tree.root).undo()
    assert tree.files() == before


def test_a_change_that_changed_since_it_was_shown_is_refused_and_nothing_is_written(
    tree: WorkingTree,
) -> None:
    since = checkpoint(tree, {"n.txt": LINES, "m.txt": LINES})
    tree.write({"n.txt": LINES.replace("line 3\n", "3\n"), "m.txt": LINES.replace("line 4\n", "4\n")})
    wanted = {file.path: [hunk.id for hunk in file.hunks] for file in since.files()}
    tree.write({"n.txt": LINES.replace("line 3\n", "three\n")})
    before = tree.files()
    with pytest.raises(HunkNotFoundError, match="has changed since"):
        since.take_back(wanted)
    assert tree.files() == before


@pytest.mark.parametrize(
    ("then", "now", "operation"),
    [
        (None, b"made\n", FileOperation.CREATE),
        (None, b"", FileOperation.CREATE),
        (b"gone\n", None, FileOperation.DELETE),
        (b"", None, FileOperation.DELETE),
        (b"\0one", b"\0two", FileOperation.UPDATE),
        (b"text\n", b"\0two", FileOperation.UPDATE),
        (codecs.BOM_UTF8 + b"a\n", b"a\n", FileOperation.UPDATE),
        ("\u00e9\n".encode(), "\u00e9\n".encode("latin-1"), FileOperation.UPDATE),
    ],
)
def test_a_file_that_only_differs_as_a_whole_is_one_change(
    tree: WorkingTree, then: bytes | None, now: bytes | None, operation: FileOperation
) -> None:
    since = checkpoint(tree, {"f": then})
    before = tree.files()
    write(tree, {"f": now})
    file = only(since)
    assert file.is_whole
    assert file.operation is operation
    (hunk,) = file.hunks
    assert "f" in file.diff(hunk)
    since.take_back({"f": [hunk.id]})
    assert tree.files() == before


def test_a_renamed_file_is_one_change(tree: WorkingTree) -> None:
    since = checkpoint(tree, {"n.txt": LINES})
    before = tree.files()
    tree.write({"n.txt": None, "deep/er/m.txt": LINES})
    file = only(since)
    assert (file.path, file.path_now, file.operation) == ("n.txt", "deep/er/m.txt", FileOperation.RENAME)
    since.take_back({"n.txt": [file.hunks[0].id]})
    assert tree.files() == before


def test_modes_and_links_are_changes_as_a_whole(tree: WorkingTree) -> None:
    since = checkpoint(tree, {"run.sh": "echo\n", "real": "x\n"})
    (tree.root / "link").symlink_to("real")
    since = checkpoint(tree)
    before = tree.files()
    (tree.root / "run.sh").chmod(0o755)
    (tree.root / "link").unlink()
    (tree.root / "link").symlink_to("a.txt")
    (tree.root / "real").unlink()
    (tree.root / "real").symlink_to("run.sh")
    files = since.files()
    assert [file.path for file in files] == ["link", "real", "run.sh"]
    assert all(file.is_whole and len(file.hunks) == 1 and file.diff(file.hunks[0]) for file in files)
    since.take_back({file.path: [file.hunks[0].id] for file in files})
    assert tree.files() == before


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [("utf-8", b""), ("utf-8", codecs.BOM_UTF8), ("latin-1", b""), ("utf-16-le", codecs.BOM_UTF16_LE)],
)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_every_byte_of_the_rest_stays(tree: WorkingTree, encoding: str, mark: bytes, ending: str) -> None:
    text = "caf\u00e9\none\ntwo\nthree\nlast".replace("\n", ending)
    since = checkpoint(tree, {"f.txt": mark + text.encode(encoding)})
    changed = text.replace("one", "ONE").replace("last", "l\u00e4st")
    tree.write({"f.txt": mark + changed.encode(encoding)})
    first, _ = only(since).hunks
    since.take_back({"f.txt": [first.id]})
    assert (tree.root / "f.txt").read_bytes() == mark + changed.replace("ONE", "one").encode(encoding)


def test_a_plain_file_that_got_its_first_letter_of_latin_1_has_hunks(tree: WorkingTree) -> None:
    since = checkpoint(tree, {"f.txt": b"a\nb\nc\n"})
    tree.write({"f.txt": b"A\nb\n\xe9\n"})
    first, second = only(since).hunks
    since.take_back({"f.txt": [first.id]})
    assert (tree.root / "f.txt").read_bytes() == b"a\nb\n\xe9\n"
    since.take_back({"f.txt": [second.id]})
    assert (tree.root / "f.txt").read_bytes() == b"a\nb\nc\n"


def test_text_that_is_not_saved_is_reviewed_too(tree: WorkingTree) -> None:
    since = checkpoint(tree)
    (file,) = since.files(buffers={"a.txt": "one\nTWO\nthree\n", "src/b.txt": "b\n"})
    assert file.path == "a.txt"
    assert file.text_without([file.hunks[0].id]) == "one\ntwo\nthree\n"


def test_what_was_not_saved_at_the_checkpoint_is_no_change(tree: WorkingTree) -> None:
    unsaved = "one\nmine\nthree\n"
    store = CheckpointStore.open(tree.root)
    since = SinceCheckpoint.open(store, store.take(buffers={"a.txt": unsaved}).id)
    assert not since.files(buffers={"a.txt": unsaved})
    (file,) = since.files(buffers={"a.txt": unsaved + "agent\n"})
    assert file.text_without([hunk.id for hunk in file.hunks]) == unsaved


def test_an_editor_that_shows_no_carriage_returns_gets_none(tree: WorkingTree) -> None:
    since = checkpoint(tree, {"f.txt": b"a\r\nb\r\nc\r\n"})
    (file,) = since.files(buffers={"f.txt": "a\nB\nc\n"})
    (hunk,) = file.hunks
    assert (hunk.removed, hunk.added) == ("b\r\n", "B\r\n")
    assert file.shown_without([hunk.id], "a\nB\nc\n") == "a\nb\nc\n"


def test_one_file_is_looked_at_again_without_the_others(tree: WorkingTree) -> None:
    since = checkpoint(tree, {"n.txt": LINES})
    tree.write({"n.txt": LINES.replace("line 3\n", "3\n")})
    file = only(since)
    tree.write({"n.txt": "first\n" + LINES.replace("line 3\n", "3\n")})
    (now,) = since.file_now(file, {})
    assert [hunk.id for hunk in now.hunks][1:] == [file.hunks[0].id]
    assert now.hunks == only(since).hunks
    tree.write({"n.txt": None})
    (now,) = since.file_now(file, {})
    assert now.hunks == only(since).hunks


def test_a_renamed_file_that_is_edited_is_two_changes(tree: WorkingTree) -> None:
    since = checkpoint(tree, {"n.txt": LINES})
    tree.write({"n.txt": None, "m.txt": LINES})
    file = only(since)
    assert since.file_now(file, {})[0].hunks == file.hunks
    tree.write({"m.txt": LINES + "more\n"})
    parts = since.file_now(file, {})
    assert {part.path: part.operation for part in parts} == {
        "n.txt": FileOperation.DELETE,
        "m.txt": FileOperation.CREATE,
    }
    assert [hunk.id for part in sorted(parts, key=lambda part: part.path) for hunk in part.hunks] == [
        hunk.id for part in since.files() for hunk in part.hunks
    ]


def test_a_change_is_taken_back_while_git_merges_and_the_merge_stays(tree: WorkingTree) -> None:
    since = checkpoint(tree)
    tree.write({"a.txt": "other\n"})
    merged = tree.git("rev-parse", "HEAD")
    (tree.root / ".git" / "MERGE_HEAD").write_text(merged)
    since.take_back({"a.txt": [only(since).hunks[0].id]})
    assert (tree.root / "a.txt").read_text() == "one\ntwo\nthree\n"
    assert (tree.root / ".git" / "MERGE_HEAD").read_text() == merged


HISTORIES = int(os.environ.get("PATCHPOINT_HISTORIES", "12"))


@pytest.mark.parametrize("seed", range(HISTORIES))
def test_random_trees_come_back_change_by_change(tree: WorkingTree, seed: int) -> None:
    chance = random.Random(seed)

    def content() -> bytes | None:
        ending = chance.choice(["\n", "\r\n"])
        lines = [f"{chance.choice('abcdef')}{ending}" for _ in range(chance.randint(0, 12))]
        kinds = [None, b"", bytes([0, chance.randrange(9)]), "".join(lines).encode()]
        return chance.choice([*kinds, "".join(lines).encode(), "".join([*lines, "end"]).encode()])

    names = [f"d{number % 3}/f{number}" for number in range(8)]
    since = checkpoint(tree, {name: content() for name in names})
    before = tree.files()
    write(tree, {name: content() for name in names if chance.random() < 0.7})
    waiting = [(file.path, hunk.id) for file in since.files() for hunk in file.hunks]
    chance.shuffle(waiting)
    while waiting:
        path, name = waiting.pop()
        (file,) = (file for file in since.files() if file.path == path)
        since.take_back({path: [name]})
        since.review = since.review.deciding(Decision.TAKE_BACK, file, [name])
        left = [(file.path, hunk.id) for file in since.files() for hunk in file.hunks]
        assert sorted(left) == sorted(waiting)
    assert tree.files() == before
