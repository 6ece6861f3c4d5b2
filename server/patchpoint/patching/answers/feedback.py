"""What is sent back to a model whose answer was not applied as a whole: what is open, and how to send it.

A model has no answer of before to add to: what waits has to be in the next one, too, and in a form in which
each edit says where it belongs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from patchpoint.dataclass import dataclass
from patchpoint.edit import Unplaced
from patchpoint.outcome import Outcome, Reason
from patchpoint.patching.feedback import DONE, WAITING, longest
from patchpoint.patching.reasons import SHOWN_PLACES
from patchpoint.text.regex import regex
from patchpoint.text.shown import visible_line

_LONG = 80
_SAYS_SOMETHING = regex(r"^(?!\s*(?:`{3}|~{3})).*\w")
"""A line that begins no code and is no rule."""
_MARKS = " \t-*+>"


def answer_feedback(outcomes: Sequence[Outcome], unplaced: Sequence[Unplaced], text: str, form: str) -> str:
    """Return what to send back to the model that wrote the answer `text`; empty if no edit was refused.

    `unplaced` is what of it is no edit: what may be code of a file, or asks for a change, is named, since the
    model may have meant it. `form` says how edits are to be written.
    """
    if all(one.status in (*DONE, *WAITING) for one in outcomes):
        return ""
    names, lines = _names(outcomes), text.splitlines()
    done = [names[one.index] for one in outcomes if one.status in DONE]
    open_ = _Open.of(outcomes, unplaced)
    nothing = "Nothing of your answer was applied."
    parts = [f"Applied, and not to be sent again: {_listed(done)}." if done else nothing]
    if open_.waiting:
        waiting = _listed(names[one.index] for one in open_.waiting)
        parts.append(f"Understood, and waiting for the rest: {waiting}.")
    is_sent = not open_.is_for_person
    parts += [f"{names[one.index]}:\n\n{_why(one, is_sent=is_sent)}" for one in open_.refused]
    parts += [f"{names[one.index]} was read as this:\n\n{_difference(one)}" for one in open_.shown]
    if open_.left:
        left = "\n".join(_left(one, lines) for one in open_.left)
        parts.append(f"This was not read as an edit:\n{left}")
    parts += [_asked(open_), form] if is_sent else [f"{_asked(open_)}\n"]
    return "\n\n".join(parts)


@dataclass(frozen=True, slots=True)
class _Open:
    """What of an answer is not applied: edits that wait, that were likely, and that were refused."""

    waiting: Sequence[Outcome]
    shown: Sequence[Outcome]
    refused: Sequence[Outcome]
    left: Sequence[Unplaced]
    """What may be meant as an edit, and is none."""

    @classmethod
    def of(cls, outcomes: Sequence[Outcome], unplaced: Sequence[Unplaced]) -> _Open:
        """Return what is open of some outcomes, and of what is no edit."""
        every = [one for one in outcomes if one.status not in DONE]
        waiting = [one for one in every if one.status in WAITING or one.reason is Reason.INCOMPLETE]
        rest = [one for one in every if one not in waiting]
        return cls(
            waiting,
            [one for one in rest if one.proposal is not None],
            [one for one in rest if one.proposal is None],
            [one for one in unplaced if one.is_code and one.objection is None],
        )

    @property
    def is_half(self) -> bool:
        """Whether an edit waits for a part of the answer that is no edit."""
        return any(one.reason is Reason.INCOMPLETE for one in self.waiting)

    @property
    def is_for_person(self) -> bool:
        """Whether there is nothing that a model can do."""
        of_person = all(one.reason is Reason.EXECUTING for one in self.refused)
        return of_person and not self.shown and not self.is_half

    @property
    def is_alone(self) -> bool:
        """Whether it is one edit."""
        return len((*self.waiting, *self.shown, *self.refused, *self.left)) == 1


def _asked(open_: _Open) -> str:
    """Return what a model is to do about what is open."""
    if open_.is_for_person:
        return "Send nothing again: only a person can do the rest."
    every = "send all that is not applied in one answer, also what was read rightly"
    again = "send it again" if open_.is_alone else every
    if open_.refused or open_.is_half:
        return f"When you have put that right, {again}."
    also = " and what was not read as an edit is to change no file," if open_.left else ""
    ids = ",".join(one.proposal.id for one in open_.shown if one.proposal is not None)
    yes = f"a yes, or `--accept {ids}`, makes that change"
    return f"If all of that is right,{also} send nothing: {yes}. If it is not, {again}."


def _names(outcomes: Sequence[Outcome]) -> list[str]:
    """Return what each edit is called: by its file, and of several of one file by its number among them."""
    often, so_far = Counter(one.path for one in outcomes), Counter[str]()
    names = []
    for one in outcomes:
        so_far[one.path] += 1
        which = f"Edit {so_far[one.path]}" if often[one.path] > 1 else "The edit"
        names.append(f"{which} of {one.path or 'a file that is not named'}")
    return names


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"{name[0].lower()}{name[1:]}" for name in names)


def _why(outcome: Outcome, *, is_sent: bool) -> str:
    """Return why an edit was refused; what a person has to confirm is sent with the rest, if that is sent.

    Of many places, of which none is more likely, none is listed.
    """
    if outcome.reason is Reason.EXECUTING and is_sent:
        return f"{outcome.message.partition(';')[0]}; a person has to confirm that. Send it with the rest."
    is_anywhere = outcome.reason in (Reason.NEW_ALONE, Reason.NO_PLACE)
    if is_anywhere and len(outcome.candidates) > SHOWN_PLACES:
        return outcome.message
    return (outcome.feedback or outcome.message).rstrip()


def _difference(outcome: Outcome) -> str:
    assert outcome.proposal is not None
    return "\n".join(longest(outcome.proposal.diff.rstrip("\n").split("\n")))


def _left(one: Unplaced, lines: Sequence[str]) -> str:
    """Return one thing that is no edit, by its first line that says something, and why it is none."""
    first = next((line for line in lines[one.line - 1 :] if _SAYS_SOMETHING.search(line)), "")
    quoted = visible_line(first.strip(_MARKS))
    quoted = quoted if len(quoted) <= _LONG else f"{quoted[: _LONG - 1]}…"
    # of the line, a model sees no number; of a sentence, the message has its words as well
    why = one.message.partition(": ")[2] if one.message.startswith("Line ") else one.message
    return f"- {quoted}\n  {why.partition(' (“')[0].rstrip('.')}."
