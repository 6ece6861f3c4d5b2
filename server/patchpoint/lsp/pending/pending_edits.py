"""Edits that could not be applied: kept across restarts, evaluated again as their files change."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass
from patchpoint.filesystem.errors import FileError
from patchpoint.filesystem.read import read_file
from patchpoint.locate.ladder import Ladder
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.pending.diagnostics import Diagnostics, target_diagnostic
from patchpoint.lsp.pending.last_answer import LastAnswer
from patchpoint.outcome import Outcome, Status
from patchpoint.patching.pending import (
    ChangeStatus,
    PendingEdit,
    change_status,
    outcome_now,
    remember,
)
from patchpoint.schema.edits import outcome_data
from patchpoint.schema.uris import document_key, path_of, uri_of
from patchpoint.text.encoding import EncodingError
from patchpoint.text.encoding import decode as decode_text
from patchpoint.text.lines import LineTable
from patchpoint.workspace.history.ledger import Ledger

if TYPE_CHECKING:
    from patchpoint.checkpoints import CheckpointStore
    from patchpoint.lsp.session.session import Session
    from patchpoint.schema.responses import PendingEditsResult

DEBOUNCE_SECONDS = 0.15
"""Seconds without a change of a document before its edits are evaluated again."""

_OWNER = "pending"


@dataclass(frozen=True, slots=True)
class PendingEvaluation:
    """The outcome of a pending edit in the current text of its file; `table` is `None` without a file."""

    pending: PendingEdit
    outcome: Outcome
    table: LineTable | None
    changes: ChangeStatus = ChangeStatus.UNCHANGED

    @property
    def uri(self) -> str:
        """The URI of the file that the edit is for."""
        return uri_of_file(self.pending.file)


class _CommittedTexts:
    """The texts of HEAD while several edits are evaluated: each folder's store is opened once."""

    def __init__(self, roots: Sequence[Path]) -> None:
        self._roots = roots
        self._stores: dict[Path, CheckpointStore] = {}

    def text_of(self, path: Path, text: str) -> str | None:
        """Return a file's text in HEAD; `text`, its current one, where there is no commit to compare with."""
        from patchpoint.checkpoints import CheckpointError

        root = next((root for root in self._roots if path.is_relative_to(root)), None)
        if root is None:
            return text
        try:
            store = self._store(root)
            if store.is_private or not path.is_relative_to(store.root):
                return text
            data = store.committed(path.relative_to(store.root).as_posix())
            committed = decode_text(data).text if data is not None else None
        except (CheckpointError, EncodingError, OSError):
            return text
        # A checkout may have other line endings than the commit.
        same = committed is not None and committed.replace("\r\n", "\n") == text.replace("\r\n", "\n")
        return text if same else committed

    def _store(self, root: Path) -> CheckpointStore:
        from patchpoint.checkpoints import CheckpointStore

        if root not in self._stores:
            self._stores[root] = CheckpointStore.open(root, recover=False)
        return self._stores[root]


class PendingEdits:
    """All pending edits and their last evaluations."""

    def __init__(self, session: Session, diagnostics: Diagnostics) -> None:
        self._session = session
        self._diagnostics = diagnostics
        self._kept: dict[str, PendingEdit] = {}
        self._evaluations: dict[str, PendingEvaluation] = {}
        self._stale: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None
        self.last_answer = LastAnswer()
        self.loading = asyncio.Lock()
        """Held while the edits of earlier sessions are loaded: what lists or changes edits waits for that."""

    def __iter__(self) -> Iterator[PendingEvaluation]:
        return iter(list(self._evaluations.values()))

    def find(self, name: str) -> PendingEdit:
        """Return the pending edit with the id `name`. Raises `RequestFailed` if there is none."""
        if name not in self._kept:
            raise RequestFailed(
                "no-edit", f"There is no pending edit {name}; list the pending edits to find it."
            )
        return self._kept[name]

    def last_outcome(self, name: str) -> Outcome | None:
        """Return the last evaluated outcome of an edit; `None` for one that is not pending."""
        evaluation = self._evaluations.get(name)
        return evaluation.outcome if evaluation is not None else None

    def attempts(self, name: str) -> int:
        """Return how often an edit was received and could not be applied; 0 for one that is not pending."""
        return self._kept[name].attempts if name in self._kept else 0

    def for_document(self, uri: str) -> list[PendingEvaluation]:
        """Return the evaluations of the pending edits for one document."""
        key = document_key(uri)
        return [evaluation for evaluation in self if document_key(evaluation.uri) == key]

    async def load(self, roots: Sequence[Path]) -> None:
        """Load the edits that earlier sessions saved for these folders, and evaluate all."""
        for root in roots:
            saved = await self._session.run(_read, root)
            self._kept |= {pending.id: pending for pending in saved if pending.id not in self._kept}
        if self._kept:
            await self.refresh()
            self._notify()

    async def loaded(self) -> None:
        """Wait until the edits that earlier sessions saved are loaded."""
        async with self.loading:
            pass

    async def add(self, edits: Iterable[PendingEdit]) -> None:
        """Add pending edits and save them; a known one counts another attempt."""
        await self.loaded()
        self._kept = remember(self._kept, edits)
        await self._changed()

    async def drop(self, names: Iterable[str]) -> list[str]:
        """Remove edits by id; return the ids that were pending."""
        await self.loaded()
        return await self._drop(names)

    def ids(self) -> list[str]:
        """Return the ids of all pending edits."""
        return list(self._kept)

    async def evaluate(self, pending: PendingEdit) -> PendingEvaluation:
        """Evaluate an edit in the current text of its file."""
        return await self._evaluate(pending, _CommittedTexts(tuple(self._session.roots)))

    async def _evaluate(self, pending: PendingEdit, commits: _CommittedTexts) -> PendingEvaluation:
        ladder = await self._session.ladder()
        document = self._session.documents.find(uri_of_file(pending.file))
        opened = document.table if document is not None and not document.is_outdated else None
        return await self._session.run(_evaluate, pending, opened, ladder, commits)

    async def refresh(self, files: Iterable[str] | None = None) -> None:
        """Evaluate the edits for some files (by document key) again, or all; drop those that became moot."""
        keys = None if files is None else set(files)
        stale = [
            pending
            for pending in self._kept.values()
            if keys is None or document_key(uri_of_file(pending.file)) in keys
        ]
        commits = _CommittedTexts(tuple(self._session.roots))
        for pending in stale:
            evaluation = await self._evaluate(pending, commits)
            if pending.id in self._kept:
                self._evaluations[pending.id] = evaluation
        overtaken = [
            name
            for name, evaluation in self._evaluations.items()
            if evaluation.outcome.status is Status.ALREADY_APPLIED
            and not self._session.documents.is_hidden(evaluation.uri)
        ]
        self._evaluations = {
            name: evaluation for name, evaluation in self._evaluations.items() if name in self._kept
        }
        self._publish()
        if overtaken:
            await self._drop(overtaken)

    def schedule_refresh(self, uri: str) -> None:
        """Evaluate the edits of a changed document once it has not changed for `DEBOUNCE_SECONDS`."""
        self._stale.add(document_key(uri))
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(DEBOUNCE_SECONDS, self._refresh_stale)

    def responses(self, uri: str | None = None) -> PendingEditsResult:
        """Return the outcomes of all pending edits, or of those for one document, as protocol data."""
        from patchpoint.schema.responses import PendingEditsResult

        unit = self._session.client.unit
        waiting = [*(self if uri is None else self.for_document(uri))]
        edits = tuple(
            outcome_data(
                evaluation.outcome,
                edit_id=evaluation.pending.id,
                uri=evaluation.uri,
                before=evaluation.table,
                after=None,
                unit=unit,
                changes=evaluation.changes,
            )
            for evaluation in waiting
        )
        by_id = {evaluation.pending.id: evaluation.outcome for evaluation in waiting}
        return PendingEditsResult(edits=edits, feedback=self.last_answer.feedback_on(by_id))

    def _refresh_stale(self) -> None:
        stale, self._stale = self._stale, set()
        if any(document_key(uri_of_file(pending.file)) in stale for pending in self._kept.values()):
            self._session.start(self.refresh(stale))

    async def _drop(self, names: Iterable[str]) -> list[str]:
        dropped = [name for name in names if self._kept.pop(name, None) is not None]
        if dropped:
            await self._changed()
        return dropped

    async def _changed(self) -> None:
        await self._save()
        await self.refresh()
        self._notify()

    def _notify(self) -> None:
        self._session.notify("patchpoint/didChangePendingEdits", self.responses())

    async def _save(self) -> None:
        roots = self._session.roots
        for root in roots:
            own = [pending for pending in self._kept.values() if _home(pending, roots) == root]
            try:
                await self._session.run(_write, root, own)
            except OSError as error:
                self._session.log(f"Pending edits could not be saved: {error}")

    def _publish(self) -> None:
        by_uri: dict[str, list[PendingEvaluation]] = {}
        for evaluation in self:
            by_uri.setdefault(evaluation.uri, []).append(evaluation)
        for uri, evaluations in by_uri.items():
            document = self._session.documents.find(uri)
            shown = document.uri if document is not None else uri
            found = [
                target_diagnostic(
                    self._session,
                    evaluation.pending.id,
                    shown,
                    evaluation.table,
                    evaluation.outcome,
                    evaluation.changes,
                )
                for evaluation in evaluations
                if evaluation.table is not None
            ]
            self._diagnostics.show(_OWNER, shown, [one for one in found if one is not None])
        self._diagnostics.clear(_OWNER, except_for=list(by_uri))


def uri_of_file(file: str) -> str:
    """Return the URI of a pending edit's `file`, which is an absolute path or a URI."""
    return uri_of(file) if Path(file).is_absolute() else file


def _evaluate(
    pending: PendingEdit, opened: LineTable | None, ladder: Ladder, commits: _CommittedTexts
) -> PendingEvaluation:
    table = opened
    path = path_of(uri_of_file(pending.file))
    if table is None and path is not None:
        try:
            table = LineTable.of(read_file(path).text)
        except FileError:
            table = None
    text = table.text if table is not None else None
    outcome = outcome_now(pending, text, ladder)
    if text is None or path is None:
        return PendingEvaluation(pending, outcome, table)
    return PendingEvaluation(
        pending, outcome, table, change_status(pending, text, commits.text_of(path, text))
    )


def _home(pending: PendingEdit, roots: Sequence[Path]) -> Path:
    """Return the workspace folder in whose ledger an edit is saved."""
    path = Path(pending.file)
    return next((root for root in roots if path.is_relative_to(root)), roots[0])


def _read(root: Path) -> Sequence[PendingEdit]:
    try:
        return list(Ledger(root).pending().values())
    except OSError:
        return ()


def _write(root: Path, edits: Sequence[PendingEdit]) -> None:
    Ledger(root).keep_pending({pending.id: pending for pending in edits})
