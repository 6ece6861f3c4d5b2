"""`patchpoint log FILE:LINE`: which prompt wrote a line."""

from __future__ import annotations

import argparse
import os
from datetime import datetime, timezone

from patchpoint.checkpoints.authorship.blame import LineAuthor, line_authors
from patchpoint.checkpoints.authorship.claims import By
from patchpoint.checkpoints.record.checkpoint import time_of
from patchpoint.cli.output import print_json
from patchpoint.cli.stores import opened, relative_paths, store_options, watching
from patchpoint.cli.terminal import DONE, REFUSED, WRONG_USAGE, CommandError, Terminal
from patchpoint.dataclass import dataclass
from patchpoint.text.regex import regex
from patchpoint.text.shown import visible_line
from patchpoint.wording import ago

_PLACE = regex(r"(?P<file>.+?):(?P<first>[1-9]\d{0,8})(?:-(?P<last>[1-9]\d{0,8}))?")


@dataclass(frozen=True, slots=True)
class LineAuthorData:
    """The JSON of a line, and of who wrote it."""

    line: int
    """Its number, from 1."""
    text: str
    by: By | None
    """`None`: it is older than all checkpoints."""
    session: str | None
    turn: str | None
    prompt: str | None
    contenders: tuple[str, ...]
    is_open: bool
    after: str | None
    """The newest checkpoint without it."""


@dataclass(frozen=True, slots=True)
class LineLogResult:
    """The JSON of who wrote the lines of a file."""

    path: str
    lines: tuple[LineAuthorData, ...]


def line_log(options: argparse.Namespace, terminal: Terminal) -> int:
    """Say who wrote a line, or several: the prompt of a session, a person, or nobody known."""
    place = _PLACE.fullmatch(options.place)
    if place is None or int(place["last"] or place["first"]) < int(place["first"]):
        raise CommandError(
            f"'{options.place}' names no line; write FILE:LINE or FILE:FIRST-LAST.",
            "no-line",
            WRONG_USAGE,
        )
    first, last = int(place["first"]), int(place["last"] or place["first"])
    with opened(options) as store, watching() as progress:
        (path,) = relative_paths(store.root, [place["file"]])
        try:
            found = line_authors(
                store.root, os.fsencode(path), first - 1, last, store_options(options.root, None), progress
            )
        except FileNotFoundError as error:
            raise CommandError(
                f"{path} does not exist here, or checkpoints leave it out.", "no-such-file", REFUSED
            ) from error
    if not found:
        raise CommandError(f"{path} has no line {first}.", "no-line", REFUSED)
    if options.json:
        print_json(terminal, LineLogResult(path, tuple(map(_data, found))))
        return DONE
    for one in found:
        terminal.line(f"{terminal.paint(f'{path}:{one.line + 1}', 'bold')}  {visible_line(one.text)}")
        terminal.line(f"    {visible_line(_said(one))}")
    return DONE


def _said(one: LineAuthor) -> str:
    when = ago(time_of(one.after), datetime.now(timezone.utc)) if one.after is not None else ""
    if one.by is None:
        return "older than the first checkpoint"
    if one.by is By.PERSON:
        return f"{when}  a person"
    if one.by is By.SEVERAL:
        return f"{when}  unknown: {' and '.join(one.contenders)} were at work at the same time"
    if one.by is By.NOBODY:
        return f"{when}  unknown: no step of an agent wrote it"
    turn = one.turn
    prompt = f"“{turn.prompt}”" if turn is not None and turn.prompt else ""
    anchor = ":".join(filter(None, (one.session, turn.name if turn is not None else None)))
    doubt = "(or a person; the end of the turn was not recorded)" if one.is_open else ""
    return "  ".join(filter(None, (when, prompt, anchor, doubt)))


def _data(one: LineAuthor) -> LineAuthorData:
    return LineAuthorData(
        line=one.line + 1,
        text=one.text,
        by=one.by,
        session=one.session,
        turn=one.turn.name if one.turn is not None else None,
        prompt=one.turn.prompt if one.turn is not None else None,
        contenders=one.contenders,
        is_open=one.is_open,
        after=one.after,
    )
