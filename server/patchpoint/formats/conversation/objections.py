"""What the words around the edits of an answer say against them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.dataclass import replace
from patchpoint.edit import Objection, ObjectionCode
from patchpoint.formats.conversation.options import alternatives
from patchpoint.formats.conversation.phrases import (
    Statement,
    asks,
    disowns,
    drops,
    failed,
    is_aside,
    is_conditional,
    means_all,
    rethinks,
    shows,
    withholds,
)
from patchpoint.formats.conversation.surroundings import (
    Group,
    Passage,
    surroundings,
)
from patchpoint.text.lines import Span

_CROSSES = ("❌", "✗", "✘", "🚫", "⛔")
_FARTHEST = 12
"""The number of paragraphs below an edit that may take it back."""


def objections_to(text: str, blocks: Sequence[Span]) -> dict[int, Objection]:
    """Return what `answers.objections_in` returns, for one block at least."""
    groups, printed = surroundings(text, blocks)
    found = alternatives(groups)
    for number, group in enumerate(groups):
        words = _said_above(group, is_first=not number)
        if words:
            found |= _retracted((group,), words)
        for sentence, is_of_all in _said_below(group, is_last=number + 1 == len(groups)):
            found |= _retracted(groups[: number + 1] if is_of_all else (group,), sentence)
    for index, prompt in printed.items():
        found[index] = Objection(code=ObjectionCode.RETRACTED, words=prompt)
    return found


def _retracted(groups: Sequence[Group], words: str) -> dict[int, Objection]:
    objection = Objection(code=ObjectionCode.RETRACTED, words=words)
    return {index: objection for group in groups for index in group.blocks}


def _said_above(group: Group, *, is_first: bool) -> str:
    """Return the sentence above a group that takes it back, or an empty text."""
    for title in group.titles:
        sentence = title.first
        if _calls_it_nothing(sentence, group) or sentence.says(is_conditional):
            return title.text
    is_sole = len(group.above) == 1 and not is_first
    own = _said_by(group.lead, group, is_sole=is_sole)
    return own or _said_by(group.farther_lead, replace(group, is_pair=False), is_sole=False)


def _said_by(lead: Passage | None, group: Group, *, is_sole: bool) -> str:
    """Return the sentence of the words that lead to a group that takes it back, or an empty text."""
    if lead is None or lead.is_title or not lead.sentences:
        return ""
    said = lead.sentences
    for sentence in said[-1:] if is_sole else said:
        if sentence.says(withholds) or sentence.says(is_aside):
            return sentence.written
    for sentence in (said[0], said[-1]):
        if sentence.says(is_conditional):
            return sentence.written
    last = said[-1]
    if last.points_on or lead.text.startswith(_CROSSES):
        is_nothing = _calls_it_nothing(last, group) or last.says(failed)
    else:
        is_nothing = len(said) == 1 and not is_sole and last.says(failed)
    return last.written if is_nothing else ""


def _calls_it_nothing(sentence: Statement, group: Group) -> bool:
    """Return whether a sentence calls what follows it something that is not to be written."""
    # of a pair, such words are about its first half
    return not group.is_pair and sentence.says(shows)


def _said_below(group: Group, *, is_last: bool) -> Iterator[tuple[str, bool]]:
    """Yield the sentences below a group that take it back, and whether each means all edits above."""
    is_near = True
    for number, passage in enumerate(group.below[:_FARTHEST]):
        if not passage.level:
            is_near = False
            continue
        said = passage.sentences
        is_final = not is_last and passage is group.below[-1]
        for place, sentence in enumerate(said):
            points_on = is_final and (passage.is_title or (place + 1 == len(said) and sentence.points_on))
            if points_on and _announces(sentence):
                continue
            takes_back = sentence.says(rethinks)
            if not takes_back and is_near:
                takes_back = (
                    (number == place == 0 and (sentence.says(drops)))
                    or sentence.says(disowns)
                    or (not number and not points_on and sentence.says(failed))
                    or (not points_on and (sentence.says(withholds) or sentence.says(is_aside)))
                )
            if takes_back:
                yield sentence.written, sentence.says(means_all)
            elif sentence.says(asks):
                yield sentence.written, True


def _announces(sentence: Statement) -> bool:
    """Return whether a sentence speaks against what follows it."""
    return sentence.says(shows)
