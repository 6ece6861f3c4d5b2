"""The answers of a conversation: what the model says between two turns of its user, each read by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, groupby
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import SHOWN, Edit, ObjectionCode, Unplaced
from patchpoint.formats.conversation.results import Result, failed_calls, results_in, results_of
from patchpoint.formats.conversation.speakers import Speaker
from patchpoint.formats.conversation.speech import Speech, speeches_in
from patchpoint.formats.source import AnswerText, Item, ReadResult
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

if TYPE_CHECKING:
    from patchpoint.formats.conversation.exported import ConversationMessage, Event

Read = Callable[[AnswerText], tuple[list[Item], list[Unplaced]]]
"""Reads the edits of one text, and the fences that are none."""

ReadCall = Callable[[object], list[Item]]
"""Reads the edits of a decoded tool call; their spans are empty."""


_BEGINS = regex(
    r"(?!(?:else|try|finally|do|return|if|for|while|end|begin)\b)[^\W\d]\w.*\w.*(?:[:{(]|=>|\bdo)\Z|def \w"
)
"""A line with which a definition may begin."""
_WORD = regex(r"(?<![\w/.\\-])[^\W\d_]{2,40}(?![\w/.\\-]{0,200}[/.\\]\w)|[^\x00-\x7f]")
"""A word that is no part of a path."""
_ANY_BLOCK = "```\n.\n```\n\n"


@dataclass(frozen=True, slots=True)
class AnswerRead:
    """The edits of one answer, and what of it is none, or is left alone."""

    items: tuple[Item, ...]
    unplaced: tuple[Unplaced, ...] = ()
    words: str = ""
    """All that is said in a turn of a conversation."""
    by_user: bool = False

    @property
    def has_edits(self) -> bool:
        """Whether it has edits, or code that is called a change."""
        return bool(self.items) or any(one.edit is not None and one.is_change for one in self.unplaced)


@dataclass(frozen=True, slots=True)
class Conversation:
    """The answers of a text, the first one first; a text that is no conversation is one answer."""

    answers: tuple[AnswerRead, ...]
    others: tuple[Unplaced, ...] = ()
    """What would be edits in what the user said."""

    def with_edits(self) -> list[AnswerRead]:
        """Return the answers that have edits; the last of all where none has."""
        found: list[AnswerRead] = []
        for one in self.answers:
            found += [one] if one.has_edits or (found and _is_another_version(one, found[-1])) else []
        return found or list(self.answers[-1:]) or [AnswerRead(())]


def _is_another_version(answer: AnswerRead, before: AnswerRead) -> bool:
    """Return whether code of an answer that names no file is another version of code of the one `before`.

    It has most lines of that, or one with which a definition may begin.
    """
    shown, own = ([_lines(edit) for edit in _shown(each)] for each in (before, answer))
    return any(len(a & b) * 2 > len(b) > 1 or any(map(_BEGINS.match, a & b)) for a in own for b in shown)


def _shown(answer: AnswerRead) -> Iterator[Edit]:
    """Yield the edits of an answer, and the code of it that names no file."""
    yield from (item for item in answer.items if isinstance(item, Edit))
    yield from (one.edit for one in answer.unplaced if one.edit is not None and not one.is_sentence)


def _lines(edit: Edit) -> set[str]:
    lines = map(str.strip, (edit.replace or edit.content or "").splitlines())
    return {line for line in lines if len(line) > 1}


def conversation_in(source: AnswerText, read: Read, read_call: ReadCall) -> Conversation:
    """Return the answers in a text: only what the model says is read for edits."""
    first = next((sign for sign in source.text if not (sign.isspace() or sign == "\ufeff")), "")
    if first in ("{", "["):
        from patchpoint.formats.conversation.exported import messages_in

        messages = messages_in(source.text)
        if messages:
            return _of_turns(source, _exported(source, messages, read, read_call))
    speeches = speeches_in(source.text)
    if speeches:
        return _of_turns(source, _spoken(source, speeches, read, read_call))
    return Conversation((_answer_in(source, read),))


def _of_turns(source: AnswerText, turns: Iterator[AnswerRead]) -> Conversation:
    from patchpoint.formats.conversation.left_alone import not_said

    said = list(turns)
    others = (not_said(item, source) for turn in said if turn.by_user for item in turn.items)
    answers = (_with_later_words(said, number) for number, turn in enumerate(said) if not turn.by_user)
    return Conversation(tuple(answers), tuple(others))


def _spoken(
    source: AnswerText, speeches: Sequence[Speech], read: Read, read_call: ReadCall
) -> Iterator[AnswerRead]:
    for is_user, group in groupby(speeches, key=lambda speech: speech.speaker is Speaker.USER):
        turns = list(group)
        own = [speech.span for speech in turns if is_user or speech.speaker is Speaker.MODEL]
        if own:
            view = _only(source, own)
            asked = AnswerRead(tuple(read(view)[0])) if is_user else _last_in(view, read, read_call)
            results = results_of(source.text, (one.span for one in turns if one.speaker is Speaker.TOOL))
            answer = _without_failed(source, _outward(view, asked), results, own[0][0])
            yield replace(answer, words=view.text, by_user=is_user)


def _exported(
    source: AnswerText, messages: Sequence[ConversationMessage], read: Read, read_call: ReadCall
) -> Iterator[AnswerRead]:
    for is_user, group in groupby(messages, key=lambda message: message.speaker is Speaker.USER):
        own = [part for one in group if is_user or one.speaker is Speaker.MODEL for part in one.parts]
        if own:
            parts = [_part(source, part, read, read_call) for part in own]
            items = tuple(item for part in parts for item in part.items)
            unplaced = tuple(one for part in parts for one in part.unplaced)
            words = "\n\n".join(part.text for part in own if part.call is None)
            yield AnswerRead(items, unplaced, words, by_user=is_user)


def _with_later_words(said: Sequence[AnswerRead], number: int) -> AnswerRead:
    """Return an answer, its edits being taken back where the words right behind it do so.

    These are what the user says next and what the model says to that, if it has no edits.
    """
    from patchpoint.formats.conversation.objections import objections_in

    answer = said[number]
    for later in said[number + 1 : number + 3] if answer.items else ():
        found = objections_in(_ANY_BLOCK + later.words, [(0, len(_ANY_BLOCK.rstrip()))])
        if found and found[0].code is ObjectionCode.RETRACTED and (later.by_user or not later.has_edits):
            items = (
                replace(item, objection=item.objection or found[0]) if isinstance(item, Edit) else item
                for item in answer.items
            )
            return replace(answer, items=tuple(items))
    return answer


def _part(source: AnswerText, part: Event, read: Read, read_call: ReadCall) -> AnswerRead:
    """Return what one part of a message asks for; in the text around it, the first edit has its span."""
    from patchpoint.formats.conversation.left_alone import failed

    line = source.line_of(part.span[0]) + 1
    end = part.span[1]
    if part.call is None:
        inner = _last_in(AnswerText(part.text), read, read_call)
    else:
        inner = AnswerRead(tuple(read_call(part.value)))
    placed: list[Item] = []
    for item in inner.items:
        item = replace(item, span=(end, end) if placed or part.failure else part.span)
        placed.append(item if isinstance(item, Edit) else replace(item, line=line))
    if part.failure and placed:
        return AnswerRead((), (replace(failed(placed, part.failure, line), span=part.span),))
    left = [replace(one, span=(end, end) if placed else part.span, line=line) for one in inner.unplaced]
    return AnswerRead(tuple(placed), tuple(left))


def _last_in(source: AnswerText, read: Read, read_call: ReadCall) -> AnswerRead:
    """Return what the model says at once; where that quotes a conversation, what the last answer in it is."""
    inner = conversation_in(source, read, read_call)
    last = inner.with_edits()[-1]
    return AnswerRead(last.items, (*last.unplaced, *inner.others))


def _answer_in(source: AnswerText, read: Read) -> AnswerRead:
    """Return what one answer asks for, without what tools printed and the calls that failed."""
    results = results_in(source.text)
    answer = _without_results(source, results, read)
    # what is written into a file may look like what a tool prints
    printed = [one for one in results if not any(_is_within(one, item) for item in answer.items)]
    if len(printed) < len(results):
        answer, results = _without_results(source, printed, read), printed
    return _without_failed(source, answer, results) if results else answer


def _is_within(result: Result, item: Item) -> bool:
    return item.span[0] < result.span[0] and result.span[1] < item.span[1]


def _without_results(source: AnswerText, results: Sequence[Result], read: Read) -> AnswerRead:
    """Return what one answer asks for, without what tools printed."""
    view = source.without(result.span for result in results) if results else source
    items, unplaced = read(view)
    is_shown = any(item.format in SHOWN for item in items) or any(one.edit is not None for one in unplaced)
    around = "" if is_shown else view.without(sorted(item.span for item in items)).text
    if is_shown or (items and _WORD.search(around)):
        from patchpoint.formats.conversation.objections import with_words_around

        items, unplaced = with_words_around(view, items, unplaced)
    answer = AnswerRead(tuple(items), tuple(unplaced))
    return _outward(view, answer) if results else answer


def _without_failed(
    source: AnswerText, answer: AnswerRead, results: Sequence[Result], start: int = 0
) -> AnswerRead:
    """Return an answer, which begins at `start`, of which the calls that failed are left alone."""
    failures = failed_calls(source.text, [item.span for item in answer.items], results, start)
    if not failures:
        return answer
    from patchpoint.formats.conversation.left_alone import failed

    kept = tuple(item for index, item in enumerate(answer.items) if index not in failures)
    left = (
        failed([item], failures[index], source.line_of(item.span[0]) + 1)
        for index, item in enumerate(answer.items)
        if index in failures
    )
    return AnswerRead(kept, (*answer.unplaced, *left))


def _outward(view: AnswerText, answer: AnswerRead) -> AnswerRead:
    result = view.outward(ReadResult(answer.items, len(view.text)))
    return AnswerRead(result.items, tuple(map(view.unplaced_outward, answer.unplaced)))


def _only(source: AnswerText, said: Sequence[Span]) -> AnswerText:
    """Return a view of the lines from the first to the last of the spans `said`; all else is empty in it."""
    first, end = source.line_of(said[0][0]), source.line_of(max(said[-1][1] - 1, said[-1][0])) + 1
    bounds = (source.starts[first], *chain.from_iterable(said), source.starts[end])
    view = source.without(zip(bounds[::2], bounds[1::2], strict=True), first, end)
    view.may_be_cut_off = source.may_be_cut_off  # as every answer may, whatever is below it
    return view
