"""Asking a person at a terminal about each edit that has no certain place, while nothing is written yet."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from patchpoint.cli.terminal import Terminal, ask_for_key
from patchpoint.outcome import Reason, Status
from patchpoint.wording import plural

if TYPE_CHECKING:
    from patchpoint.headless.apply import PlannedRequest
    from patchpoint.outcome import Candidate, Outcome
    from patchpoint.progress import Progress
    from patchpoint.text.lines import Span

_MOST_PLACES = 9
"""Places that have a key each."""
_KEYS = {
    "y": "apply this edit as shown",
    "n": "leave this edit out",
    "j": "the next edit; this one stays out until you come back",
    "k": "the edit before",
    "f": "leave it out, and copy what to send back to the model to the clipboard",
    "q": "ask no more: the edits that are left stay out",
    "?": "show this",
}


def decided_at_terminal(planned: PlannedRequest, progress: Progress) -> tuple[PlannedRequest, bool]:
    """Show each edit that is proposed, or could be in several places; return the plan with what is chosen.

    Edits that fit nowhere are asked about where places resemble what they quote. Nothing is written. The
    second value is whether the person wants the feedback for the model.
    """
    asking = _Asking(planned, progress)
    at = 0
    while 0 <= at < len(asking.open):
        key = asking.ask(at)
        if key == "q":
            break
        at = max(at - 1, 0) if key == "k" else at + 1
    return asking.plan(), asking.wants_feedback


class _Asking:
    """The edits that are asked about, and what the person has chosen for each."""

    def __init__(self, planned: PlannedRequest, progress: Progress) -> None:
        self._planned = planned
        self._progress = progress
        self.open = [
            one.index for one in planned.plan.outcomes if one.proposal is not None or _places_of(one)
        ]
        self._accepted: dict[int, str] = {}
        self._places: dict[int, Span] = {}
        self.wants_feedback = False

    def plan(self) -> PlannedRequest:
        """Return the plan with all that is chosen."""
        return self._plan_with(self._places)

    def ask(self, at: int) -> str:
        """Ask about one edit until it is decided; return the last key."""
        index = self.open[at]
        outcome = self._planned.plan.outcomes[index]
        while True:
            keys, lines = self._question(at, outcome)
            key = ask_for_key(lines, keys)
            if key == "?":
                for known in keys:
                    meaning = _KEYS.get(known, f"put it at place {known}, and see what changes")
                    _people().line(f"{_people().paint(known, 'bold')}  {meaning}")
                continue
            if key in "nyf" or key.isdigit():
                self._accepted.pop(index, None)
                self._places.pop(index, None)
            self.wants_feedback |= key == "f"
            if key == "y" and outcome.proposal is not None:
                self._accepted[index] = outcome.proposal.id
            elif key.isdigit() and not self._put(outcome, _places_of(outcome)[int(key) - 1]):
                continue
            return key

    def _plan_with(self, places: Mapping[int, Span]) -> PlannedRequest:
        planned = self._planned
        if places:
            planned = planned.at({**planned.chosen, **places}, self._progress)
        if self._accepted:
            planned = planned.accepting(self._accepted.values(), self._progress)
        return planned

    def _question(self, at: int, outcome: Outcome) -> tuple[str, list[str]]:
        """Return the keys of an edit, and what is shown; the last line is the question."""
        people = _people()
        head = f"Edit {outcome.index + 1} of {len(self._planned.plan.outcomes)}, {outcome.path}"
        count = f" ({at + 1} of {plural(len(self.open), 'question')})" if len(self.open) > 1 else ""
        lines = ["", people.paint(f"{head}{count}", "bold")]
        moves = ("j" if at + 1 < len(self.open) else "") + ("k" if at else "")
        places = _places_of(outcome)
        digits = "".join(str(number) for number in range(1, len(places) + 1))
        listed = [line for n, each in enumerate(places, 1) for line in _place_lines(people, n, each)]
        if outcome.proposal is not None:
            lines += [*people.diff_lines(outcome.proposal.diff), "", outcome.proposal.why]
            if outcome.reason is not Reason.NEW_ALONE or not places:
                return f"yn{moves}fq?", [*lines, "Change the lines as shown?"]
            return f"y{digits}n{moves}fq?", [
                *lines,
                *listed,
                "Change the lines as shown, or put it at a place?",
            ]
        lines += [*outcome.message.splitlines(), *listed]
        more = (
            f" {plural(len(outcome.candidates) - len(places), 'place')} more: --choose."
            if len(outcome.candidates) > len(places)
            else ""
        )
        return f"{digits}n{moves}fq?", [*lines, "", f"Where does it go?{more}"]

    def _put(self, outcome: Outcome, place: Candidate) -> bool:
        """Put an edit at a place, after a look at what that changes; return whether the person wants it."""
        places = {**self._places, outcome.index: place.span}
        planned = self._plan_with(places)
        made = planned.plan.outcomes[outcome.index]
        if not made.matched and made.status is not Status.HELD:
            _people().line(made.message)
            return False
        if not (place.is_quoted and outcome.status is Status.AMBIGUOUS):
            foreseen = planned.foreseen()
            shown = [
                line
                for change in foreseen.changes
                if outcome.path in (change.path, change.new_path)
                for line in _people().diff_lines(foreseen.diff(change))
            ]
            if ask_for_key([*shown, "", "Change the lines as shown?"], "ynq?") != "y":
                return False
        self._places = places
        return True


def _people() -> Terminal:
    return Terminal.of(sys.stderr)


def _places_of(outcome: Outcome) -> tuple[Candidate, ...]:
    """Return the places that an edit can be put at, as far as each has a key."""
    if outcome.status is Status.AMBIGUOUS or outcome.is_lost:
        return outcome.candidates[:_MOST_PLACES]
    return ()


def _place_lines(people: Terminal, number: int, candidate: Candidate) -> Iterator[str]:
    yield f"  {people.paint(str(number), 'bold')}  line {candidate.line}  {candidate.distinction}".rstrip()
    for line in candidate.preview.splitlines():
        yield people.paint(f"       {line}", "dim")
