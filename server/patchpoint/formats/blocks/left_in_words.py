"""What an answer asks for in a sentence alone, next to its code: no edit is made of it, and that is said."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from patchpoint.edit import Unplaced
from patchpoint.formats.blocks.pairs_in_words import sentences_in
from patchpoint.formats.scan import TextScan
from patchpoint.formats.sentences.sentence import Reading, reading
from patchpoint.formats.source import Item
from patchpoint.text.regex import regex
from patchpoint.text.shown import visible_line

_LONG = 90
_ASKS = frozenset({"remove", "change", "do", "replace", "adds"})
_IMPORT = regex(r"(?i)import\b")
_LEADS_ON = (":", "：")


def left_in_words(scan: TextScan, items: list[Item], known: Sequence[Unplaced]) -> list[Unplaced]:
    """Return the sentences that ask for a change of a file of which the `items` change nothing.

    Those of which it is `known` what they ask for are left out.
    """
    edited = {item.path for item in items if item.path}
    found = []
    for start, text, _ in sentences_in(scan.source) if edited and not scan.is_inside_edit else ():
        path = _asked_for(reading(text), edited)
        is_known = any(start <= one.span[0] < start + len(text) for one in known)
        if path and not is_known:
            said = visible_line(text.strip())
            said = said if len(said) <= _LONG else f"{said[: _LONG - 1]}…"
            why = f"this asks for a change of {path} in words, and no edit was made of it (“{said}”)"
            line = scan.source.line_of(start) + 1
            span = (start, start + len(text))
            found.append(Unplaced(message=why, span=span, line=line, is_change=True, is_sentence=True))
    return found


def _asked_for(sentence: Reading, edited: Collection[str]) -> str:
    """Return the other file that a sentence asks to change; empty for one that asks for nothing there."""
    said = [word for word in sentence.words if "fill" not in word.kinds]
    paths = [path for path in sentence.paths if not any(_is_same(path, each) for each in edited)]
    if not paths or not said or sentence.words[-1].text in _LEADS_ON:
        return ""
    asks = not _ASKS.isdisjoint(said[0].kinds) or _IMPORT.match(said[0].text) is not None
    return paths[0] if asks and not sentence.has("never offers done sample") else ""


def _is_same(path: str, other: str) -> bool:
    return path == other or path.endswith(f"/{other}") or other.endswith(f"/{path}")
