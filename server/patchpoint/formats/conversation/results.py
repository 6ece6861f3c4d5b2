"""What the tools of an agent printed, in a session that is text, and which calls failed.

A result is known by its tag, by the tokens of a chat template, or by the fixed form in which an agent's
program writes it; never by prose.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, groupby, pairwise, starmap
from operator import itemgetter

from patchpoint.dataclass import dataclass, replace
from patchpoint.formats.conversation.failures import call_ids, failure_in_words, flagged_failure
from patchpoint.formats.spelling import phrases_of
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one call."""

    span: Span
    """Whole lines of the text."""
    failure: str
    """The first line of it, if that says that the call failed or was turned down; else empty."""
    of: str = ""
    """The id of the call, where the result names it."""


_LEAD = r"^[ \t>]*"
_TAG = (
    r"(?:[a-z]{1,8}:)?(?:tool_(?:results?|responses?|outputs?|use_error|use_results?|call_results?)"
    r"|function_(?:results?|responses?|outputs?|call_results?))"
)
_CALL_WITH_ARGUMENT = (
    r"^[ \t]*<[a-z]+_[a-z_]+>\s*<(?:path|args|diff|command|question|result|file_path|content)>"
)


_SIGNS = phrases_of("""
tool_re, tool_out, tool_use_, tool_call_re, function_re, function_out, function_call_re, ] Result:, <|, <｜,
[TOOL_RESULTS], ⎿, failed to match, did not conform, [Tool, replace not found, user doesn, user denied,
verification failed, No replacement was, execution failed, [Request interrupted
""")
"""What a text has one of that has a result."""
_FORMS = {
    "tag": (rf"{_LEAD}<(?P<name>{_TAG})(?P<attributes>\s[^<>\n]{{0,400}})?>", ""),
    "cline": (
        rf"{_LEAD}\[\w+(?: for [^\n]{{0,2000}}?|[ ][^\]\n]{{0,200}})?\] Result:",
        rf"(?={_CALL_WITH_ARGUMENT})|(?=^[ \t]*\[\w+(?: for [^\n]{{0,2000}})?\] Result:)",
    ),
    "token": (
        r"(?:<\|start\|>(?:functions|browser|container|python)[^<\n]{0,200}?[ ]?to=assistant"
        r"[^\n]{0,200}?<\|message\|>|<\|im_start\|>(?:tool|ipython|function)\b"
        r"|<\|start_header_id\|>(?:ipython|tool)<\|end_header_id\|>|<\|observation\|>"
        r"|<[|｜]tool▁output▁begin[|｜]>|\[TOOL_RESULTS\])",
        r"<\|(?:end|return|call|im_end|eo[tm]_id)\|>|<[|｜]tool▁output▁end[|｜]>|\[/TOOL_RESULTS\]"
        r"|(?=<\|(?:start|im_start|start_header_id|assistant|user|system|endoftext)\|>)",
    ),
    "terminal": (
        r"^[ \t│]*⎿[ \t]",
        r"(?=^[ \t]*[⏺●✻✽❯›∴⎿]|^> )|(?:(?<=\n\n)|(?<=\n\r\n))(?=^(?![ \t]{5}|[ \t]*\d+[ \t])[ \t]*\S)",
    ),
    "aider": (
        r"^> ?(?:# \d+ SEARCH/REPLACE blocks? failed to match|The LLM did not conform to the edit format)",
        r"(?=^(?!>))",
    ),
    "export": (r"^\[Tool(?P<error> \(Error\))?\][ \t]*$", r"(?=^\[Tool|^---\s)"),
    "line": (
        rf"{_LEAD}(?:Error: )?(?:String to replace not found in file"
        r"|The user doesn.t want to (?:proceed with this tool use|take this action)"
        r"|apply_patch verification failed:|No replacement was performed[,.]|The user denied this operation"
        r"|The tool execution failed with the following error:|\[Request interrupted by user)",
        r"(?=^[ \t>]*$)",
    ),
}
"""Regular expressions for the beginning of each form of results, and for its end, if it is no closing tag.

A result without one is all the rest.
"""
_BEGINNING = regex("|".join(f"(?P<{name}>{begins})" for name, (begins, _) in _FORMS.items()), re.MULTILINE)
_ENDS = {name: regex(ends, re.MULTILINE | re.IGNORECASE) for name, (_, ends) in _FORMS.items()}
_BLANK = regex(r"\n[ \t]*(?:\r?\n|\Z)")
_ATTRIBUTE = regex(r"""([\w-]+)\s*=\s*["']?([\w.:-]{1,100})""")
_INNER = regex(r"<(?:error|tool_use_error|system-error|stderr)>\s*(?=\S)(?!</)", re.IGNORECASE)
_WRAPPING = regex(
    r"(?:\s|</?(?:result|name|output|stdout|content|status|tool_name|function_results?)(?:\s[^<>\n]*)?>)*"
)

_CALL = regex(
    rf"<(?!{_TAG}\b)(?P<name>(?:[a-z]{{1,8}}:)?(?:invoke|tool_use|tool_call|function_call|function|[a-z]+_[a-z_]+))"
    r"(?=[\s=>])[^<>\n]{0,400}>|^[ \t]*[⏺●] ?[A-Z]\w*\([^\n]*",
    re.MULTILINE,
)
"""The first tag of a call, or the line by which a terminal shows one."""
_WORD = regex(r"[\w.:-]+")
_WHY = regex(r"^> ?## \w+: ([^\n]+)", re.MULTILINE)
"""The line by which aider heads a block that failed."""
_WRAPPERS = ("function_calls", "tool_calls", "environment_details", "system_reminder")


def results_in(text: str) -> list[Result]:
    """Return the results that a session written as text has, in order."""
    found: list[Result] = []
    closings: dict[str, int] = {}
    reached = 0
    may_have = any(sign in text for sign in _SIGNS)
    while may_have and (beginning := _BEGINNING.search(text, reached)):
        form = next(name for name in _FORMS if beginning[name] is not None)
        inner_end, end = _end_of(text, beginning, form, closings)
        fields = dict(_ATTRIBUTE.findall(beginning["attributes"] or ""))
        body = text[beginning.start() if form == "line" else beginning.end() : inner_end]
        span = _whole_lines(text, beginning.start(), max(end, beginning.end()), reached)
        found.append(Result(span, _failure(form, body, beginning, fields), *call_ids(fields)[:1]))
        reached = span[1]
    return found


def results_of(text: str, printed: Iterable[Span]) -> list[Result]:
    """Return the results in what tools printed: those that have a form of their own, else all as one."""
    found: list[Result] = []
    for start, end in printed:
        inner = results_in(text[start:end])
        found += [replace(one, span=(start + one.span[0], start + one.span[1])) for one in inner]
        if not inner:
            found.append(Result((start, end), failure_in_words(text[start:end])))
    return found


def _end_of_tag(text: str, name: str, start: int, closings: dict[str, int]) -> int:
    """Return where the first closing tag of this name at or behind `start` is; the end without one.

    `closings` has those that were found before, so that each is looked for once.
    """
    if closings.get(name, -1) < start:
        found = text.find(f"</{name}", start)
        closings[name] = found if found >= 0 else len(text)
    return closings[name]


def _whole_lines(text: str, start: int, end: int, least: int) -> Span:
    """Return the span of the lines of a result, or its own where they have other things too."""
    line_start = max(text.rfind("\n", 0, start) + 1, least)
    line_end = text.find("\n", max(end - 1, start)) + 1 or len(text)
    return (
        start if text[line_start:start].strip(" \t>") else line_start,
        end if text[end:line_end].strip() else line_end,
    )


def _end_of(text: str, beginning: re.Match[str], form: str, closings: dict[str, int]) -> Span:
    """Return where what is printed in a result ends, and where the result itself does."""
    start = beginning.end()
    if form != "tag":
        found = _ENDS[form].search(text, start)
        return found.span() if found else (len(text), len(text))
    close = _end_of_tag(text, beginning["name"], start, closings)
    if close < len(text):
        return close, text.find(">", close) + 1 or len(text)
    blank = _BLANK.search(text, start)
    return (blank.start(), blank.start()) if blank else (len(text), len(text))


def _failure(form: str, body: str, beginning: re.Match[str], fields: Mapping[str, str]) -> str:
    """Return why a result says that its call failed."""
    if why := _WHY.search(body):
        return why[1].strip()
    inner = _INNER.search(body) if form == "tag" else None
    is_error = form in ("aider", "line") or "error" in (beginning["name"] or "")
    is_error = is_error or bool(beginning["error"] or flagged_failure(fields))
    wrapping = inner if inner and not is_error else _WRAPPING.match(body)
    said = body[wrapping.end() :] if wrapping else body
    if is_error or inner:
        return failure_in_words(f"Error: {said}").removeprefix("Error: ").strip() or "error"
    return failure_in_words(said)


@dataclass(slots=True)
class _Made:
    """A call in the text, and the numbers of the edits that it has."""

    span: Span
    edits: list[int]


def failed_calls(
    text: str, calls: Sequence[Span], results: Sequence[Result], start: int = 0
) -> dict[int, str]:
    """Return why calls behind `start` failed, by their index in `calls`, which are the spans of edits.

    A result is that of the call whose id it names; else calls and the results behind them go together in
    their order. Where their numbers differ and one says that it failed, none of these calls counts.
    """
    if not any(result.failure for result in results):
        return {}
    found: list[tuple[int, int, Result | _Made]] = [(one.span[0], 0, one) for one in results]
    found += [(span[0], 1, _Made(span, [])) for span in _tags(text, calls, results, start)]
    found += [(span[0], 2, _Made(span, [number])) for number, span in enumerate(calls)]
    both: list[_Made | Result] = []
    reached = 0
    for at, _, one in sorted(found, key=itemgetter(0, 1)):
        if at >= reached:
            both.append(one)
        elif isinstance(one, _Made) and isinstance(both[-1], _Made):
            both[-1].edits += one.edits
        if at >= reached or (isinstance(one, _Made) and one.edits):
            reached = max(reached, one.span[1])
    runs = [list(run) for _, run in groupby(both, key=type)]
    pairs = chain.from_iterable(starmap(partial(_paired, text), pairwise(runs)))
    return {number: why.failure for call, why in pairs for number in call.edits if why.failure}


def _paired(
    text: str, asked: Sequence[_Made | Result], answers: Sequence[_Made | Result]
) -> list[tuple[_Made, Result]]:
    """Return which results are those of which calls, of some calls and the results that follow them."""
    calls = [one for one in asked if isinstance(one, _Made)]
    results = [one for one in answers if isinstance(one, Result)]
    by_word = {word: call for call in calls for word in _WORD.findall(text, *call.span)}
    named = [(by_word[one.of], one) for one in results if one.of in by_word]
    results = [one for one in results if one.of not in by_word]
    calls = [call for call in calls if all(call is not one for one, _ in named)]
    # code in a fence is one only where nothing is plainly a call
    calls = [one for one in calls if text[one.span[0]] in "{[" or _CALL.match(text, one.span[0])] or calls
    if len(calls) != len(results):
        results = [one for one in results if one.failure][:1] * len(calls)
    return [*named, *zip(calls, results, strict=False)]


def _tags(text: str, calls: Sequence[Span], results: Sequence[Result], start: int) -> Iterator[Span]:
    """Yield the extents of the calls that are tags behind `start`, at the latest up to a result."""
    last = max(end for _, end in (*calls, *(result.span for result in results), (0, start)))
    closings: dict[str, int] = {}
    printed = [*(result.span[0] for result in results), last]
    for sign in _CALL.finditer(text, start, last):
        name = sign["name"]
        if name and name.rpartition(":")[2] not in _WRAPPERS:
            behind = printed[bisect_left(printed, sign.start(), 0, len(printed) - 1)]
            yield sign.start(), min(_end_of_tag(text, name, sign.end(), closings), behind, last)
        elif not name:
            yield sign.span()
