"""Edits that are left alone: each with the sentence that says why, and what it would be."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Objection, ObjectionCode, Unplaced
from patchpoint.formats.source import AnswerText, Item
from patchpoint.text.lines import Span, plain_lines

_CORRECTION = "It names no file, and takes the place of what the answer takes back."


def not_said(item: Item, source: AnswerText) -> Unplaced:
    """Return an edit in the words of the user as what is left alone."""
    objection = Objection(code=ObjectionCode.NOT_SAID_BY_THE_MODEL)
    line = source.line_of(item.span[0]) + 1
    return _left([item], objection, line, "this is what the user says, and not the model")


def failed(items: Sequence[Item], words: str, line: int) -> Unplaced:
    """Return the edits of a tool call that failed, or was rejected, as what is left alone."""
    objection = Objection(code=ObjectionCode.FAILED_CALL, words=words)
    return _left(items, objection, line, f"this call failed when it was made ({words})")


def with_objections(
    items: Sequence[Item],
    objections: Mapping[Span, Objection],
    unplaced: Sequence[Unplaced],
    source: AnswerText,
) -> tuple[list[Item], list[Unplaced]]:
    """Return the items with what the answer says against them, by their spans, and what is no edit then.

    An edit that is taken back is left alone where another edit takes its place, or the next code that names
    no file: it has a line in common with it. Otherwise it stays, and is refused: the answer would be carried
    out in part.
    """
    meant = [item for item in items if item.span not in objections and isinstance(item, Edit)]
    kept: list[Item] = []
    left = list(unplaced)
    for item in items:
        objection = objections.get(item.span)
        if objection is None:
            kept.append(item)
            continue
        if isinstance(item, Edit):
            is_retracted = objection.code is ObjectionCode.RETRACTED
            is_replaced = is_retracted and any(_in_place_of(one, item) for one in meant)
            correction = _correction(item, left) if is_retracted and not is_replaced else None
            if correction is not None:
                kept.append(correction)
            elif not is_replaced:
                kept.append(replace(item, objection=objection))
                continue
        why = f'the answer withdraws this ("{objection.words.rstrip(".")}")'
        left.append(_left([item], objection, source.line_of(item.span[0]) + 1, why))
    return kept, left


def with_included(
    source: AnswerText, items: Sequence[Item], unplaced: Sequence[Unplaced], include: Collection[str]
) -> tuple[list[Item], list[Unplaced]]:
    """Return the items and what is none of them, those in `include` being carried out.

    `include` has lines of the text, from 1, and names of alternatives. Where one of several ways is chosen,
    the others are left alone.
    """
    wanted = {name.strip().casefold() for name in include}

    def is_included(span: Span, objection: Objection) -> bool:
        lines = range(source.line_of(span[0]) + 1, source.line_of(max(span[1] - 1, span[0])) + 2)
        return objection.name.casefold() in wanted or any(str(line) in wanted for line in lines)

    objected = [(item, item.objection) for item in items if isinstance(item, Edit) and item.objection]
    chosen = {each.name for item, each in objected if is_included(item.span, each)}
    kept: list[Item] = []
    left: list[Unplaced] = []
    for item in items:
        objection = item.objection if isinstance(item, Edit) else None
        if not isinstance(item, Edit) or objection is None:
            kept.append(item)
            continue
        line = source.line_of(item.span[0]) + 1
        is_way = objection.code is ObjectionCode.ALTERNATIVE and chosen - {""}
        if is_included(item.span, objection) or (is_way and objection.name in chosen):
            kept.append(replace(item, objection=None))
        elif is_way:
            why = f"of several ways, {' and '.join(sorted(chosen))} was chosen"
            left.append(_left([item], objection, line, why))
        else:
            kept.append(replace(item, objection=replace(objection, line=line)))
    for one in unplaced:
        if one.objection is not None and is_included(one.span, one.objection):
            kept += one.meant
        else:
            left.append(one)
    if wanted:
        kept.sort(key=lambda item: item.span)
        left.sort(key=lambda one: one.span)
    return kept, left


def _left(items: Sequence[Item], objection: Objection, line: int, why: str) -> Unplaced:
    return Unplaced(message=why, span=items[0].span, line=line, objection=objection, meant=tuple(items))


def _in_place_of(one: Edit, other: Edit) -> bool:
    """Return whether an edit is for the file of another one and has a line in common with it."""
    return one.path == other.path and not _own_lines(one).isdisjoint(_own_lines(other))


def _correction(item: Edit, unplaced: list[Unplaced]) -> Edit | None:
    """Take away the next code if it names no file and has a line in common with an edit; return it as one."""
    below = [one for one in unplaced if one.span[0] >= item.span[1] and one.edit is not None]
    one = min(below, key=lambda one: one.span, default=None)
    if one is None or one.edit is None or one.paths or one.is_aside or one.objection is not None:
        return None
    if _own_lines(one.edit).isdisjoint(_own_lines(item)):
        return None
    unplaced.remove(one)
    return replace(one.edit, path=item.path, doubt=_CORRECTION)


def _own_lines(edit: Edit) -> set[str]:
    texts = (edit.search, edit.replace, edit.content or "")
    return {bare for text in texts for line in plain_lines(text) if len(bare := line.strip()) > 3}
