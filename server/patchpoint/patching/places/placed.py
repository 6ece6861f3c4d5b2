"""New code where the words above it say that it goes: next to a definition or a line, or at an edge.

It is a proposal, but where these words name one definition in backquotes, or the top or the end of the file,
say nothing else, and leave no doubt of the row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from patchpoint.dataclass import replace
from patchpoint.formats.sentences.lexicon import CLASSES
from patchpoint.patching.places.by_words import by_words
from patchpoint.patching.places.called import (
    QUOTED,
    blocks_called,
    definition_called,
    last_name,
    row_called,
    with_headings_quoted,
    with_quotes,
)
from patchpoint.patching.places.documents import ITEM, in_document
from patchpoint.patching.places.inserting import (
    HEADING,
    put,
    put_above,
    put_below,
    put_first,
    put_inside,
    put_last,
    with_line_of,
)
from patchpoint.patching.places.places_said import (
    PlaceSaid,
    Relation,
    edge_said,
    is_closed,
    names_a_file,
    names_inside,
    places_said,
    says,
    says_below_imports,
)
from patchpoint.patching.shown.below_its_like import ranges_named
from patchpoint.patching.shown.reading import Code, Likely
from patchpoint.structure.blocks.draft import depths, draft
from patchpoint.structure.blocks.names import BlockKind, called
from patchpoint.structure.blocks.tree import blocks_of, is_document, is_remark
from patchpoint.structure.imports import are_imports, imports_of
from patchpoint.structure.lazy.bindings import CLOSES, end_of_block, start_of_element
from patchpoint.structure.lazy.definition import Assumption, Definition, indentation_of
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.merge import Merged
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_NEW = (Assumption.NEW,)
_DOCUMENTS = (".md", ".markdown")
_EDGES = (Relation.FIRST, Relation.LAST)
_TEST = regex(r"(?:self\.)?[Tt]est|it\b|describe\b|should")
_TEST_FILE = regex(r"(?:^|[/_.-])(?:tests?|specs?)(?:[/_.-]|$)|Tests?\.\w+$")
_OPENS = regex(r"(?:[:{(\[,\\]|\b(?:do|then)|=>)\s*\Z")
_CLASS = regex(r"[\s\w()@]*\bclass\s+\w")
_WORD = regex(r"[A-Za-z_-]{3,40}")
_AROUND_ALL = ("html", "head", "body")
"""Elements that nothing is below."""
_OPENING_TAG = regex(
    r"(?i)\bopening|start(?:ing)?[ -]tag|öffnend|ouvrante|apertura|abertura|открывающ|开始标签|開始タグ"
)
_AND_ANOTHER = regex(
    r"\A\s*(?:and|und|et|y|e|и|和|与|と|そして)\s*(?:(?:the|dem|der|le|la|el|o|a)\s+)?`[^`\n]+`"
)
"""What follows the first of two names."""
_FEW = 2


def placed(code: Code) -> Likely | None:
    """Return the file with new code where the sentence above it says that it goes."""
    rest = _with_known_changed(code)
    if rest is not None:
        likely = placed(rest)
        return replace(likely, is_certain=False) if likely is not None else None
    is_text = code.path.lower().endswith(_DOCUMENTS)
    members = _with_member(code)
    if members is not None:
        return members
    words = with_quotes(code.lead, code.file)
    words = with_headings_quoted(words, code.own) if is_text else words
    lines = in_document(code, words) if is_text and code.new and not code.has_marks else None
    if lines is not None:
        return Likely.of(lines, "It goes to the section that the answer names.")
    if is_text and "".join(code.new[:1]).startswith("|"):
        return None
    said = sorted(
        places_said(words), key=lambda each: (each.relation in _EDGES, not _within(code, words, each))
    )
    inside = [name for name in names_inside(code.lead) if not _is_file(name, code.path)]
    is_inside = bool(inside)
    if any(definition_called(code.own, name, code.lead) is not None for name in inside):
        # what is in something else of the file is at an edge of that
        said = [each for each in said if each.relation not in _EDGES or not _is_file(each.name, code.path)]
    edge = edge_said(code.lead) if not said and not is_inside else None
    is_below_imports = not is_inside and says_below_imports(code.lead)
    is_below_imports = is_below_imports and bool(imports_of(code.file, code.path))
    if is_below_imports:
        edge, said = Relation.FIRST, []  # which is below the imports, but for other ones
    said = [PlaceSaid(edge, code.path)] if edge is not None else said or _at_edge_of_class(code)
    if not said and (likely := by_words(code)) is not None:
        return likely
    for place in said or _without_side(code):
        merged, row = _next_to_definition(code, place)
        if merged is None and said and code.new:
            lines = _at(code, place, words)
            row = _row_of_edge(code, place)
            merged = Merged(tuple(lines)) if lines is not None else None
        if merged is not None:
            is_only = len(said) == 1 and words == code.lead and not code.has_marks and is_closed(words)
            is_only = is_only and (edge is None or names_a_file(words))
            is_certain = is_only and _is_where_said(code, place) and _adds_only(code, merged.lines, row)
            where = f"{place.relation.value} `{place.name}`"
            why = f"The answer says where it goes: {'below the imports' if is_below_imports else where}."
            return Likely(merged, why, is_certain)
    if said and (likely := by_words(code)) is not None:
        return likely
    is_of_tests = not said and (says(code.lead, "tests") or code.has_marks)
    return _tests_at_end(code) if is_of_tests else None


def _with_known_changed(code: Code) -> Code | None:
    """Return what is new of code without a grammar, with the file in which what that has by name is changed.

    `None` where only one of both is shown.
    """
    root, given = blocks_of(code.file, code.path), blocks_of(code.new, code.path)
    if root is None or given is None or code.own.children or code.has_marks or is_document(code.path):
        return None
    names = Counter(called(code.file, part) for part in root.walk() if part.first >= 0)
    of_part = {part: called(code.new, part) for part in given.parts}
    known = [part for part, name in of_part.items() if name.is_named and names[name] == 1]
    if not known or len(known) == len(of_part):
        return None
    kept, rest = (
        [
            line
            for part in given.parts
            if (part in known) is is_known
            for line in code.new[part.lead : part.end]
        ]
        for is_known in (True, False)
    )
    made = draft(code.file, kept, code.path)
    if made is not None:
        return replace(code, file=list(made.lines), lines=rest)
    is_same = replace(code, lines=kept).is_there
    return replace(code, lines=rest) if is_same and depths(kept) == [0, 0, 0] else None


def _is_file(name: str, path: str) -> bool:
    return path == name or path.endswith(f"/{name.lstrip('./')}")


def _is_where_said(code: Code, place: PlaceSaid) -> bool:
    """Return whether what the words say that something is in is the file, or around the place in it."""
    at = definition_called(code.own, place.name, code.lead)
    for name in names_inside(code.lead):
        around = definition_called(code.own, name, code.lead)
        is_in = at is not None and around is not None and around.start <= at.start and at.end <= around.end
        if not is_in and not _is_file(name, code.path):
            return False
    return True


def _adds_only(code: Code, lines: Sequence[str], row: int | None) -> bool:
    """Return whether lines are those of the file with the new ones above a row, but for blank lines."""
    if row is None:
        return False
    wanted = (*code.file[:row], *code.new, *code.file[row:])
    return [line for line in lines if line.strip()] == [line for line in wanted if line.strip()]


def _row_of_edge(code: Code, place: PlaceSaid) -> int | None:
    """Return the row of the top of the file for imports, of its end for what begins as its last line does."""
    if place.relation not in _EDGES or not _is_file(place.name, code.path):
        return None
    if place.relation is Relation.FIRST:
        return 0 if are_imports(code.new, code.path) else None
    last = next((line for line in reversed(code.file) if line.strip()), "")
    is_alike = last.split()[:1] == code.new[0].split()[:1] and not last.startswith((*CLOSES, "<"))
    is_alike = is_alike and bool(ITEM.match(last) or not code.path.lower().endswith(_DOCUMENTS))
    return len(code.file) if is_alike else None


def _with_member(code: Code) -> Likely | None:
    """Return the file with a line at the end of the list, table or block that words name."""
    if len(code.new) != 1 or code.has_marks or says(code.lead, "above below first"):
        return None
    for name in (*QUOTED.findall(code.lead), *sorted({*_WORD.findall(QUOTED.sub("", code.lead))})):
        several = with_line_of(code.file, name, code.new[0])
        if several is not None:
            return Likely.of(several, f"It goes to the end of `{name}`.")
    return None


def _at_edge_of_class(code: Code) -> list[PlaceSaid]:
    """Return the top or the end of the only class of a file, where words say that and no name."""
    edge = edge_said(code.lead, CLASSES)
    every = (each for each in code.own.walk() if not each.is_text)
    classes = [each for each in every if _CLASS.match(code.file[each.start])]
    is_one = edge is not None and len(classes) == 1
    return [PlaceSaid(edge, last_name(classes[0].name))] if is_one and edge is not None else []


def _within(code: Code, words: str, place: PlaceSaid) -> list[Span]:
    """Return the rows of the other places that words name, in which there is the line that one names."""
    around = (_rows_of(code, each.name) for each in places_said(words) if each.name != place.name)
    return [
        rows for rows in around if row_called(code.file, place.name, [(rows[0] + 1, rows[1])]) is not None
    ]


def _rows_of(code: Code, name: str) -> Span:
    """Return the rows of the definition that words name, or of the block that the line begins; else none."""
    named = definition_called(code.own, name, code.lead)
    if named is not None:
        return named.start, named.end
    row = row_called(code.file, name, [(0, len(code.file))])
    return (row, end_of_block(code.file, row)) if row is not None else (0, 0)


def _next_to_definition(code: Code, place: PlaceSaid) -> tuple[Merged | None, int | None]:
    """Return the file with new code next to the definition that a place names, and the row that it says."""
    inside = _below_start_tag(code, place)
    if inside is not None:
        return Merged(tuple(inside)), None
    found = _definition_at(code, place)
    if found is None:
        return None, None
    at, row = found
    depth, own = (indentation_of(each) for each in (next(iter(code.new), ""), code.file[at.start]))
    if len(depth) > len(own) and at.is_container and at.children:
        at = at.children[-1]
    # at another depth it may be meant for what is around the definition
    return code.merged(at, _NEW), row if depth == own else None


def _below_start_tag(code: Code, place: PlaceSaid) -> list[str] | None:
    """Return the file with new code at the beginning of an element, where its tag alone is named."""
    file = code.file
    is_opening = place.name.strip("<> ") in _AROUND_ALL or _OPENING_TAG.search(code.lead) is not None
    if place.relation is not Relation.BELOW or not is_opening or not code.new or code.has_marks:
        return None
    row = row_called(file, place.name, [(0, len(file))])
    end = end_of_block(file, row) if row is not None else 0
    if row is None or not file[row].strip().startswith("<") or not file[row].rstrip().endswith(">"):
        return None
    return put(file, row + 1, code.new, row + 1) if end > row + _FEW else None


def _definition_at(code: Code, place: PlaceSaid) -> tuple[Definition, int | None] | None:
    """Return the definition below which something new goes, and the row above which the words say it goes.

    At the end of what has definitions no row is said but below the last one of several of a file.
    """
    named = definition_called(code.own, place.name, code.lead)
    if place.relation is Relation.BELOW and named is not None:
        return named, named.end
    parent = code.own.parent_of(named) if named is not None else None
    if place.relation is Relation.ABOVE and named is not None and parent is not None:
        at = parent.children.index(named)
        return (parent.children[at - 1], named.lead) if at else None
    around = code.own if _is_file(place.name, code.path) else named
    if place.relation is not Relation.LAST or around is None or not around.children:
        return None
    last = around.children[-1]
    is_last = around is code.own and not any(map(str.strip, code.file[last.end :]))
    if is_last and len(around.children) == 1 and not last.children and code.file[last.end - 1] == "}":
        return None  # which says nothing of the blank lines between two
    is_certain = is_last and len(around.children) > 1 and not _is_like_members(code, last)
    return last, last.end if is_certain else None


def _is_like_members(code: Code, last: Definition) -> bool:
    """Return whether new code begins as what is in the last definition of a file does."""
    begins = code.new[0].split()[0] if code.new else ""
    return any(code.file[each.start].split()[0] == begins for each in last.children)


def _at(code: Code, place: PlaceSaid, words: str) -> list[str] | None:
    """Return a file with new lines at the place that words say, other than next to a definition."""
    file, new = code.file, code.new
    if any(map(is_mark, new)):
        return None
    if place.relation not in _EDGES:
        return _next_to_line(code, place, words)
    if code.is_there:
        return None
    is_first = place.relation is Relation.FIRST
    if _is_file(place.name, code.path):
        return put_first(file, new, code.path) if is_first else put_last(file, new, code.path)
    named = definition_called(code.own, place.name, code.lead)
    if named is not None and named.children and not is_first and not HEADING.match(file[named.start]):
        return None
    return put_inside(file, new, (named.start, named.end), is_first=is_first) if named is not None else None


def _next_to_line(code: Code, place: PlaceSaid, words: str) -> list[str] | None:
    """Return a file with lines next to the one line that a place names, in what else the words name."""
    file, new = code.file, code.new
    before, _, behind = words.partition(f"`{place.name}`")
    # what is between two is in neither
    others = f"{before}{_AND_ANOTHER.sub('', behind)}"
    every = (
        ranges_named(code, others),
        _within(code, others, place),
        blocks_called(file, QUOTED.findall(others)),
    )
    readings = [within for within in every if within]
    if not readings or [line.strip() for line in file].count(place.name.strip()) == 1:
        readings.append([(0, len(file))])
    rows = (row_called(file, place.name, within) for within in readings)
    row = next((row for row in rows if row is not None), None)
    if row is None or (
        code.is_there and (not any(every) or new[0] in file[max(0, row - len(new)) : row + 2])
    ):
        return None
    row = start_of_element(file, row)
    top, depth = indentation_of(new[0]), indentation_of(file[row])
    if len(top) < len(depth) and len(new) > _FEW and not file[row].strip().startswith(place.name.strip()):
        return None  # what is meant is hardly within something else
    if place.relation is Relation.ABOVE:
        first = _with_remark(code, row)
        return put_above(file, first, new, is_apart=first < row)
    is_inside = len(top) > len(depth) and _OPENS.search(file[row])
    return [*file[: row + 1], *new, *file[row + 1 :]] if is_inside else put_below(file, row, new)


def _with_remark(code: Code, row: int) -> int:
    """Return the row of the comment or decorators of what begins on a row; a value's may be for several."""
    root = blocks_of(code.file, code.path)
    every = root.walk() if root is not None else ()
    block = next((each for each in every if each.first == row and each.lead < row), None)
    if block is None:
        return row
    is_of_group = block.end == row + 1 and called(code.file, block).kind is BlockKind.KEY
    return row if is_of_group and not is_remark(code.new[0]) else block.lead


def _without_side(code: Code) -> list[PlaceSaid]:
    """Return where new code goes if the words above it name one definition, and no side of it."""
    named: dict[str, Definition] = {}
    for name in names_inside(code.lead):
        # the methods of a type of Rust are in a block that has its name, too
        at = definition_called(code.own, f"impl {name}") or definition_called(code.own, name, code.lead)
        named |= {name: at} if at is not None else {}
    return [
        PlaceSaid(Relation.LAST if _has_others(at) else Relation.BELOW, name)
        for name, at in named.items()
        if len(named) == 1
    ]


def _has_others(definition: Definition) -> bool:
    """Return whether a definition has others, as a class has, or a call with a text that is about them."""
    is_called = definition.name.rstrip().endswith(('"', "'", "`"))
    return (definition.is_container or is_called) and bool(definition.children)


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
