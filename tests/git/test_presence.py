"""Proofs that objects are present, and what voids one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from patchpoint.git.odb import presence
from patchpoint.git.odb.ids import RawObjectID, to_binary
from patchpoint.git.odb.presence import ObjectsMissingError, PresenceProof, prove_presence
from tests.git.git_judge import WorkingTree


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the repositories that `tree` copies."""
    folder = tmp_path_factory.mktemp("presence")
    lender = WorkingTree.create(folder / "lender")
    lender.write({f"lent/{number}.txt": f"lent {number}\n" for number in range(30)})
    lender.commit("lent")
    lender.git("repack", "-adq")
    lender.write({"lent/loose.txt": "lent and loose\n"})
    lender.commit("lent and loose")
    tree = WorkingTree(folder / "tree")
    lender.git("clone", "-q", "--shared", str(lender.root), str(tree.root))
    for pack in range(2):
        tree.write({f"own/{pack}/{number}.txt": f"{pack} {number}\n" for number in range(30 * pack + 5)})
        tree.commit(f"pack {pack}")
        tree.git("repack", "-dlq")
    tree.write({f"loose/{number}.txt": f"loose {number}\n" for number in range(5)})
    tree.commit("loose")
    return folder


@pytest.fixture
def tree(original: Path, tmp_path: Path) -> WorkingTree:
    """A repository with two packs and loose objects, that borrows the packed and loose ones of another."""
    shutil.copytree(original, tmp_path / "copy")
    tree = WorkingTree(tmp_path / "copy/tree")
    lent = tmp_path / "copy/lender/.git/objects"
    (tree.root / ".git/objects/info/alternates").write_text(f"{lent}\n")
    return tree


def store_of(tree: WorkingTree) -> bytes:
    return os.fsencode(tree.root / ".git/objects")


def ids_of(tree: WorkingTree) -> set[RawObjectID]:
    listed = tree.git("rev-list", "--objects", "--all", "--no-object-names")
    return {to_binary(name) for name in listed.split()}


def proof_of(tree: WorkingTree) -> PresenceProof:
    return prove_presence(store_of(tree), ids_of(tree), 20)


def only(found: list[Path]) -> Path:
    return max(found, key=lambda path: path.stat().st_size)


def pack_of(tree: WorkingTree) -> Path:
    return only(list((tree.root / ".git/objects/pack").glob("*.pack")))


def lent_pack_of(tree: WorkingTree) -> Path:
    return only(list((tree.root.parent / "lender/.git/objects/pack").glob("*.pack")))


def loose_of(tree: WorkingTree) -> Path:
    return only(list((tree.root / ".git/objects").glob("??/*")))


def lent_loose_of(tree: WorkingTree) -> Path:
    return only(list((tree.root.parent / "lender/.git/objects").glob("??/*")))


def index_of(tree: WorkingTree) -> Path:
    return pack_of(tree).with_suffix(".idx")


def delete(path: Path) -> None:
    path.unlink()


def empty(path: Path) -> None:
    path.chmod(0o644)
    path.write_bytes(b"")


def shrink(path: Path) -> None:
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-1])


def replace(path: Path) -> None:
    """Put another file of the same name, content and times in its place."""
    status = path.stat()
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.replace(path)


def write_other_content(path: Path) -> None:
    """Write as many other bytes into the same file."""
    path.chmod(0o644)
    with path.open("r+b") as file:
        file.write(bytes(path.stat().st_size))


PLACES = (pack_of, lent_pack_of, loose_of, lent_loose_of, index_of)
VOIDING = [
    *((place, change) for place in PLACES for change in (delete, empty)),
    *((place, change) for place in (pack_of, lent_pack_of, index_of) for change in (shrink, replace)),
    (index_of, write_other_content),
]


def test_a_proof_holds_as_long_as_nothing_happens(tree: WorkingTree) -> None:
    proof = proof_of(tree)
    assert proof.holds()
    assert len(proof.packs) == 3
    assert proof.loose
    again = PresenceProof.from_json(store_of(tree), proof.to_json())
    assert again == proof
    assert again is not None
    assert again.holds()


@pytest.mark.parametrize(("place", "change"), VOIDING)
def test_a_proof_is_void_once_something_that_it_rests_on_is_gone_or_is_another(
    tree: WorkingTree, place: Callable[[WorkingTree], Path], change: Callable[[Path], None]
) -> None:
    proof = proof_of(tree)
    change(place(tree))
    assert not proof.holds()


def test_a_proof_is_void_after_a_repack(tree: WorkingTree) -> None:
    proof = proof_of(tree)
    tree.git("repack", "-adlq")
    assert not proof.holds()


def test_a_proof_is_void_without_the_alternates(tree: WorkingTree) -> None:
    proof = proof_of(tree)
    (tree.root / ".git/objects/info/alternates").write_text("")
    assert not proof.holds()


def test_a_proof_holds_although_packs_and_loose_objects_were_added_and_renewed(tree: WorkingTree) -> None:
    proof = proof_of(tree)
    os.utime(pack_of(tree))
    os.utime(loose_of(tree))
    tree.write({f"new/{number}.txt": f"new {number}\n" for number in range(30)})
    tree.commit("new")
    tree.git("repack", "-lq")
    assert proof.holds()


def test_a_proof_rests_on_nothing_that_it_does_not_need(tree: WorkingTree) -> None:
    wanted = {to_binary(tree.git("rev-parse", "HEAD:own/1/7.txt").strip())}
    proof = prove_presence(store_of(tree), wanted, 20)
    lent_pack_of(tree).unlink()
    loose_of(tree).unlink()
    assert proof.holds()


def test_what_is_proven_later_is_in_the_proof(tree: WorkingTree) -> None:
    before = ids_of(tree)
    proof = prove_presence(store_of(tree), before, 20)
    tree.write({"new.txt": "new\n"})
    tree.commit("new")
    new = ids_of(tree) - before
    both = prove_presence(store_of(tree), new, 20, proof)
    assert both.packs == proof.packs
    assert both.loose == proof.loose | new
    (oid, *_) = new
    (tree.root / ".git/objects" / oid.hex()[:2] / oid.hex()[2:]).unlink()
    assert proof.holds()
    assert not both.holds()


@pytest.mark.parametrize("place", [pack_of, lent_pack_of, loose_of, lent_loose_of, index_of])
@pytest.mark.parametrize("change", [delete, empty])
def test_what_is_missing_is_named(
    tree: WorkingTree, place: Callable[[WorkingTree], Path], change: Callable[[Path], None]
) -> None:
    wanted = ids_of(tree)
    change(place(tree))
    listed = tree.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)", check=False)
    present = {to_binary(name) for name in listed.split()}
    with pytest.raises(ObjectsMissingError) as caught:
        prove_presence(store_of(tree), wanted, 20)
    assert to_binary(caught.value.example) in wanted
    if change is delete:
        assert to_binary(caught.value.example) not in present


def test_many_loose_objects_are_not_worth_a_kept_proof(tree: WorkingTree) -> None:
    oids = frozenset(RawObjectID(number.to_bytes(20, "big")) for number in range(2_001))
    assert not PresenceProof(store_of(tree), loose=oids).is_small
    assert proof_of(tree).is_small


@pytest.fixture
def many_loose(tree: WorkingTree) -> WorkingTree:
    """A repository with more loose objects than are asked for one by one."""
    tree.write({f"many/{number}.txt": f"many {number}\n" for number in range(200)})
    tree.commit("many")
    return tree


def test_what_was_read_is_looked_for_in_the_listing_alone(
    many_loose: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = ids_of(many_loose)
    asked: list[RawObjectID] = []
    is_loose = presence._is_loose

    def asking(store: bytes, oid: RawObjectID) -> bool:
        asked.append(oid)
        return is_loose(store, oid)

    monkeypatch.setattr(presence, "_is_loose", asking)
    monkeypatch.setattr(presence, "_FEW_LOOSE", 0)
    proof = prove_presence(store_of(many_loose), wanted, 20, None, wanted)
    assert asked == []
    assert len(proof.loose) > 200
    assert proof == prove_presence(store_of(many_loose), wanted, 20)
    assert set(asked) == proof.loose


@pytest.mark.parametrize("change", [delete, empty])
def test_of_many_loose_objects_one_that_is_gone_or_empty_is_missed(
    many_loose: WorkingTree, change: Callable[[Path], None]
) -> None:
    wanted = ids_of(many_loose)
    proof = prove_presence(store_of(many_loose), wanted, 20)
    name = many_loose.git("rev-parse", "HEAD:many/7.txt").strip()
    change(many_loose.root / ".git/objects" / name[:2] / name[2:])
    assert not proof.holds()
    with pytest.raises(ObjectsMissingError) as caught:
        prove_presence(store_of(many_loose), wanted, 20)
    assert caught.value.example == name


def test_a_proof_of_more_than_are_kept_is_void_when_one_goes(
    many_loose: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "_MOST_LOOSE", 100)
    proof = proof_of(many_loose)
    assert not proof.is_small
    assert proof.holds()
    delete(loose_of(many_loose))
    assert not proof.holds()


@pytest.mark.parametrize(
    "text",
    [
        *("", "null", "[]", "{}", "[[], [], []]", '[[["a", 1, 2]], []]', "[[1], []]", "[" * 5000),
        *('[[["a", "1", 2, 3, 4, 5]], []]', "[[[1, 1, 2, 3, 4, 5]], []]", "[[[{}, 1, 2, 3, 4, 5]], []]"),
        *('[[], ["x"]]', "[[], [1]]", '[[], ["ab"]]', '[[], [""]]', "[[], [[]]]"),
    ],
)
def test_what_is_no_proof_is_not_read_as_one(tree: WorkingTree, text: str) -> None:
    proof = PresenceProof.from_json(store_of(tree), text)
    assert proof is None or not proof.holds()
