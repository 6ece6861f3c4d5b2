"""Pairs within a sentence: change `timeout=5` to `timeout=30` in `src/app.py`.

Most sentences of this kind tell what the code of an answer does. One is an edit only where the answer has no
code of its own, and where it asks for nothing but this: no choice, no condition, no other change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from patchpoint.dataclass import dataclass
from patchpoint.edit import Edit, Format, Operation, Target, TargetKind, Unplaced
from patchpoint.formats.blocks.listed_pairs import listed_pairs
from patchpoint.formats.fences import FenceKind, fences
from patchpoint.formats.labels import Naming, line_named, names_above
from patchpoint.formats.path_forms import names_a_source, paths_quoted, paths_unquoted, without_line
from patchpoint.formats.scan import TextScan
from patchpoint.formats.source import AnswerText, Item
from patchpoint.text.regex import regex

_Span = tuple[int, int]
_CODE = "\ue000"
"""A character in place of each one of code in a sentence."""
_SPAN = regex(r"(?<!`)(`{1,2})(?!`)([^`\n]{1,300}(?:\n[^`\n]{1,300})?)(?<!`)\1(?!`)")
_THING = (
    r"(?:(?:the|your|this|current|existing|default|old|new|hard-?coded)\s+){0,3}"
    r"(?:(?:line|value|call|expression|string|condition|argument|parameter|setting|name|variable|constant|literal|"
    r"word|text|operator|type|import|number|limit|check|comparison|key|flag|option)\s+){0,2}"
)
_AFTER = (
    r"(?:\s+(?:line|value|call|expression|condition|argument|parameter|setting|variable|constant|import))?"
)
_WHERE = (
    rf"(?:,?\s+(?:in|of|at|on)\s+(?:the\s+)?(?:file\s+|line\s+\d+(?:\s+of)?\s*)?(?:{_CODE}+|[\w./-]+\.\w+)?)?"
)
_PAIR = regex(
    rf"\b(?:change|replace|swap|substitute|rename)\s+{_THING}(?P<old>{_CODE}+){_AFTER}{_WHERE},?"
    rf"\s+(?:to|with|by|for|into)\s+{_THING}(?P<new>{_CODE}+)",
    re.IGNORECASE,
)
_NEXT = regex(
    rf"(?:\s*,\s*(?:and\s+)?|\s+and\s+)(?P<old>{_CODE}+)\s+(?:to|with|by|for|into)\s+(?P<new>{_CODE}+)",
    re.IGNORECASE,
)
_LEAD = regex(
    rf"(?:[-*+]\s+|\(?\d+[.)]\s+|step\s+\d+\s*[.:–-]?\s*)?"
    rf"(?:(?:fix|solution|change|edit|todo)\s*:\s*)?"
    rf"(?:(?:please|just|simply|then|and|also|now|first|second|next|finally|instead|so|only|again|"
    rf"you\s+(?:should|must|can|(?:(?:only|just)\s+)?(?:need|have)\s+to)|let's|the\s+(?:fix|solution)\s+is\s+to|"
    rf"(?:all\s+you\s+need\s+is|it\s+is\s+enough)\s+to|to\s+(?:fix|solve|correct|do)\s+(?:this|that|it)|"
    rf"(?:in|on|at)\s+(?:the\s+)?(?:file\s+|line\s+\d+(?:\s+of)?\s*)?(?:{_CODE}+|[\w./-]+\.\w+)?)"
    rf"\s*[,:]?\s*)*",
    re.IGNORECASE,
)
"""All that may be said in a sentence before the verb."""
_NO = regex(
    r"n't\b|\b(?:not|never|avoid|instead\s+of|if|when|unless|until|or|either|alternatively|maybe|perhaps|would|could|"
    r"might|may|was|were|been|already|why|because\s+you|example|instance|e\.g|add|adds|adding|remove|removing|"
    r"delete|move|insert|wrap|drop|rewrite|refactor|everywhere|every|each|all|both|throughout|globally|"
    r"similar(?:ly)?|respectively|elsewhere|other|another)\b|\?",
    re.IGNORECASE,
)
"""A sentence with one of these words asks for less, for more, or for a choice."""
_RENAME = regex(r"\brename\b", re.IGNORECASE)
_EVERYWHERE = regex(r"\b(?:everywhere|throughout)\b", re.IGNORECASE)
"""What a sentence may say that renames something."""
_ENDS = regex(r"[.!?;:](?=\s|\Z)|\n[ \t]*\n")
_OUTSIDE = ("#", ">", "|")
_QUOTE = regex(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_QUOTED_FENCE = regex(r"^[ \t]*(?:>[ \t]?)+(?:```|~~~)", re.MULTILINE)
_DELETION = regex(
    rf"\b(?:delete|remove|drop)\s+(?:the\s+)?(?:line|import|statement|entry|setting)\s+(?P<line>{_CODE}+)",
    re.IGNORECASE,
)
_VERB = regex(r"\b(?:delete|remove|drop)\b", re.IGNORECASE)
_DELETED = "The sentence asks to delete this line."
_TITLED = "The sentence says more than that this is to be replaced."
_LED = "Only the sentence above the list names the file."
_LEAST = 4
"""What is replaced where no file is named has so many characters."""
_ITEM = regex(r"[-*+]\s|\d+[.)]\s")
_WORTH = regex(
    r"\b(?:change|replace|swap|substitute|rename|delete|remove|drop)\b[^\n]*\n?[^\n]*`", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence outside of fences, at its place in the answer."""

    start: int
    text: str
    masked: str
    """The text with its code in characters of `_CODE`."""
    ended: bool


def read_inline_pairs(scan: TextScan, items: list[Item]) -> list[Item]:
    """Return the edits of sentences that name a file, where the text has no code of its own."""
    return [found for found in _found(scan, items) if isinstance(found, Edit)]


def unplaced_sentences(scan: TextScan, items: list[Item]) -> list[Unplaced]:
    """Return the sentences that ask for a change and name no file, or may be cut off."""
    return [found for found in _found(scan, items) if isinstance(found, Unplaced)]


def _found(scan: TextScan, items: list[Item]) -> Iterator[Edit | Unplaced]:
    own = (item for item in items if item.format is not Format.PAIR or not _is_inline(item))
    if scan.is_inside_edit or "`" not in scan.source.text or any(own) or _has_code(scan):
        return
    source = scan.source.once(_unquoted)
    yield from listed_pairs(source)
    if not source.once(_is_worthwhile):
        return
    for sentence in _sentences(source):
        clause = _clause_of(sentence)
        for old, new in _pairs_of(sentence, clause):
            yield _one(scan, sentence, old, new, doubt=_TITLED if clause else "")
        yield from _deletions(scan, sentence)


def _unquoted(source: AnswerText) -> AnswerText:
    """Return an answer that is quoted as a whole with blanks in place of its quote marks."""
    if not source.text.lstrip().startswith(">") or not all(
        line.lstrip().startswith(">") for line in source.lines if line.strip()
    ):
        return source
    return AnswerText(_QUOTE.sub(lambda found: " " * len(found[0]), source.text))


def _is_worthwhile(source: AnswerText) -> bool:
    return _WORTH.search(source.text) is not None


def _is_inline(item: Item) -> bool:
    return isinstance(item, Edit) and item.target is not None and item.target.kind is TargetKind.WORDS


def _has_code(scan: TextScan) -> bool:
    """Return whether the text has a fence with something else than commands, or what they print."""
    if _QUOTED_FENCE.search(scan.source.text):
        return True
    every = scan.source.once(fences).values()
    return any(fence.kind() not in (FenceKind.COMMANDS, FenceKind.OUTPUT) for fence in every)


def _sentences(source: AnswerText) -> Iterator[_Sentence]:
    """Yield the sentences of the paragraphs and items of lists, outside of quotes, tables and headings."""
    inside = {row for fence in source.once(fences).values() for row in range(fence.first, fence.end)}
    start: int | None = None
    for row in range(len(source.lines) + 1):
        words = source.bare(row)
        is_text = bool(words) and row not in inside and not words.startswith(_OUTSIDE)
        begins = re.match(r"[-*+]\s|\d+[.)]\s", words) is not None
        if start is not None and (not is_text or begins):
            yield from _sentences_in(source, source.starts[start], source.starts[row])
            start = None
        if is_text and start is None:
            start = row


def _sentences_in(source: AnswerText, start: int, end: int) -> Iterator[_Sentence]:
    text = source.text[start:end]
    masked = _SPAN.sub(lambda found: _CODE * len(found[0]), text)
    masked = re.sub(r"[*_]", " ", masked)
    number = re.match(r"\s*\(?\d+[.)]\s", masked)
    at = 0
    for stop in _ENDS.finditer(masked, number.end() if number else 0):
        if stop[0] == ":":
            continue  # what follows it belongs to the sentence
        yield _Sentence(start + at, text[at : stop.end()], masked[at : stop.end()], ended=True)
        at = stop.end()
    if masked[at:].strip():
        yield _Sentence(start + at, text[at:], masked[at:], ended=text.endswith("\n"))


def _clause_of(sentence: _Sentence) -> int:
    """Return where the clause begins that asks for something: behind a title, if that is not a usual lead."""
    first = _PAIR.search(sentence.masked)
    if first is None or _LEAD.fullmatch(sentence.masked[: first.start()].lstrip()):
        return 0
    return sentence.masked.rfind(": ", 0, first.start()) + 1


def _pairs_of(sentence: _Sentence, clause: int) -> list[tuple[_Span, _Span]]:
    """Return the spans of what is replaced and of what replaces it, if the clause asks for that alone."""
    first = _PAIR.search(sentence.masked)
    said = _EVERYWHERE.sub(" ", sentence.masked) if first and _RENAME.match(first[0]) else sentence.masked
    if first is None or _NO.search(said, clause):
        return []
    if not _LEAD.fullmatch(sentence.masked[clause : first.start()].lstrip()):
        return []
    pairs = [(first.span("old"), first.span("new"))]
    after = _NEXT.match(sentence.masked, first.end())
    while after is not None:
        pairs.append((after.span("old"), after.span("new")))
        after = _NEXT.match(sentence.masked, after.end())
    rest = sentence.masked[pairs[-1][1][1] :]
    return [] if _PAIR.search(rest) else pairs


def _one(scan: TextScan, sentence: _Sentence, old: _Span, new: _Span, *, doubt: str) -> Edit | Unplaced:
    words = [sentence.text[start:end].strip("`").strip() for start, end in (old, new)]
    outside = sentence.text[: old[0]] + " " * (old[1] - old[0]) + sentence.text[old[1] :]
    outside = outside[: new[0]] + " " * (new[1] - new[0]) + outside[new[1] :]
    paths = _paths_in(scan.source, sentence, outside)
    if not paths:
        paths = _paths_of_lead(scan.source, sentence)
        doubt = _LED if paths else doubt
    path = paths[0] if len(paths) == 1 else "" if paths else scan.given_path
    is_renamed = _RENAME.search(sentence.masked[: old[0]]) and all(map(str.isidentifier, words))
    edit = Edit(
        path=path,
        operation=Operation.PLACE,
        search=words[0],
        replace=words[1],
        replace_all=bool(is_renamed),
        line=line_named(outside),
        target=Target(TargetKind.WORDS, words[0]),
        doubt=doubt,
        format=Format.PAIR,
        span=(sentence.start + old[0], sentence.start + new[1]),
    )
    why = ""
    if not sentence.ended:
        why = "the sentence may be cut off; its end was expected"
    elif "\n" in words[0] + words[1] or words[0] == words[1] or not all(words):
        why = "one line was expected for each"
    elif names_a_source(words[0]) and not paths:
        why = "it seems to rename a file; a move was expected, or the path of the file that has these words"
    elif len(paths) > 1:
        why = f"two files are named for it, {' and '.join(paths[:2])}; name one"
    elif not path:
        why = "no path names its file; name it in the sentence"
    if not why:
        return edit
    may_be_placed = sentence.ended and not path and len(words[0]) >= _LEAST and not names_a_source(words[0])
    return Unplaced(
        message=f"this sentence replaces `{words[0]}` by `{words[1]}`: {why}",
        span=edit.span,
        line=scan.source.line_of(edit.span[0]) + 1,
        edit=edit if may_be_placed and "\n" not in words[1] else None,
        paths=paths,
        is_change=True,
    )


def _deletions(scan: TextScan, sentence: _Sentence) -> Iterator[Edit]:
    """Yield the edit of a sentence that asks to delete one line of a file that it names."""
    found = _DELETION.search(sentence.masked)
    if found is None or not sentence.ended:
        return
    clause = sentence.masked.rfind(": ", 0, found.start()) + 1
    start, end = found.span("line")
    rest = sentence.masked[clause:start] + sentence.masked[end:]
    if _NO.search(_VERB.sub(" ", rest)) or not _LEAD.fullmatch(
        sentence.masked[clause : found.start()].lstrip()
    ):
        return
    words = sentence.text[start:end].strip("`").strip()
    paths = _paths_in(scan.source, sentence, sentence.text[:start] + sentence.text[end:])
    if len(paths) == 1 and words and "\n" not in words:
        yield Edit(
            path=paths[0],
            search=f"{words}\n",
            doubt=_DELETED,
            format=Format.PAIR,
            span=(sentence.start + start, sentence.start + end),
        )


def _paths_in(source: AnswerText, sentence: _Sentence, outside: str) -> tuple[str, ...]:
    """Return the files that a sentence names, or those of the heading or the path above it."""
    quoted = [without_line(found[2].strip()) for found in _SPAN.finditer(outside)]
    named = [path for path in quoted if names_a_source(path)]
    named += [without_line(path) for path in paths_unquoted(_SPAN.sub(" ", outside))]
    if not named:
        above = names_above(source, source.line_of(sentence.start), 0)
        named = [each.path for each in above if each.how in (Naming.ALONE, Naming.HEADING)]
    return tuple(dict.fromkeys(named))


def _paths_of_lead(source: AnswerText, sentence: _Sentence) -> tuple[str, ...]:
    """Return the files that the line above a list names that a sentence is in, if that leads to the list."""
    row = source.line_of(sentence.start)
    while row > 0 and (_ITEM.match(source.bare(row)) or not source.bare(row)):
        row -= 1
    lead = source.bare(row)
    return paths_quoted(lead) if lead.endswith(":") and row < source.line_of(sentence.start) else ()
