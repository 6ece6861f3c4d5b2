"""Questions to the user, as forms of choices (the protocol's elicitation), and their answers.

A question is known by what it is about: when a file changes before the answer arrives, it is another
question, and is asked again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from enum import Enum

from patchpoint.dataclass import dataclass


class Silence(str, Enum):
    """Why there is no answer to a question."""

    DECLINED = "declined"
    """The user has seen the form and declined it."""
    NOT_ASKED = "notAsked"
    """The form was closed, or what came back is no answer to it: nobody may have seen it."""


Answer = Mapping[str, str] | Silence
"""What was filled in, by the names of the fields, or why there is nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One choice of a form."""

    name: str
    title: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A form, and what it is about."""

    about: tuple[object, ...]
    """What the answer holds for, as JSON: for no other files, places or texts."""
    message: str
    fields: tuple[Field, ...]

    @property
    def key(self) -> str:
        """The name of the question: the same for the same form about the same things."""
        shown = [[one.name, one.options] for one in self.fields]
        whole = json.dumps([self.about, self.message, shown], default=str)
        return hashlib.sha256(whole.encode("utf-8", "backslashreplace")).hexdigest()[:32]

    def schema(self) -> dict[str, object]:
        """Return the form as the flat JSON Schema that every revision of the protocol has."""
        properties = {
            one.name: {"type": "string", "title": one.title, "enum": list(one.options)} for one in self.fields
        }
        return {"type": "object", "properties": properties, "required": [one.name for one in self.fields]}

    def checked(self, answer: Answer) -> Answer:
        """Return `answer`; one that is not one of the form's is none."""
        if isinstance(answer, Silence):
            return answer
        fits = all(answer.get(one.name) in one.options for one in self.fields)
        return answer if fits else Silence.NOT_ASKED


class Asked(Exception):  # noqa: N818 - it is no error: the call is made again with the answer
    """Raised by a tool that needs an answer."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.message)
        self.question = question


def answer_of(action: str, content: object) -> Answer:
    """Return what the user filled in, or why there is nothing."""
    if action == "accept" and isinstance(content, dict):
        return {str(name): value for name, value in content.items() if isinstance(value, str)}
    return Silence.DECLINED if action == "decline" else Silence.NOT_ASKED


def yes_or_no(about: Sequence[object], message: str, yes: str, no: str) -> Question:
    """Return a question with two answers, in the field `answer`."""
    return Question(
        about=tuple(about), message=message, fields=(Field(name="answer", title="Answer", options=(yes, no)),)
    )
