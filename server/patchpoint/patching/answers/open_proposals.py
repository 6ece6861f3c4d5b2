"""The proposals of an answer that are still open once its other edits have been made."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import replace
from patchpoint.edit import Edit
from patchpoint.locate.effort import Effort
from patchpoint.locate.ladder import Ladder
from patchpoint.outcome import Outcome
from patchpoint.patching.plan import Item, Plan
from patchpoint.patching.proposal import without_proposal
from patchpoint.patching.resolve import resolve_edit
from patchpoint.patching.whole.whole_or_part import held_against_file


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
        shown = held_against_file(item, text, Effort((ladder or Ladder()).request_budget))
        now = shown if isinstance(shown, Outcome) else resolve_edit(text, shown, ladder)
        if now.proposal is None:
            outcomes[at] = without_proposal(outcome)
            continue
        proposal = replace(now.proposal, starts_programs=outcome.proposal.starts_programs)
        outcomes[at] = replace(now, index=at, proposal=proposal)
    return replace(plan, outcomes=tuple(outcomes))
