"""Results in words, for a model: what became of each edit, and what to do about those that were refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timezone
from pathlib import Path

from patchpoint.checkpoints.diff import FileDifference
from patchpoint.checkpoints.record.checkpoint import Checkpoint
from patchpoint.checkpoints.record.turns import Turn, turns_of
from patchpoint.checkpoints.restore.prepare import Restored
from patchpoint.headless.result import ApplyResult
from patchpoint.headless.undo import Undone, said_of
from patchpoint.mcp.tools.results import OperationDone, kept_by
from patchpoint.outcome import Outcome, Rung, Status, percent
from patchpoint.schema.checkpoints import shown_path
from patchpoint.schema.edits import reading_remark
from patchpoint.wording import ago, plural

_WORDS = {
    Status.MATCHED: "would be applied",
    Status.ALREADY_APPLIED: "already there",
    Status.NOT_FOUND: "not found",
    Status.HELD: "held back",
}
_SHOWN_PATHS = 50
_SHOWN_FILES = 5


def edits_in_words(done: ApplyResult) -> str:
    """Return what became of each edit, with the difference of a preview."""
    lines = [line for outcome in done.outcomes for line in _edit(done, outcome)]
    if done.dry_run:
        lines += [done.diff(change).rstrip("\n") for change in done.changes]
    elif done.application is None and not done.changes:
        lines.append("No file was changed.")
    lines += done.warnings
    remark = reading_remark(done.turn, done.unplaced)
    lines += [f"{remark[0].upper()}{remark[1:]}."] if remark else []
    lines += [f"Not read as an edit: {one.message}" for one in done.unplaced]
    if done.application is not None and not done.reverting:
        lines.append(f"revert_edits with application {done.application.id} reverts this.")
    for taken in (one for one in done.checkpoints if one.holds_changed):
        lines.append(f"Checkpoint {taken.checkpoint.id} of {taken.root} has the files as they were before.")
    return "\n".join(lines)


def checkpoints_in_words(found: Sequence[Checkpoint]) -> str:
    """Return one line for each checkpoint."""
    now = datetime.now(timezone.utc)
    turns = turns_of(found)
    lines = [
        " ".join((one.id, ago(one.created_at, now), plural(one.files, "file"), *_named(one, turns[one.id])))
        for one in found
    ]
    return "\n".join(lines) or "No checkpoints."


def _named(checkpoint: Checkpoint, turn: Turn) -> Iterator[str]:
    """Yield what a checkpoint is called, and its session, turn and prompt where it has them."""
    if checkpoint.label:
        yield checkpoint.label
    if checkpoint.session is not None:
        of_turn = f", turn {turn.name}" if turn.name is not None else ""
        asked = f": {turn.prompt}" if turn.prompt not in (None, checkpoint.label) else ""
        yield f"(session {checkpoint.session}{of_turn}{asked})"


def operations_in_words(found: Sequence[OperationDone]) -> str:
    """Return one line for each operation."""
    now = datetime.now(timezone.utc)
    lines = [
        " ".join(
            filter(
                None,
                (
                    one.id,
                    f"{ago(one.at, now)}:",
                    f"{one.kind} {one.target or ''}".strip(),
                    one.label,
                    ", ".join(one.files[:_SHOWN_FILES]),
                    f"and {len(one.files) - _SHOWN_FILES} more" if len(one.files) > _SHOWN_FILES else "",
                    "(undone)" if one.undone else "",
                    f"(session {one.session})" if one.session else "(the user)",
                ),
            )
        )
        for one in found
    ]
    return "\n".join(lines) or "Nothing was done here yet."


def undone_in_words(done: Undone) -> str:
    """Return what was undone or redone, or would be."""
    verb = done.kind.value
    said = f"{said_of(done.operation, done.root)} (operation {done.operation.id})"
    past = "Redone" if verb == "redo" else "Undone"
    lines = [f"Would {verb}: {said}" if done.dry_run else f"{past}: {said}"]
    lines += [f"{mark} {path}" for mark, path in done.files[:_SHOWN_PATHS]]
    if len(done.files) > _SHOWN_PATHS:
        lines.append(f"and {len(done.files) - _SHOWN_PATHS} more")
    if done.restored is not None:
        lines += [f"left as it is: {left}" for left in kept_by(done.restored, done.root)]
    for one in done.passed:
        whose = f"session {one.cause.session}" if one.cause.session else "the user"
        lines.append(f"stays: {said_of(one, done.root)}, by {whose} (operation {one.id})")
    return "\n".join(lines)


def differences_in_words(found: Sequence[FileDifference]) -> str:
    """Return a unified diff of all files."""
    return "".join(one.diff for one in found) or "No differences."


def restored_in_words(done: Restored, root: Path) -> str:
    """Return what a restore did below `root` and in other repositories, or would do."""
    parts = done.parts(root)
    written, deleted = sum(len(one.written) for _, one in parts), sum(len(one.deleted) for _, one in parts)
    lines = [f"Restored: {plural(written, 'file')} written, {deleted} deleted."]
    if done.dry_run:
        lines = [f"A restore would write {plural(written, 'file')} and delete {deleted}."]
    listed: dict[str, list[str]] = {"created": [], "overwritten": [], "deleted": [], "left as it is": []}
    for place, one in parts:
        for word, paths in (
            ("created", one.created),
            ("overwritten", one.overwritten),
            ("deleted", one.deleted),
        ):
            listed[word] += [shown_path(place / path, root) for path in paths]
        left = [f"{shown_path(place / each.path, root)} ({each.reason})" for each in one.kept]
        listed["left as it is"] += left
    for word, named in listed.items():
        lines += [f"{word}: {path}" for path in named[:_SHOWN_PATHS]]
        if len(named) > _SHOWN_PATHS:
            lines.append(f"and {len(named) - _SHOWN_PATHS} more")
    if done.safety is not None:
        lines.append(f"Checkpoint {done.safety.id} has the files as they were before; undo undoes this.")
    return "\n".join(lines)


def _edit(done: ApplyResult, outcome: Outcome) -> Iterator[str]:
    place = outcome.path or "(no path)"
    table = done.table_before(outcome.path)
    if table is not None and outcome.span is not None:
        place = f"{place}:{table.line_of(outcome.span[0]) + 1}"
    word = _WORDS.get(outcome.status, outcome.status.value)
    yield f"Edit {outcome.index + 1}, {place}: {word}{_how(outcome)}"
    yield from outcome.notes
    if not outcome.matched and outcome.status is not Status.ALREADY_APPLIED:
        yield f"{outcome.feedback or outcome.message}\n"


def _how(outcome: Outcome) -> str:
    if outcome.rung is None or outcome.rung is Rung.EXACT:
        return ""
    if outcome.rung is Rung.SIMILARITY and outcome.similarity is not None:
        return f" (found by similarity, {percent(outcome.similarity)} %)"
    return f" (found by {outcome.rung.value})"
