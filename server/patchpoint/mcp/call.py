"""One call of a tool: what it works on, what the user has answered, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass, field
from patchpoint.mcp.questions import Answer, Asked, Question, Silence
from patchpoint.progress import Progress, Silent

if TYPE_CHECKING:
    from patchpoint.schema.settings import Settings


AGENT = "mcp"
"""The session, in the log of operations, of what an agent asks for without naming one."""


class ToolError(Exception):
    """A tool that could not do its work: a sentence for the model, and a stable code."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What a tool works with. It is run again, from the start, when a question has been answered."""

    roots: tuple[Path, ...]
    """The folders whose files may be touched, at least one."""
    can_ask: bool = False
    """Whether the client can put a question to its user."""
    answers: Mapping[str, Answer] = field(default_factory=dict)
    """What the user has answered, by the key of the question."""
    recovers: bool = True
    """Whether a restore that was cut short is finished when a store is opened."""
    may_restore: bool = False
    """Whether the person who started the server lets it restore, and undo what others did."""
    progress: Progress = field(default_factory=Silent)

    def answer(self, question: Question) -> Answer:
        """Return the user's answer, or why there is none.

        Raises `Asked` where the user can be asked and has not been.
        """
        if question.key in self.answers:
            return question.checked(self.answers[question.key])
        if self.can_ask:
            raise Asked(question)
        return Silence.NOT_ASKED

    def settings(self) -> Settings:
        """Return the settings of git's configuration for the first folder."""
        from patchpoint.schema.git_settings import settings_of

        return settings_of(self.roots[0])[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A resource that a reply points to."""

    uri: str
    name: str
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a tool returns: a dataclass of `patchpoint.schema.responses`, or none, and the same in words."""

    data: object
    text: str
    is_error: bool = False
    """An edit was refused, or nothing was done."""
    links: tuple[Link, ...] = ()
