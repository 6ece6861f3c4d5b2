"""What is written around the edits of an answer: paragraphs, headings, other code, and prompts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from patchpoint.dataclass import dataclass, field
from patchpoint.formats.conversation.phrases import NOTHING, Statement, statements
from patchpoint.formats.fences import fence_on
from patchpoint.formats.labels import path_alone
from patchpoint.formats.spelling import LANGUAGES
from patchpoint.text.lines import Span, split_lines
from patchpoint.text.regex import regex

BOLD = 7
"""The level of a line in bold."""
PLAIN = 8
"""The level of a paragraph."""
ITEM = 9
"""The level of a paragraph that begins with a number."""

_BOLD_LINE = regex(r"(?:\*\*[^*]+\*\*|__[^_]+__)[ ]?[:：]?\Z")
_ITEM = regex(r"(?:[-*+•]|\d{1,2}[.)])[ \t]+")
_FURNITURE = regex(r"</?[\w:.-]+(?:\s[^<>]*)?>\Z|[-=*_]{3,}\Z|\*\*\* (?:begin|end) patch\Z", re.IGNORECASE)
"""A line that says nothing: a tag, a rule, the end of a patch."""
_BUTTONS = LANGUAGES | {"copy", "copy code", "edit", "diff", "patch"}
"""What the head of a piece of code says on a page."""
_FENCE = ("```", "~~~")
_SUFFIX = regex(r"\.\w")
_NO_PROSE = regex(r"[{}\[\]\"<|]|\W*\Z")
_SUMMARY = regex(r"(?:<details[^<>]*>\s*)?<summary>(?:<\w+>)?\s*([^<>]+?)\s*(?:</\w+>)?</summary>\Z", re.I)
_PROMPT = regex(
    r"(?:\$|%|>|[~/][\w./~-]{0,80}[ ]?[$#%]|"
    r"(?:\([\w.-]+\)[ ])?[\w.-]+@[\w.-]+[^$#%\n]{0,80}[$#%]|PS[ ][^>\n]{0,80}>|"
    r"[A-Z]:\\[^>\n]{0,80}>)[ ]*(?=[\w./])"
    r"(?P<prints>(?:sudo[ ]|cd[ ]\S+[ ]*(?:&&|;)[ ]*)?"
    r"(?:(?:git|hg|svn|jj|gh[ ]pr)(?:[ ]-[\w-]+(?:[= ][^\s-]\S*)?)*[ ]"
    r"(?:log|show|diff|blame|annotate|stash[ ](?:show|list)|format-patch|range-diff|whatchanged|reflog)\b"
    r"|(?:colou?r)?diff[ ]))?"
)
"""A prompt, and the beginning of a command that prints what there is, or was."""


@dataclass(frozen=True)
class Passage:
    """One paragraph, heading, or item of a list; or other code, of which nothing is kept."""

    text: str
    """As written, on one line, without the mark of a heading or an item."""
    level: int
    """From 1 for a heading at the top to `ITEM`; 0 is code that is no edit."""

    @property
    def is_title(self) -> bool:
        """Return whether this is a heading, or a line in bold."""
        return 0 < self.level <= BOLD

    @property
    def sentences(self) -> tuple[Statement, ...]:
        """Return its sentences."""
        return statements(self.text)

    @property
    def first(self) -> Statement:
        """Return its first sentence."""
        return self.sentences[0] if self.sentences else NOTHING


@dataclass(frozen=True, slots=True)
class Group:
    """Edits between which nothing is said."""

    blocks: tuple[int, ...]
    above: tuple[Passage, ...]
    """What is written between the group before and this one, in order."""
    below: tuple[Passage, ...]
    is_pair: bool
    """Whether its edit has fences of its own with words between them."""

    @property
    def lead(self) -> Passage | None:
        """Return the words right above the group."""
        return self.above[-1] if self.above and self.above[-1].level else None

    @property
    def introduction(self) -> Passage | None:
        """Return the words above those right above the group, if they point on to it."""
        passage = self.above[-2] if len(self.above) > 1 else None
        return passage if passage and passage.sentences and passage.sentences[-1].points_on else None

    @property
    def titles(self) -> list[Passage]:
        """Return the headings that the group is right below of, the outermost first."""
        titles: list[Passage] = []
        for passage in self.above:
            if not passage.level:
                titles = []
            elif passage.is_title:
                titles = [title for title in titles if title.level < passage.level]
                titles.append(passage)
        return titles


@dataclass(slots=True)
class _Walk:
    """The state in which the lines between the edits are read."""

    in_fence: bool = False
    prompt: str = ""
    """The line of a prompt that heads what is read, if its command prints what there is."""
    passages: list[Passage] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    """The lines of the paragraph that is read."""
    level: int = PLAIN
    """The level of that paragraph."""

    def close(self, *others: Passage) -> None:
        """End the paragraph, and add others behind it."""
        if self.open:
            self.passages.append(Passage(" ".join(self.open), self.level))
        self.passages += others
        self.open, self.level = [], PLAIN


def surroundings(text: str, blocks: Sequence[Span]) -> tuple[list[Group], dict[int, str]]:
    """Return the groups of the edits at `blocks`, and the prompts above those that were printed.

    The prompts are by the index of the edit.
    """
    gaps: list[tuple[Passage, ...]] = []
    members: list[list[int]] = []
    printed: dict[int, str] = {}
    walk = _Walk()
    reached = 0
    for number, (start, end) in enumerate(blocks):
        _read(walk, text[reached:start], is_first=not reached)
        first, _, rest = text[start:end].partition("\n")
        is_fenced = fence_on(first) is not None
        walk.in_fence = walk.in_fence and not is_fenced
        line = (rest.partition("\n")[0] if is_fenced else first).strip()
        prompt = _PROMPT.match(line)
        if walk.prompt or (prompt and prompt["prints"]):
            printed[number] = line if prompt and prompt["prints"] else walk.prompt
        if not members or walk.passages:
            gaps.append(tuple(walk.passages))
            members.append([])
        members[-1].append(number)
        walk.passages = []
        reached = max(reached, end)
    _read(walk, text[reached:], is_first=not reached)
    gaps.append(tuple(walk.passages))
    groups = []
    for number, indices in enumerate(members):
        is_pair = any(_has_words_between(text, blocks[index]) for index in indices)
        groups.append(Group(tuple(indices), gaps[number], gaps[number + 1], is_pair))
    return groups, printed


def _read(walk: _Walk, gap: str, *, is_first: bool) -> None:
    """Read what is before, between or behind edits."""
    is_of_gap = False
    for number, line in enumerate(split_lines(gap) if gap.strip() else (), 3 if is_first else 1):
        bare = line.strip()
        fence = fence_on(line)
        prompt = None if fence else _PROMPT.match(bare)
        if fence:
            walk.close(*[Passage("", 0)] * (walk.in_fence and is_of_gap and not fence[2]))
            walk.prompt = ""
            # a fence that ends right behind an edit has begun above it
            is_of_gap = bool(fence[2]) or not (walk.in_fence or number <= 2)
            walk.in_fence = is_of_gap
        elif prompt and prompt["prints"]:
            walk.prompt = bare
        elif not walk.in_fence or not bare:
            walk.prompt = "" if prompt else walk.prompt
            _add_line(walk, bare.lstrip(" \t>"))
    walk.close()


def _add_line(walk: _Walk, line: str) -> None:
    """Add a line outside of fences to the passages."""
    title = line.lstrip("#")
    hashes = len(line) - len(title)
    item = _ITEM.match(line)
    if summary := _SUMMARY.match(line):
        walk.close(Passage(summary[1], BOLD))
    elif len(line) > 1200 or line.casefold() in _BUTTONS or _says_nothing(line):
        walk.close()
    elif 0 < hashes <= 6 and title[:1].isspace():
        walk.close(Passage(title.strip().rstrip("# "), hashes))
    elif _BOLD_LINE.match(line):
        walk.close(Passage(line, BOLD))
    elif item:
        walk.close()
        walk.level = ITEM if line[0].isdigit() else PLAIN
        walk.open.append(line[item.end() :])
    else:
        walk.open.append(line)


def _says_nothing(line: str) -> bool:
    """Return whether a line is no prose, or has the path of a file and nothing else."""
    may_be_path = len(line) <= 200 and (" " not in line or "/" in line or _SUFFIX.search(line) is not None)
    is_other = _NO_PROSE.match(line) or _FURNITURE.match(line)
    return is_other is not None or (may_be_path and path_alone(line) != "")


def _has_words_between(text: str, block: Span) -> bool:
    """Return whether an edit begins with a fence, and has another one behind it."""
    lines = text[slice(*block)].strip().split("\n")
    return lines[0].startswith(_FENCE) and sum(line.lstrip(" \t").startswith(_FENCE) for line in lines) >= 4
