"""Put the conversation of a session back to one of its prompts: the file of a new session of the agent.

The file of the session that there is stays as it is. A new one is written to the agent's own folder, whole or
not at all, and only where everything in the old one is of a known kind.
"""

from __future__ import annotations

import os
import secrets
import time
import uuid
from datetime import datetime, timezone
from pathlib import Path

from patchpoint.dataclass import dataclass
from patchpoint.filesystem.atomic_write import write_atomically
from patchpoint.filesystem.open_to_read import open_to_read
from patchpoint.hooks.conversations import claude, codex
from patchpoint.hooks.conversations.errors import CannotForkError
from patchpoint.hooks.setup.places import place_of
from patchpoint.text.regex import regex

_ID = regex(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
FORKED_BY_HAND = {
    "claude": "claude --resume {session}, then Esc twice, and pick the prompt",
    "codex": "codex fork {session}, then Esc twice, and pick the prompt",
    "gemini": "/rewind in a session of Gemini CLI",
    "opencode": "/undo in a session of opencode",
    "pi": "/fork in a session of pi",
    "qwen": "/rewind in a session of Qwen Code",
}
"""How a person puts a conversation back in the agent itself."""
_MOST_BASES = 50
"""Forks of forks that are followed back to the file with the prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationFork:
    """A new session of an agent, which is not written yet."""

    agent: str
    session: str
    """Its id."""
    forked_from: str
    path: Path
    content: bytes
    resume: str
    """The command that goes on with it."""

    def write(self) -> None:
        """Write its file. Raises `OSError`."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.path.exists():
            raise FileExistsError(f"{self.path} exists")
        write_atomically(self.path, self.content, permissions=0o600)


def conversation_fork(agent: str, session: str, turn: str, prompt: str) -> ConversationFork:
    """Return the fork of a session that ends before one of its turns, whose first words are `prompt`.

    Nothing is written. Raises `CannotForkError`.
    """
    if agent not in ("claude", "codex"):
        raise CannotForkError(f"only those of Claude Code and Codex can be, and this one is of {agent}")
    if not _ID.fullmatch(session):
        raise CannotForkError(f"'{session}' is no id of a session")
    try:
        return _of_claude(session, turn, prompt) if agent == "claude" else _of_codex(session, turn)
    except OSError as error:
        raise CannotForkError(f"its session file cannot be read: {error}") from error


def _of_claude(session: str, turn: str, prompt: str) -> ConversationFork:
    source = _file_of("claude", "projects", f"*/{session}.jsonl")
    new = str(uuid.uuid4())
    with open_to_read(source) as records:
        content = claude.forked(records, turn, new, f"Before “{prompt}”" if prompt else "A fork")
    return ConversationFork(
        agent="claude",
        session=new,
        forked_from=session,
        path=source.with_name(f"{new}.jsonl"),
        content=content,
        resume=f"claude --resume {new}",
    )


def _of_codex(session: str, turn: str) -> ConversationFork:
    new, thread, end = _time_ordered_id(), session, None
    for _ in range(_MOST_BASES):
        source = _file_of("codex", "sessions", f"*/*/*/rollout-*-{thread}.jsonl")
        with open_to_read(source) as file:
            first = codex.rollout(file.readline())
            file.seek(0)
            base = codex.base_before(file, first, turn)
        if base is not None and (end is None or base.end_ordinal < end.end_ordinal):
            break
        if first.base is None:
            raise CannotForkError("its session file does not name the prompt")
        thread, end = first.base.thread, first.base
    else:
        raise CannotForkError("it was forked too often to find the prompt")
    now = datetime.now(timezone.utc)
    local = now.astimezone()
    home = place_of("codex").home()
    stamp = now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return ConversationFork(
        agent="codex",
        session=new,
        forked_from=session,
        path=home / "sessions" / f"{local:%Y/%m/%d}" / f"rollout-{local:%Y-%m-%dT%H-%M-%S}-{new}.jsonl",
        content=codex.forked(first, base, new, stamp, _time_ordered_id()),
        resume=f"codex resume {new}",
    )


def _file_of(agent: str, folder: str, pattern: str) -> Path:
    """Return the one file of a session, which is in the agent's own folder."""
    place = place_of(agent)
    above = place.home() / folder
    found = sorted(above.glob(pattern))
    if len(found) != 1:
        many = f"{len(found)} files of it" if found else "no file of it"
        raise CannotForkError(f"there is {many} in {above}")
    if not Path(os.path.realpath(found[0])).is_relative_to(os.path.realpath(above)):
        raise CannotForkError(f"{found[0]} leads out of {above} through a symbolic link")
    return found[0]


def _time_ordered_id() -> str:
    """Return an id of version 7 (RFC 9562), as Codex makes them."""
    value = time.time_ns() // 1_000_000 << 80 | secrets.randbits(80)
    value = value & ~(0xF << 76) | 7 << 76
    return str(uuid.UUID(int=value & ~(0x3 << 62) | 0x2 << 62))
