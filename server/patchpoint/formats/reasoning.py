"""Reasoning in an answer: what a model writes to itself before it answers, and what of it is to be left out.

It comes in tags (`<think>`, `<reasoning>`), in the channels of the Harmony format, and in other brackets. A
chat template may have taken the opening tag away, and a model may forget the closing one. Tags in the content
of an edit or of a fence are content.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from patchpoint.dataclass import dataclass
from patchpoint.formats.source import AnswerText
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_NAMES = r"(?:[a-z]{1,8}:)?(?:(?:ant)?think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratch_?pad)"
_TAG = r"<(?:[a-z]{1,8}:)?"
_BLOCK = r"(?:<{3,}|-{3,})[ ]?(?:search|original|before)\b"
_PATCH_BEGINS = r"\*{3}[ ]begin[ ]patch"
_KINDS = (
    (
        r"(?P<fence>`{3,16}(?!`)|~{3,16}(?!~)).*\n",
        r"(?P=fence)[`~]*[ \t]*\w",
        r"^[ \t>]*(?P=fence)[`~]*[ \t]*\r?$",
    ),
    (_BLOCK, _BLOCK, r"^[ \t>]*(?:>{3,}|\+{3,})[ ]?(?:replace|updated?|after)\b"),
    (_PATCH_BEGINS, _PATCH_BEGINS, r"^[ \t>]*\*{3}[ ]end[ ]patch"),
    (
        rf"{_TAG}(?P<tag>parameter|content|(?:old|new|file)_(?:str|string|text|content)|diff|search|replace|old|new)"
        r"(?:[ =][^<>\n]{0,120})?>",
        rf"{_TAG}(?P=tag)[ =>]",
        r"</(?:[a-z]{1,8}:)?(?P=tag)>",
    ),
)
"""Content: how it begins on a line, what shows that it was not closed before, and its end."""
_CONTENT = "|".join(rf"^[ \t>]*{one}(?:(?!^[ \t>]*{again})[\s\S])*?{end}" for one, again, end in _KINDS)
_CLOSE = rf"</{_NAMES}>|\[/think\]|◁/think▷|<\|(?:end_of_thought|/thinking|/think)\|>"
_TOKEN = regex(
    rf"""
    (?P<open><{_NAMES}(?:[ ][^<>\n]{{0,200}})?>|\[think\]|◁think▷|<\|(?:begin_of_thought|thinking|think)\|>)
    |(?P<details><details[ ][^<>\n]{{0,200}}type=["']reasoning["'][^<>\n]{{0,200}}>)
    |(?P<close>{_CLOSE})
    |(?P<analysis><\|channel\|>[ ]*analysis\b)
    |(?P<channel><\|(?:channel|end|start|return|call)\|>)
    |{_CONTENT}
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_CLOSING = regex(rf"(?P<details></details>)|{_CLOSE}", re.IGNORECASE)
_CHANNEL = regex(r"<\|(?:channel|end|start|return|call)\|>", re.IGNORECASE)
_CALL = regex(
    r"<(?:\|?tool_calls?\b|tool_use>|function_calls?>|(?:[a-z]{1,8}:)?invoke[ ]|function[ ]*=)", re.IGNORECASE
)
_ANY = regex(
    rf"</?{_NAMES}\b|<\|(?:channel|end_of_thought|begin_of_thought|/?think)"
    r"|\[/?think\]|◁/?think▷|=(?<=type=)[\"']reasoning",
    re.IGNORECASE,
)
"""A sign of reasoning; each way begins with a character without case, which is quick to look for."""
_BARE_CHANNELS = regex(r"\s*analysis(?=[A-Z\"'])[\s\S]*?assistant(?:final|commentary)")
"""Harmony's channels where the special tokens between them are lost."""
_BARE_CHANNEL = regex(r"\s*analysis[A-Z][A-Za-z']*,?[ ][a-z]")
"""The first of these channels, in prose, where no other follows yet."""
_HEADER = regex(
    r"(?:<\|(?:end|return|call)\|>\s?)?(?:<\|start\|>\w{0,20})?"
    r"(?:<\|channel\|>(?![ ]*analysis)[^<\n]{0,200})?(?:<\|constrain\|>\w{0,20})?(?:<\|message\|>)?",
    re.IGNORECASE,
)
"""Harmony's mark-up between the end of one message and the text of the next."""
_MARK_UP = regex(r"<\|[^<>|\n]{1,40}\|>(?:assistant)?")
_PATCH = regex(r"^(?:@@|--- |\*\*\* )", re.MULTILINE)
_QUOTES = ("`", '"', "'")
_LONGEST = 10_000
"""So many characters around a tag on its line are looked at."""


@dataclass(frozen=True, slots=True)
class Reasoning:
    """One stretch of reasoning in an answer."""

    span: Span
    closed: bool
    """Whether anything shows where it ends."""


def reasoning_in(text: str) -> list[Reasoning]:
    """Return the stretches of reasoning in the answer `text`, in order, in time linear in its length."""
    if text[:8].casefold() != "analysis" and not _ANY.search(text):
        return []
    bare = _BARE_CHANNELS.match(text)
    if bare:
        return [Reasoning(bare.span(), closed=True)]
    if _BARE_CHANNEL.match(text):
        return [Reasoning((0, len(text)), closed=False)]
    patch = _PATCH.search(text)
    every = list(_CLOSING.finditer(text))
    details = [one for one in every if one["details"]]
    closings = [one for one in every if not one["details"]]
    plain = [one for one in closings if _is_plain(text, one, patch)]
    found: list[Reasoning] = []
    reached = 0
    while token := _TOKEN.search(text, reached):
        start, reached = token.span()
        end: re.Match[str] | None = None
        if token["close"]:
            if _is_plain(text, token, patch):
                # The opening tag is missing: all above is reasoning, whatever it looks like.
                found = [Reasoning((0, reached), closed=True)]
        elif token["channel"]:
            header = _HEADER.match(text, start)
            reached = max(reached, header.end() if header else 0)
            found.append(Reasoning((start, reached), closed=True))
        elif token["analysis"]:
            end = _CHANNEL.search(text, reached)
            reached = end.start() if end else len(text)
            found.append(Reasoning((start, reached), closed=end is not None))
        elif (token["open"] or token["details"]) and _begins_line(text, start, patch):
            # Models that forget to close their reasoning still call tools, and servers let the call end it.
            end = _next(details if token["details"] else plain, reached)
            if not end and not token["details"]:
                end = _next(closings, reached) or _CALL.search(text, reached)
            reached = len(text) if end is None else end.start() if end.re is _CALL else end.end()
            found.append(Reasoning((start, reached), closed=end is not None))
    return found


def without_reasoning(text: str, found: Sequence[Reasoning]) -> AnswerText:
    """Return the answer without its reasoning; its places are still those of `text`."""
    return AnswerText(text).without(one.span for one in found)


def _next(tokens: list[re.Match[str]], reached: int) -> re.Match[str] | None:
    at = bisect_left(tokens, reached, key=re.Match.start)
    return tokens[at] if at < len(tokens) else None


def _begins_line(text: str, start: int, patch: re.Match[str] | None) -> bool:
    """Return whether nothing but quote marks and other tokens is before an opening tag on its line."""
    before = text[text.rfind("\n", 0, start) + 1 : start]
    if before.startswith(" ") and patch and start > patch.start():
        return False  # below the beginning of a diff, it may be one of its lines
    return len(before) <= _LONGEST and not _MARK_UP.sub("", before).strip(" \t\r>")


def _is_plain(text: str, token: re.Match[str], patch: re.Match[str] | None) -> bool:
    """Return whether a closing tag is at the beginning or at the end of its line, and not in quotes."""
    start = text.rfind("\n", 0, token.start()) + 1
    before = text[start : token.start()]
    behind = text[token.end() : token.end() + _LONGEST].partition("\n")[0]
    if before.endswith(_QUOTES) or behind.startswith(_QUOTES):
        return False
    if before.startswith(("+", "-", " ")) and patch and start > patch.start():
        return False
    return not before.strip(" \t\r>") or not behind.strip()
