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
_CONFIRMS = "--allow-executing-files"
_NOT_DONE = "No edit was made of this; send it, too, if it is to be done:"
_NOT_READ = "This was not read as a change of a file; if it is one, send it, too:"
_FEW = 2
_ADVISED = (
    Reason.NEW_ALONE,
    Reason.NO_PLACE,
    Reason.NOT_MERGED,
    Reason.NOT_PLACED,
    Reason.NOT_WHOLE,
    Reason.WOULD_BE_LOST,
)
"""Reasons of edits that quote nothing."""
_ADVICE = regex(r"; |: choose")
"""What is between a reason and what to do about it."""
_SAYS_SOMETHING = regex(r"^(?!\s*(?:`{3}|~{3})).*\w")
"""A line that begins no code and is no rule."""
_MARKS = " \t-*+>"


def answer_feedback(
    outcomes: Sequence[Outcome],
    unplaced: Sequence[Unplaced],
    text: str,
    form: str,
    *,
    by_options: bool = True,
) -> str:
    """Return what to send back to the model that wrote the answer `text`; empty if no edit was refused.

    `unplaced` is what of it is no edit: what may be code of a file, or asks for a change, is named, since the
    model may have meant it. `form` says how edits are to be written; `by_options` whether a
    person accepts what is likely by options of the command line, and not in an editor.
    """
    if all(one.status in (*DONE, *WAITING) for one in outcomes):
        return ""
    names = _names(outcomes)
    open_ = _Open.of(outcomes, unplaced)
    done = _listed(one for one in outcomes if one.status in DONE)
    parts = [f"Applied, and not to be sent again: {done}." if done else "Nothing of your answer was applied."]
    parts += [f"{names[one.index]}:\n\n{_why(one, is_sent=open_.is_to_send)}" for one in open_.refused]
    if open_.is_to_send:
        understood, is_said = [*open_.waiting, *open_.shown], "Understood, but not applied"
    else:
        understood, is_said = [*open_.waiting], "The same yes also makes"
        parts += [f"{names[one.index]} was read as this:\n\n{_difference(one)}" for one in open_.shown]
    parts += [f"{is_said}: {_listed(understood)}."] if understood else []
    lines = text.splitlines()
    for said, is_sentence in ((_NOT_DONE, True), (_NOT_READ, False)):
        left = [_begin_of(one, lines) for one in open_.left if one.is_sentence is is_sentence]
        parts += ["\n".join([said, *left])] if left else []
    parts += [_asked(open_, by_options=by_options)]
    parts += [form] if open_.is_to_send or open_.shown else []
    return "\n\n".join(parts).rstrip("\n") + "\n"


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
    def is_to_send(self) -> bool:
        """Whether an edit was refused that a model can send otherwise, or a part of the answer is none."""
        return any(one.reason is not Reason.EXECUTING for one in self.refused) or any(
            one.reason is Reason.INCOMPLETE for one in self.waiting
        )

    @property
    def is_alone(self) -> bool:
        """Whether it is one edit."""
        return len((*self.waiting, *self.shown, *self.refused, *self.left)) == 1


def _asked(open_: _Open, *, by_options: bool) -> str:
    """Return what a model is to do about what is open."""
    if open_.is_to_send:
        every = "it again" if open_.is_alone else "all that is not applied in one answer"
        return f"Send {every}, in this form."
    proposals = [one.proposal for one in open_.shown if one.proposal is not None]
    ids = ",".join(one.id for one in proposals)
    confirmed = [one.path for one in open_.refused if one.reason is Reason.EXECUTING]
    run = list(dict.fromkeys((*confirmed, *(one.path for one in proposals if one.starts_programs))))
    looks = f"a person looks at what becomes of {' and '.join(run)} and makes them" if run else ""
    options = [*([f"--accept {ids}"] if ids else []), *([_CONFIRMS] if run else [])]
    yes = f"send nothing: {looks or 'a person makes them'}"
    yes += f" with `{' '.join(options)}`." if by_options else "."
    if not open_.shown:
        return f"{yes[0].upper()}{yes[1:]}"
    return (
        "Compare this with your answer. Are these, and nothing else, the changes that you meant, to the "
        f"blank line, each at its place? Then {yes} If one is missing, or differs, send all your changes "
        "again in one answer, also those shown here, in this form."
    )


def _names(outcomes: Sequence[Outcome]) -> list[str]:
    """Return what each edit is called: by its file, and of several of one file by its number among them."""
    often, so_far = Counter(one.path for one in outcomes), Counter[str]()
    names = []
    for one in outcomes:
        so_far[one.path] += 1
        which = f"Edit {so_far[one.path]}" if often[one.path] > 1 else "The edit"
        names.append(f"{which} of {one.path or 'a file that is not named'}")
    return names


def _listed(outcomes: Iterable[Outcome]) -> str:
    """Return the files of edits, each with their number if there are several."""
    often = Counter(one.path or "a file that is not named" for one in outcomes)
    return ", ".join(path if count == 1 else f"{path} ({count} edits)" for path, count in often.items())


def _why(outcome: Outcome, *, is_sent: bool) -> str:
    """Return why an edit was refused; what a person has to confirm is sent with the rest, if that is sent.

    Where the form says how to send it, no other way does; nor are places listed that are only some of many.
    """
    if outcome.reason is Reason.EXECUTING and is_sent:
        return f"{outcome.message.partition(';')[0]}; a person has to confirm that. Send it with the rest."
    if outcome.reason in _ADVISED:
        return f"{_ADVICE.split(outcome.message)[0].rstrip('.')}."
    if outcome.reason is Reason.UNCLEAR and not _FEW <= len(outcome.candidates) <= SHOWN_PLACES:
        return outcome.message
    return (outcome.feedback or outcome.message).rstrip()


def _difference(outcome: Outcome) -> str:
    assert outcome.proposal is not None
    return "\n".join(longest(outcome.proposal.diff.rstrip("\n").split("\n")))


def _begin_of(one: Unplaced, lines: Sequence[str]) -> str:
    """Return the first line that says something of a thing that is no edit."""
    first = next((line for line in lines[one.line - 1 :] if _SAYS_SOMETHING.search(line)), "")
    quoted = visible_line(first.strip(_MARKS))
    return f"- {quoted if len(quoted) <= _LONG else f'{quoted[: _LONG - 1]}…'}"
