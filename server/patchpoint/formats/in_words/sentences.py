"""The sentences of an answer, the files that they name, and those with code that nothing else of it shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.dataclass import dataclass
from patchpoint.edit import FENCED, Edit
from patchpoint.formats.fences import FenceKind, fence_on, fences, outer_fences
from patchpoint.formats.in_words.changes import DOCUMENTS, NOTE
from patchpoint.formats.in_words.unquoted import BARE_CODE, is_bare_value, may_have_code
from patchpoint.formats.labels import Naming, named_last_above, names_above
from patchpoint.formats.scan import TextScan
from patchpoint.formats.sentences.sentence import (
    Reading,
    Word,
    WordTable,
    may_have,
    reading,
    sentence_spans,
    trimmed,
)
from patchpoint.formats.source import AnswerText, Item
from patchpoint.formats.spelling import set_of_words
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_CODE = regex(r"(?<!`)`{1,2}([^`\n]{1,600})`{1,2}(?!`)")
_NOT_MEANT = regex(
    r"(?i)\((?:and|und|et|y|e|not|nicht|pas|no|não|не|the|because|since|nothing|nobody|der|die|das|weil|denn|nichts|le|la|les"
    r"|parce que|car|rien|el|los|las|porque|ya que|nada|o|os|as|já que|потому что)\b[^()\n]{0,200}\)"
    r"|~~[^~\n]{1,300}~~"
)
"""What is said in brackets of something else, or why, and what is struck through."""
_OUTSIDE = ("#", ">", "|")
_ITEM = regex(r"[-*+]\s|\(?\d+[.)]\s")
_QUOTE_MARKS = regex(r"(?m)^[ \t>]+")
_COLONS = (":", "：")
_IMPORT = regex(r"(?i)\bimport(?!ant)")
_DISPLAYED = regex(r"`[^`\n]{1,600}`\.?")
_MOST_JOINED = 3
_STOPS = (".", "!", "?", "。", "！", "？")
_ASKS = frozenset({"replace", "remove", "assign", "rename", "move"})
_JOINTS = set_of_words(
    "and und et y e и а then dann puis luego depois затем also auch aussi también também , ; ， ； 、"
)
_GOES_ON = regex(
    r"(?i)(?:and|plus|as well as|und|sowie|et|ainsi que|y|así como|e|bem como|и|а также"
    r"|以及|并且?|および)(?![^\W\d_])"
)
"""What a sentence begins with that goes on behind code."""
_TWO_CODES = 4
"""So many backquotes are around a code in each of two clauses."""


@dataclass(frozen=True, slots=True)
class SentencesLeft:
    """The sentences of an answer that have code which is nowhere else in it, each with where it begins."""

    source: AnswerText
    sentences: Sequence[tuple[int, str]]
    shown: str
    """All code that the answer shows, and that its edits bring, without white space."""

    @classmethod
    def of(cls, source: AnswerText, items: list[Item], *, is_alone: bool) -> SentencesLeft:
        """Return those of an answer with some edits, but for those that lead to code.

        There are none where code has no end: what it would have shown is not known.
        """
        source = source.once(_unquoted)
        every = list(outer_fences(source))
        if not all(fence.closed for fence in every):
            return cls(source, (), "")
        rows = (row for fence in every for row in range(fence.first, fence.end))
        added = (item.replace for item in items if isinstance(item, Edit) and item.target is None)
        shown = squeezed("".join([*(source.lines[row] for row in rows), *added]))
        known = f"{shown} {' '.join({item.path for item in items})}"
        # the words of what is written for a program are its own
        patches = [item.span for item in items if item.format not in FENCED]
        every_one = ((start, _above(patches, start, text)) for start, text in source.once(_sentences))
        said = [(start, text) for start, text in every_one if may_have_code(text)]
        return cls(source, [each for each in said if is_alone or _is_left(each[1], known)], shown)

    def paths(self, start: int, paths: tuple[str, ...]) -> tuple[str, ...]:
        """Return the `paths` that a sentence names, or else the files of its line, or of what is above it."""
        source, row = self.source, self.source.line_of(start)
        before = source.text[source.starts[row] : start]
        # what an earlier sentence of the line names is only near
        *_, (first, end) = ((0, 0), *sentence_spans(before))
        is_cut = bool(before[first:end].strip()) and not before.rstrip().endswith(_STOPS)
        paths = paths or (reading(before[first:end]).paths[-1:] if is_cut else ())
        above = () if paths else names_above(source, row, 0)
        paths = paths or tuple(each.path for each in above if each.how in (Naming.ALONE, Naming.HEADING))
        return paths or reading(before).paths[-1:] or named_last_above(source, row)


def _above(patches: Sequence[Span], start: int, text: str) -> str:
    """Return what of a text, which begins at `start`, is above the first patch that it goes on into."""
    end = start + len(text)
    reached = (max(first, start) for first, last in patches if first < end and start < last)
    return text[: min(reached, default=end) - start]


def has_code(scan: TextScan) -> bool:
    """Return whether the text has a fence with something else than commands, or what they print."""
    every = scan.source.once(fences).values()
    return any(fence.kind() not in (FenceKind.COMMANDS, FenceKind.OUTPUT) for fence in every) or any(
        line.startswith(">") and fence_on(line.lstrip("> \t")) for line in scan.source.lines
    )


def rows_in_fences(source: AnswerText) -> set[int]:
    """Return the rows of an answer that are in fences."""
    return {row for fence in outer_fences(source) for row in range(fence.first, fence.end)}


def is_elsewhere(text: str) -> bool:
    """Return whether a sentence is about another place than a file: *in the tests*, *in production*."""
    every = reading(text).words
    last = max((at for at, word in enumerate(every) if word.kinds & {"code", "path"}), default=0)
    # what comes of it, behind a comma
    ends = (at for at in range(last + 1, len(every) - 1) if "stop" in every[at].kinds)
    end = next((at for at in ends if "within" not in every[at + 1].kinds), len(every))
    same = {at for at in range(1, end) if "within" in every[at - 1].kinds and "this" in every[at].kinds}
    words = [word for word in every[:end] if "article" not in word.kinds]
    # a part of the files that are named
    is_part = len(Reading(every[:end]).paths) > 1
    return any(
        "within" in word.kinds
        and not (at and is_part)
        and at + 1 not in same
        and not Reading(tuple(words[at + 1 : at + 3])).has("path code name file quoted number")
        for at, word in enumerate(words)
    )


def squeezed(text: str) -> str:
    """Return a text without white space."""
    return "".join(text.split())


def _unquoted(source: AnswerText) -> AnswerText:
    """Return an answer that is quoted as a whole with blanks in place of its quote marks."""
    if not all(line.lstrip().startswith(">") for line in source.lines if line.strip()):
        return source
    return AnswerText(_QUOTE_MARKS.sub(lambda marks: marks[0].replace(">", " "), source.text))


def _sentences(source: AnswerText) -> tuple[tuple[int, str], ...]:
    """Return the clauses of paragraphs and items, without what is struck through, or said of something else.

    Those in quotes, tables and headings are left out, but for a heading that asks to remove a file. One
    without code is part of the one before it if it asks to change *it*.
    """
    found: list[tuple[int, str]] = []
    for start, said in _clauses(source):
        text = _NOT_MEANT.sub(lambda left: " " * len(left[0]), said)
        text = NOTE.sub(lambda note: " " * len(note[0]) if reading(note[0]).has("never") else note[0], text)
        if found and "`" not in text and _changes_it(text):
            first, before = found.pop()
            start, text = first, before + source.text[first + len(before) : start + len(text)]
        found.append((start, text))
    return tuple(found)


def _clauses(source: AnswerText) -> Iterator[tuple[int, str]]:
    inside = source.once(rows_in_fences)
    start: int | None = None
    is_offer = False
    for row in range(len(source.lines) + 1):
        words = source.bare(row)
        is_offer = is_offer and (not words or _ITEM.match(words) is not None)
        is_offer |= words.endswith(_COLONS) and reading(words).has("offers")
        is_outside = words.startswith(_OUTSIDE) and not _removes_file(words)
        is_text = (
            bool(words) and row not in inside and not is_outside and not (is_offer and _ITEM.match(words))
        )
        if start is not None and not words and _goes_on_below(source, row):
            continue
        if start is not None and (not is_text or _ITEM.match(words)):
            text = _with_verb(source, start, source.content(start, row).replace("\n\n", "  "))
            at = source.starts[row] - len(text)
            text = _with_colon(source, row, text)
            for first, last in sentence_spans(text) if may_have_code(text) else ():
                for begin, end in _clause_spans(text[first:last]):
                    own = text[first + begin : first + end]
                    # what leads to code is its first clause
                    own = trimmed(own).rstrip(":：") if begin and "`" in own else own
                    yield at + first + begin, _without_link(own)
            start = None
        if is_text and start is None:
            start = row


def _with_colon(source: AnswerText, row: int, text: str) -> str:
    """Return the text above a row, which leads to a fence right below it if it has no end."""
    is_ended = trimmed(text).endswith((*_STOPS, *_COLONS))
    is_above = row + (not source.bare(row)) in source.once(rows_in_fences)
    return f"{text.rstrip()}:" if is_above and not is_ended else text


def _goes_on_below(source: AnswerText, row: int) -> bool:
    """Return whether a sentence goes on below a blank line: code is on a line of its own, as if displayed."""
    above, below, last = source.bare(row - 1), source.bare(row + 1), source.bare(row + 2)
    if not above or not below or below.startswith((*_OUTSIDE, "```", "~~~")) or _ITEM.match(below):
        return False
    if _DISPLAYED.fullmatch(below):
        return not above.endswith((*_STOPS, *_COLONS)) and not _DISPLAYED.fullmatch(above)
    is_joint = len(below.split()) <= _MOST_JOINED and not below.endswith((*_STOPS, *_COLONS)) and not last
    return is_joint and _DISPLAYED.fullmatch(above) is not None


def _with_verb(source: AnswerText, row: int, text: str) -> str:
    """Return a text that goes on behind code with the verb of what leads to that: *and `x` to `y`*."""
    joint = _GOES_ON.match(text)
    fence = next((one for one in outer_fences(source) if not source.content(one.end, row).strip()), None)
    if joint is None or fence is None or fence.end > row or "`" not in text:
        return text
    above = max((at for at in range(fence.first) if source.bare(at)), default=0)
    words = reading(text[joint.end() :]).words
    first = next((at for at, word in enumerate(words) if "code" in word.kinds), 0)
    behind = Reading(words[first + 1 : first + 2])
    places = reading(source.bare(above), WordTable.PLACES).words
    asking = [word for word in reading(source.bare(above)).words if word.kinds & _ASKS]
    verbs = [word.text for word in (*(each for each in places if {"more", "others"} <= each.kinds), *asking)]
    is_object = Reading(words[:first]).is_made_of("fill article thing removable also new")
    is_plain = is_object and behind.has("within with onto place fill stop end")
    return f"{verbs[0]}{text[joint.end() :]}" if verbs and is_plain else text


def _without_link(clause: str) -> str:
    """Return a clause without what only leads from it to the code below: *add `x`, and then:*."""
    if not trimmed(clause).endswith(_COLONS):
        return clause
    words = reading(clause).words[:-1]
    stop = max((at for at, word in enumerate(words) if "stop" in word.kinds), default=len(words))
    link = words[stop + 1 :]
    is_link = bool(link) and Reading(link).is_made_of("fill") and Reading(words[:stop]).has("code")
    return clause[: words[stop].start] if is_link else clause


def _clause_spans(sentence: str) -> Iterator[tuple[int, int]]:
    """Yield where each clause of a sentence begins and ends which asks for a change of its own.

    What is said against one of them, or only offered, is said of those behind it, too: then it is one.
    """
    words = reading(sentence).words if sentence.count("`") >= _TWO_CODES else ()
    start = 0
    purpose = next((at for at, word in enumerate(words) if "stop" in word.kinds), 0)
    begin = purpose if words and "purpose" in words[0].kinds else 0
    if words and not Reading(words[begin:]).has("never offers sample"):
        places = reading(sentence, WordTable.PLACES).words
        adding = {each.start for each in places if {"more", "others"} <= each.kinds}
        for at, word in enumerate(words):
            is_verb = word.kinds & _ASKS or word.start in adding
            joint = _joint(words, at) if is_verb else _joint_of_file(words, at)
            before = [each for each in words[: joint or 0] if each.start >= start]
            is_asked = any(each.kinds & {*_ASKS, "change"} or each.start in adding for each in before)
            if joint and is_asked and Reading(tuple(before)).has("code path"):
                yield start, words[joint].start
                start = words[joint].start
    yield start, len(sentence)


def _joint(words: tuple[Word, ...], verb: int) -> int | None:
    """Return which word joins the clause of a verb to what is before it; `None` where none does."""
    near = [at for at in range(max(0, verb - 3), verb) if words[at].text in _JOINTS]
    is_next = not any(word.kinds & {"code", "path", "name"} for word in words[near[0] if near else 0 : verb])
    return near[0] if near and is_next else None


def _joint_of_file(words: tuple[Word, ...], at: int) -> int | None:
    """Return which word joins the clause of another file: *and in `b.py` ...*, *, in the README ...*."""
    if "path" not in words[at].kinds and words[at].text not in DOCUMENTS:
        return None
    before = [each for each in range(max(0, at - 4), at) if words[each].kinds & {"within", "object"}]
    first = before[0] if before else at
    is_next = bool(before) and Reading(words[first + 1 : at]).is_made_of("article file this of_file thing")
    near = [each for each in range(max(0, first - 2), first) if words[each].text in _JOINTS]
    has_verb = any(word.kinds & {*_ASKS, "change"} for word in words[at + 1 :])
    is_next = is_next and has_verb and bool(near) and not Reading(words[near[0] : first]).has("code")
    return near[0] if is_next else None


def _removes_file(line: str) -> bool:
    """Return whether a line is a heading that begins by asking to remove something, and names files alone."""
    if not line.startswith("#") or "`" not in line:
        return False
    words = [word for word in reading(line).words if not word.kinds & {"fill", "number", "stop", "end"}]
    return bool(words) and "remove" in words[0].kinds and Reading(tuple(words[1:])).is_made_of("file path")


def _changes_it(text: str) -> bool:
    """Return whether a sentence asks to change *it*."""
    sentence = reading(text)
    return sentence.has("change assign replace") and Reading(sentence.words[:3]).has("this")


def _is_left(text: str, known: str) -> bool:
    if trimmed(text).endswith(_COLONS):
        return False
    if (
        _IMPORT.search(text)
        or may_have(text, WordTable.LEADS, "remove")
        or any(squeezed(code) not in known for code in (*_CODE.findall(text), *BARE_CODE.findall(text)))
    ):
        return True
    words = reading(text).words if any(map(str.isdigit, text)) else ()
    return any(is_bare_value(words, at) and word.text not in known for at, word in enumerate(words))
