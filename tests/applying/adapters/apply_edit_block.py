"""apply-edit-block, a ladder of its own for search/replace blocks."""

from importlib.metadata import version

from apply_edit_block import Edit, apply_edit

VERSION = version("apply-edit-block")


def apply(text: str, search: str, replace: str, path: str) -> str | None:
    """Return the new text, or `None` where it is not `ok`."""
    done = apply_edit(text, Edit(search.rstrip("\n"), replace.rstrip("\n")))
    return done.text if done.ok else None
