"""`--conversation`: the conversation of an agent goes back to the prompt with the files, as a new session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchpoint.checkpoints.record.checkpoint import CheckpointKind
from patchpoint.cli.terminal import ENVIRONMENT_FAILED, REFUSED, CommandError, Terminal
from patchpoint.dataclass import dataclass
from patchpoint.hooks.conversations.errors import CannotForkError, FirstPromptError
from patchpoint.hooks.conversations.fork import FORKED_BY_HAND, ConversationFork, conversation_fork
from patchpoint.schema.decode import encode
from patchpoint.schema.uris import uri_of

if TYPE_CHECKING:
    from patchpoint.checkpoints.record.checkpoint import Checkpoint
    from patchpoint.checkpoints.store import CheckpointStore
    from patchpoint.schema.responses import RestoreResult


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationData:
    """The JSON of a conversation that went back to a prompt, or would."""

    agent: str
    session: str | None
    """The id of the new session; `None` of a dry run."""
    forked_from: str
    """The id of the session that there was, and is."""
    uri: str | None
    resume: str | None
    """The command that goes on with it, in the folder of the restore."""


def planned_fork(store: CheckpointStore, checkpoint: Checkpoint) -> ConversationFork:
    """Return the conversation up to the prompt that `checkpoint` precedes. Raises `CommandError`."""
    session, turn, agent = checkpoint.session, checkpoint.message, checkpoint.agent
    if checkpoint.kind is not CheckpointKind.RUN or not session or not turn or not agent:
        raise _refusal("this checkpoint does not precede a prompt of an agent", "")
    by_hand = FORKED_BY_HAND.get(agent, "").format(session=session)
    before = [one for one in store.list() if one.kind is CheckpointKind.RUN and one.id < checkpoint.id]
    if any((one.session, one.message) == (session, turn) for one in before):
        raise _refusal("the prompt was given while the agent was at work", by_hand)
    try:
        return conversation_fork(agent, session, turn, checkpoint.label)
    except FirstPromptError as error:
        raise _refusal(str(error), f"{agent}, for a new one") from error
    except CannotForkError as error:
        raise _refusal(str(error), by_hand) from error


def write_fork(fork: ConversationFork) -> None:
    """Write the new session, after the files were restored. Raises `CommandError`."""
    try:
        fork.write()
    except OSError as error:
        message = f"The files were restored, and the conversation was not put back: {error}."
        raise CommandError(message, "no-conversation", ENVIRONMENT_FAILED) from error


def print_fork(terminal: Terminal, fork: ConversationFork, *, check: bool) -> None:
    """Say how the agent goes on, or that it could."""
    if check:
        terminal.line(f"Would put back the conversation: a new session of {fork.agent}; the old one stays.")
        return
    terminal.line(f"The conversation up to there: {terminal.paint(fork.resume, 'bold')}")
    terminal.line(terminal.paint(f"The old one stays: {fork.forked_from}", "dim"))


def with_conversation(result: RestoreResult, fork: ConversationFork, *, check: bool) -> dict[str, object]:
    """Return the JSON of a restore with that of the conversation."""
    data = ConversationData(
        agent=fork.agent,
        session=None if check else fork.session,
        forked_from=fork.forked_from,
        uri=None if check else uri_of(fork.path),
        resume=None if check else fork.resume,
    )
    restored = encode(result)
    assert isinstance(restored, dict)
    return {**restored, "conversation": encode(data)}


def _refusal(reason: str, by_hand: str) -> CommandError:
    hint = f" By hand: {by_hand}." if by_hand else ""
    return CommandError(
        f"The conversation cannot be put back: {reason}. Nothing was restored; without --conversation, the "
        f"files are.{hint}",
        "no-conversation",
        REFUSED,
    )
