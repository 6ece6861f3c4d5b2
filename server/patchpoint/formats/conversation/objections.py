"""What the words around the edits of an answer say against them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import takewhile

from patchpoint.dataclass import replace
from patchpoint.edit import HEARD, SHOWN, Edit, Format, Objection, ObjectionCode, Unplaced
from patchpoint.formats.conversation.left_alone import with_objections
from patchpoint.formats.conversation.options import alternatives
from patchpoint.formats.conversation.phrases import Says, Statement
from patchpoint.formats.conversation.surroundings import Group, Passage, surroundings
from patchpoint.formats.sentences.objections import SIGNS
from patchpoint.formats.sentences.sentence import Reading, Word, WordTable, may_have, readings, sentence_spans
from patchpoint.formats.source import AnswerText, Item
from patchpoint.text.lines import Span
from patchpoint.text.regex import IDENTIFIER, regex

_QUOTING = (Format.UNIFIED_DIFF, Format.SEARCH_REPLACE, Format.ENVELOPE, Format.TOOL_CALL)
"""Formats of edits that quote what they change; words above them may say which of several places is meant."""
_FARTHEST = 12
"""The number of paragraphs below an edit that may take it back."""
_NEAR = 2
"""So many paragraphs below an edit are about it."""
_LONGEST = 600
_MAYBE = "The answer may speak against it: “{}”."
_AGAINST = "this is not asked for, it seems (“{}”)"
_QUOTED = regex(r"`([^`\n]{1,200})`")
_PRINTING = ("`git ", "`hg ", "`jj ", "`diff ")
"""What prints a diff, before one that it has printed."""
_QUESTION = ("?", "？")

_Against = Iterator[tuple[str, bool]]
"""Sentences that speak against a group of edits, and whether each means all edits above it, too."""


def objections_in(text: str, blocks: Sequence[Span]) -> dict[int, Objection]:
    """Return what the answer `text` says against the edits at `blocks`, by their indices.

    The blocks are in order and disjoint. An edit without an objection is not in the result.
    """
    return _objections(_around(text, blocks), *surroundings(text, blocks)) if blocks else {}


def with_words_around(
    view: AnswerText, items: Sequence[Item], unplaced: Sequence[Unplaced]
) -> tuple[list[Item], list[Unplaced]]:
    """Return the edits of an answer with what its words say against them, and what is none or left alone.

    An edit that words next to it may be against is doubted; what is only likely anyway is none then.
    """
    blocks: list[Span] = []
    for span in sorted(
        {item.span for item in items} | {one.span for one in unplaced if one.edit is not None}
    ):
        if not blocks or span[0] >= blocks[-1][1]:
            blocks.append(span)
    asked = {one.span[0] for one in unplaced if one.is_sentence}
    asked |= {item.span[0] for item in items if isinstance(item, Edit) and item.target is not None}
    ends = [start for start, _ in blocks[1:]] + [len(view.text)]
    outer = [
        (start, min(_end_of_sentence(view.text, end), following) if start in asked else end)
        for (start, end), following in zip(blocks, ends, strict=True)
    ]
    groups, printed = surroundings(view.text, outer)
    said = _around(view.text, outer)
    objections = {blocks[index]: each for index, each in _objections(said, groups, printed).items()}
    against = {span: each.words for span, each in objections.items()}
    unplaced = [_without_change(one, against) if one.is_sentence else one for one in unplaced]
    kept, unplaced = with_objections(items, objections, unplaced, view)
    if len(view.text) > 100_000:
        return kept, unplaced
    written = {item.span for item in items if isinstance(item, Edit) and item.format not in SHOWN}
    doubts = _doubts(view.text, said, groups, blocks, written)
    leads = {
        blocks[index]: group.lead.sentences[-1].written
        for group in groups
        if group.lead is not None and group.lead.sentences
        for index in group.blocks
    }
    hedged = {blocks[index]: words for index, words in _hedges(groups, said).items()}
    kept, unplaced = _doubted(view, kept, unplaced, doubts, leads)
    return [_hedged(item, hedged) for item in kept], unplaced


def _hedged(item: Item, hedged: Mapping[Span, str]) -> Item:
    """Return an edit in doubt where words around it leave open whether it is meant."""
    if not isinstance(item, Edit) or item.doubt or item.objection is not None or item.span not in hedged:
        return item
    return replace(item, doubt=_MAYBE.format(hedged[item.span].rstrip(".")))


def _doubted(
    view: AnswerText,
    items: Sequence[Item],
    unplaced: Sequence[Unplaced],
    doubts: Mapping[Span, str],
    leads: Mapping[Span, str],
) -> tuple[list[Item], list[Unplaced]]:
    # What is offered is only likely anyway.
    firm = {span: words for span, words in doubts.items() if _is_firm(Statement(words))}
    left = [
        one if one.is_sentence and _is_of_rest(firm.get(one.span, "")) else _without_change(one, firm)
        for one in unplaced
    ]
    kept: list[Item] = []
    for item in items:
        if isinstance(item, Edit) and item.format in _QUOTING:
            item = replace(item, lead=leads.get(item.span, ""))
        if isinstance(item, Edit) and item.format in HEARD and item.objection is None and item.span in doubts:
            words = doubts[item.span].rstrip(".")
            is_of_rest = item.target is not None and _is_of_rest(words)
            if item.doubt and item.span in firm and not is_of_rest:
                line = view.line_of(item.span[0]) + 1
                left.append(
                    Unplaced(message=_AGAINST.format(words), span=item.span, line=line, is_needed=True)
                )
                continue
            item = item if item.doubt else replace(item, doubt=_MAYBE.format(words))
        kept.append(item)
    return kept, left


def _without_change(one: Unplaced, against: Mapping[Span, str]) -> Unplaced:
    """Return what is no edit without the change that words are against."""
    if one.edit is None or one.span not in against:
        return one
    return replace(one, message=_AGAINST.format(against[one.span].rstrip(".")), edit=None)


def _is_of_rest(words: str) -> bool:
    """Return whether a sentence says of a change next to it that nothing else is to be changed."""
    return Statement(words).says(Says.NEEDLESS)


def _end_of_sentence(text: str, at: int) -> int:
    """Return where the sentence ends that something in a text is part of: at the end of the line at last."""
    line = text[at : end if (end := text.find("\n", at)) >= 0 else len(text)]
    return at + next((end for _, end in sentence_spans(line)), 0)


def _around(text: str, blocks: Sequence[Span]) -> str:
    """Return what is written around the blocks."""
    starts, ends = (0, *(end for _, end in blocks)), (*(start for start, _ in blocks), len(text))
    return "\n".join(text[start:end] for start, end in zip(starts, ends, strict=True))


def _said(groups: Sequence[Group], against: Callable[[Group, bool], _Against]) -> dict[int, str]:
    """Return the first sentence that speaks against each edit, by its index."""
    found: dict[int, str] = {}
    for number, group in enumerate(groups):
        for words, is_of_all in against(group, number + 1 == len(groups)):
            for one in groups[: number + 1] if is_of_all else (group,):
                found |= {index: words for index in one.blocks if index not in found}
    return found


def _objections(said: str, groups: Sequence[Group], printed: Mapping[int, str]) -> dict[int, Objection]:
    words = dict(printed)
    found: dict[int, Objection] = {}
    if any(all(may_have(said, WordTable.OBJECTIONS, kinds) for kinds in row) for row in SIGNS):
        words = _said(groups, partial(_retracting, groups[0])) | words
        found = alternatives(groups)
    return found | {
        index: Objection(code=ObjectionCode.RETRACTED, words=each) for index, each in words.items()
    }


def _retracting(first: Group, group: Group, is_last: bool) -> _Against:
    """Yield the sentences around a group that take it back."""
    is_sole = len(group.above) == 1 and group is not first
    titles = [
        title.text
        for title in group.titles
        if _calls_it_nothing(title.first, group) or title.first.says(Says.CONDITION)
    ]
    above = (titles[:1] or _led_by(group.lead, group, is_sole=is_sole)) or _led_by(
        group.introduction, replace(group, is_pair=False), is_sole=False
    )
    yield from ((words, False) for words in above)
    is_near = True
    for number, passage in enumerate(group.below[:_FARTHEST]):
        is_near = is_near and passage.level > 0
        is_final = not is_last and passage is group.below[-1]
        for place, sentence in enumerate(passage.sentences):
            points_on = is_final and (
                passage.is_title or (sentence.points_on and place + 1 == len(passage.sentences))
            )
            is_corrected = number == place == 0 and not is_last
            meanings = [Says.RETHINKS, *([Says.TURNS] if is_corrected else [])]
            if is_near:
                meanings += [Says.DISOWNS]
                meanings += [Says.DROPS] if number == place == 0 else []
                meanings += [] if points_on else [Says.WITHHOLDS, Says.ASIDE]
                meanings += [] if points_on or number else [Says.FAILED]
            if sentence.says(*meanings):
                yield sentence.written, sentence.says(Says.ALL)
            elif sentence.says(Says.ASKS):
                yield sentence.written, True


def _led_by(lead: Passage | None, group: Group, *, is_sole: bool) -> list[str]:
    """Return the sentence of the words that lead to a group that takes it back, if there is one."""
    said = lead.sentences if lead is not None and not lead.is_title else ()
    if lead is None or not said:
        return []
    last = said[-1]
    found = [each for each in (said[-1:] if is_sole else said) if each.says(Says.WITHHOLDS, Says.ASIDE)]
    found += [each for each in (said[0], last) if each.says(Says.CONDITION)]
    if last.points_on or lead.text.startswith(("❌", "✗", "✘", "🚫", "⛔")):
        is_nothing = _calls_it_nothing(last, group) or last.says(Says.FAILED)
    else:
        is_nothing = len(said) == 1 and not is_sole and last.says(Says.FAILED)
    return [each.written for each in (*found, *([last] if is_nothing else []))][:1]


def _calls_it_nothing(sentence: Statement, group: Group) -> bool:
    """Return whether a sentence calls what follows it something that is not to be written."""
    # of a pair, such words are about its first half
    return not group.is_pair and sentence.says(Says.SHOWS)


def _doubts(
    text: str, said: str, groups: Sequence[Group], blocks: Sequence[Span], written: set[Span]
) -> dict[Span, str]:
    """Return the sentences of an answer that may speak against its code, by the place of the code.

    Of what is `written` for a program, only the words above it are about it.
    """
    may_doubt = (
        may_have(said, WordTable.OBJECTIONS, "turn not leave")
        or may_have(said, WordTable.DOUBTS, "above below which open offer needless touched")
        or may_have(said, WordTable.OBJECTIONS, "or")
        or any(sign in said for sign in (*_QUESTION, *_PRINTING))
    )
    found = _said(groups, partial(_doubting, text, blocks, written)) if may_doubt else {}
    by_span = {blocks[index]: words for index, words in found.items()}
    verdict = _verdict(groups) if may_doubt and not written else ""
    if verdict:
        by_span |= dict.fromkeys(blocks, verdict)
    quoted = [block for block in blocks if text.startswith(">", text.rfind("\n", 0, block[0]) + 1)]
    if any(line[:1].isalpha() and len(line.split()) > 2 for line in said.splitlines() if quoted):
        by_span |= dict.fromkeys(quoted, "> …")
    return by_span


def _verdict(groups: Sequence[Group]) -> str:
    """Return the sentence above or below all code that says that nothing has to change, if there is one."""
    around = (*groups[0].above, *groups[-1].below)
    every = (each for passage in around if passage.level for each in passage.sentences)
    return next(
        (
            each.written
            for each in every
            if "`" not in each.written
            and each.says(Says.NEEDLESS)
            and not Reading(each.words(WordTable.DOUBTS)).has("else others")
        ),
        "",
    )


def _doubting(text: str, blocks: Sequence[Span], written: set[Span], group: Group, is_last: bool) -> _Against:
    """Yield the first sentence next to a group that may speak against it.

    A sentence that speaks of a cause is against what is only shown, and the reason for what is to be written.
    """
    is_shown = written.isdisjoint(blocks[index] for index in group.blocks)
    for lead in (group.lead, group.introduction):
        if lead is None or lead.is_title or group.is_pair or not lead.sentences:
            continue
        last = lead.sentences[-1]
        is_against = (
            last.says(Says.MISTAKE if is_shown else Says.SURE_MISTAKE, Says.OFFERS)
            or (last.points_on and last.says(Says.PROVISO))
            # without code above it, *or* is said of what somebody does in another way
            or (last.points_on and 0 not in group.blocks and last.says(Says.OTHERWISE))
            or any(sign in last.written for sign in _PRINTING)
            or last.written.endswith(_QUESTION)
        )
        found = [last] if is_against else [each for each in lead.sentences if each.says(Says.NEEDLESS)]
        if found:
            yield found[0].written, False
            return
    if is_shown:
        code = " ".join(text[slice(*blocks[index])] for index in group.blocks)
        yield from _doubting_below(group, code, is_last=is_last)
    elif group.below and not group.below[0].is_title and group.below[0].first.says(Says.TURNS):
        yield group.below[0].first.written, False


def _doubting_below(group: Group, code: str, *, is_last: bool) -> _Against:
    for number, passage in enumerate(group.below[: _FARTHEST if is_last else _NEAR]):
        is_near = number < _NEAR
        if not passage.level or (passage.is_title and not is_near):
            return
        # what points on is said of the edit below it
        sentences = passage.sentences if is_last or passage is not group.below[-1] else passage.sentences[:1]
        for sentence in () if passage.is_title else sentences:
            if sentence.points_on and not is_last:
                if sentence.says(Says.OTHERWISE):
                    yield sentence.written, False
                return
            is_which = sentence.says(Says.WHICH)
            is_turn = not number and sentence.says(Says.TURNS)
            is_kept = is_near and not sentence.says(Says.OTHERWISE) and _is_kept(sentence, code)
            if is_which or is_turn or is_kept:
                yield sentence.written, is_which
                return


def _is_kept(sentence: Statement, code: str) -> bool:
    """Return whether a sentence says that what the file has is better than `code`, or stays.

    What names something else first is said of that.
    """
    first = _QUOTED.search(sentence.written)
    is_of_code = first is None or not set(IDENTIFIER.findall(first[1])).isdisjoint(IDENTIFIER.findall(code))
    clause = list(
        takewhile(lambda word: "stop" not in word.kinds, reversed(sentence.words(WordTable.DOUBTS)))
    )[::-1]
    others = next((at for at in range(len(clause)) if _are_others(clause[at : at + 2])), -1)
    is_of_others = others >= 0 and not Reading(tuple(clause[:others])).has("it")
    return is_of_code and not is_of_others and sentence.says(Says.BETTER_NOT, Says.KEEPS)


def _are_others(words: Sequence[Word]) -> bool:
    """Return whether words begin with those for what else there is, such as *the other scripts*."""
    plural = words[0].text == "other" and words[-1].text.endswith("s") and not words[-1].kinds & {"it"}
    return "others" in words[0].kinds or plural


def _is_firm(sentence: Statement) -> bool:
    """Return whether a sentence does not only leave it open whether something is done."""
    is_open = sentence.written.endswith(_QUESTION) or sentence.says(Says.OFFERS)
    return not is_open or sentence.says(Says.WHICH)


def _hedges(groups: Sequence[Group], said: str) -> dict[int, str]:
    """Return the sentence that leaves open whether each edit is meant, by its index, where there is one.

    It is in the headings above the edit, which are for all below them, in what leads to it, or right behind.
    """
    found: dict[int, str] = {}
    if not may_have(said, WordTable.DOUBTS, "hedge opening after leading"):
        return found
    open_titles: list[tuple[int, str]] = []
    for number, group in enumerate(groups):
        for title in (each for each in group.above if each.is_title):
            open_titles = [each for each in open_titles if each[0] < title.level]
            words = next((each.written for each in title.sentences if _leaves_open(each)), "")
            open_titles += [(title.level, words)] if words else []
        words = next((words for _, words in open_titles), "") or next(
            _next_to(group, groups[number + 1 :]), ""
        )
        found |= dict.fromkeys(group.blocks, words) if words else {}
    return found


def _next_to(group: Group, later: Sequence[Group]) -> Iterator[str]:
    """Yield the sentences next to a group that leave it open."""
    for passage in (group.introduction, group.lead):
        if passage is not None and not passage.is_title:
            yield from (each.written for each in passage.sentences if _leaves_open(each))
            last = passage.sentences[-1:] if passage is group.lead else ()
            yield from (each.written for each in last if each.points_on and _leaves_open(each, "leading"))
    for passage in group.below[:_NEAR]:
        if passage.is_title or not passage.level:
            return
        is_lead = bool(later) and passage is later[0].lead
        yield from (each.written for each in _about(passage, is_lead=is_lead) if _leaves_open(each, "after"))


def _leaves_open(sentence: Statement, kinds: str = "hedge") -> bool:
    """Return whether a sentence has a word of a kind, or begins with what it depends on."""
    if len(sentence.written) > _LONGEST:
        return False
    every = readings(sentence.written, WordTable.DOUBTS)
    return any(
        one.has(kinds) or (kinds == "hedge" and any("opening" in word.kinds for word in one.words[:1]))
        for one in every
    )


def _about(passage: Passage, *, is_lead: bool) -> Sequence[Statement]:
    """Return the sentences of a passage below an edit that are not about the one below that."""
    return [each for each in passage.sentences if not each.points_on] if is_lead else passage.sentences
