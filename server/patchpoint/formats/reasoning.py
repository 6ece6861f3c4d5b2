"""Reasoning in an answer: what a model writes to itself before it answers, and what of it is to be left out.

It comes in tags (`<think>`, `<reasoning>`), in the channels of the Harmony format, and in other brackets. A
chat template may have taken the opening tag away, and a model may forget the closing one. Tags in the content
of an edit or of a fence are content.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import chain

from patchpoint.dataclass import dataclass
from patchpoint.formats.source import AnswerText
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_NAMES = r"(?:ant)?think(?:ing)?|thoughts?|reasoning|reflection|analysis|scratch_?pad"
_TOKEN = regex(
    rf"""
    (?P<open><(?:[a-z]{{1,8}}:)?(?:{_NAMES})(?:[ ][^<>\n]{{0,200}})?>
        |<details[ ][^<>\n]{{0,200}}type=["']reasoning["'][^<>\n]{{0,200}}>
        |\[think\]|◁think▷|<\|(?:begin_of_thought|thinking|think)\|>)
    |(?P<close></(?:[a-z]{{1,8}}:)?(?:{_NAMES})>|\[/think\]|◁/think▷|<\|(?:end_of_thought|/thinking|/think)\|>)
    |(?P<details></details>)
    |(?P<analysis><\|channel\|>[ ]*analysis\b)
    |(?P<channel><\|(?:channel|end|start|return|call)\|>)
    |(?P<call><(?:\|?tool_calls?\b|tool_use>|function_calls?>|(?:[a-z]{{1,8}}:)?invoke[ ]|function[ ]*=))
    |^[ \t>]*(?:
        (?P<fence>`{{3,}}|~{{3,}})(?P<info>[^\r\n]*)
        |(?P<begin>(?:<{{3,}}|-{{3,}})[ ]?(?:search|original|before)\b|\*{{3}}[ ]begin[ ]patch
            |<(?:[a-z]{{1,8}}:)?(?P<tag>parameter|content|[a-z]+_(?:str|string|text|content)|diff|search|replace
                |old|new)(?:[ =][^<>\n]{{0,120}})?>)
        |(?P<end>(?:>{{3,}}|\+{{3,}})[ ]?(?:replace|updated?|after)\b|\*{{3}}[ ]end[ ]patch)
    )
    |</(?:[a-z]{{1,8}}:)?(?P<end_tag>parameter|content|[a-z]+_(?:str|string|text|content)|diff|search|replace
        |old|new)>
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_ANY = regex(
    rf"</?(?:[a-z]{{1,8}}:)?(?:{_NAMES})\b|<\|(?:channel|end_of_thought|begin_of_thought|/?think)"
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
_LONGEST_LEAD = 10_000
"""More characters before a tag on its line are no quote marks."""
_LONGEST_END = 2_000
"""So many characters behind a tag on its line are looked at."""


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
    return _Pass(text).found()


def without_reasoning(text: str, found: Sequence[Reasoning]) -> AnswerText:
    """Return the answer without its reasoning; its places are still those of `text`."""
    return AnswerText(text).without(one.span for one in found)


class _Pass:
    """One pass over the tokens of a text, of which those inside of content are passed over."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(_TOKEN.finditer(text))
        self._starts = [token.start() for token in self._tokens]
        self._last_close = max((n for n, token in enumerate(self._tokens) if token["close"]), default=-1)
        self._unclosed: dict[str, int] = {}
        """By the kind of content, the number of the token up to which none of that kind is closed."""
        patch = _PATCH.search(text)
        self._patch = patch.start() if patch else len(text)
        """Where the first diff begins: below it, a line that begins with a space may be one of its lines."""

    def found(self) -> list[Reasoning]:
        """Return all stretches of reasoning, in order."""
        found: list[Reasoning] = []
        number = 0
        while number < len(self._tokens):
            token = self._tokens[number]
            stretch = self._stretch_at(number)
            if stretch is not None:
                found.append(stretch)
                number = bisect_left(self._starts, max(stretch.span[1], token.end()))
                continue
            end = None
            if token["close"] and self._is_plain(token):
                # The opening tag is missing: all above is reasoning, whatever it looks like.
                found = [Reasoning((0, token.end()), closed=True)]
            elif token["fence"] or token["begin"]:
                end = self._end_of_content(number)
            number = number + 1 if end is None else end + 1
        return found

    def _stretch_at(self, number: int) -> Reasoning | None:
        """Return the reasoning that begins at token `number`, or the mark-up of a channel, if it is one."""
        token = self._tokens[number]
        if token["analysis"]:
            later = range(number + 1, len(self._tokens))
            end = next((n for n in later if self._tokens[n]["channel"]), None)
        elif token["channel"]:
            header = _HEADER.match(self._text, token.start())
            return Reasoning(header.span(), closed=True) if header else None
        elif token["open"] and self._begins_line(token):
            end = self._end_of_reasoning(number)
        else:
            return None
        if end is None:
            return Reasoning((token.start(), len(self._text)), closed=False)
        closing = self._tokens[end]
        is_part = closing["close"] or closing["details"]
        return Reasoning((token.start(), closing.end() if is_part else closing.start()), closed=True)

    def _end_of_reasoning(self, number: int) -> int | None:
        """Return the token that ends the reasoning which token `number` opens; `None` without one."""
        later = range(number + 1, len(self._tokens))
        if self._tokens[number][0].casefold().startswith("<details"):
            return next((n for n in later if self._tokens[n]["details"]), None)
        if number < self._last_close:
            closing = (n for n in later if self._tokens[n]["close"])
            first = next(closing)
            return next((n for n in chain([first], closing) if self._is_plain(self._tokens[n])), first)
        # Models that forget to close their reasoning still call tools, and servers let the call end it.
        return next((n for n in later if self._tokens[n]["call"]), None)

    def _end_of_content(self, number: int) -> int | None:
        """Return the token that ends the content which token `number` opens; `None` if it is not closed."""
        opening = self._tokens[number]
        kind = opening["fence"] or (opening["tag"] or opening["begin"]).casefold()
        if number < self._unclosed.get(kind, 0):
            return None
        depth = 0
        for n in range(number + 1, len(self._tokens)):
            token = self._tokens[n]
            if token["open"]:
                depth += 1
            elif token["close"] and self._is_plain(token):
                depth -= 1
            elif depth < 0 and _opens_alike(token, opening):
                self._unclosed[kind] = n  # What begins below the closing tag shows that this is not closed.
                return None
            elif _closes(token, opening):
                return n
        self._unclosed[kind] = len(self._tokens)
        return None

    def _begins_line(self, token: re.Match[str]) -> bool:
        """Return whether nothing but quote marks and other tokens is before an opening tag on its line."""
        start = self._text.rfind("\n", 0, token.start()) + 1
        before = self._text[start : token.start()]
        if before.startswith(" ") and token.start() > self._patch:
            return False
        return len(before) <= _LONGEST_LEAD and not _MARK_UP.sub("", before).strip(" \t\r>")

    def _is_plain(self, token: re.Match[str]) -> bool:
        """Return whether a closing tag is at the beginning or at the end of its line, and not in quotes."""
        start = self._text.rfind("\n", 0, token.start()) + 1
        end = self._text.find("\n", token.end(), token.end() + _LONGEST_END)
        before = self._text[start : token.start()]
        behind = self._text[token.end() : end if end >= 0 else token.end() + _LONGEST_END]
        if before.endswith(_QUOTES) or behind.startswith(_QUOTES):
            return False
        if before.startswith(("+", "-", " ")) and start > self._patch:
            return False
        return not before.strip(" \t\r>") or not behind.strip()


def _opens_alike(token: re.Match[str], opening: re.Match[str]) -> bool:
    """Return whether content begins at a token in the way that it does at `opening`."""
    if opening["fence"]:
        return bool(token["fence"] and token["info"].strip()) and token["fence"].startswith(opening["fence"])
    return bool(token["begin"]) and (token["tag"] or "") == (opening["tag"] or "")


def _closes(token: re.Match[str], opening: re.Match[str]) -> bool:
    """Return whether a token ends the content that begins at `opening`."""
    if opening["fence"]:
        return bool(
            token["fence"] and token["fence"].startswith(opening["fence"]) and not token["info"].strip()
        )
    if opening["tag"]:
        return bool(token["end_tag"]) and token["end_tag"].casefold() == opening["tag"].casefold()
    return bool(token["end"]) and token["end"].startswith("*") == opening["begin"].startswith("*")
