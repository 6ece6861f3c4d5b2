"""Git's wildcard patterns as regular expressions over bytes, quirks included (git's wildmatch.c).

Time grows with a power of the text's length, whatever the pattern: where a pattern has several stars, the
earliest place of what follows each but the last is as good as any later one, so none is tried twice.
See docs/decisions/ignore-rules.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from itertools import count

from patchpoint.text.regex import regex

_SPECIAL = regex(rb"[*?\[\\]")


class _Star(Enum):
    """What a run of stars matches, as an expression."""

    SEGMENT = b"[^/]*"
    ANYTHING = b".*"
    DIRECTORIES = b"(?:.*/)?"

    @property
    def shortest_first(self) -> bytes:
        """The expression that tries the shortest text first."""
        return b"(?:.*?/)??" if self is _Star.DIRECTORIES else self.value + b"?"


_Token = bytes | _Star
"""An expression that matches a fixed number of bytes, or a star."""


def literal_length(pattern: bytes) -> int:
    """Return the number of bytes of `pattern` before its first special one."""
    found = _SPECIAL.search(pattern)
    return len(pattern) if found is None else found.start()


def name_expression(pattern: bytes, *, fold: bool) -> bytes | None:
    """Return the expression for names without a slash; `None` when nothing can match. `fold` ignores case."""
    tokens = _tokens(pattern, False, fold)
    return None if tokens is None else _joined(tokens, False, f"n{pattern.hex()}")


def path_expression(pattern: bytes, *, fold: bool) -> bytes | None:
    """Return the expression for paths, where only `**` matches a slash; `None` when nothing can match.

    As in git, the bytes before the first special one are compared literally and the rest is a pattern of its
    own, so that `a**/b` is `a` and then `**/b`.
    """
    length = literal_length(pattern)
    tokens = _tokens(pattern[length:], True, fold)
    if tokens is None:
        return None
    return _joined([literal(pattern[:length], fold=fold), *tokens], True, f"p{pattern.hex()}")


def any_of(expressions: Iterable[bytes]) -> re.Pattern[bytes] | None:
    """Return the compiled expression for texts that one of `expressions` matches; `None` without any."""
    joined = b"|".join(dict.fromkeys(expressions))
    return re.compile(b"(?s:" + joined + b")") if joined else None


def literal(text: bytes, *, fold: bool) -> bytes:
    """Return the expression for exactly `text`; `fold` ignores case."""
    if not fold:
        return re.escape(text)
    return b"".join([_byte(each, True) for each in text])


def _tokens(pattern: bytes, slashes: bool, fold: bool) -> list[_Token] | None:
    """`slashes`: the pattern is for paths, and `*`, `?` and sets match no slash."""
    one = b"[^/]" if slashes else b"."
    parts: list[_Token] = []
    at, end = 0, len(pattern)
    while at < end:
        byte = pattern[at : at + 1]
        if byte == b"\\":
            if at + 1 == end:
                return None
            parts.append(_byte(pattern[at + 1], fold))
            at += 2
        elif byte == b"?":
            parts.append(one)
            at += 1
        elif byte == b"*":
            start = at
            while pattern[at : at + 1] == b"*":
                at += 1
            before, after = pattern[:start], pattern[at : at + 2]
            whole = (not before or before.endswith(b"/")) and (
                not after or after[:1] == b"/" or after == b"\\/"
            )
            if not slashes:
                parts.append(_Star.ANYTHING)
            elif at - start == 1 or not whole:
                parts.append(_Star.SEGMENT)
            elif after[:1] == b"/":
                parts.append(_Star.DIRECTORIES)
                at += 1
            else:
                parts.append(_Star.ANYTHING)
        elif byte == b"[":
            found = _set(pattern, at, fold)
            if found is None:
                return None
            members, at = found
            if slashes:
                members.discard(0x2F)
            if not members:
                return None
            parts.append(b"[" + _ranges(members) + b"]")
        else:
            parts.append(_byte(pattern[at], fold))
            at += 1
    return parts


def _joined(tokens: Sequence[_Token], slashes: bool, name: str) -> bytes:
    """Return the expression for `tokens`. `name` is a prefix for the names of its groups."""
    if not _may_be_slow(tokens, slashes):
        return b"".join([token.value if isinstance(token, _Star) else token for token in tokens])
    names = (f"{name}_{number}".encode() for number in count())
    pieces: list[tuple[_Star | None, list[_Token]]] = [(None, [])]
    for token in tokens:
        if isinstance(token, _Star) and token is not _Star.SEGMENT:
            pieces.append((token, []))
        else:
            pieces[-1][1].append(token)
    parts = []
    for number, (star, piece) in enumerate(pieces):
        last = number + 1 == len(pieces)
        inner = _without_crossing(piece, names, last)
        if star is not None:
            inner = star.value + inner if last else _first_match(star.shortest_first + inner, names)
        parts.append(inner)
    return b"".join(parts)


def _may_be_slow(tokens: Sequence[_Token], slashes: bool) -> bool:
    """Whether a plain expression would divide a text among the stars in too many ways.

    A star at the end takes what is left. Two others are quadratic, which is nothing within a name (255 bytes)
    and too much within a path (4,096 bytes).
    """
    stars = [token for token in tokens[:-1] if isinstance(token, _Star)]
    crossing = [star for star in stars if slashes and star is not _Star.SEGMENT]
    return len(stars) > 2 or len(crossing) > 1


def _without_crossing(tokens: Sequence[_Token], names: Iterator[bytes], last: bool) -> bytes:
    """Return the expression for tokens whose stars match no slash. In the `last` ones of a pattern, the last
    star has to try every length: what follows it ends where the text ends."""
    stars = [number for number, token in enumerate(tokens) if token is _Star.SEGMENT]
    starts = [*stars, len(tokens)]
    parts = [b"".join([token for token in tokens[: starts[0]] if isinstance(token, bytes)])]
    for number, start in enumerate(stars):
        rest = b"".join(
            [token for token in tokens[start + 1 : starts[number + 1]] if isinstance(token, bytes)]
        )
        if last and number + 1 == len(stars):
            parts.append(_Star.SEGMENT.value + rest)
        else:
            parts.append(_first_match(_Star.SEGMENT.shortest_first + rest, names))
    return b"".join(parts)


def _first_match(expression: bytes, names: Iterator[bytes]) -> bytes:
    """Return `expression` without its other matches, as `(?>...)` does, which Python has since 3.11."""
    name = next(names)
    return b"(?=(?P<%b>%b))(?P=%b)" % (name, expression, name)


def _byte(value: int, fold: bool) -> bytes:
    byte = bytes([value])
    if fold and byte.isalpha():
        return b"[" + byte.lower() + byte.upper() + b"]"
    return re.escape(byte)


_PUNCTUATION = set(b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_CLASSES: dict[bytes, Callable[[int], bool]] = {
    b"alnum": lambda c: bytes([c]).isalnum(),
    b"alpha": lambda c: bytes([c]).isalpha(),
    b"blank": lambda c: c in b" \t",
    b"cntrl": lambda c: c < 0x20 or c == 0x7F,
    b"digit": lambda c: bytes([c]).isdigit(),
    b"graph": lambda c: 0x21 <= c <= 0x7E,
    b"lower": lambda c: bytes([c]).islower(),
    b"print": lambda c: 0x20 <= c <= 0x7E,
    b"punct": lambda c: c in _PUNCTUATION,
    b"space": lambda c: c in b" \t\n\r",
    b"upper": lambda c: bytes([c]).isupper(),
    b"xdigit": lambda c: c in b"0123456789abcdefABCDEF",
}
"""As in git's own ctype: ASCII only, and neither vertical tab nor form feed is a space."""


def _set(pattern: bytes, at: int, fold: bool) -> tuple[set[int], int] | None:
    """Return the bytes that the set at `at` matches and where it ends; `None` if it does not end or has an
    unknown class.

    With `fold`, a byte of the text is compared in lower case with the set as it is written; only a range and
    `[:upper:]` also consider its upper case.
    """
    at += 1
    negated = pattern[at : at + 1] in (b"!", b"^")
    at += negated
    tests: list[Callable[[int], bool]] = []
    previous = 0
    first = True
    while first or pattern[at : at + 1] != b"]":
        first = False
        if at >= len(pattern):
            return None
        value = pattern[at]
        follows = pattern[at + 1 : at + 2]
        if value == 0x5C:
            at += 1
            if at >= len(pattern):
                return None
            value = pattern[at]
            tests.append(_is(value))
        elif value == 0x2D and previous and follows and follows != b"]":
            at += 1
            if follows == b"\\":
                at += 1
                if at >= len(pattern):
                    return None
            tests.append(_between(previous, pattern[at], fold))
            value = 0
        elif value == 0x5B and follows == b":":
            stop = pattern.find(b"]", at + 2)
            if stop < 0:
                return None
            if stop - at < 3 or pattern[stop - 1 : stop] != b":":
                tests.append(_is(value))
            else:
                name = pattern[at + 2 : stop - 1]
                if name not in _CLASSES:
                    return None
                tests.append(_upper_folded if fold and name == b"upper" else _CLASSES[name])
                at = stop
                value = 0
        else:
            tests.append(_is(value))
        previous = value
        at += 1
    members: set[int] = set()
    for value in range(1, 256):
        seen = ord(bytes([value]).lower()) if fold else value
        if any(test(seen) for test in tests) != negated:
            members.add(value)
    return members, at + 1


def _ranges(members: set[int]) -> bytes:
    """Return the inside of a set of an expression. Member by member, a negated set would take a millisecond
    to compile."""
    first = [value for value in sorted(members) if value - 1 not in members]
    last = [value for value in sorted(members) if value + 1 not in members]
    return b"".join([b"\\x%02x-\\x%02x" % ends for ends in zip(first, last, strict=True)])


def _is(value: int) -> Callable[[int], bool]:
    return lambda c: c == value


def _between(low: int, high: int, fold: bool) -> Callable[[int], bool]:
    def test(c: int) -> bool:
        return low <= c <= high or (fold and bytes([c]).islower() and low <= ord(bytes([c]).upper()) <= high)

    return test


def _upper_folded(c: int) -> bool:
    return bytes([c]).isalpha()
