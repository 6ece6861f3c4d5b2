"""What a request would do to the client's buffers and the files beside them, as they are at this moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.edit import Edit, Malformed
from patchpoint.locate.ladder import Ladder
from patchpoint.lsp.documents import Document
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.uris import path_of, uri_of
from patchpoint.plan import Atomic, FileChange, Plan
from patchpoint.progress import Progress
from patchpoint.text.lines import LineTable, Span
from patchpoint.workspace import Request, Target, Workspace, plan_request, read_request

if TYPE_CHECKING:
    from patchpoint.lsp.session import Session

_ATTEMPTS = 5
"""How often a request is planned anew because the client's user went on typing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Edits to be applied, and how."""

    edits: tuple[Edit | Malformed, ...]
    ladder: Ladder
    atomic: Atomic = Atomic.ALL
    base: Path | None = None
    """The folder that paths are read from first."""
    source: str = ""
    """URI of the document in which the edits are written, if they stand in one."""
    chosen: Mapping[int, Span] = field(default_factory=dict)
    """The place that a person chose for an edit, by its index."""
    chosen_in: str | None = None
    """The text in which it was chosen for the only edit: no place of another text is meant."""
    originals: Mapping[str, bytes] = field(default_factory=dict)
    """The bytes of files that come back as they were, by absolute path."""


@dataclass(frozen=True, slots=True)
class Buffer:
    """An open document as it was when the request was planned."""

    document: Document
    table: LineTable
    version: int | None

    @property
    def is_still_so(self) -> bool:
        """Whether the client has not changed it since."""
        return self.document.table is self.table


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A request, what it does, and the buffers that this was worked out from, by the names of its targets."""

    asked: Asked
    request: Request
    plan: Plan
    buffers: Mapping[str, Buffer]

    def target(self, change: FileChange) -> Target:
        """The file that a change is for."""
        return self.request.targets[change.path]

    def uri(self, name: str) -> str:
        """The URI of a target, as the client spells it where it is open; empty for no known file."""
        if name in self.buffers:
            return self.buffers[name].document.uri
        target = self.request.targets.get(name)
        return uri_of(target.resolved.path) if target is not None and target.resolved is not None else ""


async def plan_edits(session: Session, asked: Asked, work: Progress) -> Planned:
    """Work out what `asked` does, from buffers that have not changed until it is known."""
    for _ in range(_ATTEMPTS):
        opened = [Buffer(document, document.table, document.version) for document in session.documents]
        # A person who chooses now may choose another place than before.
        chosen = session.chosen_before() if asked.chosen_in is None else frozenset()
        planned = await session.run(_plan, asked, _roots(session, asked), opened, chosen, work)
        if all(buffer.is_still_so for buffer in planned.buffers.values()):
            _check_chosen(planned)
            return planned
    raise RequestFailed(
        "buffers-changed", "The files were changed while the edits were being placed; apply them again."
    )


def _check_chosen(planned: Planned) -> None:
    """See that a place was chosen in the text that is planned from. Raises `RequestFailed`."""
    text = planned.asked.chosen_in
    target = planned.request.targets.get(planned.request.edit_at(0).path) if text is not None else None
    if target is not None and target.text != text:
        raise RequestFailed(
            "candidate-moved",
            f"{target.name} changed at this moment; look at the candidates and choose anew.",
        )


def _plan(
    asked: Asked,
    roots: tuple[Path, ...],
    opened: list[Buffer],
    chosen_before: frozenset[str],
    work: Progress,
) -> Planned:
    files = {path: buffer for buffer in opened if (path := path_of(buffer.document.uri)) is not None}
    others = {buffer.document.uri: buffer for buffer in opened if path_of(buffer.document.uri) is None}
    workspace = Workspace(
        roots=roots,
        buffers={path: buffer.table.text for path, buffer in files.items()},
        documents={uri: buffer.table.text for uri, buffer in others.items()},
    )
    request = read_request(asked.edits, workspace, base=asked.base, originals=asked.originals, progress=work)
    buffers = {}
    for name, target in request.targets.items():
        if target.resolved is None:
            buffers[name] = others[name]
        elif target.is_open:
            place = target.resolved
            buffers[name] = files.get(place.path) or files[place.target]
    settled = [i for i in range(len(asked.edits)) if chosen_before and request.id_of(i) in chosen_before]
    plan = plan_request(
        request,
        atomic=asked.atomic,
        ladder=asked.ladder,
        chosen=asked.chosen,
        settled=settled,
        progress=work,
    )
    return Planned(asked=asked, request=request, plan=plan, buffers=buffers)


def _roots(session: Session, asked: Asked) -> tuple[Path, ...]:
    """The workspace folders; for a client without any, the folders of what it has open."""
    if session.roots:
        return tuple(session.roots)
    source = path_of(asked.source)
    if asked.base is not None:
        return (asked.base,)
    if source is not None:
        return (source.parent,)
    paths = [path_of(document.uri) for document in session.documents]
    return tuple(dict.fromkeys(path.parent for path in paths if path is not None))
