"""A whole model answer, or a conversation, split into edits and prose; it may mix formats."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import dropwhile, takewhile
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import ONLY_TURN, Edit, Format, Malformed, TurnRead
from patchpoint.formats.conversation.answers import AnswerRead, conversation_in
from patchpoint.formats.labels import with_longer_paths
from patchpoint.formats.reader import read_inside, read_items
from patchpoint.formats.source import AnswerText
from patchpoint.formats.table import FORMATS

if TYPE_CHECKING:
    from patchpoint.edit import Unplaced
    from patchpoint.formats.conversation.answers import Conversation
    from patchpoint.formats.source import Item
    from patchpoint.text.lines import Span


AUTO = "auto"
"""The name under which every format is looked for."""

FORMAT_NAMES = (AUTO, *(row.format.value for row in FORMATS))
"""The names that `format` may have: all formats are looked for, or one alone."""

_LATER = "A later answer has other code, of which no edit is made."
_LATER_WORDS = "A later answer says more, and has no edit: it may take this one back."

LAST_TURN = "last"
ALL_TURNS = "all"


@dataclass(frozen=True, slots=True)
class ParsedAnswer:
    """A model's answer as edits and prose.

    `items` are in reading order, except that a move follows the other changes to its file; their spans are
    disjoint. `prose` is all the rest, in order: together they cover every character of the text.
    """

    items: tuple[Item, ...]
    prose: tuple[Span, ...]
    unplaced: tuple[Unplaced, ...] = ()
    """The fences in the prose, each with what it looks like and what is missing for an edit, and the edits
    that are left alone, each with why."""
    turn: TurnRead = ONLY_TURN
    """Which answer was read, if the text is a conversation."""


def read_answer(
    text: str,
    format: str = AUTO,  # noqa: A002
    *,
    path: str = "",
    turn: str = LAST_TURN,
    include: Collection[str] = (),
) -> ParsedAnswer:
    """Split `text` into the edits that it asks for and prose.

    `format` is one of `FORMAT_NAMES`; `path` is the file of edits that name none. Of a conversation, only
    what the model says is read; of several answers with edits, the one that `turn` tells: `"last"`, `"all"`,
    or its number from 1. An edit that is left alone, or that the answer itself speaks against, counts all the
    same where `include` has the line on which it begins (from 1) or, of an alternative, its name. A piece
    that is plainly meant as an edit and cannot be read as one becomes a `Malformed`. Raises `ValueError` for
    an unknown format or turn, and nothing else.
    """
    if format not in FORMAT_NAMES:
        raise ValueError(f"unknown format {format!r}; expected one of {', '.join(FORMAT_NAMES)}")
    wanted = None if format == AUTO else Format(format)
    return reader_of(text, wanted, turn=turn, include=include)(path)


def reader_of(
    text: str, wanted: Format | None = None, *, turn: str = LAST_TURN, include: Collection[str] = ()
) -> Callable[[str], ParsedAnswer]:
    """Return what returns the answer `text` split, as `read_answer` does, for the `path` that it is given.

    What the first reading learns of the text, a second one with another path need not.
    """
    source = AnswerText(text)
    return lambda path: _read(source, wanted, path, turn, include)


def edits_from_data(value: object, *, path: str = "", origin: Format = Format.TOOL_CALL) -> list[Item]:
    """Return the edits that decoded JSON asks for: a tool call, its arguments, or a list of either.

    `path` is the file of edits that name none, `origin` the format that the edits get. Their spans are empty,
    for data have no place in a text.
    """
    from patchpoint.formats.tool_calls.call import find_edits

    found = find_edits(value, read_inside, known_path=path)
    return [replace(each.item, format=origin, span=(0, 0)) for each in found]


def _read(
    source: AnswerText, wanted: Format | None, path: str, turn: str, include: Collection[str]
) -> ParsedAnswer:
    def read_call(value: object) -> list[Item]:
        return edits_from_data(value, path=path) if wanted in (None, Format.TOOL_CALL) else []

    conversation = conversation_in(source, lambda said: read_items(said, wanted, path), read_call)
    chosen, read_turn = _chosen(conversation, turn)
    others = (*chosen.unplaced, *conversation.others)
    read, unplaced = chosen.items, others
    if include or any(isinstance(item, Edit) and item.objection for item in read):
        from patchpoint.formats.conversation.left_alone import with_included

        kept, left = with_included(source, read, others, include)
        read, unplaced = tuple(kept), tuple(left)
    items = tuple(
        replace(item, message=f"Line {item.line}: {item.message}.") if isinstance(item, Malformed) else item
        for item in with_longer_paths(source, read)
    )
    described = tuple(replace(one, message=f"Line {one.line}: {one.message}.") for one in unplaced)
    return ParsedAnswer(items, tuple(_between(source.text, items)), described, read_turn)


def _chosen(conversation: Conversation, turn: str) -> tuple[AnswerRead, TurnRead]:
    """Return the answer that `turn` tells, and which one it is."""
    answers = conversation.with_edits()
    if turn == ALL_TURNS:
        items = tuple(item for answer in answers for item in answer.items)
        unplaced = tuple(one for answer in answers for one in answer.unplaced)
        return AnswerRead(items, unplaced), TurnRead(0, len(answers))
    if turn != LAST_TURN and not (turn.isascii() and turn.isdecimal()):
        raise ValueError(f"unknown turn {turn!r}; expected last, all or a number from 1")
    number = len(answers) if turn == LAST_TURN else int(turn)
    if not 0 < number <= len(answers):
        raise ValueError(f"there is no turn {turn}; the answers with edits are 1 to {len(answers)}")
    read = TurnRead(number, len(answers))
    last = answers[number - 1]
    said = list(takewhile(lambda answer: answer is not last, conversation.answers))
    if turn == LAST_TURN and (number > 1 or said):
        from patchpoint.formats.blocks.earlier import belonging_to_last

        before = [*said, *(answer for answer in answers[:-1] if answer not in said)]
        earlier, more = belonging_to_last([*before, last])
        last = replace(last, items=(*earlier, *last.items), unplaced=(*more, *last.unplaced))
    return _doubted_by_later(last, conversation.answers) if turn == LAST_TURN else last, read


def _doubted_by_later(last: AnswerRead, answers: Sequence[AnswerRead]) -> AnswerRead:
    """Return the last answer with edits, in doubt where a later one has none: it may take them back."""
    later = [*dropwhile(lambda answer: answer.items != last.items, answers)][1:]
    if not later:
        return last
    has_code = any(
        one.edit is not None or one.quoted is not None for answer in later for one in answer.unplaced
    )
    doubt = _LATER if has_code else _LATER_WORDS
    items = (
        replace(item, doubt=item.doubt or doubt) if isinstance(item, Edit) else item for item in last.items
    )
    return replace(last, items=tuple(items))


def _between(text: str, items: tuple[Item, ...]) -> Iterator[Span]:
    """Return the spans before, between and behind the items."""
    reached = 0
    for start, end in sorted(item.span for item in items):
        if start > reached:
            yield reached, start
        reached = max(reached, end)
    if reached < len(text):
        yield reached, len(text)
