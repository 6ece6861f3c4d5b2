"""Requests and texts in, outcomes and new texts out: what a request does, decided before any of it is done.

`patchpoint.combine` says how several edits of one text go together; this module adds what happens to files as
such (create, write whole, delete, rename, mode) and holds back what must land whole or not at all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from patchpoint.combine import Combined, combine_edits
from patchpoint.edit import Edit, Malformed, Operation
from patchpoint.locate.ladder import Ladder
from patchpoint.outcome import Outcome, Status
from patchpoint.progress import Progress, Silent
from patchpoint.resolve import resolve_edit
from patchpoint.text.endings import endings_of, with_ending
from patchpoint.text.lines import Span, split_lines
from patchpoint.text.splices import Splice, apply_splices


class Atomic(str, Enum):
    """What stays undone when an edit of a request does not match; the values are the protocol's."""

    ALL = "all"
    """Everything."""
    FILE = "file"
    """The other edits of its file."""
    EDIT = "edit"
    """That edit alone."""


@dataclass(frozen=True, slots=True)
class Refused:
    """An edit whose path or file may not be touched, and why."""

    edit: Edit
    message: str


Item = Edit | Malformed | Refused


class FileOperation(str, Enum):
    """What becomes of a file; the values are the protocol's."""

    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"
    RENAME = "rename"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """What becomes of one file, `splices` being the change from `before` to `after`.

    `before` is `None` for a file that comes into being, `after` for one that goes. A renamed file may change
    its text as well; a mode alone may change.
    """

    path: str
    operation: FileOperation
    before: str | None
    after: str | None
    new_path: str | None = None
    mode: int | None = None
    splices: tuple[Splice, ...] = ()
    edits: tuple[int, ...] = ()
    """Indexes of the edits that make it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a request does: an outcome for every edit, in the request's order, and a change for every file."""

    outcomes: tuple[Outcome, ...]
    changes: tuple[FileChange, ...]


def plan_edits(
    items: Sequence[Item],
    files: Mapping[str, str],
    *,
    atomic: Atomic = Atomic.ALL,
    ladder: Ladder | None = None,
    chosen: Mapping[int, Span] | None = None,
    settled: Container[int] = (),
    progress: Progress | None = None,
) -> Plan:
    """Decide what `items` do to `files`, in which a path that is missing is a file that does not exist.

    Paths of the edits are compared with the keys of `files` as they are: whoever calls has resolved them.
    `chosen` maps the index of an edit to the candidate that a person chose for it. `settled` are the indexes
    of edits that were put at one of several places before: the other places are not meant, even where only
    one is left. Outcomes that match are `MATCHED`, or `HELD` where `atomic` keeps them from landing. Raises
    `CancelledError` through `progress`.
    """

    watch = progress or Silent()

    def resolve(index: int, edit: Edit, text: str) -> Outcome:
        watch.check()
        at = chosen.get(index) if chosen else None
        outcome = resolve_edit(text, edit, ladder, chosen=at, progress=watch)
        if index in settled and outcome.status is Status.MATCHED and replacement_stands(text, edit):
            message = f"It was put at the place in {edit.path} that was chosen for it."
            outcome = Outcome(status=Status.ALREADY_APPLIED, message=message, feedback=message)
        return replace(outcome, index=index, path=edit.path)

    outcomes: dict[int, Outcome] = {}
    drafts: dict[str, _Draft] = {}
    for index, item in enumerate(items):
        if isinstance(item, Edit):
            draft = _draft_of(item.path, drafts, files)
            draft.edits.append((index, item))
            if item.operation is Operation.RENAME and item.new_path and item.new_path not in files:
                drafts.setdefault(item.new_path, draft)  # later edits may name the file by its new path
        else:
            outcomes[index] = _unreadable(index, item)
    distinct = list({id(draft): draft for draft in drafts.values()}.values())
    for draft in distinct:
        _settle_file(draft, files)
        _settle_text(draft, resolve)
    _refuse_shared_destinations(distinct)
    for draft in distinct:
        outcomes.update(draft.outcomes)
    ordered = [outcomes[index] for index in range(len(items))]
    ordered = _held_back(ordered, [[i for i, _ in draft.edits] for draft in distinct], atomic)
    changes = [_change(draft, ordered) for draft in distinct]
    return Plan(outcomes=tuple(ordered), changes=tuple(change for change in changes if change is not None))


def replacement_stands(text: str, edit: Edit) -> bool:
    """Whether the lines that `edit` puts into a file are in its `text`, however they are indented."""
    lines = [line.strip() for line in split_lines(text)]
    wanted = [line.strip() for line in split_lines(edit.replace)]
    return any(lines[at : at + len(wanted)] == wanted for at in range(len(lines) - len(wanted) + 1))


_Resolve = Callable[[int, Edit, str], Outcome]


@dataclass(slots=True)
class _Draft:
    """One file while its edits are settled."""

    path: str
    before: str | None
    edits: list[tuple[int, Edit]] = field(default_factory=list)
    outcomes: dict[int, Outcome] = field(default_factory=dict)
    base: str | None = None
    """The text that edits are located in: what stands there, or what an edit of the request writes whole."""
    whole: int | None = None
    """The edit that writes the file whole."""
    new_path: str | None = None
    deleted: bool = False
    mode: int | None = None
    combined: Combined | None = None


def _draft_of(path: str, drafts: dict[str, _Draft], files: Mapping[str, str]) -> _Draft:
    if path not in drafts:
        drafts[path] = _Draft(path, files.get(path), base=files.get(path))
    return drafts[path]


def _settle_file(draft: _Draft, files: Mapping[str, str]) -> None:
    """Decide every edit that makes, removes, moves or marks the file as such."""
    seen: set[Operation] = set()
    for index, edit in draft.edits:
        if _writes_whole(edit, draft.before):
            status, message = _write_whole(index, edit, draft)
        elif edit.operation in (Operation.DELETE, Operation.RENAME, Operation.CHMOD):
            status, message = _change_file(edit, draft, files, again=edit.operation in seen)
            seen.add(edit.operation)
        else:
            continue
        draft.outcomes[index] = _outcome(index, edit, status, message)
    if draft.deleted:
        for index, edit in draft.edits:
            if index not in draft.outcomes:
                message = f"Another edit of this request deletes {edit.path}; send one of the two."
                draft.outcomes[index] = _outcome(index, edit, Status.CONFLICT, message)


def _writes_whole(edit: Edit, before: str | None) -> bool:
    if edit.operation is Operation.REPLACE:
        return before is None and not edit.search and not edit.splits
    return edit.operation in (Operation.CREATE, Operation.WRITE)


def _write_whole(index: int, edit: Edit, draft: _Draft) -> tuple[Status, str]:
    content = edit.content if edit.content is not None else edit.replace
    standing = None if draft.deleted else draft.base
    if draft.before and "\r" not in content:
        # A model writes line feeds; the file keeps the endings that it has.
        content = with_ending(content, endings_of(draft.before).usual)
    if standing == content:
        return Status.ALREADY_APPLIED, f"{edit.path} stands with exactly this content already."
    if draft.whole is not None:
        return (
            Status.CONFLICT,
            f"Another edit of this request writes {edit.path} whole; send one of the two.",
        )
    if standing and edit.operation is not Operation.WRITE:
        return Status.CONFLICT, (
            f"{edit.path} exists with other content; edit what stands there, or ask to write the whole file."
        )
    draft.base, draft.whole, draft.deleted = content, index, False
    draft.mode = edit.mode if edit.mode is not None else draft.mode
    return Status.MATCHED, f"{edit.path} is {'created' if draft.before is None else 'written whole'}."


def _change_file(edit: Edit, draft: _Draft, files: Mapping[str, str], *, again: bool) -> tuple[Status, str]:
    verb = {Operation.DELETE: "delete", Operation.RENAME: "move", Operation.CHMOD: "mark"}[edit.operation]
    target = edit.new_path or ""
    if again:
        return (
            Status.CONFLICT,
            f"Another edit of this request asks to {verb} {edit.path}; send one of the two.",
        )
    if draft.base is None:
        if edit.operation is Operation.RENAME and target in files:
            return Status.ALREADY_APPLIED, f"{edit.path} is gone and {target} stands: it was moved already."
        return Status.NOT_FOUND, f"There is no file {edit.path} to {verb}; check the path."
    if edit.operation is Operation.DELETE:
        if edit.content is not None and edit.content != draft.base:
            return (
                Status.CONFLICT,
                f"{edit.path} is no longer what was to be deleted; look at it first.",
            )
        draft.deleted = True
        return Status.MATCHED, f"{edit.path} is deleted."
    if edit.operation is Operation.CHMOD:
        draft.mode = edit.mode
        return Status.MATCHED, f"{edit.path} gets the mode {(edit.mode or 0) & 0o777:o}."
    if target == edit.path:
        return Status.ALREADY_APPLIED, f"{edit.path} is to be moved onto itself: there is nothing to do."
    if target in files:
        return Status.CONFLICT, f"{edit.path} cannot be moved to {target}, where another file stands."
    draft.new_path = target
    return Status.MATCHED, f"{edit.path} is moved to {target}."


def _settle_text(draft: _Draft, resolve: _Resolve) -> None:
    """Decide every edit of the file's text."""
    edits = [(index, edit) for index, edit in draft.edits if index not in draft.outcomes]
    if draft.base is None:
        for index, edit in edits:
            message = f"There is no file {edit.path}; check the path, or send the whole file to create it."
            draft.outcomes[index] = _outcome(index, edit, Status.NOT_FOUND, message)
    elif edits:
        draft.combined = combine_edits(edits, draft.base, resolve)
        draft.outcomes.update(draft.combined.outcomes)


def _refuse_shared_destinations(drafts: Sequence[_Draft]) -> None:
    """Refuse moves to a path that another edit of the request moves to or makes."""
    claims: dict[str, list[_Draft]] = defaultdict(list)
    for draft in drafts:
        if draft.new_path is not None:
            claims[draft.new_path].append(draft)
        elif draft.before is None and draft.whole is not None:
            claims[draft.path].append(draft)
    for path, claimants in claims.items():
        if len(claimants) == 1:
            continue
        for draft in claimants:
            for index, edit in draft.edits:
                if edit.operation is Operation.RENAME and edit.new_path == path:
                    message = f"{edit.path} cannot move to {path}: another edit puts a file there."
                    draft.outcomes[index] = _outcome(index, edit, Status.CONFLICT, message)
                    draft.new_path = None


def _held_back(outcomes: list[Outcome], files: list[list[int]], atomic: Atomic) -> list[Outcome]:
    groups = {Atomic.ALL: [list(range(len(outcomes)))], Atomic.FILE: files, Atomic.EDIT: []}[atomic]
    outcomes = list(outcomes)
    for group in groups:
        blocking = [i for i in group if outcomes[i].status not in (Status.MATCHED, Status.ALREADY_APPLIED)]
        for index in group if blocking else ():
            if outcomes[index].status is Status.MATCHED:
                why = f"It is held back because edit {blocking[0] + 1} of the request cannot be applied."
                said = f"{outcomes[index].message} {why}".strip()
                outcomes[index] = replace(outcomes[index], status=Status.HELD, message=said, feedback=said)
    return outcomes


def _change(draft: _Draft, outcomes: Sequence[Outcome]) -> FileChange | None:
    """What becomes of the file when every outcome that is still `MATCHED` lands."""
    edits = tuple(index for index, _ in draft.edits if outcomes[index].status is Status.MATCHED)
    if not edits:
        return None
    if draft.deleted:
        return FileChange(
            path=draft.path, operation=FileOperation.DELETE, before=draft.before, after=None, edits=edits
        )
    assert draft.base is not None
    splices = draft.combined.splices if draft.combined else ()
    after = apply_splices(draft.base, splices)
    if draft.whole is not None:
        splices = (Splice(0, len(draft.before or ""), after),)
    operation = FileOperation.UPDATE
    if draft.before is None:
        operation = FileOperation.CREATE
    elif draft.new_path is not None:
        operation = FileOperation.RENAME
    return FileChange(
        path=draft.path if draft.before is not None or draft.new_path is None else draft.new_path,
        operation=operation,
        before=draft.before,
        after=after,
        new_path=draft.new_path if operation is FileOperation.RENAME else None,
        mode=draft.mode,
        splices=splices,
        edits=edits,
    )


def _unreadable(index: int, item: Malformed | Refused) -> Outcome:
    if isinstance(item, Malformed):
        return Outcome(
            status=Status.MALFORMED, index=index, path=item.path, message=item.message, feedback=item.message
        )
    return _outcome(index, item.edit, Status.REJECTED, item.message)


def _outcome(index: int, edit: Edit, status: Status, message: str) -> Outcome:
    return Outcome(status=status, index=index, path=edit.path, message=message, feedback=message)
