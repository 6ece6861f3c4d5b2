"""Rows that require what has a name, with its version, such as `requests>=2.28`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from patchpoint.text.regex import regex

_VERSION = r"v?\d[\w.*+-]*"
_SIGN = r"===|[=~<>!]=|[<>~^]|(?<=\w)[:@](?=v?\d)|[\"']\)? version\(? ?[\"']"
_NEW = regex(
    rf"(?P<sign>===|[=~<>!]=|[<>~^:@])?\s*(?P<version>{_VERSION})(?:\s*,\s*[=~<>!]{{1,2}}\s*{_VERSION})*"
)


def rows_requiring(lines: Sequence[str], name: str) -> Mapping[int, re.Match[str]]:
    """Return where lines require what has a name, each once, with `spec` for the sign and the version."""
    pattern = _pattern(name)
    found = {row: list(pattern.finditer(line)) for row, line in enumerate(lines) if name in line}
    return {row: each[0] for row, each in found.items() if len(each) == 1}


def with_version(found: re.Match[str], name: str, new: str, old: str) -> str | None:
    """Return the line of a requirement with another version, with the sign that it has where none is given.

    It is `None` where the new one is no version, or the line has another one than the `old`.
    """
    bare = new.strip().removeprefix(name).strip()
    wanted, had = (
        _NEW.fullmatch(bare),
        _NEW.fullmatch(old.strip().removeprefix(name).strip()) if old else None,
    )
    is_other = old and (had is None or had["version"] != found["version"])
    if wanted is None or is_other:
        return None
    sign = found["sign"]
    is_kept = wanted["sign"] is None or sign in (":", "@") or "version" in sign
    spec = f"{found['spec'][: -len(found['version'])]}{wanted['version']}" if is_kept else bare
    return f"{found.string[: found.start('spec')]}{spec}{found.string[found.end('spec') :]}"


def is_alone(found: re.Match[str]) -> bool:
    """Return whether a line holds nothing but a requirement, as one of a list does."""
    rest = f"{found.string[: found.start()]}{found.string[found.end() :]}"
    return re.fullmatch(r"\s*(?:-\s+|\w+[ (]\s*)?[\"']?[\"']?\)?,?\s*(?:[#;].*)?", rest) is not None


@lru_cache(maxsize=16)
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w./@-])(?:[\w.-]{{1,80}}:)?{re.escape(name)}(?:\[[\w,-]{{1,80}}\])?"
        rf"(?P<spec>\s{{0,2}}(?P<sign>{_SIGN})\s{{0,2}}(?P<version>{_VERSION}))(?![\w.])"
    )
