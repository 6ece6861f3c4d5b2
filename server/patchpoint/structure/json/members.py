"""Members of JSON that are to be added: in the object that the words above them name, or in the outermost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.structure.json.merge import merged_json, scanned
from patchpoint.structure.json.scan import JsonError, Member, Shape, Value, scan
from patchpoint.structure.lazy.definition import Assumption, UnmergedError
from patchpoint.text.regex import regex

_WORD = regex(r"[A-Za-z]{5,}")
_QUOTED = regex(r"`([^`\n]{1,80})`")
_ASSUMED = (Assumption.GAPS, Assumption.LAST)


def with_members(file: Sequence[str], shown: Sequence[str], lead: str) -> tuple[tuple[str, ...], str] | None:
    """Return the lines of a file with new members at the end of one of its objects, and a sentence on which.

    `None` where several objects may be meant, where the file has one of the members there already, or where
    either is no JSON.
    """
    try:
        own, (text, given) = scan("\n".join(file)), scanned(shown)
    except (JsonError, UnmergedError):
        return None
    if own.shape is not Shape.OBJECT or given.shape is not Shape.OBJECT:
        return None
    homes = list(_named(own, lead))
    if len(homes) > 1 or not given.members:
        return None
    home = homes[0] if homes else None
    around = home.value if home is not None else own
    if not {each.key for each in around.members}.isdisjoint(each.key for each in given.members):
        return None
    if home is None and not all(map(_kinds(own.members).__contains__, _kinds(given.members))):
        return None
    bare = text[given.start + 1 : given.end - 1].strip("\n")
    wrapped = f'"{home.key}": {{\n{bare}\n}}' if home is not None else bare
    try:
        merged = merged_json(file, wrapped.split("\n"), _ASSUMED)
    except UnmergedError:
        return None
    return merged, f"It is new, and goes to the end of {f'`{home.key}`' if home else 'the file'}."


def _named(own: Value, lead: str) -> Iterator[Member]:
    """Yield the outermost objects that words name, in backquotes, or else in the singular or the plural."""
    objects = [member for member in own.members if member.value.shape is Shape.OBJECT]
    quoted = {name.strip("\"'") for name in _QUOTED.findall(lead)}
    words = {word.casefold()[:-1] for word in _WORD.findall(lead)}
    yield from [member for member in objects if member.key in quoted] or [
        member for member in objects if any(word in member.key.casefold() for word in words)
    ]


def _kinds(members: Sequence[Member]) -> set[bool]:
    """Return whether some members have plain values, or others."""
    return {each.value.shape is Shape.SCALAR for each in members}
