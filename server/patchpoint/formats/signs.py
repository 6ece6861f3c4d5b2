"""The signs by which the beginning of an edit is recognised in the middle of a text.

One regular expression visits the beginning of each line and stops only where a sign may be: that is what
makes a long text without edits quick to read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable

from patchpoint.dataclass import dataclass
from patchpoint.formats.source import AnswerText
from patchpoint.formats.spelling import words_of
from patchpoint.text.regex import regex


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SignPattern:
    """The pattern of one kind of sign; its line may have white space and quote marks before it."""

    name: str
    """A name of its own, which is an identifier."""
    pattern: str
    """A regular expression for the whole sign: case-insensitive, with free spacing."""
    may_be_indented: bool = False
    """If the sign and the line below it are indented, the whole edit is taken to be indented."""
    is_worthwhile: Callable[[AnswerText], bool] | None = None
    """For a sign that is common in texts without edits: whether a text may hold such an edit at all."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign: its kind, its offsets, and the number of quote marks before it."""

    pattern: SignPattern
    start: int
    end: int
    quotes: int


class SignFinder:
    """Finds the signs of certain kinds."""

    def __init__(self, patterns: Iterable[SignPattern]) -> None:
        """Prepare to find the signs of `patterns`, of which the first that fits counts."""
        self._patterns = {pattern.name: pattern for pattern in patterns}
        each = "|".join(f"(?P<{name}>{each.pattern})" for name, each in self._patterns.items())
        # the set of characters turns down most lines
        sign = rf"(?P<margin>[ \t>]*)(?=[-`~<&*\[{{@$cdmpst])(?:{each})"
        options = re.IGNORECASE | re.VERBOSE
        self._first = regex(sign, options)
        self._later = regex(rf"\n{sign}", options)
        self._later_or_return = regex(rf"[\n\r]{sign}", options)

    def find(self, text: str) -> Generator[Sign, int, None]:
        """Yield the signs of `text`, in order.

        The generator may be sent an offset: the next sign is then on a line that begins behind it.
        """
        later = self._later if text.count("\r") == text.count("\r\n") else self._later_or_return
        found = self._first.match(text) or later.search(text)
        while found:
            name = found.lastgroup or ""
            sign = Sign(self._patterns[name], found.start(name), found.end(), found["margin"].count(">"))
            found = later.search(text, max(found.end(), (yield sign) or 0))


NUMBERED = ("SWAP", "DEL", "INS", "PUT", "CUT", "REM", "MV")
"""The operations of a patch that names lines by their numbers."""

_CALL_KEYS = tuple(
    f"{one}{quote}"
    for one in words_of("path Path file File uri Uri URI edits documentChanges notebook cmd -lc")
    for quote in ('"', "'", '\\"')
)
_CALL_TEXTS = ("_patch", "applypatch", "*** Begin Patch", '"file:/')


def _may_hold_calls(source: AnswerText) -> bool:
    """Return whether one of the texts that every readable call has is in the text."""
    return any(key in source.text for key in (*_CALL_KEYS, *_CALL_TEXTS))


BLOCK_SIGN = SignPattern(name="block", pattern=r"(?:<|&lt;){3,}|-{3,}[ ]?(?=search)")
"""The opening marker of a block."""

ENVELOPE_SIGN = SignPattern(
    name="envelope", pattern=r"\*\*\*[ ](?=begin[ ]patch|(?:add|update|delete)[ ]file:)", may_be_indented=True
)
"""The first line of an envelope, or of a section of one."""

DIFF_SIGN = SignPattern(
    name="diff",
    pattern=r"diff[ ]--git[ ]|---[ ](?=[^\n]+\n[ \t>]*\+\+\+[ ])|@@(?=[ \n\r-])",
    may_be_indented=True,
)
"""The header of a file's diff, or of a hunk."""

CALL_SIGN = SignPattern(
    name="call", pattern=r"<(?:tool_call|function_call|tool_use)>\s*(?=[\[{])", is_worthwhile=_may_hold_calls
)
"""A tag that marks the JSON behind it as a call."""

TAG_SIGN = SignPattern(
    name="tag",
    pattern=(
        r"<(?=(?:[a-z]{1,8}:)?(?:invoke\b|function[ ]*(?:name[ ]*)?=|old_text\b|[a-z]+_[a-z_]+>"
        r"|(?:write|edit|replace|file)>|[a-z_]{2,40}[ ](?:path|file\w*|target_?file)[ ]?=[ ]?[\"']))"
    ),
)
"""The first tag of a call."""

NUMBERED_SIGN = SignPattern(
    name="numbered",
    pattern=rf"\[[^\]\n\#]{{1,400}}\#[0-9a-f]{{3,8}}\](?=[ \t]*\r?\n[ \t>]*(?:{'|'.join(NUMBERED)})\b)",
)
"""The head of a section, above its first operation."""

JSON_SIGN = SignPattern(
    name="json", pattern=r"""\{\s*(?=["'])|\[\s*(?=["'{])""", is_worthwhile=_may_hold_calls
)
"""The beginning of an object or a list."""

FENCE_SIGN = SignPattern(name="fence", pattern=r"`{3,}|~{3,}")
"""A fence; below the first line, one with something like a path on it, in quotes, or below a label."""

FILE_SIGN = SignPattern(
    name="here",
    pattern=(
        r"(?:\$[ ])?(?:(?:cd|mkdir)[ ][^\n]{1,300}?&&[ \t]*)?(?:"
        r"(?:cat|tee)[ \t][^\n]{0,500}?<<-?[ \t]*[\\'\"]?\w"
        r"|(?:sed|perl)[ ](?=[^\n]*?[ ]?(?:-\w*i|--in-place))"
        r")"
    ),
)
"""A command that writes a file by a here-document, or that edits one in place."""
