"""What to send back to the model about the answer that was applied last, and about the edits that wait."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Unplaced
from patchpoint.outcome import Outcome
from patchpoint.patching.feedback import DONE, request_feedback


@dataclass(frozen=True, slots=True)
class LastAnswer:
    """A whole answer, and what became of its edits when it was applied."""

    text: str = ""
    unplaced: Sequence[Unplaced] = ()
    outcomes: Sequence[Outcome] = ()
    ids: Sequence[str] = ()
    """Of the edits, in their order."""

    @property
    def feedback(self) -> str:
        """What to send back to the model; empty where no edit was refused, and for no whole answer."""
        if not self.text:
            return ""
        from patchpoint.formats.instructions import form_to_send, no_edit_feedback
        from patchpoint.patching.answers.feedback import answer_feedback

        if not self.outcomes:
            return no_edit_feedback(self.unplaced, self.text)
        return answer_feedback(self.outcomes, self.unplaced, self.text, form_to_send(), by_options=False)

    def feedback_on(self, waiting: Mapping[str, Outcome]) -> str:
        """Return what to send back now that these edits are `waiting`, given by their ids.

        Where all of them are of this answer, it is about the answer without those that a person has settled.
        """
        if not self.text or not waiting.keys() <= set(self.ids):
            return request_feedback([*waiting.values()])
        now = [
            replace(waiting.get(name, outcome), path=outcome.path)
            for name, outcome in zip(self.ids, self.outcomes, strict=True)
            if name in waiting or outcome.status in DONE
        ]
        return replace(self, outcomes=[replace(one, index=at) for at, one in enumerate(now)]).feedback
