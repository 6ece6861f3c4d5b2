"""Who speaks where in a text that is a conversation.

In a chat copied from its page, an export or a transcript, what the user pasted and what a program printed
look no different from an answer; labels tell whose words follow. They count where one form of labels names
both sides. Lines in a fence or in an edit are content, whatever they look like.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter, itemgetter

from patchpoint.dataclass import dataclass
from patchpoint.formats.conversation.speaker_labels import CODE, RULE, Label, names_both, readings
from patchpoint.formats.conversation.speakers import Speaker
from patchpoint.formats.source import SpanSet
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex


@dataclass(frozen=True, slots=True)
class Speech:
    """What one speaker says at once, without the label that says who it is."""

    speaker: Speaker
    span: Span
    """Whole lines of the text; the first without its label, if the words begin on the label's line."""


@dataclass(frozen=True, slots=True)
class _Fence:
    """A line that opens or closes a fence."""

    start: int
    sign: str
    length: int
    info: str


_FENCE = regex(r"\n[ \t]*(`{3,}(?![^\r\n]*`)|~{3,})[ \t]*([^\r\n]*)")
_TAGS = "content|file_text|new_str|old_str|new_string|old_string|search|replace|diff|parameter|arg_value"
_EDIT = regex(
    rf"""^[ \t]*(?:(?P<block><{{5,9}}[ ]?[^<\r\n]{{0,80}}$)|(?P<patch>\*\*\*[ ]Begin[ ]Patch)
    |<(?P<tag>{_TAGS})\b[^<>\r\n]{{0,120}}>(?![^\r\n]*</(?P=tag)>))
    |<<-?[ ]?(?P<sign>['"]?)(?P<here>(?(sign)\w+|[A-Z][A-Z_]{{1,20}}\b))(?P=sign)[^\n]*\n""",
    re.MULTILINE | re.VERBOSE,
)
_EDIT_ENDS = {
    "block": r"^[ \t]*(?:>{{5,9}}|(?P<again><{{5,9}}))[ ]?[^<>\r\n]{{0,80}}$",
    "patch": r"^[ \t]*\*\*\* End Patch",
    "tag": "</{}>",
    "here": r"^[ \t]*{}\r?$",
}
"""What ends an edit that needs no fence, by how it begins; a block does not if another begins first."""
_OF_TEXTS = regex(
    r"(?:markdown|md|mdx|te?xt|plain\w*|rst|adoc|org|html|xml|ya?ml|json|prompt|jinja\w*|chat\w*)\Z"
    r"|.*\.(?:mdx?|te?xt|rst|adoc|org|html?|xml|ya?ml|json|prompt|jinja2?|tmpl)\b",
    re.IGNORECASE,
)
_MAY_HOLD_LABELS = (regex(""), _OF_TEXTS, regex("(?!)"))
"""The info strings of fences that may hold labels as their content: any, those of texts, none."""
_CLOSING = regex(
    r"(?:<\|(?:im_end|end|eot_id|return|end_of_text|endoftext)\|>|<end_of_turn>|</s>"
    r"|</(?:(?:user|human|you|assistant|ai|model|system|tool)(?:[_-](?:message|msg|turn|input|reply"
    r"|response|output))?"
    r"|message|msg|turn|chat_message|entry|speech|content|details|div|section"
    r"|article)>|<(?:message|msg|turn|entry)>|^\#\+end_\w+|^(?:\"\"\"|'''|\[\[\w+\]\]))\Z",
    re.IGNORECASE | re.MULTILINE,
)
_EMPTY_LINES = regex(r"(?:[ \t]*\r?\n)*")
_EMPTY_CONTEXT = regex(r"(?: \r?\n)*")
"""The empty lines of a diff, of which the space in front of them is left."""
SENT_BY_AGENT = regex(
    r"\s*(?:\[[\w.-]+(?: for [^\r\n]{1,2000})?\] Result:|<environment_details>|\[TASK RESUMPTION\]"
    r"|\[ERROR\] "
    r"|<(?:tool|function)_(?:result|response|output)|\[(?:tool|function)[ _](?:result|response|output))"
)
"""What the messages begin with that agents send in the user's name."""
_DEEPEST = 6


def speeches_in(text: str) -> list[Speech]:
    """Return the speeches of the conversation `text`, in order and in time linear in its length.

    What is above the first label belongs to no speech. A text that is no conversation has none.
    """
    edits: tuple[SpanSet, int] | None = None
    for labels in readings(text):
        edits = edits or _edits_in(text)
        counted = _counted(labels, text, *edits)
        if counted and (
            counted[0].style == "aider" or (names_both(counted) and not _is_a_sample(text, counted[0]))
        ):
            return _speeches(text, counted)
    return []


def _is_a_sample(text: str, first: Label) -> bool:
    """Return whether a conversation without any code ends an answer that has some.

    It is a sample, or what was said of the answer afterwards: above it are the model's words.
    """
    if first.speaker is not Speaker.USER or first.is_sure:
        return False
    return bool(CODE.search(text, 0, first.start)) and (
        first.is_of_lists or not CODE.search(text, first.start)
    )


def _edits_in(text: str) -> tuple[SpanSet, int]:
    """Return the edits of a text that need no fence (blocks, patches, tags, here-documents).

    With them is the offset at which the first begins that never ends; that of the end without one.
    """
    spans: list[Span] = []
    endless: list[int] = []
    reached = 0
    while len(endless) <= 30 and (found := _EDIT.search(text, reached)):
        kind = next(kind for kind in _EDIT_ENDS if found[kind])
        end = re.compile(_EDIT_ENDS[kind].format(found[kind]), re.MULTILINE).search(text, found.end())
        if end and not end.groupdict().get("again"):
            spans.append((found.end(), end.start()))
            reached = end.start()
        else:
            endless.append(found.end())
            reached = found.end()
    return SpanSet(spans), min(endless, default=len(text))


def _counted(labels: Iterable[Label], text: str, edits: SpanSet, first_endless: int) -> list[Label]:
    """Return those of the labels that are not the content of a fence or of one of the `edits`.

    There are none below `first_endless`: all may be content there. Where an open fence could as well be
    one that somebody forgot to close, that reading is taken which leaves the fewest fences open.
    """
    labels = [label for label in labels if not edits.overlaps((label.start, label.start + 1))]
    if not labels or first_endless <= labels[0].start:
        return []
    fences = [
        _Fence(mark.start(), mark[1][0], len(mark[1]), _CLOSING.sub("", mark[2].strip()))
        for mark in _FENCE.finditer("\n" + text)
        if not edits.overlaps((mark.start(), mark.start() + 1))
    ]
    lines: list[Label | _Fence] = [*labels, *fences]
    lines.sort(key=attrgetter("start"))
    return min((_reading(lines, each) for each in _MAY_HOLD_LABELS), key=itemgetter(0))[1]


def _reading(
    lines: Iterable[Label | _Fence], holding: re.Pattern[str]
) -> tuple[tuple[bool, int, int], list[Label]]:
    """Return how unlikely it is that fences with such info strings hold labels, and which labels count.

    A fence that holds labels ends somewhere, and few other fences do not.
    """
    found: list[Label] = []
    fences: tuple[_Fence, ...] = ()
    faults, passed, is_wrong = 0, -1, False
    for line in lines:
        if isinstance(line, _Fence):
            faults += bool(line.info) and len(fences) == _DEEPEST
            fences = _behind_fence(fences, line)
            continue
        is_broken_off = bool(fences and found) and _is_broken_off(fences[-1], found[-1], line)
        has_labels = bool(fences) and passed > fences[0].start
        is_wrong = is_wrong or (is_broken_off and has_labels)
        if fences and (not found or has_labels or (holding.match(fences[-1].info) and not is_broken_off)):
            passed = line.start
        else:
            faults += len(fences)
            fences = ()
            found.append(line)
    is_wrong = is_wrong or (bool(fences) and passed > fences[0].start)
    return (is_wrong, faults + len(fences), -len(found)), found


def _behind_fence(fences: tuple[_Fence, ...], line: _Fence) -> tuple[_Fence, ...]:
    """Return the fences that are open behind a line of one; an info string opens one even inside another."""
    if line.info:
        return (*fences, line)[-_DEEPEST:]
    for number in range(len(fences) - 1, -1, -1):
        if fences[number].sign == line.sign and fences[number].length == line.length:
            return fences[:number]
    if not fences:
        return (line,)
    closes = fences[-1].sign == line.sign and fences[-1].length < line.length
    return fences[:-1] if closes else fences


def _is_broken_off(fence: _Fence, last: Label, label: Label) -> bool:
    """Return whether a model's code ends where the user asks it to go on.

    The next turn may go on in the middle of the code, without a fence: then the labels would be in the code.
    """
    is_asked = last.speaker is Speaker.MODEL and label.speaker is Speaker.USER
    return is_asked and label.is_below_space >= last.is_below_space and not _OF_TEXTS.match(fence.info)


def _speeches(text: str, labels: list[Label]) -> list[Speech]:
    """Return what follows each label, the neighbours of one speaker as one speech."""
    pieces = []
    for number, label in enumerate(labels):
        end = labels[number + 1].start if number + 1 < len(labels) else len(text)
        is_result = label.speaker is Speaker.USER and SENT_BY_AGENT.match(text, label.end, end)
        pieces.append(Speech(Speaker.TOOL if is_result else label.speaker, (label.end, end)))
    said = (piece for piece in pieces if text[slice(*piece.span)].strip())
    speeches = []
    for speaker, group in groupby(said, key=attrgetter("speaker")):
        spans = [piece.span for piece in group]
        speeches.append(Speech(speaker, _trimmed(text, spans[0][0], spans[-1][1])))
    return [speech for speech in speeches if text[slice(*speech.span)].strip()]


def _trimmed(text: str, start: int, end: int) -> Span:
    """Return a span without the empty lines around it, and without the rule or mark that ends a speech."""
    space = _EMPTY_LINES.match(text, start, end)
    start = space.end() if space else start
    for _ in range(20):
        last = start + len(text[start:end].rstrip())
        line = max(text.rfind("\n", start, last) + 1, start)
        closing = _CLOSING.search(text, max(last - 30, line), last)
        if not closing and not RULE.match(text, line, last):
            end_of_words = text.find("\n", last, end) + 1
            context = _EMPTY_CONTEXT.match(text, end_of_words, end) if end_of_words else None
            return start, context.end() if context else end
        end = closing.start() if closing else line
    return start, end
