"""What shown code likely means: by a place in words, as imports, or in the reading that loses nothing.

What comes of it is shown as a difference, and written on one yes; it is certain only where the answer names
one definition in backquotes, in words that say nothing else, and the file has that once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from patchpoint.dataclass import replace
from patchpoint.patching.shown.below_its_like import (
    definitions_like,
    lines_like,
    ranges_named,
    with_fields_together,
)
from patchpoint.patching.shown.called import QUOTED, definition_called, is_inside, last_name
from patchpoint.patching.shown.in_section import with_lines_in_section
from patchpoint.patching.shown.lines_changed import head_decorated, lines_changed
from patchpoint.patching.shown.next_to_line import (
    is_file,
    is_there,
    with_lines_at,
    with_lines_in_block,
    with_lines_on_top,
    with_values_above,
)
from patchpoint.patching.shown.places_said import (
    PlaceSaid,
    Relation,
    edge_said,
    is_question,
    names_inside,
    names_only,
    places_said,
    says,
    says_a_side,
    sides_of_words,
)
from patchpoint.patching.shown.reading import Code, Likely, with_remarks_as_marks
from patchpoint.patching.shown.settings import (
    document_added,
    is_document,
    keys_of_mapping,
    keys_set,
    lines_added,
    members_added,
    members_joined,
    members_left_out,
    members_of_list,
    units_replaced,
    values_set,
    with_values_once,
)
from patchpoint.structure.imports import below_package, leading_imports, united, with_first_imports
from patchpoint.structure.languages import is_json
from patchpoint.structure.lazy.definition import (
    Assumption,
    CodeText,
    Definition,
    Unmerged,
    UnmergedError,
    indentation_of,
)
from patchpoint.structure.lazy.embedded import enclosed
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.merge import Merged, likely_merge, merge_shown
from patchpoint.structure.lazy.outline.by_grammar import outline_of_file
from patchpoint.structure.lazy.pairing import shows_only_new
from patchpoint.structure.lazy.shown import outline_of_shown, prepared
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.lines import without_blank_ends
from patchpoint.text.regex import IDENTIFIER, regex

NOWHERE = (Unmerged.PLACE, Unmerged.NOT_THERE, Unmerged.NO_HOME)
"""Why code is not merged that is new, and says no place itself."""
_LOSING = (Unmerged.DELETES, Unmerged.BROKEN, Unmerged.LOST)
_WITHOUT_MARK = (*_LOSING, Unmerged.MARK_LIKE, Unmerged.UNCLEAR, Unmerged.CUT_OFF)
"""Why code is not merged in which a remark may be for lines of the file."""
_DOCUMENTS = (".md", ".markdown")
_NEW = (Assumption.NEW,)
_PAGES = (".html", ".htm", ".vue", ".svelte", ".xml")
"""Where several elements have one name."""
_HEAD = regex(r"(?<![\w`<-])head\b(?![`>-])")
_IN_QUOTES = regex(r"(?:[\"“„«]|\*\*)(?!`)([^\"”»`*\n]{2,60})(?:[\"”“»]|\*\*)")
_BEGINS = regex(r"[\w.$ ]*\w\s*[(=]")
_LETTERS = regex(r"[^\W\d_]+")
_TEST = regex(r"(?:self\.)?[Tt]est|it\b|describe\b|should")
_TEST_FILE = regex(r"(?:^|[/_.-])(?:tests?|specs?)(?:[/_.-]|$)|Tests?\.\w+$")


def likely_reading(code: Code, error: UnmergedError) -> Likely | None:
    """Return what shown code likely means that `merge_shown` does not merge, for `error`.

    `None` where that is not known.
    """
    if code.path.lower().endswith(_PAGES):
        # of a page it is an element, and not the beginning
        code = replace(code, lead=_HEAD.sub("`head`", code.lead))
    file, shown, path, lead = code.file, code.lines, code.path, code.lead
    if is_document(code):
        return document_added(code)
    if error.reason is Unmerged.LANGUAGE:
        return (
            (_placed(code) if places_said(lead) else None)
            or members_joined(code)
            or units_replaced(code)
            or keys_set(code)
            or _placed(code)
            or values_set(code)
            or lines_added(code)
            or lines_changed(code)
        )
    if error.reason in NOWHERE and is_json(path):
        return members_added(code)
    is_asked = code.is_asked and not says(lead, "speaks") and not is_question(lead)
    code = replace(code, is_asked=is_asked)
    found = (_renamed(code, error) if is_asked else None) or keys_set(code) or keys_of_mapping(code)
    if found is not None:
        return found
    if error.reason is Unmerged.UNLIKE and len(error.places) == 1 and not path.lower().endswith(_PAGES):
        at = error.places[0]
        merged = code.merged(at)
        why = f"It has the name of `{last_name(at.name)}`, which the file has once."
        return Likely(merged, why) if merged is not None else None
    if error.reason is Unmerged.SEVERAL:
        return _in_one_of(code, error)
    is_nowhere = error.reason in NOWHERE
    found = with_remarks_as_marks(code) if error.reason in _WITHOUT_MARK else None
    if found is not None:
        return found
    found = members_of_list(code) if is_nowhere or error.reason in _LOSING else None
    if found is not None:
        return found
    found = (_placed(code) or units_replaced(code) if is_nowhere else None) or _with_imports(code)
    if found is not None:
        return found
    found = _behind_mark(code) if error.reason is Unmerged.PLACE else _behind_all(code, error)
    if found is None and error.reason is Unmerged.UNCLEAR:
        found = with_values_above(code)
    if found is not None:
        return found
    if error.reason is Unmerged.LOST and is_asked and says(lead, "adds"):
        merged = code.merged(assumed=(Assumption.GAPS, Assumption.NEW, Assumption.LAST))
        if merged is not None:
            return Likely(merged, _sentence((Assumption.LAST,)))
    likely = likely_merge(file, shown, path, error, may_be_cut_off=code.may_be_cut_off)
    if likely is not None:
        merged, assumed = likely
        merged = replace(merged, lines=with_values_once(file, merged.lines))
        merged = replace(merged, lines=with_fields_together(file, merged.lines, shown, path))
        return members_left_out(code, merged.lines) or Likely(merged, _sentence(assumed))
    found = _below_its_like(code) if is_nowhere and (is_asked or not lead) else None
    if found is None and error.reason is Unmerged.UNCLEAR:
        return head_decorated(code)
    return found or (lines_changed(code) if is_nowhere or error.reason is Unmerged.DELETES else None)


def _in_one_of(code: Code, error: UnmergedError) -> Likely | None:
    """Return the file with code in the one of several definitions that is in what the words above it name."""
    own = outline_of_file(code.file, code.path)[0].root
    meant = [each for each in error.places if is_inside(own, each, code.lead)]
    merged = code.merged(meant[0]) if len(meant) == 1 else None
    why = f"Of several, this `{last_name(error.name)}` is in what the answer names."
    return Likely(merged, why) if merged is not None else None


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
        return Likely(Merged(tuple(lines)), why)
    try:
        merged = merge_shown(lines, rest.lines, rest.path, may_be_cut_off=rest.may_be_cut_off)
    except UnmergedError as error:
        likely = likely_reading(rest, error)
        if likely is None:
            return None
        merged, why = likely.merged, f"{why} {likely.why}"
    return Likely(Merged(merged.lines), why)


def _placed(code: Code) -> Likely | None:
    """Return the file with new code where the sentence above it says that it goes."""
    file, shown, path, lead = code.file, code.lines, code.path, code.lead
    try:
        own = outline_of_file(file, path)[0].root
    except UnmergedError:
        own = Definition.of_text(file)
    is_document = path.lower().endswith(_DOCUMENTS)
    words = _with_headings_quoted(lead, own) if is_document else _with_quotes(lead, file)
    if is_document:
        lines = with_lines_in_section(file, without_blank_ends(shown), own, words)
        if lines is not None:
            return Likely(Merged(tuple(lines)), "It goes to the section that the answer names.")
    said = sorted(places_said(words), key=lambda each: each.relation in (Relation.FIRST, Relation.LAST))
    edge = edge_said(lead) if not said and not names_inside(lead) else None
    said = [PlaceSaid(edge, path, is_closed=False)] if edge is not None else said
    for place in said or _without_side(lead, own) or _in_other_words(lead, own):
        why = f"The answer says where it goes: {place.relation.value} `{place.name}`."
        for at, is_named in _definitions_at(own, place, path, lead):
            first = next(filter(str.strip, shown), "")
            is_deeper = len(indentation_of(first)) > len(indentation_of(file[at.start]))
            if is_deeper and at.is_container and at.children:
                at, is_named = at.children[-1], False
            merged = code.merged(at, _NEW)
            if merged is None:
                break
            # at another depth it may be meant for what is around the definition
            is_at_depth = indentation_of(first) == indentation_of(file[at.start])
            certain = is_named and is_at_depth and place.is_closed and len(said) == 1 and words == lead
            return Likely(merged, why, certain)
        others = words.replace(f"`{place.name}`", "")
        within = [(first, end) for first, end, is_named in ranges_named(file, own, others) if is_named]
        lines = with_lines_at(file, shown, path, place, within) if said else None
        if lines is None and place.relation is Relation.LAST:
            lines = with_lines_in_block(file, shown, place.name)
        named = definition_called(own, place.name, lead) if place.relation is Relation.FIRST else None
        if lines is None and named is not None:
            lines = with_lines_on_top(file, shown, (named.start, named.end))
        if lines is not None:
            return Likely(Merged(tuple(lines)), why)
    replaced = _one_line_in(file, without_blank_ends(shown), lead, own)
    if replaced is not None:
        return replaced
    is_called_so = says(lead, "tests") or any(map(is_mark, shown))
    return _tests_at_end(code, own) if is_called_so and not said else None


def _with_quotes(lead: str, file: Sequence[str]) -> str:
    """Return the words above code, with what is in quotes or bold in backquotes if the file has it."""
    text = "\n".join(file)
    return _IN_QUOTES.sub(lambda match: f"`{match[1]}`" if match[1] in text else match[0], lead)


def _with_headings_quoted(lead: str, own: Definition) -> str:
    """Return the words above a part of a document with its headings in backquotes."""
    names = sorted({last_name(each.name) for around in own.walk() for each in around.children}, key=len)
    every = "|".join(re.escape(name) for name in reversed(names) if name)
    pattern = re.compile(rf"(`[^`\n]*#[^`\n]*`)|[\"“„”'*`]*\b({every})\b[\"“”'*`]*")
    return pattern.sub(lambda found: found[1] or f"`{found[2]}`", lead) if every else lead


def _one_line_in(file: Sequence[str], new: Sequence[str], lead: str, own: Definition) -> Likely | None:
    """Return the file with a line in place of the only one that begins alike in what the lead names."""
    named = [at for name in QUOTED.findall(lead) if (at := definition_called(own, name, lead)) is not None]
    begins = _BEGINS.match(new[0].strip()) if len(new) == len(named) == 1 else None
    rows = [
        row
        for row in (range(named[0].start, named[0].end) if begins else ())
        if begins and file[row].strip().startswith(begins[0])
    ]
    if len(rows) != 1 or file[rows[0]].strip() == new[0].strip():
        return None
    line = indentation_of(file[rows[0]]) + new[0].strip()
    lines = (*file[: rows[0]], line, *file[rows[0] + 1 :])
    return Likely(Merged(lines), f"One line of `{last_name(named[0].name)}` begins as this one does.")


def _without_side(lead: str, own: Definition) -> list[PlaceSaid]:
    """Return where new code goes if the words above it name one definition, and no side of it."""
    named = {
        name: at for name in names_inside(lead) if (at := definition_called(own, name, lead)) is not None
    }
    # The methods of a type of Rust are in a block that has its name, too.
    impls = {each.name: each for each in own.walk() if each.name.startswith("impl ")}
    blocks = {each: impls[each] for name in named if (each := f"impl {name}") in impls}
    return [
        PlaceSaid(Relation.LAST if at.is_container and at.children else Relation.BELOW, name, is_closed=False)
        for name, at in (blocks or named).items()
        if len(named) == 1
    ]


def _in_other_words(lead: str, own: Definition) -> list[PlaceSaid]:
    """Return where new code goes if the words above it describe one definition, and a side of it."""
    every = [each for around in own.walk() for each in around.children if not each.is_text]
    found = []
    for relation, words in sides_of_words(lead):
        meant = [
            each for each in every if words <= {*map(str.casefold, _LETTERS.findall(last_name(each.name)))}
        ]
        found += [PlaceSaid(relation, each.name, is_closed=False) for each in meant if len(meant) == 1]
    return found if len(found) == 1 else []


def _renamed(code: Code, error: UnmergedError) -> Likely | None:
    """Return the file with a definition under the new name that the code or its sentence gives it."""
    if error.reason not in (Unmerged.RENAMED, *NOWHERE):
        return None
    quoted = (name.strip().removesuffix("()") for name in QUOTED.findall(code.lead))
    pairs = list(pairwise(filter(str.isidentifier, quoted)))
    if error.reason is Unmerged.RENAMED:
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


def _behind_all(code: Code, error: UnmergedError) -> Likely | None:
    """Return the file with new definitions below its last one, if only a mark is above them."""
    shown = without_blank_ends(enclosed(code.lines))
    last = max(error.places, key=lambda each: each.start, default=None)
    if error.reason is not Unmerged.NOT_THERE or last is None or not shown:
        return None
    if not is_mark(shown[0]) or is_mark(shown[-1]):
        return None
    merged = code.merged(last, _NEW)
    why = f"What is left out is above it: it goes below the last, `{last_name(last.name)}`."
    return Likely(merged, why) if merged is not None else None


def _below_its_like(code: Code) -> Likely | None:
    """Return the file with new code below what is most like it there."""
    file, lead = code.file, code.lead
    new = without_blank_ends(code.lines)
    if not new or is_there(file, new) or says_a_side(lead):
        return None
    outlined, _ = outline_of_file(file, code.path)
    text, own = prepared(new, outlined), outlined.root
    given = outline_of_shown(text)
    name = lead.strip("#*_`:.) 0123456789")
    is_of_document = bool(name) and code.path.lower().endswith(_DOCUMENTS) and code.path.endswith(name)
    asks = says(lead, "adds") or is_of_document or names_only(lead)
    if given.children and asks:
        alike = definitions_like(file, own, given.children[0], text.lines, lead)
        # What is below the root of a page is no part of it.
        is_page = code.path.lower().endswith(_PAGES)
        for at in (each for each in alike if not (is_page and each in own.children)):
            merged = code.merged(at, _NEW)
            if merged is not None:
                name = at.name.rpartition("\0")[2].strip()
                return Likely(merged, f"It goes below what is like it, `{name}`.")
    found = None if text.marks else lines_like(file, own, new, code.path, lead, may_add=asks)
    return Likely(Merged(tuple(found[0])), found[1]) if found is not None else None


def _definitions_at(
    own: Definition, place: PlaceSaid, path: str, lead: str
) -> Iterator[tuple[Definition, bool]]:
    """Yield the definition below which something new goes, and whether it is the one that is named."""
    if place.relation is Relation.LAST and is_file(place.name, path):
        yield from ((each, False) for each in own.children[-1:])
        return
    named = definition_called(own, place.name, lead)
    if named is None:
        return
    if place.relation is Relation.BELOW:
        yield named, True
    elif place.relation is Relation.LAST:
        yield from ((each, False) for each in named.children[-1:])
    elif place.relation is Relation.ABOVE:
        around = own.parent_of(named)
        before = takewhile(lambda each: each is not named, around.children if around else ())
        yield from ((each, False) for each in list(before)[-1:])


def _tests_at_end(code: Code, own: Definition) -> Likely | None:
    """Return a file of tests with new tests below its last one; `None` for other files, and other code."""
    if not _TEST_FILE.search(code.path) or not own.children:
        return None
    last = own.children[-1]
    while last.is_container and last.children:
        last = last.children[-1]
    if not _TEST.match(last_name(last.name)):
        return None
    for at in (own.children[-1], last):
        merged = replace(code, may_be_cut_off=False).merged(at, _NEW)
        if (
            merged is not None
            and merged.added
            and all(_TEST.match(last_name(each.name)) for each in merged.added)
        ):
            return Likely(merged, f"New tests go below the last one, {last_name(at.name)}.")
    return None
