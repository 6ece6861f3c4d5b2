"""The labels by which chats, exports and transcripts say who speaks: a name between marks, on a line.

`## User`, `**You:**`, `[10:10] assistant:`, `<|user|>` and `--- AI ---` are one pattern: marks, a number or a
time, a name, a note, and the marks that close the first ones. Labels with the same marks are of one style.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import attrgetter

from patchpoint.dataclass import dataclass
from patchpoint.formats.conversation import speakers as names
from patchpoint.formats.conversation.speakers import Speaker
from patchpoint.text.regex import regex


@dataclass(frozen=True, slots=True)
class Label:
    """A line that may be a label."""

    speaker: Speaker
    start: int
    end: int
    """Where the words begin."""
    style: str
    is_below_space: bool = True
    """Nothing, an empty line or a rule is above it."""
    is_sure: bool = False
    """No label of another speaker is needed to tell that the text is a conversation."""
    is_of_lists: bool = False
    """An answer may have such lines in a list."""


def _any_of(words: Iterable[str]) -> str:
    """Return a pattern of one of some words, the longest that fits."""
    return f"(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})"


_VERSION = (
    r"(?:[ -]?(?:\d|pro\b|flash\b|opus\b|sonnet\b|haiku\b|code\b|cli\b|chat\b|coder\b|plus\b|oss\b"
    r"|instruct\b|bot\b|turbo\b|mini\b|max\b|preview\b|thinking\b|latest\b|[rvkm]\d)(?:[\w.-]|:(?=\w)){0,40}){0,5}"
)
_MODEL = (
    rf"(?:{_any_of(names.MODEL_NAMES)}|{_any_of(names.PRODUCT_NAMES)}{_VERSION}|o[1-9](?:-\w{{1,10}}){{0,3}})"
)
_SIGNS = r"[\u2190-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]"
_USER_EMOJI = (
    r"[\U0001f4ac\U0001f5e8\U0001f464\U0001f466-\U0001f469\U0001f9d1\U0001f9d4\U0001f64b\U0001f5e3]"
    rf"{_SIGNS}{{0,5}}"
)
_MODEL_EMOJI = r"[\U0001f916\U0001f99c]\ufe0f?"
_EMOJI = rf"(?:{_SIGNS}{{1,6}}[ ]?)?"
_TIME = (
    r"(?:(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[ ,T]{0,2}|(?:today|yesterday)(?:[ ]at)?[ ])?"
    r"\d{1,2}:\d{2}(?::\d{2})?(?:[ ]?[ap]\.?m\.?|Z)?)"
)
_NUMBER = r"(?:(?:turn|message|msg|exchange|round|entry)[ ])?\#?\d{1,4}"
_BEFORE = rf"(?P<before>[\[(]?(?:{_TIME}|{_NUMBER})[\])]?[ ]?[.):,|\u2013\u2014·-]?[ ]?\(?)?"
_NOTE = (
    r"(?:[ ]?\([^()\r\n]{1,100}\)|[ ]?\[[^\[\]\r\n]{1,100}\]|(?:[ ](?:app|bot))?[ ]{1,3}(?=[\d\[(TY])"
    rf"[\[(]?{_TIME}[\])]?|[ ]?[-\u2013\u2014·|•,@][ ]?[^*:\r\n]{{0,30}}\d[^*\r\n]{{0,30}}?)?"
)
_COLON = r"[ ]?[:\uff1a]"
_END = r"[ \t]*(?=[\r\n]|\Z)"
_TEXT = r"[ \t]*(?=[^ \t\r\n])"
_WORD = (
    r"(?:['’]s)?[ ](?:said|says|wrote|asked|replied|answered|responded|response|prompt|question|message"
    r"|request|input|answer|reply|output)\b"
)
_ROLE = r"(?:role|author|speaker|sender|from)"
_MARKS = rf"""(?:
    (?P<token><\|?(?:im_start|start_header_id|start_of_turn|start)\|?>)
    |(?P<element><(?:message|msg|turn|chat_message|entry|speech|div|section|article)[ ][^<>\r\n]{{0,120}}?
        \b(?:{_ROLE}|class)=["'])
    |(?P<field>(?:-[ ]|\#{{1,6}}[ ])?{_ROLE}[ ]?(?:::?|=)[ ]?["']?|<{_ROLE}>
        |(?:<details[^<>\r\n]{{0,40}}>)?[ ]*<summary>(?:<\w+>)?|>[ ]?\[!|\#\+begin_)
    |(?P<list>[-+*][ ](?=\*\*|__)|\*{{1,4}}[ ])?
     (?P<marks>(?:\#{{1,6}}[ ]*|={{2,10}}[ ]?|-{{2,}}[ ]?|~{{2,}}[ ]?|_{{4,}}[ ]?|\*{{4,}}[ ]?|>>[ ]?|\|[ ]?)?
     (?:(?:\*{{1,3}}|_{{1,3}}(?:\*\*)?)?\[?(?:\*\*)?|【|«[ ]?|<\|?|:))
)"""
"""What is before a name: tokens, elements, fields of data, and the marks of lists, headings and bold."""
_CLOSING = r"(?:[ ]?(?:[*_\])}|】»\"'=~\#+-]|</\w{1,20}>|<\|\w{1,20}\|>){1,40})?"
_PAIRS = tuple(zip("*_[【«<|-~:", "*_]】»>|-~:", strict=True))
_COLONS = (":", "\uff1a")

_LINE = regex(r"^(?=\S)", re.MULTILINE)


@lru_cache(maxsize=8)
def _pattern(person: str = "") -> re.Pattern[str]:
    """Return the pattern of a label. With the name of a `person`, that is one of the user."""
    users = _any_of((*([person] if person else ()), *names.USER_NAMES))
    return re.compile(
        rf"""{_MARKS}{_EMOJI}{_BEFORE}(?:\*\*|__)?{_EMOJI}(?:
        (?P<page>{_any_of(names.PAGE_USER)}|(?P<answers>{_any_of(names.PAGE_MODEL)}|{names.THOUGHTS}))
        |(?P<who>(?P<user>{users}|(?:i|my|your|(?:the[ ])?(?:user|human))(?={_WORD}))
            |(?P<model>{_MODEL}|the[ ](?:{_MODEL}|model|agent)(?={_WORD}))
            |(?P<common>{_any_of(names.COMMON_NAMES)})|(?P<other>{_any_of(names.OTHER_NAMES)})
            )(?:[_-](?:message|msg|turn|input|reply|response|output))?(?![\w-])
        |(?P<letter>(?P<q>[Qq问問])|[Aa答])\d{{0,3}}(?=(?:\*\*|__)?{_COLON})
        |(?P<sign>(?P<asks>{_USER_EMOJI})|{_MODEL_EMOJI})(?:[ ][\w .'-]{{1,30}})?
        )(?P<tail>(?P<word>{_WORD})?(?:[ ](?:\#?\d{{1,4}}\b|\(\d{{1,4}}\)))?(?:[ ]?{_SIGNS}{{1,6}})?
        (?:(?:["'][^<>\r\n]{{0,120}}|[ ][\w-]{{1,20}}=[^<>\r\n]{{0,100}})?\|?>
        |{_NOTE}{_CLOSING}{_NOTE}(?:[ ]?\uff1a|[ ]?:[*_]{{0,3}})?
        (?:(?:{_NOTE}|[ ]?[=~\#*_|+-]{{1,40}})(?={_END}))?))
        (?:(?(field)(?:\s*<?(?:content|text|message|body)>?[ ]?[:=]?[ ]?(?:[|>]?-?|"{{3}}|'{{3}}))?){_END}
            (?:(?<![:\uff1a>\])*#])\r?\n(?:-{{3,}}|={{3,}})[ ]*(?=[\r\n]))?
        |(?P<text>(?(token)[ \t]*|(?:(?<=[\uff1a>】»])[ \t]*|(?<=[:*_\]])[ \t]+))(?=[^ \t\r\n])))""",
        re.IGNORECASE | re.VERBOSE,
    )


_LOG = regex(
    rf"^(?=\S)(?P<time>[\[(]?{_TIME}[\])]?[ ](?:[\u2013\u2014-][ ])?)?"
    rf"(?:(?P<model>{_MODEL})(?![\w-])|(?P<user>(?!(?:app|bot)\b)[^\W\d_][\w.,'’ -]{{0,38}}?))"
    rf"(?(time)(?:{_COLON}[ ]+{_TEXT}|(?:{_COLON})?{_END})|(?:(?:[ ]{{1,3}}(?:app|bot))?"
    rf"(?:[ ]{{1,3}}|[ ]?[,\u2013\u2014-][ ]?)[\[(]?"
    rf"|{_END}\s{{1,2}}(?:(?:app|bot)\s+)?[ \t\u2013\u2014-]{{0,6}}){_TIME}[\])]?{_END})",
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
"""A line of a chat among people, where each has a name and a time."""


def _signs(user: str, model: str, other: str = "(?!)") -> re.Pattern[str]:
    pattern = rf"^(?:(?P<user>{user})|(?P<model>{model})|{other})".replace("$", r"[ \t]*(?=\r?$)")
    return regex(pattern, re.IGNORECASE | re.MULTILINE)


AGENTS = (
    ("**Session ID:** ses_", _signs(r"## User$", r"## Assistant(?: \(.{1,100}\))?$|(?=\*\*Tool: )")),
    ("**Session ID:** ses_", _signs("(?!)", "(?!)", r"\*\*(?:Output|Error):\*\*$")),
    ("<user_query>", _signs("<user_query>", "</user_query>")),
    ("⎿", _signs(r"[>\u276f][ \t]", r"[⏺●][ \t]", r" {1,4}⎿[ \t]")),
    ("\u276f ", _signs(r"\u276f[ \t]", r"[⏺●][ \t]")),
    ("Out[", _signs(r"In ?\[\d{0,4}\]:(?:$| +)", r"Out ?\[\d{0,4}\]:(?:$| +)")),
    ("›", _signs(r"›[ \t]", r"•[ \t]", r" {1,4}└[ \t]")),
    ("✦", _signs(r">[ \t]", r"✦[ \t]")),
)
"""The programs that mark who speaks by signs: a text that each of their copies has, and the sides."""

_PERSON = regex(
    rf"\s*(?:\#[ ][^\r\n]+\s+)?[\#*<\[ ]{{0,7}}{_EMOJI}"
    r"(?P<name>\w[\w'’-]*(?:[ ][^\W\d_][\w'’-]*){0,2})[:>\]\r\n]"
)
"""The name with which a chat may begin."""

_AIDER_SIGNS = ("# aider chat started at ", "\n> Tokens: ", "\n> Applied edit to ", "\n> Aider v")
_AIDER_LINES = regex(
    r"^(?:(?P<user>(?:\#{4}(?:[ ][^\n]*)?(?:\n|\Z))+)|(?:>(?:[ ][^\n]*)?(?:\n|\Z)"
    r"|\#[ ]aider[ ]chat[ ]started[^\n]*(?:\n|\Z))+)",
    re.MULTILINE | re.VERBOSE,
)
_LINE_BREAK = regex(r"^#### [^\n]*  \r?$", re.MULTILINE)
RULE = regex(
    r"[ \t]*(?:-{3,}|\*{3,}|_{3,}|[-*_](?:[ ][-*_]){2,}|\u2e3b+"
    r"|[\u2500\u2501]{3,})[ \t\r]*\Z"
)
CODE = regex(r"^[ \t>]*(?:`{3}|~{3}|<{5}|\*\*\* Begin|@@ |--- |\{|<\w)", re.MULTILINE)
_HAS_TIME = regex(r"\d:\d\d")


def readings(text: str) -> Iterator[list[Label]]:
    """Yield the labels of each style of which some name both sides; the likeliest style first."""
    history = _aider(text)
    if history:
        yield history
        return
    programs = [label for row in AGENTS if row[0] in text for label in _marked(text, *row)]
    yield from _by_style([*programs, *_named(text)])
    person = _person_in(text)
    if person:
        yield from _by_style(_named(text, person))
    if _HAS_TIME.search(text):
        yield from _by_style(_marked(text, "log", _LOG))


def _by_style(labels: Iterable[Label]) -> list[list[Label]]:
    styles: dict[str, list[Label]] = {}
    for label in sorted(labels, key=attrgetter("start")):
        styles.setdefault(label.style, []).append(label)
    return [each for each in styles.values() if names_both(each)][:6]


def names_both(labels: Iterable[Label]) -> bool:
    """Return whether labels of one style are those of a conversation."""
    sides = {label.speaker for label in labels}
    return Speaker.MODEL in sides and (Speaker.USER in sides or any(label.is_sure for label in labels))


def _named(text: str, person: str = "") -> Iterator[Label]:
    """Yield the lines that may be labels with a name, in order."""
    known = {"person"} if person else set()
    pattern = _pattern(person)
    for line in _LINE.finditer(text):
        found = pattern.match(text, line.start())
        label = _label(text, found, known) if found else None
        if label:
            known.add(label.style)
            yield label


def _label(text: str, found: re.Match[str], known: set[str]) -> Label | None:
    """Return the label that a line is whose parts are `found`; `known` are the styles of those above it."""
    marks, before, tail, name = (found[part] or "" for part in ("marks", "before", "tail", "who"))
    shape = found["token"] or found["element"] or found["field"] or ""
    is_item = (found["list"] or "")[:1] in ("-", "+")
    closed = tail.rstrip("*_ \t")
    is_open = any(opening in marks and closing not in before + tail for opening, closing in _PAIRS)
    if (
        # A mark that was cut off with what closes it is one all the same on a line of its own.
        (is_open and (found["text"] is not None or not closed.endswith(_COLONS)))
        or (is_item and not closed.endswith(_COLONS))
        or (found["common"] and found[0].strip("#*_ \t").casefold() == name.casefold())
    ):
        return None
    below_space = is_below_space(text, found.start())
    style = shape.strip("<> ").partition(">")[0].partition(" ")[0] or "".join(
        sign for sign in (found["list"] or "") + marks if not sign.isspace()
    ) + "1" * bool(before)
    if found["page"]:
        style = "page"
    elif not name:
        style += "sign" if found["sign"] else "letter"
    elif not (style or found["list"] or found["word"]):
        has_time = ":" in closed[:-1]
        style = "time" if has_time else closed[-1:] if closed.endswith((*_COLONS, ">")) else "bare"
        if style == "bare" and not name.casefold().startswith((*names.BARE_NAMES, *names.PRODUCT_NAMES)):
            return None
        if not (has_time or below_space or "person" in known) and (name[0].islower() or style not in known):
            return None
    is_user = found["user"] or found["q"] or found["asks"] or (found["page"] and not found["answers"])
    return Label(
        Speaker.USER if is_user else Speaker.TOOL if found["other"] else Speaker.MODEL,
        *(found.start(), found.end(), style, below_space),
        is_sure=bool(found["answers"]) and found["text"] is None,
        is_of_lists=bool(found["list"] or found["letter"] or (before and marks[:1] != "#")),
    )


def is_below_space(text: str, start: int) -> bool:
    """Return whether nothing, an empty line or a rule is above the line at `start`."""
    above = text[max(text.rfind("\n", 0, max(start - 1, 0)) + 1, start - 100) : start].strip()
    return not above or bool(RULE.match(above))


def _marked(text: str, style: str, pattern: re.Pattern[str]) -> Iterator[Label]:
    """Yield the labels that a pattern finds, whose groups are the sides."""
    for found in pattern.finditer(text):
        speaker = {"user": Speaker.USER, "model": Speaker.MODEL}.get(found.lastgroup or "", Speaker.TOOL)
        yield Label(speaker, *found.span(), style, is_below_space(text, found.start()))


def _person_in(text: str) -> str:
    """Return the name with which a chat begins that tells who speaks by names; or an empty text."""
    found = _PERSON.match(text)
    label = found[0].strip().rpartition("\n")[2] if found else ""
    is_again = "\nGitHub Copilot: " in text or f"\n{text}".count(f"\n{label}") > 1
    return found["name"] if found and is_again else ""


def _aider(text: str) -> list[Label]:
    """Return where the speakers change in the history of a chat that aider keeps; nothing in another text."""
    if not ((text.startswith("#### ") or "\n#### " in text) and any(sign in text for sign in _AIDER_SIGNS)):
        return []
    # a line of the user's has Markdown's line break at its end, unless the text has lost all of them
    ends = ("  ", "  \r") if _LINE_BREAK.search(text) else ("",)
    first = ((each, each[0].partition("\n")[0]) for each in _AIDER_LINES.finditer(text))
    found = (each for each, line in first if line.startswith("# ") or line.endswith(ends))
    return [Label(Speaker.MODEL, 0, 0, "aider"), *_switches(found, "aider")]


def _switches(turns: Iterable[re.Match[str]], style: str) -> list[Label]:
    """Return where the speakers change: at the turns of the user or of a tool, and behind them."""
    return [
        Label(speaker, at, at, style)
        for turn in turns
        for speaker, at in (
            (Speaker.USER if turn["user"] else Speaker.TOOL, turn.start()),
            (Speaker.MODEL, turn.end()),
        )
    ]
