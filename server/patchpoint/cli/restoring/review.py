"""`patchpoint review`: what was written since a checkpoint, kept or reverted change by change."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence

from patchpoint.checkpoints.store import CheckpointStore
from patchpoint.cli.output import print_json
from patchpoint.cli.restoring.review_export import exported, imported
from patchpoint.cli.restoring.review_prompt import ask_about
from patchpoint.cli.restoring.reviewing import Reviewing
from patchpoint.cli.stores import opened, relative_paths
from patchpoint.cli.terminal import DONE, REFUSED, WRONG_USAGE, CommandError, Terminal, has_screen
from patchpoint.filesystem.lock import LockBusyError
from patchpoint.review.change_set import FileChanges, are_named
from patchpoint.review.decision import NO_LONGER_PARSES, Decision, Risk
from patchpoint.review.decisions import Review, summary_of
from patchpoint.review.hunks import Hunk
from patchpoint.review.records import ReviewRecords, checkpoint_to_review
from patchpoint.review.tree import SinceCheckpoint
from patchpoint.schema.reviews import FinishedReviewResult, below, review_data
from patchpoint.signals import unbroken
from patchpoint.text.positions import Unit
from patchpoint.text.shown import visible_line
from patchpoint.wording import plural

_SHORTEST = 4
"""Digits of an id that name a change: fewer are more likely a slip."""


def review(options: argparse.Namespace, terminal: Terminal) -> int:
    """List what changed since a checkpoint, decide about it, or ask a person at a terminal."""
    asked = {
        Decision.KEEP: options.keep,
        Decision.OPEN: options.open,
        Decision.TAKE_BACK: options.take_back,
    }
    decided = {decision: ids for decision, ids in asked.items() if ids is not None}
    if any(not ids for ids in decided.values()) and not options.file:
        usage = "Give the ids of the changes, or a file with --file."
        raise CommandError(usage, "no-change", WRONG_USAGE)
    with opened(options) as store:
        try:
            at_work = _begun(options, store)
            if options.export is not None:
                terminal.verbatim(exported(at_work, options.export))
                return DONE
            if options.imported is not None:
                return _import(at_work, options, terminal)
            if decided:
                said = _decide(at_work, decided, options.because or None)
                if not (options.json or options.finish):
                    return _report(at_work, terminal, said)
            elif not (options.json or options.finish) and sys.stdin.isatty() and terminal.stream.isatty():
                plain = options.plain or not has_screen(terminal)
                if at_work.named:
                    _interact(at_work, terminal, plain)
                    if not plain:
                        return _tell(at_work, terminal)
            print_it = _finish if options.finish else _show
            return print_it(at_work, options, terminal)
        except LockBusyError as error:
            raise CommandError(f"{error}", "locked", REFUSED) from error


def _begun(options: argparse.Namespace, store: CheckpointStore) -> Reviewing:
    records = ReviewRecords(store.root)
    since = checkpoint_to_review(store, records, options.since, options.session)
    tree = SinceCheckpoint.open(store, since)
    if options.session is not None:
        tree.session = tree.checkpoint.session or options.session
    paths = relative_paths(store.root, options.file)
    at_work = Reviewing(tree, records, paths, ())
    at_work.look_again()
    return at_work


def _decide(
    at_work: Reviewing, decided: Mapping[Decision, Sequence[str]], because: str | None
) -> list[tuple[Decision, str]]:
    """Decide as the options say, and return what was decided about which places.

    Raises `CommandError` before anything is changed where the options are wrong.
    """
    chosen = {decision: _chosen(at_work, names) for decision, names in decided.items()}
    taken: dict[str, Decision] = {}
    for decision, by_path in chosen.items():
        for id_ in (id_ for ids in by_path.values() for id_ in ids):
            if taken.setdefault(id_, decision) is not decision:
                raise CommandError(f"Change {id_} has two decisions; name it once.", "no-change", WRONG_USAGE)
    for decision, by_path in chosen.items():
        at_work.decide(decision, by_path, because)
    said = [
        (decision, _place(file, hunk))
        for decision, by_path in chosen.items()
        for file in at_work.files
        for hunk in file.hunks
        if hunk.id in by_path.get(file.path, ())
    ]
    at_work.look_again()
    return said


def _chosen(at_work: Reviewing, names: Sequence[str]) -> dict[str, list[str]]:
    """Return the ids that `names` mean, by file; no names mean every change."""
    every = [(file, hunk) for file in at_work.named for hunk in file.hunks]
    chosen: dict[str, list[str]] = {}
    for name in names:
        given = name.lower() if len(name) >= _SHORTEST else "?"
        found = [(file, hunk) for file, hunk in every if hunk.id.startswith(given)]
        if len(found) != 1:
            many = f"could be any of {len(found)} changes" if found else "is not a current change"
            raise CommandError(f"'{name}' {many}; `patchpoint review` lists them.", "no-hunk", REFUSED)
        chosen.setdefault(found[0][0].path, []).append(found[0][1].id)
    if not names:
        for file, hunk in every:
            chosen.setdefault(file.path, []).append(hunk.id)
        if not every:
            raise CommandError("Nothing has changed in these files.", "no-hunk", REFUSED)
    return chosen


def _interact(at_work: Reviewing, terminal: Terminal, plain: bool) -> None:
    """Ask a person about each open change: what is decided is recorded at once.

    What is reverted is reverted at the end, all at once, even if that is Ctrl-C. What was decided in a
    review that did not come to its end is reverted with it.
    """
    try:
        if plain:
            _ask_at_prompts(at_work, terminal)
        else:
            # Loaded by this command alone, and only where there is a screen.
            from patchpoint.cli.screen.reviewed import show_review

            show_review(at_work)
    finally:
        with unbroken():
            if at_work.revert_waiting():
                terminal.line(terminal.paint("To undo the revert: patchpoint undo", "dim"))
    at_work.look_again()


def _ask_at_prompts(at_work: Reviewing, terminal: Terminal) -> None:
    back = at_work.waiting()
    if back:
        terminal.line(
            f"{plural(len(back), 'change')} that you decided to revert will be reverted at the end."
        )
    ask_about(terminal, at_work.review, at_work.named, at_work.keep, at_work.revert_later, set(back))


def _tell(at_work: Reviewing, terminal: Terminal) -> int:
    """Print how far the review is, for somebody who has just seen all of it."""
    tally = at_work.review.tally(at_work.files)
    terminal.line(f"Since {_name(at_work)}: {terminal.paint(str(tally), 'bold')}")
    terminal.line(
        terminal.paint(
            "Go on with patchpoint review; end it, with a summary for the model, with "
            "patchpoint review --finish",
            "dim",
        )
    )
    return DONE


def _import(at_work: Reviewing, options: argparse.Namespace, terminal: Terminal) -> int:
    """Decide as an export says, and print what was decided and what is not here as it was there."""
    found, stale = imported(at_work, options.imported)
    said = [
        (one.decision, _place(one.change.file, one.change.hunk))
        for one in found
        if one.decision is not Decision.OPEN
    ]

    def recorded(review: Review) -> Review:
        for one in found:
            hunk, is_open = one.change.hunk, one.decision is Decision.OPEN
            # What nobody has decided there stays as it is decided here.
            if not is_open or (one.note and hunk.id not in review.waiting(at_work.files)):
                decision = review.decision(hunk) if is_open else one.decision
                review = review.deciding(decision, one.change.file, [hunk.id], one.note or None, waiting=True)
        return review

    at_work.update(recorded)
    at_work.revert_waiting()
    at_work.look_again()
    if options.json:
        _show(at_work, options, terminal)
    else:
        _report(at_work, terminal, said)
    for place in stale if not options.json else ():
        label = terminal.paint("not imported:", "yellow")
        terminal.line(f"{label} {place}: it has changed since, or is gone; look at it and decide again")
    return REFUSED if stale else DONE


_SAID = {Decision.KEEP: "kept", Decision.TAKE_BACK: "reverted", Decision.OPEN: "to be decided again"}


def _report(at_work: Reviewing, terminal: Terminal, said: Sequence[tuple[Decision, str]]) -> int:
    """Print what was decided, and what is left."""
    for decision, place in said:
        terminal.line(f"{terminal.paint(f'{_SAID[decision]}:', 'green')} {place}")
    terminal.line(terminal.paint(str(at_work.review.tally(at_work.files)), "bold"))
    if any(decision is Decision.TAKE_BACK for decision, _ in said):
        terminal.line(terminal.paint("To undo the revert: patchpoint undo", "dim"))
    return DONE


def _show(at_work: Reviewing, options: argparse.Namespace, terminal: Terminal) -> int:
    if options.json:
        listing = review_data(
            at_work.review, at_work.files, below(at_work.tree.store.root), Unit.UTF_32, only=at_work.named
        )
        print_json(terminal, listing)
        return DONE
    if not at_work.named:
        terminal.line(f"Nothing has changed {'there ' if at_work.paths else ''}since {_name(at_work)}.")
    waiting = at_work.review.waiting(at_work.files)
    for file, is_named in zip(at_work.named, are_named(at_work.named), strict=True):
        _print_file(terminal, at_work.review, file, waiting, is_named=is_named)
    tally = at_work.review.tally(at_work.files)
    terminal.line(f"Since {_name(at_work)}: {terminal.paint(str(tally), 'bold')}")
    for says in at_work.tree.left_out():
        terminal.line(f"{terminal.paint('left out:', 'yellow')} {visible_line(says)}")
    if at_work.named and tally.open:
        terminal.line(
            terminal.paint(
                "Decide with --keep ID or --take-back ID; end with patchpoint review --finish", "dim"
            )
        )
    return DONE


def _finish(at_work: Reviewing, options: argparse.Namespace, terminal: Terminal) -> int:
    if at_work.records.read(at_work.review.since) is None:
        raise CommandError(
            f"There is no review of {_name(at_work)} to finish: nothing has been decided, or it is finished "
            "already.",
            "no-review",
            REFUSED,
        )
    if at_work.revert_waiting():
        at_work.look_again()
    tally, summary = at_work.review.tally(at_work.files), summary_of(at_work.review, at_work.files)
    at_work.records.finish(at_work.review.since)
    if options.json:
        result = FinishedReviewResult(
            kept=tally.kept, taken_back=tally.taken_back, open=tally.open, summary=summary
        )
        print_json(terminal, result)
    else:
        terminal.verbatim(summary)
    return DONE


def _print_file(
    terminal: Terminal, review: Review, file: FileChanges, waiting: Collection[str], *, is_named: bool
) -> None:
    renamed = f" (was {file.path})" if file.new_path is not None else ""
    word = "" if file.operation.value == "update" else f"  {file.operation.value}d"
    terminal.line(terminal.paint(f"{file.path_now}{renamed}{word}", "bold"))
    for hunk in file.hunks:
        kept = review.decision(hunk) is Decision.KEEP
        where = f"{_where(file, hunk)} {visible_line(file.where(hunk)) if is_named else ''}".rstrip()
        decided = "kept" if kept else "to be reverted" if hunk.id in waiting else "open"
        state = terminal.paint(decided, "green" if kept else "yellow")
        size = _size(hunk.removed, hunk.added)
        breaks = file.risks.get(hunk.id) is Risk.UNPARSABLE
        risk = terminal.paint(f"  {NO_LONGER_PARSES}", "red") if breaks else ""
        terminal.line(f"{terminal.paint(hunk.id, 'cyan')}  {where}  {state}  {size}{risk}")
        if not kept:
            terminal.diff(file.diff(hunk))
    terminal.line()


def _place(file: FileChanges, hunk: Hunk) -> str:
    return f"{file.path_now}, {_where(file, hunk)}"


def _where(file: FileChanges, hunk: Hunk) -> str:
    return "the file as a whole" if file.is_whole else f"line {hunk.new[0] + 1}"


def _size(removed: str, added: str) -> str:
    counts: Iterable[tuple[str, int]] = (("-", len(removed.splitlines())), ("+", len(added.splitlines())))
    return " ".join(f"{sign}{count}" for sign, count in counts if count)


def _name(at_work: Reviewing) -> str:
    checkpoint = at_work.tree.checkpoint
    return f"“{checkpoint.label}” ({checkpoint.id})" if checkpoint.label else checkpoint.id
