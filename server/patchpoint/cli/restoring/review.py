"""`patchpoint review`: what was written since a checkpoint, kept or reverted change by change."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence

from patchpoint.checkpoints.restore.plan import is_within
from patchpoint.checkpoints.store import CheckpointStore
from patchpoint.cli.output import print_json
from patchpoint.cli.restoring.review_prompt import ask_about
from patchpoint.cli.stores import opened, relative_paths, store_options, watching
from patchpoint.cli.terminal import DONE, REFUSED, WRONG_USAGE, CommandError, Terminal
from patchpoint.dataclass import dataclass
from patchpoint.filesystem.lock import LockBusyError
from patchpoint.review.decision import Decision
from patchpoint.review.decisions import Review, summary_of
from patchpoint.review.files import ReviewedFile
from patchpoint.review.hunks import Hunk
from patchpoint.review.records import ReviewRecords
from patchpoint.review.start import checkpoint_to_review
from patchpoint.review.tree import SinceCheckpoint
from patchpoint.schema.responses import FinishedReviewResult
from patchpoint.schema.reviews import review_data
from patchpoint.signals import unbroken
from patchpoint.text.positions import Unit
from patchpoint.wording import plural

_SHORTEST = 4
"""Digits of an id that name a change: fewer are more likely a slip."""


@dataclass(slots=True)
class _Reviewing:
    """A review at work."""

    store: CheckpointStore
    tree: SinceCheckpoint
    records: ReviewRecords
    paths: tuple[str, ...]
    review: Review
    files: tuple[ReviewedFile, ...]

    @property
    def named(self) -> tuple[ReviewedFile, ...]:
        """The files that the options name, or all."""
        paths = [b"" if path == "." else os.fsencode(path) for path in self.paths]
        return tuple(
            file
            for file in self.files
            if is_within(os.fsencode(file.path), paths) or is_within(os.fsencode(file.path_now), paths)
        )

    def look_again(self) -> None:
        """Read the files and the decisions as they are now."""
        with watching() as progress:
            self.files = self.tree.files(progress=progress)
        since = self.tree.checkpoint.id
        self.review = self.records.read(since) or Review(since=since)

    def decide(self, decision: Decision, chosen: Mapping[str, Sequence[str]], because: str = "") -> None:
        """Decide about changes, by the path of their file at the checkpoint."""
        files = {file.path: file for file in self.files}
        if decision is Decision.TAKE_BACK:
            with watching() as progress:
                self.tree.take_back(chosen, progress=progress)

        def changed(review: Review) -> Review:
            for path, ids in chosen.items():
                if decision is Decision.KEEP:
                    review = review.keeping(files[path].path_now, ids)
                elif decision is Decision.TAKE_BACK:
                    review = review.taking_back(files[path], ids, because)
                else:
                    review = review.opening(ids)
            return review

        self.review = self.records.update(self.tree.checkpoint.id, changed)


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
            if decided:
                said = _decide(at_work, decided, options.because)
                if not (options.json or options.finish):
                    return _report(at_work, terminal, said)
            elif not (options.json or options.finish) and sys.stdin.isatty() and terminal.stream.isatty():
                _interact(at_work, terminal)
            print_it = _finish if options.finish else _show
            return print_it(at_work, options, terminal)
        except LockBusyError as error:
            raise CommandError(f"{error}", "locked", REFUSED) from error


def _begun(options: argparse.Namespace, store: CheckpointStore) -> _Reviewing:
    records = ReviewRecords(store.root)
    since = checkpoint_to_review(store, records, options.since, options.session)
    tree = SinceCheckpoint.open(options.root, since, store_options(options.root, options.wait))
    paths = relative_paths(store.root, options.file)
    at_work = _Reviewing(store, tree, records, paths, Review(since=since), ())
    at_work.look_again()
    return at_work


def _decide(
    at_work: _Reviewing, decided: Mapping[Decision, Sequence[str]], because: str
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


def _chosen(at_work: _Reviewing, names: Sequence[str]) -> dict[str, list[str]]:
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


def _interact(at_work: _Reviewing, terminal: Terminal) -> None:
    """Ask a person about each open change: what is decided is recorded at once.

    What is reverted is reverted at the end, all at once, even if that is Ctrl-C. What was decided in a
    review that did not come to its end is reverted with it.
    """
    back = _waiting(at_work)
    files = {file.path: file for file in at_work.files}

    def keep(path: str, id_: str) -> None:
        at_work.decide(Decision.KEEP, {path: [id_]})

    def take_back(path: str, id_: str, because: str) -> None:
        back.append((because, path, id_))
        at_work.records.update(
            at_work.review.since,
            lambda review: review.taking_back(files[path], [id_], because, waiting=True),
        )

    if back:
        terminal.line(
            f"{plural(len(back), 'change')} that you decided to revert will be reverted at the end."
        )
    try:
        ask_about(terminal, at_work.review, at_work.named, keep, take_back, {id_ for _, _, id_ in back})
    finally:
        with unbroken():
            _take_back(at_work, terminal, back)
    at_work.look_again()


def _waiting(at_work: _Reviewing) -> list[tuple[str, str, str]]:
    """Return what was decided to be reverted, and is not yet: the reason, the path of the file and the
    id."""
    waiting = at_work.review.waiting(at_work.files)
    return [
        (waiting[hunk.id].because, file.path, hunk.id)
        for file in at_work.files
        for hunk in file.hunks
        if hunk.id in waiting
    ]


def _take_back(at_work: _Reviewing, terminal: Terminal | None, back: Sequence[tuple[str, str, str]]) -> None:
    """Revert the changes, each with the reason, the path of its file and its id, and say how to undo
    that."""
    if back:
        every: dict[str, list[str]] = {}
        for _, path, id_ in back:
            every.setdefault(path, []).append(id_)
        files = {file.path: file for file in at_work.files}
        with watching() as progress:
            at_work.tree.take_back(every, progress=progress)

        def taken_back(review: Review) -> Review:
            for because, path, id_ in back:
                review = review.taking_back(files[path], [id_], because)
            return review

        at_work.records.update(at_work.review.since, taken_back)
        if terminal is not None:
            terminal.line(terminal.paint("To undo the revert: patchpoint undo", "dim"))


_SAID = {Decision.KEEP: "kept", Decision.TAKE_BACK: "reverted", Decision.OPEN: "to be decided again"}


def _report(at_work: _Reviewing, terminal: Terminal, said: Sequence[tuple[Decision, str]]) -> int:
    """Print what was decided, and what is left."""
    for decision, place in said:
        terminal.line(f"{terminal.paint(f'{_SAID[decision]}:', 'green')} {place}")
    terminal.line(terminal.paint(str(at_work.review.tally(at_work.files)), "bold"))
    if any(decision is Decision.TAKE_BACK for decision, _ in said):
        terminal.line(terminal.paint("To undo the revert: patchpoint undo", "dim"))
    return DONE


def _show(at_work: _Reviewing, options: argparse.Namespace, terminal: Terminal) -> int:
    if options.json:
        listing = review_data(
            at_work.review, at_work.files, at_work.tree.root, Unit.UTF_32, only=at_work.named
        )
        print_json(terminal, listing)
        return DONE
    if not at_work.named:
        terminal.line(f"Nothing has changed {'there ' if at_work.paths else ''}since {_name(at_work)}.")
    waiting = at_work.review.waiting(at_work.files)
    for file in at_work.named:
        _print_file(terminal, at_work.review, file, waiting)
    tally = at_work.review.tally(at_work.files)
    terminal.line(f"Since {_name(at_work)}: {terminal.paint(str(tally), 'bold')}")
    if at_work.named and tally.open:
        terminal.line(
            terminal.paint(
                "Decide with --keep ID or --take-back ID; end with patchpoint review --finish", "dim"
            )
        )
    return DONE


def _finish(at_work: _Reviewing, options: argparse.Namespace, terminal: Terminal) -> int:
    if at_work.records.read(at_work.review.since) is None:
        raise CommandError(
            f"There is no review of {_name(at_work)} to finish: nothing has been decided, or it is finished "
            "already.",
            "no-review",
            REFUSED,
        )
    if back := _waiting(at_work):
        _take_back(at_work, None, back)
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


def _print_file(terminal: Terminal, review: Review, file: ReviewedFile, waiting: Collection[str]) -> None:
    renamed = f" (was {file.path})" if file.new_path is not None else ""
    word = "" if file.operation.value == "update" else f"  {file.operation.value}d"
    terminal.line(terminal.paint(f"{file.path_now}{renamed}{word}", "bold"))
    for hunk in file.hunks:
        kept = review.decision(hunk) is Decision.KEEP
        where = _where(file, hunk)
        decided = "kept" if kept else "to be reverted" if hunk.id in waiting else "open"
        state = terminal.paint(decided, "green" if kept else "yellow")
        size = _size(hunk.removed, hunk.added)
        terminal.line(f"{terminal.paint(hunk.id, 'cyan')}  {where}  {state}  {size}")
        if not kept:
            terminal.diff(file.diff(hunk))
    terminal.line()


def _place(file: ReviewedFile, hunk: Hunk) -> str:
    return f"{file.path_now}, {_where(file, hunk)}"


def _where(file: ReviewedFile, hunk: Hunk) -> str:
    return "the file as a whole" if file.is_whole else f"line {hunk.new[0] + 1}"


def _size(removed: str, added: str) -> str:
    counts: Iterable[tuple[str, int]] = (("-", len(removed.splitlines())), ("+", len(added.splitlines())))
    return " ".join(f"{sign}{count}" for sign, count in counts if count)


def _name(at_work: _Reviewing) -> str:
    checkpoint = at_work.tree.checkpoint
    return f"“{checkpoint.label}” ({checkpoint.id})" if checkpoint.label else checkpoint.id
