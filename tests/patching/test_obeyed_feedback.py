"""Whoever obeys the feedback on a refused edit, word for word, leaves no file worse than it was."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from difflib import SequenceMatcher

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchpoint.edit import Edit
from patchpoint.locate.alignment import SIMILAR_LINE, line_similarity
from patchpoint.outcome import Outcome, Reason
from patchpoint.patching.feedback import feedback
from patchpoint.patching.reasons import REASONS, Part
from patchpoint.patching.resolve import resolve_edit
from patchpoint.structure.parse import TextBefore
from tests.uncertain_edit import FORGETFUL, ORDER

GUARDED = """\
import typing as t

if t.TYPE_CHECKING:  # pragma: no cover
    from wsgi import Environment

ANSWER = 42
"""
PACKAGE = """\
{
  "name": "scale",
  "scripts": {
    "test": "vitest",
    "build": "tsc"
  }
}
"""
TWICE = "def one():\n    begin()\n    end()\n\n\ndef two():\n    begin()\n    stop()\n"
CASES = {
    "a replacement that lacks a depth": (
        "app.py",
        GUARDED,
        "if t.TYPE_CHECKING:  # pragma: nocover\n    from wsgi import Environment\n",
        "if t.TYPE_CHECKING:  # pragma: nocover\nfrom wsgi import Environ\n",
    ),
    "a replacement that lacks a comma": (
        "package.json",
        PACKAGE,
        '"test":  "vitest",\n"build":  "tsc"\n',
        '"test": "vitest run"\n"build": "tsc -b"\n',
    ),
    "lines that are quoted without their depth": (
        "app.py",
        GUARDED,
        "from wsgi import Environment\n",
        "if ANSWER:\nfrom wsgi import Environment\n",
    ),
    "two places, and a line that tells them apart": ("two.py", TWICE, "    begin()\n", "    start()\n"),
    "many places that only a number tells apart": ("f.txt", "same\n" * 40, "same\n", "other\n"),
    "lines that were forgotten": ("order.py", ORDER, FORGETFUL, f"{FORGETFUL}    remarks: str\n"),
    "another name": (
        "two.py",
        TWICE,
        "def six():\n    begin()\n    stop(now)\n",
        "def six():\n    begin()\n    stop(later)\n",
    ),
    "what is there already": ("two.py", TWICE, "    stop(now)\n", "    stop()\n"),
    "nothing of it": ("two.py", TWICE, "completely = unknown(7)\n", "x\n"),
}


def quoted_as_it_is(text: str, edit: Edit, outcome: Outcome) -> Iterator[Edit]:
    """The edit, with the file's lines at the nearest place for those that it misquotes or leaves out."""
    place = outcome.candidates[0]
    found = text.splitlines()[place.line - 1 : place.last_line]
    search, wanted = edit.search.splitlines(), edit.replace.splitlines()
    partner = partners(search, found)
    lines: list[str] = []
    at = 0
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, search, wanted, autojunk=False).get_opcodes():
        for number in (partner[line] for line in range(i1, i2) if line in partner):
            lines += found[at : number + (tag == "equal")]
            at = number + 1
        lines += wanted[j1:j2] if tag != "equal" else []
    lines += found[at:]
    yield replace(edit, search=joined(found), replace=joined(lines))


def partners(search: list[str], found: list[str]) -> dict[int, int]:
    """Which file line each search line quotes: the next that resembles it."""
    partner: dict[int, int] = {}
    at = 0
    for line, quoted in enumerate(search):
        alike = [n for n in range(at, len(found)) if is_alike(quoted, found[n])]
        if alike:
            partner[line] = max(alike, key=lambda n: (line_similarity(quoted.strip(), found[n].strip()), -n))
            at = partner[line] + 1
    return partner


def is_alike(one: str, other: str) -> bool:
    return line_similarity(one.strip(), other.strip()) >= SIMILAR_LINE


def joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def with_more_context(text: str, edit: Edit, outcome: Outcome) -> Iterator[Edit]:
    """The edit for each place, with as many lines more as the feedback asks for."""
    asked = re.search(r"Add the (?:line|(\d+) lines) (before|after) the place", outcome.feedback)
    assert asked is not None
    count, lines = int(asked[1] or 1), text.splitlines()
    for place in outcome.candidates:
        if asked[2] == "before":
            more = joined(lines[max(0, place.line - 1 - count) : place.line - 1])
            yield replace(edit, search=more + edit.search, replace=more + edit.replace)
        else:
            more = joined(lines[place.last_line : place.last_line + count])
            yield replace(edit, search=edit.search + more, replace=edit.replace + more)


def with_a_line_number(text: str, edit: Edit, outcome: Outcome) -> Iterator[Edit]:
    assert text
    return (replace(edit, line=place.line) for place in outcome.candidates)


def nothing(text: str, edit: Edit, outcome: Outcome) -> Iterator[Edit]:
    assert text
    assert outcome.path == edit.path
    return iter(())


OBEYED: dict[str, Callable[[str, Edit, Outcome], Iterator[Edit]]] = {
    "Quote the file's lines exactly, also in the replacement where they stay the same": quoted_as_it_is,
    "to both the search text and the replacement.": with_more_context,
    "Name the place: give its line number": with_a_line_number,
    "only with a different replacement.": nothing,
    "Read the file again and quote a few of its lines": nothing,
    "Do not send this edit again.": nothing,
}


def obeyed(text: str, edit: Edit, outcome: Outcome) -> list[Edit]:
    """What is sent after the feedback, as its one advice says."""
    advice = [send for words, send in OBEYED.items() if words in outcome.feedback]
    parts = REASONS[outcome.reason].feedback if outcome.reason is not None else ()
    assert len(advice) == (Part.ADVICE in parts or Part.STOP in parts), outcome.feedback
    return [sent for send in advice for sent in send(text, edit, outcome)]


@pytest.mark.parametrize(("path", "text", "search", "wanted"), CASES.values(), ids=CASES)
def test_who_obeys_leaves_no_file_worse(path: str, text: str, search: str, wanted: str) -> None:
    edit = Edit(path=path, search=search, replace=wanted)
    outcome = resolve_edit(text, edit)
    assert outcome.text is None
    before = TextBefore(path, text)
    for sent in obeyed(text, edit, outcome):
        done = resolve_edit(text, sent)
        assert done.text is not None, (sent, done.message)
        assert before.problem_of(done.text) is None
        assert is_all_there(text, done.text, edit)


def test_what_would_break_a_file_is_a_fault_of_the_replacement_at_every_time_of_asking() -> None:
    path, text, search, wanted = CASES["a replacement that lacks a depth"]
    edit = Edit(path=path, search=search, replace=wanted)
    outcome = resolve_edit(text, edit)
    assert outcome.reason is Reason.BREAKS_SYNTAX
    for times in range(3):
        said = feedback(text, edit, outcome, repeated=times)
        assert re.search(r"line 4.*: expected an indented block", said)
        assert "Correct the replacement" in said
        assert "Quote the file's lines exactly" not in said
        assert "quote fewer lines" not in said


WORDS = ["amber", "bishop", "cobalt", "dingo", "ember", "falcon", "garnet", "hickory", "indigo", "jasper"]
SAID = st.sampled_from(["as it is", "as it is", "misspelt", "forgotten", "invented"])


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(WORDS), SAID, st.booleans()), min_size=3, max_size=8))
def test_who_obeys_loses_no_line_that_was_not_quoted(rows: list[tuple[str, str, bool]]) -> None:
    lines = [f"{word * 2} = {word}({number})" for number, (word, _, _) in enumerate(rows)]
    search: list[str] = []
    wanted: list[str] = []
    for line, (word, said, is_changed) in zip(lines, rows, strict=True):
        quoted = {"as it is": line, "misspelt": line[1:-1], "invented": f"{word}_of_mine_{len(search)} += 1"}
        if said in quoted:
            search.append(quoted[said])
            wanted.append(quoted[said].replace(" = ", " = other_") if is_changed else quoted[said])
    text = joined(lines)
    edit = Edit(path="f", search=joined(search), replace=joined(wanted))
    outcome = resolve_edit(text, edit)
    if outcome.matched or not search or search == wanted:
        return
    for sent in obeyed(text, edit, outcome):
        done = resolve_edit(text, sent)
        assert done.text is None or is_all_there(text, done.text, edit)


def is_all_there(before: str, after: str, edit: Edit) -> bool:
    """Whether every line that the edit does not quote is still in the file."""
    lost = Counter(before.splitlines()) - Counter(after.splitlines())
    return all(any(is_alike(line, quoted) for quoted in edit.search.splitlines()) for line in lost)
