"""What shown code likely means: by a place in words, as imports, or in the reading that loses nothing.

What comes of it is shown as a difference, and written on one yes. It is certain only where the answer names
one definition in backquotes, in words that say nothing else, and the file has that once; and where whole
definitions of the file are shown without those between them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from patchpoint.dataclass import replace
from patchpoint.formats.sentences.sentence import readings
from patchpoint.patching.places.by_words import by_words
from patchpoint.patching.places.called import QUOTED, is_inside, last_name, rows_in_named
from patchpoint.patching.places.placed import placed
from patchpoint.patching.places.places_said import is_question, names_only, places_said, says, says_a_side
from patchpoint.patching.shown.below_its_like import definitions_like, fields_below, with_fields_together
from patchpoint.patching.shown.by_blocks import PAGES, by_blocks
from patchpoint.patching.shown.by_definition import (
    has_new_body,
    heads_replaced,
    in_place_of_another,
    with_docstrings,
)
from patchpoint.patching.shown.in_context import in_context
from patchpoint.patching.shown.judged import (
    members_left_out,
    members_of_list,
    with_remarks_as_marks,
)
from patchpoint.patching.shown.lines_changed import (
    in_place_of_quoted,
    lines_changed,
    with_values_above,
)
from patchpoint.patching.shown.reading import Code, Likely
from patchpoint.patching.shown.settings import (
    lines_added,
    members_added,
    units_replaced,
)
from patchpoint.structure.imports import (
    are_imports,
    below_package,
    leading_imports,
    united,
    with_first_imports,
)
from patchpoint.structure.keyed.units import is_keyed, is_of_settings
from patchpoint.structure.languages import is_json
from patchpoint.structure.lazy.alignment import is_closing
from patchpoint.structure.lazy.definition import (
    Assumption,
    CodeText,
    Unmerged,
    UnmergedError,
    indentation_of,
)
from patchpoint.structure.lazy.embedded import embedded_parts
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.merge import Merged, keeps_names, likely_merge, merge_shown
from patchpoint.structure.lazy.outline.by_grammar import outline_of_file
from patchpoint.structure.lazy.pairing import shows_only_new
from patchpoint.structure.lazy.shown import outline_of_shown, prepared
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.structure.parse import Verdict, judge
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.regex import regex

NOWHERE = (Unmerged.PLACE, Unmerged.NOT_THERE, Unmerged.NO_HOME)
"""Why code is not merged that is new, and says no place itself."""
_LOSING = (Unmerged.DELETES, Unmerged.BROKEN, Unmerged.LOST)
_LINES_IN_COMMON = (Unmerged.UNCLEAR, Unmerged.DELETES)
_WITHOUT_MARK = (*_LOSING, Unmerged.MARK_LIKE, Unmerged.UNCLEAR, Unmerged.CUT_OFF)
"""Why code is not merged in which a remark may be for lines of the file."""
_OF_BLOCKS = (*NOWHERE, Unmerged.UNCLEAR, Unmerged.MARK_LIKE, Unmerged.SEVERAL)
"""Why code is not merged by its definitions that may be merged by its blocks."""
_NOT_OF_BLOCKS = (
    *(Unmerged.LOST, Unmerged.DELETES, Unmerged.NOTHING),
    *(Unmerged.CUT_OFF, Unmerged.REPEATS, Unmerged.TOO_LARGE),
)
"""Why code is not merged of which less may be meant than its blocks say."""
_IN_CONTEXT = (Unmerged.DELETES, Unmerged.LOST, Unmerged.UNCLEAR)
_OF_HEADS = (Unmerged.BROKEN, Unmerged.CUT_OFF, Unmerged.DELETES, Unmerged.LOST, Unmerged.UNCLEAR)
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
_DOCUMENTS = (".md", ".markdown")
_NEW = (Assumption.NEW,)
_MOST_APART = 12
"""Each of so many definitions is merged by itself; of more, what lies between them is asked about."""
_OF_ALL = "whole all save remove becomes do this"
"""Kinds of words above several definitions that may speak of the rest of the file, or of what goes."""
_PART = regex(r"(?i)(?<![`<.])\b(?:script|style)(?:s|[ -]?sheet)?\b(?![.`])")
_ELEMENT = regex(r"(?i)<(?:script|style)\b")
_HEAD = regex(r"(?<![\w`<-])(head|template)\b(?![`>-])")


def likely_reading(code: Code, error: UnmergedError) -> Likely | None:
    """Return what shown code likely means that `merge_shown` does not merge, for `error`.

    `None` where that is not known.
    """
    lead = code.lead
    is_page = code.path.lower().endswith(PAGES)
    in_part = _in_part(code) if is_page else None
    if in_part is not None:
        return in_part
    if is_page:
        # of a page it is an element, and not the beginning
        code = replace(code, lead=_HEAD.sub(r"`\1`", lead))
    if error.reason is Unmerged.LANGUAGE:
        return (placed if places_said(lead) else by_words)(code) or _first(code, _WITHOUT_GRAMMAR)
    if error.reason in NOWHERE and is_json(code.path):
        return (placed if code.adds and places_said(lead) else by_words)(code) or members_added(code)
    code = replace(code, is_asked=code.is_asked and not says(lead, "speaks") and not is_question(lead))
    if error.reason is Unmerged.UNLIKE and len(error.places) == 1 and not is_page:
        at = error.places[0]
        why = f"It has the name of `{last_name(at.name)}`, which the file has once."
        return heads_replaced(code) or Likely.of(code.merged(at), why)
    is_nowhere = error.reason in NOWHERE
    is_several = error.reason is Unmerged.SEVERAL
    with_imports = _with_imports(code) if is_nowhere and not are_imports(code.lines, code.path) else None
    if with_imports is not None:
        return with_imports
    is_added = code.adds and not code.has_marks and not says(lead, "remove replace change rename")
    rules: tuple[tuple[bool, Callable[[Code], Likely | None]], ...] = (
        (is_nowhere or error.reason in _LINES_IN_COMMON, in_place_of_quoted),
        (error.reason in _IN_CONTEXT and code.is_change, in_context),
        (error.reason in _OF_HEADS, heads_replaced),
        (error.reason in _OF_HEADS, with_docstrings),
        (is_nowhere, in_place_of_another),
        (error.reason in _OF_BLOCKS, _by_blocks if code.adds and says_a_side(lead) else by_blocks),
        (is_of_settings(code.path), units_replaced),
        (is_several, lambda code: _in_one_of(code, error)),
        (error.reason in _WITHOUT_MARK, with_values_above),
        (error.reason in _WITHOUT_MARK, with_remarks_as_marks),
        (is_nowhere or error.reason in _LOSING, members_of_list),
        (is_nowhere or (is_added and error.reason in _LINES_IN_COMMON), placed),
        (not is_several, _with_imports),
        (not is_several, lambda code: _without_loss(code, error)),
        (is_nowhere and code.is_change, _below_its_like),
        (is_nowhere or error.reason in _LINES_IN_COMMON, lines_changed),
        (error.reason not in (*_OF_BLOCKS, *_NOT_OF_BLOCKS), by_blocks),
        (is_nowhere or is_added, _by_words),
        (is_of_settings(code.path), by_blocks),
    )
    return _first(code, [rule for applies, rule in rules if applies])


def _in_part(code: Code) -> Likely | None:
    """Return a page with code where it likely goes in the one script, or style sheet, that it may be of.

    What the words above it say of that, or of the page, is said of a file then.
    """
    text = "\n".join([*code.new, ""])
    every = embedded_parts(code.file, code.lines, code.path)
    parts = [each for each in every if judge(each.path, text).verdict is Verdict.PARSES]
    if len(parts) != 1:
        return None
    part, name = parts[0], f"`{parts[0].path}`"
    lead = QUOTED.sub(lambda one: name if _is_of_page(one[1], code.path) else one[0], code.lead)
    lead = _PART.sub("file", lead)
    within = replace(code, file=code.file[part.first : part.end], path=part.path, lead=lead)
    try:
        merge_shown(within.file, within.lines, within.path, may_be_cut_off=within.may_be_cut_off)
    except UnmergedError as error:
        likely = likely_reading(within, error)
        if likely is not None:
            lines = part.within(code.file, likely.merged.lines)
            why = likely.why.replace(name, f"`<{part.path.partition('.')[0]}>`")
            return Likely(Merged(lines), why, likely.is_certain)
    return None


def _is_of_page(name: str, path: str) -> bool:
    """Return whether a name is that of a page, or of an element that holds a script or style sheet."""
    return path.endswith(name) or _ELEMENT.match(name) is not None


def _first(code: Code, rules: Sequence[Callable[[Code], Likely | None]]) -> Likely | None:
    """Return what the first of some readings makes of code that makes something of it."""
    return next((found for rule in rules if (found := rule(code)) is not None), None)


def _by_words(code: Code) -> Likely | None:
    """Return the file with new code where its words say, or at the end of what they name."""
    return by_words(code, says_a_side=False)


def _by_blocks(code: Code) -> Likely | None:
    """Return the file with code merged by its blocks, if that is not put between lines of the file."""
    found = by_blocks(code)
    is_whole = found is not None and len(changed_ranges(code.file, found.merged.lines)) == 1
    return found if is_whole else None


def _by_lines(code: Code) -> Likely | None:
    """Return the file with code of a language that is not known, by the lines that both have."""
    if is_json(code.path) or (is_keyed(code.path) and not code.has_marks) or _may_go_on(code):
        return None
    assumed = (Assumption.MARKS, Assumption.STAYS, Assumption.LINES)
    try:
        lines = merge_shown(code.file, code.lines, code.path, assumed=assumed).lines
    except UnmergedError as error:
        readings = [each for each in error.readings if _keeps_shape(code.file, each)]
        lines = next(iter(readings), ())
        if not lines or ((len(readings) > 1 or not code.has_marks) and not keeps_names(code.file, lines)):
            return None
    return Likely.of(lines, _sentence((Assumption.LINES,))) if _keeps_shape(code.file, lines) else None


def _may_go_on(code: Code) -> bool:
    """Return whether code ends deeper than its last line that the file has, or that is a mark."""
    known = {line.strip() for line in code.file}
    lines = [line for line in code.lines if line.strip()]
    there = next((line for line in reversed(lines) if line.strip() in known or is_mark(line)), "")
    return bool(lines) and len(indentation_of(lines[-1])) > len(indentation_of(there))


def _keeps_shape(file: Sequence[str], result: Sequence[str]) -> bool:
    """Return whether as many brackets are open at the end, and no line is deeper than an end above it."""
    before, after = (Counter("".join(lines)) for lines in (file, result))
    is_balanced = all(before[one] - before[other] == after[one] - after[other] for one, other in _BRACKETS)
    ends = (
        {
            (one, other)
            for one, other in pairwise(filter(str.strip, lines))
            if is_closing(one) and len(indentation_of(one)) < len(indentation_of(other))
        }
        for lines in (result, file)
    )
    return is_balanced and set.issubset(*ends)


_WITHOUT_GRAMMAR = (
    in_place_of_quoted,
    by_blocks,
    units_replaced,
    placed,
    lines_added,
    _by_lines,
    lines_changed,
    _by_words,
)


def _in_one_of(code: Code, error: UnmergedError) -> Likely | None:
    """Return the file with code in the one of several definitions that is in what the words above it name."""
    lead = code.lead if not says(code.lead, "not") else ""
    rows = rows_in_named(code.file, code.path, lead, [each.start for each in error.places])
    meant = [each for each in error.places if is_inside(code.own, each, code.lead)] or [
        each for each in error.places if each.start in rows
    ]
    merged = code.merged(meant[0]) if len(meant) == 1 else None
    return Likely.of(merged, f"Of several, this `{last_name(error.name)}` is in what the answer names.")


def _without_loss(code: Code, error: UnmergedError) -> Likely | None:
    """Return the file with code merged as it loses nothing, with what has to be assumed for that."""
    if error.reason is Unmerged.LOST and code.is_asked and code.adds:
        merged = code.merged(assumed=(Assumption.GAPS, Assumption.NEW, Assumption.LAST))
        if merged is not None:
            return Likely(merged, _sentence((Assumption.LAST,)))
    file, path = code.file, code.path
    likely = likely_merge(file, code.lines, path, error, may_be_cut_off=code.may_be_cut_off)
    if likely is None:
        return None
    merged, assumed = likely
    if Assumption.WHOLE in assumed and (
        path.endswith(_DOCUMENTS) or not (_is_rewrite(code) or has_new_body(code))
    ):
        return None
    lines = with_fields_together(file, merged.lines, code.lines, path)
    is_line = error.reason is Unmerged.LOST and error.name.startswith("`")
    why = f"{error.name} is not shown, and stays." if is_line else _sentence(assumed)
    left_out = members_left_out(code, lines)
    if left_out is None and set(assumed) == {Assumption.GAPS} and list(lines) == _each_alone(code):
        return Likely(merged, why, is_certain=True)
    return left_out or Likely(replace(merged, lines=lines), why)


def _each_alone(code: Code) -> list[str] | None:
    """Return the file with each definition that code shows merged by itself; `None` where one cannot be.

    What the file has between them is no question then: neither is that named above the code, nor is there
    anything else in it, nor may it be all of the file.
    """
    texts = [CodeText(list(code.lines), syntax, frozenset()) for syntax in syntaxes_of(code.path)[:1]]
    lines, own = list(code.file), code.own.children
    try:
        roots = [replace(text, root=outline_of_shown(text)) for text in texts]
        shown = [each for text in roots for each in text.root.children]
        if code.has_marks or not all(map(shows_only_new, roots)) or not own:
            return None
        if not 0 < len(shown) <= _MOST_APART:
            return None
        if any(one.has(_OF_ALL) for one in readings(code.lead)):
            return None
        names = {each.name for each in shown}
        around = [*lines[: own[0].lead], *lines[own[-1].end :]]
        is_all = {own[0].name, own[-1].name} <= names and not any(map(str.strip, around))
        others = (each for each in code.own.walk() if names.isdisjoint(one.name for one in each.walk()))
        named = {name.strip().removesuffix("()") for name in QUOTED.findall(code.lead)}
        last = {last_name(name) for name in names}
        if any(one.has("replace") for one in readings(code.lead)) and not last <= named:
            return None
        if is_all or not named.isdisjoint(last_name(each.name) for each in others):
            return None
        for each in shown:
            cut = code.may_be_cut_off and each is shown[-1]
            merged = merge_shown(lines, code.lines[each.lead : each.end], code.path, may_be_cut_off=cut)
            lines = list(merged.lines)
    except UnmergedError:
        return None
    return lines


def _is_rewrite(code: Code) -> bool:
    """Return whether the words above code ask to change or replace something by it, or call it new."""
    kinds = "replace change becomes new"
    asked = (one.has(kinds) and not one.has("old never") for one in readings(code.lead))
    return any(asked) and not is_question(code.lead)


def shows_only_definitions(shown: Sequence[str], path: str) -> bool:
    """Return whether code shows definitions, in the language of a file, and nothing else."""
    marks = frozenset(row for row, line in enumerate(shown) if is_mark(line))
    texts = [CodeText(list(shown), syntax, marks) for syntax in syntaxes_of(path)[:1]]
    try:
        return any(shows_only_new(replace(text, root=outline_of_shown(text))) for text in texts)
    except UnmergedError:
        return False


def _sentence(assumed: Sequence[Assumption]) -> str:
    why = " and ".join(each.value for each in assumed)
    return f"{why[:1].upper()}{why[1:]}."


def _with_imports(code: Code) -> Likely | None:
    """Return the file with the imports that code begins with among its own, and the rest merged."""
    first = below_package(code.lines, code.file)
    end = first + leading_imports(code.lines[first:], code.path)
    imports = code.lines[first:end]
    lines = united(code.file, imports, code.path) if imports else None
    if lines is None:
        lines = with_first_imports(code.file, imports, code.path)
    if lines is None:
        return None
    rest = replace(code, file=lines, lines=code.lines[end:])
    why = "The imports go among those of the file."
    if all(is_mark(line) or not line.strip() for line in rest.lines):
        return Likely.of(lines, why)
    try:
        merged = merge_shown(lines, rest.lines, rest.path, may_be_cut_off=rest.may_be_cut_off)
    except UnmergedError as error:
        likely = likely_reading(rest, error)
        if likely is None:
            return None
        merged, why = likely.merged, f"{why} {likely.why}"
    return Likely(Merged(merged.lines), why)


def _below_its_like(code: Code) -> Likely | None:
    """Return the file with new code below what is most like it there."""
    if not code.new or code.is_there or says_a_side(code.lead):
        return None
    text = prepared(code.new, outline_of_file(code.file, code.path)[0])
    given = outline_of_shown(text)
    name = code.lead.strip("#*_`:.) 0123456789")
    is_of_document = bool(name) and code.path.lower().endswith(_DOCUMENTS) and code.path.endswith(name)
    asks = says(code.lead, "adds") or is_of_document or names_only(code.lead)
    # What is below the root of a page is no part of it.
    roots = code.own.children if code.path.lower().endswith(PAGES) else ()
    for at in definitions_like(code, given.children[0], text.lines) if given.children and asks else ():
        merged = code.merged(at, _NEW) if at not in roots else None
        if merged is not None:
            return Likely(
                merged, f"It goes below what is like it, `{at.name.rpartition(chr(0))[2].strip()}`."
            )
    return fields_below(code) if asks else None
