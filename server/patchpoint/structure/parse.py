"""Whether a text parses, and whether it still does after a change."""

from __future__ import annotations

from enum import Enum
from functools import cached_property

from patchpoint.dataclass import dataclass
from patchpoint.structure.languages import Language, languages_of, missing_grammar
from patchpoint.structure.problem import Problem, UnjudgedError
from patchpoint.text.line_diff import shared_start

BYTE_ORDER_MARK = "\ufeff"


class Verdict(Enum):
    """What a grammar says of a text."""

    PARSES = "it parses"
    BROKEN = "it does not parse"
    UNJUDGED = "there is no grammar for it, or it is too long or too deep"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the grammar of a file's language says of its text."""

    verdict: Verdict
    language: Language | None = None
    """The language that judged it."""
    problem: Problem | None = None
    """Where it does not parse, if it does not."""


def judge(path: str, text: str) -> Judgement:
    """Return whether a text parses as the file that `path` names. Raises nothing."""
    text = text.removeprefix(BYTE_ORDER_MARK)
    first: Judgement | None = None
    for language in languages_of(path):
        judgement = _judged_by(language, text)
        if judgement.verdict is Verdict.PARSES:
            return judgement
        if judgement.verdict is Verdict.BROKEN:
            first = first or judgement
    return first or Judgement(Verdict.UNJUDGED)


def _judged_by(language: Language, text: str, near: int | None = None) -> Judgement:
    """Return what one language says of a text; `near` is as in `Language.problem`."""
    try:
        problem = language.problem(text, near)
    except UnjudgedError:
        return Judgement(Verdict.UNJUDGED)
    return Judgement(Verdict.PARSES if problem is None else Verdict.BROKEN, language, problem)


@dataclass(frozen=True)
class TextBefore:
    """A file's text before its edits, which is parsed once at most, however many edits are judged by it."""

    path: str
    text: str

    def problem_of(self, after: str) -> Problem | None:
        """Return where `after` no longer parses; `None` unless the text before did. Raises nothing."""
        if after == self.text:
            return None
        before, after = (text.removeprefix(BYTE_ORDER_MARK) for text in (self.text, after))
        languages = languages_of(self.path)
        if not languages:
            return None
        head = shared_start(before, after)
        # Nearly every edit leaves the file whole: what it makes is judged first, and that mostly will do.
        judgement = _judged_by(languages[0], after, head)
        if judgement.verdict is Verdict.PARSES or self._language is None:
            return None
        is_first = self._language is languages[0]
        return (judgement if is_first else _judged_by(self._language, after, head)).problem

    @cached_property
    def unjudged(self) -> str:
        """A sentence that says which grammar is not installed here, so that no edit of the file is judged.

        Empty where the language needs none, or has it.
        """
        missing = missing_grammar(self.path)
        return f"Whether this breaks the syntax was not checked: {missing}." if missing else ""

    @cached_property
    def _language(self) -> Language | None:
        """The language by which the text parses; `None` if there is none."""
        judgement = judge(self.path, self.text)
        return judgement.language if judgement.verdict is Verdict.PARSES else None
