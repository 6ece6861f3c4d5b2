"""What words ask of something by its name: another value, which a file gives it once, or that it goes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from patchpoint.edit import Target
from patchpoint.outcome import Reason
from patchpoint.patching.named.definition import definition_named
from patchpoint.patching.named.unplaced import Placed, UnplacedError
from patchpoint.patching.places.called import QUOTED, blocks_called, definition_called, definitions_of
from patchpoint.patching.shown.rows_named import is_alone, rows_requiring, with_version
from patchpoint.structure.imports import imported_names, imports_of
from patchpoint.structure.keyed.units import units_of
from patchpoint.structure.languages import is_json
from patchpoint.structure.lazy.bindings import end_of_block, head_of
from patchpoint.structure.lazy.definition import CodeText, Definition, indentation_of
from patchpoint.text.lines import Span
from patchpoint.text.regex import begins_word, pinned_name, regex

_VALUE = regex(
    r"\s*(?P<value>(?P<quote>[\"'])[^\"'\\]*(?P=quote)|#[\da-fA-F]{3,8}|[^\s\"',;#({\[](?:[^\"',;#({\[]*[^\s\"',;#({\[])?)"
    r"(?=[,;]?(?:\s+(?:#|//).*|\s*)\Z)"
)
_TEXT = r"\"[^\"\\]*\"|'[^'\\]*'"
_BRACKETS = rf"[(\[{{](?:{_TEXT}|[^\"'()\[\]{{}}])*[)\]}}]"
_EXPRESSION = regex(
    rf"\s*(?P<value>(?P<quote>)(?:{_TEXT}|[(\[{{](?:{_TEXT}|[^\"'()\[\]{{}}]|{_BRACKETS})*[)\]}}]"
    r"|(?!//)[^\s\"'#;,=()\[\]{}]|\s+(?=[^\s#;,=/]))+)(?=[,;]?(?:\s+(?:#|//).*|\s*)\Z)"
)
"""A value with brackets in brackets at most, which ends on its line."""
_KEY = regex(r"\s*(?:- )?[\"']?(?P<key>[\w@/$-]+)[\"']?\s*[:=]")
_TABLE = regex(r"\[{1,2}(?P<name>[^\[\]]+)\]{1,2}")
_LEAST = 4
_SEVERAL = 2
_LITERAL = regex(r"[-+.]?\d|[\"']")
_CONSTANTS = frozenset({"true", "false", "none", "null", "nil", "yes", "no", "on", "off"})
_OWNERS = {"version": ("package", "project", "tool.poetry", "workspace.package")}
"""What a value of a name is in, of several of a file, where nothing else is said."""
_GIVES = "It gives `{}` the value `{}`."
_HAS = "Line {} has `{}` there."
_OTHER_VALUE = "the file gives it another value than `{}`; quote the line as it is now"
_OTHER_BLOCK = "it has that value in another block than the sentence names; quote the line as it is now"
_ENDS = "'\";"
_IMPORT = regex(r"(?i)\bimport(?!ant)|\b(?:include|require|using)\b|импорт|导入|引入|インポート")
"""How eight languages say that something is an import."""
_LIST = regex(r"[,{*]|\bas\b")
"""What an import of one plain name has not."""


def may_be_value(words: str) -> bool:
    """Return whether words are a value rather than another name: a number, a text, or a constant."""
    return not words.isidentifier() or words.casefold() in _CONSTANTS


def is_literal(words: str) -> bool:
    """Return whether words are a number, a text or a constant, which no name is replaced by itself."""
    return words.casefold() in _CONSTANTS or _LITERAL.match(words) is not None


def has_value(lines: Sequence[str], name: str) -> bool:
    """Return whether a name gets a value on some line, whatever that is; a key may have others below it."""
    heads = (_head_of(name).match(line) for line in lines if name in line)
    is_given = any(head and (head[0].endswith("=") or head.string[head.end() :].strip()) for head in heads)
    return is_given or bool(_values_inside(lines, name) or _values_of_key(lines, name))


def with_value(
    lines: Sequence[str],
    name: str,
    value: str,
    at: Span | None = None,
    *,
    old: str = "",
    lead: str = "",
    path: str = "",
) -> Placed:
    """Return the lines with another value for a name, in place of `old` if given; a text keeps its quotes.

    Of several, the one in the lines `at` is meant, or in what else the sentence `lead` names, which may have
    the name before that of where it is, or only what `old` is in. Raises `UnplacedError` where there is none,
    or no telling which is meant.
    """
    others = [each for each in QUOTED.findall(lead) if each not in (name, value, old)]
    required = rows_requiring(lines, name)
    changed = {row: with_version(each, name, value, old) for row, each in required.items()}
    if len(changed) == 1 and (value.startswith(name) or not _values_of(lines, name, old)):
        ((row, line),) = changed.items()
        if line is not None:
            doubt = _GIVES.format(name, value)
            return Placed((*lines[:row], line, *lines[row + 1 :]), (row, row + 1), doubt=doubt)
    found: Mapping[int, re.Match[str]] = {}
    is_direct = False
    upper = [name.upper()] if name.islower() else []
    for key in (name, *upper, *(reversed(others) if old else [f"{name}.version"])):
        found = _values_of(lines, key, old)
        is_direct = key == name and len(found) == 1
        if found:
            around = [each for each in (name, *others) if each != key]
            break
    else:
        found = _next_to_name(lines, name, old)
        given = _values_of(lines, name, "") if old else {}
        if given and not any(row in found and old in value["value"] for row, value in given.items()):
            raise UnplacedError(Reason.NOT_PLACED, {"name": name, "why": _OTHER_VALUE.format(old)})
        found = found or (_texts_of(lines, old) if lead else {})
        around = [name, *others]
    if all(path.endswith(each) for each in others):
        around = [*around, *_OWNERS.get(name, ())]
    rows = list((_within(lines, path, found, around) or found) if len(found) > 1 else found)
    if old and len(found) == 1 and not _may_be_within(lines, rows[0], others):
        raise UnplacedError(Reason.NOT_PLACED, {"name": name, "why": _OTHER_BLOCK})
    rows = [row for row in rows if at is None or (row, row + 1) == at]
    if not rows:
        why = "it has no plain value there; quote the whole line instead"
        raise UnplacedError(Reason.NOT_PLACED, {"name": name, "why": why})
    if len(rows) > 1:
        raise UnplacedError(Reason.SEVERAL, {}, [(row, row + 1) for row in rows])
    row = rows[0]
    found = {**found, row: _version_in(found[row], name, value)}
    doubt = _GIVES.format(name, value) if not old else "" if is_direct else _HAS.format(row + 1, old)
    return Placed((*lines[:row], _put(found[row], value), *lines[row + 1 :]), (row, row + 1), doubt=doubt)


def without_named(
    lines: Sequence[str], path: str, target: Target, at: Span | None = None, *, lead: str = ""
) -> Placed:
    """Return the lines without what `target` names: a name path, or all of a line.

    Of several, the one with the lines `at` is meant; `lead` is the sentence that says so. Raises
    `UnplacedError` where there is none or several.
    """
    try:
        file, own = definition_named(lines, path, target, at)
    except UnplacedError as error:
        if error.reason is not Reason.NOT_PLACED:
            raise
        spans = next(filter(None, (list(each) for each in _found(lines, path, target.name))), [])
        if at in spans or len(spans) == 1:
            first, end = at if at in spans and at is not None else spans[0]
            above = [row for row in range(first) if lines[row].strip()]
            start = above[-1] + 1 if above and end == len(lines) else first
            is_apart = bool(above) and not "".join(lines[start - 1 : start]).strip()
            end += is_apart and lines[end : end + 1] == [""]
            end = end if above else _behind_blank_lines(lines, end)
            return Placed(
                (*_without_last_comma(lines[:start], lines[end:], path), *lines[end:]), (first, end)
            )
        if spans:
            raise UnplacedError(Reason.SEVERAL, {}, spans) from None
        placed = _without_imported(lines, path, target.name, lead)
        if placed is not None:
            return placed
        required = rows_requiring(lines, pinned_name(target.name) or target.name)
        if [is_alone(each) for each in required.values()] != [True]:
            raise
        (row,) = required
        return Placed((*lines[:row], *lines[row + 1 :]), (row, row + 1))
    first, end = _with_blank_lines(file, own)
    return Placed((*lines[:first], *lines[end:]), (own.lead, own.end))


def _values_of(lines: Sequence[str], name: str, old: str) -> Mapping[int, re.Match[str]]:
    """Return where lines give a name a value, `old` if given, by their rows."""
    found = (
        {row: value for row, line in enumerate(lines) if (value := _value_in(line, name)) is not None}
        or _values_inside(lines, name, is_once=True)
        or _values_of_key(lines, name)
    )
    if not found and old:
        # as `versionCode 3` or `port 6379;` is
        spaced = re.compile(
            rf"\s*{re.escape(name)}\s+(?P<quote>)(?P<value>{re.escape(old)})\s*;?\s*(?:#.*|//.*)?\Z"
        )
        return {
            row: value for row, line in enumerate(lines) if name in line and (value := spaced.match(line))
        }
    return {row: value for row, value in found.items() if not old or _put(value, old) == lines[row]}


def _version_in(found: re.Match[str], name: str, value: str) -> re.Match[str]:
    """Return the value that was found; of a table or list on its line, the version in it, for a plain one.

    Raises `UnplacedError` where it has not one.
    """
    if found["value"][:1] not in ("{", "[") or value[:1] in ("{", "["):
        return found
    inner = list(_inside("version").finditer(found.string, found.start("value"), found.end("value")))
    if len(inner) != 1:
        why = "it has several values there; quote the whole line instead"
        raise UnplacedError(Reason.NOT_PLACED, {"name": name, "why": why})
    return inner[0]


def _next_to_name(lines: Sequence[str], name: str, old: str) -> Mapping[int, re.Match[str]]:
    """Return where the one line with a name has a value once, in whatever way it is given."""
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    text = re.compile(rf"(?<![\w.])(?P<quote>)(?P<value>{re.escape(old)})(?![\w.])")
    within = {
        row: list(text.finditer(line)) for row, line in enumerate(lines) if old in line and word.search(line)
    }
    is_clear = is_literal(old) and [len(each) for each in within.values()] == [1]
    return {row: each[0] for row, each in within.items() if is_clear}


def _value_in(line: str, name: str) -> re.Match[str] | None:
    """Return the value that a line gives a name; `None` where it gives it none, or one that goes on."""
    head = _head_of(name).match(line) if name in line else None
    if head is None:
        return None
    value = _VALUE.match(line, head.end())
    words = line.strip()
    is_all = head[0].endswith("=") or words[: len(name) + 1].strip("\"'").startswith(name)
    is_all = is_all and not words.startswith("<")
    return value or (_EXPRESSION.match(line, head.end()) if is_all else None)


def _values_inside(lines: Sequence[str], name: str, *, is_once: bool = False) -> Mapping[int, re.Match[str]]:
    """Return the values of arguments or attributes of a name; none where one line has several of them."""
    within = {row: list(_inside(name).finditer(line)) for row, line in enumerate(lines) if name in line}
    is_clear = not is_once or all(len(each) < _SEVERAL for each in within.values())
    return {row: each[0] for row, each in within.items() if each and is_clear}


def _values_of_key(lines: Sequence[str], name: str) -> Mapping[int, re.Match[str]]:
    """Return the values of the last key of a name such as `a.b` on lines below the others."""
    owner, _, key = name.rpartition(".")
    return {
        row: value
        for row, line in enumerate(lines)
        if owner and key and (value := _value_in(line, key)) is not None and _is_in(lines, row, owner)
    }


def _within(lines: Sequence[str], path: str, rows: Iterable[int], names: Sequence[str]) -> list[int]:
    """Return those of some rows that are in the definition, block or table that one of some names calls."""
    own = definitions_of(lines, path)
    spans: list[Span] = []
    for name in names:
        named = definition_called(own, name)
        spans += [(named.start, named.end)] if named is not None else []
        spans += blocks_called(lines, [name])
    return [row for row in rows if any(first <= row < end for first, end in spans)]


def _may_be_within(lines: Sequence[str], row: int, names: Sequence[str]) -> bool:
    """Return whether a row is in each block of a file that one of some names calls, if there is one."""
    named = [blocks_called(lines, [name]) for name in names]
    return all(any(first <= row < end for first, end in spans) for spans in named if spans)


def _texts_of(lines: Sequence[str], old: str) -> Mapping[int, re.Match[str]]:
    """Return where lines have a long text once, no part of a longer word."""
    edges = (r"\b" if begins_word(each) else "" for each in (old[:1], old[-1:]))
    text = re.compile(f"(?P<quote>)(?P<value>{re.escape(old)})".join(edges)) if len(old) >= _LEAST else None
    found = {row: list(text.finditer(line)) for row, line in enumerate(lines) if text and old in line}
    return {row: each[0] for row, each in found.items() if len(each) == 1}


def _without_last_comma(above: Sequence[str], below: Sequence[str], path: str) -> Sequence[str]:
    """Return the lines above what goes, without the comma of the last one where JSON allows none there."""
    is_last = is_json(path) and next((line.strip()[:1] for line in below if line.strip()), "") in ("}", "]")
    is_open = is_last and bool(above) and above[-1].endswith(",")
    return (*above[:-1], above[-1].removesuffix(",")) if is_open else above


def _is_in(lines: Sequence[str], row: int, owner: str) -> bool:
    """Return whether the keys and the table that a line is below end with those of `owner`, as `a.b`."""
    keys: list[str] = []
    depth = len(indentation_of(lines[row]))
    for line in reversed(lines[:row]):
        own = len(indentation_of(line))
        table = _TABLE.fullmatch(line.strip())
        head = _KEY.match(line)
        if table and own <= depth:
            keys = [*table["name"].replace('"', "").split("."), *keys]
            break
        if head and own < depth:
            keys = [head["key"], *keys]
        depth = min(depth, own) if line.strip() else depth
    return f".{'.'.join(keys)}".endswith(f".{owner}")


def _put(found: re.Match[str], value: str) -> str:
    """Return a line with a value in place of the one that was found in it, in quotation marks as that is."""
    quote = found["quote"] or ""
    if quote and value[:1] not in ("'", '"'):
        value = f"{quote}{value}{quote}"
    return f"{found.string[: found.start('value')]}{value}{found.string[found.end('value') :]}"


@lru_cache(maxsize=16)
def _inside(name: str) -> re.Pattern[str]:
    """Return the pattern of an argument or attribute of a name, with its value."""
    value = r"(?P<value>(?P<quote>[\"'])[^\"'\\]{0,200}(?P=quote)|[\w.+-]{1,200})(?=[\s,;)\]}>/]|\Z)"
    goes_on = r"(?!\s{1,4}(?:[-+*/%&|^?<]{1,2}\s|(?:and|or|if|in|is|as)\b))"
    type_ = r"(?:\s{0,2}:\s{0,2}[\w\[\]|.]{1,60})?"
    return re.compile(rf"(?<![\w.-]){re.escape(name)}{type_}\s{{0,2}}=\s{{0,2}}{value}{goes_on}")


@lru_cache(maxsize=16)
def _head_of(name: str) -> re.Pattern[str]:
    """Return the pattern of what is before the value of a name: words, the name, a type, and a sign."""
    words, type_ = (
        r"\s*(?:- )?(?:[\w$.<>\[\]]{1,80} ){0,6}(?:(?:self|this)\.)?",
        r"(?:[?!]?: ?[\w\[\]<>|., ]{1,80}(?==))?",
    )
    sign = r"(?::=|=|:)(?![=>:])"
    # a version, as in a list of requirements
    version = rf"\s*{re.escape(name)}(?:\[[\w,-]{{1,80}}\])?\s{{0,4}}[=~<>!]=(?=\s{{0,4}}\d)"
    return re.compile(rf"{version}|{words}(?P<mark>[\"']?){re.escape(name)}(?P=mark)\s{{0,40}}{type_}{sign}")


def _found(lines: Sequence[str], path: str, name: str) -> Iterator[Iterator[Span]]:
    """Yield the spans of what has a name in a file, by each way of having one."""
    yield (
        (unit.first, _behind_blank_lines(lines, unit.end))
        for unit in units_of(lines, path)
        if name in (unit.key, unit.key.partition("(")[0].rstrip())
    )
    yield ((each.first, each.end) for each in imports_of(lines, path) if _is_import_of(each.text, name))
    yield ((row, end_of_block(lines, row)) for row, line in enumerate(lines) if head_of(line)[-1:] == (name,))
    said = name.rstrip(";,")
    wanted = (said, f"{said.replace('/', '.')}()")
    yield ((row, row + 1) for row, line in enumerate(lines) if line.strip().rstrip(";,") in wanted)
    key = name.strip("\"':")
    heads = ((row, _KEY.match(line)) for row, line in enumerate(lines) if key in line)
    yield ((row, end_of_block(lines, row)) for row, head in heads if head is not None and head["key"] == key)
    begin = ((row, line) for row, line in enumerate(lines) if line.strip().startswith(name))
    is_long = len(name) > _LEAST
    yield ((row, row + 1) for row, line in begin if is_long and line.count("(") == line.count(")"))


def _without_imported(lines: Sequence[str], path: str, name: str, lead: str) -> Placed | None:
    """Return the lines without the one import of a name, of several on its line that alone.

    Where nothing says that it is an import, nothing else of the file may have the name.
    """
    having = [
        each for each in imports_of(lines, path) if name in imported_names(each.text.strip().rstrip(";"))
    ]
    uses = sum(len(re.findall(rf"\b{re.escape(name)}\b", line)) for line in lines)
    if len(having) != 1 or having[0].end - having[0].first > 1 or not (_IMPORT.search(lead) or uses == 1):
        return None
    (first, end), line = (having[0].first, having[0].end), lines[having[0].first]
    if not _LIST.search(having[0].text):
        return Placed((*lines[:first], *lines[end:]), (first, end))
    member = rf"(?<=[\s{{(]){re.escape(name)}\s*,\s*|,\s*{re.escape(name)}(?=\s*(?:[,}})\n;]|\Z))"
    changed, count = re.subn(member, "", line)
    return Placed((*lines[:first], changed, *lines[end:]), (first, end)) if count == 1 else None


def _is_import_of(statement: str, name: str) -> bool:
    """Return whether a statement imports one name, and no other."""
    words = statement.rstrip(_ENDS).split()
    return "," not in statement and name in (words[-1].strip(_ENDS), *words[1:2])


def _behind_blank_lines(lines: Sequence[str], row: int) -> int:
    return next((n for n in range(row, len(lines)) if lines[n].strip()), row)


def _with_blank_lines(file: CodeText, own: Definition) -> Span:
    """Return the lines of a definition with the blank lines that part it from one of its neighbours."""
    first, end, depth = own.lead, own.end, file.depth(own.start)
    above, below = file.above(first), file.below(end)
    is_first = above < 0 or file.depth(above) < depth
    is_last = below == len(file.lines) or file.depth(below) < depth
    # of the blank lines above and below, the more stay between others
    if is_first or (not is_last and first - above - 1 >= below - end):
        return first, below
    return above + 1, end
