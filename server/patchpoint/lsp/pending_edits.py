"""Edits that could not land: kept across restarts, looked at again as their files change."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.files import FileError, read_file
from patchpoint.ledger import Ledger
from patchpoint.locate.ladder import Ladder
from patchpoint.lsp.convert import outcome_answer
from patchpoint.lsp.diagnostics import Diagnostics, target_diagnostic
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.uris import document_key, path_of, uri_of
from patchpoint.outcome import Outcome
from patchpoint.pending import (
    ChangeStatus,
    PendingEdit,
    change_status,
    is_overtaken,
    outcome_now,
    remember,
)
from patchpoint.text.encoding import EncodingError
from patchpoint.text.encoding import decode as decode_text
from patchpoint.text.lines import LineTable

if TYPE_CHECKING:
    from patchpoint.checkpoints import CheckpointStore
    from patchpoint.lsp.answers import OutcomeAnswer
    from patchpoint.lsp.session import Session

PAUSE = 0.15
"""Seconds of quiet after a change before its edits are looked at again."""

_FINDER = "pending"


@dataclass(frozen=True, slots=True)
class Look:
    """What a pending edit comes to in the text that its file has now; no table where there is no file."""

    pending: PendingEdit
    outcome: Outcome
    table: LineTable | None
    changes: ChangeStatus = ChangeStatus.UNCHANGED

    @property
    def uri(self) -> str:
        """The URI of the file."""
        return uri_of_file(self.pending.file)


class _Commits:
    """The texts of HEAD, for one look at several edits: each folder's store is opened once."""

    def __init__(self, roots: Sequence[Path]) -> None:
        self._roots = roots
        self._stores: dict[Path, CheckpointStore] = {}

    def text_of(self, path: Path, text: str) -> str | None:
        """The text that HEAD has for a file; where there is no commit to ask, the text that it has anyway."""
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
            self._stores[root] = CheckpointStore.open(root)
        return self._stores[root]


class PendingEdits:
    """All pending edits, with what they come to now."""

    def __init__(self, session: Session, diagnostics: Diagnostics) -> None:
        self._session = session
        self._diagnostics = diagnostics
        self._kept: dict[str, PendingEdit] = {}
        self._looks: dict[str, Look] = {}
        self._stirred: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None

    def __iter__(self) -> Iterator[Look]:
        return iter(list(self._looks.values()))

    def find(self, name: str) -> PendingEdit:
        """The pending edit of that id. Raises `RequestFailed`."""
        if name not in self._kept:
            raise RequestFailed(
                "no-edit", f"There is no pending edit {name}; list them to see which there are."
            )
        return self._kept[name]

    def shown(self, name: str) -> Outcome | None:
        """What an edit was last shown to come to."""
        look = self._looks.get(name)
        return look.outcome if look is not None else None

    def attempts(self, name: str) -> int:
        """How often the edit of that id came and could not land; 0 for one that is not pending."""
        return self._kept[name].attempts if name in self._kept else 0

    def at(self, uri: str) -> list[Look]:
        """What the pending edits for one document come to."""
        key = document_key(uri)
        return [look for look in self if document_key(look.uri) == key]

    async def load(self, roots: Sequence[Path]) -> None:
        """Take up what an earlier session in these folders left."""
        for root in roots:
            saved = await self._session.run(_read, root)
            self._kept |= {pending.id: pending for pending in saved if pending.id not in self._kept}
        if self._kept:
            await self.look_again()

    async def add(self, edits: Iterable[PendingEdit]) -> None:
        """Keep more edits."""
        self._kept = remember(self._kept, edits)
        await self._changed()

    async def drop(self, names: Iterable[str]) -> list[str]:
        """Forget edits; answers those that there were."""
        dropped = [name for name in names if self._kept.pop(name, None) is not None]
        if dropped:
            await self._changed()
        return dropped

    def names(self) -> list[str]:
        """The ids of all pending edits."""
        return list(self._kept)

    async def look(self, pending: PendingEdit) -> Look:
        """What an edit comes to in the text that its file has at this moment."""
        return await self._look(pending, _Commits(tuple(self._session.roots)))

    async def _look(self, pending: PendingEdit, commits: _Commits) -> Look:
        document = self._session.documents.find(uri_of_file(pending.file))
        opened = document.table if document is not None else None
        return await self._session.run(_look, pending, opened, self._session.ladder(), commits)

    async def look_again(self, files: Iterable[str] | None = None) -> None:
        """Look again at the edits for some files (by key), or for all."""
        keys = None if files is None else set(files)
        stale = [
            pending
            for pending in self._kept.values()
            if keys is None or document_key(uri_of_file(pending.file)) in keys
        ]
        commits = _Commits(tuple(self._session.roots))
        for pending in stale:
            look = await self._look(pending, commits)
            if pending.id in self._kept:
                self._looks[pending.id] = look
        overtaken = [
            name
            for name, look in self._looks.items()
            if is_overtaken(look.outcome) and not self._session.documents.is_hidden(look.uri)
        ]
        self._looks = {name: look for name, look in self._looks.items() if name in self._kept}
        self._publish()
        if overtaken:
            await self.drop(overtaken)

    def stir(self, uri: str) -> None:
        """Note that a document changed; its edits are looked at when it has been quiet for a moment."""
        self._stirred.add(document_key(uri))
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(PAUSE, self._look_at_stirred)

    def answers(self, uri: str | None = None) -> tuple[OutcomeAnswer, ...]:
        """What commands answer about them."""
        unit = self._session.client.unit
        return tuple(
            outcome_answer(look.outcome, look.pending.id, look.uri, look.table, None, unit, look.changes)
            for look in (self if uri is None else self.at(uri))
        )

    def _look_at_stirred(self) -> None:
        stirred, self._stirred = self._stirred, set()
        if any(document_key(uri_of_file(pending.file)) in stirred for pending in self._kept.values()):
            self._session.start(self.look_again(stirred))

    async def _changed(self) -> None:
        await self._save()
        await self.look_again()
        self._session.notify("patchpoint/didChangePendingEdits", {"edits": self.answers()})

    async def _save(self) -> None:
        roots = self._session.roots
        for root in roots:
            own = [pending for pending in self._kept.values() if _home(pending, roots) == root]
            try:
                await self._session.run(_write, root, own)
            except OSError as error:
                self._session.log(f"Pending edits could not be saved: {error}")

    def _publish(self) -> None:
        by_uri: dict[str, list[Look]] = {}
        for look in self:
            by_uri.setdefault(look.uri, []).append(look)
        for uri, looks in by_uri.items():
            document = self._session.documents.find(uri)
            shown = document.uri if document is not None else uri
            found = [
                target_diagnostic(
                    self._session, look.pending.id, shown, look.table, look.outcome, look.changes
                )
                for look in looks
                if look.table is not None
            ]
            self._diagnostics.show(_FINDER, shown, [one for one in found if one is not None])
        self._diagnostics.clear(_FINDER, except_for=list(by_uri))


def uri_of_file(file: str) -> str:
    """The URI of what a pending edit calls its file."""
    return uri_of(file) if Path(file).is_absolute() else file


def _look(pending: PendingEdit, opened: LineTable | None, ladder: Ladder, commits: _Commits) -> Look:
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
        return Look(pending, outcome, table)
    return Look(pending, outcome, table, change_status(pending, text, commits.text_of(path, text)))


def _home(pending: PendingEdit, roots: Sequence[Path]) -> Path:
    """The workspace folder with which an edit is kept."""
    path = Path(pending.file)
    return next((root for root in roots if path.is_relative_to(root)), roots[0])


def _read(root: Path) -> Sequence[PendingEdit]:
    try:
        return list(Ledger(root).pending().values())
    except OSError:
        return ()


def _write(root: Path, edits: Sequence[PendingEdit]) -> None:
    Ledger(root).keep_pending({pending.id: pending for pending in edits})
