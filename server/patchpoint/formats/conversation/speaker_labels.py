"""The labels by which chats, exports and transcripts say who speaks: one row a form.

The names are those of roles and products as exports write them, the wordings of pages those of the
interfaces in each language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_USER = (
    *("user", "human", "you", "me", "prompt", "instruction", "question"),
    *("du", "ich", "nutzer", "benutzer", "mensch", "vous", "moi", "utilisateur"),
    *("tú", "usted", "yo", "usuario", "você", "usuário", "tu", "utente", "вы", "пользователь"),
    *("用户", "使用者", "你", "您", "我", "ユーザー", "あなた", "自分", "사용자", "나"),
)
_PRODUCTS = (
    *(
        "chatgpt",
        "gpt",
        "claude",
        "gemini",
        "bard",
        "copilot",
        "github copilot",
        "cursor",
        "deepseek",
        "grok",
    ),
    *("llama", "qwen", "mistral", "codestral", "devstral", "kimi", "glm", "le chat", "perplexity", "codex"),
    *("opencode", "aider", "cline", "roo", "windsurf", "cascade", "gemma", "phi", "granite", "minimax"),
)
_MODEL = (
    *(
        "assistant",
        "ai assistant",
        "ai",
        "llm",
        "response",
        "answer",
        "assistent",
        "ki",
        "ki-assistent",
        "ia",
    ),
    *("asistente", "assistente", "ассистент", "ии", "助手", "助理", "アシスタント", "어시스턴트"),
)
_COMMON = ("agent", "model", "bot")
"""Names of the model that code has as well: only with a colon, a note or an emoji are they labels."""
_OTHER = ("system", "developer", "tool", "tool result", "tool output", "tool response", "function")

_PAGE_USER = (
    *(
        "you said",
        "du hast gesagt",
        "sie haben gesagt",
        "vous avez dit",
        "tu as dit",
        "dijiste",
        "tú dijiste",
    ),
    *("has dicho", "hai detto", "você disse", "вы сказали", "ви сказали", "powiedziałeś(-aś)", "je zei"),
    *("你说", "您说", "你說", "您說", "나의 말", "あなたの発言"),
)
_PAGE_PRODUCTS = ("chatgpt", "gemini", "claude", "copilot", "grok", "deepseek")
_PAGE_MODEL = tuple(
    wording.format(product)
    for product in _PAGE_PRODUCTS
    for wording in (
        *("{} said", "{} responded", "{} hat gesagt", "{} a dit", "{} dijo", "{} ha dicho", "{} ha detto"),
        *("{} disse", "o {} disse", "{} сказал", "{} сказала", "{} сказав", "программа {} сказала"),
        *("програма {} сказала", "{} powiedział", "{} zei", "{} 说", "{}说", "{} 說", "{}說", "{}의 말"),
        *("{} の発言", "{}の発言"),
    )
)


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
    r"|instruct\b|turbo\b|mini\b|max\b|preview\b|thinking\b|latest\b|[rvkm]\d)[\w.:-]{0,40}){0,5}"
)
_MODEL_NAME = rf"(?:{_any_of(_MODEL)}|{_any_of(_PRODUCTS)}{_VERSION}|o[1-9](?:-\w{{1,10}})?)"
_WHO = (
    rf"(?:(?P<user>{_any_of(_USER)})|(?P<model>{_MODEL_NAME})|(?P<common>{_any_of(_COMMON)})"
    rf"|(?P<other>{_any_of(_OTHER)}))(?![\w-])(?:[ ]\#?\d{{1,4}}\b)?"
)
_PAGE = rf"(?:(?P<user>{_any_of(_PAGE_USER)})|(?P<model>{_any_of(_PAGE_MODEL)}))"
_EMOJI = r"(?:[\u2190-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]{1,6}[ ]?)?"
_NOTE = (
    r"(?:[ ]?\([^()\r\n]{1,100}\)|[ ]?\[[^\[\]\r\n]{1,100}\]"
    r"|[ ]?[-\u2013\u2014·|•,@][ ]?[^*:\r\n]{0,30}\d[^*\r\n]{0,30}?)?"
)
_COLON = r"[ ]?[:\uff1a]"
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
    needs: str = ""
    """A sign without which the text has no label of this form."""


def _form(
    name: str, pattern: str, *, is_page: bool = False, is_plain: bool = False, needs: str = ""
) -> LabelForm:
    style = name.partition(",")[0]
    return LabelForm(name, re.compile(pattern, re.IGNORECASE | re.VERBOSE), style, is_page, is_plain, needs)


FORMS = (
    _form("page", rf"(?:\#{{1,6}}[ ])?(?:\*\*)?{_PAGE}(?:{_COLON})?(?:\*\*)?{_END}", is_page=True),
    _form("page, with text", rf"{_PAGE}{_COLON}{_TEXT}"),
    _form(
        "opencode",
        rf"(?:\#\#[ ](?:(?P<user>User)|(?P<model>Assistant)(?:[ ]\([^\r\n]{{1,100}}\))?)"
        rf"|\*\*(?P<other>Output|Error):\*\*){_END}|(?P<again>)(?=\*\*Tool:[ ])",
        needs="**Session ID:** ses_",
    ),
    _form(
        "heading",
        rf"(?P<style>\#{{1,6}})[ ]+(?:\*\*|__)?{_EMOJI}{_WHO}{_NOTE}(?:{_COLON})?(?:\*\*|__)?{_NOTE}"
        rf"(?:{_COLON})?[ ]*\#*{_END}",
    ),
    _form("bold", rf"(?:\*\*|__){_EMOJI}{_WHO}{_NOTE}(?:\*\*|__){_NOTE}{_END}"),
    _form(
        "bold, with a colon",
        rf"(?:\*\*|__){_EMOJI}{_WHO}{_NOTE}(?:{_COLON}(?:\*\*|__){_NOTE}|(?:\*\*|__){_NOTE}{_COLON})"
        rf"(?:{_END}|[ \t]+{_TEXT})",
    ),
    _form("bold italics", rf"_\*\*{_WHO}(?::[ ][^*\r\n]{{1,80}}?)?{_NOTE}{_NOTE}\*\*_{_END}"),
    _form(
        "name and colon",
        rf"{_EMOJI}{_WHO}{_NOTE}(?:{_COLON}{_END}|:[ \t]+{_TEXT}|\uff1a{_TEXT})",
        is_plain=True,
    ),
    _form(
        "name",
        rf"(?:(?P<user>you|user|human)|(?P<model>assistant|{_any_of(_PRODUCTS)}{_VERSION}))(?![\w-]){_NOTE}{_END}",
        is_plain=True,
    ),
    _form("brackets", rf"\[{_WHO}{_NOTE}\](?:{_COLON})?(?:{_END}|[ \t]+{_TEXT})"),
    _form("tag", rf"<{_WHO}(?:[ ][^<>\r\n]{{0,120}})?>(?:{_END}|{_TEXT})"),
    _form(
        "tag with a role",
        rf"<(?P<style>message|msg|turn|chat_message|entry|speech)[ ][^<>\r\n]{{0,120}}?\b"
        rf"(?:role|from|speaker|author|sender)=[\"']{_WHO}[\"'][^<>\r\n]{{0,120}}>(?:{_END}|{_TEXT})",
    ),
    _form("token", rf"<\|{_WHO}\|>(?:{_END}|{_TEXT})"),
    _form(
        "token and name",
        rf"(?P<style><\|im_start\|>|<\|start_header_id\|>|<start_of_turn>|<\|start\|>){_WHO}(?:<\|end_header_id\|>"
        rf"|<\|im_sep\|>|<\|message\|>)?(?:{_END}|{_TEXT})",
    ),
    _form("Claude Code", r"(?:(?P<user>[>\u276f])|(?P<model>[⏺●])|[ ]{1,4}(?P<other>⎿))[ \t]", needs="⎿"),
    _form("Codex", r"(?:(?P<user>›)|(?P<model>•)|[ ]{1,4}(?P<other>└))[ \t]", needs="›"),
    _form("Gemini CLI", r"(?:(?P<user>>)|(?P<model>✦))[ \t]", needs="✦"),
)
"""The forms; of those that fit a line, the first counts."""

_MARK_UP = ("im_start", "start_header_id", "start_of_turn", "start", "message", "msg", "turn", "chat_message")
_OF_MODEL = (*_PAGE_MODEL, *_MODEL, *_PRODUCTS, *_COMMON, *_MARK_UP, "entry", "speech")
_OF_ANY = (*_OF_MODEL, *_PAGE_USER, *_USER, *_OTHER, "output", "error")


def _line_with(names: Iterable[str]) -> str:
    """Return the pattern of a line's beginning up to one of the names, which all begin with a letter."""
    return rf"(?![ \t])_{{0,2}}[^\w\r\n]{{0,12}}(?=\w)(?:{_any_of(names)}|o[1-9])(?![\w=,./`'])"


_MAY_BE_LABEL = rf"[>\u276f⏺●›•✦][ \t]|[ ]{{1,4}}[⎿└]|{_line_with(_OF_ANY)}"
NAMES_MODEL = re.compile(rf"\n(?={_line_with(_OF_MODEL)})", re.IGNORECASE)
"""What is before a line that may name the model: a text without any is quick to turn down."""
NAMES_ANY = re.compile(rf"\n(?={_MAY_BE_LABEL})", re.IGNORECASE)
"""What is before a line that may be a label."""

COPILOT_SIGN = "\nGitHub Copilot: "
PERSON_WITH_COPILOT = re.compile(r"([A-Za-z\d][\w-]{0,38}): ")
"""The beginning of a chat that Visual Studio Code copies: the person's name on GitHub."""


def copilot_form(person: str) -> LabelForm:
    """Return the form of a chat of Copilot's with a person of this name."""
    return _form("Copilot", rf"(?:(?P<user>{re.escape(person)})|(?P<model>GitHub[ ]Copilot)):[ ]{_TEXT}")


def names_or(person: str) -> re.Pattern[str]:
    """Return `NAMES_ANY` with the name of a person more."""
    return re.compile(rf"\n(?={re.escape(person)}: |{_MAY_BE_LABEL})", re.IGNORECASE)
