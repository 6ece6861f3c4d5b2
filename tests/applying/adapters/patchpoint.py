"""Patchpoint, through its library."""

from importlib.metadata import version

from patchpoint import apply_edit

VERSION = version("patchpoint")


def apply(text: str, search: str, replace: str, path: str) -> str | None:
    """Return the new text, or `None` where it refuses or asks."""
    return apply_edit(text, search, replace, path=path).text
