"""The files that an editor keeps next to the one that it edits: its own business, and never the project's.

Untracked ones are in no checkpoint and no review, and no restore writes over one or deletes it: a swap file
is the only copy of text that is not saved. A tracked file of such a name is a file like any other.
"""

from __future__ import annotations

import re
from functools import cache

EDITOR_FILES: tuple[tuple[bytes, str], ...] = (
    # ":help swap-file". After 16 for one file Vim goes on with .svz down to .saa, where .svg and .sql are.
    (b".*.sw[a-p]", "Vim's swap file"),
    (b".sw[a-p]", "Vim's swap file"),
    (b"4913", "Vim's trial whether it may write"),
    # "Interlocking", "Auto Save" and "Backup" in the manual of Emacs.
    (b".#*", "Emacs' lock"),
    (b"#*#", "Emacs' automatic save"),
    (b"*~", "an editor's backup"),
    (b".*.kate-swp", "Kate's swap file"),
    (b".~lock.*#", "LibreOffice's lock"),
    # `staging_place` of patchpoint.filesystem.write, where only the target's own folder serves.
    (b".patchpoint-????????????????.tmp", "what Patchpoint is writing"),
    # It is renamed over the file of that name; by then, another agent's step may have recorded it.
    (b"*.tmp.[0-9]*." + b"[0-9a-f]" * 12, "what Claude Code is writing"),
)
"""The patterns of names, as git's, and what such a file is."""

_STARTS = b".#4"
"""The bytes that these names begin with, but for those that end with `~` or hold `.tmp.`."""


def editor_file(path: bytes) -> str | None:
    """Return what the file at `path` is to its editor, going by the name; `None` if it is not such a file."""
    name = path[path.rfind(b"/") + 1 :]
    if name[:1] not in _STARTS and not name.endswith(b"~") and b".tmp." not in name:
        return None
    return next((what for expression, what in _expressions() if expression.fullmatch(name)), None)


@cache
def _expressions() -> tuple[tuple[re.Pattern[bytes], str], ...]:
    from patchpoint.git.wildmatch import any_of, name_expression

    found = []
    for pattern, what in EDITOR_FILES:
        expression = any_of(filter(None, [name_expression(pattern, fold=False)]))
        if expression is not None:
            found.append((expression, what))
    return tuple(found)
