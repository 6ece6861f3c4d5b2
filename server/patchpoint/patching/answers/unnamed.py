"""What an answer says of code that names no file, and what is said of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Unplaced
from patchpoint.locate.source import plain
from patchpoint.outcome import Outcome, Reason, Rung, Status
from patchpoint.patching.answers.candidates import ends_alike
from patchpoint.patching.places.places_said import is_known, says, says_a_side
from patchpoint.structure.imports import are_imports
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.lines import plain_lines
from patchpoint.text.regex import regex

_ABOUT = frozenset(
    {
        *(Reason.ALREADY_APPLIED, Reason.SEVERAL, Reason.UNCLEAR),
        *(Reason.WOULD_BE_LOST, Reason.NOT_WHOLE, Reason.NOT_MERGED),
    }
)
"""Reasons that are given only where a file has what the code shows."""
_IN_A_ROW = regex(
    r"[`*\s]*(?:[,、]|(?:[,、]\s*)?(?:and|or|und|oder|et|ou|y|o|e|и|или|和|以及|と|&|\+))\s*"
    r"(?:also\s+|auch\s+)?(?:(?:in|into|to|of|en|dans|em|no|na|в)\s+)?[`*]*"
)
"""What is between the names of files in a row."""
ONLY_DEFINES = "Nothing says what it is for, and only {} has the definition that it shows."
_OF_MANY = frozenset(
    {"main", "setup", "teardown", "test", "init", "__init__", "handler", "render", "default"}
)
"""Names that say nothing of the file that they are in."""
_SHORT = 3
_SEVERAL = 2
_HAS_LINES = "It names no file, and only {} has the lines of the diff."
_UNASKED = "The words above it may not ask for a change, and only {} has a place for it."
_MOST_NAMED = 4


def unplaced_with(described: Sequence[Unplaced], every: Sequence[Unplaced]) -> list[Unplaced]:
    """Return `every` piece of code, those that are `described` as they are there."""
    known = {one.span: one for one in described}
    return [known.get(one.span, one) for one in every]


def nearest(one: Unplaced, edits: Sequence[Edit]) -> str:
    """Return the file of the last of the edits that is above a piece of code, or else of the first."""
    above = [edit for edit in edits if edit.span <= one.span]
    return (above or edits[:1] or [Edit(path="")])[-1].path


def is_import(one: Unplaced, path: str = "") -> bool:
    """Return whether code is imports alone, of its own language or else that of the file at `path`."""
    code = one.edit.replace if one.edit is not None else ""
    return are_imports(plain_lines(plain(code)), f"x.{one.suffix}" if one.suffix else path)


def is_asked(one: Unplaced) -> bool:
    """Return whether words above code ask for a change, or say that something is added, or a side."""
    lead = one.edit.lead if one.edit is not None else ""
    return one.is_change or says(lead, "adds more") or says_a_side(lead)


def doubt_of(edit: Edit, path: str) -> str:
    """Return what speaks against code for the only file that has a place for it; nothing if it is asked for.

    Words above it ask for it if they say a side, or each word of their last sentence is known.
    """
    if edit.format is Format.UNIFIED_DIFF:
        return _HAS_LINES.format(path)
    is_understood = says_a_side(edit.lead) or is_known(edit.lead)
    return edit.doubt or ("" if is_understood else _UNASKED.format(path))


def with_blank_lines(edit: Edit, text: str) -> Edit:
    """Return an edit that only removes lines of a text, with blank ones below them if one is above."""
    is_removal = edit.search.endswith("\n") and not edit.replace
    if not is_removal or text.count(edit.search) != 1:
        return edit
    above, rest = text.split(edit.search)
    if above and not above.endswith("\n\n"):
        return edit
    return replace(edit, search=edit.search + "\n" * (len(rest) - len(rest.lstrip("\n"))))


def called_as(paths: Sequence[str], names: Iterable[str]) -> list[str]:
    """Return those of some paths that end as one of some names, or that such a name ends as."""
    names = list(names)
    return [path for path in paths if any(ends_alike(path, name) for name in names)]


def are_in_a_row(paths: Sequence[str], words: str) -> bool:
    """Return whether words name some files next to each other, such as *in `a.py`, `b.py` and `c.py`*."""
    at = [words.find(path) for path in paths]
    spans = sorted((start, start + len(path)) for start, path in zip(at, paths, strict=True))
    gaps = (words[end:start] for (_, end), (start, _) in pairwise(spans))
    return min(at, default=-1) >= 0 and all(map(_IN_A_ROW.fullmatch, gaps))


def described(one: Unplaced, fitting: Sequence[str]) -> Unplaced:
    """Return code with the files that it may be for."""
    if len(fitting) < _SEVERAL:
        return one
    head = one.message.partition(": no path")[0].partition(": two files")[0].partition(", and ")[0]
    named = ", ".join(fitting[:_MOST_NAMED]) + (", ..." if len(fitting) > _MOST_NAMED else "")
    return replace(
        one,
        message=f"{head}: it could be for {named}; write the path of one on the line above.",
        paths=tuple(fitting),
    )


def fits(edit: Edit, outcome: Outcome) -> bool:
    """Return whether a file has a place for an edit, as its outcome there tells."""
    if edit.format in (Format.PAIR, Format.UNIFIED_DIFF):
        is_there = outcome.matched and outcome.rung is not Rung.SIMILARITY
        is_value = edit.target is not None and outcome.proposal is not None
        return is_there or is_value or outcome.reason in (Reason.SEVERAL, Reason.ALREADY_APPLIED)
    if outcome.reason is Reason.NOT_MERGED:
        return bool(syntaxes_of(edit.path))
    return outcome.status is Status.MATCHED or outcome.reason in _ABOUT


def tell_a_file(names: Iterable[str]) -> bool:
    """Return whether a definition of one of some names may be sought among many files."""
    return any(len(name) > _SHORT and name not in _OF_MANY for name in names)


def guessed_next_to(edits: Sequence[Edit], paths: Collection[str]) -> list[Edit]:
    """Return the edits, those that only their definitions tell as parts of the change of their file."""
    return [
        replace(edit, is_aside=False)
        if edit.doubt == ONLY_DEFINES.format(edit.path) and edit.path in paths
        else edit
        for edit in edits
    ]
