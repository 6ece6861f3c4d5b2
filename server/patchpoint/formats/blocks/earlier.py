"""What of a model's earlier turns belongs to its last one: what that uses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import Protocol

from patchpoint.dataclass import replace
from patchpoint.edit import SHOWN, Edit, Unplaced
from patchpoint.formats.sentences.sentence import WordTable, reading, sentence_spans
from patchpoint.formats.source import Item
from patchpoint.structure.lazy.outline.headers import header_name
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.regex import IDENTIFIER, regex


class AnswerGiven(Protocol):
    """An answer of a conversation."""

    @property
    def items(self) -> Sequence[Item]:
        """Return its edits."""
        ...

    @property
    def unplaced(self) -> Sequence[Unplaced]:
        """Return its code that names no file."""
        ...

    @property
    def words(self) -> str:
        """Return all that is said in it."""
        ...


_FENCE = regex(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_CODE = regex(r"`([^`\n]{1,200})`")
_USES = "An earlier answer defines `{}`, which the last one uses."
_MOST = 400
"""In so many lines at most, names are looked for."""


def belonging_to_last(answers: Sequence[AnswerGiven]) -> tuple[list[Item], list[Unplaced]]:
    """Return what earlier ones of some answers have that the last one needs and does not supersede.

    They are in doubt: what they define may be in its file by now.
    """
    *before, last = answers
    own = [edit for edit in _edits(last) if edit.format in SHOWN]
    if not before or len(own) != len(list(_edits(last))) or not own:
        return [], []
    suffixes = {one.suffix for one in last.unplaced if one.edit is not None and one.suffix}
    known = {name for edit in own for name in _defined(edit, suffixes, is_any=True)}
    used = {
        name for edit in own for name in IDENTIFIER.findall(f"{edit.replace}{edit.content or ''}")
    } - known
    known |= _left_as_they_were(last.words)
    items: list[Item] = []
    unplaced: list[Unplaced] = []
    for answer in reversed(before):
        found: list[Item] = []
        for item in answer.items:
            if isinstance(item, Edit) and item.format in SHOWN and item.objection is None:
                found += _belonging(item, {*suffixes}, known, used)
        for one in answer.unplaced:
            edit = one.edit if one.objection is None and not one.is_sentence else None
            for each in () if edit is None else _belonging(edit, {one.suffix}, known, used):
                unplaced.append(replace(one, edit=each))
        known |= {name for edit in _edits(answer) for name in _defined(edit, suffixes)}
        items = [*found, *items]
    return items, unplaced


def _edits(answer: AnswerGiven) -> Iterator[Edit]:
    """Yield the edits of an answer, and what is one of a file that it does not name."""
    yield from (item for item in answer.items if isinstance(item, Edit))
    yield from (one.edit for one in answer.unplaced if one.edit is not None and not one.is_sentence)


def _belonging(edit: Edit, suffixes: Set[str], known: Set[str], used: Set[str]) -> list[Edit]:
    """Return an edit in doubt that defines what the last answer uses."""
    names = _defined(edit, suffixes)
    needed = sorted(names & used) if names.isdisjoint(known) else []
    return [replace(edit, doubt=_USES.format(needed[0]), is_aside=True)] if needed else []


def _defined(edit: Edit, suffixes: Set[str], *, is_any: bool = False) -> set[str]:
    """Return the names of the outermost definitions that the new text of an edit shows, or of `is_any`."""
    lines = (edit.replace or edit.content or "").splitlines()[:_MOST]
    paths = [edit.path, *(f"x.{suffix}" for suffix in suffixes if not edit.path)]
    syntaxes = [syntax for path in paths for syntax in syntaxes_of(path)]
    depth = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    found = {
        header_name(line, syntax)[0]
        for line in lines
        if is_any or len(line) - len(line.lstrip()) == depth
        for syntax in syntaxes
    }
    return {name for name in found if name}


def _left_as_they_were(words: str) -> set[str]:
    """Return the names of what an answer says to be as it was before an earlier one."""
    names = set[str]()
    for sentence in _sentences(words):
        lead, against = reading(sentence), reading(sentence, WordTable.OBJECTIONS)
        is_left = lead.has("was") if lead.has("stays") else against.has("leave") and against.has("as_is")
        if is_left and not lead.has("never"):
            names.update(code.removesuffix("()") for code in _CODE.findall(sentence))
    return names


def _sentences(words: str) -> Iterator[str]:
    """Yield the sentences of an answer outside of its code."""
    for line in _FENCE.sub("", words).splitlines():
        yield from (line[begin:end] for begin, end in sentence_spans(line))
