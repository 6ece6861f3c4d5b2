"""What the words around the edits of an answer say against them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from patchpoint.dataclass import replace
from patchpoint.edit import HEARD, SHOWN, Edit, Format, Objection, ObjectionCode, Unplaced
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
    says_otherwise,
    shows,
    withholds,
)
from patchpoint.formats.conversation.surroundings import (
    Group,
    Passage,
    surroundings,
)
from patchpoint.formats.sentences.sentence import Reading, WordTable, may_have, reading
from patchpoint.formats.source import AnswerText, Item
from patchpoint.text.lines import Span
from patchpoint.text.regex import IDENTIFIER

_QUOTING = (Format.UNIFIED_DIFF, Format.SEARCH_REPLACE, Format.ENVELOPE, Format.TOOL_CALL)
"""Formats of edits that quote what they change; words above them may say which of several places is meant."""
_CROSSES = ("❌", "✗", "✘", "🚫", "⛔")
_FARTHEST = 12
"""The number of paragraphs below an edit that may take it back."""
_MAYBE = "The answer may speak against it: “{}”."
_AGAINST = "this is not asked for, it seems (“{}”)"
_SIGNS = "above below which leave turn open offer needless"
_PRINTING = ("`git ", "`hg ", "`jj ", "`diff ")
"""What prints a diff, before one that it has printed."""
_QUESTION = ("?", "？")
_NEAR = 2
"""So many paragraphs below an edit are about it."""
_LONGEST = 600
"""A longer sentence is not looked at."""
_MOST_KEPT = 5
"""So many words at most name what is to stay as it is."""


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


def with_doubts(
    view: AnswerText, items: Sequence[Item], unplaced: Sequence[Unplaced]
) -> tuple[list[Item], list[Unplaced]]:
    """Return the edits of an answer, doubted where words next to them may be against them; and other code.

    What is only likely anyway, and may be spoken against, is no edit.
    """
    spans = [item.span for item in items if isinstance(item, Edit) and item.format in HEARD]
    spans = sorted({*spans, *(one.span for one in unplaced if one.edit is not None)})
    blocks: list[Span] = []
    for span in spans:
        if not blocks or span[0] >= blocks[-1][1]:
            blocks.append(span)
    written = {item.span for item in items if isinstance(item, Edit) and item.format not in SHOWN}
    doubts = {blocks[index]: words for index, words in _doubts_about(view.text, blocks, written).items()}
    doubts |= dict.fromkeys(_quoted_in(view.text, blocks), "> …")
    leads = _leads(view.text, blocks) if any(item.format in _QUOTING for item in items) else {}
    kept: list[Item] = []
    left: list[Unplaced] = []
    for one in unplaced:
        words = doubts.get(one.span, "") if one.edit is not None else ""
        words = "" if _offers(words) else words  # what is offered is only likely anyway
        left.append(replace(one, message=_AGAINST.format(words.rstrip(".")), edit=None) if words else one)
    for item in items:
        words = doubts.get(item.span, "")
        if isinstance(item, Edit) and item.format in _QUOTING:
            item = replace(item, lead=leads.get(item.span, ""))
        if (
            not words
            or not isinstance(item, Edit)
            or item.objection is not None
            or item.format not in HEARD
            or (item.doubt and _offers(words))
        ):
            kept.append(item)
        elif item.doubt:
            line = view.line_of(item.span[0]) + 1
            left.append(Unplaced(message=_AGAINST.format(words.rstrip(".")), span=item.span, line=line))
        else:
            kept.append(replace(item, doubt=_MAYBE.format(words.rstrip("."))))
    return kept, left


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


def _leads(text: str, blocks: Sequence[Span]) -> dict[Span, str]:
    """Return what is said right above each of the blocks."""
    groups, _ = surroundings(text, blocks)
    return {
        blocks[index]: group.lead.sentences[-1].written
        for group in groups
        if group.lead is not None and group.lead.sentences
        for index in group.blocks
    }


def _quoted_in(text: str, blocks: Sequence[Span]) -> list[Span]:
    """Return the blocks in a quotation, if the answer says something of its own besides."""
    quoted = [block for block in blocks if text.startswith(">", text.rfind("\n", 0, block[0]) + 1)]
    if not quoted:
        return []
    starts, ends = (0, *(end for _, end in blocks)), (*(start for start, _ in blocks), len(text))
    lines = [line for start, end in zip(starts, ends, strict=True) for line in text[start:end].splitlines()]
    is_said = any(line[:1].isalpha() and len(line.split()) > 2 for line in lines)
    return quoted if is_said else []


def _doubts_about(text: str, blocks: Sequence[Span], written: Container[Span]) -> dict[int, str]:
    """Return the sentences of an answer that may speak against its code at `blocks`, by their indices.

    Of the blocks that are `written` for a program, only the words above them are about them.
    """
    starts = (0, *(end for _, end in blocks))
    ends = (*(start for start, _ in blocks), len(text))
    words = "\n".join(text[start:end] for start, end in zip(starts, ends, strict=True))
    may_doubt = may_have(words, WordTable.DOUBTS, _SIGNS) or may_have(words, WordTable.OBJECTIONS, "or")
    may_doubt = may_doubt or any(sign in words for sign in (*_QUESTION, *_PRINTING))
    if not blocks or not may_doubt:
        return {}
    groups, _ = surroundings(text, blocks)
    found: dict[int, str] = {}
    for number, group in enumerate(groups):
        code = " ".join(text[slice(*blocks[index])] for index in group.blocks)
        is_shown = not any(blocks[index] in written for index in group.blocks)
        against = _above(group, is_shown=is_shown) or next(
            _below(group, code, is_last=number + 1 == len(groups)) if is_shown else iter(()), None
        )
        said, is_of_all = against or ("", False)
        of = groups[: number + 1] if is_of_all else (group,)
        found |= {index: said for one in of for index in one.blocks if said}
    return found


def _above(group: Group, *, is_shown: bool) -> tuple[str, bool] | None:
    """Return the sentence above a group that may speak against it, which is about this group alone.

    A sentence that speaks of a cause is against what is only shown, and the reason for what is to be written.
    """
    lead = group.lead
    if lead is None or lead.is_title or group.is_pair or not lead.sentences:
        return None
    last = lead.sentences[-1]
    said = _in_doubt(last)
    is_other = last.points_on and (_begins_with(said, "open") or last.says(says_otherwise))
    is_printed = any(word.text.startswith(_PRINTING) for word in said.words)
    is_asked = last.written.endswith(_QUESTION)
    is_against = any("above" in each.kinds and (is_shown or "cause" not in each.kinds) for each in said.words)
    if is_against or is_other or is_printed or is_asked or _begins_with(said, "offer"):
        return last.written, False
    needless = (each.written for each in lead.sentences if _in_doubt(each).has("needless"))
    return next(((each, False) for each in needless), None)


def _below(group: Group, code: str, *, is_last: bool) -> Iterator[tuple[str, bool]]:
    """Yield the sentences below a group that may speak against it, and whether each means all above."""
    for number, passage in enumerate(group.below[: _FARTHEST if is_last else _NEAR]):
        if not passage.level or (passage.is_title and number >= _NEAR):
            return
        if passage.is_title:
            continue
        # what points on is said of the edit below it
        sentences = passage.sentences if is_last or passage is not group.below[-1] else passage.sentences[:1]
        for sentence in sentences:
            if sentence.points_on and not is_last:
                if sentence.says(says_otherwise):
                    yield sentence.written, False
                return
            said = _in_doubt(sentence)
            is_near = number < _NEAR
            is_turn = not number and _begins_with(said, "turn")
            if said.has("which") or (
                is_near and (is_turn or said.has("below needless") or _keeps(said, code))
            ):
                yield sentence.written, said.has("which")


def _in_doubt(sentence: Statement) -> Reading:
    return reading(sentence.written, WordTable.DOUBTS) if len(sentence.written) <= _LONGEST else Reading(())


def _offers(words: str) -> bool:
    """Return whether a sentence leaves it open whether something is done."""
    return words.endswith(_QUESTION) or _begins_with(reading(words, WordTable.DOUBTS), "offer")


def _begins_with(sentence: Reading, kind: str) -> bool:
    return bool(sentence.words) and kind in sentence.words[0].kinds


def _keeps(sentence: Reading, code: str) -> bool:
    """Return whether a sentence says that something of the `code` stays as it is in the file."""
    words = sentence.words
    for at, word in enumerate(words):
        end = next((to for to, one in enumerate(words[at + 1 :]) if "as_is" in one.kinds), None)
        if "leave" in word.kinds and end is not None and 0 < end <= _MOST_KEPT:
            known = set(map(str.casefold, IDENTIFIER.findall(code)))
            kept = [
                one for one in words[at + 1 : at + 1 + end] if one.kinds.isdisjoint(("it", "small", "stop"))
            ]
            names = {name.casefold() for one in kept for name in IDENTIFIER.findall(one.text)}
            if names <= known:
                return True
    return False
