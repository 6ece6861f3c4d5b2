"""Python's `str.replace`, where the search text is there once: what plain tools of agents do."""

from platform import python_version

VERSION = python_version()


def apply(text: str, search: str, replace: str, path: str) -> str | None:
    """Return the new text, or `None` unless the search text is there exactly once."""
    return text.replace(search, replace) if text.count(search) == 1 else None
