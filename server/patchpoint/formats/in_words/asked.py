"""What sentences of an answer ask for that none of its edits makes, and none of its code shows."""

from __future__ import annotations

from collections.abc import Iterator

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Unplaced
from patchpoint.formats.in_words.frame import AskedChange, Frame
from patchpoint.formats.in_words.left import left_in_words
from patchpoint.formats.in_words.lines import added
from patchpoint.formats.in_words.pairs import unplaced_sentences
from patchpoint.formats.in_words.removals import removed, removed_below
from patchpoint.formats.in_words.renames import renamed
from patchpoint.formats.in_words.sentences import SentencesLeft, is_elsewhere, is_held
from patchpoint.formats.in_words.values import valued
from patchpoint.formats.scan import TextScan
from patchpoint.formats.sentences.sentence import WordTable, reading, readings
from patchpoint.formats.source import Item
from patchpoint.text.regex import regex

_CODE = regex(r"`[^`\n]{1,200}`")
_FRAMES = (
    Frame(added, "never offers done old sample remove replace", leads_on=False, table=WordTable.PLACES),
    Frame(valued, "never offers done sample speaker"),
    Frame(removed, "never offers done sample speaker", leads_on=False),
    Frame(renamed, "never offers done sample"),
)
_ASKING = frozenset({"change", "replace", "assign", "remove", "rename"})
_TELLS = regex(r"(?:ed|ing|[^s]s|\bge\w+t|erhöht|é|[ai]d[oa])\Z")
"""How verbs end that tell what something does or did."""
_REPORTS = {"done", "speaker"}
"""Next to edits what is said to be done is a part of them, or left out: their result shows which."""
_QUESTIONS = ("?", "？")
_COLONS = (":", "：")


def asked_in_words(scan: TextScan, items: list[Item]) -> list[Unplaced]:
    """Return what sentences ask for, each with the edit that it is of the file that is named for it.

    Nothing but the words of a sentence says so: its file shows whether it is more than likely. What they ask
    for that is no edit is among them, too.
    """
    left = SentencesLeft.of(scan.source, items)
    found = unplaced_sentences(scan, items, {start for start, _ in left.sentences})
    for change in removed_below(scan.source):
        found += _unplaced(left, 0, change, "")
    if left.sentences:
        edited = {item.path for item in items if item.path}
        only = next(iter(edited)) if len(edited) == 1 else ""
        found += [one for frame in _FRAMES for one in _read(frame, left, only, is_next=bool(items))]
        found += left_in_words(scan, left, items, found)
    made = [item for item in items if isinstance(item, Edit) and item.target is not None]
    return _without_repeats([one for one in found if not any(_is_same(one, edit) for edit in made)])


def _read(frame: Frame, left: SentencesLeft, only: str, *, is_next: bool) -> Iterator[Unplaced]:
    """Yield what sentences ask for in one way, or say that they did where they are next to edits.

    What is removed is in the `only` file that is edited, if none is named.
    """
    above = ""
    reports = " ".join(set(frame.held_by.split()) - _REPORTS)
    for start, text in left.sentences:
        ending = text.rstrip("*_ \n")
        is_asking = not ending.endswith(_QUESTIONS if frame.leads_on else (*_QUESTIONS, *_COLONS))
        if is_next and (is_elsewhere(text) or not (frame.read is added or _is_said_to_do(text))):
            continue
        held_by = reports if is_next and _is_own_report(text) else frame.held_by
        if is_asking and not is_held(text, held_by):
            each = (list(frame.read(sentence, text, above)) for sentence in readings(text, frame.table))
            for change in next(filter(None, each), ()):
                yield from _unplaced(left, start, change, only)
        above = text


def _is_own_report(text: str) -> bool:
    """Return whether a sentence begins with who speaks: *I've set ...*."""
    words = (
        word for word in reading(text).words if not word.kinds & {"fill", "stop"} or "speaker" in word.kinds
    )
    return "speaker" in next(words).kinds if text.strip() else False


def _is_said_to_do(text: str) -> bool:
    """Return whether a sentence asks, or says what has to be or what its speaker did, not what others do."""
    sentence = reading(text)
    verbs = (word.text for word in sentence.words if not word.kinds.isdisjoint(_ASKING))
    is_asked = any(_TELLS.search(verb) is None for verb in verbs)
    return is_asked or sentence.has("must would needless") or _is_own_report(text)


def _unplaced(left: SentencesLeft, start: int, change: AskedChange, only: str) -> Iterator[Unplaced]:
    paths = left.paths(start, change.paths) or ((only,) if only and change.is_in_each else ())
    span = (start + change.edit.span[0], start + change.edit.span[1])
    for path in paths if change.is_in_each or len(paths) == 1 else ():
        yield Unplaced(
            message=f"this sentence {change.what} {path}, and no edit was made of it",
            span=span,
            line=left.source.line_of(span[0]) + 1,
            edit=replace(change.edit, span=span),
            paths=(path,),
            is_sentence=True,
            is_change=change.is_needed,
        )


def _is_same(one: Unplaced, made: Edit) -> bool:
    """Return whether what a sentence asks for is an edit that is made of it already."""
    edit = one.edit
    if edit is None or made.span[1] <= edit.span[0] or edit.span[1] <= made.span[0]:
        return False
    return edit.search == made.search and edit.replace == made.replace


def _without_repeats(found: list[Unplaced]) -> list[Unplaced]:
    """Return what sentences ask for, each change once: a recap says it again, in more words."""
    asked: set[object] = set()
    once = []
    for one in found:
        edit = one.edit if one.is_sentence else None
        codes = frozenset(_CODE.findall(edit.lead)) if edit is not None else frozenset[str]()
        change = (one.paths, edit.target, edit.search, edit.replace, codes) if edit is not None else one
        once += [one] if change not in asked else []
        asked.add(change)
    return once
