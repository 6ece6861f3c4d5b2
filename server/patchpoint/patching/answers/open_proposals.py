"""The proposals of an answer that are still open once its other edits have been made."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import replace
from patchpoint.edit import Edit
from patchpoint.locate.ladder import Ladder
from patchpoint.patching.plan import Item, Plan, plan_edits
from patchpoint.patching.proposal import without_proposal


def proposed_after(plan: Plan, items: Sequence[Item], ladder: Ladder | None = None) -> Plan:
    """Return the plan with its open proposals against the texts that its changes make.

    Another edit of the same file was applied: what is accepted next is made of the text that there is then.
    """
    texts = {change.path: change.after for change in plan.changes if change.after is not None}
    outcomes = list(plan.outcomes)
    for at, outcome in enumerate(outcomes):
        item, text = items[at], texts.get(outcome.path)
        if outcome.proposal is None or text is None or not isinstance(item, Edit):
            continue
        now = plan_edits([item], {item.path: text}, ladder=ladder).outcomes[0]
        if now.proposal is None:
            outcomes[at] = without_proposal(outcome)
            continue
        proposal = replace(now.proposal, starts_programs=outcome.proposal.starts_programs)
        outcomes[at] = replace(now, index=at, proposal=proposal)
    return replace(plan, outcomes=tuple(outcomes))
