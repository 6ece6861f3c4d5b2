"""Fences that show a file: the whole of it, or only the definitions that change (lazy code).

Most fences in an answer are samples. One counts where its file is named: on its opening line, in a comment
that is its first line, or above it. It has to be handed over as a file, to show a definition, or lines and a
mark of those left out, or to be called a change. What is said to be an example, or the code as it was, is
prose. What is not called whole may create a file; whether it is all of one that exists, or a part, is seen
when it is held against it.
"""

from __future__ import annotations

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Malformed, Operation, Unplaced
from patchpoint.formats.blocks.fence_label import code_of
from patchpoint.formats.blocks.lead import lead_of
from patchpoint.formats.blocks.pair import item_of_pair, pairs_in
from patchpoint.formats.blocks.shown import read_shown
from patchpoint.formats.fences import Fence, fences, is_last, outer_fences, without_content
from patchpoint.formats.labels import named_last_above, path_alone
from patchpoint.formats.scan import TextScan
from patchpoint.formats.signs import Sign
from patchpoint.formats.source import AnswerText, Item, ReadResult

_SHOWN = {Format.LAZY, Format.WHOLE_FILE}
_NOT_ONE = {
    Format.WHOLE_FILE: (
        "several fences, or half of one, may be the file; one fence with its content was expected"
    ),
    Format.LAZY: "none of these fences shows a definition of the file; one such fence was expected",
}


def read_fence(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read the file, or the code of one, that the fence at `sign` shows; `None` when it is a sample.

    Where whole files alone are wanted, a path above the fence is enough, and the file may exist.
    """
    line = scan.source.line_of(sign.start)
    fence = scan.source.once(fences).get(line)
    if fence is None or (scan.wants(Format.PAIR) and line in scan.source.once(pairs_in)):
        return None
    item = read_shown(scan, fence, scan.lower_bound)
    if isinstance(item, Unplaced) or item.format not in _SHOWN or not scan.wants(item.format):
        return None
    return ReadResult((item,), item.span[1])


def read_other_fences(scan: TextScan, items: list[Item]) -> list[Item]:
    """Return what fences show that no sign pointed at.

    One whose file is not named counts where the caller named a file, and the text has no other edits.
    """
    found: list[Item] = []
    unnamed: list[Item] = []
    for fence, lower_bound in _other_fences(scan, items):
        item = read_shown(scan, fence, lower_bound)
        if not isinstance(item, Unplaced):
            found += [item] if scan.wants(item.format) else []
        elif scan.given_path and not items:
            item = read_shown(scan, fence, lower_bound, scan.given_path)
            unnamed += [item] if not isinstance(item, Unplaced) else []
    return found or unnamed


def unplaced_in(scan: TextScan, items: list[Item]) -> list[Unplaced]:
    """Return the fences that none of the `items` is in, each with why it is no edit."""
    found: list[Unplaced] = []
    edited = {item.path for item in items}
    pairs = scan.source.once(pairs_in)
    source = scan.source.once(without_content)
    for fence, lower_bound in _other_fences(scan, items, with_pairs=True):
        pair = pairs.get(fence.first)
        if pair is not None and fence.first == pair.new.first:
            continue
        item = (
            item_of_pair(scan.source, pair, lower_bound, "") if pair else read_shown(scan, fence, lower_bound)
        )
        if isinstance(item, Unplaced):
            found.append(replace(item, nearby=named_last_above(source, fence.first)))
        elif item.path in edited:
            why = (
                f"this shows {item.path}, which another edit of the answer changes: it is taken for a sample"
            )
            left = Unplaced(message=why, span=item.span, line=fence.first + 1)
            found.append(_if_asked(item, left))
    return found


def _if_asked(item: Item, left: Unplaced) -> Unplaced:
    """Return what is taken for a sample with the edit that it is where the words above it ask for that."""
    # below a path alone, code may only be quoted
    is_certain = isinstance(item, Edit) and not item.doubt and not path_alone(item.lead)
    if not isinstance(item, Edit) or item.operation is not Operation.MERGE:
        return replace(left, is_needed=is_certain)
    lead = lead_of(item.lead)
    if lead.is_offer or not (lead.is_asked or lead.says_place or is_certain):
        return left
    doubt = f"Only what is said above it names {item.path}."
    return replace(left, edit=replace(item, path="", doubt=doubt), paths=(item.path,), is_change=True)


def read_bare(text: str, path: str, wanted: Format) -> Item:
    """Read an answer that is the file at `path`, or code of it, and no more, in a fence or without."""
    source = AnswerText(text)
    found = outer_fences(source)
    if len(found) > 1 or any(not fence.closed for fence in found):
        return source.malformed(_NOT_ONE[wanted], 0, len(source.lines), path=path, origin=wanted)
    code = code_of(source, found[0]) if found else text
    edit = Edit(path=path, format=wanted, span=(0, len(text)))
    if wanted is Format.WHOLE_FILE:
        return replace(edit, operation=Operation.WRITE, content=code)
    may_be_cut_off = not found or is_last(source, found[0])
    return replace(edit, operation=Operation.MERGE, replace=code, may_be_cut_off=may_be_cut_off)


def without_samples(items: list[Item]) -> list[Item]:
    """Return the items without fences that only name a file which another item edits: samples of it."""
    edited = {item.path for item in items if item.format not in _SHOWN and not _is_in_words(item)}
    return [
        item
        for item in items
        if item.format is not Format.WHOLE_FILE
        or item.path not in edited
        or (isinstance(item, Edit) and item.operation in (Operation.WRITE, Operation.INSERT))
    ]


def without_shown_edits(items: list[Item]) -> list[Item]:
    """Return the items without code that only shows a file which another item edits, or writes whole."""
    edited = {
        item.path
        for item in items
        if item.format is not Format.LAZY
        and not _is_in_words(item)
        and not (isinstance(item, Edit) and (item.may_be_part or item.operation is Operation.CREATE))
        and not (isinstance(item, Malformed) and item.format is Format.WHOLE_FILE)
    }
    return [item for item in items if item.format is not Format.LAZY or item.path not in edited]


def _is_in_words(item: Item) -> bool:
    """Return whether an item is an import that a sentence asks for, next to the code that needs it."""
    return isinstance(item, Edit) and item.format is Format.PAIR and item.operation is Operation.MERGE


def _other_fences(scan: TextScan, items: list[Item], *, with_pairs: bool = False) -> list[tuple[Fence, int]]:
    """Return the fences that no item is in, each with the line behind what is read above it."""
    source = scan.source
    taken = sorted((item.span, item.format) for item in items)
    pairs = source.once(pairs_in) if scan.wants(Format.PAIR) and not with_pairs else {}
    found: list[tuple[Fence, int]] = []
    lower_bound = 0
    at = 0
    for fence in outer_fences(source):
        start, end = source.span(fence.first, fence.end)
        while at < len(taken) and taken[at][0][1] <= start:
            (_, last), format_ = taken[at]
            if format_ not in _SHOWN:
                lower_bound = max(lower_bound, source.line_of(last - 1) + 1)
            at += 1
        is_taken = at < len(taken) and taken[at][0][0] < end
        if not is_taken and fence.first not in pairs:
            found.append((fence, lower_bound))
        elif not is_taken or taken[at][1] not in _SHOWN:
            # A heading above shown code is above what is shown after it as well, and not above other edits.
            lower_bound = fence.end
    return found
