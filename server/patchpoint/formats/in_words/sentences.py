"""The sentences of an answer, the files that they name, and those with code that nothing else of it shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from patchpoint.dataclass import dataclass
from patchpoint.edit import Edit
from patchpoint.formats.fences import FenceKind, fence_on, fences, outer_fences
from patchpoint.formats.in_words.frame import is_bare_value
from patchpoint.formats.labels import Naming, named_last_above, names_above
from patchpoint.formats.path_forms import is_path
from patchpoint.formats.scan import TextScan
from patchpoint.formats.sentences.clauses import clause_spans
from patchpoint.formats.sentences.sentence import (
    Reading,
    Word,
    WordTable,
    likely_readings,
    may_have,
    reading,
    sentence_spans,
)
from patchpoint.formats.source import AnswerText, Item
from patchpoint.text.regex import regex

_CODE = regex(r"(?<!`)`{1,2}([^`\n]{1,600})`{1,2}(?!`)")

_NOT_MEANT = regex(
    r"(?i)\((?:and|und|et|y|e|not|nicht|pas|no|não|не|the|because|since|nothing|nobody|der|die|das|weil|denn|nichts|le|la|les"
    r"|parce que|car|rien|el|los|las|porque|ya que|nada|o|os|as|já que|потому что)\b[^()\n]{0,200}\)"
    r"|~~[^~\n]{1,300}~~"
)
"""What is said in brackets of something else, or why, and what is struck through."""
_FIRST_WORDS = 3
_OUTSIDE = ("#", ">", "|")
_ITEM = regex(r"[-*+]\s|\(?\d+[.)]\s")
_IN_BOLD = regex(r"(?:(?:[-*+]|\(?\d+[.)])\s+)?\*\*`?([^\s*`]{1,300})`?\*\*\s*[:–—-]")
_COLONS = ":："
_STOPS = (".", "!", "?", "。", "！", "？")


@dataclass(frozen=True, slots=True)
class SentencesLeft:
    """The sentences of an answer that have code which is nowhere else in it, each with where it begins."""

    source: AnswerText
    sentences: Sequence[tuple[int, str]]
    shown: str
    """All code that the answer shows, and that its edits bring, without white space."""

    @classmethod
    def of(cls, source: AnswerText, items: list[Item]) -> SentencesLeft:
        """Return those of an answer with some edits, but for those that lead to code.

        There are none where code has no end: what it would have shown is not known.
        """
        fences = list(outer_fences(source))
        if not all(fence.closed for fence in fences):
            return cls(source, (), "")
        rows = (row for fence in fences for row in range(fence.first, fence.end))
        added = (item.replace for item in items if isinstance(item, Edit) and item.target is None)
        shown = squeezed("".join([*(source.lines[row] for row in rows), *added]))
        known = f"{shown} {' '.join({item.path for item in items})}"
        every = [(start, text) for start, text in _with_what_goes_on(source) if _is_left(text, known)]
        return cls(source, every, shown)

    def paths(self, start: int, paths: tuple[str, ...]) -> tuple[str, ...]:
        """Return the `paths` that a sentence names, or the files of what is above it."""
        return paths_said(self.source, start, paths) or named_near(self.source, start)


def has_code(scan: TextScan) -> bool:
    """Return whether the text has a fence with something else than commands, or what they print."""
    every = scan.source.once(fences).values()
    return any(fence.kind() not in (FenceKind.COMMANDS, FenceKind.OUTPUT) for fence in every) or any(
        line.startswith(">") and fence_on(line.lstrip("> \t")) for line in scan.source.lines
    )


def sentences_in(source: AnswerText) -> tuple[tuple[int, str, bool], ...]:
    """Return the sentences of paragraphs and items of lists that have code, each with whether it is the last.

    Those in quotes, tables and headings are left out, but for a heading that asks to remove a file.
    """
    return source.once(_all_sentences)


def named_near(source: AnswerText, start: int) -> tuple[str, ...]:
    """Return the last file that is named before a sentence on its line, or else above it."""
    row = source.line_of(start)
    near = reading(source.text[source.starts[row] : start]).paths[-1:]
    return near or named_last_above(source, row)


def paths_said(source: AnswerText, start: int, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Return the files that a sentence names, in this clause or one before it, or those above it."""
    row = source.line_of(start)
    before = source.text[source.starts[row] : start]
    # what an earlier sentence of the line names is only near: see `named_near`
    *_, (first, end) = ((0, 0), *sentence_spans(before))
    is_cut = bool(before[first:end].strip()) and not before.rstrip().endswith(_STOPS)
    paths = paths or (reading(before[first:end]).paths[-1:] if is_cut else ())
    bold = _IN_BOLD.match(source.bare(row))
    if paths or (bold is not None and is_path(bold[1]) and "." in bold[1]):
        return paths or (bold[1],) if bold is not None else paths
    above = names_above(source, row, 0)
    return tuple(each.path for each in above if each.how in (Naming.ALONE, Naming.HEADING))


def rows_in_fences(source: AnswerText) -> set[int]:
    """Return the rows of an answer that are in fences."""
    return {row for fence in outer_fences(source) for row in range(fence.first, fence.end)}


def is_elsewhere(text: str) -> bool:
    """Return whether a sentence is about another place than a file: *in the tests*, *in production*."""
    words = [word for word in reading(text).words if word.kinds.isdisjoint(("article", "this"))]
    return any(
        "within" in word.kinds
        and not Reading(tuple(words[at + 1 : at + 3])).has("path code name file quoted")
        for at, word in enumerate(words)
    )


def is_held(text: str, kinds: str) -> bool:
    """Return whether a sentence has words of some kinds in its language, but for what it says it is for.

    Nor does what it says of the thing behind a comma hold it back: *remove `x`, it has no effect*.
    """
    words = reading(text).words
    ends = (
        stop.start
        for at, (stop, behind) in enumerate(pairwise(words))
        if "stop" in stop.kinds
        and reading(behind.text.split()[0]).has("it")
        and Reading(words[:at]).has("code path")
    )
    text = text[: next(ends, len(text))]
    wanted = kinds.split()
    for sentence in likely_readings(text):
        asked = takewhile(lambda word: "purpose" not in word.kinds, sentence.words)
        codes = [word.start for word in sentence.words if "code" in word.kinds]
        second = codes[1] if len(codes) > 1 else len(text)
        if any(
            not word.kinds.isdisjoint(wanted) and not ("would" in word.kinds or _is_instead(word, second))
            for word in asked
        ):
            return True
    return False


def _is_instead(word: Word, second: int) -> bool:
    """Return whether a word says what a value is in place of, behind the `second` code of its sentence."""
    return "instead" in word.kinds and word.start > second


def squeezed(text: str) -> str:
    """Return a text without white space."""
    return "".join(text.split())


def _all_sentences(source: AnswerText) -> tuple[tuple[int, str, bool], ...]:
    return tuple(_sentences(source))


def _sentences(source: AnswerText) -> Iterator[tuple[int, str, bool]]:
    inside = source.once(rows_in_fences)
    start: int | None = None
    for row in range(len(source.lines) + 1):
        words = source.bare(row)
        is_outside = words.startswith(_OUTSIDE) and not _removes_file(words)
        is_text = bool(words) and row not in inside and not is_outside
        if start is not None and (not is_text or _ITEM.match(words)):
            text = source.content(start, row)
            for first, last in sentence_spans(text) if "`" in text else ():
                for begin, end in clause_spans(text[first:last]):
                    own = text[first + begin : first + end]
                    # what leads to code is its first clause
                    own = own.rstrip("*_ \n").rstrip(_COLONS) if begin and "`" in own else own
                    yield source.starts[start] + first + begin, own, first + end == len(text)
            start = None
        if is_text and start is None:
            start = row


def _removes_file(line: str) -> bool:
    """Return whether a line is a heading that begins by asking to remove something, and names files alone."""
    if not line.startswith("#") or "`" not in line:
        return False
    words = [word for word in reading(line).words if not word.kinds & {"fill", "number", "stop", "end"}]
    return bool(words) and "remove" in words[0].kinds and Reading(tuple(words[1:])).is_made_of("file path")


def _with_what_goes_on(source: AnswerText) -> Iterator[tuple[int, str]]:
    """Yield the sentences, without what is struck through, or said in brackets of something else, or why.

    One without code is part of the sentence before it if it asks to change *it*.
    """
    held: tuple[int, str] | None = None
    for start, said, _ in sentences_in(source):
        text = _NOT_MEANT.sub(lambda found: " " * len(found[0]), said)
        if held and "`" not in text and _changes_it(text):
            held = held[0], held[1] + source.text[held[0] + len(held[1]) : start + len(text)]
            continue
        if held:
            yield held
        held = start, text
    if held:
        yield held


def _changes_it(text: str) -> bool:
    """Return whether a sentence asks to change *it*."""
    sentence = reading(text)
    return sentence.has("change assign replace") and Reading(sentence.words[:_FIRST_WORDS]).has("this")


def _is_left(text: str, known: str) -> bool:
    leads_on = text.rstrip("*_ \n").endswith(tuple(_COLONS))
    if leads_on or "`" not in text:
        return False
    is_removal = may_have(text, WordTable.LEADS, "remove")
    if is_removal or any(squeezed(code) not in known for code in _CODE.findall(text)):
        return True
    words = reading(text).words if any(map(str.isdigit, text)) else ()
    return any(is_bare_value(words, at) and word.text not in known for at, word in enumerate(words))
