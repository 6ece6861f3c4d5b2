"""Content without a search text: written as the whole of its file, or merged into it by what it shows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from patchpoint.dataclass import replace
from patchpoint.edit import FENCED, Format, Operation
from patchpoint.locate.effort import HELD, PARSED
from patchpoint.locate.source import SourceText, plain
from patchpoint.outcome import Candidate, Outcome, Reason, Rung
from patchpoint.patching.left_out import LEFT_OUT, mark_of_its_own
from patchpoint.patching.merging.minimal_splices import (
    made_by_structure,
    matched,
    splices_between,
    text_of,
)
from patchpoint.patching.named.candidates import candidate_at, rows_span
from patchpoint.patching.proposal import proposed
from patchpoint.patching.reasons import refusal
from patchpoint.structure.languages import is_json, missing_grammar
from patchpoint.structure.lazy.definition import Unmerged, UnmergedError
from patchpoint.structure.parse import TextBefore
from patchpoint.text.line_endings import endings_of, with_ending
from patchpoint.text.lines import plain_lines
from patchpoint.text.splice import Splice

if TYPE_CHECKING:
    from patchpoint.edit import Edit
    from patchpoint.locate.effort import Effort
    from patchpoint.locate.ladder import Ladder
    from patchpoint.patching.merging.extent import Extent
    from patchpoint.structure.lazy.definition import Definition
    from patchpoint.structure.lazy.merge import Merged
    from patchpoint.text.lines import Span


_MOST_NAMED = 6
_MOST_PLACES = 100
_CHOOSABLE = (Unmerged.SEVERAL, Unmerged.PLACE, Unmerged.NOT_THERE)
"""What a person can decide by choosing one of the definitions that it is about."""
_MOST_LOST = 4
_NAMES = ("path", "code", "name")
"""What a word is that names something."""
_OF_THE_FILE = "new will with becomes file of_file this all current gives fill"
"""What else is said where all of a file is replaced; other words are of a part of it."""
_WHOLE = (Operation.CREATE, Operation.WRITE)
_FRAGMENT = (
    "This is only part of {file}, and it does not say what it replaces; send the whole file, the "
    "definitions that change, or a search text with a replacement."
)
_ALL_OR_PART = "This may be all of {file} or only a part; say that it is complete, or mark what is left out."
_LOSES = (
    "Written as the whole file, this would remove {what} from {file}; show them, put a mark such as `... "
    "existing code ...` in their place, or set the format to wholeFile."
)
_CALLED_WHOLE = "The answer calls this the whole file, and every definition of the file is in it."
_IN_ITS_PLACE = "The answer puts this in the place of the file."
_NEARLY = 0.8
"""Code that has so many of a file's lines may have other names for its definitions."""
_RENAMES = "`{name}` is not shown, and another definition is new."
_LIKE_ALL = "It begins and ends as the file does."
_STOPS = "This part of {file} may be cut off: it ends with `{line}`; send it to its end."
_BREAKS = "Written as the whole file, this would break {file}: {problem}; send the file as it should be."

_REASONS: Mapping[Unmerged, Reason] = MappingProxyType(
    {
        Unmerged.NOT_THERE: Reason.DEFINITION_MISSING,
        Unmerged.PLACE: Reason.NO_PLACE,
        Unmerged.NO_HOME: Reason.SHOWN_NOWHERE,
        Unmerged.SEVERAL: Reason.SEVERAL_DEFINITIONS,
        Unmerged.UNCLEAR: Reason.UNCLEAR_MARK,
        Unmerged.LOST: Reason.WOULD_BE_LOST,
    }
)
_WHY: Mapping[Unmerged, str] = MappingProxyType(
    {
        Unmerged.LANGUAGE: "{name}; send a search text with a replacement",
        Unmerged.NOTHING: "it only marks omitted lines; show what changes",
        Unmerged.SEVERAL_CLASSES: "it has members of several classes; show the head of each class",
        Unmerged.UNLIKE: "{name} there has nothing in common with it; show the class that it is in",
        Unmerged.OTHER_ORDER: "the file has {name} in another place; show the definitions in the file's "
        "order",
        Unmerged.DELETES: "more lines would be deleted than are shown; write a mark where lines are left out",
        Unmerged.LEFT_OUT_OF_NEW: "lines are left out of {name}, which is new to the file; show all of it",
        Unmerged.ELLIPSIS: "dots in a string or comment may be a mark: write `# ... existing code ...`",
        Unmerged.MARK_LIKE: "`{name}` may be a mark or a comment; write `... existing code ...`, or nothing",
        Unmerged.TABS: "it mixes tabs and spaces differently from the file; indent it like the file",
        Unmerged.RENAMED: "{name} may rename a definition of the file; show that one too, or send a search "
        "text",
        Unmerged.DOUBLED: "the file would have {name} twice; show the lines of the file around what changes",
        Unmerged.BROKEN: "the file would no longer parse; show all of what changes",
        Unmerged.CUT_OFF: "it may be cut off: it ends with `{name}`; send it to its end",
        Unmerged.REPEATS: "too much of it repeats; show only the definitions that change",
        Unmerged.TOO_LARGE: "there are too many lines to compare; show only the definitions that change",
    }
)


def merge_shown_code(source: SourceText, edit: Edit, ladder: Ladder, chosen: Span | None) -> Outcome:
    """Return the outcome of merging the code that `edit` shows into a text: matched, or refused.

    `chosen` is the span of the place that an earlier call returned; any other is refused.
    """
    if Rung.STRUCTURE not in ladder.rungs:
        why = "merging by structure is switched off; send a search text with a replacement"
        return refusal(Reason.NOT_MERGED, edit.path, why=why)
    shown = plain_lines(plain(edit.replace))
    from patchpoint.structure.lazy.outline.by_grammar import MAX_CHARACTERS

    if len(source.plain) <= MAX_CHARACTERS:
        source.effort.spend(PARSED * len(source.plain))
    from patchpoint.structure.lazy.merge import Merged, merge_shown

    if edit.doubt:
        from patchpoint.structure.imports import are_imports, united

        lines = united(source.lines, shown, edit.path) if are_imports(shown, edit.path) else None
        if lines is not None:
            return _matched(source, edit, Merged(tuple(lines)))

    def merged_at(at: Span | None) -> Merged:
        return merge_shown(source.lines, shown, edit.path, at, may_be_cut_off=edit.may_be_cut_off)

    try:
        merged = merged_at(None)
    except UnmergedError as error:
        outcome = _refused(source, edit, error)
        reading = _readings(source, error).get(chosen) if chosen is not None else None
        if reading is not None:
            return _matched(source, edit, Merged(reading))
        at = next((rows for each in error.places if rows_span(source, rows := _rows(each)) == chosen), None)
        if at is not None and error.reason in _CHOOSABLE:
            try:
                return _matched(source, edit, merged_at(at))
            except UnmergedError as other:
                return _refused(source, edit, other)
        likely = _with_likely(source, edit, shown, outcome, error)
        if edit.may_be_part and outcome.reason is not Reason.ALREADY_APPLIED and not _is_about(error):
            return likely if likely is not outcome else _not_whole(edit, _FRAGMENT)
        return likely
    outcome = _held(source, edit, shown, merged)
    if chosen is not None and outcome.matched and outcome.span != chosen:
        return refusal(Reason.MOVED, edit.path)
    return outcome


def _with_likely(
    source: SourceText, edit: Edit, shown: Sequence[str], refused: Outcome, error: UnmergedError
) -> Outcome:
    """Return a refused outcome with the proposal of what the code likely means, if that is known."""
    from patchpoint.patching.shown.likely import NOWHERE, likely_reading
    from patchpoint.patching.shown.reading import Code

    code = Code(source.lines, shown, edit.path, edit.lead, edit.may_be_cut_off, is_asked=bool(edit.lead))
    likely = likely_reading(code, error)
    if likely is None:
        may_be_all = error.reason in (*NOWHERE, Unmerged.LANGUAGE)
        whole = _in_place_of_file(edit, source.text, edit.replace) if may_be_all else None
        return whole or refused
    if list(likely.merged.lines) == source.lines:
        from patchpoint.structure.imports import are_imports

        is_there = are_imports(shown, edit.path)
        return refusal(Reason.ALREADY_APPLIED, edit.path, where="") if is_there else refused
    made = _matched(source, edit, likely.merged)
    return made if likely.is_certain else proposed(refused, edit, made, likely.why)


def _held(source: SourceText, edit: Edit, shown: Sequence[str], merged: Merged) -> Outcome:
    """Return the outcome of merging, as a proposal where something may be left out."""
    from patchpoint.patching.shown.reading import Code
    from patchpoint.patching.shown.settings import doubted

    outcome = _matched(source, edit, merged)
    likely = doubted(Code(source.lines, shown, edit.path, edit.lead), merged)
    if likely is None or not outcome.matched:
        return outcome
    refused = refusal(Reason.ONLY_LIKELY, edit.path, why=likely.why)
    return proposed(refused, edit, _matched(source, edit, likely.merged), likely.why)


def held_against_file(edit: Edit, text: str | None, effort: Effort) -> Edit | Outcome:
    """Return the edit that shows a file as what it is for the `text` of that file, or why it is refused.

    What is all of the file is written whole, and what is a part of it is merged into it. An edit that shows
    no file is returned as it is; so is one whose file does not exist. What would be written whole and is in
    doubt is a proposal.
    """
    is_all = edit.operation is Operation.WRITE and edit.format not in FENCED and not edit.may_be_part
    mark = mark_of_its_own(edit.content or "", "", text) if text and is_all else ""
    if mark:
        return refusal(Reason.NOT_WHOLE, edit.path, why=LEFT_OUT.format(mark=mark))
    if edit.doubt and edit.operation is Operation.CREATE:
        edit = replace(edit, may_be_part=True)  # what is created may be something in the file
    shown = _shown_as(edit, text, effort)
    if not edit.doubt or isinstance(shown, Outcome) or shown.operation not in _WHOLE:
        return shown
    from patchpoint.structure.lazy.syntax import syntaxes_of

    if edit.operation is Operation.MERGE and (syntaxes_of(edit.path) or is_json(edit.path)):
        return edit
    refused = refusal(Reason.ONLY_LIKELY, edit.path, why=edit.doubt)
    return proposed(refused, edit, _all_written(edit, text or "", shown.content or ""), edit.doubt)


def _shown_as(edit: Edit, text: str | None, effort: Effort) -> Edit | Outcome:
    """Return an edit as what it is for the text of its file, whether it is in doubt or not."""
    if text is None or not text.strip():
        return edit
    is_part = edit.operation is Operation.MERGE and edit.format is Format.LAZY
    if not (edit.may_be_part or is_part):
        return edit
    if effort.is_spent:
        return refusal(Reason.TOO_MUCH, edit.path)
    effort.spend(HELD * len(text))
    content = edit.replace if is_part else edit.content or ""
    from patchpoint.structure.lazy.marks import is_mark, without_path

    first, _, rest = content.partition("\n")
    if not without_path([first], plain_lines(plain(text)), edit.path):
        content = rest.lstrip("\r\n")
    shown = plain_lines(plain(content))
    if plain(content) == plain(text):
        return written_whole(edit, content)
    if not any(map(str.strip, shown)):
        return edit
    if is_part and any(map(is_mark, shown)):
        return edit
    as_part = edit if is_part else replace(edit, operation=Operation.MERGE, replace=content, content=None)
    file = plain_lines(plain(text))
    is_called_whole = edit.operation is Operation.WRITE
    from patchpoint.structure.lazy.embedded import embedded_parts

    if embedded_parts(file, shown, edit.path):
        if is_called_whole:
            return _not_whole(edit, _FRAGMENT)
        return as_part
    from patchpoint.structure.lazy.syntax import syntaxes_of

    is_code = bool(syntaxes_of(edit.path))
    from patchpoint.patching.merging.extent import extent_of, is_enough
    from patchpoint.structure.imports import are_imports

    is_part_of_code = not is_enough(file, shown) or (
        are_imports(shown, edit.path) and (is_part or not are_imports(file, edit.path))
    )
    if not is_called_whole and (is_part or is_code) and is_part_of_code:
        return as_part
    extent = extent_of(file, shown, edit.path)
    if extent.is_most and not is_called_whole and _is_placed(edit):
        return as_part
    if is_called_whole or extent.is_most:
        problem = TextBefore(edit.path, text).problem_of(content)
        if problem is None and (extent.missing or extent.is_far_less or extent.is_cut):
            refused = _loss(edit, extent)
            if not is_called_whole or extent.missing:
                return refused
            return proposed(refused, edit, _all_written(edit, text, content), _CALLED_WHOLE)
        from patchpoint.structure.lazy.shown import stops_early

        if edit.may_be_cut_off and stops_early(file, shown):
            return _not_whole(edit, _STOPS, line=next(filter(None, map(str.strip, reversed(shown)))))
        if problem is None:
            from patchpoint.patching.shown.reading import Code
            from patchpoint.patching.shown.settings import left_out

            code = Code(file, shown, edit.path, edit.lead)
            likely = None if is_called_whole else left_out(code, shown)
            if likely is None and (
                is_called_whole or not extent.lost or extent.kept >= _NEARLY * extent.lines
            ):
                return written_whole(edit, content)
            why = likely.why if likely is not None else _RENAMES.format(name=extent.lost[0])
            content = "\n".join((*likely.merged.lines, "")) if likely is not None else content
            refused = refusal(Reason.ONLY_LIKELY, edit.path, why=why)
            return proposed(refused, edit, _all_written(edit, text, content), why)
        if is_called_whole or not is_code:
            return _not_whole(edit, _BREAKS, problem=str(problem))
    if extent.lacks_some:
        return _loss(edit, extent)
    if extent.may_be_all:
        return _not_whole(edit, _ALL_OR_PART)
    if is_part or is_code:
        return as_part
    from patchpoint.patching.shown.settings import are_values
    from patchpoint.structure.units_by_key import with_units

    is_of_units = is_json(edit.path) or with_units(file, shown, edit.path) is not None
    if is_of_units or are_values(file, shown):
        return replace(as_part, may_be_part=False)
    in_place = _in_place_of_file(edit, text, content)
    if in_place is not None:
        return in_place
    if extent.kept >= extent.lines / 2 and (extent.missing or extent.gone):
        return _loss(edit, extent)
    return _not_whole(edit, _FRAGMENT)


def _is_placed(edit: Edit) -> bool:
    """Return whether the words above the code say where in its file it goes: then it is none of all of it."""
    from patchpoint.patching.shown.places_said import places_said

    return bool(places_said(edit.lead))


def _in_place_of_file(edit: Edit, text: str, content: str) -> Outcome | None:
    """Return the proposal to write all of a file, where the answer says that, or where it looks like that."""
    from patchpoint.patching.merging.extent import is_enough
    from patchpoint.structure.lazy.marks import is_mark
    from patchpoint.structure.units_by_key import lacks_blocks

    file, shown = plain_lines(plain(text)), plain_lines(plain(content))
    if not is_enough(file, shown) or any(map(is_mark, shown)) or lacks_blocks(file, shown, edit.path):
        return None
    why = _why_all(edit, file, shown)
    if why is None or TextBefore(edit.path, text).problem_of(content):
        return None
    refused = refusal(Reason.ONLY_LIKELY, edit.path, why=why)
    return proposed(refused, edit, _all_written(edit, text, content), why)


def _why_all(edit: Edit, file: Sequence[str], shown: Sequence[str]) -> str | None:
    """Return what speaks for it that code is all of a file: the words above it, each of them, or its ends."""
    from patchpoint.formats.sentences.sentence import readings
    from patchpoint.patching.shown.places_said import is_question, names_inside, says
    from patchpoint.structure.lazy.syntax import syntaxes_of

    name = re.escape(edit.path.rpartition("/")[2])
    lead = re.sub(rf"(?<![\w`/.-]){name}(?![\w`/-])", r"`\g<0>`", edit.lead)
    if is_question(lead) or says(lead, "speaks not") or names_inside(lead):
        return None
    said = readings(lead)
    words = (word.text.strip("`") for word in said[0].words if not word.kinds.isdisjoint(_NAMES))
    named = (word.removeprefix("./") for word in words)
    if not all(map(edit.path.endswith, named)):
        return None
    old, new = ([line.split()[0] for line in lines if line.strip()] for lines in (file, shown))
    if not new:
        return None
    kinds = "replace whole new" if new[:1] == old[:1] or not old else "replace whole"
    if any(one.has(kinds) and one.is_made_of(f"{kinds} {_OF_THE_FILE}") for one in said):
        return _IN_ITS_PLACE
    is_label = any(one.is_made_of("file") for one in said) and not syntaxes_of(edit.path)
    ends_alike = (new[:1], new[-1:]) == (old[:1], old[-1:])
    is_alike = ends_alike and new.count(new[0]) >= old.count(new[0])
    return _LIKE_ALL if is_label and is_alike and 2 * len(new) >= len(old) else None


def written_whole(edit: Edit, content: str) -> Edit:
    """Return the edit that writes all of its file."""
    return replace(edit, operation=Operation.WRITE, content=content, replace="", may_be_part=False)


def _all_written(edit: Edit, text: str, content: str) -> Outcome:
    """Return the outcome of writing all of a file."""
    content = with_ending(content, endings_of(text).usual)
    splices = (Splice(0, len(text), content),)
    message = f"{edit.path or 'The text'} is written whole."
    return matched(SourceText(text), edit.path, None, (0, len(text)), splices, message)


def _is_about(error: UnmergedError) -> bool:
    """Return whether the code shows definitions, or lines that the file has."""
    return error.reason not in (Unmerged.NO_HOME, Unmerged.NOTHING, Unmerged.LANGUAGE)


def _matched(source: SourceText, edit: Edit, merged: Merged) -> Outcome:
    if list(merged.lines) == source.lines:
        return refusal(Reason.ALREADY_APPLIED, edit.path, where="")
    parts = [f"replaces {_named(merged.replaced)}"] if merged.replaced else []
    parts += [f"adds {_named(merged.added)}"] if merged.added else []
    what = " and ".join(parts) or "changes lines"
    message = f"Merged by structure into {edit.path or 'the text'}: {what}."
    places = [rows_span(source, _rows(each)) for each in merged.replaced]
    made = made_by_structure(source, edit.path, text_of(source, merged.lines), places, message)
    if not made.splices:
        return refusal(Reason.ALREADY_APPLIED, edit.path, where="")
    return replace(made, whole=tuple(rows_span(source, _rows(each)) for each in merged.whole))


def _named(definitions: Sequence[Definition]) -> str:
    names = list(dict.fromkeys(each.name.rpartition(".")[2].lstrip() for each in definitions))
    shown = names[:_MOST_NAMED]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _refused(source: SourceText, edit: Edit, error: UnmergedError) -> Outcome:
    name = error.name.rpartition("\0")[2] or "something"
    distinct = list({each.start: each for each in error.places}.values())
    is_below = error.reason in (Unmerged.PLACE, Unmerged.NOT_THERE)
    places = [
        candidate_at(source, _rows(each), where=f"below {each.name.rpartition('.')[2]}" if is_below else "")
        for each in distinct[:_MOST_PLACES]
    ]
    readings = _readings(source, error)
    if len(readings) > 1:
        places = [_candidate_of_reading(source, span) for span in readings]
    if error.reason is Unmerged.LANGUAGE:
        name = missing_grammar(edit.path) or "there is no grammar for it, or it is too long"
    reason = _REASONS.get(error.reason, Reason.NOT_MERGED)
    if places and reason is Reason.DEFINITION_MISSING:
        reason = Reason.NEW_ALONE
    if reason is Reason.NOT_MERGED:
        outcome = refusal(reason, edit.path, places, why=_WHY[error.reason].format(name=name))
    else:
        outcome = refusal(reason, edit.path, places, max(len(distinct), len(readings)), name=name)
    return outcome


def _readings(source: SourceText, error: UnmergedError) -> dict[Span, tuple[str, ...]]:
    """Return the readings that are as likely, by the span that each changes, if that tells them apart."""
    found: dict[Span, tuple[str, ...]] = {}
    for lines in error.readings:
        splices = splices_between(source, (0, len(source.plain)), text_of(source, lines))
        if splices:
            found.setdefault((splices[0].start, splices[-1].end), lines)
    return found if len(found) == len(error.readings) else {}


def _candidate_of_reading(source: SourceText, span: Span) -> Candidate:
    first, last = (source.text.count("\n", 0, offset) for offset in (span[0], max(span[0], span[1] - 1)))
    where = "changed" if span[1] > span[0] else "with new lines above"
    return candidate_at(source, (first, last + 1), span, where=where)


def _rows(definition: Definition) -> Span:
    return definition.start, definition.end


def _not_whole(edit: Edit, why: str, **values: str) -> Outcome:
    file = edit.path or "the text"
    return refusal(Reason.NOT_WHOLE, edit.path, why=why.format(file=file, **values))


def _loss(edit: Edit, extent: Extent) -> Outcome:
    if not extent.missing:
        what = f"{extent.gone} of {extent.lines} lines"
        return _not_whole(edit, _LOSES, what=what)
    named = list(dict.fromkeys(extent.lost))
    names = ", ".join(named[:_MOST_LOST]) + (", ..." if len(named) > _MOST_LOST else "")
    what = f"{len(extent.lost)} of {extent.definitions} definitions ({names})"
    return _not_whole(edit, _LOSES, what=what)
