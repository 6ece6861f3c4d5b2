"""A tree with some of its paths changed."""

from __future__ import annotations

import stat
from collections.abc import Mapping

from patchpoint.checkpoints.objects import TREE, ObjectWriter
from patchpoint.checkpoints.proven import Entry, ProvenObjects


def edited_tree(
    objects: ProvenObjects, writer: ObjectWriter, tree: bytes | None, changes: Mapping[bytes, Entry | None]
) -> bytes | None:
    """The name of `tree` (`None`: the empty one) with each path of `changes` set, or taken out (`None`).

    A file that is set where a folder stands takes its place, and the other way round. Folders left empty
    go; the answer is `None` when nothing is left.
    """
    entries = objects.tree(tree) if tree else {}
    below: dict[bytes, dict[bytes, Entry | None]] = {}
    for path, entry in changes.items():
        name, slash, rest = path.partition(b"/")
        if slash:
            below.setdefault(name, {})[rest] = entry
        elif entry is None:
            entries.pop(name, None)
        else:
            entries[name] = entry
    for name, inner in below.items():
        current = entries.get(name)
        subtree = edited_tree(objects, writer, current.oid if current and current.is_tree else None, inner)
        if subtree is not None:
            entries[name] = Entry(stat.S_IFDIR, subtree)
        elif current is not None and current.is_tree:
            del entries[name]
    return write_tree(writer, entries) if entries else None


def write_tree(writer: ObjectWriter, entries: Mapping[bytes, Entry]) -> bytes:
    """The name of the tree with these entries, put in git's order (folders as if they ended in a slash)."""
    ordered = sorted(entries.items(), key=lambda item: item[0] + b"/" if item[1].is_tree else item[0])
    content = b"".join(
        b"%o %s\0%s" % (entry.mode, name, bytes.fromhex(entry.oid.decode())) for name, entry in ordered
    )
    return writer.add(TREE, content).hex().encode()
