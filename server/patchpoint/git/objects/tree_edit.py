"""Write a tree with some of its paths changed.

See docs/decisions/small-parts.md.
"""

from __future__ import annotations

import stat
from collections.abc import Mapping

from dulwich.objects import serialize_tree, sorted_tree_items

from patchpoint.git.objects.reader import Entry, ObjectReader
from patchpoint.git.objects.writer import ObjectWriter
from patchpoint.git.odb.ids import TREE, ObjectID, to_hexadecimal


def edited_tree(
    objects: ObjectReader,
    writer: ObjectWriter,
    tree: ObjectID | None,
    changes: Mapping[bytes, Entry | None],
) -> ObjectID | None:
    """Write `tree` (`None`: the empty one) with each path of `changes` set, or removed (`None`).

    Returns its id. A file replaces a directory of the same path, and the other way round. Directories left
    empty are removed; the result is `None` when nothing is left.
    """
    entries = objects.tree(tree) if tree else {}
    inside: dict[bytes, dict[bytes, Entry | None]] = {}
    for path, entry in changes.items():
        name, slash, rest = path.partition(b"/")
        if slash:
            inside.setdefault(name, {})[rest] = entry
        elif entry is None:
            entries.pop(name, None)
        else:
            entries[name] = entry
    for name, below in inside.items():
        current = entries.get(name)
        subtree = edited_tree(objects, writer, current.oid if current and current.is_tree else None, below)
        if subtree is not None:
            entries[name] = Entry(stat.S_IFDIR, subtree)
        elif current is not None and current.is_tree:
            del entries[name]
    return write_tree(writer, entries) if entries else None


def write_tree(writer: ObjectWriter, entries: Mapping[bytes, Entry]) -> ObjectID:
    """Write the tree with these entries, in git's order (directories as if they ended in a slash); return its
    id."""
    lines = sorted_tree_items({name: (each.mode, each.oid) for name, each in entries.items()}, False)
    return to_hexadecimal(writer.add(TREE, b"".join(serialize_tree(lines))))
