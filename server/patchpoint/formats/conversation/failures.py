"""Which call a result is of, and whether it says that this failed, or that a person turned it down.

A flag, a status, an exit code or an error beneath a known key says so, or the fixed words with which the
tools of agents begin such a result.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from patchpoint.formats.spelling import folded, folded_fields, words_of
from patchpoint.text.regex import regex

_DECODER = json.JSONDecoder(strict=False)
_FAILED = frozenset(
    words_of("""
error errored failed failure cancelled canceled rejected denied declined aborted interrupted timeout
rejectedbyuser outputerror outputdenied errortext errorjson executiondenied
""")
)
"""What a status says, folded."""
_IDS = words_of("tooluseid toolcallid toolcallrequestid callid id")
"""The keys of the ids by which a call and its result may name each other, the surest first."""
_STATUS = ("status", "state", "outcome", "type")
_EXIT_CODE = ("exitcode", "returncode")
_FLAGS = ("iserror", "success", "error", "errortext", *_STATUS, *_EXIT_CODE)
_INNER = words_of("metadata run state output result toolresult resultdetails response functionresponse")
"""The objects of a result that may have the flags."""
_WORDS = words_of("""
error errortext errormessage content text output result response value message stderr aggregatedoutput
stdout resultdisplay parts functionresponse run state toolresult
""")
"""The keys below which a result has its text, what is wrong first."""
_DEEPEST = 6

_TAGS = regex(r"</?[a-z][\w-]{0,40}(?:\s[^<>\n]{0,200})?>", re.IGNORECASE)
_ENDED = regex(
    r"^(?:(?:exit code:|process exited with code|exit status:?)\s*-?[1-9]"
    r"|(?:command )?(?:aborted|cancelled|interrupted) by user)",
    re.IGNORECASE | re.MULTILINE,
)
_HEAD = 400
"""So many characters of a result are its head."""
_BEGINS = regex(
    r"""(?!\s*(?:\{|\[["{]))\s*(?:[⎿❌✗✘⚠️[]{1,3}\s*)?(?:<(?:tool_use_error|error)>|(?!(?:0|no)\s(?:error|fail))
    (?:\S{0,200}[^\s.!?]\s){0,6}?(?:\w*error\b(?!\s+handling)|(?<!\D0\s)fail(?:ed|ure)\b|traceback\b|refused\b
    |(?:rejected|denied|declined|cancell?ed|aborted|interrupted|not\s(?:applied|allowed|executed|found))\b
    |(?:could|did|was|has)\snot\b|(?:cannot|can't|didn't|doesn.t\swant|unable\sto)\b
    |chose\s(?:not|to\sskip)\b|unexpectedly\smodified\b|matches\sof\sthe\sstring\b
    |no\s(?:replacements?|changes?|match(?:es)?|occurrences?)\b
    |invalid\s(?:context|patch|arguments?|parameters?|tool)\b)(?!\.\w))""",
    re.IGNORECASE | re.VERBOSE,
)
"""How a result begins that says so in words."""


def failure_of(result: object) -> str:
    """Return the first line of a result that says that its call failed or was turned down, else nothing."""
    return flagged_failure(result) or next(filter(None, map(failure_in_words, texts_of(result))), "")


def flagged_failure(result: object) -> str:
    """Return the first line of a result that a flag, a status, a code or an error calls a failure."""
    flag = _flag(result)
    return flag and (_first_line("\n".join(texts_of(result))) or flag)


def failure_in_words(text: str) -> str:
    """Return the first line of a result's text if that says that the call failed, else nothing."""
    head = text[:_HEAD]
    if _BEGINS.match(head) or _ENDED.search(head):
        return _first_line(text) or head.strip()
    if head.lstrip()[:1] in ("{", "["):
        try:
            decoded, _ = _DECODER.raw_decode(text, len(head) - len(head.lstrip()))
        except (ValueError, RecursionError):
            return ""
        return failure_of(decoded) if isinstance(decoded, (dict, list)) else ""
    return ""


def texts_of(result: object, depth: int = 0) -> list[str]:
    """Return the texts of a result: the strings below the keys that results have them under."""
    if isinstance(result, str):
        return [result] if result.strip() else []
    if depth == _DEEPEST:
        return []
    fields = folded_fields(result)
    inner = result if isinstance(result, list) else [fields[key] for key in _WORDS if key in fields]
    return [text for each in inner for text in texts_of(each, depth + 1)]


def _flag(result: object, depth: int = 0) -> str:
    """Return the word for the failure that a flag, a status, a code or an error shows, else nothing."""
    if isinstance(result, list):
        return next(filter(None, (_flag(each, depth + 1) for each in result[:20])), "")
    if not isinstance(result, dict) or depth > _DEEPEST:
        return ""
    fields = folded_fields(result)
    said = {key: str(fields[key]).casefold() for key in _FLAGS if fields.get(key) not in (None, {}, [])}
    is_error = any(
        said.get(key, "") not in ("", "false", "none", "null", "0") for key in ("error", "errortext")
    )
    if is_error or said.get("iserror") == "true" or said.get("success") == "false":
        return "error"
    for key in _STATUS:
        if folded(said.get(key, "")) in _FAILED:
            return said[key]
    for key in _EXIT_CODE:
        if said.get(key, "").lstrip("-").strip("0").isdecimal():
            return f"exit code {said[key]}"
    return next(filter(None, (_flag(fields.get(key), depth + 1) for key in _INNER)), "")


def _first_line(text: str) -> str:
    """Return the first line of a text that is more than a tag."""
    lines = (_TAGS.sub("", line).strip(" \t⎿") for line in text[:5000].splitlines())
    return next(filter(None, lines), "")[:300]


def call_ids(fields: Mapping[Any, Any]) -> tuple[str, ...]:
    """Return the ids by which a call and its result may name each other, the surest first."""
    known = folded_fields(fields)
    named = [known[key] for key in _IDS if isinstance(known.get(key), (str, int))]
    return tuple(dict.fromkeys(map(str, named)))
