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
    |(?P<tag><(?=(?:[a-z]{1,8}:)?(?:invoke\b|function[ ]*=|old_text\b|[a-z]+_[a-z_]+>|write>|edit>)))
    |(?P<json>\{\s*(?=["'])|\[\s*(?=["'{]))
    |(?P<call><tool_call>\s*(?=[\[{]))
)"""
_SIGN_AT = re.compile(_SIGN, re.IGNORECASE | re.VERBOSE)
_FIRST = r"[ \t>]*(?:<<<|<[a-z]|---|\*\*\* |```|~~~|@@|[{\[]\s*[\"'{]|&lt;|diff --git |cd |apply_?patch|\$ )"
_MAY_BEGIN = re.compile(_FIRST)
_MAY_BEGIN_LATER = re.compile(r"\n" + _FIRST)
_MAY_BEGIN_LATER_OR_RETURN = re.compile(r"[\n\r]" + _FIRST)
_MARGIN = re.compile(r"[ \t>]*")
_LONE_RETURN = re.compile(r"\r(?!\n)")
_PATH_SIGNS = re.compile(r"[^\n]{0,300}[./\\=]")
_LABEL_ENDS = frozenset(":`*")


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
    later = _MAY_BEGIN_LATER_OR_RETURN if _LONE_RETURN.search(text) else _MAY_BEGIN_LATER
    found = _MAY_BEGIN.match(text) or later.search(text)
    while found:
        line_start = found.start() + (text[found.start()] in "\r\n")
        margin_end = _end_of_margin(text, line_start)
        sign = _SIGN_AT.match(text, margin_end)
        reached = found.end()
        if sign and (any_fence or sign.lastgroup != "fence" or _may_hold_file(text, sign)):
            quotes = text.count(">", line_start, margin_end)
            name = sign.lastgroup or ""
            reached = max(reached, (yield Sign(_BEGINNINGS[name], sign.start(name), sign.end(), quotes)) or 0)
        found = later.search(text, reached)


def _end_of_margin(text: str, start: int) -> int:
    margin = _MARGIN.match(text, start)
    return margin.end() if margin else start


def _may_hold_file(text: str, fence: re.Match[str]) -> bool:
    """Whether a fence is labelled with a path, or stands behind a line that may be a label."""
    if _PATH_SIGNS.match(text, fence.end()):
        return True
    last = fence.start() - 1
    lowest = max(last - 4, 0)
    while last > lowest and text[last] in " \t\r\n":
        last -= 1
    return last >= 0 and text[last] in _LABEL_ENDS
