"""`patchpoint push` and `fetch`: checkpoints on another machine."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import zip_longest

from patchpoint.checkpoints import Transfer
from patchpoint.checkpoints.errors import TransferDeclinedError
from patchpoint.checkpoints.naming import id_named, session_named
from patchpoint.cli.output import print_json
from patchpoint.cli.stores import opened, watching
from patchpoint.cli.terminal import DONE, REFUSED, CommandError, Terminal, ask, can_ask
from patchpoint.dataclass import dataclass
from patchpoint.review.records import ReviewRecords
from patchpoint.wording import byte_size, plural, without_credentials

_SHOWN = 10
"""The most checkpoints that the question names."""


@dataclass(frozen=True, slots=True)
class TransferResult:
    """The ids of the checkpoints that were transferred: those that the other side did not have."""

    checkpoints: tuple[str, ...]


def push(options: argparse.Namespace, terminal: Terminal) -> int:
    """Send checkpoints to a remote, if the user agrees."""
    question = _Question(options, "Send")
    with opened(options) as store, watching() as progress:
        try:
            named = [id_named(store, name) for name in options.checkpoints]
            reviews: dict[str, bytes] = {}
            if options.session is not None:
                session, records = session_named(store, options.session), ReviewRecords(store.root)
                named += [one.id for one in store.list() if one.session == session]
                if not named:
                    raise CommandError(f"Session '{session}' has no checkpoints.", "no-checkpoint", REFUSED)
                open_ones = {id_: records.to_send(id_) for id_ in named}
                reviews = {id_: review for id_, review in open_ones.items() if review is not None}
            done = store.push(
                options.remote, named or None, confirm=question.agrees, progress=progress, reviews=reviews
            )
        except TransferDeclinedError as error:
            raise CommandError(str(error), error.code, REFUSED) from error
        kept = 0 if named else sum(one.included > 0 for one in store.list())
    if kept and not options.json:
        terminal.line(f"{plural(kept, 'checkpoint')} with ignored files (checkpoints.include) not sent.")
    return _print_transferred(options, terminal, question, done, "sent to")


def fetch(options: argparse.Namespace, terminal: Terminal) -> int:
    """Fetch the checkpoints of a remote, if the user agrees."""
    question = _Question(options, "Fetch")
    with opened(options) as store, watching() as progress:
        try:
            records = ReviewRecords(store.root)
            begun: list[str] = []

            def reviewed(since: str, sent: bytes) -> None:
                if records.receive(since, sent):
                    begun.append(since)

            done = store.fetch(options.remote, confirm=question.agrees, progress=progress, reviewed=reviewed)
        except TransferDeclinedError as error:
            raise CommandError(str(error), error.code, REFUSED) from error
    for since in begun if not options.json else ():
        terminal.line(f"An open review came with them; go on with patchpoint review --since {since}")
    return _print_transferred(options, terminal, question, done, "fetched from")


class _Question:
    """The question before a transfer. Raises `CommandError` where there is nobody to ask."""

    def __init__(self, options: argparse.Namespace, verb: str) -> None:
        self.transfer: Transfer | None = None
        """What was asked about."""
        self._verb = verb
        self._agreed = bool(options.yes)
        if not self._agreed and not can_ask():
            remote = without_credentials(options.remote)
            raise CommandError(
                f"`patchpoint {options.command}` asks before it contacts '{remote}', and there is no "
                "terminal to ask at. Pass --yes to go ahead without asking.",
                "not-confirmed",
                REFUSED,
            )

    def agrees(self, transfer: Transfer) -> bool:
        """Return whether the user agrees to `transfer`, now or by `--yes`."""
        self.transfer = transfer
        return self._agreed or ask((*_description(transfer, self._verb), f"{self._verb} them?"))


def _description(transfer: Transfer, verb: str) -> Iterator[str]:
    side = "to" if verb == "Send" else "from"
    yield f"{plural(len(transfer.checkpoints), 'checkpoint')} {side} {transfer.remote.shown}:"
    for id_, label in list(zip_longest(transfer.checkpoints, transfer.labels, fillvalue=""))[:_SHOWN]:
        yield f"  {id_}  {label}".rstrip()
    if len(transfer.checkpoints) > _SHOWN:
        yield f"  and {len(transfer.checkpoints) - _SHOWN} more"
    if transfer.objects:
        yield f"{plural(transfer.objects, 'object')}, {byte_size(transfer.size)} before compression."
    private = [
        plural(number, f"{kind} file")
        for number, kind in ((transfer.untracked, "untracked"), (transfer.unsaved, "unsaved"))
        if number
    ]
    if transfer.reviews:
        yield f"{plural(transfer.reviews, 'open review')}, with decisions and notes."
    if private:
        yield f"This includes the text of {' and '.join(private)}."
    yield from transfer.remote.cautions


def _print_transferred(
    options: argparse.Namespace,
    terminal: Terminal,
    question: _Question,
    transferred: tuple[str, ...],
    verb: str,
) -> int:
    if options.json:
        print_json(terminal, TransferResult(transferred))
    elif transferred and question.transfer is not None:
        count = plural(len(transferred), "checkpoint")
        terminal.line(f"{count} {verb} {question.transfer.remote.shown}")
    elif question.transfer is not None and question.transfer.reviews:
        sent = plural(question.transfer.reviews, "open review")
        terminal.line(f"{sent} {verb} {question.transfer.remote.shown}")
    else:
        terminal.line("Already up to date.")
    return DONE
