"""Members of enums, records, lists, choices and other values that a file has, and that shown code leaves out.

Whoever shows an enum with a new value does not say what becomes of the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from patchpoint.dataclass import dataclass
from patchpoint.structure.lazy.definition import indentation_of, moved
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.regex import WORD, regex

_TYPE = regex(
    r"(?i)(?:[\w.\[\]#\"-]+\s+){0,6}?(?:enum|struct|interface|class|record|union|type|message|input|object|trait|"
    r"protocol|table)\s+[\w.:]+"
)
"""What declares something with members, in whatever language."""
_VALUE = regex(
    r"[^(]{1,200}[\w\"'>\])]\s{0,9}[=:]|return\b[^(={]{0,200}.\Z|(?:export default|const|var|type) .\Z"
)
_CHOICE = regex(r"(?:[^{}]{0,200}(?:=|\breturn)\s{1,9})?(?:match|when|switch|select)\b")
_STATEMENT = regex(
    r"(?:return|if|else|for|while|do|try|throw|raise|yield|await|go|defer|print|pass|break|continue|import|from|"
    r"with|assert|del|goto|let|local)\b|[\w.]+\s*[+*/%|&^-]="
)
_FUNCTION = regex(
    r"(?:[\w@<>\[\],.*&]+\s+){0,6}(?:def|fn|func|fun|function|get|set|async)\b|.*\).{0,80}(?:\{|:|=>)\Z"
)
_CASES = ("case ", "default", "else")
_STYLES = (".css", ".scss", ".less")
_RUBY = (".rb", ".rake")
_OPENS = ("{", "[", "(", ":", "=")
_CLOSING = ("}", "]", ")", "end")
REMARKS = ("#", "//", "/*", "*", "--", "@", "<!--")
_STRING = regex(r"[\"']([^\"'\n]{1,200})[\"'].{0,200}")
_ENDS_NAME = regex(r"[(=<{\[]|:\Z|:\s")
_ENDS_KEY = regex(r"=>|->|[=(,;{?]|(?<!:):(?!:)")
_STRINGS = regex(r"\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'")
_TEXTS = regex(
    r"(?P<head>[^\[({\"']*(?:\([^()\"']*\)[^\[({\"']*)?[\[({]\s*)"
    r"(?P<texts>(?:\"[^\"\n]{1,200}\"|'[^'\n]{1,200}')(?:\s*,\s*(?:\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'))*)(?P<end>[\s,]*[\])}][^\"']*)"
)
"""A line that is a list of texts."""
_DEEPEST = 20
"""What is deeper in others is not looked at."""
_FEW = 2


@dataclass(frozen=True, slots=True)
class MembersLost:
    """Members that are gone from what is called as before."""

    names: tuple[str, ...]
    """What the members are called by."""
    is_replaced: bool
    """Whether others are there still, and as many are new as are gone, or nothing else has changed."""
    kept: tuple[str, ...]
    """The lines of the text in which they are there, too."""


@dataclass(frozen=True, slots=True)
class Enclosed:
    """Something with members: what it is called by, and the lines of each member, from one up to another."""

    name: tuple[str, ...]
    """With the names of what it is in."""
    first: int
    head: int
    """The line before the members: the first, or one below it that has but a bracket."""
    end: int
    members: tuple[tuple[str, int, int], ...]


def members_lost(file: Sequence[str], result: Sequence[str], path: str) -> MembersLost | None:
    """Return the members that the first list of them loses in what becomes of a file, if one does.

    A member that the lines of the list name otherwise, in a remark or as another's value, is not lost, nor
    one whose value has another name now.
    """
    if not any(end > first for (first, end), _ in changed_ranges(file, result)):
        return None
    blocks: dict[tuple[str, ...], list[Enclosed]] = {}
    for block in blocks_of(result, path):
        blocks.setdefault(block.name, []).append(block)
    for old in blocks_of(file, path):
        same = blocks.get(old.name, [])
        if not same:
            continue
        now = same.pop(0)
        words = set(WORD.findall("\n".join(result[now.members[0][1] : now.end])))
        names = {name for name, _, _ in now.members}
        values = {_value(result[row]) for _, row, _ in now.members}
        lost = [
            each
            for each in old.members
            if each[0] not in names and not words.issuperset(WORD.findall(each[0]))
            if (_value(file[each[1]]) or None) not in values
        ]
        if lost and len(old.members) >= _FEW:
            is_replaced = _is_replaced(file, result, old, now, len(lost))
            kept = _joined(file, result, old, now, lost)
            return MembersLost(tuple(each[0] for each in lost), is_replaced, kept)
    return _lost_on_one_line(file, result)


def with_list_shown(file: Sequence[str], shown: Sequence[str], path: str) -> list[str] | None:
    """Return a file with a list of members as it is shown.

    `None` where more is shown, where it is not there once, and where it has functions, too.
    """
    given = next(blocks_of(shown, path), None)
    new = [row for row, line in enumerate(shown) if line.strip()]
    if given is None or _head_at(shown, new[0], path) is None:
        return None
    top = len(indentation_of(shown[new[0]]))
    row = next((row for row in new[1:] if len(indentation_of(shown[row])) <= top and row >= given.end), -1)
    own = [each for each in blocks_of(file, path) if each.name[-1] == given.name[-1]]
    if len(own) != 1 or row not in (-1, new[-1]) or given.members[0][1] > new[2 if len(new) > 2 else -1]:
        return None
    if row == new[-1] and not shown[row].strip().startswith(_CLOSING):
        return None
    first = own[0].members[0][1]
    if any(_FUNCTION.match(line.strip()) for line in file[first : own[0].end]):
        return None
    depth = indentation_of(file[first])
    inner = shown[given.members[0][1] : given.end]
    return [*file[:first], *moved(inner, indentation_of(inner[0]), depth), *file[own[0].end :]]


def _is_replaced(file: Sequence[str], result: Sequence[str], old: Enclosed, now: Enclosed, lost: int) -> bool:
    left = {name: file[first:end] for name, first, end in old.members}
    new = [name for name, _, _ in now.members if name not in left]
    if len(new) == len(now.members):
        return False
    return len(new) >= lost or not (
        new or any(result[first:end] != left[name] for name, first, end in now.members)
    )


def _lost_on_one_line(file: Sequence[str], result: Sequence[str]) -> MembersLost | None:
    """Return the texts that a list on one line loses, if more of them go than come."""
    for (first, end), (new_first, new_end) in changed_ranges(file, result):
        new = {
            found["head"].strip(): row for row in range(new_first, new_end) if (found := _texts(result[row]))
        }
        for line in file[first:end]:
            old = _texts(line)
            row = new.get(old["head"].strip()) if old is not None else None
            now = _texts(result[row]) if row is not None else None
            if old is None or now is None or row is None:
                continue
            had, has = (_STRINGS.findall(each["texts"]) for each in (old, now))
            lost = [text for text in had if text not in has]
            added = [text for text in has if text not in had]
            if len(lost) > len(added):
                kept = f"{now['head']}{', '.join([*had, *added])}{now['end']}"
                names = tuple(text.strip("\"'") for text in lost)
                return MembersLost(names, True, (*result[:row], kept, *result[row + 1 :]))
    return None


def _texts(line: str) -> re.Match[str] | None:
    return _TEXTS.fullmatch(line) if line.count('"') + line.count("'") >= 2 * _FEW else None


def _joined(
    file: Sequence[str],
    result: Sequence[str],
    old: Enclosed,
    now: Enclosed,
    lost: Sequence[tuple[str, int, int]],
) -> tuple[str, ...]:
    """Return the result with the lost members, each below the one that it was below."""
    names, gone = {name for name, _, _ in now.members}, set(lost)
    below: dict[str, list[list[str]]] = {}
    above = ""
    for each in old.members:
        if each in gone:
            below.setdefault(above, []).append(list(file[each[1] : each[2]]))
        elif each[0] in names:
            above = each[0]
    parts = below.pop("", [])
    for name, first, end in now.members:
        parts += [list(result[first:end]), *below.pop(name, [])]
    ends = [file[end - 1].rstrip()[-1:] for _, _, end in old.members]
    for lines in parts[:-1] if "," in ends[:-1] else ():
        last = lines[-1].rstrip()
        if not last.endswith((",", "{", "(", "[", ";")):
            lines[-1] = last + ","
    if ends[-1] != "," and "," in ends:
        parts[-1][-1] = parts[-1][-1].rstrip().removesuffix(",")
    return (
        *result[: now.members[0][1]],
        *(line for lines in parts for line in lines),
        *result[now.members[-1][2] :],
    )


def blocks_of(lines: Sequence[str], path: str) -> Iterator[Enclosed]:
    """Yield what has members, and nothing else, outermost first."""
    around: list[tuple[int, str]] = []
    for row, line in enumerate(lines):
        words = line.strip()
        if not words or words in ("{", "(") or words.startswith(_CLOSING):
            continue
        depth = len(indentation_of(line))
        while around and around[-1][0] >= depth:
            around.pop()
        head = _head_at(lines, row, path) if len(around) < _DEEPEST else None
        if head is not None:
            name, is_choice, first = head
            end, members = _members(lines, first, depth, is_choice=is_choice)
            if members:
                yield Enclosed((*(each for _, each in around), name), row, first, end, tuple(members))
        around.append((depth, head[0] if head is not None else words.partition("(")[0]))


def _head_at(lines: Sequence[str], row: int, path: str) -> tuple[str, bool, int] | None:
    """Return the name of what begins on a line, whether it is a choice, and the line before its members."""
    words, first = lines[row].strip(), row
    if words[-1:].isalnum() and row + 1 < len(lines) and lines[row + 1].strip() == "{":
        words, first = f"{words} {{", row + 1
    if path.endswith(_STYLES):
        return (words, False, first) if words.endswith("{") else None
    is_type = _TYPE.match(words) is not None
    is_head = words.endswith(_OPENS) or (is_type and path.endswith(_RUBY))
    if not is_head or words.startswith(REMARKS):
        return None
    if _CHOICE.match(words):
        return words.rstrip("{:").strip(), True, first
    is_value = _VALUE.match(words) is not None and ("=>" not in words or words.endswith("({"))
    is_code = _STATEMENT.match(words) is not None or _FUNCTION.match(words) is not None
    if not is_type and (not is_value or (is_code and not words.startswith("return"))):
        return None
    return " ".join(_ENDS_NAME.split(words, maxsplit=1)[0].split()), False, first


def _members(
    lines: Sequence[str], head: int, outer: int, *, is_choice: bool
) -> tuple[int, list[tuple[str, int, int]]]:
    """Return where what begins on the line `head` ends, and its members; none if it has statements."""
    members: list[tuple[str, int, int]] = []
    inner, end = -1, head + 1
    is_described = is_within = False
    for row in range(head + 1, len(lines)):
        words, depth = lines[row].strip(), len(indentation_of(lines[row]))
        if not words:
            continue
        if depth < outer or (depth == outer and not (is_choice and words.startswith(_CASES))):
            break
        inner = depth if inner < 0 else inner
        end = row + 1
        if depth < inner:
            return end, []
        if depth > inner or words.startswith(_CLOSING):
            if members and not is_within:
                members[-1] = (*members[-1][:2], row + 1)
            continue
        is_quotes = words.startswith('"""')
        if is_described or is_quotes or words.startswith(REMARKS):
            ends = words.endswith('"""') and (is_described or len(words) > len('"""'))
            is_described = (is_described or is_quotes) and not ends
            continue
        is_within = not is_choice and _FUNCTION.match(words) is not None
        if is_within:
            continue
        if not is_choice and _STATEMENT.match(words):
            return end, []
        members.append((_key(words), row, row + 1))
    return end, members


def _key(words: str) -> str:
    """Return what a member is called by."""
    words = words.lstrip("|&- ").removeprefix("case ")
    text = _STRING.match(words.lstrip("(["))
    if text is not None:
        return str(text[1])
    sign = _ENDS_KEY.search(words)
    names: list[str] = WORD.findall(words[: sign.start()] if sign is not None else words) or [words]
    return names[-1] if sign is not None and sign[0] != "," else names[0]


def _value(line: str) -> str:
    value: str = line.partition("=")[2]
    return value.strip(" ,;")
