"""The labels by which chats, exports and transcripts say who speaks: one row a form.

The names are those of roles and products as exports write them, the wordings of pages those of the
interfaces in each language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from patchpoint.dataclass import dataclass
from patchpoint.formats.conversation.speaker_names import (
    COMMON_NAMES,
    MODEL_NAMES,
    OTHER_NAMES,
    PAGE_MODEL,
    PAGE_USER,
    PRODUCT_NAMES,
    SIGNS_OF_THOUGHTS,
    THOUGHTS,
    USER_NAMES,
)
from patchpoint.formats.spelling import words_of
from patchpoint.text.regex import regex


def _any_of(words: Iterable[str]) -> str:
    """Return a pattern of one of some words, the longest that fits, which turns down other text at once."""
    by_first: dict[str, list[str]] = {}
    for word in words:
        by_first.setdefault(word[:1], []).append(word[1:])
    branches = [
        re.escape(first) + (_any_of(rest) if len(rest) > 1 else re.escape(rest[0]))
        for first, rest in sorted(by_first.items(), reverse=True)
        if first
    ]
    return f"(?:{'|'.join(branches)}){'?' if '' in by_first else ''}"


_VERSION = (
    r"(?:[ -]?(?:\d|pro\b|flash\b|opus\b|sonnet\b|haiku\b|code\b|cli\b|chat\b|coder\b|plus\b|oss\b"
    r"|instruct\b|bot\b|turbo\b|mini\b|max\b|preview\b|thinking\b|latest\b|[rvkm]\d)[\w.:-]{0,40}){0,5}"
)
_MODEL_NAME = rf"(?:{_any_of(MODEL_NAMES)}|{_any_of(PRODUCT_NAMES)}{_VERSION}|o[1-9](?:-\w{{1,10}}){{0,3}})"
_WHO = (
    rf"(?:(?P<user>{_any_of(USER_NAMES)})|(?P<model>{_MODEL_NAME})|(?P<common>{_any_of(COMMON_NAMES)})"
    rf"|(?P<other>{_any_of(OTHER_NAMES)}))(?![\w-])(?:[ ](?:\#?\d{{1,4}}\b|\(\d{{1,4}}\)))?"
)
_WHO_IN_TAG = _WHO.replace(
    r"(?![\w-])", r"(?:[_-](?:message|msg|turn|input|reply|response|output))?(?![\w-])"
)
_IN_LOG = rf"(?:(?P<model>{_MODEL_NAME})(?![\w-])|(?P<user>(?!(?:app|bot)\b)[^\W\d_][\w.,'’ -]{{0,38}}?))"
_PAGE = rf"(?:(?P<user>{_any_of(PAGE_USER)})|(?P<model>{_any_of(PAGE_MODEL)}))"
_EMOJI = r"(?:[\u2190-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]{1,6}[ ]?)?"
_USER_EMOJI = (
    r"[\U0001f4ac\U0001f5e8\U0001f464\U0001f466-\U0001f469\U0001f9d1\U0001f9d4\U0001f64b\U0001f5e3]"
    r"[\u2190-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]{0,5}"
)
_MODEL_EMOJI = r"[\U0001f916\U0001f99c]\ufe0f?"
_TIME = (
    r"(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[ ,T]{0,2}|(?:Today"
    r"|Yesterday)(?:[ ]at)?[ ])?\d{1,2}:\d{2}(?::\d{2})?"
    r"(?:[ ]?[AP]\.?M\.?|Z)?"
)
_NUMBER = r"(?:(?:turn|message|msg|exchange|round|entry)[ ])?\#?\d{1,4}"
_BEFORE = rf"(?:[\[(]?(?:{_TIME}|{_NUMBER})[\])]?[ ]?[.):,|\u2013\u2014·-]?[ ]?\(?)"
"""What numbers a turn, or tells its time, before the name."""
_NOTE = (
    r"(?:[ ]?\([^()\r\n]{1,100}\)|[ ]?\[[^\[\]\r\n]{1,100}\]"
    r"|[ ]?[-\u2013\u2014·|•,@][ ]?[^*:\r\n]{0,30}\d[^*\r\n]{0,30}?)?"
)
_COLON = r"[ ]?[:\uff1a]"
_BOLD = r"(?:\*{1,3}|_{1,3})"
_END = r"[ \t]*(?=[\r\n]|\Z)"
_TEXT = r"[ \t]*(?=[^ \t\r\n])"


@dataclass(frozen=True, slots=True)
class LabelForm:
    """One form of labels: lines of it that name both sides make a text a conversation."""

    name: str
    pattern: re.Pattern[str]
    """Matches a label at the beginning of a line, and names the speaker by the groups `user`, `model`,
    `common` and `other`. Labels of another `style` are of another conversation."""
    style: str
    """Labels of forms with the same one may name either side."""
    is_page: bool = False
    """Nothing but a page has the model's label on a line of its own: no other side is needed."""
    is_plain: bool = False
    """Words without any sign: in small letters they are labels only below an empty line."""
    is_of_lists: bool = False
    """An answer may have such lines in a list: they are no labels where code is above the first."""
    needs: str = ""
    """A sign without which the text has no label of this form."""


def _form(
    name: str,
    pattern: str,
    *,
    is_page: bool = False,
    is_plain: bool = False,
    is_of_lists: bool = False,
    needs: str = "",
) -> LabelForm:
    style = name.partition(",")[0]
    compiled = regex(pattern, re.IGNORECASE | re.VERBOSE)
    return LabelForm(name, compiled, style, is_page, is_plain, is_of_lists, needs)


FORMS = (
    _form("page", rf"(?:\#{{1,6}}[ ])?(?:\*\*)?{_PAGE}(?:{_COLON})?(?:\*\*)?{_END}", is_page=True),
    _form("page, thoughts", rf"(?P<model>{THOUGHTS}){_END}", is_page=True),
    _form("page, with text", rf"{_PAGE}{_COLON}{_TEXT}"),
    _form(
        "opencode",
        rf"(?:\#\#[ ](?:(?P<user>User)|(?P<model>Assistant)(?:[ ]\([^\r\n]{{1,100}}\))?)"
        rf"|\*\*(?P<other>Output|Error):\*\*){_END}|(?P<again>)(?=\*\*Tool:[ ])",
        needs="**Session ID:** ses_",
    ),
    _form(
        "heading",
        rf"(?P<style>\#{{1,6}}|={{2,4}}(?=[ ]))[ ]*(?:\*\*|__)?{_EMOJI}{_WHO}[ ]?{_EMOJI}{_NOTE}"
        rf"(?:{_COLON})?(?:\*\*|__)?{_NOTE}"
        rf"(?:{_COLON})?[ ]*\#*{_END}",
    ),
    _form("bold", rf"{_BOLD}{_EMOJI}{_WHO}{_NOTE}{_BOLD}{_NOTE}{_END}"),
    _form(
        "bold, with a colon",
        rf"{_BOLD}{_EMOJI}{_WHO}{_NOTE}(?:{_COLON}{_BOLD}{_NOTE}|{_BOLD}{_NOTE}{_COLON})"
        rf"(?:{_END}|[ \t]+{_TEXT})",
    ),
    _form("bold italics", rf"_\*\*{_WHO}(?::[ ][^*\r\n]{{1,80}}?)?{_NOTE}{_NOTE}\*\*_{_END}"),
    _form(
        "name and colon",
        rf"{_EMOJI}{_WHO}{_NOTE}(?:{_COLON}{_END}|[ ]?:[ \t]+{_TEXT}|\uff1a{_TEXT})",
        is_plain=True,
    ),
    _form(
        "name",
        rf"(?:(?P<user>you|user|human)|(?P<model>assistant"
        rf"|{_any_of(PRODUCT_NAMES)}{_VERSION}))(?![\w-]){_NOTE}{_END}"
        r"(?:\r?\n(?:-{3,}|={3,})[ ]*(?=[\r\n]))?",
        is_plain=True,
    ),
    _form("brackets", rf"\[(?:\*\*)?{_WHO}{_NOTE}(?:\*\*)?\](?:{_COLON})?(?:{_END}|[ \t]+{_TEXT})"),
    _form("other brackets", rf"(?P<style>【|«[ ]?){_WHO}{_NOTE}[ ]?[】»](?:{_COLON})?(?:{_END}|{_TEXT})"),
    _form("field", rf":{_WHO}:(?:{_END}|[ ]+{_TEXT})"),
    _form("table", rf"\|[ ]?(?:\*\*)?{_WHO}(?:\*\*)?[ ]?\|{_END}"),
    _form("angles", rf">>[ ]?{_WHO}{_NOTE}{_COLON}(?:{_END}|[ ]+{_TEXT})"),
    _form("Org, block", rf"\#\+begin_{_WHO}{_END}"),
    _form("Org, heading", rf"\*{{1,4}}[ ]{_WHO}{_NOTE}(?:{_COLON})?{_END}", is_of_lists=True),
    _form("tag", rf"<{_WHO_IN_TAG}(?:[ ][^<>\r\n]{{0,120}})?>(?:{_END}|{_TEXT})"),
    _form(
        "tag with a role",
        rf"<(?P<style>message|msg|turn|chat_message|entry|speech|div|section|article)[ ][^<>\r\n]{{0,120}}?\b"
        rf"(?:role|from|speaker|author|sender|class)=[\"']{_WHO}[\"'][^<>\r\n]{{0,120}}>(?:{_END}|{_TEXT})",
    ),
    _form("token", rf"<\|{_WHO}\|>(?:{_END}|{_TEXT})"),
    _form(
        "token and name",
        rf"(?P<style><\|im_start\|>|<\|start_header_id\|>|<start_of_turn>"
        rf"|<\|start\|>){_WHO}(?:<\|end_header_id\|>"
        rf"|<\|im_sep\|>|<\|message\|>)?(?:{_END}|{_TEXT})",
    ),
    _form(
        "numbered",
        rf"(?P<style>\#{{1,6}}|\*\*|__)[ ]*{_BEFORE}(?:\*\*"
        rf"|__)?{_EMOJI}{_WHO}\)?{_NOTE}(?:{_COLON})?(?:\*\*|__)?"
        rf"(?:{_COLON})?(?:{_END}|(?<=[:*_])[ ]+{_TEXT})",
    ),
    _form(
        "numbered item",
        rf"{_BEFORE}(?P<style>\*\*|__)?{_EMOJI}{_WHO}{_NOTE}(?:{_COLON}(?:\*\*|__)|(?:\*\*|__)?{_COLON})"
        rf"(?:{_END}|[ ]+{_TEXT})",
        is_of_lists=True,
    ),
    _form("time behind the name", rf"{_EMOJI}{_WHO}(?:[ ](?:app|bot))?[ ]{{1,3}}[\[(]?{_TIME}[\])]?{_END}"),
    _form(
        "numbered item, in bold",
        rf"{_BEFORE}(?P<style>\*\*|__){_EMOJI}{_WHO}{_NOTE}(?:\*\*|__){_END}",
        is_of_lists=True,
    ),
    _form(
        "question and answer",
        rf"(?P<style>\*\*|__|\#{{1,6}}[ ])?(?:(?P<user>Q|问|問)|(?P<model>A|答))\d{{0,3}}(?:\*\*|__)?{_COLON}"
        rf"(?(style)(?:\*\*|__)?)(?:{_END}|[ \t]*{_TEXT})",
        is_of_lists=True,
    ),
    _form(
        "list item",
        rf"[-*+][ ](?P<style>\*\*|__){_WHO}{_NOTE}(?:{_COLON}(?:\*\*|__)|(?:\*\*|__){_COLON})(?:{_END}"
        rf"|[ ]+{_TEXT})",
        is_of_lists=True,
    ),
    _form("prompt", rf"{_WHO}>(?:{_END}|[ ]+{_TEXT})"),
    _form(
        "rule",
        rf"(?P<style>-{{2,}}|={{2,}}|\*{{3,}}|_{{2,}}|~{{2,}}"
        rf"|\#{{2,}})[ ]?{_WHO}{_NOTE}(?:{_COLON})?[ ]?(?:-{{2,}}|={{2,}}|\*{{2,}}|_{{2,}}|~{{2,}}"
        rf"|\#{{2,}}){_END}",
    ),
    _form(
        "role",
        rf"(?:-[ ]|\#{{1,6}}[ ])?(?:role|author|speaker|sender"
        rf"|from)[ ]?(?:::?|=)[ ]?[\"']?{_WHO}[\"']?"
        rf"(?:\s*(?:content|text|message)[ ]?[:=][ ]?(?:[|>]?-?|\"{{3}}|'{{3}}))?{_END}",
    ),
    _form(
        "role tag",
        rf"<(?P<style>role|author|speaker|sender|from)>{_WHO}</\w+>(?:\s*<(?:content|text|body)>)?{_END}",
    ),
    _form("callout", rf">[ ]?\[!{_WHO}\][+-]?{_END}"),
    _form(
        "summary",
        rf"(?:<details[^<>\r\n]{{0,40}}>)?[ ]*<summary>(?:<\w+>)?{_EMOJI}{_WHO}{_NOTE}(?:</\w+>)?</summar"
        rf"y>{_END}",
    ),
    _form(
        "emoji",
        rf"(?P<style>\#{{1,6}}[ ]|\*\*)?(?:(?P<user>{_USER_EMOJI})"
        rf"|(?P<model>{_MODEL_EMOJI}))(?:[ ][\w .'-]{{1,30}})?(?:{_COLON}(?:\[[\w .-]{{1,40}}\])?)?(?:\*\*)?"
        rf"(?:{_COLON})?(?:{_END}|(?<=[:*])[ ]+{_TEXT})",
    ),
    _form(
        "verb",
        rf"(?P<style>\#{{1,6}}[ ]|\*\*)?(?:(?P<user>you|i|user|human)|(?P<model>{_MODEL_NAME}|model|agent))"
        rf"[ ](?:said|says|wrote|asked|replied|answered|responded|response"
        rf"|prompt){_NOTE}(?:{_COLON})?(?:\*\*)?(?:{_COLON})?{_END}",
    ),
    _form(
        "possessive",
        rf"(?P<style>\#{{1,6}}[ ]|\*\*)?(?:(?P<user>(?:my|your|(?:the[ ])?(?:user"
        rf"|human)(?:['’]s)?)[ ](?:prompt|question|message|request|input))"
        rf"|(?P<model>(?:(?:the[ ])?(?:{_MODEL_NAME}|model|agent))(?:['’]s)?[ ](?:answer|response|reply"
        rf"|message|output)))"
        rf"(?:{_COLON})?(?:\*\*)?(?:{_COLON})?{_END}",
    ),
    _form("Cursor", r"(?:(?P<user><user_query>)|(?P<model></user_query>))", needs="<user_query>"),
    _form("Claude Code", r"(?:(?P<user>[>\u276f])|(?P<model>[⏺●])|[ ]{1,4}(?P<other>⎿))[ \t]", needs="⎿"),
    _form("prompts", r"(?:(?P<user>\u276f)|(?P<model>[⏺●]))[ \t]", needs="\u276f "),
    _form(
        "notebook", rf"(?:(?P<user>In)|(?P<model>Out))[ ]?\[\d{{0,4}}\]:(?:{_END}|[ ]+{_TEXT})", needs="Out["
    ),
    _form("Codex", r"(?:(?P<user>›)|(?P<model>•)|[ ]{1,4}(?P<other>└))[ \t]", needs="›"),
    _form("Gemini CLI", r"(?:(?P<user>>)|(?P<model>✦))[ \t]", needs="✦"),
)
"""The forms; of those that fit a line, the first counts."""
_NEEDED = tuple(form.needs for form in FORMS if form.needs)

LOG_FORMS = (
    _form(
        "log",
        rf"{_IN_LOG}(?:[ ]{{1,3}}(?:app|bot))?(?:[ ]{{1,3}}"
        rf"|[ ]?[,\u2013\u2014-][ ]?)[\[(]?{_TIME}[\])]?{_END}",
    ),
    _form(
        "log, on two lines",
        rf"{_IN_LOG}{_END}\s{{1,2}}(?:(?:app|bot)\s+)?[ \t\u2013\u2014-]{{0,6}}{_TIME}{_END}",
    ),
    _form(
        "log, time first",
        rf"[\[(]?{_TIME}[\])]?[ ](?:[\u2013\u2014-][ ])?{_IN_LOG}(?:{_COLON}[ ]+{_TEXT}"
        rf"|(?:{_COLON})?{_END})",
    ),
)
"""Those of chats among people, in which each line of a name has its time."""

_MARK_UP = words_of("""
div section article im_start start_header_id start_of_turn start message msg turn chat_message
""")
_OF_MODEL = (
    *(*SIGNS_OF_THOUGHTS, *PAGE_MODEL, *MODEL_NAMES, *PRODUCT_NAMES, *COMMON_NAMES),
    *(*_MARK_UP, "entry", "speech"),
)
_NO_LETTERS = (
    r" -@\[-\^_`{-~\u00a0-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u2010-\u205e\u2190-\u245f\u2500-"
    r"\u2bff"
    r"\u3000-\u3004\u3008-\u3020\uff08-\uff20\ufe0f\u200d\U0001f000-\U0001faff"
)
_ANSWER = r"[a答]\d{0,3}(?:\*\*|__)?[ ]?[:\uff1a]"
_OTHERS = (
    rf"{_ANSWER}|[q问問]\d{{0,3}}(?:\*\*|__)?[ ]?[:\uff1a]|i[ ](?:said|says|wrote|asked|replied|prompt)"
    r"|(?:my|your)[ ](?:prompt|question|message|request|input)|(?:in|out)[ ]?\[\d{0,4}\]:"
)
_LEADING_WORDS = (
    r"(?:turn|message|msg|exchange|round|entry)[ ]\#?\d{1,4}[^\w\r\n]{0,6}|begin_|class=\""
    r"|(?:role|author|speaker|sender|from)[^\w\r\n]{1,4}"
    r"|(?:details[^<\r\n]{0,20}<)?summary>(?:<\w+>)?[^\w\r\n]{0,6}|(?:today"
    r"|yesterday)[ ](?:at[ ])?[\d:]{4,8}(?:[ ]?[ap]m)?[^\w\r\n]{1,4}|T[\d:.]{4,12}Z?[^\w\r\n]{1,4}"
)
_OF_ANY = (*_OF_MODEL, *PAGE_USER, *USER_NAMES, *OTHER_NAMES, "output", "error")


def _line_with(names: Iterable[str], others: str, leading: str = "", first: str = r"[^\W\d_]") -> str:
    """Return the pattern of a line's beginning up to one of the names, which all begin with a letter.

    `first` is the class of the letters that they begin with: it turns most lines down before case is ignored.
    """
    return (
        rf"(?![ \t])(?=(?P<lead>[{_NO_LETTERS}]{{0,40}}))(?P=lead)(?={first})(?i:{leading}"
        rf"(?:(?:{_any_of(names)}|o[1-9])(?:['’]s[ ]|_(?:message|msg|turn|input|reply|response|output)\b"
        rf"|(?![\w=./`']|,(?![ ]\[)))|{others}))"
    )


_MAY_BE_LABEL = (
    rf"(?:\#{{1,6}}[ ]|\*\*)?(?:{_USER_EMOJI}|{_MODEL_EMOJI})|</?user_query>"
    rf"|[>\u276f⏺●›•✦][ \t]|[ ]{{1,4}}[⎿└]|{_line_with(_OF_ANY, _OTHERS, rf'(?:{_LEADING_WORDS})?')}"
)
_FIRST_LETTERS = "".join(sorted({*"aAoO答", *(name[0].lower() + name[0].upper() for name in _OF_MODEL)}))
_NAMES_MODEL = regex(rf"\n(?={_line_with(_OF_MODEL, _ANSWER, first=f'[{_FIRST_LETTERS}]')})")
_SIGNS = (
    *(
        "\U0001f916",
        "\U0001f99c",
        "egin_",
        "ole = ",
        "\nOut[",
        "summary>",
        "urn 1",
        "essage 1",
        "ole:",
        "ole>",
    ),
    *("peaker:", "oday at "),
)
"""Texts of which one is in each text in which other words are before the name of the model."""
NAMES_ANY = regex(rf"\n(?={_MAY_BE_LABEL})", re.IGNORECASE)
"""What is before a line that may be a label."""


def may_name_model(text: str) -> bool:
    """Return whether a line of a text may name the model: a text without any is quick to turn down."""
    if any(needed in text for needed in _NEEDED) or _NAMES_MODEL.search("\n" + text):
        return True
    return any(sign in text for sign in _SIGNS) and NAMES_ANY.search("\n" + text) is not None


COPILOT_SIGN = "\nGitHub Copilot: "
PERSON_WITH_COPILOT = regex(r"([A-Za-z\d][\w-]{0,38}): ")
"""The beginning of a chat that Visual Studio Code copies: the person's name on GitHub."""
_HEADS = frozenset(
    words_of("""
note notes summary overview fix problem solution explanation change changes file files path step steps
analysis plan description title subject re todo warning tip important update updated before after edit edits
diff example examples usage result results output cause bug issue context background details code patch here
why what how where role author speaker sender from content
""")
)
"""What heads a part of an answer, and is nobody's name."""
_PERSON = regex(
    rf"\s*(?:\#[ ][^\r\n]+\s+)?(?:(?P<before>\#{{2,6}}[ ]|\*\*|\[|<)?{_EMOJI})?"
    r"(?P<name>[^\W\d_][\w'’-]*(?:[ ][^\W\d_][\w'’-]*){0,2})(?P<after>:\*\*|\*\*:?|:|\]:?|>"
    r"|(?=[\r\n]))(?=\s)"
)
LOG_OF_MODEL = regex(
    rf"\n(?:[\[(]?{_TIME}[\])]?[ ](?:[\u2013\u2014-][ ])?(?P<first>{_MODEL_NAME})(?![\w-])"
    rf"|{_MODEL_NAME}(?![\w-])(?:[ ]{{1,3}}(?:app|bot))?[ ,\u2013\u2014\[(-]{{1,5}}{_TIME}"
    rf"|{_MODEL_NAME}{_END}\s{{1,2}}(?:(?:app|bot)\s+)?[ \t\u2013\u2014-]{{0,6}}{_TIME})",
    re.IGNORECASE | re.VERBOSE,
)
"""The line of a model in the log of a chat, where each has its time, and what is before it."""
_LOG_LINE = (
    rf"[\[(]?{_TIME}|[^\W\d_][\w.,'’ \u2013\u2014\[(-]{{0,44}}{_TIME}[\])]?{_END}"
    rf"|[^\W\d_][\w.,'’ -]{{0,38}}{_END}\s{{1,2}}[^\r\n]{{0,8}}(?:\s+)?[^\r\n]{{0,8}}{_TIME}{_END}"
)
NAMES_IN_LOG = regex(rf"\n(?={_MAY_BE_LABEL}|{_LOG_LINE})", re.IGNORECASE | re.VERBOSE)
"""What is before a line that may be a label, in the log of a chat."""


def person_in(text: str) -> str:
    """Return the name with which a chat may begin that tells who speaks by names; or an empty text."""
    found = _PERSON.match(text)
    name = found["name"] if found else ""
    if not found or not (found["before"] or found["after"]) or name.casefold() in _HEADS:
        return ""
    label = re.escape(found["before"] or "") + "[^\\w\\r\\n]{0,6}" + re.escape(name + found["after"])
    is_again = len(re.findall(rf"^{label}(?=\s|$)", text, re.MULTILINE)) > 1
    return name if is_again or (found["after"] and found["before"] != "<" and name.istitle()) else ""


def copilot_form(person: str) -> LabelForm:
    """Return the form of a chat of Copilot's with a person of this name."""
    return _form("Copilot", rf"(?:(?P<user>{re.escape(person)})|(?P<model>GitHub[ ]Copilot)):[ ]{_TEXT}")


@lru_cache(maxsize=8)
def person_forms(person: str) -> tuple[LabelForm, ...]:
    """Return the forms in which the name of a person heads what they say, as a model's does."""
    who = rf"(?:(?P<user>{re.escape(person)})|(?P<model>{_MODEL_NAME}))(?![\w-])"
    return (
        _form("person, heading", rf"(?P<style>\#{{1,6}})[ ]{_EMOJI}{who}{_NOTE}(?:{_COLON})?{_END}"),
        _form(
            "person, bold",
            rf"(?P<style>{_BOLD}){_EMOJI}{who}{_NOTE}(?:{_COLON})?{_BOLD}(?:{_COLON})?(?:{_END}"
            rf"|(?<=[:*_])[ ]+{_TEXT})",
        ),
        _form("person, colon", rf"{_EMOJI}{who}{_NOTE}:(?:{_END}|[ ]+{_TEXT})"),
        _form("person, brackets", rf"(?P<style>[\[<]){who}[\]>](?:{_COLON})?(?:{_END}|[ ]+{_TEXT})"),
    )


def names_or(person: str) -> re.Pattern[str]:
    """Return `NAMES_ANY` with the name of a person more."""
    return re.compile(rf"\n(?=[^\w\r\n]{{0,8}}{re.escape(person)}(?!\w)|{_MAY_BE_LABEL})", re.IGNORECASE)
