"""Files of which git staged other bytes than those on the disk, and as many: only their attributes, or a
filter that is configured, tell them from files that the index has as they are."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from patchpoint.checkpoints.snapshot import blobs, take
from tests.checkpoints.snapshot_judge import snapshot_of, wait_until_settled
from tests.git.git_judge import WorkingTree

_ROTATE = "tr a-zA-Z n-za-mN-ZA-M"
_ATTRIBUTE = "*.txt filter=rotate\n"
_POINTER_MAKER = """#!/bin/sh
cat > "$0.content"
size=$(wc -c < "$0.content" | tr -d ' ')
printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %s\\n' \\
    "$(sha256sum < "$0.content" | cut -c 1-64)" "$size"
"""


@pytest.fixture
def tree(tmp_path: Path) -> WorkingTree:
    """A repository with a filter that keeps the size, and one file."""
    tree = WorkingTree(tmp_path / "repo")
    tree.root.mkdir()
    tree.git("init", "-q", "-b", "main")
    tree.git("config", "filter.rotate.clean", _ROTATE)
    tree.git("config", "filter.rotate.smudge", _ROTATE)
    return tree


def stage(tree: WorkingTree, *arguments: str) -> None:
    """Commit everything, and wait until git believes the stats in its index."""
    tree.git(*arguments, "add", "-A", "-f")
    wait_until_settled(tree)
    tree.git(*arguments, "commit", "-q", "-m", "staged")


def recorded(tree: WorkingTree, path: str) -> bytes:
    return os.fsencode(tree.git("cat-file", "blob", f"{snapshot_of(tree).tree}:{path}"))


def is_converted(tree: WorkingTree, path: str) -> bool:
    staged = os.fsencode(tree.git("cat-file", "blob", f":{path}"))
    on_disk = (tree.root / path).read_bytes()
    return staged != on_disk and len(staged) == len(on_disk)


def remove_from_disk(tree: WorkingTree) -> None:
    tree.write({".gitattributes": None})


def remove_from_disk_and_index(tree: WorkingTree) -> None:
    tree.git("rm", "-q", "--cached", ".gitattributes")
    tree.write({".gitattributes": None})
    tree.git("commit", "-q", "-m", "no attributes")


def change_in_disk_and_index(tree: WorkingTree) -> None:
    tree.write({".gitattributes": "*.c filter=rotate\n"})
    tree.git("add", ".gitattributes")
    tree.git("commit", "-q", "-m", "other attributes")


def hide_from_checkout(tree: WorkingTree) -> None:
    tree.git("update-index", "--skip-worktree", ".gitattributes")
    tree.write({".gitattributes": None})


def remove_the_filter(tree: WorkingTree) -> None:
    tree.git("config", "--remove-section", "filter.rotate")


def split_the_index(tree: WorkingTree) -> None:
    tree.git("update-index", "--split-index")


def override_the_filter(tree: WorkingTree) -> None:
    tree.git("config", "--remove-section", "filter.rotate")
    tree.git("config", "--add", "filter.rotate.clean", _ROTATE)
    tree.git("config", "--add", "filter.rotate.clean", "")
    remove_from_disk_and_index(tree)


CHANGES = [
    *(remove_from_disk, remove_from_disk_and_index, change_in_disk_and_index, hide_from_checkout),
    *(remove_the_filter, split_the_index, override_the_filter),
]


@pytest.mark.parametrize("change", CHANGES)
def test_what_happens_to_the_attributes_after_staging_does_not_change_what_is_recorded(
    tree: WorkingTree, change: object
) -> None:
    tree.write({".gitattributes": _ATTRIBUTE, "s.txt": "hello\n"})
    stage(tree)
    assert is_converted(tree, "s.txt")
    assert callable(change)
    change(tree)
    assert recorded(tree, "s.txt") == b"hello\n"
    tree.write({"other.txt": "makes git write its index\n"})
    tree.git("add", "other.txt")
    assert recorded(tree, "s.txt") == b"hello\n"


@pytest.mark.parametrize("attributes", [_ATTRIBUTE, "*.txt working-tree-encoding=IBM037\n"])
@pytest.mark.parametrize("folder", ["build/", "build/deep/", "build/deep/er/"])
def test_attributes_in_an_ignored_folder_are_in_force_there(
    tree: WorkingTree, folder: str, attributes: str
) -> None:
    text = "hello".encode("cp037")
    tree.write({".gitignore": "build\n", f"{folder}.gitattributes": attributes, f"{folder}s.txt": text})
    tree.write({"build/t.txt": text})
    tree.git("add", "-f", ".gitignore", f"{folder}s.txt", "build/t.txt")
    wait_until_settled(tree)
    tree.git("commit", "-q", "-m", "staged")
    if "encoding" in attributes:
        tree.git("config", "--remove-section", "filter.rotate")
        assert tree.git("cat-file", "blob", f":{folder}s.txt") == "hello"
    assert recorded(tree, f"{folder}s.txt") == text
    assert recorded(tree, "build/t.txt") == text


@pytest.mark.parametrize("name", ["clean", "process", "CLEAN"])
@pytest.mark.parametrize("where", ["here", "included", "the user's"])
def test_wherever_the_filter_is_configured(
    tree: WorkingTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, name: str
) -> None:
    tree.git("config", "--remove-section", "filter.rotate")
    (tree.root / ".git/info/attributes").write_text(_ATTRIBUTE)
    tree.write({"s.txt": "hello\n"})
    stage(tree, "-c", f"filter.rotate.clean={_ROTATE}")
    assert is_converted(tree, "s.txt")
    (tree.root / ".git/info/attributes").unlink()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text(f'[Filter "rotate"]\n\t{name} = {_ROTATE}\n')
    if where == "here":
        with (tree.root / ".git/config").open("a") as file:
            file.write(elsewhere.read_text())
    elif where == "included":
        tree.git("config", "include.path", str(elsewhere))
    else:
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(elsewhere))
    assert recorded(tree, "s.txt") == b"hello\n"


@pytest.mark.parametrize("seed", range(6))
def test_wherever_the_attribute_was_and_however_it_went(tmp_path: Path, tree: WorkingTree, seed: int) -> None:
    chance = random.Random(seed)
    folders = ["", "a/", "a/b/", "a/b/c/", "ignored/", "ignored/d/"]
    files = {f"{folder}{number}.txt": f"{folder} {number}\n" for folder in folders for number in range(2)}
    tree.write({".gitignore": "ignored\n", **files})
    outside = tmp_path / "attributes"
    tree.git("config", "core.attributesFile", str(outside))
    inside = [tree.root / folder / ".gitattributes" for folder in folders]
    chosen = chance.sample([*inside, tree.root / ".git/info/attributes", outside], 3)
    lines = [_ATTRIBUTE, "**/1.txt filter=rotate\n", "[attr]m filter=rotate\n* m\n"]
    for place in chosen:
        place.write_text(chance.choice(lines if place.parent == tree.root else lines[:2]))
    tree.git("add", "-A")
    tree.git("add", "-f", *files)
    wait_until_settled(tree)
    tree.git("commit", "-q", "-m", "staged")
    assert any(is_converted(tree, path) for path in files)
    for place in chosen:
        change = chance.choice(["stays", "goes", "says something else", "is not tracked any more"])
        if change == "goes":
            place.unlink()
        elif change == "says something else":
            place.write_text("* diff\n")
        if change != "stays" and place in inside:
            name = str(place.relative_to(tree.root))
            tree.git("rm", "-q", "--cached", "--ignore-unmatch", name)
    taken = snapshot_of(tree).tree
    for path, content in files.items():
        assert tree.git("cat-file", "blob", f"{taken}:{path}") == content


@pytest.fixture
def lfs(tree: WorkingTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WorkingTree:
    """The repository of a user who has installed Git LFS for all repositories."""
    tree.git("config", "--remove-section", "filter.rotate")
    (tmp_path / "programs").mkdir()
    program = tmp_path / "programs/git-lfs"
    program.write_text(_POINTER_MAKER)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    user = tmp_path / "user"
    user.write_text(
        '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n'
        "\tprocess = git-lfs filter-process\n\trequired = true\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(user))
    return tree


def files_read(tree: WorkingTree, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The files that a snapshot reads."""
    found: set[str] = set()
    read = blobs.read_raw_bytes

    def noting(path: bytes, size: int) -> bytes:
        found.add(os.path.relpath(os.fsdecode(path), tree.root))
        return read(path, size)

    monkeypatch.setattr(blobs, "read_raw_bytes", noting)
    snapshot_of(tree)
    return found


def test_a_pointer_of_git_lfs_is_not_taken_for_the_file(lfs: WorkingTree) -> None:
    contents = {
        f"{size}.bin": os.urandom(size // 2).hex()[:size].ljust(size, "x") for size in range(120, 140)
    }
    lfs.write({".gitattributes": "*.bin filter=lfs\n", **contents})
    stage(lfs, "-c", "filter.lfs.clean=git-lfs clean -- %f")
    assert [path for path in contents if is_converted(lfs, path)] == ["128.bin"]
    remove_from_disk_and_index(lfs)
    taken = snapshot_of(lfs).tree
    for path, content in contents.items():
        assert lfs.git("cat-file", "blob", f"{taken}:{path}") == content


def test_git_lfs_alone_makes_no_other_file_be_read(lfs: WorkingTree, monkeypatch: pytest.MonkeyPatch) -> None:
    lfs.write({f"{size}.txt": "x" * size for size in (0, 1, 127, 128, 129, 1000, 5000)})
    stage(lfs)
    assert files_read(lfs, monkeypatch) == {"128.txt"}


@pytest.mark.parametrize(
    ("section", "value"),
    [
        ("filter.lfs.clean", "git-lfs clean -- %f | tr a b"),
        ("filter.other.process", "rotate"),
        ("lfs.extension.rotate.clean", "rotate"),
    ],
)
def test_another_filter_makes_all_files_be_read_once(
    lfs: WorkingTree, monkeypatch: pytest.MonkeyPatch, section: str, value: str
) -> None:
    files = {f"{size}.txt": "x" * size for size in (0, 1, 1000)}
    lfs.write(files)
    stage(lfs)
    lfs.git("config", section, value)
    monkeypatch.setattr(take, "_RACY_NS", -3_600_000_000_000)  # so that nothing is read again for being new
    assert files_read(lfs, monkeypatch) == set(files)
    assert files_read(lfs, monkeypatch) == set()


def test_without_a_filter_no_file_is_read(tree: WorkingTree, monkeypatch: pytest.MonkeyPatch) -> None:
    remove_the_filter(tree)
    tree.write({f"{size}.txt": "x" * size for size in (0, 1, 128, 1000)})
    stage(tree)
    assert files_read(tree, monkeypatch) == set()
