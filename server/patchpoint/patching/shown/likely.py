"""What shown code likely means: by a place in words, as imports, or in the reading that loses nothing.

What comes of it is shown as a difference, and written on one yes. It is certain only where the answer names
one definition in backquotes, in words that say nothing else, and the file has that once; where an import gets
more names; and where whole definitions of the file are shown without those between them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from patchpoint.dataclass import replace
from patchpoint.formats.sentences.sentence import readings
from patchpoint.patching.places.called import QUOTED, definition_called, is_inside, last_name, rows_in_named
from patchpoint.patching.places.placed import placed
from patchpoint.patching.places.places_said import is_question, names_only, places_said, says, says_a_side
from patchpoint.patching.shown.below_its_like import definitions_like, lines_like, with_fields_together
from patchpoint.patching.shown.fields_added import with_fields_added
from patchpoint.patching.shown.judged import (
    each_alone,
    members_left_out,
    members_of_list,
    with_remarks_as_marks,
    with_values_once,
)
from patchpoint.patching.shown.lines_changed import (
    block_changed,
    head_decorated,
    lines_changed,
    with_values_above,
)
from patchpoint.patching.shown.reading import Code, Likely
from patchpoint.patching.shown.settings import (
    document_added,
    is_document,
    keys_of_settings,
    lines_added,
    members_added,
    members_set,
    units_replaced,
    values_set,
)
from patchpoint.structure.imports import (
    below_package,
    every_import,
    has_order,
    imports_of,
    leading_imports,
    united,
    widens_imports,
    with_first_imports,
)
from patchpoint.structure.keyed.units import is_keyed
from patchpoint.structure.languages import is_json
from patchpoint.structure.lazy.alignment import is_closing
from patchpoint.structure.lazy.definition import (
    Assumption,
    CodeText,
    Definition,
    Unmerged,
    UnmergedError,
    indentation_of,
    moved,
)
from patchpoint.structure.lazy.embedded import enclosed
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.merge import Merged, keeps_names, likely_merge, merge_shown
from patchpoint.structure.lazy.outline.by_grammar import outline_of_file
from patchpoint.structure.lazy.pairing import shows_only_new
from patchpoint.structure.lazy.shown import outline_of_shown, prepared
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.lines import without_blank_ends
from patchpoint.text.regex import IDENTIFIER, regex

NOWHERE = (Unmerged.PLACE, Unmerged.NOT_THERE, Unmerged.NO_HOME)
"""Why code is not merged that is new, and says no place itself."""
_LOSING = (Unmerged.DELETES, Unmerged.BROKEN, Unmerged.LOST)
_DOCSTRINGS = ('"""', "'''", "/**")
_UNDERLINE = regex(r"(?:={3,}|-{3,})\s*")
_LINES_IN_COMMON = (Unmerged.UNCLEAR, Unmerged.DELETES)
_WITHOUT_MARK = (*_LOSING, Unmerged.MARK_LIKE, Unmerged.UNCLEAR, Unmerged.CUT_OFF)
"""Why code is not merged in which a remark may be for lines of the file."""
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
_DOCUMENTS = (".md", ".markdown")
_NEW = (Assumption.NEW,)
_PAGES = (".html", ".htm", ".vue", ".svelte", ".xml")
"""Where several elements have one name."""
_OF_IMPORTS = regex(r"(?i)\b(?:imports|importe|importations|importaciones|importações|usings|импорты)\b|导入")
"""Several imports, of which others may be meant to go."""
_HEAD = regex(r"(?<![\w`<-])head\b(?![`>-])")


def likely_reading(code: Code, error: UnmergedError) -> Likely | None:
    """Return what shown code likely means that `merge_shown` does not merge, for `error`.

    `None` where that is not known.
    """
    lead = code.lead
    is_page = code.path.lower().endswith(_PAGES)
    if is_page:
        # of a page it is an element, and not the beginning
        code = replace(code, lead=_HEAD.sub("`head`", lead))
    if is_document(code):
        return document_added(code)
    if error.reason is Unmerged.LANGUAGE:
        return (placed(code) if places_said(lead) else None) or _first(code, _WITHOUT_GRAMMAR)
    if error.reason in NOWHERE and is_json(code.path):
        return (placed(code) if code.adds and places_said(lead) else None) or members_added(code)
    code = replace(code, is_asked=code.is_asked and not says(lead, "speaks") and not is_question(lead))
    if error.reason is Unmerged.UNLIKE and len(error.places) == 1 and not is_page:
        at = error.places[0]
        why = f"It has the name of `{last_name(at.name)}`, which the file has once."
        return Likely.of(code.merged(at), why)
    is_nowhere = error.reason in NOWHERE
    is_added = code.adds and not code.has_marks and not says(lead, "remove replace change rename")
    rules: tuple[tuple[bool, Callable[[Code], Likely | None]], ...] = (
        (code.is_asked, lambda code: _renamed(code, error)),
        (True, keys_of_settings),
        (error.reason is Unmerged.SEVERAL, lambda code: _in_one_of(code, error)),
        (error.reason in (Unmerged.UNCLEAR, Unmerged.MARK_LIKE), with_values_above),
        (error.reason in _WITHOUT_MARK, with_remarks_as_marks),
        (is_nowhere or error.reason in _LOSING, members_of_list),
        (is_nowhere or (is_added and error.reason in _LINES_IN_COMMON), placed),
        (is_nowhere, units_replaced),
        (is_nowhere, members_set),
        (error.reason is not Unmerged.SEVERAL, _with_imports),
        (error.reason in _WITHOUT_MARK, lambda code: with_fields_added(code, likely_reading)),
        (error.reason is Unmerged.PLACE, _behind_mark),
        (error.reason is Unmerged.PLACE, _before_mark),
        (error.reason is Unmerged.NOT_THERE, lambda code: _behind_all(code, error)),
        (error.reason is not Unmerged.SEVERAL, lambda code: _without_loss(code, error)),
        (is_nowhere and code.is_change, _below_its_like),
        (error.reason is Unmerged.UNCLEAR, head_decorated),
        (is_nowhere or error.reason in _LINES_IN_COMMON, block_changed),
        (is_nowhere or error.reason in _LINES_IN_COMMON, lines_changed),
    )
    return _first(code, [rule for applies, rule in rules if applies])


def _first(code: Code, rules: Sequence[Callable[[Code], Likely | None]]) -> Likely | None:
    """Return what the first of some readings makes of code that makes something of it."""
    return next((found for rule in rules if (found := rule(code)) is not None), None)


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
    return is_balanced and _ends_above_deeper(result) <= _ends_above_deeper(file)


def _ends_above_deeper(lines: Sequence[str]) -> set[tuple[str, str]]:
    return {
        (one, other)
        for one, other in pairwise(filter(str.strip, lines))
        if is_closing(one) and len(indentation_of(one)) < len(indentation_of(other))
    }


_WITHOUT_GRAMMAR = (
    *(units_replaced, placed, values_set, lines_added, _by_lines),
    lines_changed,
)


def _in_one_of(code: Code, error: UnmergedError) -> Likely | None:
    """Return the file with code in the one of several definitions that is in what the words above it name."""
    lead = code.lead if not says(code.lead, "not") else ""
    rows = rows_in_named(code.file, code.path, lead, [each.start for each in error.places])
    meant = [each for each in error.places if is_inside(code.own, each, code.lead)] or [
        each for each in error.places if each.start in rows
    ]
    merged = code.merged(meant[0]) if len(meant) == 1 else None
    lines = _in_place(code, meant[0]) if len(meant) == 1 and merged is None else None
    why = f"Of several, this `{last_name(error.name)}` is in what the answer names."
    return Likely.of(lines, why) if lines is not None else Likely.of(merged, why)


def _in_place(code: Code, at: Definition) -> list[str] | None:
    """Return the file with code in place of a definition of which it has all lines."""
    new, old = code.new, code.file[at.start : at.end]
    if code.has_marks or not {line.strip() for line in old} <= {line.strip() for line in new}:
        return None
    shown = moved(new, indentation_of(new[0]), indentation_of(old[0]))
    return [*code.file[: at.start], *shown, *code.file[at.end :]]


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
    if Assumption.WHOLE in assumed and not (_is_rewrite(code) and _keeps_documents(file, merged.lines)):
        return None
    lines = with_fields_together(file, with_values_once(file, merged.lines, code.lines), code.lines, path)
    is_line = error.reason is Unmerged.LOST and error.name.startswith("`")
    why = f"{error.name} is not shown, and stays." if is_line else _sentence(assumed)
    if set(assumed) == {Assumption.GAPS} and list(lines) == each_alone(code):
        return Likely(merged, why, is_certain=True)
    return members_left_out(code, lines) or Likely(replace(merged, lines=lines), why)


def _is_rewrite(code: Code) -> bool:
    """Return whether the words above code ask to change or replace something by it, or call it new."""
    kinds = "replace change becomes new"
    asked = (one.has(kinds) and not one.has("old never") for one in readings(code.lead))
    return any(asked) and not is_question(code.lead)


def _keeps_documents(file: Sequence[str], result: Sequence[str]) -> bool:
    """Return whether a result has as many docstrings, and underlined headings, as the file."""
    before, after = ("".join(lines) for lines in (file, result))
    headings = [sum(_UNDERLINE.fullmatch(line) is not None for line in lines) for lines in (file, result)]
    return headings[0] <= headings[1] and all(before.count(sign) == after.count(sign) for sign in _DOCSTRINGS)


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
    of = every_import if has_order(code.path) else imports_of
    end = first + leading_imports(code.lines[first:], code.path, of)
    imports = code.lines[first:end]
    lines = united(code.file, imports, code.path, of) if imports else None
    if lines is None:
        lines = with_first_imports(code.file, imports, code.path)
    if lines is None:
        return None
    rest = replace(code, file=lines, lines=code.lines[end:])
    why = "The imports go among those of the file."
    if all(is_mark(line) or not line.strip() for line in rest.lines):
        is_one = not (has_order(code.path) or _OF_IMPORTS.search(code.lead))
        is_certain = is_one and widens_imports(code.file, imports, lines, code.path)
        return Likely(Merged(tuple(lines)), why, is_certain=is_certain)
    try:
        merged = merge_shown(lines, rest.lines, rest.path, may_be_cut_off=rest.may_be_cut_off)
    except UnmergedError as error:
        likely = likely_reading(rest, error)
        if likely is None:
            return None
        merged, why = likely.merged, f"{why} {likely.why}"
    return Likely(Merged(merged.lines), why)


def _renamed(code: Code, error: UnmergedError) -> Likely | None:
    """Return the file with a definition under the new name that the code or its sentence gives it."""
    if error.reason not in (Unmerged.RENAMED, *NOWHERE):
        return None
    quoted = (name.strip().removesuffix("()") for name in QUOTED.findall(code.lead))
    pairs = list(pairwise(filter(str.isidentifier, quoted)))
    if error.reason is Unmerged.RENAMED and not code.has_marks:
        pairs.append((last_name(error.places[0].name), last_name(error.name)))
    own = outline_of_file(code.file, code.path)[0].root
    text = "\n".join(code.lines)
    for old, new in pairs:
        named = [each for each in own.walk() if last_name(each.name) == old]
        is_left = re.search(rf"(?<![.>\w]){re.escape(old)}\b", text)
        if len(named) != 1 or is_left or new not in text or definition_called(own, new) is not None:
            continue
        lines = list(code.file)
        lines[named[0].start] = re.sub(rf"\b{re.escape(old)}\b", new, lines[named[0].start], count=1)
        merged = replace(code, file=lines).merged()
        if merged is None or merged.added:
            continue
        rows = [row for row, line in enumerate(merged.lines) if old in IDENTIFIER.findall(line)]
        left = f" Line {rows[0] + 1} still has `{old}`." if rows else ""
        return Likely(merged, f"It renames `{old}` to `{new}`.{left}")
    return None


def _behind_mark(code: Code) -> Likely | None:
    """Return the file with new code at the end of its only definition, if only a mark is above it there."""
    outlined, _ = outline_of_file(code.file, code.path)
    text = prepared(code.lines, outlined)
    given = outline_of_shown(text)
    if len(given.children) != 1 or not given.children[0].is_container:
        return None
    around, named = given.children[0], definition_called(outlined.root, last_name(given.children[0].name))
    if named is None or not named.children or not around.children or not text.marks:
        return None
    if text.below(max(text.marks) + 1) != around.children[0].lead:
        return None
    merged = code.merged(named.children[-1], _NEW)
    why = f"What is left out is above it: it goes to the end of `{last_name(named.name)}`."
    return Likely(merged, why) if merged is not None else None


def _before_mark(code: Code) -> Likely | None:
    """Return the file with new code at the top of its only definition, if only a mark is below it there.

    What is above it there is in the file, too: that tells the place.
    """
    outlined, _ = outline_of_file(code.file, code.path)
    text = prepared(code.lines, outlined)
    around = next(iter(outline_of_shown(text).children), None)
    named = definition_called(outlined.root, last_name(around.name)) if around is not None else None
    if around is None or named is None or not named.children or not around.children:
        return None
    first, last = around.children[0], around.children[-1]
    known = {last_name(each.name) for each in named.children}
    above = {text.words(row) for row in text.solid(around.start + 1, first.lead)}
    there = {outlined.words(row) for row in outlined.solid(named.start, named.children[0].lead)}
    is_new = known.isdisjoint(last_name(each.name) for each in around.children)
    if not is_new or text.below(last.end) not in text.marks or not (above and above <= there):
        return None
    row = named.children[0].lead
    new = code.lines[first.lead : last.end]
    added = moved(new, indentation_of(new[0]), indentation_of(code.file[row]))
    why = f"What is left out is below it: it goes to the beginning of `{last_name(named.name)}`."
    return Likely.of([*code.file[:row], *added, "", *code.file[row:]], why)


def _behind_all(code: Code, error: UnmergedError) -> Likely | None:
    """Return the file with new definitions below its last one, if only a mark is above them."""
    last = max(error.places, key=lambda each: each.start, default=None)
    shown = without_blank_ends(enclosed(code.lines))
    if last is None or not shown or not is_mark(shown[0]) or is_mark(shown[-1]):
        return None
    why = f"What is left out is above it: it goes below the last, `{last_name(last.name)}`."
    return Likely.of(code.merged(last, _NEW), why)


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
    roots = code.own.children if code.path.lower().endswith(_PAGES) else ()
    for at in definitions_like(code, given.children[0], text.lines) if given.children and asks else ():
        merged = code.merged(at, _NEW) if at not in roots else None
        if merged is not None:
            return Likely(
                merged, f"It goes below what is like it, `{at.name.rpartition(chr(0))[2].strip()}`."
            )
    return lines_like(code) if asks and not text.marks else None
