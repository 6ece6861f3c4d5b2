"""difflib's closest match: the run of as many lines that resembles the search text most, at least by 80 %."""

from difflib import SequenceMatcher
from platform import python_version

VERSION = python_version()


def apply(text: str, search: str, replace: str, path: str) -> str | None:
    """Return the new text, or `None` where nothing resembles the search text."""
    lines, size, best, place = text.splitlines(keepends=True), len(search.splitlines()), 0.8, -1
    matcher = SequenceMatcher(None, "", search, autojunk=False)
    for start in range(len(lines) - size + 1):
        matcher.set_seq1("".join(lines[start : start + size]))
        if min(matcher.real_quick_ratio(), matcher.quick_ratio()) > best and matcher.ratio() > best:
            best, place = matcher.ratio(), start
    if place < 0:
        return None
    return "".join([*lines[:place], replace, *lines[place + size :]])
