"""What to send back to the model whose answer was carried out, or refused, in folders."""

from __future__ import annotations

from patchpoint.formats.instructions import form_to_send
from patchpoint.headless.result import ApplyResult
from patchpoint.patching.answers.feedback import answer_feedback


def feedback_on(done: ApplyResult, text: str) -> str:
    """Return what to send back to the model that wrote the answer `text`; empty if no edit was refused."""
    return answer_feedback(done.outcomes, done.unplaced, text, form_to_send())
