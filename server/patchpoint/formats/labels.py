"""The file that a block is for: the path above it, on its fence, or in the sentence before it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import lru_cache

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Edit, Format
from patchpoint.formats.fences import fence_on
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
from patchpoint.text.regex import regex

_NEAR = 12
"""The number of lines above a block among which the nearest one that is not blank is sought."""
_DECORATIONS = frozenset("#*`")
_FIRST_OF_HEADINGS = tuple("#*`_fFpPnN")
"""What a heading, a bold line or a `File:` line begins with."""
_FAR = 40
"""The number of lines above that one among which a heading with a path is sought."""

_BEFORE_PATH = regex(r"(?:#{1,6}\s+|[-*+]\s+|\d+[.)]\s+|//+\s*|#+\s*|--\s+|;+\s*|<!--\s*|/\*+\s*)")
_COMMENTS = ("//", "--", ";", "<!--", "/*")
_NAMED = regex(
    r"[*_`\s]*(?:file\s?name|file\s?path|full\s?path|new\s?file|file|path)[*_`\s]*[:=][*_`\s]*(?=\S)",
    re.IGNORECASE,
)
_REMARK = regex(r"\s*(?:-->|\*/|\([^()]{1,60}\))\s*\Z")
_ENDS_OF_REMARKS = ("-->", "*/", ")")
_ON_LINE = regex(r"\blines? (\d{1,7})\b", re.IGNORECASE)
_DEEPEST = 7
"""The level of what is below every heading."""
_LONGEST = 2000
"""A longer sentence is not searched for paths."""

_ABOVE = 12
"""The number of lines above an edit among which the nearest one with its path is sought."""
_INSIDE = 3
"""The number of its own lines on which its path may be."""
_LONGEST_LABEL = 500
"""A longer line is a sentence."""
_MOST_WORDS = 6
"""So many words before a path may belong to it."""
_NO_FIRST = frozenset("+&)'’,-")
_IN_WORDS = frozenset(".@~+&()'’/\\,-_")
_EXPLICIT = (Format.TOOL_CALL, Format.REQUEST, Format.ENVELOPE)
"""The formats in which a path has a place of its own."""

_NOT_PATHS = """
python py javascript js jsx typescript ts tsx java kotlin scala go golang rust c cpp c++ csharp c# php
ruby perl lua swift r sql html css scss xml json jsonc yaml yml toml ini markdown md text txt plaintext
plain bash sh shell zsh console powershell diff patch code copy edit edits svelte vue dart elixir haskell
ocaml output example search replace before after original updated changes change usage note here below
"""
_VERBS = """
in edit edits update updated modify change changes create add file to the for see fix here now then and
also patch replace rewrite open inside within from at first next finally second updates modifications
"""
_NO_QUOTES = str.maketrans("`*\"'", "    ")
_not_paths = frozenset(_NOT_PATHS.split())
_verbs = frozenset(_VERBS.split())


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
    source: AnswerText, line: int, lower_bound: int, *, any_word: bool = False, unquoted: bool = False
) -> tuple[str, ...]:
    """Return the paths that the text above the block on `line` names for it, each once.

    Lines before `lower_bound` are not looked at. None means that no file is named, and several that the text
    contradicts itself. With `any_word`, a single word close above passes for a path; with `unquoted`, paths
    in the middle of a sentence count without quotes as well.
    """
    named = names_above(source, line, lower_bound, any_word=any_word, unquoted=unquoted)
    return tuple(each.path for each in named)


def names_above(
    source: AnswerText,
    line: int,
    lower_bound: int,
    *,
    any_word: bool = False,
    unquoted: bool = False,
    content: str = "",
) -> tuple[Named, ...]:
    """Return what `paths_above` returns, with how each path is named.

    What the `content` of the block has a word for, such as `Cart.total` above `def total(self)`, is no path.
    """
    on_fence: list[Named] = []
    nearest = line - 1
    lowest = max(lower_bound, line - _NEAR)
    while nearest >= lowest:
        text = source.bare(nearest)
        fence = fence_on(text)
        if fence and not on_fence and nearest >= line - 3:
            path = path_on_fence(fence[2])
            on_fence = [Named(path, Naming.ON_FENCE)] if path else []
        if text and not fence:
            break
        nearest -= 1
    if nearest < lowest:
        return tuple(on_fence)
    text = source.bare(nearest)
    alone = path_alone(text, any_word=any_word and nearest >= line - 2)
    if alone and not _is_member(alone, content):
        how = Naming.ALONE if _is_alone(text) else Naming.SENTENCE
        above = [Named(alone, how, line_named(text))]
    else:
        above = [
            *_headed(source, nearest - 1, lower_bound, content),
            *(Named(path, Naming.SENTENCE, line_named(text)) for path in paths_mentioned(text)),
        ]
        if unquoted and len(text) <= _LONGEST and not any(each.how is Naming.SENTENCE for each in above):
            bare = paths_unquoted(without_links(text))
            above += [Named(path, Naming.SENTENCE, line_named(text)) for path in bare]
    return _distinct((*on_fence, *above))


def named_last_above(source: AnswerText, line: int, lower_bound: int = 0) -> tuple[str, ...]:
    """Return the files that the nearest line above names that names any, in its words or on a fence."""
    naming = source.once(_rows_naming)
    at = bisect_left(naming, line, key=lambda named: named[0]) - 1
    return naming[at][1] if at >= 0 and naming[at][0] >= lower_bound else ()


def line_named(text: str) -> int | None:
    """Return the line that a text names behind a path in it, if it names one only."""
    if len(text) > _LONGEST or not any(map(str.isdigit, text)):
        return None
    words = without_links(text).translate(_NO_QUOTES).split()
    found = {number for word in words if (number := line_behind(word.strip("(),;").rstrip(":.")))}
    found |= {int(number) for number in _ON_LINE.findall(text)}
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
            longer_paths = known.get(item.path, ())
            found.append(replace(item, longer_paths=longer_paths) if longer_paths else item)
        else:
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
    if label:
        return label, ""
    paths = paths_above(source, line, lower_bound, any_word=not known_path, unquoted=not known_path)
    if len(paths) > 1:
        return "", f"two files are named for this block, {' and '.join(paths[:2])}; one was expected"
    if paths:
        return paths[0], ""
    return (
        known_path,
        "" if known_path else "no file is named for this block; its path was expected on the line above it",
    )


def path_alone(text: str, *, any_word: bool = False) -> str:
    """Return the path on a line that is a path and nothing else (decorated or not), or an empty text.

    With `any_word`, a single word that is not the name of a programming language passes for a path.
    """
    if len(text) > _LONGEST_LABEL:
        return ""
    text, named = _undecorated(text)
    words = text.split()
    if len(words) > 1 and words[0].casefold().rstrip(":") in _verbs and not named:
        bare = [without_line(word.strip("*`\"',:").rstrip(":")) for word in words[1:]]
        # of two files that a line names, the second is no label
        text = bare[-1] if len(words) <= 4 and not any(map(names_a_source, bare[:-1])) else ""
        return text if names_a_source(text) and not is_product(text) else ""
    text = without_line(text)
    if is_path(text):
        return text if named or not is_product(text) else ""
    if (any_word or named) and _is_word(text) and text.casefold() not in _not_paths:
        return text
    return ""


def paths_mentioned(text: str) -> tuple[str, ...]:
    """Return the paths that a sentence has in backquotes, in bold or as links, if they are plainly files."""
    if len(text) > _LONGEST:
        return ()
    return tuple(
        each.path for each in _distinct(Named(p, Naming.SENTENCE) for p in paths_quoted(without_links(text)))
    )


@lru_cache(maxsize=1024)
def _undecorated(text: str) -> tuple[str, bool]:
    """Return a line without what sets it off, and whether it is labelled as a path."""
    text = without_links(text.strip())
    for _ in range(2):
        text = _BEFORE_PATH.sub("", text, count=1) if _BEFORE_PATH.match(text) else text
    named = _NAMED.match(text)
    if named:
        text = text[named.end() :]
    for _ in range(3):
        # a remark with the number of a line belongs to the path
        bare = (
            _REMARK.sub("", text)
            if text.rstrip().endswith(_ENDS_OF_REMARKS) and not _has_lines_in_brackets(text)
            else text
        )
        shorter = bare.strip().strip("*`\"'").rstrip(":").strip()
        if shorter == text:
            break
        text = shorter
    return text, named is not None


def _is_alone(text: str) -> bool:
    """Return whether a line that has a path has nothing else, but what sets the path off."""
    bare, named = _undecorated(text)
    return named or is_path(without_line(bare))


def _is_member(path: str, content: str) -> bool:
    """Return whether a text that could be a path is the name of a member that a block of code is about."""
    names = path.split(".")
    if len(names) < 2 or not all(map(str.isidentifier, names)) or names_a_source(path):
        return False
    return bool(content) and (len(names) > 2 or _has_word(content, names[-1]))


def _is_word(text: str) -> bool:
    """Return whether a text is one word, such as the name of a file without an extension."""
    if not 1 < len(text) < 82 or text[:1] in ".+-" or not all(one.isalnum() or one in "_.+-" for one in text):
        return False
    first = text.lstrip("0123456789.+-")[:1]
    return first.isascii() and first.isalpha()


def _has_lines_in_brackets(text: str) -> bool:
    return any(text[found.start() - 1 : found.start()] == "(" for found in _ON_LINE.finditer(text))


def _has_word(content: str, word: str) -> bool:
    return re.search(rf"\b{re.escape(word)}\b", content) is not None


def _headed(source: AnswerText, nearest: int, lower_bound: int, content: str) -> tuple[Named, ...]:
    """Return the path of the closest heading, bold line or `File:` line above."""
    level = _DEEPEST
    known = source.once(_headings)
    for line in range(nearest, max(lower_bound, nearest - _FAR) - 1, -1):
        if line not in known:
            known[line] = _heading_on(source.bare(line))
        heading = known[line]
        if heading is None:
            continue
        if (heading.level or _DEEPEST) <= level:
            is_path = heading.path and not _is_member(heading.path, content)
            paths = (heading.path,) if is_path else heading.mentioned
            if paths:
                return tuple(Named(path, Naming.HEADING, line_named(heading.text)) for path in paths)
        if heading.level:
            # what is under another heading is not of the file that one of its own level, or above, names
            level = min(level, heading.level - 1)
    return ()


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading, a bold line or a `File:` line; a heading has a `level`."""

    text: str
    level: int = 0
    path: str = ""
    mentioned: tuple[str, ...] = ()


def _headings(_: AnswerText) -> dict[int, _Heading | None]:
    """Return what is known of the lines of a text: each is above several fences."""
    return {}


def _heading_on(text: str) -> _Heading | None:
    if not text.startswith(_FIRST_OF_HEADINGS) or (text[:1] not in _DECORATIONS and not _NAMED.match(text)):
        return None
    title = text.lstrip("#")
    hashes = len(text) - len(title)
    level = hashes if hashes <= 6 and title[:1].isspace() else 0
    if text.startswith(_COMMENTS) or (hashes and title[:1] != " "):
        return _Heading(text, level)
    return _Heading(text, level, path_alone(text), paths_mentioned(text) if level else ())


def _distinct(named: Iterable[Named]) -> tuple[Named, ...]:
    """Return each path once, without those that another one ends with (`app.py` of `src/app.py`)."""
    distinct: dict[str, Named] = {}
    for each in named:
        if each.path:
            distinct.setdefault(each.path, each)
    return tuple(
        each for path, each in distinct.items() if not any(full.endswith(f"/{path}") for full in distinct)
    )


def _readings(source: AnswerText, edit: Edit, reached: int) -> tuple[str, ...] | None:
    """Return the longer readings on the nearest line with the path, longest first; `None` if there is none.

    No line before the offset `reached` is looked at.
    """
    first = source.line_of(edit.span[0])
    last = min(first + _INSIDE, source.line_of(edit.span[1]) + 1)
    lowest = max(first - _ABOVE, source.line_of(reached))
    if source.text.find(edit.path, source.starts[min(first, lowest)], source.starts[last]) < 0:
        return None
    for number in (*range(first, last), *range(first - 1, lowest - 1, -1)):
        line = source.bare(number)
        place = line.rfind(edit.path) if len(line) <= _LONGEST_LABEL else -1
        if place < 0 or line[place + len(edit.path) :][:1].isalnum():
            continue
        starts = _starts_before(line[:place])
        return tuple(line[start : place + len(edit.path)] for start in starts)
    return None


def _starts_before(before: str) -> list[int]:
    """Return where each of the last words of a text begins that may belong to a path behind it, in order."""
    starts: list[int] = []
    rest = before
    while rest.endswith(" ") and len(starts) < _MOST_WORDS:
        bare = rest.rstrip(" ")
        first = bare.rfind(" ") + 1
        start = len(bare)
        while start > first and (bare[start - 1].isalnum() or bare[start - 1] in _IN_WORDS):
            start -= 1
        is_apart = start > first
        while start < len(bare) and bare[start] in _NO_FIRST:
            start += 1
        if start == len(bare):
            break
        starts.insert(0, start)
        rest = "" if is_apart or start > first else bare[:start]
    return starts


def _rows_naming(source: AnswerText) -> list[tuple[int, tuple[str, ...]]]:
    """Return the rows of a text that name files, in their order, each with these."""
    found = []
    for row in range(len(source.lines)):
        text = source.bare(row)
        fence = fence_on(text)
        own = path_on_fence(fence[2]) if fence else path_alone(text)
        names = (own,) if own or fence else paths_mentioned(text) or paths_unquoted(text[:_LONGEST])
        if any(names):
            found.append((row, names))
    return found
