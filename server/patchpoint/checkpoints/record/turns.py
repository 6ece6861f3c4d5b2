"""The turn of an agent that a checkpoint belongs to, and the prompt that the turn began with.

Only the checkpoint before a prompt is called by it, and some agents name the turn only there. What follows in
the same session belongs to the same turn, up to the next prompt.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from patchpoint.checkpoints.record.checkpoint import Checkpoint, CheckpointKind
from patchpoint.dataclass import dataclass

NO_PROMPT = "Before a turn"
"""What a checkpoint is called that precedes a prompt of which nothing is known."""

_LATER = (CheckpointKind.STEP, CheckpointKind.AFTER_STEP, CheckpointKind.AFTER_RUN)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a session; each is `None` where it is not known."""

    name: str | None
    """What the agent calls it, or the time of its prompt."""
    prompt: str | None
    """The first words of what the user asked for."""
    agent: str | None = None
    number: int | None = None
    """Which of the agent's prompts it is, from 1."""


def turn_of(checkpoint: Checkpoint) -> Turn:
    """Return the turn of a checkpoint as far as it says so itself."""
    is_prompt = checkpoint.kind is CheckpointKind.RUN and checkpoint.session is not None
    label = checkpoint.label if is_prompt and checkpoint.label != NO_PROMPT else None
    prompt = checkpoint.prompt or label or None
    return Turn(checkpoint.message, prompt, checkpoint.agent, checkpoint.number)


def belongs_to(checkpoint: Checkpoint, begun: Turn) -> bool:
    """Return whether a checkpoint belongs to the turn that its session has begun."""
    return checkpoint.kind in _LATER and checkpoint.message in (None, begun.name)


def turns_of(checkpoints: Iterable[Checkpoint]) -> Mapping[str, Turn]:
    """Return the turn of each checkpoint, by its id, as far as the others of its session tell."""
    found: dict[str, Turn] = {}
    current: dict[str | None, Turn] = {}
    for one in sorted(checkpoints, key=lambda each: each.id):
        turn = turn_of(one)
        begun = current.get(one.session)
        if begun is not None and belongs_to(one, begun):
            turn = begun
        elif one.kind is CheckpointKind.RUN and one.session is not None:
            current[one.session] = turn
        found[one.id] = turn
    return found
