"""The plan of a request: outcomes and new texts, decided before anything is written.

`patchpoint.patching.combine` combines several edits of one text; this module adds the operations on files as
such (create, write whole, delete, rename, mode) and holds back edits that must be applied all or none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence

from patchpoint.dataclass import dataclass, field, replace
from patchpoint.edit import (
    Edit,
    Malformed,
    ObjectionCode,
    Operation,
    Side,
    contains_replacement,
    is_deletion_of,
    is_of_whole_file,
)
from patchpoint.locate.effort import SEARCHES, Effort
from patchpoint.locate.ladder import Ladder
from patchpoint.locate.source import Sources
from patchpoint.outcome import Atomic, Outcome, Reason, Status
from patchpoint.patching.combine import Combined, with_each_once
from patchpoint.patching.proposal import (
    NOTHING_ACCEPTED,
    Accepted,
    AcceptedEdits,
    file_change_proposed,
    held,
    without_stale,
)
from patchpoint.patching.reasons import edits_named, refusal, sentence
from patchpoint.patching.resolve import resolve_edit
from patchpoint.patching.syntax_guard import combine_guarded
from patchpoint.progress import Progress, Silent
from patchpoint.structure.parse import TextBefore
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.line_endings import endings_of, with_ending
from patchpoint.text.lines import Span
from patchpoint.text.shown import reordering_notes
from patchpoint.text.splice import Splice, apply_splices


@dataclass(frozen=True, slots=True)
class Refused:
    """An edit that is refused before its place is looked for, and why."""

    edit: Edit
    message: str
    reason: Reason = Reason.FORBIDDEN
    """`FORBIDDEN` where the path or the file may not be touched, `STALE` where the file has changed."""


Item = Edit | Malformed | Refused
_MADE = (Status.MATCHED, Status.ALREADY_APPLIED)
_VERBS = {
    Operation.WRITE: "write the whole of",
    Operation.DELETE: "delete",
    Operation.RENAME: "move",
    Operation.CHMOD: "mark",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedChange:
    """The change of one file, `splices` being the difference from `before` to `after`.

    `before` is `None` for a file that is created, `after` for one that is deleted; a mode alone may change.
    """

    path: str
    operation: FileOperation
    before: str | None
    after: str | None
    new_path: str | None = None
    mode: int | None = None
    splices: tuple[Splice, ...] = ()
    edits: tuple[int, ...] = ()
    """Indexes of the edits that make the change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The outcome of every edit, in the request's order, and the change of every file."""

    outcomes: tuple[Outcome, ...]
    changes: tuple[PlannedChange, ...]
    accepted: Mapping[int, str] = field(default_factory=dict)
    """The ids of the proposals that were accepted, by edit: a person has seen what they change."""


def plan_edits(
    items: Sequence[Item],
    files: Mapping[str, str],
    *,
    atomic: Atomic = Atomic.ALL,
    ladder: Ladder | None = None,
    chosen: Mapping[int, Span] | None = None,
    whole: Container[int] = (),
    placed: Container[int] = (),
    without: Container[int] = (),
    accept: Accepted = NOTHING_ACCEPTED,
    executing: Mapping[str, str] | None = None,
    obeyed: Mapping[str, str] | None = None,
    remedy: str | None = None,
    progress: Progress | None = None,
    effort: Effort | None = None,
    is_last: bool = True,
) -> Plan:
    """Decide what `items` do to `files`, in which a path that is missing is a file that does not exist.

    Paths of the edits are compared with the keys of `files` as they are: the caller has resolved them.
    `chosen` maps the index of an edit to the candidate that a person chose for it; those in `whole` replace
    all its lines. `placed` are the indexes of edits that were put at one of several places before: the other
    places are not meant, even where only one is left. Those in `without` were dropped: they are `HELD`, and
    hold nothing back. Proposals in `accept` are made; an id in it that is none of them holds everything back.
    `executing` are the files that need a confirmation, by path, each with why, as a predicate; without a
    `remedy`, the end of a sentence that says how to confirm their edits, those are confirmed. `obeyed` are
    those that agents take orders from. Outcomes that match are `MATCHED`, or `HELD` by `atomic`. `effort` is
    for several requests. All but the last plan are left to `with_stale_held`. Raises `CancelledError` by
    `progress`.
    """
    watch = progress or Silent()
    spent = effort or Effort((ladder or Ladder()).request_budget)
    sources = Sources(spent)
    accepted = AcceptedEdits(accept)

    def resolve(index: int, edit: Edit, text: str) -> Outcome:
        watch.check()
        at = chosen.get(index) if chosen else None
        if spent.is_spent:
            return refusal(Reason.TOO_MUCH, edit.path)
        source = sources.of(edit.path, text)
        spent.spend(len(text) // SEARCHES)
        outcome = resolve_edit(
            source, edit, ladder, chosen=at, whole=index in whole, progress=watch, guard=False
        )
        if index in placed and outcome.status is Status.MATCHED and contains_replacement(text, edit):
            where = f"in {edit.path}, at the place that was chosen"
            outcome = refusal(Reason.ALREADY_APPLIED, edit.path, where=where)
        # what is accepted to be removed is still, once what is next to it has gone
        is_removal = edit.target is not None and edit.target.side is Side.DELETED
        is_known = is_removal and index in accepted.ids
        if outcome.proposal is not None and (is_known or accepted.takes(index, outcome)):
            outcome = outcome.proposal.accepted
        return replace(outcome, path=edit.path)

    outcomes: dict[int, Outcome] = {}
    drafts: dict[str, _FileDraft] = {}
    together: dict[str, list[int]] = defaultdict(list)
    for index, item in enumerate(items):
        if index in without:
            outcomes[index] = Outcome(status=Status.HELD)
            continue
        if isinstance(item, Malformed):
            outcomes[index] = refusal(Reason.UNREADABLE, item.path, why=item.message)
            continue
        if isinstance(item, Refused):
            outcomes[index] = refusal(item.reason, item.edit.path, why=item.message)
            continue
        edit = _prepared(item, files, spent)
        if isinstance(edit, Outcome) and edit.proposal is not None and accepted.takes(index, edit):
            proposal, edit = edit.proposal, item
            if not is_of_whole_file(item, files):
                from patchpoint.patching.whole.whole_or_part import written_whole

                edit = written_whole(item, proposal.text)
        if isinstance(edit, Outcome):
            outcomes[index] = edit
            together[item.path].append(index)
            continue
        draft = drafts.setdefault(
            item.path, _FileDraft(item.path, files.get(item.path), files.get(item.path))
        )
        draft.edits.append((index, edit))
        together[draft.path].append(index)
        if edit.operation is Operation.RENAME and edit.new_path and edit.new_path not in files:
            drafts.setdefault(edit.new_path, draft)  # later edits may name the file by its new path
    distinct = list({id(draft): draft for draft in drafts.values()}.values())
    for draft in distinct:
        _decide_file(draft, files)
        _decide_text(draft, resolve, chosen or {}, accepted)
    _refuse_shared_destinations(distinct)
    for draft in distinct:
        _guard(draft, executing or {}, remedy, obeyed or {})
        outcomes.update(draft.outcomes)
    remarks = [(item.remark,) if isinstance(item, Edit) and item.remark else () for item in items]
    ordered = [
        replace(outcomes[index], index=index, notes=(*outcomes[index].notes, *remark))
        for index, remark in enumerate(remarks)
    ]
    every = [at for at in range(len(items)) if at not in without]
    groups = {Atomic.ALL: [every], Atomic.FILE: list(together.values()), Atomic.EDIT: []}
    asides = [at for at, item in enumerate(items) if isinstance(item, Edit) and item.is_aside]
    ordered = _held_back(ordered, groups[atomic], asides)
    changes = filter(None, (_change(draft, ordered) for draft in distinct))
    plan = Plan(outcomes=tuple(ordered), changes=tuple(changes), accepted=accepted.ids)
    return with_stale_held(plan, accept) if is_last else plan


def with_stale_held(plan: Plan, accept: Accepted) -> Plan:
    """Return a plan, which changes nothing where an id in `accept` is that of no proposal of it."""
    ids = accept.ids - set(plan.accepted.values())
    return replace(plan, outcomes=tuple(without_stale(plan.outcomes, ids)), changes=()) if ids else plan


_Resolve = Callable[[int, Edit, str], Outcome]


@dataclass
class _FileDraft:
    """One file while its edits are decided."""

    path: str
    before: str | None
    base: str | None
    """The text that edits are located in: that of the file, or what an edit writes whole."""
    edits: list[tuple[int, Edit]] = field(default_factory=list)
    outcomes: dict[int, Outcome] = field(default_factory=dict)
    whole: int | None = None
    """Index of the edit that writes the whole file."""
    new_path: str | None = None
    deleted: bool = False
    mode: int | None = None
    combined: Combined | None = None

    def refuse(self, index: int, edit: Edit, others: Iterable[int], verb: str) -> None:
        """Refuse an edit for which others do something else with its file."""
        named = edits_named(others)
        self.outcomes[index] = refusal(Reason.ALTERNATIVES, edit.path, others=named, verb=verb)


def _prepared(edit: Edit, files: Mapping[str, str], spent: Effort) -> Edit | Outcome:
    """Return an edit as it is to be made, or why it is none, before its place is looked for."""
    if edit.objection is not None:
        is_alternative = edit.objection.code is ObjectionCode.ALTERNATIVE
        reason = Reason.ONE_OF_SEVERAL if is_alternative else Reason.TAKEN_BACK
        why = f'"{edit.objection.words.rstrip(".")}"'
        return refusal(reason, edit.path, name=edit.objection.name, why=why)
    text = files.get(edit.path)
    if edit.doubt and is_of_whole_file(edit, files):
        return file_change_proposed(edit, text)
    if edit.operation in (Operation.CREATE, Operation.WRITE, Operation.MERGE):
        from patchpoint.patching.whole.whole_or_part import held_against_file

        return held_against_file(edit, text, spent)
    return edit


def _decide_file(draft: _FileDraft, files: Mapping[str, str]) -> None:
    """Decide every edit that creates, deletes, moves or marks the file as such."""
    asked: dict[int, tuple[Operation, object]] = {}
    for index, edit in draft.edits:
        kind = _kind(edit, draft.before)
        if kind is not None:
            is_whole = kind is Operation.WRITE
            asked[index] = kind, _content(edit, draft) if is_whole else (edit.new_path, edit.mode)
    for index, edit in draft.edits:
        kind, what = asked.get(index, (None, None))
        rivals = [other for other, (its, one) in asked.items() if its is kind and one != what]
        if kind is not None and rivals:
            draft.refuse(index, edit, rivals, f"{_VERBS[kind]} {edit.path}")
        elif kind is Operation.WRITE:
            draft.outcomes[index] = _write_whole(index, edit, draft)
        elif kind is not None:
            draft.outcomes[index] = _change_file(edit, draft, files)
    for index, edit in draft.edits if draft.deleted else ():
        if index not in draft.outcomes:
            others = [other for other, (its, _) in asked.items() if its is Operation.DELETE]
            draft.refuse(index, edit, others, f"delete {edit.path}")


def _kind(edit: Edit, before: str | None) -> Operation | None:
    """Return what an edit does to the file as such; `None` for one of its text."""
    if edit.operation is Operation.REPLACE and before is None and not edit.search and not edit.splits:
        return Operation.WRITE
    kind = Operation.WRITE if edit.operation is Operation.CREATE else edit.operation
    return kind if kind in _VERBS else None


def _write_whole(index: int, edit: Edit, draft: _FileDraft) -> Outcome:
    content = _content(edit, draft)
    current = None if draft.deleted else draft.base
    if current == content:
        return refusal(Reason.ALREADY_APPLIED, edit.path, where=f"made: {edit.path} has this content")
    # An editor may show an empty file as one empty line.
    if current not in (None, "", "\n", "\r\n") and edit.operation is not Operation.WRITE:
        why = "exists with different content; edit it, or ask to write the whole file"
        return refusal(Reason.FILE_EXISTS, edit.path, why=why)
    draft.base, draft.whole, draft.deleted = content, index, False
    draft.mode = edit.mode if edit.mode is not None else draft.mode
    outcome = _matched(edit, f"{edit.path} is {'created' if draft.before is None else 'written whole'}.")
    return replace(outcome, notes=reordering_notes(draft.before or "", (content,)))


def _content(edit: Edit, draft: _FileDraft) -> str:
    """Return the content that an edit writes whole."""
    content = edit.content if edit.content is not None else edit.replace
    if draft.before and "\r" not in content:
        # A model writes line feeds; the file keeps the endings that it has.
        content = with_ending(content, endings_of(draft.before).usual)
    return content


def _change_file(edit: Edit, draft: _FileDraft, files: Mapping[str, str]) -> Outcome:
    verb, target = _VERBS[edit.operation], edit.new_path or ""
    moved = f"made: {target} is in its place"
    if draft.base is None:
        if edit.operation is Operation.RENAME and target in files:
            return refusal(Reason.ALREADY_APPLIED, edit.path, where=moved)
        return refusal(Reason.FILE_MISSING, edit.path, remedy=f"check the path of what to {verb}")
    if edit.operation is Operation.DELETE:
        if not is_deletion_of(edit, draft.base):
            why = "has lines that this does not delete; review it"
            return refusal(Reason.FILE_EXISTS, edit.path, why=why)
        draft.deleted = True
        return _matched(edit, f"{edit.path} is deleted.")
    if edit.operation is Operation.CHMOD:
        draft.mode = edit.mode
        return _matched(edit, f"{edit.path} gets the mode {(edit.mode or 0) & 0o777:o}.")
    if target == edit.path:
        return refusal(Reason.ALREADY_APPLIED, edit.path, where=moved)
    if target in files:
        why = f"cannot be moved to {target}: that file already exists"
        return refusal(Reason.FILE_EXISTS, edit.path, why=why)
    draft.new_path = target
    return _matched(edit, f"{edit.path} is moved to {target}.")


def _decide_text(
    draft: _FileDraft, resolve: _Resolve, chosen: Container[int], accepted: AcceptedEdits
) -> None:
    """Decide every edit of the file's text."""
    edits = [(index, edit) for index, edit in draft.edits if index not in draft.outcomes]
    if draft.base is None:
        remedy = "check the path, or send the whole file to create it"
        draft.outcomes |= {
            index: refusal(Reason.FILE_MISSING, edit.path, remedy=remedy) for index, edit in edits
        }
        return
    if any(edit.target for _, edit in edits):
        from patchpoint.patching.named_places import shifted_numbers

        draft.outcomes |= shifted_numbers(edits, draft.base)
    for index, edit in edits if draft.whole is not None else ():
        # Code may show another version than the whole file of the same request.
        is_merged = edit.operation is Operation.MERGE and index not in draft.outcomes
        if is_merged and resolve(index, edit, draft.base).status is Status.MATCHED:
            draft.refuse(index, edit, [draft.whole or 0], f"write the whole of {draft.path}")
    edits = [(index, edit) for index, edit in edits if index not in draft.outcomes]
    if edits:
        edits = with_each_once(edits, draft.base)
        draft.combined = combine_guarded(edits, TextBefore(draft.path, draft.base), resolve, chosen, accepted)
        draft.outcomes.update(draft.combined.outcomes)


def _refuse_shared_destinations(drafts: Sequence[_FileDraft]) -> None:
    """Refuse moves to a path that another edit of the request moves to or creates."""
    claims: dict[str, list[_FileDraft]] = defaultdict(list)
    for draft in drafts:
        if draft.new_path is not None or (draft.before is None and draft.whole is not None):
            claims[draft.new_path or draft.path].append(draft)
    for path, claimants in claims.items():
        for draft in claimants if len(claimants) > 1 else ():
            others = [index for other in claimants if other is not draft for index, _ in other.edits]
            for index, edit in draft.edits:
                if edit.operation is Operation.RENAME and edit.new_path == path:
                    draft.refuse(index, edit, others, f"put a file at {path}, the new path of {edit.path}")
                    draft.new_path = None


_FOR_A_PERSON = "only a person can confirm an edit of it, so do not send it again"


def _guard(
    draft: _FileDraft, executing: Mapping[str, str], remedy: str | None, obeyed: Mapping[str, str]
) -> None:
    """Note what runs a file or takes it for orders; without a confirmation, refuse to change what is run."""
    paths = (draft.path, draft.new_path or draft.path)
    run = next((path for path in paths if path in executing), None)
    read = next((path for path in paths if path in obeyed), None)
    notes: tuple[str, ...] = (f"{run} {executing[run]}.",) if run is not None else ()
    notes += (
        (f"{read} is read by {obeyed[read]}: check what it tells them to do.",) if read is not None else ()
    )
    for index, outcome in draft.outcomes.items():
        if outcome.proposal is not None and run is not None and remedy is not None:
            proposal = replace(outcome.proposal, starts_programs=True)
            draft.outcomes[index] = replace(outcome, proposal=proposal)
        if outcome.status is not Status.MATCHED:
            continue
        if run is None or remedy is None:
            draft.outcomes[index] = replace(outcome, notes=(*outcome.notes, *notes))
            continue
        refused = refusal(Reason.EXECUTING, run, why=executing[run], remedy=remedy)
        # How to confirm it is no business of the model.
        feedback = sentence(Reason.EXECUTING, run, why=executing[run], remedy=_FOR_A_PERSON)
        draft.outcomes[index] = replace(refused, path=outcome.path, feedback=feedback)


def _held_back(
    outcomes: Sequence[Outcome], groups: Iterable[list[int]], asides: Container[int]
) -> list[Outcome]:
    """Return the outcomes, those of a group held back where one of it is not made that is no aside."""
    outcomes = list(outcomes)
    free = {at for at, one in enumerate(outcomes) if one.status is Status.PROPOSED and at in asides}
    for group in groups:
        blocking = [i for i in group if i not in free and outcomes[i].status not in _MADE]
        for index in group if blocking else ():
            if outcomes[index].status is Status.MATCHED:
                outcomes[index] = held(outcomes[index], blocking[0] + 1, outcomes[blocking[0]])
    return outcomes


def _change(draft: _FileDraft, outcomes: Sequence[Outcome]) -> PlannedChange | None:
    """Return the change of the file when every outcome that is still `MATCHED` is applied."""
    edits = tuple(index for index, _ in draft.edits if outcomes[index].status is Status.MATCHED)
    if not edits:
        return None
    path, new_path, after = draft.path, draft.new_path, None
    splices: tuple[Splice, ...] = ()
    operation = FileOperation.UPDATE if new_path is None else FileOperation.RENAME
    if draft.deleted:
        operation, new_path = FileOperation.DELETE, None
    else:
        assert draft.base is not None
        splices = draft.combined.splices if draft.combined else ()
        after = apply_splices(draft.base, splices)
        if draft.whole is not None:
            splices = (Splice(0, len(draft.before or ""), after),)
        if draft.before is None:
            operation, path, new_path = FileOperation.CREATE, new_path or path, None
    return PlannedChange(
        path=path,
        operation=operation,
        before=draft.before,
        after=after,
        new_path=new_path,
        mode=None if draft.deleted else draft.mode,
        splices=splices,
        edits=edits,
    )


def _matched(edit: Edit, message: str) -> Outcome:
    return Outcome(status=Status.MATCHED, path=edit.path, message=message, feedback=message)
