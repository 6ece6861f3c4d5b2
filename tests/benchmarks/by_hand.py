"""What each part that is written by hand saves: `python -m tests.benchmarks.by_hand [--files 30000]`.

Each part and what a library has for the same work take turns in one run, so that both meet the same noise.
The table has the least time of each in milliseconds, and the ratio. Below it are the whole operations that
the parts belong to, which shows what a part is worth there. `docs/decisions/` says what follows from it.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import cast

from cattrs import Converter
from dulwich.attrs import GitAttributes, compile_gitattributes_patterns, parse_git_attributes
from dulwich.ignore import IgnoreFilter, IgnoreFilterManager
from dulwich.index import Index, IndexChecksumWriter, SerializedIndexEntry
from dulwich.index import write_index as write_dulwich_index
from dulwich.object_store import DiskObjectStore, MemoryObjectStore, OverlayObjectStore, commit_tree_changes
from dulwich.objects import Blob, ShaFile
from dulwich.pack import (
    _decode_object_header,
    load_pack_index,
    pack_object_header,
    take_msb_bytes_at,
)
from dulwich.trailers import parse_trailers

from patchpoint.checkpoints import CheckpointStore, RetentionPolicy, StoreOptions
from patchpoint.checkpoints.record.checkpoint import trailers_of
from patchpoint.checkpoints.snapshot.file_stat import stat_files
from patchpoint.filesystem.user_state import OVERRIDE
from patchpoint.git.ignore.attributes import Conversions
from patchpoint.git.ignore.rules import PathRules, standard_rules
from patchpoint.git.index import read as index_read
from patchpoint.git.index.read import STAT_WORDS, IndexFile, read_index
from patchpoint.git.index.write import index_content
from patchpoint.git.objects.reader import Entry, ObjectReader
from patchpoint.git.objects.tree_edit import edited_tree
from patchpoint.git.objects.writer import ObjectWriter
from patchpoint.git.odb.blob_sizes import blobs_of_other_size
from patchpoint.git.odb.ids import BLOB, ObjectID, RawObjectID, object_id, to_binary
from patchpoint.git.odb.kept_packs import NEW
from patchpoint.git.odb.loose import read_loose
from patchpoint.git.odb.pack_file import PackFile, entry_head
from patchpoint.git.odb.pack_writer import PackWriter
from patchpoint.git.odb.packs import Packs
from patchpoint.git.repository import Repository
from patchpoint.schema.decode import JSON, decode
from patchpoint.schema.requests import ApplyEdits
from tests.benchmarks.checkpoints import Tree, forget

_SAMPLE = 2_000
_PACKS = 30
_RULES = "node_modules/\n*.log\nbuild/\n!keep.log\n/dist\n**/cache/*.tmp\n"
_ATTRIBUTES = b"*.bat text eol=crlf\n*.png binary\n/docs/** text\n"

Work = Callable[[], object]


class Comparison:
    """Parts and their rivals, timed in turns."""

    def __init__(self, rounds: int) -> None:
        self._rounds = rounds
        print(f"  {'part':44} {'ours, ms':>9} {'other, ms':>10} {'ratio':>6}")

    def add(self, part: str, ours: Work, other: Work) -> None:
        """Print one row."""
        least = [float("inf"), float("inf")]
        for _ in range(self._rounds):
            for at, work in enumerate((ours, other)):
                start = time.perf_counter()
                work()
                least[at] = min(least[at], (time.perf_counter() - start) * 1000)
        print(f"  {part:44} {least[0]:9.1f} {least[1]:10.1f} {least[1] / least[0]:6.1f}", flush=True)


def measure_whole(tree: Tree, rounds: int) -> None:
    """Print what the operations take that the parts belong to."""
    store = CheckpointStore.open(tree.root, options=StoreOptions(retention=RetentionPolicy()))
    times: dict[str, list[float]] = {}

    def timed(name: str, work: Work) -> object:
        start = time.perf_counter()
        answer = work()
        times.setdefault(name, []).append((time.perf_counter() - start) * 1000)
        return answer

    for _ in range(rounds):
        forget(tree.root)
        timed("checkpoint, the first of a process", store.take)
        base = store.take()
        timed("checkpoint, nothing changed", store.take)
        tree.edit(1_000)
        timed("checkpoint, 1,000 files changed", store.take)
        timed("restore of 1,000 files", lambda checkpoint=base: store.restore(checkpoint.id))  # type: ignore[misc]
        # Staging is what makes the next restore write an index.
        tree.edit(1_000)
        tree.git("add", "-A")
        timed("restore of 1,000 staged files", lambda checkpoint=base: store.restore(checkpoint.id))  # type: ignore[misc]
    for name, found in times.items():
        print(f"  {name:44} {min(found):9.1f}")
    plain = Tree(tree.root.parent / "plain", len(tree.paths))
    plain_store = CheckpointStore.open(plain.root)
    start = time.perf_counter()
    plain_store.take()
    print(f"  {'checkpoint, all files new (no repository)':44} {(time.perf_counter() - start) * 1000:9.1f}")


def compare_index(table: Comparison, tree: Tree, repository: Repository) -> None:
    place = str(tree.root / ".git" / "index")

    def read_first() -> IndexFile:
        index_read._kept.clear()
        return read_index(repository)

    index = read_first()
    table.add("index: read, the first time", read_first, lambda: Index(place))
    read_index(repository)
    table.add("index: read again, nothing changed", lambda: read_index(repository), lambda: Index(place))
    index.trees = {}

    def write_other() -> None:
        file = IndexChecksumWriter(io.BytesIO())
        write_dulwich_index(file, [serialized(index, at) for at in range(len(index))])
        file.write_checksum()

    table.add("index: write", lambda: index_content(index, "sha1"), write_other)


def serialized(index: IndexFile, at: int) -> SerializedIndexEntry:
    """The entry at this position as dulwich wants it."""
    words = index.stats[at * STAT_WORDS : (at + 1) * STAT_WORDS]
    return SerializedIndexEntry(
        index.paths[at],
        (words[0], words[1]),
        (words[2], words[3]),
        words[4],
        words[5],
        words[6],
        words[7],
        words[8],
        words[9],
        ObjectID(index.ids[at].hex().encode()),
        index.flags[at] & 0xFFFF,
        index.flags[at] >> 16,
    )


def compare_rules(table: Comparison, tree: Tree, repository: Repository, paths: list[bytes]) -> None:
    (tree.root / ".git" / "info" / "exclude").write_text(_RULES)
    texts = [os.fsdecode(path) for path in paths]

    def ignore_file(path: bytes) -> bytes | None:
        place = tree.root / os.fsdecode(path)
        return place.read_bytes() if place.is_file() else None

    def ours() -> None:
        rules = PathRules(standard_rules(repository), ignore_file)
        for path in paths:
            rules.ignores(path)

    def other() -> None:
        exclude = IgnoreFilter.from_path(tree.root / ".git" / "info" / "exclude")
        manager = IgnoreFilterManager(str(tree.root), [exclude], False)
        for path in texts:
            manager.is_ignored(path)

    table.add("ignore rules: every path", ours, other)
    conversions = Conversions(repository, [b".gitattributes"], lambda _: [_ATTRIBUTES])
    attributes = GitAttributes(compile_gitattributes_patterns(parse_git_attributes(io.BytesIO(_ATTRIBUTES))))
    table.add(
        "attributes: every path",
        lambda: [conversions.may_apply(path) for path in paths],
        lambda: [attributes.match_path(path) for path in paths],
    )


def compare_packs(table: Comparison, tree: Tree, repository: Repository, place: Path) -> None:
    chance = random.Random(1)
    objects = repository.commondir + b"/objects"
    contents = [tree.text().encode() for _ in range(len(tree.paths))]
    names = [object_id(BLOB, content) for content in contents]
    sizes = [len(content) for content in contents]
    sha1 = repository.dulwich_format
    heads = [bytes(pack_object_header(BLOB, None, size, sha1)) + bytes(20) for size in sizes]
    table.add(
        "pack entries: read every head",
        lambda: [entry_head(head) for head in heads],
        lambda: [_decode_object_header(take_msb_bytes_at(head, 0)[0]) for head in heads],
    )
    number = iter(range(10_000))

    def write_ours() -> None:
        writer = PackWriter(os.fsencode(place / f"ours{next(number)}"), "sha1", NEW)
        for oid, content in zip(names, contents, strict=True):
            writer.add(oid, BLOB, content)
        writer.finish()

    def write_other() -> None:
        folder = place / f"other{next(number)}"
        store = DiskObjectStore.init(str(folder), object_format=sha1)
        store.add_objects([(cast(ShaFile, Blob.from_string(content)), None) for content in contents])

    table.add("pack: write every file's content", write_ours, write_other)

    spread: list[RawObjectID] = []
    for _ in range(_PACKS):
        writer = PackWriter(objects + b"/pack", "sha1", NEW)
        for _ in range(100):
            content = b"%d" % chance.getrandbits(64)
            spread.append(object_id(BLOB, content))
            writer.add(spread[-1], BLOB, content)
        writer.finish()
    index = read_index(repository)
    wanted = chance.sample(sorted(set(index.ids)), min(_SAMPLE, len(index))) + chance.sample(spread, _SAMPLE)
    chance.shuffle(wanted)
    in_hexadecimal = [ObjectID(oid.hex().encode()) for oid in wanted]

    def find_ours() -> None:
        packs = Packs(objects, 20)
        for oid in wanted:
            packs.holding(oid)

    def find_other() -> None:
        with closing(DiskObjectStore(os.fsdecode(objects), object_format=sha1)) as store:
            for name in in_hexadecimal:
                store.contains_packed(name)

    table.add(f"packs: find {len(wanted):,} objects in {_PACKS + 1}", find_ours, find_other)

    def read_ours() -> None:
        packs = Packs(objects, 20)
        for oid in wanted:
            packs.read(oid)

    def read_other() -> None:
        with closing(DiskObjectStore(os.fsdecode(objects), object_format=sha1)) as store:
            for name in in_hexadecimal:
                store.get_raw(name)

    table.add(f"packs: read {len(wanted):,} objects of {_PACKS + 1}", read_ours, read_other)
    largest = max(
        (tree.root / ".git" / "objects" / "pack").glob("*.idx"), key=lambda path: path.stat().st_size
    )
    stem = os.fsencode(largest.with_suffix(""))
    ids = index.ids

    def look_up_other() -> None:
        with closing(load_pack_index(str(largest), sha1)) as loaded:
            for oid in ids:
                loaded.object_offset(RawObjectID(oid))

    def look_up_ours() -> None:
        pack = PackFile(stem, 20)
        for oid in ids:
            position = pack.position(oid)
            assert position is not None
            pack.offset(position)

    table.add("pack index: look up every file", look_up_ours, look_up_other)
    expected = dict(zip(ids, index.stats[9::STAT_WORDS], strict=True))

    def sizes_other() -> None:
        with closing(DiskObjectStore(os.fsdecode(objects), object_format=sha1)) as store:
            for oid in ids:
                len(store.get_raw(ObjectID(oid.hex().encode()))[1])

    table.add("blob sizes: every file", lambda: blobs_of_other_size(objects, expected, 20), sizes_other)


def compare_loose(table: Comparison, place: Path, repository: Repository) -> None:
    folder = place / "loose"
    store = DiskObjectStore.init(str(folder), object_format=repository.dulwich_format)
    names: list[RawObjectID] = []
    for number in range(_SAMPLE):
        blob = Blob.from_string(b"%d\n" % number * 50)
        store.add_object(blob)
        names.append(to_binary(blob.id))
    objects = os.fsencode(folder)
    table.add(
        f"loose objects: read {_SAMPLE:,}",
        lambda: [read_loose(objects, oid) for oid in names],
        lambda: [store.get_raw(ObjectID(oid.hex().encode())) for oid in names],
    )


def compare_trees(table: Comparison, repository: Repository, paths: list[bytes]) -> None:
    chosen = random.Random(2).sample(paths, 100)
    objects = ObjectReader(repository)
    head = repository.head().commit
    assert head is not None
    root = objects.commit(ObjectID(head.encode())).tree
    blob = ObjectID(object_id(BLOB, b"new\n").hex().encode())

    def ours() -> bytes | None:
        with ObjectWriter(repository) as writer:
            fresh = ObjectReader(repository)
            return edited_tree(fresh, writer, root, {path: Entry(0o100644, blob) for path in chosen})

    def other() -> bytes:
        fresh = MemoryObjectStore()
        store = OverlayObjectStore([fresh, repository.objects], fresh)
        return commit_tree_changes(store, root, [(path, 0o100644, blob) for path in chosen])

    assert ours() == other()
    table.add("trees: change 100 paths", ours, other)


def compare_others(table: Comparison, tree: Tree, paths: list[bytes]) -> None:
    keys = ("Version", "Id", "Kind", "Label", "State", "Root", "Files")
    message = ("label\n\n" + "".join(f"Patchpoint-{key}: value of {key}\n" for key in keys)).encode()
    table.add(
        "trailers: of 1,000 commits",
        lambda: [trailers_of(message) for _ in range(1_000)],
        lambda: [parse_trailers(message) for _ in range(1_000)],
    )
    root = os.fsencode(tree.root)

    def with_python() -> list[tuple[int, int, int, int, int]]:
        found = []
        for path in paths:
            status = os.lstat(b"%b/%b" % (root, path))
            found.append(
                (status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
            )
        return found

    table.add("file stats: every file (other: os.lstat)", lambda: stat_files(root, paths), with_python)
    request: JSON = {
        "edits": [{"path": f"src/{n}.py", "search": "a\n" * 5, "replace": "b\n" * 5} for n in range(100)],
        "dryRun": True,
        "minSimilarity": 0.8,
    }
    converter = Converter(forbid_extra_keys=True)
    plain = {
        "edits": [{"path": f"src/{n}.py", "search": "a\n" * 5, "replace": "b\n" * 5} for n in range(100)],
        "dry_run": True,
        "min_similarity": 0.8,
    }
    converter.structure(plain, ApplyEdits)
    table.add(
        "requests: decode 100 edits (other: cattrs)",
        lambda: decode(ApplyEdits, request),
        lambda: converter.structure(plain, ApplyEdits),
    )


def main() -> None:
    """Run the comparison and print its table."""
    parser = argparse.ArgumentParser(description="Time what is written by hand, and libraries.")
    parser.add_argument("--files", type=int, default=30_000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="patchpoint-bench-") as folder:
        place = Path(folder)
        os.environ[OVERRIDE] = str(place / "state")
        tree = Tree(place / "tree", arguments.files)
        tree.commit_history()
        repository = Repository.open(tree.root)
        paths = [os.fsencode(path.relative_to(tree.root)) for path in tree.paths]
        print(f"{arguments.files:,} files, {arguments.rounds} rounds")
        table = Comparison(arguments.rounds)
        compare_index(table, tree, repository)
        compare_rules(table, tree, repository, paths)
        compare_trees(table, repository, paths)
        compare_others(table, tree, paths)
        compare_loose(table, place, repository)
        compare_packs(table, tree, repository, place)
        print("\nWhole operations, ms")
        measure_whole(tree, arguments.rounds)


if __name__ == "__main__":
    main()
