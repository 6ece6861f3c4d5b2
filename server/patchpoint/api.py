"""The library's functions on texts in memory. No file is read or written.

`apply_edit` replaces one search text; `apply_edits` applies everything that a model wrote. Working trees are
recorded and restored by `patchpoint.CheckpointStore`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Mapping, Sequence

from patchpoint.dataclass import dataclass, field
from patchpoint.dataclass import replace as changed
from patchpoint.edit import (
    ONLY_TURN,
    SHOWN,
    Edit,
    Format,
    Malformed,
    Operation,
    Side,
    Target,
    TargetKind,
    TurnRead,
    Unplaced,
)
from patchpoint.formats import parse_edits
from patchpoint.formats.answer import LAST_TURN, reader_of
from patchpoint.formats.instructions import form_to_send, no_edit_feedback
from patchpoint.locate.ladder import Ladder
from patchpoint.outcome import Atomic, Outcome, Proposal, Status
from patchpoint.patching.answers.feedback import answer_feedback
from patchpoint.patching.answers.open_proposals import proposed_after
from patchpoint.patching.answers.pieces import is_for_any, to_be_placed, with_placed
from patchpoint.patching.answers.placing import place
from patchpoint.patching.answers.wholeness import whole
from patchpoint.patching.feedback import request_feedback
from patchpoint.patching.plan import Item, Plan, PlannedChange, Refused, plan_edits, with_stale_held
from patchpoint.patching.proposal import Accepted
from patchpoint.patching.resolve import resolve_edit
from patchpoint.paths.executing import executed_by, obeyed_by, starts_programs
from patchpoint.paths.repositories import repositories_among
from patchpoint.paths.rules import folded_name, lexical_problem
from patchpoint.paths.search import files_meant
from patchpoint.text.file_operation import FileOperation

_COULD_MEAN = "{!r} could mean {}; write the whole path"
_SIDES = {"replace": Side.INSTEAD, "before": Side.BEFORE, "after": Side.AFTER}


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
    path: str = "",
) -> Outcome:
    """Replace `search` by `replace` in `text` and return the outcome; `Outcome.text` is the new text.

    `occurrence` and `line` (both count from 1) and `scope` (names of enclosing definitions, outermost first)
    choose among several places. `ladder` says which rungs may be used and how similar a place must be. `path`
    names the file: an edit that is not found exactly is refused where a text of its language would no longer
    parse. Raises `TypeError` or `ValueError` for arguments of the wrong kind and for nothing else.
    """
    texts: tuple[tuple[str, object], ...] = (
        ("text", text),
        ("search", search),
        ("replace", replace),
        ("path", path),
    )
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
        path=path,
        search=search,
        replace=replace,
        replace_all=bool(replace_all),
        occurrence=occurrence,
        line=line,
        scope=tuple(scope),
    )
    outcome = resolve_edit(text, edit, ladder)
    return changed(outcome, status=Status.APPLIED) if outcome.status is Status.MATCHED else outcome


def edit_symbol(
    text: str, name: str, new: str, *, where: str = "replace", path: str, ladder: Ladder | None = None
) -> Outcome:
    """Replace the definition called `name` in `text` by `new`, or add it `"before"` or `"after"` that.

    `name` has the names of what is around it as far as they are needed (`method`, `Class.method`), `path` the
    name of the file, by which the language is known. Refused are a name that occurs twice, with the places as
    `candidates`, and what would not parse. Raises `TypeError` or `ValueError` for arguments of the wrong kind
    and for nothing else.
    """
    for one, value in (("text", text), ("name", name), ("new", new), ("path", path)):
        if not isinstance(value, str):
            raise TypeError(f"{one} must be a str, not {type(value).__name__}")
    if where not in _SIDES:
        raise ValueError(f"where must be one of {', '.join(_SIDES)}, not {where!r}")
    target = Target(kind=TargetKind.DEFINITION, name=name, side=_SIDES[where])
    edit = Edit(path=path, operation=Operation.PLACE, replace=new, target=target)
    outcome = resolve_edit(text, edit, ladder)
    return changed(outcome, status=Status.APPLIED) if outcome.status is Status.MATCHED else outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The result of a request: the files after it, and an outcome for each edit."""

    files: Mapping[str, str | None]
    """Every file that was given or created, by path; `None` for one that was deleted or moved."""
    outcomes: tuple[Outcome, ...]
    changes: tuple[PlannedChange, ...]
    """One change for each file that changed."""
    unplaced: tuple[Unplaced, ...] = ()
    """The fences of the answer that are no edits, each with what it looks like and what is missing, and the
    edits that are left alone, each with why."""
    turn: TurnRead = ONLY_TURN
    """Which answer of a conversation was read."""
    answer: str = field(default="", repr=False)
    """The text that was given; empty where edits were."""

    @property
    def ok(self) -> bool:
        """Whether there was an edit, and every edit was applied or had been before."""
        return bool(self.outcomes) and not request_feedback(self.outcomes)

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """What waits to be accepted: what edits would change that are not certain enough."""
        return tuple(one.proposal for one in self.outcomes if one.proposal is not None)

    @property
    def feedback(self) -> str:
        """What to send back to the model; empty where `ok`. Without any edit, it says how to write one."""
        if not self.outcomes:
            return no_edit_feedback(self.unplaced)
        if not self.answer:
            return request_feedback(self.outcomes)
        return answer_feedback(self.outcomes, self.unplaced, self.answer, form_to_send())


def apply_edits(
    files: Mapping[str, str],
    request: str | Sequence[Edit | Malformed],
    *,
    atomic: str = "all",
    ladder: Ladder | None = None,
    allow_executing_files: bool = False,
    turn: str = LAST_TURN,
    include: Collection[str] = (),
    accept: Collection[str] = (),
) -> Report:
    """Apply `request`, raw model output or edits, to `files` (path to text).

    An edit that names no file is meant for the only one, if there is only one; code that shows definitions,
    for the only one that has them. `atomic` says what one edit that does not match holds back: `"all"`, its
    `"file"`, or the `"edit"` alone. Of a conversation, the answer that `turn` tells is read: the `"last"` one
    with edits, `"all"`, or the one of that number. `include` has lines and names of edits to be made although
    they are left alone, or the answer itself speaks against them. `accept` has the ids of proposals to be
    made, of an earlier report on the same texts, or is `"all"`; where an id is none of a proposal, nothing
    is changed. Edits of files that start programs without
    being asked (`.envrc`, `.vscode/tasks.json`: see `patchpoint.paths.executing`) are refused unless
    `allow_executing_files` is set.
    Raises `TypeError` or `ValueError` for arguments of the wrong kind, a turn that is none, and for nothing
    else.
    """
    if not isinstance(files, Mapping):
        raise TypeError(f"files must be a mapping from path to text, not {type(files).__name__}")
    unplaced: tuple[Unplaced, ...] = ()
    read = ONLY_TURN
    if isinstance(request, str):
        edits, unplaced, read = _edits_of(request, files, ladder, turn, include)
    else:
        edits = list(request)
    if not all(isinstance(edit, (Edit, Malformed)) for edit in edits):
        raise TypeError("request must be a str or a sequence of Edit")
    there = {"/".join(path.split("/")[:end]) for path in files for end in range(1, path.count("/") + 2)}
    edits = [edit.with_known_path(there.__contains__) if isinstance(edit, Edit) else edit for edit in edits]
    here = _at_home(edits, files)
    longer = [_longer(edit, files) if isinstance(edit, Edit) and edit.may_be_part else edit for edit in here]
    made = {path for edit in longer if isinstance(edit, Edit) and (path := _made_by(edit))}
    items = [_named(edit, files, made) if isinstance(edit, Edit) else edit for edit in longer]
    items = _without_repositories(items, files, made)
    readers = {path: executed_by(path.split("/")) for path in (*files, *made)}
    plan: Plan | list[Item] = items
    while isinstance(plan, list):
        items = plan
        plan = plan_edits(
            items,
            files,
            atomic=Atomic(atomic),
            ladder=ladder,
            executing={path: starts_programs(one) for path, one in readers.items() if one is not None},
            obeyed={path: reader for path in readers if (reader := obeyed_by(path.split("/"))) is not None},
            remedy=None if allow_executing_files else "set allow_executing_files if its edits are meant",
            accept=Accepted.of(accept),
            is_last=False,
        )
        if isinstance(request, str):
            plan = whole(plan, items, unplaced, Atomic(atomic))
    plan = with_stale_held(plan, Accepted.of(accept))
    plan = proposed_after(plan, items, ladder)
    after: dict[str, str | None] = dict(files)
    for change in plan.changes:
        after[change.path] = None
    for change in plan.changes:
        if change.operation is not FileOperation.DELETE:
            after[change.new_path or change.path] = change.after
    outcomes = tuple(
        changed(outcome, status=Status.APPLIED) if outcome.status is Status.MATCHED else outcome
        for outcome in plan.outcomes
    )
    return Report(
        files=after,
        outcomes=outcomes,
        changes=plan.changes,
        unplaced=unplaced,
        turn=read,
        answer=request if isinstance(request, str) else "",
    )


def merge_lazy(text: str, answer: str, *, path: str) -> Outcome:
    """Merge code that shows only some definitions into the file's `text`, and return the outcome.

    `answer` is a model's answer, or the code alone; of the fences in it, those count that show code of the
    file at `path`, whose name says its language. `Outcome.text` is the merged file. Of several pieces, the
    first that is refused is the outcome. Raises `TypeError` for arguments of the wrong kind and for nothing
    else.
    """
    for name, value in (("text", text), ("answer", answer), ("path", path)):
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a str, not {type(value).__name__}")
    pieces = [item for item in parse_edits(answer, Format.LAZY.value, path=path) if isinstance(item, Edit)]
    pieces = [
        changed(piece, path=path)
        for piece in pieces
        if piece.path == path or files_meant(piece.path, (path,))[0]
    ]
    if not pieces:
        pieces = [
            Edit(
                path=path, operation=Operation.MERGE, replace=answer, format=Format.LAZY, may_be_cut_off=True
            )
        ]
    if len(pieces) == 1:
        outcome = resolve_edit(text, pieces[0])
        return changed(outcome, status=Status.APPLIED) if outcome.status is Status.MATCHED else outcome
    plan = plan_edits(pieces, {path: text})
    done = Status.ALREADY_APPLIED
    refused = [each for each in plan.outcomes if not each.matched and each.status is not done]
    if refused or not plan.changes:
        return next(iter(refused), plan.outcomes[0])
    splices = plan.changes[0].splices
    first = next(each for each in plan.outcomes if each.matched)
    return changed(
        first,
        status=Status.APPLIED,
        index=0,
        span=(splices[0].start, splices[-1].end),
        new_span=None,
        splices=splices,
        before=text,
        message=" ".join(each.message for each in plan.outcomes if each.matched),
    )


def _edits_of(
    request: str, files: Mapping[str, str], ladder: Ladder | None, turn: str, include: Collection[str]
) -> tuple[list[Edit | Malformed], tuple[Unplaced, ...], TurnRead]:
    """Return the edits of an answer, the fences that are none, and which answer of a conversation it is.

    Code that names no file is for the one file that has a place for it, if the answer has no other edits.
    """
    only = next(iter(files)) if len(files) == 1 else ""
    read = reader_of(request, turn=turn, include=include)
    answer = read("")
    is_clear = bool(answer.items) and not answer.unplaced and all(one.format in SHOWN for one in answer.items)
    given = answer if is_clear or not only else read(only)
    if not any(map(is_for_any, answer.unplaced)) and any(edit.format not in SHOWN for edit in given.items):
        return list(given.items), given.unplaced, given.turn
    if len(files) > _MOST_FILES:
        return list(answer.items), answer.unplaced, answer.turn
    if not answer.items:
        placing = place(answer.unplaced, files, ladder)
        is_more = len(placing.edits) > len(given.items)
        if not (only and given.items) or is_more or _in_doubt(placing.edits) < _in_doubt(given.items):
            return list(placing.edits), placing.left, answer.turn
        answer = given
    pieces = to_be_placed(answer.items, answer.unplaced)
    placing = place(pieces, files, ladder, named={item.path for item in answer.items})
    items, left = with_placed(answer.items, answer.unplaced, placing)
    return items, tuple(left), answer.turn


_MOST_FILES = 50


def _in_doubt(items: Sequence[Edit | Malformed]) -> int:
    """Return how many of the items are edits in doubt, or none at all; more than any where there are none."""
    return sum(not isinstance(item, Edit) or bool(item.doubt) for item in items) if items else _MOST_FILES


def _made_by(edit: Edit) -> str | None:
    """Return the path of the file that an edit creates, if it creates one."""
    if edit.operation is Operation.RENAME:
        return _normal(edit.new_path or "")
    unfounded = edit.operation is Operation.REPLACE and not edit.search and not edit.splits
    if unfounded or edit.operation in (Operation.CREATE, Operation.WRITE):
        return _normal(edit.path)
    return None


def _without_repositories(items: Sequence[Item], files: Mapping[str, str], made: set[str]) -> list[Item]:
    """Return the items, refused where they would make a folder a repository that git believes."""
    made = made.difference(files)
    names = {path: tuple(map(folded_name, path.split("/"))) for path in (*files, *made)}
    folders = repositories_among(names.values())

    def checked(item: Item) -> Item:
        for path in (item.path, item.new_path) if isinstance(item, Edit) else ():
            own = names.get(path or "", ())
            if path in made and isinstance(item, Edit) and any(own[: len(one)] == one for one in folders):
                return Refused(item, f"{path!r} would make a folder a repository; use another name")
        return item

    return [checked(item) for item in items]


def _named(edit: Edit, files: Mapping[str, str], made: set[str]) -> Item:
    """Return the edit with its paths as `files` spells them, or why it is refused."""
    for path in (edit.path, *([edit.new_path or ""] if edit.operation is Operation.RENAME else [])):
        problem = lexical_problem(path, edit.format is Format.TOOL_CALL or path in files)
        if problem is None and _normal(path).startswith(("../", "/..")):
            return Refused(edit, f"{path!r} leaves the folder; name a file inside it")
        if problem is not None:
            return Refused(edit, f"{path!r} {problem[1]}")
    if edit.new_path:
        edit = changed(edit, new_path=_spelt(edit.new_path, files))
    path = _spelt(edit.path, files)
    if path in files or path in made or edit.operation not in _SEARCHED:
        return changed(edit, path=path)
    meant, _ = files_meant(path, files)
    meant = meant or _behind_other_name(path, files)
    if len(meant) > 1:
        return Refused(edit, _COULD_MEAN.format(edit.path, ", ".join(sorted(meant))))
    return changed(
        edit,
        path=meant[0]
        if meant and (edit.search or edit.operation in (Operation.MERGE, Operation.PLACE))
        else path,
    )


def _at_home(edits: Sequence[Edit | Malformed], files: Mapping[str, str]) -> list[Item]:
    """Return the edits, with the files that paths of another machine mean."""
    if all(_spelt(edit.path, files) in files for edit in edits):
        return list(edits)
    from patchpoint.patching.answers.at_home import all_at_home
    from patchpoint.paths.elsewhere import meant_elsewhere

    return all_at_home(edits, files, files.get, meant_elsewhere)


def _longer(edit: Edit, files: Mapping[str, str]) -> Edit | Refused:
    """Return the edit for the one file whose path ends with its own, a repository's name in front or not.

    It is refused where several do, as it is on the disk: it may be for each of them.
    """
    path = _spelt(edit.path, files)
    if path in files or edit.path.startswith("./"):
        return edit
    meant = [file for file in files if file.endswith(f"/{path}")] or _behind_other_name(path, files)
    if len(meant) > 1:
        return Refused(edit, _COULD_MEAN.format(edit.path, ", ".join(sorted(meant))))
    return changed(edit, path=meant[0]) if meant else edit


def _behind_other_name(path: str, files: Mapping[str, str]) -> list[str]:
    """Return the file that a path means behind its first name, where no folder has that: a repository's."""
    name, _, rest = path.partition("/")
    is_folder = any(file.startswith(f"{name}/") for file in files)
    return [rest] if "/" in rest and rest in files and not is_folder else []


_SEARCHED = (Operation.REPLACE, Operation.BETWEEN, Operation.MERGE, Operation.PLACE)
"""Operations on a file that exists."""


def _spelt(path: str, files: Mapping[str, str]) -> str:
    return path if path in files else _normal(path)


def _normal(path: str) -> str:
    return posixpath.normpath(path.replace("\\", "/"))
