"""Pairs of fences: what is to be replaced, then what replaces it.

    In `src/app.py`, change this:        (or: Find, Before, Replace)
    (a fence)
    to this:                             (or: Replace with, After, with)
    (a fence)

The words above both fences have to say so; the file is named above either of them, or on it. One fence may
have both, below comments that say `Before` and `After`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from patchpoint.dataclass import dataclass
from patchpoint.edit import Edit, Format, Unplaced
from patchpoint.formats.blocks.fence_label import FenceLabel, code_of, label_of, suffix_of
from patchpoint.formats.blocks.lead import last_sentence
from patchpoint.formats.fences import Fence, FenceKind, outer_fences, without_content
from patchpoint.formats.labels import named_last_above
from patchpoint.formats.scan import TextScan
from patchpoint.formats.sentences.sentence import Reading, WordTable, reading, readings
from patchpoint.formats.signs import Sign
from patchpoint.formats.source import AnswerText, Item, ReadResult, SpanSet
from patchpoint.structure.lazy.outline.headers import header_name
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.regex import regex

_ASKS = "replace find change was old this"
_OF_OLD = "fill this thing file of_file replace find change was old place removable whole speaker all with"
_OF_NEW = "fill this label with will becomes replace"
_OF_LABEL = "fill this label"
_SAYS_MORE = "The sentence above it says more than that it is to be replaced."
_COMMENT = regex(r"\s*(?:#+|//+|--+|;+|%+|/\*+|<!--|\{/\*)\s*(?P<words>.{1,40}?)\s*(?:\*+/\}?|-->)?\s*")
_COMMENTED = "Only comments in the code say so: `Before` and `After`."
EDITS = regex(
    r"^[ \t]*(?:(?:<|&lt;){3,}[ ]?(?:search|original|before|head)|-{3,}[ ]search"
    r"|\*{3}[ ](?:begin[ ]patch|\w+[ ]file:)|@@[ ]|---[ ]\S+\n\+{3}[ ])",
    re.IGNORECASE | re.MULTILINE,
)
_VERSIONS = "It shows a definition twice, so the second time is what it becomes."
_FEW_LETTERS = 60
_FEW_WORDS = 8
_MOST_BETWEEN = 3
_MOST_WORDS = 4
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class FencePair:
    """The two fences of a pair."""

    old: Fence
    new: Fence
    doubt: str = ""
    """Why they are only likely one."""


def pairs_in(source: AnswerText) -> dict[int, FencePair]:
    """Return the pairs of the text, by the first line of each of their fences."""
    found: dict[int, FencePair] = {}
    if source.text.count("```") + source.text.count("~~~") < 3:
        return found
    outer = outer_fences(source)
    number = 0
    while number + 1 < len(outer):
        before = outer[number - 1].end if number else 0
        pair = _pair(source, outer[number], outer[number + 1], before)
        if pair is not None:
            found[pair.old.first] = found[pair.new.first] = pair
            number += 1
        number += 1
    return found


def read_pair(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read the pair whose first fence is at `sign`; `None` when it is not the first of one, or of no file."""
    line = scan.source.line_of(sign.start)
    pair = scan.source.once(pairs_in).get(line)
    if pair is None or pair.old.first != line:
        return None
    found = item_of_pair(scan, pair, scan.lower_bound, scan.known_path)
    return None if isinstance(found, Unplaced) else ReadResult((found,), found.span[1])


def read_other_pairs(scan: TextScan, items: list[Item]) -> list[Item]:
    """Return the pairs that no sign pointed at."""
    pairs = scan.source.once(pairs_in)
    if not pairs:
        return []
    taken = SpanSet(item.span for item in items)
    ended = sorted((item.span[1], index) for index, item in enumerate(items) if item.path)
    found: list[Item] = []
    lower_bound = at = 0
    last = -1
    for first, pair in pairs.items():
        if first != pair.old.first:
            continue
        start, end = scan.source.span(first, pair.new.end)
        while at < len(ended) and ended[at][0] <= start:
            last = max(last, ended[at][1])
            at += 1
        if not taken.overlaps((start, end)):
            above = found[-1] if found else items[last] if last >= 0 else None
            item = item_of_pair(scan, pair, lower_bound, above.path if above else scan.given_path)
            found += [item] if not isinstance(item, Unplaced) else []
        lower_bound = pair.new.end
    return found


def item_of_pair(scan: TextScan, pair: FencePair, lower_bound: int, known_path: str) -> Item | Unplaced:
    """Return the edit of a pair, what is wrong with it, or what is missing for it to be one.

    `known_path` is the file of a pair that names none.
    """
    source = scan.source
    label = label_of(scan, pair.old, lower_bound)
    other = label_of(scan, pair.new, pair.old.end)
    first, end = pair.old.first, pair.new.end
    above = scan.source.once(without_content)
    paths = label.paths or other.paths or named_last_above(above, pair.old.first, lower_bound)
    if label.path and other.path and not _is_same(label.path, other.path):
        paths = (label.path, other.path)
    path = paths[0] if len(paths) == 1 else "" if paths else known_path
    fault = _fault(pair)
    if fault and path:
        return source.malformed(fault, first, end, at=end - 1, path=path, origin=Format.PAIR)
    edit = _edit(source, pair, path, label, other)
    if path and not fault:
        return edit
    message = fault or "this replaces the code of one fence by that of the next, and "
    if not fault:
        message += (
            f"two files are named for it, {' and '.join(paths[:2])}; name one on the line above"
            if paths
            else "no path names its file; write it on the line above the first"
        )
    return Unplaced(
        message=message,
        span=edit.span,
        line=first + 1,
        edit=None if fault else edit,
        paths=paths,
        suffix=suffix_of(label.language),
        is_change=True,
    )


def pair_in_fence(source: AnswerText, fence: Fence, path: str) -> Edit | None:
    """Return the edit of a fence in which comments call the code old and new; `None` for any other.

    It is in doubt: the comments may be the file's own.
    """
    if not fence.closed or fence.nested is not None:
        return None
    rows = [row for row in range(fence.first + 1, fence.last) if source.bare(row)]
    if not rows or not _is_called(source.lines[rows[0]], old=True):
        return None
    called = [(row, old) for row in rows for old in (True, False) if _is_called(source.lines[row], old=old)]
    if [is_old for _, is_old in called] != [True, False]:
        return None
    first, second = (row for row, _ in called)
    parts = [[row for row in rows if low < row < end] for low, end in ((first, second), (second, fence.last))]
    if not all(parts):
        return None
    old, new = (source.content(part[0], part[-1] + 1) for part in parts)
    return Edit(
        path=path,
        search=old,
        replace=_at_depth_of(old, new),
        doubt=_COMMENTED,
        format=Format.PAIR,
        span=source.span(fence.first, fence.end),
    )


def _is_called(line: str, *, old: bool) -> bool:
    """Return whether a line is a comment that calls the code below it old, or new, and says no more."""
    comment = _COMMENT.fullmatch(line)
    kind = "was" if old else "will"
    return comment is not None and any(
        len(one.words) <= _MOST_WORDS and one.is_made_of(f"{kind} {_OF_LABEL}") and kind in one.words[0].kinds
        for one in readings(comment["words"])
        if one.words
    )


def _edit(source: AnswerText, pair: FencePair, path: str, label: FenceLabel, other: FenceLabel) -> Edit:
    search = code_of(source, pair.old, label.in_comment)
    return Edit(
        path=path,
        search=search,
        replace=_at_depth_of(search, code_of(source, pair.new, other.in_comment)),
        line=label.line,
        doubt=pair.doubt,
        lead=label.above,
        format=Format.PAIR,
        span=source.span(pair.old.first, pair.new.end),
    )


def _at_depth_of(old: str, new: str) -> str:
    """Return the new lines at the depth of the old ones, where the two begin with one line at two depths."""
    lines = new.splitlines(keepends=True)
    first, own = (next((line for line in text.splitlines() if line.strip()), "") for text in (new, old))
    have, wanted = (line[: len(line) - len(line.lstrip(" \t"))] for line in (first, own))
    if first.strip() != own.strip() or have == wanted:
        return new
    if not all(line.startswith(have) for line in lines if line.strip()):
        return new
    return "".join(wanted + line[len(have) :] if line.strip() else line for line in lines)


def _fault(pair: FencePair) -> str:
    if not pair.new.closed:
        return "the replacement is cut off; the end of its fence was expected"
    if pair.old.nested is not None or pair.new.nested is not None:
        return "a fence opens inside another one; longer fences were expected around the two texts"
    return ""


def _is_same(one: str, other: str) -> bool:
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")


def _pair(source: AnswerText, old: Fence, new: Fence, before: int) -> FencePair | None:
    """Return two fences that follow each other as a pair, if the words above them call them old and new."""
    between = [words for number in range(old.end, new.first) if (words := source.bare(number))]
    if not between or len(between) > _MOST_BETWEEN or not old.closed:
        return None
    above = next(
        (words for number in range(old.first - 1, before - 1, -1) if (words := source.bare(number))), ""
    )[:1000]
    contents = [source.content(fence.first + 1, fence.last) for fence in (old, new)]
    doubt = _doubt_of(above, between[-1][:_LONGEST])
    if doubt is None and _are_versions(between, contents, suffix_of(old.language)):
        doubt = _VERSIONS
    if doubt is None:
        return None
    kinds = {fence.kind() for fence in (old, new)}
    if kinds & {FenceKind.DIFF, FenceKind.OUTPUT, FenceKind.CITATION}:
        return None
    if _names_other_code(between[-1][:_LONGEST], contents[0]):
        return None
    is_code = bool(contents[0].strip()) and not any(EDITS.search(content) for content in contents)
    return FencePair(old, new, doubt) if is_code else None


def _are_versions(between: Sequence[str], contents: Sequence[str], suffix: str) -> bool:
    """Return whether two fences show the same definitions with few words between them, which point on.

    The first is what there is, and the second what it becomes, whatever the words are. Not where they say
    that it is another way.
    """
    words = between[0]
    said = reading(words, WordTable.OBJECTIONS)
    if len(between) > 1 or len(words) > _FEW_LETTERS or len(words.split()) > _FEW_WORDS or said.paths:
        return False
    if (
        said.has("or other")
        or (said.words and "series" in said.words[0].kinds)
        or words.rstrip("*_").endswith((".", "?", "!"))
    ):
        return False
    names = [
        {name for line in content.splitlines() if (name := header_name(line, syntax)[0])}
        for content in contents
        for syntax in syntaxes_of(f"x.{suffix}")[:1]
    ]
    return (
        len(names) == len(contents) and bool(names[0]) and names[0] == names[1] and contents[0] != contents[1]
    )


def _names_other_code(last: str, old: str) -> bool:
    """Return whether the words above the second fence name code that the first one does not have."""
    named = (word.text.strip("`()") for word in reading(last).words if word.kinds == {"code"})
    return any(name.rpartition(".")[2] not in old for name in named)


def _doubt_of(above: str, last: str) -> str | None:
    """Return why two fences are only likely a pair; empty for one that is, and `None` for one that is not.

    `above` is said above the first fence, and `last` above the second.
    """
    doubts = [doubt for sentence in readings(last) if (doubt := _doubt_of_new(sentence)) is not None]
    asking = [one for one in readings(last_sentence(above)) if one.has(_ASKS)]
    if not doubts or not asking or _texts(reading(above)) == _texts(reading(last)):
        return None
    is_closed = any(sentence.is_made_of(_OF_OLD) for sentence in asking)
    return min(doubts) if is_closed else _SAYS_MORE


def _doubt_of_new(sentence: Reading) -> str | None:
    """Return the doubt that a sentence calls code what replaces something; `None` if it does not."""
    words = sentence.words
    if len(words) > 2 and "path" in words[-1].kinds and words[-2].kinds & {"fill", "of_file"}:
        words = words[:-2]
    said = [word for word in words if not word.kinds & {"stop", "end"} and word.kinds != {"fill"}]
    plain = Reading(tuple(said))
    if not said or plain.paths:
        return None
    is_label = "will" in said[0].kinds or plain.has("with becomes")
    if is_label and plain.is_made_of(_OF_NEW):
        return ""
    is_begun = "with" in said[0].kinds or (
        "replace" in said[0].kinds and len(said) > 1 and "with" in said[1].kinds
    )
    return _SAYS_MORE if is_begun and any("this" in word.kinds for word in said[1:3]) else None


def _texts(sentence: Reading) -> list[str]:
    return [word.text.casefold() for word in sentence.words if not word.kinds & {"stop", "end", "number"}]
