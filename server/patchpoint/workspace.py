"""A request against real folders: which files it means, what stands in them, and what it does to them.

Everything the plan needs is read here, the editor's buffers before the disk; nothing is written here.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from patchpoint.edit import Edit, Format, Malformed, Operation
from patchpoint.files import FileError, FileText, MissingFileError, read_file
from patchpoint.locate.ladder import Ladder
from patchpoint.outcome import Outcome
from patchpoint.path_names import Refusal
from patchpoint.path_search import Listing, list_files
from patchpoint.paths import RefusedPath, ResolvedPath, resolve_path
from patchpoint.pending import edit_id
from patchpoint.plan import Atomic, Item, Plan, Refused, plan_edits
from patchpoint.progress import Progress, Silent
from patchpoint.text.encoding import UnencodableError
from patchpoint.text.lines import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """The folders that a request may touch, and what an editor holds open."""

    roots: tuple[Path, ...]
    buffers: Mapping[Path, str] = field(default_factory=dict)
    """The text of each open file, unsaved changes included, by its path."""
    documents: Mapping[str, str] = field(default_factory=dict)
    """The text of each open document that is no file, by its URI."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One file of a request."""

    name: str
    """What the file is called to people: its path below the workspace folder, or the URI of a document."""
    resolved: ResolvedPath | None
    """Where it is; `None` for a document that is no file."""
    text: str | None
    """What edits are located in; `None` where there is no such file."""
    disk: FileText | None
    """The file on disk, where there is one that can be read."""
    is_open: bool
    """Whether `text` is an editor's buffer."""

    @property
    def place(self) -> str:
        """The absolute path of a file, or the URI of a document that is none."""
        return str(self.resolved.path) if self.resolved is not None else self.name

    @property
    def is_dirty(self) -> bool:
        """Whether the buffer differs from the disk."""
        return self.is_open and (self.disk is None or self.disk.text != self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Edits whose paths are resolved: `items` name files by the keys of `targets`."""

    items: tuple[Item, ...]
    targets: Mapping[str, Target]
    notes: Mapping[int, tuple[str, ...]]
    """What a person should know of how a path was read, by index of the edit."""
    originals: Mapping[str, bytes] = field(default_factory=dict)
    """The bytes of files that come back as they were, by absolute path; other new files are UTF-8."""

    def edit_at(self, index: int) -> Edit | Malformed:
        """The edit of that index, its path being the name of a target where it has one."""
        item = self.items[index]
        return item.edit if isinstance(item, Refused) else item

    def place_of(self, name: str) -> str:
        """The place of a target; of what is none, `name` itself."""
        target = self.targets.get(name)
        return target.place if target is not None else name

    def id_of(self, index: int) -> str:
        """The name of the edit of that index: the same whenever the same edit is asked for again."""
        edit = self.edit_at(index)
        if isinstance(edit, Malformed):
            edit = Edit(path=edit.path, search=edit.message, line=edit.line)
        return edit_id(self.place_of(edit.path), edit)


def read_request(
    edits: Sequence[Edit | Malformed],
    workspace: Workspace,
    *,
    base: Path | None = None,
    originals: Mapping[str, bytes] | None = None,
    progress: Progress | None = None,
) -> Request:
    """Resolve the paths of `edits` (from the folder `base` first) and read the files that they mean.

    An edit whose path or file may not be touched becomes `Refused`, with the reason. Raises `CancelledError`
    through `progress`.
    """
    reading = _Reading(workspace, base)
    for edit in edits:
        if isinstance(edit, Edit):
            reading.announce(edit)
    items: list[Item] = []
    notes: dict[int, tuple[str, ...]] = {}
    for index, edit in enumerate(edits):
        (progress or Silent()).check()
        if isinstance(edit, Malformed):
            items.append(edit)
            continue
        item, said = reading.read(edit)
        items.append(item)
        if said:
            notes[index] = said
    return Request(items=tuple(items), targets=reading.targets, notes=notes, originals=originals or {})


def plan_request(
    request: Request,
    *,
    atomic: Atomic = Atomic.ALL,
    ladder: Ladder | None = None,
    chosen: Mapping[int, Span] | None = None,
    settled: Container[int] = (),
    progress: Progress | None = None,
) -> Plan:
    """Decide what a request does; the changes it answers can all be written in their files' encodings.

    `chosen` and `settled` are as in `patchpoint.plan.plan_edits`.
    """
    texts = {name: target.text for name, target in request.targets.items() if target.text is not None}
    items = list(request.items)
    while True:
        plan = plan_edits(
            items, texts, atomic=atomic, ladder=ladder, chosen=chosen, settled=settled, progress=progress
        )
        refused = _unencodable(plan, request, items)
        if not refused:
            outcomes = tuple(_with_notes(outcome, request) for outcome in plan.outcomes)
            return replace(plan, outcomes=outcomes)
        for index, item in refused.items():
            items[index] = item


@dataclass(slots=True)
class _Reading:
    """The paths of one request while they are resolved, and the files while they are read."""

    workspace: Workspace
    base: Path | None
    targets: dict[str, Target] = field(default_factory=dict)
    list_files: Callable[[Path], Listing] = field(default_factory=lambda: cache(list_files))
    _names: dict[Path, str] = field(default_factory=dict)
    _announced: dict[str, ResolvedPath] = field(default_factory=dict)
    _refusals: dict[str, str] = field(default_factory=dict)

    def announce(self, edit: Edit) -> None:
        """Remember the files that the request itself makes, so that its other edits can name them."""
        made = edit.new_path if edit.operation is Operation.RENAME else edit.path
        if made and _may_make(edit):
            resolved = self._resolve(made, edit, may_be_missing=True)
            if isinstance(resolved, ResolvedPath):
                self._announced.setdefault(made, resolved)

    def read(self, edit: Edit) -> tuple[Item, tuple[str, ...]]:
        """The edit with the names of its files, and what a person should know of how they were found."""
        if edit.path in self.workspace.documents:
            return self._read_document(edit), ()
        resolved = self._meant(edit)
        if isinstance(resolved, RefusedPath):
            return Refused(edit, resolved.message), ()
        target, problem = self._target(resolved)
        notes = resolved.notes
        edit = replace(edit, path=target.name)
        if problem:
            return Refused(edit, problem), notes
        if edit.operation is Operation.RENAME:
            moved = self._resolve(edit.new_path or "", edit, may_be_missing=True)
            if isinstance(moved, RefusedPath):
                return Refused(edit, moved.message), notes
            destination, problem = self._target(moved)
            if problem:
                return Refused(edit, problem), notes
            edit = replace(edit, new_path=destination.name)
            notes += moved.notes
        return edit, notes

    def _meant(self, edit: Edit) -> ResolvedPath | RefusedPath:
        if edit.path in self._announced:
            return self._announced[edit.path]
        if _may_make(edit) and edit.operation is not Operation.RENAME:
            return self._resolve(edit.path, edit, may_be_missing=True)
        searched = edit.operation in (Operation.REPLACE, Operation.BETWEEN)
        found = self._resolve(edit.path, edit, may_be_misspelt=searched)
        if isinstance(found, RefusedPath) and found.reason is Refusal.NOT_FOUND:
            # Where it would be is enough for the plan to say that it is not there.
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
            open_files=self.workspace.buffers.keys(),
            list_files=self.list_files,
        )

    def _target(self, resolved: ResolvedPath) -> tuple[Target, str]:
        """The file at a path, read once, and why it may not be edited, if so."""
        # A moved name is a place of its own even where it is a link; an edited one is where its bytes are.
        name = self._names.get(resolved.target)
        if name is None:
            name = self._name(resolved)
            self._names[resolved.target] = name
            self.targets[name], self._refusals[name] = self._read_file(name, resolved)
        return self.targets[name], self._refusals[name]

    def _name(self, resolved: ResolvedPath) -> str:
        if len(self.workspace.roots) == 1:
            return resolved.relative
        name = f"{resolved.root.name}/{resolved.relative}"
        return name if name not in self.targets else str(resolved.path)

    def _read_file(self, name: str, resolved: ResolvedPath) -> tuple[Target, str]:
        buffers = self.workspace.buffers
        buffer = next((buffers[p] for p in (resolved.path, resolved.target) if p in buffers), None)
        disk, problem = None, ""
        try:
            disk = read_file(resolved.target)
        except MissingFileError:
            pass
        except FileError as error:
            # An editor can hold what cannot be read here; its buffer is then all that is changed.
            problem = "" if buffer is not None else f"{name} {error.problem}"
        text = buffer if buffer is not None else (disk.text if disk else None)
        return Target(name=name, resolved=resolved, text=text, disk=disk, is_open=buffer is not None), problem

    def _read_document(self, edit: Edit) -> Item:
        uri = edit.path
        if edit.operation in (Operation.RENAME, Operation.DELETE, Operation.CHMOD):
            return Refused(edit, f"{uri} is no file: it cannot be moved, deleted or marked, only edited.")
        if uri not in self.targets:
            text = self.workspace.documents[uri]
            self.targets[uri] = Target(name=uri, resolved=None, text=text, disk=None, is_open=True)
        return edit


def _may_make(edit: Edit) -> bool:
    """Whether the edit can bring the file of its path (or of its new path) into being."""
    if edit.operation is Operation.REPLACE:
        return not edit.search and not edit.splits
    return edit.operation in (Operation.CREATE, Operation.WRITE, Operation.RENAME)


def _unencodable(plan: Plan, request: Request, items: Sequence[Item]) -> dict[int, Refused]:
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


def _with_notes(outcome: Outcome, request: Request) -> Outcome:
    notes = request.notes.get(outcome.index, ())
    return replace(outcome, notes=(*notes, *outcome.notes)) if notes else outcome
