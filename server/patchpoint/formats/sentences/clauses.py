"""The clauses of a sentence that asks for several changes: *change `a` to `b`, and remove `c`.*"""

from __future__ import annotations

from collections.abc import Iterator

from patchpoint.formats.sentences.sentence import Reading, Word, WordTable, reading
from patchpoint.formats.spelling import set_of_words

_ASKS = frozenset({"replace", "remove", "assign", "rename"})
_ADDS = frozenset({"more", "others"})
_AND = set_of_words("and und et y e и then dann puis luego depois затем also auch aussi también também")
_STOPS = frozenset(",;，；、")
_TWO_CODES = 4
"""So many backquotes are around a code in each of two clauses."""
_MOST_BETWEEN = 2
"""So many words may be between what joins two clauses and the verb of the second."""


def clause_spans(sentence: str) -> Iterator[tuple[int, int]]:
    """Yield where each clause of a sentence begins and ends which asks for a change of its own.

    What is said against one of them, or only offered, is said of those behind it, too: then it is one.
    """
    words = reading(sentence) if sentence.count("`") >= _TWO_CODES else None
    is_report = words is not None and "speaker" in words.words[0].kinds
    if words is None or words.has("never offers sample" if is_report else "never offers done sample"):
        yield 0, len(sentence)
        return
    adding = {each.start for each in reading(sentence, WordTable.PLACES).words if each.kinds >= _ADDS}
    verbs = [
        at for at, word in enumerate(words.words) if not word.kinds.isdisjoint(_ASKS) or word.start in adding
    ]
    start = 0
    for verb in verbs:
        at = _joint(words.words, verb)
        before = Reading(tuple(word for word in words.words[: at or 0] if word.start >= start))
        is_adding = any(word.start in adding for word in before.words)
        if at and before.has("code") and (is_adding or before.has("change replace remove assign rename")):
            yield start, words.words[at].start
            start = words.words[at].start
    yield start, len(sentence)


def _joint(words: tuple[Word, ...], verb: int) -> int | None:
    """Return which word joins the clause of a verb to what is before it; `None` where none does."""
    found = None
    for at in range(verb - 1, max(-1, verb - 2 - _MOST_BETWEEN), -1):
        if words[at].text in _STOPS or words[at].text in _AND:
            found = at
        elif words[at].kinds & {"code", "path", "name"} or found is not None:
            break
    return found
