"""The feedback to the model: plain text that says why its edit was not applied, and what to send instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from patchpoint.edit import Operation
from patchpoint.locate.source import SourceText, indentation, plain
from patchpoint.outcome import Reason, Status, percent
from patchpoint.patching.reasons import REASONS, SHOWN_PLACES, Part, edits_named
from patchpoint.text.line_diff import line_opcodes, shared_start
from patchpoint.text.lines import plain_lines
from patchpoint.text.lookalikes import folded
from patchpoint.wording import plural

if TYPE_CHECKING:
    from patchpoint.edit import Edit
    from patchpoint.outcome import Candidate, Outcome, Proposal


SHOWN_LINES = 60
SHORT_LINES = 30
CONTEXT_LINES = 12

_OTHERWISE = "Read the file again, then quote fewer lines, copied exactly, or send the whole file."

_LEFT_OUT = "  ..."
_SIGNS = str.maketrans({" ": "·", "\t": "→", "\r": "␍"})

DONE = (Status.APPLIED, Status.REVERTED, Status.ALREADY_APPLIED)
WAITING = (Status.MATCHED, Status.HELD)
_WITHOUT_SEARCH = (Operation.MERGE, Operation.PLACE, Operation.INSERT)
"""Edits that have no search text to which lines could be added."""


def feedback(text: str | SourceText, edit: Edit, outcome: Outcome, *, repeated: int = 0) -> str:
    """Return what to send back to the model that wrote `edit`, given its outcome against `text`.

    `repeated` is how many times the same edit failed before; the wording then changes, since the same words
    did not help the model before. Empty for an edit that matched.
    """
    if outcome.matched:
        return ""
    source = text if isinstance(text, SourceText) else SourceText(text)
    parts: list[str] = []
    for part in REASONS[outcome.reason].feedback if outcome.reason is not None else ():
        if part is Part.STOP:
            parts.append("Nothing was changed. Do not send this edit again.")
        elif part is Part.PLACES:
            parts.append(_places(source, outcome.candidates, edit))
        elif part is Part.NEAREST and _has_nearest(edit, outcome):
            parts.append(_nearest(source, edit, outcome.candidates[0], repeated))
        elif part is Part.ADVICE and edit.operation not in _WITHOUT_SEARCH:
            parts.append(_advice(source, outcome, repeated))
    parts = [part for part in parts if part]
    if outcome.proposal is not None:
        parts = [*_proposed(outcome.proposal, is_all=not parts), *parts]
    if outcome.proposal is None or outcome.message != outcome.proposal.why:
        parts = [outcome.message, *parts]
    return "\n\n".join(part for part in parts if part)


def _proposed(proposal: Proposal, *, is_all: bool) -> tuple[str, ...]:
    """Return what a proposal would change, why it is one, and how to accept it; that `is_all`, or not."""
    rows = longest(proposal.diff.rstrip("\n").split("\n"))
    return (
        f"{proposal.why} This is what it would change, if that is accepted:",
        "\n".join(rows),
        f"If that is what you mean, accept the proposal {proposal.id} instead of sending the edit again."
        + ("" if is_all else " If it is not:"),
    )


def request_feedback(outcomes: Sequence[Outcome]) -> str:
    """Return what to send back to the model about all edits of a request; empty if none was refused.

    The edits that were refused are named with their files and their own feedback, the others by their
    numbers, which count from 1.
    """
    refused = [one for one in outcomes if one.status not in (*DONE, *WAITING)]
    done = [one.index for one in outcomes if one.status in DONE]
    waiting = [one.index for one in outcomes if one.status in WAITING]
    count = len(outcomes)
    if not refused:
        return ""
    head = [f"{len(refused)} of your {count} edits {_be(refused)} not applied."]
    if count == 1:
        head = ["Your edit was not applied."]
    if done:
        head.append(f"{edits_named(done).capitalize()} {_be(done)} applied; do not send {_it(done)} again.")
    if waiting:
        held = f"{edits_named(waiting).capitalize()} can be applied only together with the others"
        head.append(f"{held}: send {_it(waiting)} again, unchanged.")
    parts = [" ".join(head)]
    for one in refused:
        title = f"Edit {one.index + 1}" if count > 1 else "The edit"
        of = f" of {one.path}" if one.path else ""
        parts.append(f"{title}{of}:\n\n{(one.feedback or one.message).rstrip()}")
    return "\n\n".join(parts) + "\n"


def nearest_place(text: str, edit: Edit, outcome: Outcome) -> str:
    """Return the place of `text` most like the search text, and where they differ, in short for a person.

    Empty for an outcome that names no such place.
    """
    is_named = outcome.reason is not None and Part.NEAREST in REASONS[outcome.reason].feedback
    if not is_named or not _has_nearest(edit, outcome):
        return ""
    return _nearest(SourceText(text), edit, outcome.candidates[0], 0)


def visible(line: str) -> str:
    """Return a line with white space and invisible characters made visible."""
    signs = (one if one.isprintable() else f"<U+{ord(one):04X}>" for one in line.translate(_SIGNS))
    return "".join(signs)


def difference_of(quoted: str, found: str) -> str:
    """Return how a search line differs from the file line that corresponds to it, in a few words."""
    if quoted.rstrip() == found.rstrip():
        return "trailing white space"
    if quoted.strip() == found.strip():
        return f"indentation: quoted {_depth(quoted)}, in the file {_depth(found)}"
    if "".join(quoted.split()) == "".join(found.split()):
        return "white space inside the line"
    one, other = quoted.strip(), found.strip()
    at = shared_start(one, other)
    where = "characters that look alike, " if folded(one) == folded(other) else ""
    return f"{where}from character {at + 1} on: quoted {_excerpt(one, at)}, in the file {_excerpt(other, at)}"


def _be(things: Sequence[object]) -> str:
    return "was" if len(things) == 1 else "were"


def _it(things: Sequence[object]) -> str:
    return "it" if len(things) == 1 else "them"


def _has_nearest(edit: Edit, outcome: Outcome) -> bool:
    return bool(outcome.candidates) and edit.operation is Operation.REPLACE


def _nearest(source: SourceText, edit: Edit, candidate: Candidate, repeated: int) -> str:
    """Return the region most like the search text, and how they differ line by line."""
    first, end = candidate.line - 1, candidate.last_line
    found = source.lines[first:end]
    where = f"{candidate.lines_named} ({percent(candidate.similarity)}% similar)"
    if repeated:
        shown = found[:SHOWN_LINES] + (["..."] if len(found) > SHOWN_LINES else [])
        return f"The file has this at {where}; copy it exactly:\n\n" + "\n".join(shown)
    rows, first_difference = _compared(plain_lines(plain(edit.search)), found, first)
    head = f"The nearest match is {where}. {first_difference}".rstrip()
    rows = longest(_around_differences(rows), SHORT_LINES)
    return head + "\nLine by line ('-' only in the search text, '+' only in the file):\n" + "\n".join(rows)


def _compared(quoted: list[str], found: list[str], first: int) -> tuple[list[str], str]:
    """Return the line-by-line difference with the file's line numbers, and a sentence on the first one."""
    rows: list[str] = []
    differs = ""
    # white space aside, and by their characters in canonical Unicode
    keys, found_keys = (["".join(folded(line).split()) for line in lines] for lines in (quoted, found))
    for equal, i1, i2, j1, j2 in line_opcodes(keys, found_keys):
        pairs = [(i1 + at, i1 + at + 1, j1 + at, j1 + at + 1) for at in range(i2 - i1)]
        for start, end, low, high in pairs if equal else [(i1, i2, j1, j2)]:
            old, new = quoted[start:end], found[low:high]
            if old == new:
                rows.append(f"  {first + low + 1:5} {new[0]}")
                continue
            differs = differs or _first_difference(old, new, start, first + low)
            shown = visible if equal else str
            rows += [f"-       {shown(line)}" for line in old]
            rows += [f"+ {first + number:5} {shown(line)}" for number, line in enumerate(new, low + 1)]
    return rows, differs


def longest(rows: list[str], limit: int = SHOWN_LINES) -> list[str]:
    """Return rows, and how many more there are than a `limit` instead of these."""
    return rows if len(rows) <= limit else [*rows[:limit], f"... and {len(rows) - limit} more lines"]


def _around_differences(rows: list[str]) -> list[str]:
    """Return the rows that differ, each with the one before and after, and `...` for what is left out."""
    differ = [not row.startswith("  ") for row in rows]
    kept: list[str] = []
    for at, row in enumerate(rows):
        if any(differ[max(0, at - 1) : at + 2]):
            kept.append(row)
        elif not kept or kept[-1] != _LEFT_OUT:
            kept.append(_LEFT_OUT)
    return kept


def _first_difference(quoted: list[str], found: list[str], quoted_at: int, found_at: int) -> str:
    if not quoted:
        return f"Line {found_at + 1} of the file is missing from the search text."
    if not found:
        return f"Line {quoted_at + 1} of the search text is not in the file."
    return (
        f"The first difference is in line {quoted_at + 1} of the search text, line {found_at + 1} of the "
        f"file: {difference_of(quoted[0], found[0])}."
    )


def _places(source: SourceText, candidates: tuple[Candidate, ...], edit: Edit) -> str:
    """Return all places, each with the shortest context that distinguishes it from the others."""
    distinguishing = _distinguishing_context(source, candidates)
    has_search = edit.operation not in _WITHOUT_SEARCH
    rows = []
    for number, one in enumerate(candidates[:SHOWN_PLACES], 1):
        first, end = one.line - 1, one.last_line
        rows.append(f"{number}. {', '.join(filter(None, (one.where, one.lines_named)))}")
        if distinguishing is None or (one.where and not has_search):
            rows.append(f"     {''.join(source.lines[first : first + 1])}")
            continue
        before, after = distinguishing
        context = source.lines[max(0, first - before) : first] + source.lines[end : end + after]
        rows.append(f"   {'preceded by' if before else 'followed by'}:")
        rows += ["     (start of the file)"] if before > first else []
        rows += [f"     {line}" if line.strip() else "     (a blank line)" for line in context]
        rows += ["     (end of the file)"] if end + after > len(source.lines) else []
    more = len(candidates) - SHOWN_PLACES
    return "\n".join([*rows, *([f"... and {more} more"] if more > 0 else [])])


def _distinguishing_context(source: SourceText, candidates: Sequence[Candidate]) -> tuple[int, int] | None:
    """Return how many lines before, or after, make every place unique; `None` if more than a few."""
    stripped = source.stripped
    for count in range(1, CONTEXT_LINES + 1):
        before = {tuple(stripped[max(0, one.line - 1 - count) : one.line - 1]) for one in candidates}
        if len(before) == len(candidates):
            return count, 0
        after = {tuple(stripped[one.last_line : one.last_line + count]) for one in candidates}
        if len(after) == len(candidates):
            return 0, count
    return None


def _advice(source: SourceText, outcome: Outcome, repeated: int) -> str:
    breaks = outcome.reason is Reason.BREAKS_SYNTAX
    if outcome.status is Status.AMBIGUOUS:
        advice = "Name the place: give its line number, or the enclosing function or class."
        distinguishing = _distinguishing_context(source, outcome.candidates)
        if distinguishing is not None:
            side, count = "before" if distinguishing[0] else "after", max(distinguishing)
            lines = "the line" if count == 1 else f"the {count} lines"
            advice = f"Add {lines} {side} the place you mean to both the search text and the replacement."
    elif breaks:
        advice = (
            "Correct the replacement: with this one the file does not parse (see above), however you quote "
            "its lines. Send the edit again only with a different replacement."
        )
    elif outcome.candidates:
        advice = (
            "Quote the file's lines exactly, also in the replacement where they stay the same, and send the "
            "edit again."
        )
    else:
        advice = "Read the file again and quote a few of its lines exactly."
    if repeated > 1:
        failed = f"The same edit has now failed {repeated + 1} times. Do not send it again."
        return f"{failed} {advice if breaks else _OTHERWISE}"
    if repeated:
        return f"This edit failed before and fails again if you resend it unchanged. {advice}"
    return advice


def _depth(line: str) -> str:
    blanks = indentation(line)
    counts = {"tab": blanks.count("\t"), "space": blanks.count(" ")}
    return " and ".join(plural(count, name) for name, count in counts.items() if count) or "0 spaces"


def _excerpt(line: str, at: int) -> str:
    piece = line[max(0, at - 10) : at + 30]
    lead = "..." if at > 10 else ""
    return f"`{lead}{visible(piece) if not piece.isprintable() else piece}`" if piece else "nothing"
