"""Proposals: what edits would change that are not certain enough to be written, for a person to look at.

Nothing is proposed that nobody would want: a file that would no longer parse, lines that nobody quoted lost,
what is there already made again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass, field, replace
from patchpoint.edit import Format, Operation
from patchpoint.outcome import Guard, Outcome, Proposal, Reason, Rung, Status, percent
from patchpoint.patching.reasons import REASONS, refusal, sentence
from patchpoint.text.lines import LineTable, split_lines
from patchpoint.text.splice import Splice

if TYPE_CHECKING:
    from patchpoint.edit import Edit


MOST_DOUBTS = 2
"""The most reasons that speak against what is proposed. Of 485 edits that must be refused, none has a
proposal with two, and the first with three."""

SLIGHT = frozenset((Guard.LITTLE_QUOTED, Guard.DROPS_WORDS))
"""What holds back an edit that is certain otherwise, and adds nothing to another doubt."""

_CHANGED_SINCE = "Lines that it would revert have been changed since, and that change would be lost."
_ONCE = (
    "Lines of the replacement stand next to its place already: they stay there, and are not written again."
)


@dataclass(frozen=True, slots=True)
class Accepted:
    """The proposals that are accepted."""

    ids: frozenset[str] = frozenset()
    every: bool = False
    """Whether all are accepted, whatever their ids."""

    @classmethod
    def of(cls, accept: Collection[str]) -> Accepted:
        """Return what `accept` says: ids, or `"all"`. Raises `ValueError` for another string."""
        if not isinstance(accept, str):
            return cls(frozenset(accept))
        if accept != "all":
            raise ValueError(f"accept is 'all' or the ids of proposals, not {accept!r}")
        return cls(every=True)

    def has(self, proposal: Proposal) -> bool:
        """Return whether a proposal is accepted."""
        return self.every or proposal.id in self.ids


NOTHING_ACCEPTED = Accepted()


@dataclass(frozen=True, slots=True)
class AcceptedEdits:
    """The edits of a request whose proposals are accepted, as they turn out to be."""

    accept: Accepted = NOTHING_ACCEPTED
    ids: dict[int, str] = field(default_factory=dict)
    """The ids of their proposals, by the indexes of the edits."""

    def takes(self, index: int, outcome: Outcome) -> bool:
        """Return whether the proposal of an outcome is accepted, and keep in mind that it is."""
        if outcome.proposal is None or not self.accept.has(outcome.proposal):
            return False
        self.ids.setdefault(index, outcome.proposal.id)
        return True


def with_proposal(refused: Outcome, edit: Edit, made: Outcome, doubts: Sequence[Guard]) -> Outcome:
    """Return a refused outcome with the proposal of what was `made`, if a look may settle all the doubts."""
    if not all(doubt.is_settled_by_a_look for doubt in doubts):
        return refused
    if len({doubt.look for doubt in doubts if doubt not in SLIGHT}) > MOST_DOUBTS:
        return refused
    return proposed(refused, edit, made, _why(made.before or "", made, doubts))


def proposed(refused: Outcome, edit: Edit, made: Outcome, why: str, *, even_broken: bool = False) -> Outcome:
    """Return a refused outcome with the proposal of what was `made`, unless that breaks the file.

    What is quoted exactly may be proposed `even_broken`: it may be one step of several.
    """
    before, after = made.before, made.text
    if before is None or after is None or after == before:
        return refused
    from patchpoint.structure.parse import TextBefore

    if not even_broken and TextBefore(edit.path, before).problem_of(after) is not None:
        return refused
    from patchpoint.text.unified_diff import unified_diff

    proposal = Proposal(
        id=proposal_id(before, edit, after),
        path=edit.path,
        diff=unified_diff(before, after, edit.path),
        why=why,
        accepted=replace(made, needs_confirmation=False),
    )
    return replace(refused, status=Status.PROPOSED, proposal=proposal)


def file_change_proposed(edit: Edit, text: str | None) -> Outcome:
    """Return what an answer only likely asks to do with a whole file as a proposal.

    That is to delete or to move it, with the `text` that it has, or to create it.
    """
    from patchpoint.text.splice import Splice
    from patchpoint.text.unified_diff import unified_diff

    after = {Operation.DELETE: None, Operation.RENAME: text}.get(edit.operation, edit.content)
    emptied = (Splice(0, len(text or ""), after or ""),)
    proposal = Proposal(
        id=proposal_id(text or "", edit, f"{edit.new_path or ''}\0{after or ''}"),
        path=edit.path,
        diff=unified_diff(text, after, edit.path, edit.new_path),
        why=edit.doubt,
        accepted=Outcome(status=Status.MATCHED, path=edit.path, before=text or "", splices=emptied),
    )
    refused = refusal(Reason.ONLY_LIKELY, edit.path, why=edit.doubt)
    return replace(refused, status=Status.PROPOSED, proposal=proposal)


def as_doubted(edit: Edit, outcome: Outcome) -> Outcome:
    """Return the outcome of an edit; of one that its text only likely asks for, as a proposal."""
    if outcome.status is not Status.MATCHED:
        return outcome
    doubt = edit.doubt or (_CHANGED_SINCE if _overwrites_later_lines(edit, outcome) else "")
    if doubt:
        return doubted(edit, outcome, doubt)
    once = _without_doubled(edit, outcome)
    return outcome if once is None else doubted(edit, once, _ONCE)


def doubted(edit: Edit, made: Outcome, why: str, *, even_broken: bool = False) -> Outcome:
    """Return the outcome of an edit that is likely to be `made`, as a proposal; `why` it is no more."""
    refused = refusal(Reason.ONLY_LIKELY, edit.path, why=why)
    return proposed(refused, edit, made, why, even_broken=even_broken)


def without_proposal(outcome: Outcome) -> Outcome:
    """Return the outcome of an edit as if there were no proposal."""
    if outcome.proposal is None or outcome.reason is None:
        return outcome
    return replace(outcome, status=REASONS[outcome.reason].status, proposal=None)


def held(outcome: Outcome, other: int, blocking: Outcome | None = None) -> Outcome:
    """Return a matched outcome as one that waits for edit number `other`, which is `blocking` it."""
    is_open = blocking is not None and blocking.status is Status.PROPOSED
    why = "waits for a yes" if is_open else "cannot be applied"
    message = f"{outcome.message} {sentence(Reason.HELD_BACK, outcome.path, other=other, why=why)}".strip()
    return replace(outcome, status=Status.HELD, reason=Reason.HELD_BACK, message=message, feedback=message)


def without_stale(outcomes: Sequence[Outcome], ids: Collection[str]) -> list[Outcome]:
    """Return the outcomes of a request in which `ids` were accepted that no proposal has.

    Nothing is written then: what was accepted is not what would be. Open proposals say so, too.
    """
    if not ids:
        return list(outcomes)
    shown = ", ".join(sorted(ids))

    def as_stale(outcome: Outcome) -> Outcome:
        if outcome.status not in (Status.MATCHED, Status.PROPOSED):
            return outcome
        message = sentence(Reason.STALE_PROPOSAL, outcome.path, ids=shown)
        return replace(
            outcome,
            status=Status.HELD if outcome.proposal is None else outcome.status,
            reason=Reason.STALE_PROPOSAL,
            message=f"{message} {outcome.message}".strip(),
            feedback=f"{message}\n\n{outcome.feedback}".strip(),
        )

    return list(map(as_stale, outcomes))


def proposal_id(before: str, edit: Edit, after: str) -> str:
    """Return the id of the proposal that `edit` turns the text `before` of its file into `after`."""
    asked = replace(edit, span=(0, 0), format=Format.REQUEST)
    parts = "\0".join((before, repr(asked), after))
    return hashlib.sha256(parts.encode(errors="surrogatepass")).hexdigest()[:12]


def _why(before: str, made: Outcome, doubts: Sequence[Guard]) -> str:
    """Return what speaks for a proposal, and what is in doubt."""
    table, (start, end) = LineTable.of(before), made.span or (0, 0)
    first, last = table.line_of(start) + 1, table.line_of(max(start, end - 1)) + 1
    lines = f"Line {first} is" if first == last else f"Lines {first} to {last} are"
    similar = f"{percent(made.similarity or 0.0)} % similar to the search text"
    said = list(dict.fromkeys(doubt.title for doubt in doubts))
    return f"{lines} {similar}, but {', and '.join(said)}."


def _without_doubled(edit: Edit, made: Outcome) -> Outcome | None:
    """Return what is `made` where the search text is, without lines that would be there twice, if any would.

    One line is left out only where the file can be read without it, and not with it.
    """
    before = made.before
    is_quoted = made.rung is Rung.EXACT and edit.search.strip() and edit.format is not Format.REQUEST
    if not is_quoted or not before or len(made.splices) != 1 or "\n" not in made.splices[0].text:
        return None
    from patchpoint.patching.merging.doubled import without_doubled
    from patchpoint.structure.parse import TextBefore

    judged = TextBefore(edit.path, before)
    for after, is_sure in without_doubled(before, made.splices):
        is_broken = judged.problem_of(made.text or "") is not None
        if judged.problem_of(after) is None and (is_sure or is_broken):
            return replace(made, splices=(Splice(0, len(before), after),), new_span=None)
    return None


def _overwrites_later_lines(edit: Edit, made: Outcome) -> bool:
    """Return whether the inverse `edit`, as `made`, writes over lines that were changed after its change.

    Changed lines around them do not count, nor do lines that differ in white space alone.
    """
    if not edit.is_inverse or made.before is None or made.span is None:
        return False
    table = LineTable.of(made.before)
    first, last = table.line_of(made.span[0]), table.line_of(max(made.span[0], made.span[1] - 1))
    place = made.before[table.line_span(first)[0] : table.line_span(last)[1]]
    before, after, now = (_words_of_lines(text) for text in (edit.replace, edit.search, place))
    from patchpoint.text.line_diff import changed_ranges

    own = [added for _, added in changed_ranges(before, after)]
    later = [was for was, _ in changed_ranges(after, now)]
    return any(
        (low < end and start < high) or (low, high) == (start, end)
        for low, high in own
        for start, end in later
    )


def _words_of_lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in split_lines(text)]
