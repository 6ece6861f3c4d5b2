"""What code that is merged leaves out or repeats, and what it likely means then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from patchpoint.dataclass import replace
from patchpoint.edit import Edit
from patchpoint.formats.sentences.sentence import likely_readings
from patchpoint.locate.source import plain
from patchpoint.patching.left_out import LINES_STAY, lines_gone, only_remarked
from patchpoint.patching.merging.members import members_lost, with_list_shown
from patchpoint.patching.places.called import definition_called, last_name, named_elsewhere
from patchpoint.patching.places.places_said import says
from patchpoint.patching.shown.by_blocks import with_what_marks_keep
from patchpoint.patching.shown.by_definition import docstrings_kept, docstrings_stay
from patchpoint.patching.shown.reading import Code, Likely
from patchpoint.patching.shown.settings import units_replaced
from patchpoint.structure.blocks.tree import is_remark
from patchpoint.structure.keyed.units import is_of_settings
from patchpoint.structure.languages import is_json
from patchpoint.structure.lazy.bindings import end_of_block
from patchpoint.structure.lazy.definition import UnmergedError, indentation_of, moved
from patchpoint.structure.lazy.doubt.emptied import emptied
from patchpoint.structure.lazy.doubt.lost_parts import dots_within, is_only_begun, lost_part
from patchpoint.structure.lazy.doubt.names_in_use import lost_name
from patchpoint.structure.lazy.doubt.remarks import (
    differs_in_remarks,
    only_adds_remarks,
    remarks_as_marks,
)
from patchpoint.structure.lazy.doubt.superseded import without_superseded
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.merge import Merged, likely_merge, merge_shown
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.lines import plain_lines, without_blank_ends
from patchpoint.text.regex import regex

_MOST_NAMED = 4
_LONG = 60
_LONG_LINE = 12
"""A line of fewer characters may be in others."""
_SEVERAL = 2
_WORD = regex(r"[\w$.-]+")
_SAID = regex(r"\s*(?:await |yield |return )?(?P<name>[\w$.>-]+(?:::\w+)*)(?:\(| =(?!=))")
"""A call, or what a value is given to."""
_OFTEN = regex(
    r"(?i)(?:add|append|push|insert|print\w*|log|debug|info|warn\w*|error|write\w*|echo|assert\w*|expect|emit|use)\Z"
)
"""What is called for one thing after another."""
_OF_REMARKS = regex(r"(?i)comment|docstring|document|annotat|kommentar|коммент|注释|コメント|remark|typo")
_EMPTIES = regex(
    r"(?i)\b(?:no-?op|stub|skeleton|empty|abstract|unimplemented|interface|leer|vide|vac[ií]|nothing)"
)
_REMARKS = ("//", "/*", "*", "#", "--", "<!--")
_SHORT = 3
"""A line of so few characters only begins or ends a comment."""
_YAML = (".yaml", ".yml")
_BEGIN = regex(r"(?:if|export|const|let|var)\s+[\w{]+|[\w.$]+")
"""What tells one statement from others."""
_KIND = regex(
    r"\b(?P<kind>class|enum|extension|interface|object|protocol|record|struct|trait|type)\s+(?P<name>[A-Z]\w*)"
)
_OTHERS = frozenset({"another", "second", "third", "variant", "mock", "stub", "overload"})
"""Words for one more of what is there."""


def doubted(code: Code, merged: Merged) -> Likely | None:
    """Return what code likely means that is merged, where the words above it, or what it lacks, differ.

    It is the file as it is where that is not known.
    """
    if code.path.lower().endswith(_YAML) and code.new[:1] == ["---"] and "---" not in code.file:
        return Likely.of(code.file, "Nothing says where this document goes.")
    by_blocks = with_what_marks_keep(code, merged.lines)
    if by_blocks is not None:
        return by_blocks
    replaced = [(each.start, each.end) for each in merged.replaced]
    named = named_elsewhere(code.file, code.path, code.lead, replaced, code.lines)
    if named:
        at = definition_called(code.own, named)
        if at is not None and at.children and not code.has_marks:
            last = at.children[-1]
            new = moved(code.new, indentation_of(code.new[0]), indentation_of(code.file[last.start]))
            lines = [*code.file[: last.end], "", *new, *code.file[last.end :]]
            return Likely.of(lines, f"The answer names `{named}`: it goes to its end.")
        own = last_name(merged.replaced[0].name)
        why = f"This would change `{own}`, which is not in `{named}` that the answer names."
        return Likely.of(code.file, why)
    dotted = dots_within(code.file, code.lines)
    if dotted:
        return Likely.of(code.file, f"Dots are in the place of code in `{dotted}`.")
    if merged.replaced and not merged.added and _is_another(code, merged):
        own = last_name(merged.replaced[0].name)
        why = f"The answer adds something, and `{own}`, which is there, would give way to it."
        return Likely.of(merged, why)
    kinds = _other_kind(code, merged)
    if kinds:
        return Likely.of(merged, kinds)
    in_place = in_place_of_old(code, merged)
    if in_place is not None:
        return in_place
    again = _said_again(code, merged.lines)
    if again:
        return Likely.of(merged, f"`{again}` stays above what may be in place of it.")
    texts, names = docstrings_kept(code, merged.lines)
    if not names or _OF_REMARKS.search(code.lead):
        return left_out(code, merged.lines) or _of_parts(code, merged)
    kept = left_out(code, texts)
    with_texts = tuple(texts) if kept is None else kept.merged.lines
    return Likely(replace(merged, lines=with_texts), docstrings_stay(names), is_certain=kept is None)


def _of_parts(code: Code, merged: Merged) -> Likely | None:
    """Return the file that code likely means which leaves out parts of it, or has others in its middle."""
    lost = lost_part(code.file, merged.lines)
    if lost and lost not in code.lead:
        return Likely.of(merged, f"`{lost}` would go.")
    if _is_only_begun(code, merged):
        return Likely.of(merged, "Nothing of what is there would stay: only a beginning may be shown.")
    return _between_definitions(code, merged)


def _is_only_begun(code: Code, merged: Merged) -> bool:
    """Return whether only the first lines of a body may be shown."""
    shown = {last_name(each.name): each for each in code.shown.walk()}
    pairs = ((each, shown.get(last_name(each.name))) for each in merged.replaced)
    return not code.has_marks and any(
        given is not None
        and not given.children
        and is_only_begun(code.file[own.start + 1 : own.end], code.new[given.start + 1 : given.end])
        for own, given in pairs
    )


def _between_definitions(code: Code, merged: Merged) -> Likely | None:
    """Return the file in which what code has behind its last definition is where the file has the like of it.

    `None` where that is not put above a definition of the file. Where the file has no line like it, or
    several, that is as it is.
    """
    shown, lines = code.shown.children, merged.lines
    last = without_blank_ends(code.new[shown[-1].end :]) if shown and not code.has_marks else []
    if not last or indentation_of(last[0]) or any(is_remark(line) for line in last):
        return None
    rows = [row for row in range(len(lines)) if list(lines[row : row + len(last)]) == last]
    heads = {code.file[each.start] for each in code.own.children}
    if len(rows) != 1 or heads.isdisjoint(lines[rows[0] + len(last) :]):
        return None
    begin = _BEGIN.match(last[0])
    own = [row for row, line in enumerate(code.file) if begin is not None and line.startswith(begin[0])]
    rest = replace(code, lines=code.new[: shown[-1].end]).merged() if len(own) == 1 else None
    old = list(code.file[own[0] : end_of_block(code.file, own[0])]) if rest is not None else []
    kept = list(rest.lines) if rest is not None else []
    at = next((row for row in range(len(kept)) if kept[row : row + len(old)] == old), None)
    if rest is None or at is None or own[0] < code.own.children[-1].end:
        return Likely.of(merged, f"`{last[0].strip()}` goes above other definitions of the file.")
    result = [*kept[:at], *last, *kept[at + len(old) :]]
    return Likely.of(result, f"`{last[0].strip()}` is in the place of `{old[0].strip()}`.")


def in_place_of_old(code: Code, merged: Merged) -> Likely | None:
    """Return the file without what stays next to the statement that is shown in its place, if any."""
    lines = without_superseded(code.file, code.lines, merged.lines)
    if lines is None:
        return None
    old = next(iter(lines_gone(merged.lines, lines, code.path)), "what is next to it").strip()
    return Likely.of(replace(merged, lines=tuple(lines)), f"It is taken to be in the place of `{old}`.")


def left_out(code: Code, result: Sequence[str]) -> Likely | None:
    """Return the file that code likely means which leaves something out, given the `result` without that.

    `None` where it leaves nothing out that the words above it do not name.
    """
    comments = _comments_lost(code, result)
    if comments:
        lines = list(result)
        for row in sorted(comments, reverse=True):
            lines[row:row] = comments[row]
        why = f"The comment above `{result[min(comments)].strip()}` stays."
        return left_out(code, lines) or Likely.of(lines, why)
    remarked = with_bodies(code, result) or _kept(
        code, result, only_remarked(code.file, result, code.path, 1)
    )
    if remarked is not None:
        return remarked
    if differs_in_remarks(code.file, result) and not _OF_REMARKS.search(code.lead):
        if _only_tells(code.lead):
            return Likely.of(code.file, "It only shows what is there, with other comments.")
        if only_adds_remarks(code.file, result):
            return Likely.of(result, "Only comments are new.")
    found = members_left_out(code, result)
    lost = lost_name(code.file, result, code.path) if found is None else ""
    if lost and lost not in _WORD.findall(code.lead):
        marked = with_remarks_as_marks(code, lines_gone(code.file, result, code.path))
        why = f"`{lost}` is used, and nothing would give it a value any more."
        return marked or Likely.of(result, why)
    if found is None and code.only_adds:
        gone = len(lines_gone(code.file, result, code.path))
        fewer = sum(map(bool, map(str.strip, code.file))) - sum(map(bool, map(str.strip, result)))
        if gone >= _SEVERAL or fewer > 0:
            return Likely.of(result, f"It is to add, and {max(gone, fewer)} lines would go.")
    return found


def _comments_lost(code: Code, result: Sequence[str]) -> dict[int, Sequence[str]]:
    """Return the comments that lines which stay have lost, or lost to others, by the rows of the lines."""
    before, after = (Counter(line.strip() for line in lines) for lines in (code.file, result))
    rows = {line.strip(): row for row, line in enumerate(code.file)}
    lost: dict[int, Sequence[str]] = {}
    for row, line in enumerate(map(str.strip, result)):
        if not line or before[line] != 1 or after[line] != 1 or line.startswith(_REMARKS):
            continue
        above = _comment_above(code.file, rows[line])
        is_gone = bool(above) and not any(after[each.strip()] for each in above if len(each.strip()) > _SHORT)
        if is_gone and not _comment_above(result, row):
            lost[row] = above
    return lost


def _comment_above(lines: Sequence[str], row: int) -> Sequence[str]:
    """Return the lines of the comment right above a row."""
    first = row
    while first and lines[first - 1].strip().startswith(_REMARKS):
        first -= 1
    return lines[first:row]


def _only_tells(lead: str) -> bool:
    """Return whether words above code say more than what it is of, and ask for nothing."""
    return bool(lead) and not any(
        one.has("change do replace asks new") or one.is_made_of("fill thing file this label create")
        for one in likely_readings(lead)
    )


def lines_remarked(code: Code, result: Sequence[str]) -> Likely | None:
    """Return the file that code likely means in which remarks or stubs are in the place of several lines.

    `None` where the `result` without that has lost none to them.
    """
    return with_bodies(code, result) or _kept(code, result, only_remarked(code.file, result, code.path))


def with_lines_kept(edit: Edit) -> Edit:
    """Return an edit with the lines of its search text in whose place are only remarks, or a stub, in doubt.

    One whose replacement has code in the place of all code is returned as it is.
    """
    old, new = (plain_lines(plain(each)) for each in (edit.search, edit.replace))
    line = only_remarked(old, new, edit.path)
    if not line:
        return edit
    likely = lines_remarked(Code(old, new, edit.path), new)
    if likely is not None:
        lines, why = likely.merged.lines, likely.why
    else:
        lines, why = tuple(new), f"`{line}` would go, and only a remark is in its place."
        try:
            merged = merge_shown(old, new, edit.path) if any(map(is_mark, new)) else None
        except UnmergedError:
            merged = None
        if merged is not None and not any(is_mark(each) and each not in old for each in merged.lines):
            lines, why = merged.lines, LINES_STAY
    end = "\n" if edit.replace.endswith("\n") else ""
    return replace(edit, replace="\n".join(lines) + end, doubt=edit.doubt or why)


def _kept(code: Code, result: Sequence[str], line: str) -> Likely | None:
    """Return the file with what remarks are for, given a `line` that goes otherwise; `None` if none does."""
    if not line:
        return None
    found = with_remarks_as_marks(code, lines_gone(code.file, result, code.path))
    line = line if len(line) <= _LONG else f"{line[: _LONG - 3]}..."
    return found or Likely.of(result, f"`{line}` would go, and only a comment or a stub is in its place.")


def with_bodies(code: Code, result: Sequence[str]) -> Likely | None:
    """Return a result with the bodies of which code shows only stubs; `None` where there are none.

    Nothing is left in them where the words above the code say so.
    """
    stubs = emptied(code.file, result, code.path)
    if stubs is None:
        return None
    names, is_one = ", ".join(f"`{name}`" for name in stubs.names[:_MOST_NAMED]), len(stubs.names) == 1
    if _EMPTIES.search(code.lead):
        return Likely.of(result, f"Nothing would be left in {names}.")
    stays = "its body stays" if is_one else "their bodies stay"
    return Likely.of(stubs.kept, f"Only a stub of {names} is shown: {stays}.")


def members_of_list(code: Code) -> Likely | None:
    """Return the file with a list of members as it is shown, and what is not shown of it."""
    is_list = code.is_asked and not is_json(code.path) and not code.has_marks
    lines = with_list_shown(code.file, code.lines, code.path) if is_list else None
    if lines is None:
        return None
    return members_left_out(code, lines) or Likely.of(lines, "Every member is shown, or named.")


def members_left_out(code: Code, result: Sequence[str]) -> Likely | None:
    """Return the file that code likely means which leaves out members, given the `result` without them.

    `None` where it leaves out none, and where the words above it name them all.
    """
    lost = members_lost(code.file, result, code.path)
    if lost is None:
        return None
    mapped = units_replaced(code) if is_of_settings(code.path) else None
    if mapped is not None and list(mapped.merged.lines) != list(result):
        return mapped
    if set(lost.names) <= set(_WORD.findall(code.lead)):
        return None
    names, is_one = ", ".join(f"`{name}`" for name in lost.names[:_MOST_NAMED]), len(lost.names) == 1
    if lost.is_replaced and not says(code.lead, "more"):
        return Likely.of(result, f"{names} {'is' if is_one else 'are'} not shown, and would go.")
    stays = "is not shown, and stays" if is_one else "are not shown, and stay"
    gone = lines_gone(code.file, lost.kept, code.path)
    also = f" `{gone[0]}` would go{f', and {len(gone) - 1} more' if gone[1:] else ''}." if gone else ""
    return Likely.of(lost.kept, f"{names} {stays}.{also}")


def with_remarks_as_marks(code: Code, gone: Sequence[str] = ()) -> Likely | None:
    """Return the file with code in which remarks are marks, where less goes than is `gone` otherwise.

    Where that is not known, nothing goes that marks do not say.
    """
    file, path = code.file, code.path
    text = "\n".join(code.lines)
    if any(len(line) > _LONG_LINE and line.rstrip(",;") in text for line in gone):
        return None  # it is elsewhere now, and would be there twice
    for lines in remarks_as_marks(file, code.lines, path):
        most = len(gone) - 1 if gone else len(file)
        try:
            result = merge_shown(file, lines, path, may_be_cut_off=code.may_be_cut_off)
        except UnmergedError as error:
            likely = likely_merge(file, lines, path, error, may_be_cut_off=code.may_be_cut_off)
            if likely is None:
                continue
            result, most = likely[0], max(0, len(gone) - 1)
        if list(result.lines) == list(file) or len(lines_gone(file, result.lines, path)) > most:
            continue
        if not (only_remarked(file, result.lines, path) or lost_name(file, result.lines, path)):
            remark = next(line.strip() for line in code.lines if line not in lines)
            return Likely(result, f"`{remark}` may be for lines that are there: they stay.")
    return None


def _said_again(code: Code, result: Sequence[str]) -> str:
    """Return a line right above a new one that gives its name a value, or calls the same, too.

    Code does not show them next to each other.
    """
    given = set(pairwise(line.strip() for line in code.lines if line.strip()))
    for (first, end), (row, _) in changed_ranges(code.file, result):
        above = next((line for line in reversed(result[:row]) if line.strip()), "")
        below = next((line for line in result[row:] if line.strip()), "")
        pair = above.strip(), below.strip()
        if first < end or (pair[0] != pair[1] and pair in given):
            continue
        named = _SAID.match(above)
        if named is not None and below.startswith(named[0]) and not _OFTEN.search(named["name"]):
            return above.strip()
    return ""


def _other_kind(code: Code, merged: Merged) -> str:
    """Return that a type would become one of another kind, as a class an interface; empty if none does."""
    kinds = {found["name"]: found["kind"] for line in code.new if (found := _KIND.search(line))}
    for each in merged.replaced:
        own = _KIND.search(code.file[each.start])
        if own is not None and kinds.get(own["name"], own["kind"]) != own["kind"]:
            return f"The {own['kind']} `{own['name']}` would become of the kind {kinds[own['name']]}."
    return ""


def _is_another(code: Code, merged: Merged) -> bool:
    """Return whether words ask for something more, and do not name what gives way to it."""
    if not merged.whole or not code.only_adds:
        return False
    words = {word.casefold() for word in _WORD.findall(code.lead)}
    names = {part.casefold() for each in merged.replaced for part in _WORD.findall(last_name(each.name))}
    # a route of the same name has another path
    shown = {line.strip() for line in code.lines}
    own = (line.strip() for each in merged.replaced for line in code.file[each.lead : each.end])
    is_decorated_otherwise = any(line.startswith("@") and "(" in line and line not in shown for line in own)
    return words.isdisjoint(names) or not words.isdisjoint(_OTHERS) or is_decorated_otherwise
