"""The code of an answer that names no file, next to its edits: what is looked for, and what becomes of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from patchpoint.dataclass import replace
from patchpoint.edit import SHOWN, Edit, Format, Malformed, Operation, Unplaced
from patchpoint.patching.answers.candidates import (
    definitions_in,
    ends_alike,
    joined_file,
    names_bound_in,
    only_calls,
    words_of,
)
from patchpoint.patching.answers.placing import Placing
from patchpoint.patching.answers.unnamed import is_asked, unplaced_with
from patchpoint.patching.places.places_said import names_inside
from patchpoint.text.regex import IDENTIFIER

_ONLY_SAID = "Only a sentence says so."


def to_be_placed(items: Sequence[Edit | Malformed], unplaced: Sequence[Unplaced]) -> tuple[Unplaced, ...]:
    """Return the code that names no file in an answer whose other code does, and is part of its change.

    It shows definitions that no other code of the answer shows, which may be another version of it. So
    is code that is called what its file has now, if it shows such definitions: it may be other than that.
    """
    edits = [item for item in items if isinstance(item, Edit)]
    if not unplaced or not _show_code(items):
        return tuple(_next_to(one, edits) for one in unplaced if is_for_any(one))
    shown = [(edit.path, definitions_in(_changed_by(edit), edit.path)) for edit in edits]
    every = {name for _, names in shown for name in names}
    found = []
    for one in unplaced:
        if one.is_sentence or one.is_between:
            found.append(replace(one, others=tuple(edits)))
            continue
        # in another file, the same definition is another one
        others = [names for path, names in shown if any(ends_alike(path, each) for each in one.paths)]
        known = {name for names in others for name in names} if len(one.paths) > 1 else every
        if one.quoted is not None and known.isdisjoint(definitions_in(one.quoted.replace, one.quoted.path)):
            found.append(one)
        made = [(_changed_by(edit), edit.path) for edit in edits if edit.path in one.paths]
        if one.edit is None:
            continue
        words = words_of(one.edit.lead)[0]
        # one whose words name the file is for it
        is_named = not words or any(PurePosixPath(path).name.casefold() in words for path in one.paths)
        is_use = not is_named and only_calls(one.edit.replace, one.suffix, made)
        names = definitions_in(one.edit.replace, f"x.{one.suffix}" if one.suffix else edits[0].path)
        if is_use:
            found.append(replace(one, is_aside=True, edit=replace(one.edit, doubt="")))
        elif one.edit.operation is Operation.REPLACE or (names and known.isdisjoint(names)):
            found.append(replace(one, joined=joined_file(one, edits)))
        elif known.isdisjoint(names):
            edit = replace(one.edit, is_aside=one.edit.is_aside or _shows_use(one, one.edit, edits))
            found.append(replace(one, is_aside=True, edit=edit))
    return tuple(found)


def _shows_use(one: Unplaced, edit: Edit, edits: Sequence[Edit]) -> bool:
    """Return whether code that nothing asks for, and no place is said of, uses a name that an edit binds."""
    if one.paths or is_asked(one) or names_inside(edit.lead):
        return False
    bound = {name for each in edits for name in names_bound_in(each)}
    return not bound.isdisjoint(IDENTIFIER.findall(edit.replace))


def _next_to(one: Unplaced, edits: Sequence[Edit]) -> Unplaced:
    """Return what is looked for next to exact edits; what only a sentence asks for is a proposal there."""
    if not one.is_sentence or one.edit is None:
        return one
    edit = replace(one.edit, doubt=one.edit.doubt or _ONLY_SAID)
    return replace(one, edit=edit, others=tuple(edits))


def _changed_by(edit: Edit) -> str:
    """Return the code that an edit brings, without the lines at its end that are there before."""
    new, old = edit.replace.splitlines(), edit.search.splitlines()
    while new and old and new[-1] == old[-1]:
        del new[-1], old[-1]
    return edit.content or "\n".join(new)


def is_for_any(one: Unplaced) -> bool:
    """Return whether something is looked for next to edits of any format: what an answer asks for in words.

    So are lines, a file to be deleted, and code below words that name its file.
    """
    is_of_named = bool(one.paths) and not one.is_aside
    is_edit = one.edit is not None and (one.is_sentence or is_of_named)
    return one.is_between or one.is_needed or is_edit or one.quoted is not None


def with_placed(
    items: Sequence[Edit | Malformed], unplaced: Sequence[Unplaced], placing: Placing
) -> tuple[list[Edit | Malformed], list[Unplaced]]:
    """Return the items of an answer with the code that was placed, and what is left of its `unplaced` code.

    What is needed and no edit is malformed: the others would be half of a change.
    """
    placed = {edit.span for edit in placing.edits}
    left = unplaced_with(placing.left, [one for one in unplaced if one.span not in placed])
    needed = [one for one in left if one.is_needed]
    left = [one for one in left if not one.is_needed]
    faults = [
        Malformed(message=one.message, span=one.span, line=one.line, format=Format.LAZY) for one in needed
    ]
    ordered = sorted((*items, *placing.edits, *faults), key=lambda item: item.span)
    return _without_cut_repeats(ordered), left


def _without_cut_repeats(items: Sequence[Edit | Malformed]) -> list[Edit | Malformed]:
    """Return the items; code that repeats an earlier piece, as a recap does, is all there."""
    shown: set[tuple[str, str]] = set()
    found: list[Edit | Malformed] = []
    for item in items:
        if isinstance(item, Edit) and item.operation is Operation.MERGE:
            piece = (item.path, item.replace.strip())
            item = replace(item, may_be_cut_off=item.may_be_cut_off and piece not in shown)
            shown.add(piece)
        found.append(item)
    return found


def _show_code(items: Sequence[Edit | Malformed]) -> bool:
    """Return whether there are items, and all are code that fences show."""
    return bool(items) and all(isinstance(item, Edit) and item.format in SHOWN for item in items)
