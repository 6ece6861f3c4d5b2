"""Ignore rules and paths made up by chance, of the pieces that git's own matching tells apart."""

from __future__ import annotations

import random

_PIECES = [
    "a",
    "b",
    "c",
    "foo",
    "bar",
    "*",
    "?",
    "**",
    "a*",
    "*.c",
    "[ab]",
    "[!a]",
    "[a-c]",
    "[^b]x",
    "\\*",
    "x y",
]
_PIECES += [
    "***",
    "*a*",
    "[[:alpha:]]",
    "[]a]",
    "[a",
    "foo**",
    "**foo",
    "\\",
    "\\a",
    ".x",
    "é",
    "[--c]",
    "[\\]]",
    "A",
]
_PIECES += [
    "[[:upper:]]b",
    "[a\\-c]",
    "a?c",
    "*[0-9]",
    "f*o",
    "[[:foo:]]",
    "[]-a]",
    "[z-a]",
    "*.*",
    "-",
    "#",
    "!",
]
_NAMES = [
    "a",
    "b",
    "c",
    "foo",
    "bar",
    "ab",
    "a.c",
    "x y",
    "foobar",
    "xfoo",
    ".x",
    "é",
    "bx",
    "*",
    "a*",
    "A",
    "Ab",
    "abc",
]
_NAMES += ["]", "[a", "a1", "-", "#", "!", "\\", "fooo", "#x", "!x", "a ", "Foo", "a-c"]


def random_pattern(chance: random.Random) -> str:
    pattern = "/".join(chance.choice(_PIECES) for _ in range(chance.choice([1, 1, 1, 2, 2, 3])))
    if chance.random() < 0.2:
        pattern = "/" + pattern
    if chance.random() < 0.25:
        pattern += "/"
    if chance.random() < 0.2:
        pattern = "!" + pattern
    return pattern + chance.choice([""] * 8 + [" ", "\\ ", "  ", "\r", "\t"])


def random_rules(chance: random.Random) -> bytes:
    lines = [random_pattern(chance) for _ in range(chance.randrange(1, 5))]
    if chance.random() < 0.1:
        lines.insert(0, "# a comment")
    text = "\n".join(lines) + chance.choice(["\n", ""])
    return (b"\xef\xbb\xbf" if chance.random() < 0.05 else b"") + text.encode()


def random_path(chance: random.Random) -> str:
    return "/".join(chance.choice(_NAMES) for _ in range(chance.choice([1, 1, 2, 2, 3, 4])))
