"""Scripts of `sed`, and substitutions of `perl`, that edit a file in place: what they make of its lines.

Read are those that a person would check by looking: substitutions, and lines that are deleted, changed or
added, at a number, a pattern, or a stretch of either. Any other is refused. Nothing is run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from patchpoint.dataclass import dataclass
from patchpoint.edit import Target
from patchpoint.patching.named.unplaced import Placed, not_placed, not_there
from patchpoint.text.regex import regex

BASIC, EXTENDED, PERL = "", "E", "perl"
"""How a pattern is written: as `Target.last` says."""
_CLASSES = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "blank": r" \t", "digit": "0-9", "lower": "a-z", "space": r"\s",
    "upper": "A-Z", "word": r"\w", "xdigit": "0-9A-Fa-f",
}  # fmt: skip
_ESCAPES = {"n": r"\n", "t": r"\t", "s": r"\s", "S": r"\S", "w": r"\w", "W": r"\W", "b": r"\b", "B": r"\B"}
_ENDS_OF_WORDS = {"<": r"\b(?=\w)", ">": r"\b(?<=\w)"}
_WRITTEN = {"n": "\n", "t": "\t"}
_SPECIAL = "(){}+?|"
"""What is a sign of its own in an extended pattern, and with a backslash in a basic one."""
_LOOKS = ("(?", "(*")
_FLAGS = regex(r"([gIi]|[1-9][0-9]?)*(?=[;}\s]|\Z)")
_NUMBER = regex(r"[1-9][0-9]{0,6}")
_NO_MORE = regex(r"[ \t]*(?:[;\n]|\Z)")
_WRITTEN_LINES = regex(r"[ \t]*(?:\\[ \t]*\n|\\)?((?:[^\\\n]|\\.|\\\n)+)", re.DOTALL)
_GROUP = regex(r"\$(?:([0-9])|\{([0-9])\})")
_SET = regex(r"\[(\^?)(\]?(?:\[:\w+:\]|\[(?![:.=])|[^\]\[])*)\]")
_IN_SET = regex(r"\[:\w+:\]|\\[nt]|.", re.DOTALL)


_OF_GROUP = regex(r"(?<!\\)(?:\\\\)*\)(?:[*+]|\{)")
"""A group of any number: what it matches could be parted in more ways than there is time for."""
_ANY_NUMBER = regex(r"(?<!\\)(?:[*+]|\{\d*,\d*\})")
_EITHER = regex(r"(?<!\\)[?|]")
_MOST_OF_ANY_NUMBER = 3
_LITERAL = regex(r"(?<![\\\w])\w{3,}(?![\w*+?{])")
_MOST_STEPS = 30_000_000
"""So many ways at most to match are tried in all lines, at worst: about a second."""


class NotReadError(Exception):
    """A script has something in it that is not read."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One command of a script: the lines that it is for, and what it does with one."""

    first: Callable[[int, int, str], bool] | None
    last: Callable[[int, int, str], bool] | None
    sign: str
    change: Callable[[str], str]
    """Returns the new text of a line, or the lines that are written for it."""


def edited_in_place(lines: Sequence[str], target: Target) -> Placed:
    """Return the lines as a script of `sed` makes them; `target` has the script, and how its patterns are.

    Raises `UnplacedError` where that is not read, or changes none of them.
    """
    script = target.name
    try:
        new = _run(list(_SedScript(script, target.last).steps()), lines)
    except (NotReadError, re.error, IndexError):
        raise not_placed(f"`{script}`", "this command is not read; send the lines that change") from None
    if new == list(lines):
        raise not_there(f"what `{script}` changes")
    start, end = 0, len(lines)
    while start < min(end, len(new)) and lines[start] == new[start]:
        start += 1
    behind = 0
    while behind < min(end, len(new)) - start and lines[-1 - behind] == new[-1 - behind]:
        behind += 1
    return Placed(tuple(new), (start, end - behind), doubt=f"A command says so: `{script}`.")


def _run(steps: Sequence[_Step], lines: Sequence[str]) -> list[str]:
    """Return the lines that steps make of some, one after the other."""
    new: list[str] = []
    inside = dict.fromkeys(range(len(steps)), False)
    for at, line in enumerate(lines):
        text: str | None = line
        before: list[str] = []
        behind: list[str] = []
        for number, step in enumerate(steps):
            if text is None or not _is_for(step, at + 1, len(lines), text, inside, number):
                continue
            if step.sign == "s":
                text = step.change(text)
            elif step.sign == "i":
                before.append(step.change(text))
            elif step.sign == "a":
                behind.append(step.change(text))
            else:
                before += [step.change(text)] if step.sign == "c" else []
                text = None
        new += [*before, *([] if text is None else text.split("\n")), *behind]
    return [each for line in new for each in line.split("\n")]


def _is_for(step: _Step, at: int, count: int, text: str, inside: dict[int, bool], number: int) -> bool:
    """Return whether a line is one of those that a step is for; remember where it is in a stretch of them."""
    if step.first is None:
        return True
    if step.last is None:
        return step.first(at, count, text)
    if inside[number]:
        inside[number] = not step.last(at, count, text)
        return True
    inside[number] = is_first = step.first(at, count, text)
    return is_first


class _BoundedPattern:
    """A pattern that is matched only as long as nobody waits."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        outside = _SET.sub("_", pattern)
        self._degree = len(_ANY_NUMBER.findall(outside)) + 1
        self._branches = 2 ** len(_EITHER.findall(outside))
        if _OF_GROUP.search(outside) or self._degree > _MOST_OF_ANY_NUMBER + 1:
            raise NotReadError
        self.compiled = re.compile(pattern, flags)
        is_plain = not flags and not any(sign in outside for sign in "|()_")
        self._literal = max(_LITERAL.findall(outside) if is_plain else [], key=len, default="")
        self._left = _MOST_STEPS

    def may_match(self, text: str) -> bool:
        """Return whether a text may match. Raises `NotReadError` if there is too much to try."""
        if self._literal not in text:
            return False
        self._left -= self._branches * (len(text) + 1) ** self._degree
        if self._left < 0:
            raise NotReadError
        return True

    def is_in(self, text: str) -> bool:
        """Return whether it matches a part of a text. Raises `NotReadError`."""
        return self.may_match(text) and self.compiled.search(text) is not None


class _SedScript:
    """The commands of a script, which is read from its beginning to its end."""

    def __init__(self, script: str, kind: str) -> None:
        self._text, self._kind, self._at = script, kind, 0

    def steps(self) -> Iterator[_Step]:
        """Yield the commands. Raises `NotReadError`."""
        while self._skip(" \t\n;") < len(self._text):
            first = self._address()
            last = None
            if first is not None and self._text[self._at : self._at + 1] == ",":
                self._at += 1
                last = self._address()
                if last is None:
                    raise NotReadError
            self._skip(" \t")
            sign = self._text[self._at]
            self._at += 1
            if self._kind == PERL and (sign != "s" or first is not None):
                raise NotReadError
            if last is not None and sign not in "sd":
                raise NotReadError
            yield _Step(first, last, sign, self._change(sign))

    def _skip(self, signs: str) -> int:
        while self._at < len(self._text) and self._text[self._at] in signs:
            self._at += 1
        return self._at

    def _address(self) -> Callable[[int, int, str], bool] | None:
        sign = self._text[self._at]
        if sign == "$":
            self._at += 1
            return lambda at, count, _: at == count
        number = _NUMBER.match(self._text, self._at)
        if number is not None:
            self._at = number.end()
            return lambda at, _count, _text: at == int(number[0])
        if sign not in "/\\":
            return None
        self._at += sign == "\\"
        found = _BoundedPattern(_pattern(self._until(self._text[self._at]), self._kind))
        return lambda _at, _count, text: found.is_in(text)

    def _until(self, sign: str) -> str:
        """Return the text up to the next `sign`, without the backslashes before those in it."""
        if sign.isalnum() or sign.isspace() or sign == "\\":
            raise NotReadError
        self._at += 1
        found = ""
        while self._text[self._at] != sign:
            if self._text[self._at] == "\\":
                self._at += 1
                is_sign = self._text[self._at] == sign
                if is_sign and sign in "^$.*[]&+?|(){}":
                    raise NotReadError  # whether it is special then, versions of it differ
                found += "" if is_sign else "\\"
            found += self._text[self._at]
            self._at += 1
        self._at += 1
        return found

    def _change(self, sign: str) -> Callable[[str], str]:
        if sign == "s":
            return self._substitution()
        if sign == "d":
            if not _NO_MORE.match(self._text, self._at):
                raise NotReadError
            return str
        if sign not in "aic":
            raise NotReadError
        found = _WRITTEN_LINES.match(self._text, self._at)
        if found is None or not found[1].strip():
            raise NotReadError
        self._at = found.end()
        text = re.sub(r"\\(.)", lambda each: _WRITTEN.get(each[1], each[1]), found[1], flags=re.DOTALL)
        return lambda _: text

    def _substitution(self) -> Callable[[str], str]:
        sign = self._text[self._at]
        pattern = _pattern(self._until(sign), self._kind)
        self._at -= 1
        template = _template(self._until(sign), self._kind)
        flags = _FLAGS.match(self._text, self._at)
        if flags is None or not pattern:
            raise NotReadError
        self._at = flags.end()
        bounded = _BoundedPattern(pattern, re.IGNORECASE if "i" in flags[0].casefold() else 0)
        found = bounded.compiled
        if any(isinstance(part, int) and part > found.groups for part in template):
            raise NotReadError
        number = int("".join(filter(str.isdigit, flags[0])) or "1")
        if number > 1 and "g" in flags[0]:
            raise NotReadError

        def new(each: re.Match[str]) -> str:
            return "".join(part if isinstance(part, str) else each[part] or "" for part in template)

        def substituted(line: str) -> str:
            if not bounded.may_match(line):
                return line
            if number == 1:
                return found.sub(new, line, count="g" not in flags[0])
            each = next((one for at, one in enumerate(found.finditer(line), 1) if at == number), None)
            return line if each is None else f"{line[: each.start()]}{new(each)}{line[each.end() :]}"

        return substituted


def _pattern(text: str, kind: str) -> str:
    """Return a pattern as Python has it. Raises `NotReadError`."""
    if kind == PERL:
        if "$" in text.rstrip("$") or "@" in text or any(sign in text for sign in ("\\Q", "\\K", "(?")):
            raise NotReadError
        return text
    found = ""
    at = 0
    while at < len(text):
        sign = text[at]
        if sign == "[":
            part, at = _bracket(text, at)
            found += part
            continue
        at += 1
        if sign == "\\":
            found += _escaped(text[at], kind)
            at += 1
        elif sign in _SPECIAL:
            if kind == EXTENDED and text[at - 1 :].startswith(_LOOKS):
                raise NotReadError
            found += sign if kind == EXTENDED else f"\\{sign}"
        elif sign == "^":
            is_anchor = kind == EXTENDED or found == "" or found.endswith(("(", "|"))
            found += r"\A" if is_anchor else r"\^"
        elif sign == "$":
            is_anchor = kind == EXTENDED or at == len(text) or text[at : at + 2] in (r"\)", r"\|")
            found += r"\Z" if is_anchor else r"\$"
        elif sign == "*":
            found += "*" if found not in ("", r"\A") and not found.endswith(("(", "|")) else r"\*"
        else:
            found += sign if sign == "." else re.escape(sign)
    return found


def _escaped(sign: str, kind: str) -> str:
    """Return what a sign with a backslash before it is in a pattern."""
    if sign in _ENDS_OF_WORDS:
        return _ENDS_OF_WORDS[sign]
    if sign in _ESCAPES:
        return _ESCAPES[sign]
    if sign.isdigit() and sign != "0":
        return f"(?:\\{sign})"
    if sign.isalnum():
        raise NotReadError
    is_sign = kind == BASIC and sign in _SPECIAL
    return sign if is_sign else re.escape(sign)


def _bracket(text: str, at: int) -> tuple[str, int]:
    """Return a set of characters, and where it ends. Raises `NotReadError`."""
    found = _SET.match(text, at)
    if found is None:
        raise NotReadError
    parts = (_of_set(part[0]) for part in _IN_SET.finditer(found[2]))
    return f"[{found[1]}{''.join(parts)}]", found.end()


def _of_set(part: str) -> str:
    """Return a character of a set, or a class of them; a backslash is one but before some letters."""
    if len(part) < 2:
        return f"\\{part}" if part in r"\[]^&~|" else part
    name = part.strip("[:]")
    if part.startswith("[:") and name not in _CLASSES:
        raise NotReadError
    return _CLASSES.get(name, part)


def _template(text: str, kind: str) -> list[str | int]:
    """Return what a match becomes: texts, and the numbers of groups. Raises `NotReadError`."""
    found: list[str | int] = []
    at = 0
    while at < len(text):
        sign = text[at]
        at += 1
        if sign == "\\":
            sign = text[at]
            at += 1
            if sign.isdigit():
                found.append(int(sign))
            elif sign.isalpha() and sign not in _WRITTEN:
                raise NotReadError
            else:
                found.append(_WRITTEN.get(sign, sign))
        elif sign == "&" and kind != PERL:
            found.append(0)
        elif sign in "$@" and kind == PERL:
            number = _GROUP.match(text, at - 1)
            if number is None:
                raise NotReadError
            found.append(int(number[1] or number[2]))
            at = number.end()
        else:
            found.append(sign)
    return found
