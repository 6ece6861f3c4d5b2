"""What is sent back to a model whose answer was not applied as a whole: what is open, and how to send it.

A model has no answer of before to add to: what waits has to be in the next one, too, and in a form in which
each edit says where it belongs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

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
    open_ = [one for one in outcomes if one.status not in DONE]
    if all(one.status in WAITING for one in open_):
        return ""
    left = [one for one in unplaced if one.is_code and one.objection is None]
    waiting = [one for one in open_ if one.status in WAITING or one.reason is Reason.INCOMPLETE]
    shown = [one for one in open_ if one not in waiting and one.proposal is not None]
    refused = [one for one in open_ if one not in waiting and one.proposal is None]
    names = _names(outcomes)
    done = [names[one.index] for one in outcomes if one.status in DONE]
    is_part_missing = any(one.reason is Reason.INCOMPLETE for one in waiting)
    is_for_person = not is_part_missing and all(one.reason is Reason.EXECUTING for one in refused)
    parts = [
        f"Applied, and not to be sent again: {_listed(done)}."
        if done
        else "Nothing of your answer was applied."
    ]
    if waiting:
        parts.append(f"Understood, and waiting for the rest: {_listed(names[one.index] for one in waiting)}.")
    parts += [
        f"{names[one.index]}:\n\n{_why(one, is_sent=not is_for_person or bool(shown))}" for one in refused
    ]
    parts += [f"{names[one.index]} was read as this:\n\n{_difference(one)}" for one in shown]
    if left:
        lines = text.splitlines()
        parts.append("\n".join(["This was not read as an edit:", *(_left(one, lines) for one in left)]))
    if is_for_person and not shown:
        return "\n\n".join([*parts, "Send nothing again: only a person can do the rest.\n"])
    condition = "When you have put that right"
    if not refused and not is_part_missing:
        also = " and what was not read as an edit is to change no file," if left else ""
        ids = ",".join(one.proposal.id for one in shown if one.proposal is not None)
        yes = f"a yes, or `--accept {ids}`, makes that change"
        condition = f"If all of that is right,{also} send nothing: {yes}. If it is not"
    parts.append(f"{condition}, send all that is not applied in one answer, also what was read rightly.")
    return "\n\n".join([*parts, form])


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
