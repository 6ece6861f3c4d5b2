"""What a person was shown of edits: where something else would be applied, it is shown first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from patchpoint.lsp.applying.planning import PlannedEdits
from patchpoint.outcome import Status
from patchpoint.patching.pending import digest_of
from patchpoint.text.splice import apply_splices
from patchpoint.text.unified_diff import unified_diff

_MOST = 500
"""How many edits that were shown are remembered."""


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
