"""What to say of an outcome: one sentence for a person, and plain text fit to send back to a model."""

from __future__ import annotations

from patchpoint.locate.source import Source
from patchpoint.locate.verdict import Answer, Verdict


def message_of(source: Source, verdict: Verdict) -> str:
    """One sentence for a person."""
    places = ", ".join(str(find.lines[0] + 1) for find in verdict.finds[:5])
    if verdict.answer is Answer.SEVERAL:
        return f"The search text fits {len(verdict.finds)} places (lines {places})."
    if verdict.answer is Answer.ALREADY:
        return f"The replacement already stands at line {places}."
    reason = verdict.reason.value if verdict.reason else "nothing similar"
    return f"The search text is not in the file: {reason}."
