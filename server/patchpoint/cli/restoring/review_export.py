"""A review as a file, to be gone through elsewhere: Markdown, JSON or a patch; and decisions read back.

The ids of changes say what they change and where that was at the checkpoint, so that what was decided
elsewhere is about the same change or about none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from patchpoint.cli.restoring.reviewing import Reviewing
from patchpoint.cli.terminal import REFUSED, WRONG_USAGE, CommandError
from patchpoint.dataclass import dataclass, replace
from patchpoint.filesystem.open_to_read import read_file_bytes
from patchpoint.review.change_set import FileChanges, ListedChange, changes_of
from patchpoint.review.decision import NO_LONGER_PARSES, Decision, Risk
from patchpoint.schema.decode import decode, encode
from patchpoint.text.regex import regex
from patchpoint.text.shown import markdown, visible_line

_VERSION = 1
_TICKS = regex("`+")
_SAID = {Decision.KEEP: "kept", Decision.TAKE_BACK: "reverted", Decision.OPEN: "undecided"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """A change, as an export has it."""

    id: str
    path: str
    line: int
    """From 1; 0 of a file as a whole."""
    where: str = ""
    risk: Risk | None = None
    decision: Decision
    note: str
    diff: str = ""

    def __str__(self) -> str:
        place = f"{self.path}, line {self.line}" if self.line else self.path
        return f"{visible_line(place)} ({_SAID[self.decision]})"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Export:
    """A review, as it is written out."""

    version: int = _VERSION
    since: str
    label: str | None = None
    split: tuple[str, ...] = ()
    changes: tuple[_Change, ...]


@dataclass(frozen=True, slots=True)
class Imported:
    """A decision that was made elsewhere about a change that is here."""

    change: ListedChange
    decision: Decision
    note: str


def exported(at_work: Reviewing, form: str) -> str:
    """Return the review as Markdown, JSON, or a patch of what is not reverted or decided to be."""
    if form == "json":
        return json.dumps(encode(_export_of(at_work)), ensure_ascii=False, indent=1) + "\n"
    return "".join(_patch(at_work) if form == "patch" else _markdown(at_work))


def imported(at_work: Reviewing, path: str) -> tuple[list[Imported], list[str]]:
    """Return the decisions of an export that are about changes of this review, and what the others are about.

    Raises `CommandError` for a file that cannot be read, is none, or is of another checkpoint.
    """
    try:
        data = json.loads(read_file_bytes(Path(path)).decode())
        if not isinstance(data, dict):
            raise ValueError("it is JSON, but not an object")
        export = decode(_Export, data)
        if export.version != _VERSION:
            raise ValueError(f"`version` is {export.version}; only {_VERSION} can be read")
    except OSError as error:
        raise CommandError(
            f"'{path}' cannot be read: {error.strerror or error}.", "no-file", REFUSED
        ) from error
    except (ValueError, RecursionError) as error:
        raise CommandError(
            f"'{path}' is not an export of a review: {str(error).rstrip('.')}. Correct it, or write "
            "another with `patchpoint review --export json`.",
            "no-export",
            WRONG_USAGE,
        ) from error
    if export.since != at_work.review.since:
        raise CommandError(
            f"'{path}' is of a review since {export.since}; import it with `--since {export.since}`.",
            "other-review",
            REFUSED,
        )
    if export.split:
        at_work.update(
            lambda review: replace(review, split=tuple(dict.fromkeys((*review.split, *export.split))))
        )
        at_work.look_again()
    here = {one.hunk.id: one for one in changes_of(at_work.files)}
    back = {one.id for one in at_work.review.taken_back if not one.waiting}
    found = [Imported(here[one.id], one.decision, one.note) for one in export.changes if one.id in here]
    stale = [
        str(one)
        for one in export.changes
        if one.id not in here and one.id not in back and (one.note or one.decision is not Decision.OPEN)
    ]
    return found, stale


def _decided(at_work: Reviewing, change: ListedChange) -> tuple[Decision, str]:
    """Return what is decided about a change that is here, and the note on it."""
    review, id_ = at_work.review, change.hunk.id
    waiting = at_work.waiting()
    if id_ in waiting:
        return Decision.TAKE_BACK, waiting[id_].because
    return review.decision(change.hunk), review.notes.get(id_, "")


def _export_of(at_work: Reviewing) -> _Export:
    changes = []
    for one in changes_of(at_work.named):
        decision, note = _decided(at_work, one)
        changes.append(
            _Change(
                id=one.hunk.id,
                path=one.file.path_now,
                line=0 if one.file.is_whole else one.hunk.new[0] + 1,
                where=one.file.where(one.hunk),
                risk=one.file.risks.get(one.hunk.id),
                decision=decision,
                note=note,
                diff=one.file.diff(one.hunk),
            )
        )
    ids = {one.id for one in changes}
    for gone in at_work.review.taken_back:
        if gone.id not in ids and not gone.waiting:
            back, why = Decision.TAKE_BACK, gone.because
            changes.append(_Change(id=gone.id, path=gone.path, line=gone.line, decision=back, note=why))
    since, label = at_work.tree.checkpoint.id, at_work.tree.checkpoint.label
    return _Export(since=since, label=label, split=at_work.review.split, changes=tuple(changes))


def _patch(at_work: Reviewing) -> Iterator[str]:
    """Yield the differences of the files, without what is decided to be reverted.

    A patch is in UTF-8: of files that are not, it says that they are left out, in lines that git passes over.
    """
    waiting = at_work.waiting()
    for file in at_work.named:
        ids = [hunk.id for hunk in file.hunks if hunk.id in waiting]
        if not _is_utf_8(file):
            yield f"# left out, for it is not plain UTF-8: {visible_line(file.path_now)}\n"
        else:
            yield file.diff_without(ids)


def _is_utf_8(file: FileChanges) -> bool:
    contents = [state.content for state in (file.old, file.new) if state is not None]
    try:
        texts = [content.decode() for content in contents]
    except UnicodeDecodeError:
        return False
    return not any(text.startswith("\ufeff") or "\0" in text for text in texts)


def _markdown(at_work: Reviewing) -> Iterator[str]:
    checkpoint = at_work.tree.checkpoint
    yield f"# Changes since {markdown(checkpoint.label or checkpoint.id)}\n\n"
    yield f"{at_work.review.tally(at_work.files)}.\n"
    for file in at_work.named:
        yield f"\n## {markdown(file.path_now)}\n"
        for note in file.notes if file.is_whole else ():
            yield f"\n{markdown(note)}\n"
        yield from _changes_in_markdown(at_work, file)
    back = [one for one in at_work.review.taken_back if not one.waiting]
    if back:
        yield "\n## Reverted\n\n"
    for one in back:
        place = f"{one.path}, line {one.line}" if one.line else one.path
        yield f"- {markdown(place)}{_note(one.because)}\n"


def _changes_in_markdown(at_work: Reviewing, file: FileChanges) -> Iterator[str]:
    for hunk in file.hunks:
        decision, note = _decided(at_work, ListedChange(file, hunk))
        where = file.where(hunk).removeprefix("in ")
        said = "to be reverted" if decision is Decision.TAKE_BACK else _SAID[decision]
        risk = f", {NO_LONGER_PARSES}" if file.risks.get(hunk.id) is Risk.UNPARSABLE else ""
        place = "The file as a whole" if file.is_whole else f"Line {hunk.new[0] + 1}"
        named = f" in {markdown(where)}" if where else ""
        diff = file.diff(hunk)
        fence = "`" * max(3, *(len(run) + 1 for run in ("", *_TICKS.findall(diff))))
        yield f"\n{place}{named}: **{said}**{risk}{_note(note)}\n\n{fence}diff\n"
        yield diff.rstrip("\n") + f"\n{fence}\n"


def _note(text: str) -> str:
    return f" – {markdown(text)}" if text else ""
