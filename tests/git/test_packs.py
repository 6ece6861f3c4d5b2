from __future__ import annotations

import os
import random
import subprocess
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchpoint.git.errors import CheckpointDamagedError
from patchpoint.git.objects import writer as writer_module
from patchpoint.git.objects.reader import Change, Entry, ObjectReader
from patchpoint.git.objects.writer import ObjectWriter
from patchpoint.git.odb.blob_sizes import blobs_of_other_size
from patchpoint.git.odb.ids import BLOB, TREE, ObjectID, RawObjectID, object_id, to_binary, to_hexadecimal
from patchpoint.git.odb.kept_packs import NEW
from patchpoint.git.odb.loose import loose_size, read_loose
from patchpoint.git.odb.pack_file import PackFile
from patchpoint.git.odb.pack_writer import PackWriter, index_of
from patchpoint.git.odb.packs import Packs
from patchpoint.git.repository import Repository
from tests.git.git_judge import WorkingTree


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


def objects_of(tree: WorkingTree) -> dict[RawObjectID, str]:
    """The id and the kind of every object."""
    listed = tree.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")
    return {
        to_binary(name): kind
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
    for _ in range(10):  # the first lookups go another way than the later ones
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
        absent = RawObjectID(bytes([first]) + bytes(19))
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


def test_hundreds_of_packs_take_few_of_the_files_that_a_process_may_have_open(tmp_path: Path) -> None:
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("only Linux tells which files are open")
    tree = WorkingTree.create(tmp_path / "repo")
    repository = Repository.open(tree.root)
    names = []
    for number in range(200):
        writer = PackWriter(os.path.join(repository.commondir, b"objects", b"pack"), "sha1", NEW)
        content = b"%d" % number
        names.append(object_id(BLOB, content))
        writer.add(names[-1], BLOB, content)
        writer.finish()
    before = len(os.listdir("/proc/self/fd"))
    packs_folder = os.path.join(repository.commondir, b"objects")
    packs = repository.packs
    for _ in range(2):
        assert [packs.read(oid) for oid in names] == [(BLOB, b"%d" % number) for number in range(200)]
    assert len(os.listdir("/proc/self/fd")) - before < 50
    assert blobs_of_other_size(packs_folder, dict.fromkeys(names, 1), 20) == set(names[10:])
    assert len(os.listdir("/proc/self/fd")) - before < 50
    tree.git("repack", "-adq")
    for path in (tree.root / ".git" / "objects" / "pack").iterdir():
        path.unlink()
    packs.refresh()
    assert len(os.listdir("/proc/self/fd")) <= before


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
@given(seed=st.integers(0, 1 << 32), fast=st.booleans())
@settings(max_examples=8)
def test_a_pack_that_is_written_has_the_index_that_git_makes_of_it(
    tmp_path_factory: pytest.TempPathFactory, object_format: str, seed: int, fast: bool
) -> None:
    chance = random.Random(seed)
    tree = WorkingTree.create(tmp_path_factory.mktemp("pack") / "repo", f"--object-format={object_format}")
    folder = tree.root / ".git" / "objects" / "pack"
    # Around the sizes at which the head of an entry, or the way that it is packed, is another one.
    sizes = [chance.choice((0, 1, 15, 16, 2047, 2048, 4095, 4097, 65_536, 300_000)) for _ in range(40)]
    contents = {chance.randbytes(size // 2) + bytes(size - size // 2) for size in sizes}
    writer = PackWriter(os.fsencode(folder), object_format, NEW, fast=fast)
    for content in contents:
        writer.add(object_id(BLOB, content, object_format), BLOB, content)
    writer.finish()
    (pack,) = folder.glob("*.pack")
    (index,) = folder.glob("*.idx")
    tree.git("index-pack", f"--object-format={object_format}", "-o", str(tree.root / "git.idx"), str(pack))
    assert (tree.root / "git.idx").read_bytes() == index.read_bytes()
    tree.refuse_damage()


@given(seed=st.integers(0, 1 << 32))
@settings(max_examples=10)
def test_offsets_of_a_pack_are_read_as_git_reads_them_however_large(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    chance = random.Random(seed)
    place = tmp_path_factory.mktemp("index")
    offsets = [chance.randrange(chance.choice((1 << 20, 1 << 31, 1 << 33, 1 << 40))) for _ in range(200)]
    entries = sorted((RawObjectID(chance.randbytes(20)), offset, 0) for offset in offsets)
    (place / "far.idx").write_bytes(index_of(entries, bytes(20), "sha1"))
    with (place / "far.idx").open("rb") as file:
        listed = subprocess.run(["git", "show-index"], stdin=file, capture_output=True, check=True).stdout
    expected = {to_binary(name): int(at) for at, name, _ in map(str.split, listed.decode().splitlines())}
    pack = PackFile(os.fsencode(place / "far"), 20)
    positions = {oid: pack.position(oid) for oid in expected}
    assert {oid: pack.offset(at) for oid, at in positions.items() if at is not None} == expected
    assert dict(zip(pack.ids(), pack.offsets(range(len(entries))), strict=True)) == expected


def test_every_loose_object_is_read_as_git_reads_it(tmp_path: Path) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    tree.write({"folder/text.txt": "text\n" * 1000, "empty.txt": ""})
    tree.commit("first")
    folder = bytes(tree.root / ".git" / "objects")
    numbers = {"commit": 1, "tree": 2, "blob": 3}
    for oid, kind in objects_of(tree).items():
        found = read_loose(folder, oid)
        assert found is not None
        assert found[0] == numbers[kind]
        assert object_id(*found) == oid
        assert loose_size(folder, oid) == len(found[1])
    assert read_loose(folder, RawObjectID(bytes(20))) is None
    assert loose_size(folder, RawObjectID(bytes(20))) is None


def test_sizes_are_read_behind_long_tables_of_codes(tmp_path: Path) -> None:
    """What has many letters begins with the lengths of their codes, and then with the header."""
    letters = [chr(number) for number in (*range(32, 127), *range(0x400, 0x460))]
    tree, drawn = WorkingTree.create(tmp_path / "repo"), random.Random(1)

    def text(lines: int) -> str:
        return "".join("".join(drawn.choices(letters, range(1, 192), k=40)) + "\n" for _ in range(lines))

    kept = text(400)
    for version in range(3):
        # Pieces of what is kept between new ones: a long delta.
        mixed = "".join(kept[at : at + 200] + text(3) for at in range(0, len(kept), 400))
        tree.write({"large.txt": mixed, **{f"{version}-{number}.txt": text(number) for number in range(50)}})
        tree.commit(str(version))
    folder = bytes(tree.root / ".git" / "objects")
    listed = tree.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objectsize)")
    sizes = {to_binary(name): int(size) for name, size in map(str.split, listed.splitlines())}
    blobs = {oid: sizes[oid] for oid, kind in objects_of(tree).items() if kind == "blob"}
    assert {oid: loose_size(folder, oid) for oid in sizes} == sizes
    assert blobs_of_other_size(folder, blobs, 20) == set()
    tree.git("gc", "-q", "--aggressive")
    assert blobs_of_other_size(folder, blobs, 20) == set()


def test_many_objects_are_not_looked_for_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    tree.write({f"{number}.txt": f"stored {number}\n" for number in range(300)})
    tree.git("add", "-A")
    repository = Repository.open(tree.root)
    asked: list[bytes] = []
    freshen = writer_module._freshen

    def asking(path: bytes) -> bool:
        asked.append(path)
        return freshen(path)

    monkeypatch.setattr(writer_module, "_freshen", asking)
    with ObjectWriter(repository) as writer:
        new = {writer.add(BLOB, b"new %d\n" % number) for number in range(1_000)}
        assert len(asked) <= 100
        stored = {writer.add(BLOB, b"stored %d\n" % number) for number in range(300)}
        writer.finish()
    assert writer.new == new
    assert writer.reused == stored


def test_an_object_that_goes_after_the_listing_is_written(tmp_path: Path) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    tree.write({f"{number}.txt": f"stored {number}\n" for number in range(200)})
    tree.git("add", "-A")
    with ObjectWriter(Repository.open(tree.root)) as writer:
        for number in range(150):
            writer.add(BLOB, b"stored %d\n" % number)
        for path in (tree.root / ".git/objects").glob("??/*"):
            path.unlink()
        again = {writer.add(BLOB, b"stored %d\n" % number) for number in range(200)}
        assert again <= writer.new
        writer.finish()


def test_what_is_new_is_found_without_reading_all_that_differs_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    roots = []
    for content in ("committed", "before"):
        tree.write({f"{number}/file.txt": f"{content} {number}\n" for number in range(80)})
        tree.git("add", "-A")
        roots.append(to_binary(tree.git("write-tree").strip()))
    tree.write({"7/file.txt": "now\n"})
    tree.git("add", "-A")
    now = to_binary(tree.git("write-tree").strip())
    new = {
        now,
        *(to_binary(tree.git("rev-parse", f"{now.hex()}:{path}").strip()) for path in ("7", "7/file.txt")),
    }
    repository = Repository.open(tree.root)
    read: list[ObjectID] = []
    read_tree = ObjectReader._tree

    def reading(reader: ObjectReader, oid: ObjectID) -> bytes:
        read.append(oid)
        return read_tree(reader, oid)

    monkeypatch.setattr(ObjectReader, "_tree", reading)
    objects = ObjectReader(repository)
    assert objects.beyond(now, roots) == new
    assert len(read) < 20


def test_a_damaged_loose_object_reads_as_nothing(tmp_path: Path) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    tree.write({"text.txt": "text\n" * 1000})
    tree.commit("first")
    folder = tree.root / ".git" / "objects"
    damage = [
        b"",
        b"no zlib",
        zlib.compress(b"no head"),
        zlib.compress(b"blob 5\0four"),
        zlib.compress(b"x 1\0y"),
    ]
    for oid in objects_of(tree):
        path = folder / oid.hex()[:2] / oid.hex()[2:]
        path.chmod(0o644)
        for content in (*damage, path.read_bytes()[:-8]):
            path.write_bytes(content)
            assert read_loose(bytes(folder), oid) is None


@pytest.mark.parametrize("mode", [b"40000", b"040000", b"40755"])
def test_a_folder_is_a_folder_however_its_mode_was_written(tmp_path: Path, mode: bytes) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    repository = Repository.open(tree.root)
    with ObjectWriter(repository) as writer:
        blob = writer.add(BLOB, b"text\n")
        inner = writer.add(TREE, b"100644 file\0" + blob)
        outer = writer.add(TREE, b"%b folder\0%b" % (mode, inner))
        writer.finish()
    objects = ObjectReader(repository)
    expected = Change(b"folder/file", None, Entry(0o100644, to_hexadecimal(blob)))
    assert list(objects.changes(None, to_hexadecimal(outer))) == [expected]
    assert objects.tree(to_hexadecimal(outer))[b"folder"].is_tree


def test_a_blob_that_was_read_ahead_is_not_read_again_and_one_that_cannot_be_is_refused_as_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    repository = Repository.open(tree.root)
    with ObjectWriter(repository) as writer:
        oids = [to_hexadecimal(writer.add(BLOB, b"%d\n" % number)) for number in range(3)]
        writer.finish()
    objects = ObjectReader(repository)
    missing = to_hexadecimal(object_id(BLOB, b"never written\n"))
    objects.read_ahead([oids[0], missing, oids[1]])
    read, asked = ObjectReader._read, []

    def noted(reader: ObjectReader, oid: ObjectID, kind: int) -> bytes:
        asked.append(oid)
        return read(reader, oid, kind)

    monkeypatch.setattr(ObjectReader, "_read", noted)
    assert [objects.blob(oid) for oid in oids] == [b"0\n", b"1\n", b"2\n"]
    assert asked == [oids[2]]
    with pytest.raises(CheckpointDamagedError):
        objects.blob(missing)
    assert objects.blob(oids[0]) == b"0\n"
    assert asked == [oids[2], missing, oids[0]]
