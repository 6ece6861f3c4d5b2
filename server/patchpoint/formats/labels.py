"""The file that a block is for: the path above it, on its fence, or in the sentence before it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import lru_cache

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Edit, Format
from patchpoint.formats.fences import fence_on, outer_fences
from patchpoint.formats.path_forms import (
    is_path,
    is_product,
    line_behind,
    names_a_source,
    path_on_fence,
    paths_quoted,
    paths_unquoted,
    without_line,
    without_links,
)
from patchpoint.formats.source import AnswerText, Item
from patchpoint.formats.spelling import LANGUAGES, set_of_words
from patchpoint.text.regex import regex

_BEFORE_PATH = regex(
    r"(?:#{1,6}\s+|[-*+]\s+|\d+[.)]\s+|//+\s*|#+\s*|--\s+|;+\s*|<!--\s*|/\*+\s*){1,2}", re.IGNORECASE
)
_NUMBER = regex(
    r"(?i)(?:\d{1,3}[.)]|(?:step|schritt|étape|paso|passo|шаг|步骤|ステップ)\s*\d{1,3}\s*[:：.–—-])\s+"
)
"""The number of a step, inside what is bold."""
_BOLD_LINE = regex(r"(?:[-*+]\s+|\d+[.)]\s+)?\*\*[^*]{1,200}\*\*(?:\s*\([^()]{1,80}\))?\s*[:：]?\Z")
_NAMED = regex(
    r"[*_`\s]*(?:file\s?name|file\s?path|full\s?path|new\s?file|file|path)[*_`\s]*[:=][*_`\s]*(?=\S)",
    re.IGNORECASE,
)
_LED = regex(r"(?:[-*+]\s+|\d+[.)]\s+)?\*\*`(?P<path>[\w.-]+/[\w./-]+)`(?:\*\*\s*[:：–—-]|[:：]\*\*)\s")
_REMARK = regex(r"(?:-->|\*/|(?<!\w)\((?!lines? \d)[^()]{1,60}\))\Z")
"""A remark behind a path; one with the number of a line belongs to the path."""
_ON_LINE = regex(r"\blines? (\d{1,7})\b", re.IGNORECASE)
_DEEPEST = 7
"""The level of what is below every heading."""
_LONGEST = 2000
"""A longer sentence is not searched for paths."""

_COMMENT = regex(r"#|//|--|/\*|<!--|;|%|['\"]{3}")
"""How a line of code begins that may name its file, but for the first one."""
_INSIDE = 3
"""The number of its own lines on which its path may be."""
_LONGEST_LABEL = 500
"""A longer line is a sentence."""
_WORDS_BEFORE = regex(r"(?:[\w.@~+&()'’/\\,-]+ +){1,6}\Z")
"""Words that may belong to a path behind them."""
_WORD = regex(r"(?=..)(?:\d[\d.+-]{0,9})?[A-Za-z][\w.+-]{0,80}")
"""One word, such as the name of a file without an extension."""
_EXPLICIT = (Format.TOOL_CALL, Format.REQUEST, Format.ENVELOPE)
"""The formats in which a path has a place of its own."""

_NOT_PATHS = LANGUAGES | set_of_words("""
plain diff patch code copy edit edits output example search replace before after original updated changes
change usage note here below
""")
_VERBS = set_of_words("""
in edit edits update updated modify change changes create add file to the for see fix here now then and
also patch replace rewrite open inside within from at first next finally second updates modifications
""")


class Naming(Enum):
    """How a text names the file of a block."""

    ON_FENCE = "on the line of its fence"
    ALONE = "on a line of its own right above it"
    HEADING = "in a heading, or on a line of its own farther above"
    SENTENCE = "in the sentence above it"


@dataclass(frozen=True, slots=True)
class Named:
    """A path that a text names for a block, how it does, and the number of a line that it adds."""

    path: str
    how: Naming
    line: int | None = None


def paths_above(
    source: AnswerText, line: int, lower_bound: int, *, any_word: bool = False
) -> tuple[str, ...]:
    """Return the paths that the text above the block on `line` names for it, each once.

    Lines before `lower_bound` are not looked at. None means that no file is named, and several that the text
    contradicts itself. With `any_word`, a single word right above passes for a path.
    """
    return tuple(each.path for each in names_above(source, line, lower_bound, any_word=any_word))


def names_above(
    source: AnswerText, line: int, lower_bound: int, *, any_word: bool = False, content: str = ""
) -> tuple[Named, ...]:
    """Return what `paths_above` returns, with how each path is named.

    What the `content` of the block has a word for, such as `Cart.total` above `def total(self)`, is no path.
    """
    named: list[Named] = []
    for nearest in range(line - 1, max(lower_bound, line - 12) - 1, -1):
        text = source.bare(nearest)
        fence = fence_on(text)
        if fence and not named:
            named = [Named(path_on_fence(fence[2]), Naming.ON_FENCE)]
        if not text or fence:
            continue
        path, is_alone = _alone(text, any_word=any_word)
        if path and not _is_member(path, content):
            how = Naming.ALONE if is_alone else Naming.SENTENCE
            named.append(Named(path, how, line_named(text)))
        else:
            own = _paths_in(text)
            named += _headed(source, nearest, lower_bound, content, is_named=bool(own))
            named += (Named(path, Naming.SENTENCE, line_named(text)) for path in own)
        break
    first = {each.path: each for each in reversed(named)}
    return tuple(first[path] for path in _distinct(each.path for each in named))


def named_last_above(source: AnswerText, line: int, lower_bound: int = 0) -> tuple[str, ...]:
    """Return the files that the nearest line above names that names any, in its words or on a fence."""
    naming = source.once(_rows_naming)
    at = bisect_left(naming, line, key=lambda named: named[0]) - 1
    return naming[at][1] if at >= 0 and naming[at][0] >= lower_bound else ()


def line_named(text: str) -> int | None:
    """Return the line that a text names behind a path in it, if it names one only."""
    if len(text) > _LONGEST or not any(map(str.isdigit, text)):
        return None
    words = re.sub(r"[`*\"']", " ", without_links(text)).split()
    found = {line_behind(word.strip("(),;").rstrip(":.")) for word in words}
    found |= set(map(int, _ON_LINE.findall(text)))
    found -= {None}
    return found.pop() if len(found) == 1 else None


def with_longer_paths(source: AnswerText, items: Sequence[Item]) -> list[Item]:
    """Return the items that were read from an answer, their edits with the longer readings of their paths.

    `my file.py` above a block may be a file, or `file.py`: what is on the disk decides.
    """
    known: dict[str, tuple[str, ...]] = {}
    found: list[Item] = []
    reached = 0
    for item in items:
        if isinstance(item, Edit) and item.path and item.format not in _EXPLICIT:
            readings = _readings(source, item, reached)
            if readings is not None:
                known[item.path] = readings
            item = replace(item, longer_paths=known.get(item.path, ()))
        found.append(item)
        reached = item.span[1]
    return found


def path_of_block(
    source: AnswerText, line: int, lower_bound: int, known_path: str, label: str = ""
) -> tuple[str, str]:
    """Return the path of the block on `line`, or an empty one and what is wrong.

    The `label` on the block's own marker counts first, then the text above it, then `known_path`: the path of
    the block before, or the one that the caller named.
    """
    paths = (label,) if label else paths_above(source, line, lower_bound, any_word=not known_path)
    without = "no file is named for this block; its path was expected on the line above it"
    return which_file(paths, known_path, without)


def which_file(paths: Sequence[str], known_path: str, without: str) -> tuple[str, str]:
    """Return the one path of `paths`, or `known_path` if there are none; else no path and what is wrong.

    `without` says what is missing where no file is named.
    """
    if len(paths) > 1:
        return "", f"two files are named for it, {' and '.join(paths[:2])}; name one on the line above"
    path = paths[0] if paths else known_path
    return path, "" if path else without


def path_alone(text: str) -> str:
    """Return the path on a line that is a path and nothing else (decorated or not), or an empty text."""
    return _alone(text)[0]


@lru_cache(maxsize=1024)
def _alone(text: str, *, any_word: bool = False) -> tuple[str, bool]:
    """Return the path on a line that names one file, and whether nothing but what sets it off is with it.

    With `any_word`, a single word that is not the name of a programming language passes for a path.
    """
    if len(text) > _LONGEST_LABEL:
        return "", False
    text, is_named = _undecorated(text)
    words = text.split()
    if len(words) > 1 and words[0].casefold().rstrip(":") in _VERBS and not is_named:
        bare = [without_line(word.strip("*`\"',:").rstrip(":")) for word in words[1:]]
        # of two files that a line names, the second is no label
        is_of_part = words[-2] in ("before", "after", "above", "below", "under", "behind")
        is_label = len(words) <= 4 and not is_of_part and not any(map(names_a_source, bare[:-1]))
        return (bare[-1], False) if is_label and names_a_source(bare[-1]) else ("", False)
    text = without_line(text)
    if len(words) > 1 and not is_named and "/" in words[-1] and names_a_source(words[-1]):
        # words before the first folder are a label, or part of its name: what is on the disk decides
        return "", False
    if is_path(text):
        return (text, True) if is_named or not is_product(text) else ("", False)
    is_word = (any_word or is_named) and _WORD.fullmatch(text) and text.casefold() not in _NOT_PATHS
    return (text, is_named) if is_word else ("", False)


def _paths_in(text: str) -> tuple[str, ...]:
    """Return the paths of a sentence, those in quotes or as links if it has any; they are plainly files.

    So is what a line in bold begins with, before a colon or a dash.
    """
    text = without_links(text) if len(text) <= _LONGEST else ""
    led = _LED.match(text)
    first = (led["path"],) if led and is_path(led["path"]) else ()
    return _distinct(paths_quoted(text) or paths_unquoted(text) or first)


def _undecorated(text: str) -> tuple[str, bool]:
    """Return a line without what sets it off, and whether it is labelled as a path."""
    text = without_links(text.strip())
    before = _BEFORE_PATH.match(text)
    text = text[before.end() :] if before else text
    named = _NAMED.match(text)
    text = text[named.end() :] if named else text
    for _ in range(3):
        text = _REMARK.sub("", text.strip()).strip().strip("*`\"'").rstrip(":").strip()
    number = _NUMBER.match(text)
    return text[number.end() :].strip("`\"'") if number else text, named is not None


def _is_member(path: str, content: str) -> bool:
    """Return whether a text that could be a path is the name of a member that a block of code is about."""
    names = path.split(".")
    if not content or len(names) < 2 or not all(map(str.isidentifier, names)) or names_a_source(path):
        return False
    return len(names) > 2 or re.search(rf"\b{re.escape(names[-1])}\b", content) is not None


def _headed(
    source: AnswerText, nearest: int, lower_bound: int, content: str, *, is_named: bool
) -> Iterator[Named]:
    """Yield the path of the closest heading, bold line or `File:` line above the nearest line.

    Where that names a file itself, another one in a bold line with more words is of what was before.
    """
    headings = source.once(_headings)
    at = bisect_left(headings, nearest, key=lambda heading: heading.row)
    own = headings[at] if at < len(headings) and headings[at].row == nearest else None
    level = own.level - 1 if own is not None and own.level else _DEEPEST
    lowest = max(lower_bound, nearest - 1 - 40)
    while at and headings[at - 1].row >= lowest:
        at -= 1
        heading = headings[at]
        if (heading.level or _DEEPEST) <= level:
            is_path = heading.path and not _is_member(heading.path, content)
            is_past = is_named and not heading.level
            paths = (heading.path,) if is_path else () if is_past else heading.mentioned
            yield from (Named(path, Naming.HEADING, line_named(source.bare(heading.row))) for path in paths)
            if paths:
                return
        if heading.level:
            # what is under another heading is not of the file that one of its own level, or above, names
            level = min(level, heading.level - 1)


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading, a bold line or a `File:` line; a heading has a `level`."""

    row: int
    level: int
    path: str
    mentioned: tuple[str, ...]


def _headings(source: AnswerText) -> list[_Heading]:
    """Return the headings of a text in their order."""
    found = []
    for row, line in enumerate(source.lines):
        text = line.strip()
        is_heading = text.startswith(tuple("#*`_fFpPnN")) and not fence_on(text)
        if is_heading and (text[0] in "#*`" or _NAMED.match(text)):
            title = text.lstrip("#")
            hashes = len(text) - len(title)
            level = hashes if hashes <= 6 and title[:1].isspace() else 0
            is_word = hashes and title[:1] != " "
            is_title = level or _BOLD_LINE.match(text)
            mentioned = paths_quoted(without_links(text[:_LONGEST])) if is_title else ()
            found.append(_Heading(row, level, "" if is_word else path_alone(text), mentioned))
    return found


def _distinct(paths: Iterable[str]) -> tuple[str, ...]:
    """Return each path once, without those that another one ends with (`app.py` of `src/app.py`)."""
    each = tuple(dict.fromkeys(paths))
    return tuple(path for path in each if path and not any(full.endswith(f"/{path}") for full in each))


def _readings(source: AnswerText, edit: Edit, reached: int) -> tuple[str, ...] | None:
    """Return the longer readings on the nearest line with the path, longest first; `None` if there is none.

    No line before the offset `reached` is looked at.
    """
    first = source.line_of(edit.span[0])
    last = min(first + _INSIDE, source.line_of(edit.span[1]) + 1)
    lowest = max(first - 12, source.line_of(reached))
    for number in (*range(first, last), *range(first - 1, lowest - 1, -1)):
        line = source.bare(number)
        place = line.rfind(edit.path) if len(line) <= _LONGEST_LABEL else -1
        end = place + len(edit.path)
        if place >= 0 and not line[end : end + 1].isalnum():
            return tuple(line[start:end] for start in _starts_before(line[:place]))
    return None


def _starts_before(before: str) -> list[int]:
    """Return where each of the last words of a text begins that may belong to a path behind it, in order."""
    starts: list[int] = []
    found = _WORDS_BEFORE.search(before)
    if found is None:
        return starts
    for word in reversed(list(re.finditer(r"\S+", found[0]))):
        bare = word[0].lstrip("+&)'’,-")
        if bare:
            starts.insert(0, found.start() + word.end() - len(bare))
        if bare != word[0]:
            break
    return starts


def _rows_naming(source: AnswerText) -> list[tuple[int, tuple[str, ...]]]:
    """Return the rows of a text that name files, in their order, each with these; of code, its first."""
    found = []
    depth = {row: row - each.first for each in outer_fences(source) for row in range(each.first, each.last)}
    for row in range(len(source.lines)):
        text = "" if depth.get(row, 0) >= _INSIDE else source.bare(row)
        text = text if depth.get(row, 0) < 2 or _COMMENT.match(text) else ""
        fence = fence_on(text)
        own = path_on_fence(fence[2]) if fence else path_alone(text)
        own = "" if fence and own == fence[2].casefold().strip() and "." not in own else own  # a language
        names = (own,) if own or fence or row in depth else _paths_in(text)
        if any(names):
            found.append((row, names))
    return found
