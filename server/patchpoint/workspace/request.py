"""A request against real folders: resolving its paths, reading its files, and planning its edits.

Everything that the plan needs is read here, the editor's buffers before the disk; nothing is written here.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass, field, replace
from patchpoint.edit import Edit, Format, Malformed, Operation
from patchpoint.filesystem.errors import FileError, MissingFileError
from patchpoint.filesystem.read import read_file
from patchpoint.outcome import Atomic, Reason
from patchpoint.patching.answers.wholeness import whole as whole_answer
from patchpoint.patching.pending import edit_id
from patchpoint.patching.plan import Refused, plan_edits, with_stale_held
from patchpoint.patching.proposal import NOTHING_ACCEPTED
from patchpoint.paths.executing import FilesToConfirm, obeyed_by, starts_programs
from patchpoint.paths.resolve import RefusedPath, ResolvedPath, refuse_repositories, resolve_path
from patchpoint.paths.rules import RefusalReason
from patchpoint.paths.search import list_files
from patchpoint.progress import Silent
from patchpoint.text.encoding import UnencodableError
from patchpoint.workspace.tool_scripts import scripts_of_tools

if TYPE_CHECKING:
    from patchpoint.edit import Unplaced
    from patchpoint.filesystem.read import FileText
    from patchpoint.locate.ladder import Ladder
    from patchpoint.outcome import Outcome
    from patchpoint.patching.plan import Item, Plan, PlannedChange
    from patchpoint.patching.proposal import Accepted
    from patchpoint.paths.search import FileListing
    from patchpoint.progress import Progress
    from patchpoint.text.lines import Span


_MOST_NAMED = 3

NOT_CONFIRMED = "edits of it need a confirmation, and nobody has confirmed"
"""The remedy that is given where the caller has no other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """The folders that a request may touch, and the buffers that an editor has open."""

    roots: tuple[Path, ...]
    buffers: Mapping[Path, str] = field(default_factory=dict)
    """The text of each open file, with unsaved changes, by its path."""
    documents: Mapping[str, str] = field(default_factory=dict)
    """The text of each open document that is not a file, by its URI."""
    outdated: frozenset[Path] = frozenset()
    """The files that are open with a text that is older than the disk's: they are read from the disk."""
    confirm: FilesToConfirm = field(default_factory=FilesToConfirm)
    """The files that start programs, beyond those that are known by their names."""

    @property
    def open_files(self) -> frozenset[Path]:
        """All files that an editor has open."""
        return self.outdated.union(self.buffers)


@dataclass(frozen=True, slots=True, kw_only=True)
class EditTarget:
    """A file or document that a request edits."""

    name: str
    """The name that messages use: the path below the workspace folder, or the URI of a document."""
    resolved: ResolvedPath | None
    """The resolved path; `None` for a document that is not a file."""
    text: str | None
    """The text that edits are located in; `None` if the file does not exist."""
    disk: FileText | None
    """The file on disk, if there is one that can be read."""
    is_open: bool
    """Whether `text` is an editor's buffer."""

    @property
    def place(self) -> str:
        """The absolute path of a file, or the URI of a document that is not one."""
        return str(self.resolved.path) if self.resolved is not None else self.name

    @property
    def is_dirty(self) -> bool:
        """Whether the buffer differs from the disk."""
        return self.is_open and (self.disk is None or self.disk.text != self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedRequest:
    """Edits with resolved paths: `items` name files by the keys of `targets`."""

    items: tuple[Item, ...]
    targets: Mapping[str, EditTarget]
    notes: Mapping[int, tuple[str, ...]]
    """Remarks for the user on how a path was read, by index of the edit."""
    originals: Mapping[str, bytes] = field(default_factory=dict)
    """The exact bytes of files that a revert creates again, by absolute path; other new files are UTF-8."""
    roots: tuple[Path, ...] = ()
    """The workspace folders in which files were looked for."""
    confirm: FilesToConfirm = field(default_factory=FilesToConfirm)
    scripts: Mapping[str, str] = field(default_factory=dict)
    """The targets that a configuration of a tool runs, by name, each with who does (see `tool_scripts`)."""

    @property
    def executing(self) -> dict[str, str]:
        """The targets whose edits need a confirmation, by name, each with why (see `paths.executing`)."""
        scripts = {name: starts_programs(reader) for name, reader in self.scripts.items()}
        return {**scripts, **self._read_by(self.confirm.why)}

    @property
    def obeyed(self) -> dict[str, str]:
        """The targets that agents take their orders from, by name, each with who does."""
        return self._read_by(lambda path: obeyed_by(path.parts))

    def _read_by(self, reader_of: Callable[[Path], str | None]) -> dict[str, str]:
        found = {}
        for name, target in self.targets.items():
            resolved = target.resolved
            if resolved is None:
                continue
            places = dict.fromkeys((resolved.path, resolved.place, resolved.target))  # mostly one
            reader = next((reader for one in places if (reader := reader_of(one)) is not None), None)
            if reader is not None:
                found[name] = reader
        return found

    def edit_at(self, index: int) -> Edit | Malformed:
        """Return the edit of that index; its path is the name of a target, if it has one."""
        item = self.items[index]
        return item.edit if isinstance(item, Refused) else item

    def diff(self, change: PlannedChange) -> str:
        """Return the unified diff of the change of one of the targets."""
        from patchpoint.text.unified_diff import unified_diff

        paths = change.path, change.new_path
        disk = self.targets[change.path].disk
        mode = disk.mode if disk is not None else None
        return unified_diff(change.before, change.after, *paths, mode=mode, new_mode=change.mode)

    def place_of(self, name: str) -> str:
        """Return the `place` of the target called `name`, or `name` itself if there is no such target."""
        target = self.targets.get(name)
        return target.place if target is not None else name

    def id_of(self, index: int) -> str:
        """Return the id of the edit of that index: the same whenever the same edit is requested again."""
        edit = self.edit_at(index)
        if isinstance(edit, Malformed):
            edit = Edit(path=edit.path, search=edit.message, line=edit.line)
        return edit_id(self.place_of(edit.path), edit)


def to_be_confirmed(files: Mapping[str, str]) -> str:
    """Return the question whether to apply edits of `files`, which are by name, each with its `why`."""
    named = "; ".join(f"{name} {why}" for name, why in sorted(files.items()))
    return f"Apply edits that need your confirmation? {named}."


def read_request(
    edits: Sequence[Edit | Malformed],
    workspace: Workspace,
    *,
    base: Path | None = None,
    originals: Mapping[str, bytes] | None = None,
    progress: Progress | None = None,
) -> ResolvedRequest:
    """Resolve the paths of `edits` (first from the folder `base`) and read the files that they mean.

    An edit whose path or file may not be touched becomes `Refused`, with the reason. Raises `CancelledError`
    through `progress`.
    """
    reading = _Reading(workspace, base)
    edits = [edit.with_known_path(reading.has) if isinstance(edit, Edit) else edit for edit in edits]
    here: Sequence[Item] = edits
    if not all(reading.has(edit.path) for edit in edits if isinstance(edit, Edit)):
        from patchpoint.workspace.elsewhere import all_in_folders

        here = all_in_folders(edits, workspace.roots, workspace.buffers, reading.list_files, base)
    for edit in here:
        if isinstance(edit, Edit):
            reading.announce(edit)
    items: list[Item] = []
    notes: dict[int, tuple[str, ...]] = {}
    for index, edit in enumerate(here):
        (progress or Silent()).check()
        if not isinstance(edit, Edit):
            items.append(edit)
            continue
        item, remarks = reading.read(edit)
        items.append(item)
        if remarks:
            notes[index] = remarks
    items = _without_repositories(items, reading.targets)
    return ResolvedRequest(
        items=tuple(items),
        targets=reading.targets,
        notes=notes,
        originals=originals or {},
        roots=workspace.roots,
        confirm=workspace.confirm,
        scripts=scripts_of_tools(
            items,
            {
                name: (target.resolved.path, target.text or "")
                for name, target in reading.targets.items()
                if target.resolved is not None
            },
            workspace.roots,
        ),
    )


def plan_request(
    request: ResolvedRequest,
    *,
    atomic: Atomic = Atomic.ALL,
    ladder: Ladder | None = None,
    chosen: Mapping[int, Span] | None = None,
    whole: Container[int] = (),
    placed: Container[int] = (),
    without: Container[int] = (),
    accept: Accepted = NOTHING_ACCEPTED,
    remedy: str | None = NOT_CONFIRMED,
    unplaced: Sequence[Unplaced] | None = None,
    progress: Progress | None = None,
) -> Plan:
    """Plan a request; all changes of the plan can be written in their files' encodings.

    `chosen`, `whole`, `placed`, `without` and `accept` are as in `patchpoint.patching.plan.plan_edits`. Edits
    of files that start programs are refused, `remedy` being the end of a sentence that says how to confirm
    them; `None` confirms them. Of a request that is all of an answer, `unplaced` is the code without a place,
    which may be missing (see `patchpoint.patching.answers.wholeness`).
    """
    texts = {name: target.text for name, target in request.targets.items() if target.text is not None}
    items = list(request.items)
    while True:
        plan = plan_edits(
            items,
            texts,
            atomic=atomic,
            ladder=ladder,
            chosen=chosen,
            whole=whole,
            placed=placed,
            without=without,
            accept=accept,
            executing=request.executing,
            obeyed=request.obeyed,
            remedy=remedy,
            progress=progress,
            is_last=False,
        )
        refused = _unencodable(plan, request, items)
        if not refused:
            made = plan if unplaced is None else whole_answer(plan, items, unplaced, atomic, chosen or ())
            if isinstance(made, list):
                items = made
                continue
            plan = with_stale_held(made, accept)
            outcomes = tuple(_with_notes(outcome, request) for outcome in plan.outcomes)
            return replace(plan, outcomes=outcomes)
        for index, item in refused.items():
            items[index] = item


@dataclass(slots=True)
class _Reading:
    """The targets of one request, collected while its paths are resolved and its files are read."""

    workspace: Workspace
    base: Path | None
    targets: dict[str, EditTarget] = field(default_factory=dict)
    list_files: Callable[[Path], FileListing] = field(default_factory=lambda: cache(list_files))
    _names: dict[Path, str] = field(default_factory=dict)
    _announced: dict[str, ResolvedPath] = field(default_factory=dict)
    _refusals: dict[str, str] = field(default_factory=dict)

    def has(self, path: str) -> bool:
        """Return whether a relative path is that of a file which is there, or of a folder."""
        found = resolve_path(path, self.workspace.roots, base=self.base, open_files=self.workspace.open_files)
        return isinstance(found, ResolvedPath) or found.reason is RefusalReason.FOLDER

    def announce(self, edit: Edit) -> None:
        """Remember the files that the request itself creates, so that its other edits can name them."""
        created = edit.new_path if edit.operation is Operation.RENAME else edit.path
        if created and _may_create(edit):
            resolved = self._resolve(created, edit, may_be_missing=True)
            if isinstance(resolved, ResolvedPath):
                self._announced.setdefault(created, resolved)

    def read(self, edit: Edit) -> tuple[Item, tuple[str, ...]]:
        """Return the edit with the names of its targets, and remarks on how their paths were read."""
        if edit.path in self.workspace.documents:
            return self._read_document(edit), ()
        resolved = self._find(edit)
        if isinstance(resolved, RefusedPath):
            return Refused(edit, resolved.message), ()
        target, problem = self._target(resolved)
        edit, notes = replace(edit, path=target.name), resolved.notes
        if problem:
            return Refused(edit, problem), notes
        if edit.operation is Operation.RENAME:
            moved = self._resolve(edit.new_path or "", edit, may_be_missing=True)
            if isinstance(moved, RefusedPath):
                return Refused(edit, moved.message), notes
            destination, problem = self._destination(moved, resolved)
            if problem:
                return Refused(edit, problem), notes
            edit = replace(edit, new_path=destination.name)
            notes += moved.notes
        return edit, notes

    def _find(self, edit: Edit) -> ResolvedPath | RefusedPath:
        if edit.path in self._announced:
            return self._announced[edit.path]
        if _may_create(edit) and edit.operation is not Operation.RENAME:
            return self._resolve(edit.path, edit, may_be_missing=True)
        searched = edit.operation in (Operation.REPLACE, Operation.BETWEEN, Operation.MERGE, Operation.PLACE)
        found = self._resolve(edit.path, edit, may_be_misspelt=searched)
        if isinstance(found, RefusedPath) and found.reason is RefusalReason.NOT_FOUND:
            # The plan needs the place of the missing file, to report that it is missing.
            return self._resolve(edit.path, edit, may_be_missing=True)
        return found

    def _resolve(
        self, written: str, edit: Edit, *, may_be_missing: bool = False, may_be_misspelt: bool = False
    ) -> ResolvedPath | RefusedPath:
        return resolve_path(
            written,
            self.workspace.roots,
            base=self.base,
            absolute_allowed=edit.format in (Format.TOOL_CALL, Format.REQUEST),
            may_be_missing=may_be_missing,
            may_be_misspelt=may_be_misspelt,
            may_be_shortened=may_be_missing and edit.may_be_part,
            open_files=self.workspace.open_files,
            list_files=self.list_files,
        )

    def _target(self, resolved: ResolvedPath) -> tuple[EditTarget, str]:
        """Return the target at a path, which is read once, and why it may not be edited, if it may not."""
        # A renamed link is a target of its own, not the file that it points to; an edited one is that file.
        name = self._names.get(resolved.target)
        if name is None:
            name = self._name(resolved)
            self._names[resolved.target] = name
            self.targets[name], self._refusals[name] = self._read_file(name, resolved)
        return self.targets[name], self._refusals[name]

    def _destination(self, moved: ResolvedPath, source: ResolvedPath) -> tuple[EditTarget, str]:
        """Return the target that a file is moved to: where only the spelling changes, there is none yet."""
        if moved.place != source.place or not moved.other_spelling:
            return self._target(moved)
        name = moved.other_spelling
        relative = PurePosixPath(moved.relative).with_name(name).as_posix()
        path, place = moved.path.with_name(name), moved.place.with_name(name)
        respelled = replace(moved, relative=relative, path=path, place=place, target=place, exists=False)
        named = self._name(respelled)
        self.targets[named] = EditTarget(name=named, resolved=respelled, text=None, disk=None, is_open=False)
        return self.targets[named], ""

    def _name(self, resolved: ResolvedPath) -> str:
        if len(self.workspace.roots) == 1:
            return resolved.relative
        name = f"{resolved.root.name}/{resolved.relative}"
        return name if name not in self.targets else str(resolved.path)

    def _read_file(self, name: str, resolved: ResolvedPath) -> tuple[EditTarget, str]:
        buffers = self.workspace.buffers
        buffer = next((buffers[p] for p in (resolved.path, resolved.target) if p in buffers), None)
        disk, problem = None, ""
        try:
            disk = read_file(resolved.target)
        except MissingFileError:
            pass
        except FileError as error:
            # An editor may have a buffer of a file that cannot be read here; only the buffer is changed then.
            problem = "" if buffer is not None else f"{name} {error.problem}"
        text = buffer if buffer is not None else (disk.text if disk else None)
        is_open = buffer is not None
        return EditTarget(name=name, resolved=resolved, text=text, disk=disk, is_open=is_open), problem

    def _read_document(self, edit: Edit) -> Item:
        uri = edit.path
        if edit.operation in (Operation.RENAME, Operation.DELETE, Operation.CHMOD):
            problem = "is not a file on disk; it can only be edited, not renamed, deleted or made executable."
            return Refused(edit, f"{uri} {problem}")
        if uri not in self.targets:
            text = self.workspace.documents[uri]
            self.targets[uri] = EditTarget(name=uri, resolved=None, text=text, disk=None, is_open=True)
        return edit


def _without_repositories(items: Sequence[Item], targets: Mapping[str, EditTarget]) -> list[Item]:
    """Return the items, refused where the request as a whole would make a folder a repository."""
    new: dict[str, ResolvedPath] = {}
    for item in items:
        if isinstance(item, Edit) and _may_create(item):
            name = (item.new_path or "") if item.operation is Operation.RENAME else item.path
            resolved = targets[name].resolved
            if resolved is not None and not resolved.exists:
                new[name] = resolved
    refused = refuse_repositories(list(new.values()))
    why = {name: refused[one.path].message for name, one in new.items() if one.path in refused}

    def checked(item: Item) -> Item:
        names = (item.path, item.new_path) if isinstance(item, Edit) else ()
        found = next((why[name] for name in names if name in why), None)
        return Refused(item, found) if isinstance(item, Edit) and found is not None else item

    return [checked(item) for item in items]


def _may_create(edit: Edit) -> bool:
    """Return whether the edit can create the file of its path (or of its new path)."""
    if edit.operation is Operation.REPLACE:
        return not edit.search and not edit.splits
    return edit.operation in (Operation.CREATE, Operation.WRITE, Operation.RENAME)


def _unencodable(plan: Plan, request: ResolvedRequest, items: Sequence[Item]) -> dict[int, Refused]:
    refused: dict[int, Refused] = {}
    for change in plan.changes:
        target = request.targets.get(change.path)
        if change.after is None or target is None or target.disk is None:
            continue
        try:
            target.disk.encoded(change.after)
        except UnencodableError as error:
            for index in change.edits:
                item = items[index]
                if isinstance(item, Edit):
                    refused[index] = Refused(item, f"{change.path}: {error}")
    return refused


def _with_notes(outcome: Outcome, request: ResolvedRequest) -> Outcome:
    notes = request.notes.get(outcome.index, ())
    if outcome.reason is Reason.FILE_MISSING and request.roots:
        searched = " and ".join(map(str, request.roots[:_MOST_NAMED]))
        outcome = replace(outcome, message=f"{outcome.message} Searched {searched}.")
    return replace(outcome, notes=(*notes, *outcome.notes)) if notes else outcome
