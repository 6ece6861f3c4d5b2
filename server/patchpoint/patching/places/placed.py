"""New code where the words above it say that it goes: next to a definition or a line, or at an edge."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import replace
from patchpoint.patching.named.inline_list import row_of_list, with_member
from patchpoint.patching.places.called import (
    QUOTED,
    blocks_called,
    definition_called,
    definitions_named,
    definitions_of,
    last_name,
    row_called,
    statement_called,
    with_headings_quoted,
    with_quotes,
)
from patchpoint.patching.places.certain import adds_only, is_file, is_where_said, row_of_lines
from patchpoint.patching.places.inserting import (
    HEADING,
    put,
    put_above,
    put_at_bottom,
    put_behind,
    put_below,
    put_first,
    put_in_block,
    put_in_list,
    put_last,
    put_on_top,
    put_section_first,
)
from patchpoint.patching.places.places_said import (
    CLASSES,
    LISTS,
    PlaceSaid,
    Relation,
    edge_said,
    is_closed,
    names_a_file,
    names_inside,
    places_said,
    says,
    sides_of_words,
)
from patchpoint.patching.shown.below_its_like import ranges_named
from patchpoint.patching.shown.reading import Code, Likely
from patchpoint.structure.imports import are_imports, imports_of
from patchpoint.structure.lazy.bindings import CLOSES, end_of_block
from patchpoint.structure.lazy.definition import Assumption, Definition, indentation_of, moved
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.merge import Merged
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.lines import Span, without_blank_ends
from patchpoint.text.regex import regex

_NEW = (Assumption.NEW,)
_DOCUMENTS = (".md", ".markdown")
_EDGES = (Relation.FIRST, Relation.LAST)
_LETTERS = regex(r"[^\W\d_]+")
_TEST = regex(r"(?:self\.)?[Tt]est|it\b|describe\b|should")
_TEST_FILE = regex(r"(?:^|[/_.-])(?:tests?|specs?)(?:[/_.-]|$)|Tests?\.\w+$")
_OPENS = regex(r"(?:[:{(\[,\\]|\b(?:do|then)|=>)\s*\Z")
_ITEM = regex(r"(\||[-*+] |\d+[.)] )")
_FIRST_WORD = regex(r"\w+|\S")
_WORD = regex(r"[\w$]+")
_AROUND = " \t,;"
_COMMENTS = ("#", "//", "/*", "*", "--", "<!--", "@", "[")
"""What a line begins with that says something of the one below it."""
_NESTED = (".yml", ".yaml", ".html", ".htm", ".xml", ".vue", ".svelte", ".java", ".cs")
"""Files at whose end something often goes that is to be within the last of them."""
_AROUND_ALL = ("namespace", "module", "package", "mod ")
_SECTIONS = ("private", "protected", "private:", "protected:")
"""Lines of a class that say something of all that is below them."""
_CLASS = regex(r"[\s\w()@]*\bclass\s+\w")
_FEW = 2


def placed(code: Code) -> Likely | None:
    """Return the file with new code where the sentence above it says that it goes."""
    file, lead, own = code.file, code.lead, code.own
    is_document = code.path.lower().endswith(_DOCUMENTS)
    members = _with_member(code)
    if members is not None:
        return members
    words = with_quotes(lead, file)
    words = with_headings_quoted(words, own) if is_document else words
    lines = _in_document(code, words) if is_document and code.new and not code.has_marks else None
    if lines is not None:
        return Likely.of(lines, "It goes to the section that the answer names.")
    said = sorted(places_said(words), key=lambda each: each.relation in _EDGES)
    by_name, said = bool(said), _finest_first(code, said) or _at_edge_of_class(code)
    in_list = edge_said(lead, LISTS) if not said and code.new and not code.has_marks else None
    if in_list is not None and (is_document or not syntaxes_of(code.path)):
        lines = put_in_list(file, code.new, is_first=in_list is Relation.FIRST)
        return Likely.of(lines, f"The answer says where it goes: {in_list.value} the only list.")
    is_inside = any(not is_file(name, code.path) for name in names_inside(lead))
    edge = edge_said(lead) if not said and not is_inside else None
    said = [PlaceSaid(edge, code.path)] if edge is not None else said
    for place in said or _without_side(lead, own) or _in_other_words(lead, own):
        why = f"The answer says where it goes: {place.relation.value} `{place.name}`."
        is_only = (
            len(said) == 1
            and (by_name or edge is not None)
            and words == lead
            and not code.has_marks
            and is_closed(lead)
        )
        is_only = is_only and (edge is None or names_a_file(lead)) and is_where_said(code, place)
        merged, row = _next_to_definition(code, place)
        if merged is None and code.new and not _is_there(code, place):
            lines = _at(code, place, words, is_said=bool(said))
            row = row_of_lines(code, place, lines) if lines is not None and is_only else None
            merged = Merged(tuple(lines)) if lines is not None else None
        if merged is not None:
            return Likely(merged, why, is_only and row is not None and adds_only(code, merged.lines, row))
    is_of_tests = not said and (says(lead, "tests") or code.has_marks)
    return _tests_at_end(code) if is_of_tests else None


def _is_there(code: Code, place: PlaceSaid) -> bool:
    """Return whether a file has new code already: next to the one line that words name, if they name one."""
    near = row_called(code.file, place.name, blocks_called(code.file, QUOTED.findall(code.lead)))
    if near is None or place.relation in _EDGES or not code.is_there:
        return code.is_there
    words, new = (list(filter(None, map(str.strip, lines))) for lines in (code.file, code.new))
    at = len([line for line in code.file[:near] if line.strip()])
    return new in (words[at + 1 : at + 1 + len(new)], words[max(0, at - len(new)) : at])


def _with_member(code: Code) -> Likely | None:
    """Return the file with a word at the end of the list on one line that words name."""
    if len(code.new) != 1 or code.has_marks:
        return None
    ends = [each.name for each in places_said(code.lead) if each.relation is Relation.LAST]
    for name in ends or names_inside(code.lead):
        row = row_of_list(code.file, name)
        is_word = name.strip("\"'") not in code.new[0]  # and not all that the line becomes
        line = with_member(code.file[row], code.new[0]) if row is not None and is_word else None
        if row is not None and line is not None:
            lines = [*code.file[:row], line, *code.file[row + 1 :]]
            return Likely.of(lines, f"It goes to the end of the list `{name}`.")
    return None


def _at_edge_of_class(code: Code) -> list[PlaceSaid]:
    """Return the top or the end of the only class of a file, where words say that and no name."""
    edge = edge_said(code.lead, CLASSES)
    every = [each for each in code.own.walk() if not each.is_text] if edge is not None else []
    classes = [each for each in every if _CLASS.match(code.file[each.start])]
    is_one = len(classes) == 1 and definition_called(code.own, last_name(classes[0].name)) is classes[0]
    return [PlaceSaid(edge, last_name(classes[0].name))] if is_one and edge is not None else []


def _finest_first(code: Code, said: Sequence[PlaceSaid]) -> list[PlaceSaid]:
    """Return the places that words name, first of all those that are within another one of them."""
    within = {place: _within(code, said, place) for place in said}
    return sorted(said, key=lambda place: not within[place])


def _within(code: Code, said: Sequence[PlaceSaid], place: PlaceSaid) -> list[Span]:
    """Return the rows of the other places that words name, in which there is the line that one names."""
    around = (_rows_of(code, each.name) for each in said if each != place)
    return [
        rows for rows in around if row_called(code.file, place.name, [(rows[0] + 1, rows[1])]) is not None
    ]


def _rows_of(code: Code, name: str) -> Span:
    """Return the rows of the definition that words name, or of the block that the line begins; else none."""
    named, row = (
        definition_called(code.own, name, code.lead),
        row_called(code.file, name, [(0, len(code.file))]),
    )
    if named is not None:
        return named.start, named.end
    return (row, end_of_block(code.file, row)) if row is not None else (0, 0)


def _next_to_definition(code: Code, place: PlaceSaid) -> tuple[Merged | None, int | None]:
    """Return the file with new code next to the definition that a place names, and the row that it says."""
    found = _definition_at(code, place)
    if found is None:
        return None, None
    at, row = found
    depth, own = (indentation_of(each) for each in (next(iter(code.new), ""), code.file[at.start]))
    if len(depth) > len(own) and at.is_container and at.children:
        at = at.children[-1]
    # at another depth it may be meant for what is around the definition
    return code.merged(at, _NEW), row if depth == own else None


def _definition_at(code: Code, place: PlaceSaid) -> tuple[Definition, int | None] | None:
    """Return the definition below which something new goes, and the row above which the words say it goes."""
    named = definition_called(code.own, place.name, code.lead)
    if place.relation is Relation.BELOW and named is not None:
        return named, named.end
    around, below = named, None
    if place.relation is Relation.LAST and is_file(place.name, code.path):
        around = code.own
    elif place.relation is Relation.ABOVE and named is not None:
        around, below = code.own.parent_of(named), named
    elif place.relation is not Relation.LAST:
        return None
    children = list(around.children) if around is not None else []
    before = children[: children.index(below)] if below is not None else children
    if not before or around is None:
        return None
    if below is not None:
        return before[-1], below.lead
    lines = [line.strip() for line in code.file[around.start : around.end]]
    is_end = all(not line or line.startswith(CLOSES) for line in lines[before[-1].end - around.start :])
    is_end = is_end and not any(line in _SECTIONS for line in lines)
    if around.is_text:
        is_nested = code.path.lower().endswith(_NESTED) or lines[before[-1].start].startswith(_AROUND_ALL)
        is_end = is_end and not is_nested and not _is_like_members(code, before)
    return before[-1], before[-1].end if is_end else None


def _is_like_members(code: Code, children: Sequence[Definition]) -> bool:
    """Return whether new code begins as what is in the last of some definitions does, and as none of them."""
    of_file, of_last = (
        {_FIRST_WORD.findall(code.file[each.start])[0] for each in definitions}
        for definitions in (children, children[-1].children)
    )
    words = next((_FIRST_WORD.findall(line) for line in code.new if not line.startswith(_COMMENTS)), [])
    return not of_last.isdisjoint(words[:1]) and of_file.isdisjoint(words[:1])


def _at(code: Code, place: PlaceSaid, words: str, *, is_said: bool) -> list[str] | None:
    """Return a file with new lines at the place that words say, other than next to a definition."""
    file, new, at_file = code.file, code.new, is_file(place.name, code.path)
    lines = None
    if is_said and not any(map(is_mark, new)):
        if place.relation not in _EDGES:
            lines = _next_to_line(code, place, words)
        elif at_file:
            put_there = put_first if place.relation is Relation.FIRST else put_last
            lines = put_there(file, new, code.path)
    if lines is None and place.relation is Relation.LAST:
        lines = put_in_block(file, new, place.name)
    named = definition_called(code.own, place.name, code.lead)
    if lines is not None or named is None:
        return lines
    if place.relation not in _EDGES:
        is_next = place.relation is Relation.BELOW and file[named.start].lstrip().startswith("<")
        return put(file, named.end, new, named.start) if is_next else None
    if place.relation is Relation.FIRST:
        return put_on_top(file, new, named)
    if named.children:
        return _with_section(code, named) if is_said else None
    return put_at_bottom(file, new, named) if is_said else None


def _with_section(code: Code, at: Definition) -> list[str] | None:
    """Return a file with a section of a class, which begins with a line such as `private`, at the end of it.

    `None` where it has such a section, or one of the names.
    """
    new, last = code.new, at.children[-1]
    own = [line.strip() for line in code.file[at.start : at.end]]
    names = {last_name(each.name) for each in definitions_of(new, code.path).walk() if not each.is_text}
    is_there = any(line in _SECTIONS for line in own) or any(
        last_name(each.name) in names for each in at.walk()
    )
    if new[0].strip() not in _SECTIONS or not names or is_there or code.has_marks:
        return None
    added = moved(new, indentation_of(new[0]), indentation_of(code.file[last.start]))
    return [*code.file[: last.end], "", *added, *code.file[last.end :]]


def _next_to_line(code: Code, place: PlaceSaid, words: str) -> list[str] | None:
    """Return a file with lines next to the one line that a place names, in what else the words name."""
    file, new = code.file, code.new
    others = words.replace(f"`{place.name}`", "")
    within = ranges_named(code, others) or _within(code, places_said(others), place)
    row = row_called(file, place.name, within or [(0, len(file))])
    if row is None:
        row = row_called(file, place.name, blocks_called(file, QUOTED.findall(others)))
    row = _row_of_shape(code, place.name) if row is None else row
    if row is None and are_imports(new, code.path):
        row = row_called(file, place.name, [(each.first, each.end) for each in imports_of(file, code.path)])
    statement = statement_called(file, place.name, QUOTED.findall(others)) if row is None else None
    if statement is not None:
        first, end = statement
        return (
            put_above(file, first, new)
            if place.relation is Relation.ABOVE
            else put_behind(file, end, new, first)
        )
    new = _without_context(new, file, row, place.relation) if row is not None else []
    if row is None or not new:
        return None
    top, depth = indentation_of(new[0]), indentation_of(file[row])
    if len(top) < len(depth) and len(new) > _FEW and not file[row].strip().startswith(place.name.strip()):
        return None  # what is meant is hardly within something else
    if place.relation is Relation.ABOVE:
        return put_above(file, row, new)
    table = next(
        (each for each in code.own.children if each.start == row and file[row].startswith("[")), None
    )
    if table is not None:
        return put_at_bottom(file, new, table)
    is_inside = len(top) > len(depth) and _OPENS.search(file[row])
    return [*file[: row + 1], *new, *file[row + 1 :]] if is_inside else put_below(file, row, new)


def _row_of_shape(code: Code, name: str) -> int | None:
    """Return the one line with a name that begins, and goes on, as the last of new code does."""
    wanted = _WORD.sub("x", next((line.strip() for line in reversed(code.new) if line.strip()), ""))
    bare = name.strip().removesuffix(",")
    rows = [row for row, line in enumerate(code.file) if line.strip().startswith(bare)]
    found = [row for row in rows if _WORD.sub("x", code.file[row].strip()) == wanted]
    return found[0] if len(found) == 1 and bare.isidentifier() else None


def _without_context(new: list[str], file: Sequence[str], row: int, relation: Relation) -> list[str]:
    """Return new lines without the one that a place names, and those of the file that lead to it."""
    words, there = ([line.strip() for line in lines] for lines in (new, file))
    many = range(len(new), 0, -1)
    if relation is Relation.BELOW:
        shown = next((n for n in many if n <= row + 1 and words[:n] == there[row + 1 - n : row + 1]), 0)
        return without_blank_ends(new[shown:])
    shown = next((n for n in many if words[-n:] == there[row : row + n]), 0)
    return without_blank_ends(new[: len(new) - shown])


def _in_document(code: Code, words: str) -> list[str] | None:
    """Return a document with new items next to the one that words name, or else in the section they name."""
    is_item = _ITEM.match(code.new[0]) is not None
    for place in places_said(words) if is_item else ():
        row = _item_called(code, place.name, words) if place.relation not in _EDGES else None
        if row is not None:
            put_there = put_above if place.relation is Relation.ABOVE else put_below
            return put_there(code.file, row, code.new)
    return _in_section(code, words)


def _item_called(code: Code, name: str, words: str) -> int | None:
    """Return the one item of a document that begins with a name, or else that has it, in what words name."""
    within = ranges_named(code, words) or [(0, len(code.file))]
    rows = [row for first, end in within for row in range(first, end) if _ITEM.match(code.file[row].strip())]
    having = [row for row in rows if name in code.file[row]]
    first = [
        row
        for row in having
        if _ITEM.sub("", code.file[row].strip(), count=1).lstrip("`*_ ").startswith(name)
    ]
    found = first or having
    return found[0] if len(found) == 1 else None


def _in_section(code: Code, words: str) -> list[str] | None:
    """Return a document with rows of a table or items of a list in the section that words name.

    A section that goes to the top of a document is above the first of its level, or at the end of the one
    that it is in. `None` for all else.
    """
    file, new, own = code.file, code.new, code.own
    heading, item = HEADING.match(new[0]), _ITEM.match(new[0])
    if heading is not None:
        is_on_top = edge_said(words) is Relation.FIRST or any(
            place.relation is Relation.FIRST and definition_called(own, place.name) is None
            for place in places_said(words)
        )
        return put_section_first(file, new, len(heading[1])) if is_on_top else None
    named = definitions_named(own, words)
    inner = max(named, key=lambda each: (each.start, -each.end), default=None)
    if item is None or inner is None:
        return None
    if any(not (each.start <= inner.start and inner.end <= each.end) for each in named):
        return None
    end = min((each.start for each in inner.children), default=inner.end)
    rows = [row for row in range(inner.start, end) if file[row].startswith(item[1][0])]
    if not rows or any(line in file[inner.start : end] for line in new):
        return None
    last = next((row for row in range(rows[-1] + 1, end) if not file[row].strip()), end)
    return [*file[:last], *new, *file[last:]]


def _without_side(lead: str, own: Definition) -> list[PlaceSaid]:
    """Return where new code goes if the words above it name one definition, and no side of it."""
    called = ((name, definition_called(own, name, lead)) for name in names_inside(lead))
    named = {name: at for name, at in called if at is not None}
    # The methods of a type of Rust are in a block that has its name, too.
    impls = {each.name: each for each in own.walk() if each.name.startswith("impl ")}
    blocks = {each: impls[each] for name in named if (each := f"impl {name}") in impls}
    return [
        PlaceSaid(Relation.LAST if at.is_container and at.children else Relation.BELOW, name)
        for name, at in (blocks or named).items()
        if len(named) == 1
    ]


def _in_other_words(lead: str, own: Definition) -> list[PlaceSaid]:
    """Return where new code goes if the words above it describe one definition, and a side of it."""
    words_of = {
        each.name: set(map(str.casefold, _LETTERS.findall(last_name(each.name)))) for each in own.walk()
    }
    meant = [
        (relation, [name for name, own_words in words_of.items() if words <= own_words])
        for relation, words in sides_of_words(lead)
    ]
    found = [PlaceSaid(relation, names[0]) for relation, names in meant if len(names) == 1]
    return found if len(found) == 1 else []


def _tests_at_end(code: Code) -> Likely | None:
    """Return a file of tests with new tests below its last one; `None` for other files, and other code."""
    if not _TEST_FILE.search(code.path) or not code.own.children:
        return None
    last = code.own.children[-1]
    while last.is_container and last.children:
        last = last.children[-1]
    if not _TEST.match(last_name(last.name)):
        return None
    for at in (code.own.children[-1], last):
        merged = replace(code, may_be_cut_off=False).merged(at, _NEW)
        added = merged.added if merged is not None else ()
        if added and all(_TEST.match(last_name(each.name)) for each in added):
            return Likely.of(merged, f"New tests go below the last one, {last_name(at.name)}.")
    return None
