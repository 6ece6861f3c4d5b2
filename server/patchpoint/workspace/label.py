"""What a checkpoint before a request is called: what follows it."""

from __future__ import annotations

from patchpoint.outcome import Status
from patchpoint.patching.plan import Plan
from patchpoint.wording import before_edits, before_reverting


def label_before(plan: Plan, *, reverting: bool = False) -> str:
    """Return what a checkpoint before `plan` is called; `reverting` for edits that revert earlier ones."""
    paths = [change.new_path or change.path for change in plan.changes]
    if reverting:
        return before_reverting(paths)
    return before_edits(sum(one.status is Status.MATCHED for one in plan.outcomes), paths)
