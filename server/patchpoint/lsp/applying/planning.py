"""Plan what a request does to the client's buffers and to the files that it has not open, as they are now."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass, field, replace
from patchpoint.edit import ONLY_TURN, Edit, Malformed, TurnRead, Unplaced
from patchpoint.locate.ladder import Ladder
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.session.documents import BufferSnapshot, NotebookSnapshot, OpenBuffers
from patchpoint.outcome import Atomic
from patchpoint.patching.answers.placing import Placing
from patchpoint.patching.plan import Plan, PlannedChange
from patchpoint.patching.proposal import NOTHING_ACCEPTED, Accepted
from patchpoint.progress import Progress
from patchpoint.schema.files_to_confirm import files_to_confirm
from patchpoint.schema.settings import Settings
from patchpoint.schema.uris import path_of, uri_of
from patchpoint.text.lines import Span
from patchpoint.workspace.digests import digests_of, without_stale
from patchpoint.workspace.request import EditTarget, ResolvedRequest, Workspace, plan_request, read_request
from patchpoint.workspace.unnamed import files_in_workspace, open_files_like, place_in_workspace

if TYPE_CHECKING:
    from patchpoint.lsp.session.session import Session

CANDIDATE_MOVED = "candidate-moved"
"""The code of a refusal to put an edit at a place that was chosen in another text."""

_ATTEMPTS = 5
"""How often a request is planned at most, because the user keeps typing in its files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditRequest:
    """Edits to be applied, and how."""

    edits: tuple[Edit | Malformed, ...]
    ladder: Ladder
    atomic: Atomic = Atomic.ALL
    base: Path | None = None
    """The directory that relative paths are resolved in first."""
    source: str = ""
    """The URI of the document that the edits were read from, if any."""
    first: int = 0
    """The position of the first of them in the answer that they are of."""
    chosen: Mapping[int, Span] = field(default_factory=dict)
    """The span that a person chose for an edit, by the edit's index."""
    whole: frozenset[int] = frozenset()
    """The indexes of those that replace all lines there."""
    without: frozenset[int] = frozenset()
    """The indexes of those that were dropped: nothing comes of them."""
    chosen_in: Mapping[int, str] = field(default_factory=dict)
    """The text in which a place was chosen, by the edit's index: it means nothing in another text."""
    accept: Accepted = NOTHING_ACCEPTED
    """The proposals that are made: a person has seen what they change."""
    originals: Mapping[str, bytes] = field(default_factory=dict)
    """The bytes of files that are to be as they were before, by absolute path."""
    unplaced: tuple[Unplaced, ...] = ()
    """The fences of the text that are no edits, and the edits that are left alone."""
    turn: TurnRead = ONLY_TURN
    title: str = ""
    """The first sentence of the answer."""
    rest_of: str = ""
    """The id of the pending edit that is to be made, if it is one: what was left of an answer."""
    is_answer: bool = False
    """Whether the edits are all that an answer asks for, so that none of it may be missing."""
    answer: str = ""
    """The text that the edits were read from as a whole, if they were."""
    expected: Mapping[str, str] = field(default_factory=dict)
    """The SHA-256 of files as the caller read them, by path or URI; the edits of another text are refused."""
    remedy: str | None = None
    """Why edits of files that start programs are not made, or `None`: see `executing_files`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedEdits:
    """A request, its plan, and the buffers that it was planned from, by the names of its targets."""

    asked: EditRequest
    request: ResolvedRequest
    plan: Plan
    buffers: Mapping[str, BufferSnapshot]
    notebooks: Mapping[str, NotebookSnapshot]
    """The targets that the client has open as notebooks, of which it changes no text."""
    unsaved_notebooks: frozenset[str]
    """Those of them that have other cells than their files."""

    def target(self, change: PlannedChange) -> EditTarget:
        """Return the file that a change is for."""
        return self.request.targets[change.path]

    def digests(self, change: PlannedChange) -> tuple[str | None, str | None]:
        """Return the SHA-256 of a file before and after its change; `None` where there is no such file."""
        return digests_of(change, self.request)

    def uri(self, name: str) -> str:
        """Return the URI of a target, as the client spells it if it is open; empty if it has no file."""
        if name in self.buffers:
            return self.buffers[name].document.uri
        target = self.request.targets.get(name)
        return uri_of(target.resolved.path) if target is not None and target.resolved is not None else ""


async def plan_edits(session: Session, asked: EditRequest, work: Progress) -> PlannedEdits:
    """Plan what `asked` does, from buffers that did not change meanwhile.

    Raises `RequestFailed` if they keep changing, or if the text changed in which a place was chosen.
    """
    for _ in range(_ATTEMPTS):
        opened = session.documents.buffers()
        # A person who chooses now may choose another place than before.
        chosen = frozenset() if asked.rest_of else session.chosen_before()
        planned = await session.run(
            _plan, asked, _roots(session, asked), opened, chosen, session.settings, work
        )
        if all(buffer.is_current for buffer in planned.buffers.values()) and _is_current(session, planned):
            _check_chosen(planned)
            return planned
    raise RequestFailed(
        "buffers-changed", "The files changed while the edits were being placed; apply them again."
    )


async def place_unnamed(
    session: Session,
    unplaced: Sequence[Unplaced],
    source: str,
    ladder: Ladder,
    work: Progress,
    named: Collection[str] = (),
) -> Placing:
    """Return the edits of code that one file of the workspace alone has a place for, and what is left.

    Of several such files, one of the paths `named` is meant.
    """
    if not any(one.edit for one in unplaced):
        return Placing((), tuple(unplaced))
    roots = _roots(session, EditRequest(edits=(), ladder=ladder, source=source))
    opened = session.documents.buffers()
    return await session.run(_place, unplaced, roots, opened, path_of(source), ladder, work, named)


async def files_for_unnamed(session: Session, one: Unplaced, source: str) -> list[str]:
    """Return the files of the workspace that have a place for code that names none.

    Without any, these are the open files in its language, for a person to choose from.
    """
    ladder = await session.ladder()
    roots = _roots(session, EditRequest(edits=(), ladder=ladder, source=source))
    return await session.run(_files, one, roots, session.documents.buffers(), path_of(source), ladder)


def _is_current(session: Session, planned: PlannedEdits) -> bool:
    """Return whether the notebooks of a plan are still as they were when it was made."""
    now = session.documents.buffers().notebooks
    return all(
        (path := _path(planned.request.targets[name])) is not None and now.get(path) == one
        for name, one in planned.notebooks.items()
    )


def _place(
    unplaced: Sequence[Unplaced],
    roots: tuple[Path, ...],
    opened: OpenBuffers,
    source: Path | None,
    ladder: Ladder,
    work: Progress,
    named: Collection[str],
) -> Placing:
    workspace = _workspace(roots, opened)
    return place_in_workspace(unplaced, workspace, source=source, ladder=ladder, progress=work, named=named)


def _files(
    one: Unplaced, roots: tuple[Path, ...], opened: OpenBuffers, source: Path | None, ladder: Ladder
) -> list[str]:
    workspace = _workspace(roots, opened)
    found = files_in_workspace(one, workspace, source=source, ladder=ladder)
    return found or open_files_like(one, workspace, source=source)


def _workspace(roots: tuple[Path, ...], opened: OpenBuffers) -> Workspace:
    return Workspace(
        roots=roots, buffers=opened.file_texts, documents=opened.other_texts, outdated=opened.outdated
    )


def _check_chosen(planned: PlannedEdits) -> None:
    """Check that places were chosen in the texts that are planned from. Raises `RequestFailed` if not."""
    chosen = planned.asked.chosen_in.keys() - planned.asked.without
    for index, text in ((index, planned.asked.chosen_in[index]) for index in chosen):
        target = planned.request.targets.get(planned.request.edit_at(index).path)
        if target is not None and target.text != text:
            raise RequestFailed(
                CANDIDATE_MOVED, f"{target.name} has just changed; check the candidates and choose again."
            )


def _plan(
    asked: EditRequest,
    roots: tuple[Path, ...],
    opened: OpenBuffers,
    chosen_before: frozenset[str],
    settings: Settings,
    work: Progress,
) -> PlannedEdits:
    workspace = replace(_workspace(roots, opened), confirm=files_to_confirm(roots, settings))
    request = read_request(asked.edits, workspace, base=asked.base, originals=asked.originals, progress=work)
    if asked.expected:
        request = without_stale(request, asked.expected, workspace, asked.base)
    buffers = {}
    for name, target in request.targets.items():
        if target.resolved is None:
            buffers[name] = opened.others[name]
        elif target.is_open:
            place = target.resolved
            buffers[name] = opened.files.get(place.path) or opened.files[place.target]
    notebooks = {
        name: opened.notebooks[path]
        for name, target in request.targets.items()
        if (path := _path(target)) is not None and path in opened.notebooks
    }
    free = [i for i in range(len(asked.edits)) if chosen_before and i not in asked.chosen]
    placed = [i for i in free if request.id_of(i) in chosen_before]
    plan = plan_request(
        request,
        atomic=asked.atomic,
        ladder=asked.ladder,
        chosen=asked.chosen,
        whole=asked.whole,
        placed=placed,
        without=asked.without,
        accept=asked.accept,
        remedy=asked.remedy,
        unplaced=asked.unplaced if asked.is_answer else None,
        progress=work,
    )
    return PlannedEdits(
        asked=asked,
        request=request,
        plan=plan,
        buffers=buffers,
        notebooks=notebooks,
        unsaved_notebooks=frozenset(
            name for name, one in notebooks.items() if not _is_saved(one, request.targets[name])
        ),
    )


def _path(target: EditTarget) -> Path | None:
    return target.resolved.path if target.resolved is not None else None


def _is_saved(notebook: NotebookSnapshot, target: EditTarget) -> bool:
    return target.disk is not None and notebook.shown.is_in(target.disk.text)


def _roots(session: Session, asked: EditRequest) -> tuple[Path, ...]:
    """Return the workspace folders; for a client without any, the directories of its open documents."""
    if session.roots:
        return tuple(session.roots)
    source = path_of(asked.source)
    if asked.base is not None:
        return (asked.base,)
    if source is not None:
        return (source.parent,)
    opened = session.documents.buffers()
    return tuple(dict.fromkeys(path.parent for path in (*opened.files, *opened.outdated)))
