"""Shown code merged into its file: the definitions by their names, the lines around them by alignment.

How, level by level, is in `level_merge`; here is what is merged with what, and what the result has to be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from patchpoint.dataclass import dataclass, replace
from patchpoint.structure.imports import (
    has_doubled_import,
    has_order,
    imports_of,
    set_of_imports,
    united,
    with_first_imports,
)
from patchpoint.structure.keyed.units import lost_key
from patchpoint.structure.languages import is_json
from patchpoint.structure.lazy.bindings import head_of, lacks_comma
from patchpoint.structure.lazy.definition import (
    Assumption,
    CodeText,
    Definition,
    TwoTexts,
    Unmerged,
    UnmergedError,
)
from patchpoint.structure.lazy.doubt.gone import lost_decorator
from patchpoint.structure.lazy.doubt.lost_imports import require_imports
from patchpoint.structure.lazy.doubt.sound import Soundness, require_new
from patchpoint.structure.lazy.doubt.superseded import without_superseded
from patchpoint.structure.lazy.embedded import Embedded, embedded_parts
from patchpoint.structure.lazy.level_merge import LevelMerge
from patchpoint.structure.lazy.marks import without_path
from patchpoint.structure.lazy.outline.by_grammar import outline_of_file
from patchpoint.structure.lazy.shown import outline_of_shown, prepared, require_end
from patchpoint.structure.lazy.syntax import PLAIN, syntaxes_of
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.regex import WORD, regex

_CASE = regex(r"\s*(?P<case>[\w:.\"'-]+(?:\([^()]*\))?(?:\s*\|\s*[\w:.\"'-]+)*)\s*(?:=>|->)\s*\S")
"""A case of what is matched, or a key of a hash, with what it gives."""
_SETTLED_BY: Mapping[Unmerged, Assumption] = MappingProxyType(
    {
        Unmerged.MARK_LIKE: Assumption.MARKS,
        Unmerged.LOST: Assumption.GAPS,
        Unmerged.UNCLEAR: Assumption.STAYS,
        Unmerged.CUT_OFF: Assumption.END,
        Unmerged.DELETES: Assumption.WHOLE,
        Unmerged.RENAMED: Assumption.NEW,
    }
)
"""What is assumed where code is not merged for one of these reasons."""
_SAID_OF_ALL = (Unmerged.SEVERAL, Unmerged.DOUBLED, Unmerged.RENAMED, Unmerged.CUT_OFF, Unmerged.DELETES)
"""Why code is not merged by its lines alone, either."""
_NOT_OF_IT = (Unmerged.NOT_THERE, Unmerged.NO_HOME, Unmerged.LANGUAGE)
"""Why code that is shown is of another part of a page."""


@dataclass(frozen=True)
class Merged:
    """The lines of the file with what is shown, and the definitions that were replaced and added."""

    lines: tuple[str, ...]
    replaced: tuple[Definition, ...] = ()
    """In lines of the file."""
    added: tuple[Definition, ...] = ()
    """In lines of the shown code."""
    whole: tuple[Definition, ...] = ()
    """Those of the file in whose place all of a definition is shown, members of classes each for itself."""


def merge_shown(
    file: Sequence[str],
    shown: Sequence[str],
    path: str,
    at: tuple[int, int] | None = None,
    *,
    may_be_cut_off: bool = False,
    assumed: Collection[Assumption] = (),
) -> Merged:
    """Return the file's lines with the shown code merged into them.

    Lines are without endings. `at` is the first line, and the one behind the last, of one of the definitions
    that an `UnmergedError` named: of several namesakes that one is meant, and something new goes below it.
    Imports that it begins with are a set: where it is not clear which give way to them, none do. They go to
    the top of a file that has none.
    What `may_be_cut_off` is not merged where its last line shows that others were to follow.
    Where it can be read in two ways, it is read as `assumed`.
    Raises `UnmergedError` where the code does not say where it goes.
    """
    options = (at, may_be_cut_off, assumed)
    error: UnmergedError | None = None
    end = set_of_imports(shown, file, path)
    if not end or imports_of(file, path):
        try:
            return _merged(file, shown, path, *options)
        except UnmergedError as whole:
            if not end:
                raise
            error = whole
    try:
        merged = _merged(file, [*[""] * end, *shown[end:]], path, *options)
    except UnmergedError as rest:
        raise error or rest from None
    imports = shown[:end]
    lines = united(merged.lines, imports, path) or with_first_imports(merged.lines, imports, path)
    if lines is None or has_doubled_import(file, lines, path):
        raise error or UnmergedError(Unmerged.DOUBLED, "an import")
    return replace(merged, lines=tuple(lines))


def likely_merge(
    file: Sequence[str], shown: Sequence[str], path: str, error: UnmergedError, *, may_be_cut_off: bool
) -> tuple[Merged, tuple[Assumption, ...]] | None:
    """Return the shown code merged as it is likely meant, with what had to be assumed.

    `error` says why `merge_shown` does not merge it. `None` where no reading of it loses nothing.
    """
    assumed: list[Assumption] = []
    while error.reason in _SETTLED_BY and _SETTLED_BY[error.reason] not in assumed:
        assumed.append(_SETTLED_BY[error.reason])
        try:
            merged = merge_shown(file, shown, path, may_be_cut_off=may_be_cut_off, assumed=assumed)
        except UnmergedError as other:
            error = other
        else:
            is_cut = Assumption.END in assumed and len(merged.lines) < len(file)
            return None if is_cut else (merged, tuple(assumed))
    in_place = (tuple(without_superseded(file, shown, each) or each) for each in error.readings)
    readings = list(dict.fromkeys(in_place))
    if len(readings) == 1 or (readings and keeps_names(file, readings[0])):
        return Merged(readings[0]), (*assumed, Assumption.NEAREST)
    if error.reason in _SAID_OF_ALL:
        return None
    assumed = [*(each for each in (Assumption.MARKS, Assumption.STAYS) if each in assumed), Assumption.LINES]
    try:
        return merge_shown(file, shown, path, may_be_cut_off=may_be_cut_off, assumed=assumed), tuple(assumed)
    except UnmergedError:
        return None


def keeps_words(file: Sequence[str], reading: Sequence[str]) -> bool:
    """Return whether lines of the file give way only to lines that have all their words, and more."""
    return not _words_lost(file, reading, ())


def keeps_names(file: Sequence[str], reading: Sequence[str]) -> bool:
    """Return what `keeps_words` does, where a line may also give the name of another one a new value."""
    heads = {head_of(line, keys=True) for line in reading} - {()}
    return not _words_lost(file, reading, heads)


def _merged(
    file: Sequence[str],
    shown: Sequence[str],
    path: str,
    at: tuple[int, int] | None,
    may_be_cut_off: bool,
    assumed: Collection[Assumption],
) -> Merged:
    """Return what `merge_shown` does, with what is shown read as one piece."""
    shown = without_path(shown, file, path)
    if is_json(path):
        from patchpoint.structure.json.merge import merged_json

        return Merged(merged_json(file, shown, assumed))
    parts = embedded_parts(file, shown, path)
    if parts:
        return _merged_within(parts, file, shown, at, may_be_cut_off=may_be_cut_off, assumed=assumed)
    by_lines = Assumption.LINES in assumed
    outlined, parses = _outlined(file, path, by_lines=by_lines)
    given = prepared(shown, outlined, assumed)
    if not list(given.code(0, len(given.lines))):
        raise UnmergedError(Unmerged.NOTHING)
    own = outlined.root
    objects = frozenset(each.name for each in own.walk() if each.is_container)
    names = frozenset(each.name for each in own.walk() if not each.is_text)
    root = Definition.of_text(given.lines) if by_lines else outline_of_shown(given, objects, names)
    texts = TwoTexts(outlined, replace(given, root=root))
    chosen = next((each for each in own.walk() if not each.is_text and (each.start, each.end) == at), None)
    home = replace(outlined, root=Definition.of_text(file)) if by_lines else outlined
    merge = LevelMerge(replace(texts, file=home), chosen, assumed)
    sound = Soundness(texts, parses=parses)
    result = merge.lines()
    if result == outlined.lines:
        return Merged(tuple(result))
    if not has_order(path) and has_doubled_import(file, result, path):
        raise UnmergedError(Unmerged.DOUBLED, "an import")
    require_imports(texts, result, path, merge.gone.changed)
    if may_be_cut_off and Assumption.END not in assumed:
        require_end(texts, merge.pairs)
    sound.require(result, merge.replaced)
    if (lost := lost_key(file, result, path)) and not given.marks:
        raise UnmergedError(Unmerged.LOST, lost, merge.replaced)
    lost_line = merge.gone.unexplained(result, given.lines) or lost_decorator(texts, merge.pairs, result)
    if lost_line:
        raise UnmergedError(Unmerged.LOST, f"`{lost_line}`", merge.replaced)
    is_moved = not (merge.replaced or merge.added) and moves_an_end(file, result)
    is_moved = is_moved or lacks_comma(file, result)
    if is_moved or (given.marks and loses_a_case(file, result)):
        raise UnmergedError(Unmerged.UNCLEAR, "", merge.replaced)
    paired = {one for one, _ in merge.pairs}
    require_new(texts, merge.added, paired, may_rename=Assumption.NEW not in assumed)
    merged = Merged(tuple(result), tuple(merge.replaced), tuple(merge.added), tuple(merge.whole))
    readings = sound.readings(result, merge.others(sound), merge.replaced)
    if len(readings) > 1 or merge.is_unclear:
        raise UnmergedError(Unmerged.UNCLEAR, "", merged.replaced, readings)
    return merged


def moves_an_end(file: Sequence[str], result: Sequence[str]) -> bool:
    """Return whether more lines give way than come again, and these at another depth.

    A line that ends code may be another one than that of the file then: *return x* in a new branch.
    """
    for old, new in changed_ranges(file, result):
        own, lines = (
            [line for line in each if line.strip()] for each in (file[slice(*old)], result[slice(*new)])
        )
        known = {line.strip() for line in lines}
        again = [line for line in own if line.strip() in known and line not in lines]
        if 0 < len(again) < len(own) - len(again) and not any(line in lines for line in own):
            return True
    return False


def loses_a_case(file: Sequence[str], result: Sequence[str]) -> bool:
    """Return whether a case that is matched, `Level::Debug => 1`, is gone: next to a mark, another is new."""
    was, becomes = ({each["case"] for each in map(_CASE.match, lines) if each} for lines in (file, result))
    return not was <= becomes


def _words_lost(file: Sequence[str], reading: Sequence[str], heads: Collection[tuple[str, ...]]) -> bool:
    """Return whether a line of the file gives way that has none of some heads, and words that are lost."""
    for old, new in changed_ranges(file, reading):
        gone = [line for line in file[slice(*old)] if head_of(line, keys=True) not in heads]
        if Counter(WORD.findall(" ".join(gone))) - Counter(WORD.findall(" ".join(reading[slice(*new)]))):
            return True
    return False


def _outlined(file: Sequence[str], path: str, *, by_lines: bool) -> tuple[CodeText, bool]:
    """Return what `outline_of_file` does, or a file of any language as its lines if it is merged by them."""
    try:
        return outline_of_file(file, path)
    except UnmergedError:
        if not by_lines or syntaxes_of(path):
            raise
        return CodeText(list(file), PLAIN, root=Definition.of_text(file)), False


def _merged_within(
    parts: Sequence[Embedded],
    file: Sequence[str],
    shown: Sequence[str],
    at: tuple[int, int] | None,
    *,
    may_be_cut_off: bool,
    assumed: Collection[Assumption],
) -> Merged:
    """Return a page with the shown code merged into the one of its scripts and style sheets that has it.

    Raises `UnmergedError` where none has, or several have.
    """
    found: list[Merged] = []
    errors: list[UnmergedError] = []
    for part in parts:
        chosen = None
        if at is not None:
            if not part.first <= at[0] < at[1] <= part.end:
                continue
            chosen = (at[0] - part.first, at[1] - part.first)
        own = file[part.first : part.end]
        try:
            merged = merge_shown(
                own, shown, part.path, chosen, may_be_cut_off=may_be_cut_off, assumed=assumed
            )
        except UnmergedError as error:
            errors.append(part.error(error, file))
            continue
        lines = part.within(file, merged.lines)
        whole, replaced = part.definitions(merged.whole), part.definitions(merged.replaced)
        found.append(Merged(lines, replaced, merged.added, whole))
    known = [error for error in errors if error.reason not in _NOT_OF_IT]
    if len(found) == 1 and not known:
        return found[0]
    if found:
        raise UnmergedError(Unmerged.SEVERAL, "it", [each for merged in found for each in merged.replaced])
    if not errors:
        raise UnmergedError(Unmerged.NO_HOME)
    raise known[0] if known else errors[0]
