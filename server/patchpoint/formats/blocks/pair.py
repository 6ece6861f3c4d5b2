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

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Edit, Format, Unplaced
from patchpoint.formats.blocks.fence_label import code_of, label_of, suffix_of
from patchpoint.formats.blocks.lead import last_sentence, lead_of
from patchpoint.formats.fences import Fence, FenceKind, outer_fences, without_content
from patchpoint.formats.labels import named_last_above, which_file
from patchpoint.formats.path_forms import are_of_one_file
from patchpoint.formats.scan import TextScan
from patchpoint.formats.sentences.sentence import Reading, Word, WordTable, reading, readings
from patchpoint.formats.signs import Sign
from patchpoint.formats.source import AnswerText, Item, ReadResult
from patchpoint.structure.lazy.outline.headers import header_name
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.regex import IDENTIFIER, regex

_ASKS = "replace find change was old this object"
_OF_OLD = "fill this thing file of_file replace find change was old place removable whole speaker all with"
_OF_NEW = "fill this label with will becomes replace"
_OF_LABEL = "fill this label"
_USES = "do change add"
"""Kinds of words that lead to what is used *instead of* the code above them."""
_COMMENT = regex(r"\s*(?:#+|//+|--+|;+|%+|/\*+|<!--|\{/\*)\s*(?P<words>.{1,40}?)\s*(?:\*+/\}?|-->)?\s*")
_COMMENTED = "Only comments in the code say so: `Before` and `After`."
_LIKELY = "The answer likely shows first what some code is, and then what it becomes."
EDITS = regex(
    r"^[ \t]*(?:(?:<|&lt;){3,}[ ]?(?:search|original|before|head)|-{3,}[ ]search"
    r"|\*{3}[ ](?:begin[ ]patch|\w+[ ]file:)|@@[ ]|---[ ]\S+\n\+{3}[ ])",
    re.IGNORECASE | re.MULTILINE,
)
_NO_PATH = "no path names its file; write it on the line above the first"
_NO_CODE = {FenceKind.DIFF, FenceKind.OUTPUT, FenceKind.CITATION}
_FEW_LETTERS = 60
_MOST_BETWEEN = 3
_MOST_WORDS = 4
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class FencePair:
    """The two fences of a pair."""

    old: Fence
    new: Fence
    is_likely: bool
    """Whether they are only likely one."""


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
    found = item_of_pair(scan.source, pair, scan.lower_bound, scan.known_path)
    return None if isinstance(found, Unplaced) else ReadResult((found,), found.span[1])


def item_of_pair(source: AnswerText, pair: FencePair, lower_bound: int, known_path: str) -> Item | Unplaced:
    """Return the edit of a pair, what is wrong with it, or what is missing for it to be one.

    `known_path` is the file of a pair that names none.
    """
    label = label_of(source, pair.old, lower_bound)
    other = label_of(source, pair.new, pair.old.end)
    first, end = pair.old.first, pair.new.end
    paths = label.paths or other.paths or named_last_above(source.once(without_content), first, lower_bound)
    if label.path and other.path and not are_of_one_file(label.path, other.path):
        paths = (label.path, other.path)
    path, why = which_file(paths, "" if label.scripts else known_path, _NO_PATH)
    fault = pair.new.fault("the replacement") or pair.old.fault("what is replaced")
    if fault and path:
        return source.malformed(fault, first, end, at=end - 1, path=path, origin=Format.PAIR)
    search = code_of(source, pair.old, label.in_comment)
    edit = Edit(
        path=path,
        search=search,
        replace=_at_depth_of(search, code_of(source, pair.new, other.in_comment)),
        line=label.line,
        doubt=_LIKELY if pair.is_likely else "",
        lead=label.lead.above,
        format=Format.PAIR,
        span=source.span(first, end),
    )
    if path and not pair.is_likely:
        return edit
    if path:
        # it is none where the file has not what it replaces: it may show how that is used
        edit, paths, why = replace(edit, path=""), (path,), _LIKELY.rstrip(".")
    return Unplaced(
        message=fault
        or f"this replaces the code of one fence by that of the next, and {why[:1].lower()}{why[1:]}",
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
    rows = [] if fence.fault("it") else list(range(fence.first + 1, fence.last))
    rows = [row for row in rows if source.bare(row)]
    called = [(row, kind) for row in rows if (kind := _called(source.lines[row]))]
    if [kind for _, kind in called] != ["was", "will"] or called[0][0] != rows[0]:
        return None
    at = rows.index(called[1][0])
    parts = rows[1:at], rows[at + 1 :]
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


def _called(line: str) -> str:
    """Return whether a line is a comment that calls the code below it old (`was`) or new (`will`), alone."""
    comment = _COMMENT.fullmatch(line)
    for one in readings(comment["words"]) if comment else ():
        for kind in ("was", "will"):
            is_said = Reading(one.words[:1]).has(kind) and len(one.words) <= _MOST_WORDS
            if is_said and one.is_made_of(f"{kind} {_OF_LABEL}"):
                return kind
    return ""


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


def _pair(source: AnswerText, old: Fence, new: Fence, before: int) -> FencePair | None:
    """Return two fences that follow each other as a pair, if the words above them call them old and new."""
    between = [words for number in range(old.end, new.first) if (words := source.bare(number))]
    if not between or len(between) > _MOST_BETWEEN or not old.closed or {old.kind(), new.kind()} & _NO_CODE:
        return None
    above = next(filter(None, map(source.bare, range(old.first - 1, before - 1, -1))), "")[:1000]
    last = between[-1][:_LONGEST]
    contents = [source.content(fence.first + 1, fence.last) for fence in (old, new)]
    is_called = _are_called(above, last)
    if not is_called and (len(between) > 1 or len(last) > _FEW_LETTERS):
        return None
    is_likely = not is_called or not _says_no_more(above)
    names = _names_in(contents, suffix_of(old.language)) if is_likely else []
    if not is_called and not _are_versions(above, last, contents, names):
        return None
    is_other = len(names) == 2 and all(names) and names[0].isdisjoint(names[1])
    if _names_other_code(last, contents[0]) or (is_likely and is_other):
        return None
    is_code = bool(contents[0].strip()) and not any(map(EDITS.search, contents))
    return FencePair(old, new, is_likely) if is_code else None


def _are_versions(above: str, last: str, contents: Sequence[str], names: Sequence[set[str]]) -> bool:
    """Return whether two fences are likely what some code is and what it becomes.

    Few words between them point on, and to nothing else. Both define the same; or those above the first call
    it what there is, or those between call the second the fix, and that has what is in the first.
    """
    said, lead = reading(last), lead_of(above)
    if said.paths or last.rstrip("*_").endswith((".", "?", "!")):
        return False
    if names and names[0]:
        way = reading(last, WordTable.OBJECTIONS)
        is_other = way.has("or other") or Reading(way.words[:1]).has("series")
        return names[0] == names[1] and contents[0] != contents[1] and not is_other
    is_called = said.has("fixes") or lead.last.has("instead") or (lead.is_example() and lead.last.has("old"))
    is_added = any(one.has("adds") for one in readings(last, WordTable.PLACES))
    is_other = is_added or said.has("never sample offers old place") or lead.last.has("never sample offers")
    return is_called and not is_other and _has_what_is_in(*contents)


def _names_in(contents: Sequence[str], suffix: str) -> list[set[str]]:
    """Return the names that each of some pieces of code defines; nothing for an unknown language."""
    return [
        {name for line in content.splitlines() if (name := header_name(line, syntax)[0])}
        for content in contents
        for syntax in syntaxes_of(f"x.{suffix}")[:1]
    ]


def _has_what_is_in(old: str, new: str) -> bool:
    """Return whether a text is another one's, with no fewer lines and most of its words."""
    lines = [sum(bool(line.strip()) for line in text.splitlines()) for text in (old, new)]
    words = IDENTIFIER.findall(old)
    known = set(IDENTIFIER.findall(new))
    return old != new and lines[0] <= lines[1] and 2 * sum(word in known for word in words) > len(words)


def _names_other_code(last: str, old: str) -> bool:
    """Return whether the words above the second fence name code that the first one does not have."""
    named = (word.text.strip("`()") for word in reading(last).words if word.kinds == {"code"})
    return any(name.rpartition(".")[2] not in old for name in named)


def _are_called(above: str, last: str) -> bool:
    """Return whether the words above two fences call the one old and the other new."""
    sentences = readings(last_sentence(above))
    is_asked = any(one.has(_ASKS) for one in sentences)
    is_new = is_asked and any(map(_is_called_new, readings(last)))
    if any(_ends_with_instead(one) for one in sentences):
        is_new = is_new or any(
            Reading(one.words[:1]).has(_USES) and one.is_made_of(f"{_USES} {_OF_NEW}")
            for one in readings(last)
        )
    return is_new and _texts(reading(above)) != _texts(reading(last))


def _says_no_more(above: str) -> bool:
    """Return whether the words above what is replaced say no more than that."""
    return any(one.has(_ASKS) and one.is_made_of(_OF_OLD) for one in readings(last_sentence(above)))


def _is_called_new(sentence: Reading) -> bool:
    """Return whether a sentence calls code what replaces something, and says no more."""
    said = Reading(tuple(word for word in sentence.words if not _is_filling(word)))
    is_label = any("will" in word.kinds for word in said.words[:1]) or said.has("with becomes")
    return is_label and not said.paths and said.is_made_of(_OF_NEW)


def _ends_with_instead(sentence: Reading) -> bool:
    words = [word for word in sentence.words if not _is_filling(word) and "this" not in word.kinds]
    return Reading(tuple(words[-1:])).has("instead")


def _is_filling(word: Word) -> bool:
    return word.kinds == {"fill"} or not word.kinds.isdisjoint(("stop", "end"))


def _texts(sentence: Reading) -> list[str]:
    return [word.text.casefold() for word in sentence.words if not word.kinds & {"stop", "end", "number"}]
