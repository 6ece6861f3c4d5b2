"""Edits that name their place and quote nothing: a definition, a cell of a notebook, lines by their tags."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from patchpoint.dataclass import replace
from patchpoint.edit import Format, Operation, Side, Target, TargetKind
from patchpoint.locate.effort import NAMED
from patchpoint.locate.hints import scope_ranges
from patchpoint.locate.ladder import Ladder
from patchpoint.locate.source import SourceText, plain
from patchpoint.locate.verdict import Quote
from patchpoint.outcome import Outcome, Reason, Rung, Status
from patchpoint.patching.merging.minimal_splices import made_by_structure, text_of
from patchpoint.patching.named.candidates import candidate_at, exact_rows, rows_span
from patchpoint.patching.proposal import doubted, proposed
from patchpoint.patching.reasons import MOVED, refusal
from patchpoint.text.lines import plain_lines
from patchpoint.text.regex import IDENTIFIER, regex

if TYPE_CHECKING:
    from patchpoint.edit import Edit
    from patchpoint.patching.named.unplaced import Placed
    from patchpoint.text.lines import Span

_MOST_EQUAL = 50
_SIDES = {
    Side.INSTEAD: "replaces",
    Side.BEFORE: "goes before",
    Side.AFTER: "goes after",
    Side.DELETED: "deletes",
}

_PINNED = regex(r"[\w./@:-]*(?:\[[\w,-]+\])?[=~<>!^:@]{0,3}v?\d")
"""A version, with the name that it is of or not."""
_HEAD = regex(r"^[\s\"'-]+|[\"']?\s*:\s*\Z")
"""What is around a key on its line, where others are below it."""
_ONLY_THERE = "Of all places, only those are changed that are in what the answer names."
_MEMBER = regex(r"[\w.]+")
"""A name, with those of what it is in."""


def place_named(
    source: SourceText, edit: Edit, target: Target, ladder: Ladder, chosen: Span | None
) -> Outcome:
    """Return the outcome of putting the new text of `edit` at the place that `target` names.

    `chosen` is the span of a place that an earlier call returned; any other is refused.
    """
    if target.kind is TargetKind.DEFINITION and Rung.STRUCTURE not in ladder.rungs:
        why = "matching by structure is switched off"
        return refusal(Reason.NOT_PLACED, edit.path, name=target.name, why=why)
    source.effort.spend(NAMED * len(source.plain))
    from patchpoint.patching.named.unplaced import UnplacedError

    try:
        outcome = _made_at(source, edit, target, None)
    except UnplacedError as error:
        at = next((place for place in error.places if rows_span(source, place) == chosen), None)
        if at is not None:
            return _made_at(source, edit, target, at)
        places = [candidate_at(source, place) for place in error.places]
        refused = refusal(error.reason, edit.path, places, None, **error.values)
        return _with_every_one(source, edit, target, refused)
    if outcome.status is not Status.MATCHED:
        return outcome
    if not outcome.splices:
        return refusal(Reason.ALREADY_APPLIED, edit.path)
    if chosen is not None and outcome.span != chosen:
        return refusal(Reason.NOT_THERE, edit.path, why=MOVED)
    return outcome


def with_definition_proposed(source: SourceText, edit: Edit, refused: Outcome, ladder: Ladder) -> Outcome:
    """Return a refused outcome with a proposal where the edit quotes a whole definition with another body.

    One that only adds lines to a few of a definition takes none of it away.
    """
    if Rung.STRUCTURE not in ladder.rungs or edit.splits or edit.replace_all:
        return refused
    from patchpoint.patching.named.quoted_definition import with_quoted_definition

    quote = Quote.of(edit.search, edit.replace)
    found = with_quoted_definition(source, edit.path, quote)
    if found is None:
        return refused
    target, placed = found
    first, end = placed.place
    quoted, new = (set(map(str.strip, lines)) for lines in (quote.search_lines, quote.replace_lines))
    if quoted <= new and 2 * len(quoted) < end - first:
        return refused
    why = f"Lines {first + 1} to {end} are the only {target.name}, but not as they are quoted."
    return proposed(refused, edit, _outcome(source, edit, target, replace(placed, doubt="")), why)


def with_named_place_proposed(
    source: SourceText, edit: Edit, refused: Outcome, resolve: Callable[..., Outcome]
) -> Outcome:
    """Return a refused outcome with a proposal where one of its places is in what the words above it name.

    A number decides between equal places: not where those words name what another one of them is in. So is
    a place of two fences only proposed that is not in what they name.
    """
    from patchpoint.patching.places.called import rows_in_named, spans_named

    if edit.replace_all:
        # a name that changes everywhere is in no part that has it
        edit = replace(edit, lead=edit.lead.replace(f"`{edit.search}`", ""))
    first, end = exact_rows(source, refused.span or (0, 0))
    why = _why_elsewhere(source, edit, (first, end)) if refused.matched else ""
    if why:
        inside = [rows_span(source, rows) for rows in spans_named(source.lines, edit.path, edit.lead)]
        kept = [one for one in refused.splices if any(a <= one.start and one.end <= b for a, b in inside)]
        # of what changes everywhere, what is in there
        made = replace(refused, splices=tuple(kept)) if edit.replace_all and kept else refused
        return doubted(edit, made, _ONLY_THERE if made is not refused else why)
    if refused.matched:
        rows = _equal_rows(source, edit)
        meant = rows_in_named(source.lines, edit.path, edit.lead, rows) if len(rows) > 1 else []
        if not meant or first in meant:
            return refused
        length = len(plain_lines(plain(edit.search)))
        places = [candidate_at(source, (row, row + length)) for row in rows]
        found = [each.span for each, row in zip(places, rows, strict=True) if row in meant]
        refused = refusal(Reason.SEVERAL, edit.path, places, len(places))
        return _with_place(source, edit, refused, found, resolve)
    named = spans_named(source.lines, edit.path, edit.lead)
    if not named and edit.section.strip():
        named = scope_ranges(source, (edit.section,))
    inside = [one.span for one in refused.candidates if any(a < one.line <= b for a, b in named)]
    return _with_place(source, edit, refused, inside, resolve)


def _why_elsewhere(source: SourceText, edit: Edit, rows: Span) -> str:
    """Return why some rows are not what an edit is said to change, as a sentence; empty if they may be.

    Of what is changed everywhere it is all the rows from the first to the last of them.
    """
    if edit.operation is not Operation.REPLACE or edit.format is Format.REQUEST or edit.is_inverse:
        return ""
    from patchpoint.patching.places.called import definition_called, definitions_of, named_elsewhere

    code = plain_lines(plain(f"{edit.search}\n{edit.replace}"))
    place = rows if edit.replace_all else (rows[0], rows[0] + 1)
    other = named_elsewhere(source.lines, edit.path, edit.lead, [place], code) if edit.lead else ""
    if other and edit.format is not Format.PAIR:
        # what is quoted as it is counts for more than a type that the file does not have
        own = definitions_of(source.lines, edit.path)
        other = other if definition_called(own, other) is not None else ""
    if not other and edit.format is Format.UNIFIED_DIFF and edit.section.strip():
        other = _section_elsewhere(source, edit, rows[0])
    return f"It is not in `{other}`, which the answer names." if other else ""


def _section_elsewhere(source: SourceText, edit: Edit, row: int) -> str:
    """Return the definition that the heading of a hunk names, if the row is above it, or in a later one."""
    from patchpoint.patching.places.called import definitions_of, last_name

    heading = edit.section.strip()
    every = [each for each in definitions_of(source.lines, edit.path).walk() if not each.is_text]
    named = [each for each in every if source.stripped[each.start] == heading]
    if len(named) != 1 or source.stripped.count(heading) != 1:
        return ""
    is_later = any(named[0].end <= each.start < row for each in every)
    return last_name(named[0].name) if row < named[0].start or is_later else ""


def _with_place(
    source: SourceText, edit: Edit, refused: Outcome, found: Sequence[Span], resolve: Callable[..., Outcome]
) -> Outcome:
    """Return a refused outcome with a proposal for the one place that was `found`, if it is one."""
    if len(found) != 1:
        return refused
    made = resolve(source, replace(edit, doubt="", lead=""), chosen=found[0])
    why = "Of several places, this one is in what the answer names."
    return proposed(refused, edit, made, why) if made.matched else refused


def _equal_rows(source: SourceText, edit: Edit) -> list[int]:
    """Return the first rows of the places that have the search text of a diff as it is; few of them."""
    wanted = plain(edit.search) if edit.format is Format.UNIFIED_DIFF else ""
    found = re.finditer(f"(?={re.escape(wanted)})", source.plain) if wanted.strip() else iter(())
    return [source.plain.count("\n", 0, each.start()) for each in islice(found, _MOST_EQUAL)]


def shifted_numbers(edits: Sequence[tuple[int, Edit]], text: str) -> dict[int, Outcome]:
    """Return the refusals of edits that name a cell by a number which earlier ones of them have changed.

    Whether the number is that of the notebook before those or after them, there is no telling.
    """
    from patchpoint.patching.named.cell import names_by_id

    shifted: dict[int, Outcome] = {}
    is_shifted = False
    for index, edit in edits:
        target = edit.target
        if target is None or target.kind is not TargetKind.CELL:
            continue
        if is_shifted and target.name and not names_by_id(text, target):
            why = "an earlier edit adds or deletes a cell, so the number could mean two cells; give its id"
            shifted[index] = refusal(Reason.NOT_PLACED, edit.path, name="the cell", why=why)
        is_shifted = is_shifted or target.side is not Side.INSTEAD
    return shifted


def _with_every_one(source: SourceText, edit: Edit, target: Target, refused: Outcome) -> Outcome:
    """Return a refused outcome with the proposal of changing each of several places, if all are meant."""
    if refused.reason is not Reason.SEVERAL or not edit.replace_all or target.kind is not TargetKind.WORDS:
        return refused
    from patchpoint.patching.named.words import with_every_word

    found = with_every_word(source.lines, target.name, plain(edit.replace))
    if found is None:
        return refused
    from patchpoint.patching.named.unplaced import Placed

    (lines, is_some_left), where = found, edit.path or "the text"
    made = _outcome(source, edit, target, Placed(lines, (0, len(lines))))
    left = ", but those of other objects" if is_some_left else ""
    return proposed(refused, edit, made, f"It changes every `{target.name}` of {where}{left}.")


def _made_at(source: SourceText, edit: Edit, target: Target, at: Span | None) -> Outcome:
    """Return the outcome at the place, or at the one of several that has the lines `at`."""
    new, file = plain(edit.replace), source.lines
    lines = [] if target.side is Side.DELETED else plain_lines(new)
    if target.kind is TargetKind.CELL:
        from patchpoint.patching.named.cell import with_cell

        message = _message(edit, target)
        return made_by_structure(source, edit.path, with_cell(source.plain, target, new), [], message)
    if target.kind is TargetKind.WORDS:
        placed = _with_words(file, edit, target, new, at)
    elif target.kind is TargetKind.COMMAND:
        from patchpoint.patching.named.sed import edited_in_place

        placed = edited_in_place(file, target)
    elif target.kind is TargetKind.SUGGESTED:
        from patchpoint.patching.named.suggested_lines import with_suggested_lines

        quoted = plain_lines(plain(edit.search))
        placed = with_suggested_lines(file, target, quoted, lines, at)
    elif target.kind is TargetKind.LINES:
        from patchpoint.patching.named.tagged_lines import with_tagged_lines

        placed = with_tagged_lines(file, target, lines, at)
    elif target.side is Side.DELETED:
        from patchpoint.patching.shown.by_name import without_named

        placed = without_named(file, edit.path, target, at, lead=edit.lead)
    else:
        from patchpoint.patching.named.definition import with_definition

        placed = with_definition(file, edit.path, target, lines, at)
    return _outcome(source, edit, target, placed)


def _with_words(lines: Sequence[str], edit: Edit, target: Target, new: str, at: Span | None) -> Placed:
    """Return the lines with other words, or with another value for a name that the words are."""
    from patchpoint.patching.named.words import has_word, with_words

    if edit.scope:
        return _with_words_of(lines, edit, new)
    from patchpoint.patching.shown.by_name import has_value, is_literal, may_be_value, with_value
    from patchpoint.patching.shown.rows_named import rows_requiring
    from patchpoint.structure.lazy.syntax import syntaxes_of

    # Another name is likelier meant instead of one in code, and one in capitals instead of another one.
    is_data = all(each.is_data or each.family == "css" for each in syntaxes_of(edit.path))
    is_data = is_data and not (target.name.isupper() and new.isupper())
    # what has the name in it is no other name for it, and may be its value
    is_of_itself = not _MEMBER.fullmatch(new) and sum(has_word([line], target.name) for line in lines) == 1
    is_pinned = _PINNED.match(new) is not None and len(rows_requiring(lines, target.name)) == 1
    is_of_block = is_literal(new) and any(_HEAD.sub("", line) == target.name for line in lines)
    is_value = (
        is_pinned
        or is_of_block
        or target.side is Side.AFTER
        or (
            not edit.replace_all
            and (is_data or may_be_value(new))
            and (target.name not in IDENTIFIER.findall(new) or is_of_itself)
            and has_value(lines, target.name)
        )
    )
    if is_value:
        old = plain(edit.search) if edit.search != target.name else ""
        return with_value(lines, target.name, new, at, old=old, lead=edit.lead, path=edit.path)
    return with_words(lines, target.name, new, edit.line, at)


def _with_words_of(lines: Sequence[str], edit: Edit, new: str) -> Placed:
    """Return the lines with another name in the definition that the edit names, and in no call of it."""
    from patchpoint.patching.named.unplaced import Placed, not_placed
    from patchpoint.patching.named.words import has_word, with_every_word
    from patchpoint.patching.places.called import definition_called, definitions_of

    (owner,), old = edit.scope, edit.search
    own = definition_called(definitions_of(lines, edit.path), owner)
    if own is None:
        raise not_placed(f"`{owner}`", "the file has not one definition of this name")
    first, end = own.start, own.end
    made = with_every_word(lines[first:end], old, new)
    if made is None or not has_word(lines[first:end], old):
        raise not_placed(f"`{old}`", f"`{owner}` has no such name, or `{new}` already")
    named = re.compile(rf"\b{re.escape(owner)}\b.*\b{re.escape(old)}\s*[=:]")
    if any(named.search(line) for line in (*lines[:first], *lines[end:])):
        raise not_placed(f"`{old}`", f"`{owner}` is called with this name, too")
    return Placed((*lines[:first], *made[0], *lines[end:]), (first, end))


def _outcome(source: SourceText, edit: Edit, target: Target, placed: Placed) -> Outcome:
    places = [rows_span(source, placed.place)]
    new = text_of(source, placed.lines)
    outcome = made_by_structure(source, edit.path, new, places, _message(edit, target))
    notes = (*outcome.notes, *([placed.note] if placed.note else ()))
    made = replace(outcome, notes=notes, needs_confirmation=not placed.is_certain)
    if not placed.doubt:
        return made
    return proposed(refusal(Reason.ONLY_LIKELY, edit.path, why=placed.doubt), edit, made, placed.doubt)


def _message(edit: Edit, target: Target) -> str:
    named = {
        TargetKind.WORDS: f"`{target.name}`",
        TargetKind.SUGGESTED: "the lines it is suggested for",
        TargetKind.CELL: f"cell {target.name.removeprefix('cell-')}" if target.name else "the other cells",
        TargetKind.LINES: f"line {target.name}",
        TargetKind.COMMAND: f"what `{target.name}` changes",
    }.get(target.kind, target.name)
    return f"It {_SIDES[target.side]} {named} in {edit.path or 'the text'}."
