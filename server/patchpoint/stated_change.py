"""What a tool said that it would do to a file, and what the file is after that.

A tool that edits is called with all that it changes, which sets it apart from what others did to the same
file meanwhile. What fits in two places, or in none, has no result: nothing is guessed.
"""

from __future__ import annotations

from patchpoint.dataclass import dataclass


class DoesNotApplyError(ValueError):
    """A change cannot have been made to this content, or could have been made in several ways."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """A text that is replaced by another one."""

    old: str
    new: str
    every: bool = False
    """Whether it is replaced wherever it occurs; else it has to occur once."""
    whole_lines: bool = False
    """Whether it begins where a line begins."""


@dataclass(frozen=True, slots=True)
class StatedChange:
    """A change of one file: its new content, replacements in it, or that it is deleted."""

    content: str | None = None
    replacements: tuple[Replacement, ...] = ()
    """One after the other; none where `content` is given, or for a deletion."""


def results_of(change: StatedChange, before: bytes | None) -> tuple[bytes | None, ...]:
    r"""Return what a file can be after `change`; `None` for no file, before and after.

    It is more than one where a program may keep the line endings (`\r\n`) that were there. Raises
    `DoesNotApplyError`.
    """
    if change.content is not None:
        given = change.content.encode("utf-8")
        if before is not None and _ends_in_carriage_returns(before) and b"\r" not in given:
            return given, given.replace(b"\n", b"\r\n")
        return (given,)
    if not change.replacements:
        if before is None:
            raise DoesNotApplyError("there is no file to delete")
        return (None,)
    return (_replaced(change.replacements, before),)


def _replaced(replacements: tuple[Replacement, ...], before: bytes | None) -> bytes:
    if before is None and replacements[0].old:
        raise DoesNotApplyError("there is no file to change")
    try:
        text = (before or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise DoesNotApplyError("it is no text") from error
    has_returns = before is not None and _ends_in_carriage_returns(before)
    for each in replacements:
        old, new = each.old, each.new
        if has_returns and "\r" not in old:
            old, new = old.replace("\n", "\r\n"), new.replace("\r\n", "\n").replace("\n", "\r\n")
        text = _with(text, old, new, each)
    return text.encode("utf-8")


def _with(text: str, old: str, new: str, how: Replacement) -> str:
    if not old:
        if text:
            raise DoesNotApplyError("an empty text is everywhere")
        return new
    if how.whole_lines:
        text, old, new = f"\n{text}", f"\n{old}", f"\n{new}"
    # Overlapping places are places too.
    first = text.find(old)
    if first < 0 or (not how.every and text.find(old, first + 1) >= 0):
        raise DoesNotApplyError("it is not there once")
    text = text.replace(old, new)
    return text[1:] if how.whole_lines else text


def _ends_in_carriage_returns(content: bytes) -> bool:
    return b"\r\n" in content and content.count(b"\r\n") == content.count(b"\n")
