"""The values of options: each function is the `type` of one, and raises `argparse.ArgumentTypeError`.

Every command loads this module, and what a function needs only where it is called.
"""

from __future__ import annotations

import argparse
import re

from patchpoint.dataclass import dataclass

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    from pathlib import Path


def path(text: str) -> Path:
    """Return a path."""
    from pathlib import Path

    return Path(text)


def agent(text: str) -> str:
    """Return the name of an agent."""
    from patchpoint.hooks.firings import AGENTS

    if text not in AGENTS:
        known = ", ".join(AGENTS)
        raise argparse.ArgumentTypeError(f"'{text}' is not a known agent; the known ones are {known}")
    return text


def port_number(text: str) -> int:
    """Return a port."""
    number = count(text)
    if number > 65535:
        raise argparse.ArgumentTypeError(f"'{text}' is not a port; ports go from 0 to 65535")
    return number


def origin(text: str) -> str:
    """Return the origin of a web page, in lower case."""
    scheme, separator, host = text.lower().removesuffix("/").partition("://")
    if text != "null" and not (scheme and separator and host and not set(host) & set("/*?#@ ")):
        raise argparse.ArgumentTypeError(f"'{text}' is not an origin, such as https://example.org:8443")
    return text.lower().removesuffix("/")


def edit_format(text: str) -> str:
    """Return the protocol's name of a format; hyphens, case and a missing `File` do not matter."""
    from patchpoint.edit import TEXT_FORMATS

    wanted = text.casefold().replace("-", "").replace("_", "")
    known: dict[str, str] = {name.casefold(): name for name in TEXT_FORMATS}
    found = known.get(wanted) or known.get(f"{wanted}file")
    if found is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not one of {', '.join(TEXT_FORMATS)}")
    return found


def turn(text: str) -> str:
    """Return which answer of a conversation is meant."""
    if text not in ("last", "all") and not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"'{text}' is not a turn; use last, all, or a number from 1")
    return text


def proposals(text: str) -> list[str]:
    """Return the ids of proposals that are accepted, or the word `all` for every one."""
    ids = text.split(",")
    if not all(re.fullmatch(r"[0-9a-f]{12}|all", one) for one in ids):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not the id of a proposal; ids have 12 characters, or use all"
        )
    return ids


def count(text: str) -> int:
    """Return a number, 0 or higher."""
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number, 0 or higher")
    return int(text)


def days(text: str) -> float:
    """Return a number of days."""
    number = _float(text)
    if not 0 <= number < 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of days")
    return number


def seconds(text: str) -> float:
    """Return a number of seconds, up to a day."""
    number = _float(text)
    if not 0 <= number <= 86_400:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds, up to a day")
    return number


def fraction(text: str) -> float:
    """Return a number from 0 to 1."""
    number = _float(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number between 0 and 1")
    return number


@dataclass(frozen=True, slots=True)
class ChosenCandidate:
    """One candidate of an edit, both counted from 1, and whether its lines are to be replaced whole."""

    edit: int
    candidate: int
    whole: bool


def choice(text: str) -> ChosenCandidate:
    """Return the candidate that `EDIT:CANDIDATE` or `EDIT:CANDIDATE:whole` names."""
    found = re.fullmatch(r"0*([1-9][0-9]{0,8}):0*([1-9][0-9]{0,8})(:whole)?", text)
    if found is None:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not EDIT:CANDIDATE, such as 3:2, or 3:2:whole; both count from 1"
        )
    return ChosenCandidate(int(found[1]), int(found[2]), found[3] is not None)


def expectation(text: str) -> tuple[str, str]:
    """Return a path and the SHA-256 that its file is to have, in hexadecimal digits."""
    from patchpoint.schema.requests import require_digests

    file, separator, digest = text.rpartition("=")
    try:
        require_digests({file: digest})
    except ValueError:
        separator = ""
    if not separator or not file:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not PATH=HASH; `sha256sum PATH` prints the 64 hexadecimal digits"
        )
    return file, digest


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")
