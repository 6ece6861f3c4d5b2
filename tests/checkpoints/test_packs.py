from __future__ import annotations

from pathlib import Path

from patchpoint.checkpoints.packs import Packs
from patchpoint.checkpoints.repository import Repository
from tests.checkpoints.git_judge import WorkingTree


def packed(root: Path) -> WorkingTree:
    """A repository whose objects are in two packs, one of them with deltas."""
    tree = WorkingTree.create(root)
    text = "".join(f"line {number}\n" for number in range(500))
    for version in range(4):
        tree.write({"long.txt": text + f"version {version}\n", f"folder/{version}.txt": f"{version}\n"})
        tree.commit(f"version {version}")
    tree.git("repack", "-adq", "--window=10")
    tree.git("prune-packed")
    tree.write({"later.txt": "later\n"})
    tree.commit("later")
    tree.git("repack", "-dq")
    return tree


def objects_of(tree: WorkingTree) -> dict[bytes, str]:
    """The raw name and the kind of every object."""
    listed = tree.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")
    return {
        bytes.fromhex(name): kind
        for name, _, kind in (line.partition(" ") for line in listed.split("\n") if line)
    }


def test_every_object_of_every_pack_is_read_as_git_reads_it(tmp_path: Path) -> None:
    tree = packed(tmp_path / "repo")
    packs = Repository.open(tree.root).packs
    numbers = {"commit": 1, "tree": 2, "blob": 3}
    expected = {
        oid: (numbers[kind], None if kind == "tree" else tree.git("cat-file", kind, oid.hex()).encode())
        for oid, kind in objects_of(tree).items()
    }
    for _ in range(10):  # the first questions are answered in another way than the later ones
        for oid, (kind, content) in expected.items():
            found = packs.read(oid)
            assert found is not None
            assert found[0] == kind
            assert content is None or found[1] == content
            assert packs.holding(oid) is not None


def test_what_no_pack_has_is_not_found(tmp_path: Path) -> None:
    tree = packed(tmp_path / "repo")
    packs = Repository.open(tree.root).packs
    for first in range(256):
        absent = bytes([first]) + bytes(19)
        assert packs.holding(absent) is None
        assert packs.read(absent) is None


def test_packs_that_come_and_go_are_noticed(tmp_path: Path) -> None:
    tree = packed(tmp_path / "repo")
    packs = Repository.open(tree.root).packs
    before = objects_of(tree)
    assert all(packs.read(oid) for oid in before)
    tree.write({"new.txt": "new\n"})
    tree.commit("new")
    tree.git("repack", "-adq")
    tree.git("prune-packed")
    packs.refresh()
    held = {packs.holding(oid) for oid in objects_of(tree)}
    assert len(held) == 1
    assert None not in held
    assert all(packs.read(oid) for oid in objects_of(tree))


def test_a_damaged_pack_reads_as_nothing(tmp_path: Path) -> None:
    tree = packed(tmp_path / "repo")
    names = objects_of(tree)
    folder = tree.root / ".git" / "objects" / "pack"
    for path in folder.iterdir():
        path.chmod(0o644)
        if path.suffix == ".pack":
            path.write_bytes(path.read_bytes()[:40])
    packs = Packs(bytes(tree.root / ".git" / "objects"), 20)
    assert sum(packs.read(oid) is None for oid in names) >= len(names) - 2
    for path in folder.glob("*.idx"):
        path.write_bytes(path.read_bytes()[:1050])
    assert all(Packs(bytes(tree.root / ".git" / "objects"), 20).holding(oid) is None for oid in names)
