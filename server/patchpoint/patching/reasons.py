"""The table of reasons why an edit changes nothing: its status, what a person reads, what the model is sent.

A new reason is a name in `patchpoint.outcome.Reason`, a row below in the same place, and the code that finds
it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


_CHOOSE = (Part.PLACES, Part.ADVICE)
_REQUOTE = (Part.NEAREST, Part.ADVICE)


@dataclass(frozen=True, slots=True)
class ReasonRow:
    """One reason: what an edit refused for it is called, and what is said of it."""

    reason: Reason
    status: Status
    message: str
    """One sentence for a person. `{file}` is the path or "the text", `{count}` and `{lines}` are of the
    candidates; other names are given by whoever refuses the edit."""
    feedback: tuple[Part, ...] = ()
    """What the model is sent after the sentence."""

    @property
    def code(self) -> str | None:
        """The code of the diagnostic in the protocol."""
        return DIAGNOSTIC_CODES.get(self.status)


REASONS: tuple[ReasonRow, ...] = (
    ReasonRow(
        Reason.NOTHING_SIMILAR,
        Status.NOT_FOUND,
        "The search text is not in {file}, and no part of it is similar enough.",
        _REQUOTE,
    ),
    ReasonRow(
        Reason.SEVERAL,
        Status.AMBIGUOUS,
        "The search text occurs {count} times in {file} ({lines}).",
        _CHOOSE,
    ),
    ReasonRow(
        Reason.TOO_CLOSE,
        Status.AMBIGUOUS,
        "The search text is not in {file}, and {count} places are about equally similar ({lines}).",
        _CHOOSE,
    ),
    ReasonRow(
        Reason.SCOPE_MISSING,
        Status.NOT_FOUND,
        "{file} does not contain the scope that the edit names.",
        _REQUOTE,
    ),
    ReasonRow(
        Reason.OUTSIDE_SCOPE,
        Status.NOT_FOUND,
        "The search text occurs in {file} only before the scope that the edit names ({lines}).",
        _REQUOTE,
    ),
    ReasonRow(
        Reason.OCCURRENCE_MISSING,
        Status.NOT_FOUND,
        "The search text occurs only {count} times in {file}, fewer than the edit asks for.",
        _REQUOTE,
    ),
    ReasonRow(
        Reason.TOO_LARGE,
        Status.NOT_FOUND,
        "The search text is not in {file}, and it is too long to search for by similarity.",
        _REQUOTE,
    ),
    ReasonRow(
        Reason.NOT_FOR_ALL,
        Status.NOT_FOUND,
        "Replacing every occurrence needs the text itself; {file} has only similar text.",
        _REQUOTE,
    ),
    ReasonRow(
        Reason.EMPTY,
        Status.REJECTED,
        "The search text is empty and {file} is not: the place of the edit cannot be determined.",
    ),
    ReasonRow(
        Reason.ONLY_ELISION,
        Status.REJECTED,
        "The search text is only a mark for omitted lines: the place of the edit cannot be determined.",
    ),
    ReasonRow(
        Reason.MOVED,
        Status.NOT_FOUND,
        "{file} has changed since this place was offered.",
        _REQUOTE,
    ),
    ReasonRow(
        Reason.ANCHORS_MISSING,
        Status.NOT_FOUND,
        "{file} does not contain the two anchors in this order.",
        _REQUOTE,
    ),
    ReasonRow(
        Reason.NO_SUCH_LINE,
        Status.NOT_FOUND,
        "{file} has no line {line}; it has {length} lines.",
        _REQUOTE,
    ),
    ReasonRow(
        Reason.LINE_MISSING,
        Status.NOT_FOUND,
        "A line that the edit changes is not at the nearest match in {file} ({lines}).",
        _REQUOTE,
    ),
    ReasonRow(
        Reason.LINE_ELSEWHERE,
        Status.NOT_FOUND,
        "A line that the edit changes is elsewhere in {file}, not next to the rest of the search text "
        "({lines}).",
        _REQUOTE,
    ),
    ReasonRow(
        Reason.LOOKALIKE,
        Status.NOT_FOUND,
        "The line is not in {file}; the nearest match may be a different line ({lines}).",
        _REQUOTE,
    ),
    ReasonRow(
        Reason.OTHER_NAME,
        Status.NOT_FOUND,
        "The nearest match in {file} declares a different name ({lines}).",
        _REQUOTE,
    ),
    ReasonRow(
        Reason.PARTLY_APPLIED,
        Status.NOT_FOUND,
        "Part of the new text is already in {file}, next to where it would go ({lines}).",
        _REQUOTE,
    ),
    ReasonRow(
        Reason.OTHER_MEMBER,
        Status.NOT_FOUND,
        "The nearest match in {file} may be a sibling of what the edit means ({lines}).",
        _REQUOTE,
    ),
    ReasonRow(
        Reason.UNKNOWN_NAME,
        Status.NOT_FOUND,
        "The edit uses a name that {file} does not have; the nearest match has a different one ({lines}).",
        _REQUOTE,
    ),
    ReasonRow(
        Reason.UNQUOTED_LINES,
        Status.NOT_FOUND,
        "{file} has lines at this place that the edit does not quote ({lines}).",
        _REQUOTE,
    ),
    ReasonRow(
        Reason.LOOSE_EDGE,
        Status.NOT_FOUND,
        "The edit inserts text next to a line that is not in {file} ({lines}).",
        _REQUOTE,
    ),
    ReasonRow(
        Reason.UNBALANCED,
        Status.NOT_FOUND,
        "The search text is not in {file} as quoted, and at the nearest match ({lines}) the edit would "
        "unbalance the brackets.",
        _REQUOTE,
    ),
    ReasonRow(
        Reason.BREAKS_SYNTAX,
        Status.NOT_FOUND,
        "The search text is not in {file} as quoted, and at the nearest match ({lines}) the edit would "
        "break the file: {problem}.",
        _REQUOTE,
    ),
    ReasonRow(
        Reason.DEFINITION_MISSING,
        Status.NOT_FOUND,
        "{file} has no {name}; to add it, include an existing definition next to it.",
    ),
    ReasonRow(
        Reason.SEVERAL_DEFINITIONS,
        Status.AMBIGUOUS,
        "{file} has {count} definitions of {name} ({lines}); include the enclosing class or function.",
        _CHOOSE,
    ),
    ReasonRow(
        Reason.NEW_ALONE,
        Status.AMBIGUOUS,
        "{file} has no {name}, and nothing says where to add it: choose a definition to put it below, or "
        "include one of the file next to it.",
        _CHOOSE,
    ),
    ReasonRow(
        Reason.NO_PLACE,
        Status.AMBIGUOUS,
        "Nothing says where in {file} to add {name}: choose a definition to put it below, or include one of "
        "the file next to it.",
        _CHOOSE,
    ),
    ReasonRow(
        Reason.NO_LINE_NEXT,
        Status.AMBIGUOUS,
        "Nothing says where inside {name} of {file} the lines go: choose one of {count} places, or include "
        "an existing line next to them.",
        _CHOOSE,
    ),
    ReasonRow(
        Reason.SHOWN_NOWHERE,
        Status.NOT_FOUND,
        "The lines shown do not appear together in {file}; include the signature of the enclosing "
        "definition.",
    ),
    ReasonRow(
        Reason.UNCLEAR_MARK,
        Status.AMBIGUOUS,
        "A mark for omitted lines could stand for different lines of {file} ({lines}); show the lines right "
        "before and after the change.",
        _CHOOSE,
    ),
    ReasonRow(
        Reason.WOULD_BE_LOST,
        Status.REJECTED,
        "{name} of {file} would be lost ({lines}); show it, or put a mark such as `... existing code ...` "
        "in its place.",
    ),
    ReasonRow(Reason.NOT_MERGED, Status.REJECTED, "The code shown cannot be merged into {file}: {why}."),
    ReasonRow(Reason.NOT_WHOLE, Status.CONFLICT, "{why}"),
    ReasonRow(
        Reason.TAG_DIFFERS,
        Status.NOT_FOUND,
        "Line {line} of {file} is not the line that the edit names as {name}; its tag is now {tag}. Read "
        "the file again.",
    ),
    ReasonRow(
        Reason.TAG_SHARED,
        Status.AMBIGUOUS,
        "Line {line} occurs {count} times in {file} ({lines}), and its tag does not tell them apart; name a "
        "line that occurs once, or quote the text.",
        _CHOOSE,
    ),
    ReasonRow(Reason.NO_CELL, Status.NOT_FOUND, "{file} has no cell {name}; its cells are {cells}."),
    ReasonRow(
        Reason.SEVERAL_SUGGESTED,
        Status.AMBIGUOUS,
        "The suggestion for {file} could replace different lines ({lines}); quote the lines that it "
        "replaces above it.",
        _CHOOSE,
    ),
    ReasonRow(Reason.NOT_PLACED, Status.REJECTED, "The edit of {name} in {file} cannot be made: {why}."),
    ReasonRow(
        Reason.ALREADY_APPLIED,
        Status.ALREADY_APPLIED,
        "The change is already in {file}{where}.",
        (Part.STOP,),
    ),
    ReasonRow(
        Reason.ALREADY_PLACED,
        Status.ALREADY_APPLIED,
        "Already applied at the place chosen in {path}.",
    ),
    ReasonRow(Reason.ALREADY_WRITTEN, Status.ALREADY_APPLIED, "{path} already has exactly this content."),
    ReasonRow(
        Reason.ALREADY_MOVED,
        Status.ALREADY_APPLIED,
        "{path} is gone and {target} exists: it has already been moved.",
    ),
    ReasonRow(
        Reason.MOVED_ONTO_ITSELF,
        Status.ALREADY_APPLIED,
        "{path} would be moved onto itself; there is nothing to do.",
    ),
    ReasonRow(
        Reason.SAME_CHANGE,
        Status.ALREADY_APPLIED,
        "Duplicate of edit {other} of this request; it is applied once.",
    ),
    ReasonRow(
        Reason.SAME_TEXT,
        Status.CONFLICT,
        "Changes the same text as {others}, at line {line}; send them as one edit.",
    ),
    ReasonRow(
        Reason.SAME_LINE,
        Status.CONFLICT,
        "Changes the same line as {others}, line {line}; send them as one edit.",
    ),
    ReasonRow(
        Reason.ALTERNATIVES,
        Status.CONFLICT,
        "Conflicts with {others}: they replace the same text differently, at line {line}; keep one.",
    ),
    ReasonRow(
        Reason.FILE_DELETED,
        Status.CONFLICT,
        "Another edit of this request deletes {path}; send only one of them.",
    ),
    ReasonRow(
        Reason.WRITTEN_TWICE,
        Status.CONFLICT,
        "Conflicts with {others}: they write the whole of {path} differently; send only one of them.",
    ),
    ReasonRow(
        Reason.CHANGED_TWICE,
        Status.CONFLICT,
        "Another edit of this request would {verb} {path}; send only one of them.",
    ),
    ReasonRow(
        Reason.DESTINATION_SHARED,
        Status.CONFLICT,
        "{path} cannot be moved to {target}: another edit puts a file there.",
    ),
    ReasonRow(
        Reason.TOO_MUCH,
        Status.REJECTED,
        "Not searched for: the other edits used up what one request may search; send it in the next.",
    ),
    ReasonRow(Reason.INCOMPLETE, Status.CONFLICT, "{why}"),
    ReasonRow(Reason.HELD_BACK, Status.HELD, "Held back because edit {other} of the request {why}."),
    ReasonRow(
        Reason.STALE_PROPOSAL,
        Status.PROPOSED,
        "No proposal has the id {ids} now: the file has changed since it was shown, or it is another edit's.",
    ),
    ReasonRow(
        Reason.FILE_EXISTS,
        Status.CONFLICT,
        "{path} exists with different content; edit it, or ask to write the whole file.",
    ),
    ReasonRow(Reason.FILE_DIFFERS, Status.CONFLICT, "{path} has lines that this does not delete; review it."),
    ReasonRow(
        Reason.DESTINATION_EXISTS,
        Status.CONFLICT,
        "{path} cannot be moved to {target}: that file already exists.",
    ),
    ReasonRow(
        Reason.FILE_MISSING,
        Status.NOT_FOUND,
        "{path} does not exist; check the path, or send the whole file to create it.",
    ),
    ReasonRow(
        Reason.NO_FILE_TO_CHANGE, Status.NOT_FOUND, "There is no file {path} to {verb}; check the path."
    ),
    ReasonRow(Reason.STALE, Status.CONFLICT, "{why}"),
    ReasonRow(Reason.FORBIDDEN, Status.REJECTED, "{why}"),
    ReasonRow(Reason.EXECUTING, Status.REJECTED, "{path} {why}; {remedy}."),
    ReasonRow(Reason.TAKEN_BACK, Status.REJECTED, "The answer says not to make this edit: {why}."),
    ReasonRow(Reason.ONE_OF_SEVERAL, Status.REJECTED, "This is one of several options ({name}); choose one."),
    ReasonRow(Reason.ONLY_LIKELY, Status.REJECTED, "{why}"),
    ReasonRow(Reason.UNREADABLE, Status.MALFORMED, "{why}"),
)
"""One row for each `Reason`, in its order."""

_ROWS = {row.reason: row for row in REASONS}


def row_of(reason: Reason) -> ReasonRow:
    """Return the row of a reason."""
    return _ROWS[reason]


def sentence(
    reason: Reason,
    path: str,
    candidates: Sequence[Candidate] = (),
    count: int | None = None,
    **values: str | int,
) -> str:
    """Return the sentence for a person that says why an edit of `path` was not applied.

    `count` is the number of places where the candidates are only the first of them; `values` fill in what
    else the row's message names.
    """
    named = list(dict.fromkeys(one.lines_named for one in candidates))
    shown = named[:SHOWN_PLACES]
    if all(name.startswith("line ") for name in shown) and len(shown) > 1:
        shown = ["lines " + ", ".join(name.removeprefix("line ") for name in shown)]
    lines = ", ".join(shown) + (", ..." if len(named) > SHOWN_PLACES else "")
    often = str(count or len(candidates))
    if (count or 0) > len(candidates):
        often = f"at least {often}"
    template = _ROWS[reason].message
    if not lines:
        template = template.replace(" ({lines})", "")
    return template.format(path=path, file=path or "the text", count=often, lines=lines, **values)


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
        status=_ROWS[reason].status,
        reason=reason,
        path=path,
        candidates=tuple(candidates),
        message=message,
        feedback=message,
    )
