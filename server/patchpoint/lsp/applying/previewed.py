"""What a person was shown of edits: where something else would be applied, it is shown first."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from functools import cached_property

from patchpoint.dataclass import dataclass, field
from patchpoint.lsp.applying.planning import PlannedEdits
from patchpoint.lsp.errors import RequestFailed
from patchpoint.outcome import Outcome, Status
from patchpoint.patching.pending import digest_of
from patchpoint.review.change_set import FileChanges, changes_of
from patchpoint.review.decision import Decision
from patchpoint.review.decisions import Tally
from patchpoint.review.hunks import Hunk
from patchpoint.review.planned import Choice, PlannedFile, planned_files
from patchpoint.schema.requests import ApplyEdits
from patchpoint.schema.responses import OutcomeData
from patchpoint.schema.uris import document_key
from patchpoint.text.splice import apply_splices
from patchpoint.text.unified_diff import unified_diff

_MOST = 5000
"""How many edits that were shown are remembered."""

_ID_BYTES = 6

_MOST_OPEN = 20
"""How many previews can be decided about, the newest ones."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What a part of the text of a preview shows: an edit that has no place, or a hunk."""

    edit: str = ""
    hunk: str = ""
    include: str = ""
    """What a person insists by on edits that are left alone: a line of the answer, or a name."""


@dataclass(frozen=True, kw_only=True)
class Preview:
    """One preview, and what has been decided about what it shows."""

    params: ApplyEdits
    """How the edits were to be applied."""
    planned: PlannedEdits
    choice: Choice
    id: str = field(default_factory=lambda: secrets.token_hex(_ID_BYTES))
    edits: tuple[OutcomeData, ...] = ()
    uri: str = ""
    """The document that shows it; empty where the client shows it itself."""
    text: str = ""
    marks: tuple[tuple[int, Mark], ...] = ()
    """Each with the offset of its first character."""

    @cached_property
    def changed(self) -> tuple[PlannedFile, ...]:
        """The files that would be changed."""
        return planned_files(self.planned.plan)

    def outcome(self, edit: str) -> Outcome:
        """Return what would become of the edit with this id. Raises `StopIteration` where there is none."""
        outcomes = self.planned.plan.outcomes
        return next(one for one in outcomes if self.planned.request.id_of(one.index) == edit)

    @property
    def since(self) -> str:
        """What it is called, as a review."""
        return self.id

    @cached_property
    def decisions(self) -> Mapping[str, Decision]:
        """What becomes of each of its changes, by their ids: of one all of whose edits were dropped, too."""
        names, found = self.planned.request.id_of, {}
        for change in changes_of(self.changed):
            decided = self.choice.get(change.hunk.id, Decision.KEEP)
            makers = {names(index) for index in change.file.makers[change.hunk.id]}
            is_dropped = decided is Decision.KEEP and makers <= self.choice.keys()
            found[change.hunk.id] = Decision.OPEN if is_dropped else decided
        return found

    def decision(self, hunk: Hunk) -> Decision:
        """Return what becomes of one of its changes."""
        return self.decisions[hunk.id]

    def tally(self, files: Iterable[FileChanges]) -> Tally:
        """Return how many changes of files are applied, discarded, and stay pending."""
        decided = [self.decision(hunk) for file in files for hunk in file.hunks]
        return Tally(*map(decided.count, (Decision.KEEP, Decision.TAKE_BACK, Decision.OPEN)))


class OpenPreviews:
    """The previews that can be decided about, by their ids: closing the document loses no decision."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, Preview] = OrderedDict()

    def put(self, preview: Preview) -> None:
        """Keep a preview, or what was decided about it now."""
        self._open[preview.id] = preview
        self._open.move_to_end(preview.id)
        while len(self._open) > _MOST_OPEN:
            self._open.popitem(last=False)

    def find(self, name: str | None) -> Preview | None:
        """Return the preview with the id `name`; `None` where it is a review's, whose ids are longer.

        Raises `RequestFailed` if there is none (any more).
        """
        if name is None or len(name) != 2 * _ID_BYTES:
            return None
        if name not in self._open:
            raise RequestFailed("no-preview", f"Preview {name} has expired; preview the edits again.")
        return self._open[name]

    def shown_in(self, uri: str) -> Preview | None:
        """Return the newest preview that a document shows; `None` if it shows none."""
        key = document_key(uri)
        shown = (one for one in reversed(self._open.values()) if one.uri)
        return next((one for one in shown if document_key(one.uri) == key), None)

    def drop(self, name: str) -> None:
        """Forget a preview, after it was applied."""
        self._open.pop(name, None)


class PreviewedEdits:
    """By the id of each edit that was shown in a preview and not applied since: a digest of its change."""

    def __init__(self) -> None:
        self._shown: OrderedDict[str, str] = OrderedDict()

    def remember(self, planned: PlannedEdits) -> None:
        """Remember what is being shown of a plan."""
        for name, digest in _digests(planned).items():
            self._shown[name] = digest
            self._shown.move_to_end(name)
        while len(self._shown) > _MOST:
            self._shown.popitem(last=False)

    def forget(self, names: Iterable[str]) -> None:
        """Forget edits that were applied or discarded."""
        for name in names:
            self._shown.pop(name, None)

    def changed(self, planned: PlannedEdits) -> list[str]:
        """Return the names of the files in which a plan now changes something else than was shown of it."""
        digests = _digests(planned)
        moved = [
            planned.request.edit_at(outcome.index).path
            for outcome in planned.plan.outcomes
            if (name := planned.request.id_of(outcome.index)) in digests
            and self._shown.get(name, digests[name]) != digests[name]
        ]
        return list(dict.fromkeys(moved))


def _digests(planned: PlannedEdits) -> dict[str, str]:
    """Return for each edit that a plan makes a digest of the difference that it makes by itself."""
    digests = {}
    for outcome in planned.plan.outcomes:
        target = planned.request.targets.get(outcome.path)
        if outcome.status is not Status.MATCHED or target is None:
            continue
        before = target.text or ""
        after = apply_splices(before, outcome.splices)
        difference = unified_diff(before, after, outcome.path) or before
        digests[planned.request.id_of(outcome.index)] = digest_of(difference)
    return digests
