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
    inside: dict[bytes, dict[bytes, Entry | None]] = {b"": {}}
    for path, entry in changes.items():
        directory, _, name = path.rpartition(b"/")
        inside.setdefault(directory, {})[name] = entry
        while directory:
            directory = directory.rpartition(b"/")[0]
            if directory in inside:
                break
            inside[directory] = {}
    outermost_first = sorted(inside, key=lambda directory: (directory.count(b"/") + 1) * bool(directory))
    edited: dict[bytes, dict[bytes, Entry]] = {}
    for directory in outermost_first:
        if directory:
            above, _, name = directory.rpartition(b"/")
            current = edited[above].get(name)
            tree = current.oid if current and current.is_tree else None
        entries = edited[directory] = objects.tree(tree) if tree else {}
        for name, entry in inside[directory].items():
            if entry is None:
                entries.pop(name, None)
            else:
                entries[name] = entry
    for directory in reversed(outermost_first[1:]):
        above, _, name = directory.rpartition(b"/")
        current = edited[above].get(name)
        if edited[directory]:
            edited[above][name] = Entry(stat.S_IFDIR, write_tree(writer, edited[directory]))
        elif current is not None and current.is_tree:
            del edited[above][name]
    return write_tree(writer, edited[b""]) if edited[b""] else None


def write_tree(writer: ObjectWriter, entries: Mapping[bytes, Entry]) -> ObjectID:
    """Write the tree with these entries, in git's order (directories as if they ended in a slash); return its
    id."""
    lines = sorted_tree_items({name: (each.mode, each.oid) for name, each in entries.items()}, False)
    return to_hexadecimal(writer.add(TREE, b"".join(serialize_tree(lines))))
