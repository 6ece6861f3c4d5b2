"""The signs by which the beginning of an edit is known in the middle of a text.

One regular expression visits the beginning of each line and stops only where a sign stands: that is what
makes a long text without edits quick to read.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass
from enum import Enum

_SIGN = r"""(?:
    (?P<block>(?:<|&lt;){3,}|-{3,}[ ]?(?=search))
    |(?P<envelope>\*\*\*[ ](?=begin[ ]patch|(?:add|update|delete)[ ]file:))
    |(?P<diff>diff[ ]--git[ ]|---[ ](?=[^\n]+\n[ \t>]*\+\+\+[ ])|@@(?=[ \n\r-]))
    |(?P<command>(?:\$[ ])?(?:cd[ ][^\n]{1,300}&&[ \t]*)?apply_?patch[ \t]+["'](?=\s*\*\*\*[ ]begin))
    |(?P<fence>`{3,}|~{3,})
    |(?P<call><(?:tool_call|function_call|tool_use)>\s*(?=[\[{]))
    |(?P<tag><(?=(?:[a-z]{1,8}:)?(?:invoke\b|function[ ]*=|old_text\b|[a-z]+_[a-z_]+>|write>|edit>)))
    |(?P<json>\{\s*(?=["'])|\[\s*(?=["'{]))
)"""
_SIGN_AT = re.compile(_SIGN, re.IGNORECASE | re.VERBOSE)
_ANY_FENCE = r"```|~~~"
_LABELLED_FENCE = (
    r"(?:```|~~~)(?:(?=[^\n]*[./\\=])|(?=[ \t]*(?:diff|patch|udiff)\b)|(?<=>...)|(?<=> ...)"
    r"|(?<=[:*`]\n...)|(?<=[:*`]\n\n...)|(?<=[:*`]\r\n...)|(?<=[:*`]\r\n\r\n...)"
    r"|(?<=file\)\n...)|(?<=file\)\n\n...))"
)
"""A fence that may hold a file or a diff: with something like a path beside it, quoted, or behind a label."""


def _may_begin(fence: str) -> str:
    """What lines on which a sign may stand begin with; the two sets of characters turn down most lines."""
    return (
        r"(?=[ \t><\-*`~@{\[&dca$])[ \t>]*(?=[<\-*`~@{\[&dca$])"
        r"(?:<<<|<[a-z]|---|\*\*\* |@@|[{\[]\s*[\"'{]|&lt;|diff --git |cd |apply_?patch|\$ |" + fence + ")"
    )


_MAY_BEGIN = re.compile(_may_begin(_ANY_FENCE))
_LATER = re.compile(r"\n" + _may_begin(_LABELLED_FENCE))
_LATER_ANY_FENCE = re.compile(r"\n" + _may_begin(_ANY_FENCE))
_LATER_OR_RETURN = re.compile(r"[\n\r]" + _may_begin(_ANY_FENCE))
_MARGIN = re.compile(r"[ \t>]*")
_LONE_RETURN = re.compile(r"\r(?!\n)")


class Beginning(Enum):
    """What may begin at a sign."""

    BLOCK = "block"
    ENVELOPE = "envelope"
    DIFF = "diff"
    COMMAND = "command"
    FENCE = "fence"
    TAG = "tag"
    JSON = "json"
    CALL = "call"
    """JSON behind a tag that says that it is a call."""


_BEGINNINGS = {beginning.value: beginning for beginning in Beginning}


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign: what may begin there, from which offset to which it stands, and in how many quote marks."""

    beginning: Beginning
    start: int
    end: int
    quotes: int


def signs(text: str, *, any_fence: bool) -> Generator[Sign, int, None]:
    """The signs of `text`, in order.

    The generator may be sent an offset: the next sign is then on a line that begins behind it. `any_fence`
    counts every fence; otherwise only one that may hold a labelled file is a sign.
    """
    later = _LATER_ANY_FENCE if any_fence else _LATER
    if "\r" in text and _LONE_RETURN.search(text):
        later = _LATER_OR_RETURN
    found = _MAY_BEGIN.match(text) or later.search(text)
    while found:
        line_start = found.start() + (text[found.start()] in "\r\n")
        margin_end = _end_of_margin(text, line_start)
        sign = _SIGN_AT.match(text, margin_end)
        reached = found.end()
        if sign:
            quotes = text.count(">", line_start, margin_end)
            name = sign.lastgroup or ""
            reached = max(reached, (yield Sign(_BEGINNINGS[name], sign.start(name), sign.end(), quotes)) or 0)
        found = later.search(text, reached)


def _end_of_margin(text: str, start: int) -> int:
    margin = _MARGIN.match(text, start)
    return margin.end() if margin else start
