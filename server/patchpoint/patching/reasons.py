"""The table of reasons why an edit changes nothing: its status, what a person reads, what the model is sent.

A new reason is a name in `patchpoint.outcome.Reason`, a row below, and the code that finds it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum

from patchpoint.dataclass import dataclass
from patchpoint.edit import ObjectionCode
from patchpoint.outcome import Candidate, Outcome, Reason, Status

SHOWN_PLACES = 8
"""A sentence and a feedback name no more places than this."""

DIAGNOSTIC_CODES: Mapping[Status, str] = {
    Status.AMBIGUOUS: "ambiguous-edit",
    Status.NOT_FOUND: "edit-not-found",
    Status.CONFLICT: "edit-conflict",
    Status.REJECTED: "edit-rejected",
    Status.MALFORMED: "malformed-edit",
    Status.HELD: "held-edit",
    Status.PROPOSED: "proposed-edit",
}
"""The protocol's codes of diagnostics; an edit that has already been applied has none."""

OUTCOME_CODES: Mapping[Reason, str] = {
    Reason.STALE: "stale-file",
    Reason.EXECUTING: "runs-code",
    Reason.TAKEN_BACK: ObjectionCode.RETRACTED.value,
    Reason.ONE_OF_SEVERAL: ObjectionCode.ALTERNATIVE.value,
    Reason.INCOMPLETE: "incomplete-answer",
    Reason.STALE_PROPOSAL: "stale-proposal",
}
"""The protocol's codes of outcomes that call for something else than others of their status do."""


class Part(Enum):
    """What follows the sentence in the feedback to the model (see `patchpoint.patching.feedback`)."""

    STOP = "do not send the edit again"
    PLACES = "every place, with the context that tells it from the others"
    NEAREST = "the nearest place, compared line by line"
    ADVICE = "what to send instead"


@dataclass(frozen=True, slots=True)
class ReasonRow:
    """One reason: what an edit refused for it is called, and what is said of it."""

    reason: Reason
    status: Status
    message: str
    """One sentence for a person. `{file}` is the path or "the text", `{count}` and `{lines}` are of the
    candidates; other names are given by whoever refuses the edit."""
    feedback: tuple[Part, ...]
    """What the model is sent after the sentence."""


MOVED = "the place that was chosen; it has changed since, so choose again"
"""What is not there any more."""

_REQUOTED = {
    Reason.NOTHING_SIMILAR: "The search text is not in {file}, and no part of it is similar enough.",
    Reason.NOT_THERE: "{file} does not contain {why} ({lines}).",
    Reason.TOO_LARGE: "The search text is not in {file}, and it is too long to search for by similarity.",
    Reason.DOUBTED: "The search text is not in {file} as quoted, and the nearest match ({lines}) may not be "
    "what is meant: {why}.",
    Reason.BREAKS_SYNTAX: "The search text is not in {file} as quoted, and at the nearest match ({lines}) "
    "the edit would break the file: {problem}.",
}
_CHOSEN = {
    Reason.SEVERAL: "The search text occurs {count} times in {file} ({lines}).",
    Reason.TOO_CLOSE: "The search text is not in {file}, and {count} places are about equally similar "
    "({lines}).",
    Reason.UNCLEAR: "{why} of {file} ({lines}).",
    Reason.NEW_ALONE: "{file} has no {name}, and it is not clear where to add it: choose a definition to put "
    "it below, or include one of the file next to it.",
    Reason.NO_PLACE: "It is not clear where to add {name} in {file}; choose one of {count} places, or "
    "include what the file has next to it.",
}
_CONFLICTING = {
    Reason.NOT_WHOLE: "{why}",
    Reason.SAME_LINE: "Changes the same line as {others}, line {line}; send them as one edit.",
    Reason.ALTERNATIVES: "Conflicts with {others}, which would {verb}; keep one.",
    Reason.INCOMPLETE: "{why}",
    Reason.FILE_EXISTS: "{path} {why}.",
    Reason.STALE: "{why}",
}
_REJECTED = {
    Reason.WOULD_BE_LOST: "{name} of {file} would be lost ({lines}); show it, or put a mark such as "
    "`... existing code ...` in its place.",
    Reason.NOT_MERGED: "The code shown cannot be merged into {file}: {why}.",
    Reason.NOT_PLACED: "The edit of {name} in {file} cannot be made: {why}.",
    Reason.TOO_MUCH: "Not searched for: the other edits used up what one request may search; send it in the "
    "next.",
    Reason.FORBIDDEN: "{why}",
    Reason.EXECUTING: "{path} {why}; {remedy}.",
    Reason.TAKEN_BACK: "The answer says not to make this edit: {why}.",
    Reason.ONE_OF_SEVERAL: "This is one of several options ({name}); choose one.",
    Reason.ONLY_LIKELY: "{why}",
}
_TABLE: tuple[tuple[Status, tuple[Part, ...], Mapping[Reason, str]], ...] = (
    (Status.NOT_FOUND, (Part.NEAREST, Part.ADVICE), _REQUOTED),
    (Status.NOT_FOUND, (), {Reason.FILE_MISSING: "{path} does not exist; {remedy}."}),
    (Status.AMBIGUOUS, (Part.PLACES, Part.ADVICE), _CHOSEN),
    (Status.ALREADY_APPLIED, (Part.STOP,), {Reason.ALREADY_APPLIED: "The change is already {where}."}),
    (Status.CONFLICT, (), _CONFLICTING),
    (Status.REJECTED, (), _REJECTED),
    (Status.HELD, (), {Reason.HELD_BACK: "Held back because edit {other} of the request {why}."}),
    (
        Status.PROPOSED,
        (),
        {
            Reason.STALE_PROPOSAL: "No proposal has the id {ids} now: the file has changed since it was "
            "shown, or it is another edit's."
        },
    ),
    (Status.MALFORMED, (), {Reason.UNREADABLE: "{why}"}),
)
"""The sentences of the reasons, by the status that each gives and what the model is sent after it."""

REASONS: Mapping[Reason, ReasonRow] = {
    reason: ReasonRow(reason, status, message, parts)
    for status, parts, messages in _TABLE
    for reason, message in messages.items()
}
"""The row of each `Reason`."""


def edits_named(indexes: Iterable[int]) -> str:
    """Return edits by their numbers in the request, as in `edit 2` or `edits 2, 3 and 4`."""
    named = [str(index + 1) for index in sorted(set(indexes))]
    if len(named) == 1:
        return f"edit {named[0]}"
    return f"edits {', '.join(named[:-1])} and {named[-1]}"


def sentence(
    reason: Reason,
    path: str,
    candidates: Sequence[Candidate] = (),
    count: int | None = None,
    **values: str | int,
) -> str:
    """Return the sentence for a person that says why an edit of `path` was not applied.

    `count` is the number of places where the candidates are only the first of them; `values` fill in what
    else the row's message names, `where` being in the file if nothing is said.
    """
    named = list(dict.fromkeys(one.lines_named for one in candidates))
    shown = named[:SHOWN_PLACES]
    if all(name.startswith("line ") for name in shown) and len(shown) > 1:
        shown = ["lines " + ", ".join(name.removeprefix("line ") for name in shown)]
    lines = ", ".join(shown) + (", ..." if len(named) > SHOWN_PLACES else "")
    often = str(count or len(candidates))
    if (count or 0) > len(candidates):
        often = f"at least {often}"
    template = REASONS[reason].message
    if not lines:
        template = template.replace(" ({lines})", "")
    file = path or "the text"
    values = {"where": f"in {file}", **values}
    return template.format(path=path, file=file, count=often, lines=lines, **values)


def refusal(
    reason: Reason,
    path: str,
    candidates: Sequence[Candidate] = (),
    count: int | None = None,
    **values: str | int,
) -> Outcome:
    """Return the outcome of an edit of `path` that changes nothing, its feedback being the sentence alone.

    The arguments are those of `sentence`.
    """
    message = sentence(reason, path, candidates, count, **values)
    return Outcome(
        status=REASONS[reason].status,
        reason=reason,
        path=path,
        candidates=tuple(candidates),
        message=message,
        feedback=message,
    )
