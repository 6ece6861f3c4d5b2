"""One edit, given as plain arguments, applied to one text: the smallest way into Patchpoint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as changed

from patchpoint.edit import Edit
from patchpoint.locate.ladder import Ladder
from patchpoint.outcome import Outcome, Status
from patchpoint.resolve import resolve_edit


def apply_edit(
    text: str,
    search: str,
    replace: str,
    *,
    replace_all: bool = False,
    occurrence: int | None = None,
    line: int | None = None,
    scope: Sequence[str] = (),
    ladder: Ladder | None = None,
) -> Outcome:
    """What becomes of `text` when `search` is to become `replace` in it; nothing is read or written.

    `occurrence` and `line` count from 1. Raises `TypeError` or `ValueError` for arguments of the wrong kind
    and for nothing else.
    """
    texts: tuple[tuple[str, object], ...] = (("text", text), ("search", search), ("replace", replace))
    for name, value in texts:
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a str, not {type(value).__name__}")
    numbers: tuple[tuple[str, object], ...] = (("occurrence", occurrence), ("line", line))
    for name, number in numbers:
        if number is None:
            continue
        if not isinstance(number, int) or isinstance(number, bool):
            raise TypeError(f"{name} must be an int or None, not {type(number).__name__}")
        if number < 1:
            raise ValueError(f"{name} counts from 1, it cannot be {number}")
    if isinstance(scope, str) or not all(isinstance(part, str) for part in scope):
        raise TypeError("scope must be a sequence of str, outermost first")
    edit = Edit(
        path="",
        search=search,
        replace=replace,
        replace_all=bool(replace_all),
        occurrence=occurrence,
        line=line,
        scope=tuple(scope),
    )
    outcome = resolve_edit(text, edit, ladder)
    return changed(outcome, status=Status.APPLIED) if outcome.status is Status.MATCHED else outcome
