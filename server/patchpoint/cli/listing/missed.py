"""Say which prompts and steps of agents have no checkpoint, for `list`, `log` and `doctor`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timezone

from patchpoint.cli.listing.turn_lines import clock_at
from patchpoint.dataclass import dataclass
from patchpoint.hooks.events import Moment
from patchpoint.hooks.missed import Missed
from patchpoint.text.shown import visible_line
from patchpoint.wording import plural


@dataclass(frozen=True, slots=True)
class MissedData:
    """The JSON of a call of a hook that took no checkpoint."""

    at: str
    agent: str
    session: str | None
    label: str
    """What the checkpoint would be called."""
    reason: str


def missed_data(missed: Sequence[Missed]) -> tuple[MissedData, ...]:
    """Return the JSON of such calls."""
    return tuple(
        MissedData(
            datetime.fromtimestamp(one.at, timezone.utc).isoformat(),
            one.agent,
            one.event.session,
            one.event.label,
            _reason(one),
        )
        for one in missed
    )


def said_of_missed(missed: Sequence[Missed], now: datetime) -> Iterator[str]:
    """Yield a sentence for each agent, without its full stop; `now` is when it is read."""
    for agent in dict.fromkeys(one.agent for one in missed):
        of_agent = [one for one in missed if one.agent == agent]
        prompts = sum(one.event.moment is Moment.PROMPT for one in of_agent)
        counts = [
            plural(count, thing)
            for count, thing in ((prompts, "prompt"), (len(of_agent) - prompts, "step"))
            if count
        ]
        last = of_agent[-1]
        have = "has" if len(of_agent) == 1 else "have"
        which = f"at {clock_at(last.at, now)} ({last.event.label})"
        which = which if len(of_agent) == 1 else f"the last {which}"
        why = _reason(last).partition(". ")[0]
        yield visible_line(f"{' and '.join(counts)} of {agent} {have} no checkpoint, {which}: {why}")


def _reason(one: Missed) -> str:
    return one.says.removeprefix("no checkpoint: ").removesuffix(".")
