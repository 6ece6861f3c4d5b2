"""Code without a search text, merged into its file by what it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from patchpoint.dataclass import replace
from patchpoint.locate.effort import PARSED
from patchpoint.locate.source import SourceText, plain
from patchpoint.outcome import Candidate, Outcome, Reason, Rung
from patchpoint.patching.merging.minimal_splices import (
    made_by_structure,
    splices_between,
    text_of,
)
from patchpoint.patching.named.candidates import candidate_at, rows_span
from patchpoint.patching.named.unplaced import NAMESAKES
from patchpoint.patching.proposal import as_doubted, proposed
from patchpoint.patching.reasons import MOVED, refusal
from patchpoint.patching.whole.whole_or_part import AS_PART, FRAGMENT, loss, not_whole
from patchpoint.structure.languages import missing_grammar
from patchpoint.structure.lazy.definition import Unmerged, UnmergedError, with_tabs_as
from patchpoint.text.lines import plain_lines
from patchpoint.text.regex import regex

if TYPE_CHECKING:
    from patchpoint.edit import Edit
    from patchpoint.locate.ladder import Ladder
    from patchpoint.structure.lazy.definition import Definition
    from patchpoint.structure.lazy.merge import Merged
    from patchpoint.text.lines import Span


_MOST_NAMED = 6
_MOST_PLACES = 100
_CHOOSABLE = (Unmerged.SEVERAL, Unmerged.PLACE, Unmerged.NOT_THERE)
"""What a person can decide by choosing one of the definitions that it is about."""
_SEVERAL = 2
_YAML = (".yml", ".yaml")
_MOST_GONE = 2
"""Of what is shown, so many times as many lines may go of a file where that is only likely."""
_FEW = 10
_IS_EXAMPLE = regex(
    r"(?i)(?:#|//|--)+\s*(?:(?:here is an? |an? )?(?:example|sample|usage|quick test|demo"
    r"|(?:test|try|check) it)(?: of)?"
    r"(?: usage| use| example| with| out)?\s*[:.]?\s*\Z"
    r"|beispiel|exemple d|ejemplo de uso|exemplo de uso|пример использ|(?:使用)?示例|使用例)"
)
_IS_DEFINED = regex(
    r"(?:export|public|async|def|class|function|func|fn|struct|interface|type|enum|impl|import|from)\b(?!\s+main\()"
)
_UNCLEAR_MARK = "Show the lines right before and after the change: a mark could stand for different lines"
_REMOVED = "The answer asks to remove it."
_NUMBERS = "The numbers in front of its lines are left out."
_EXAMPLE = "What is below `{line}` is an example, and is left out."

_REASONS: Mapping[Unmerged, Reason] = MappingProxyType(
    {
        Unmerged.NOT_THERE: Reason.NOT_THERE,
        Unmerged.PLACE: Reason.NO_PLACE,
        Unmerged.NO_HOME: Reason.NOT_THERE,
        Unmerged.SEVERAL: Reason.UNCLEAR,
        Unmerged.LOST: Reason.WOULD_BE_LOST,
    }
)
_WHY: Mapping[Unmerged, str] = MappingProxyType(
    {
        Unmerged.NOT_THERE: "{name}; to add it, include an existing definition next to it",
        Unmerged.NO_HOME: "the lines shown together; include the signature of the enclosing definition",
        Unmerged.SEVERAL: NAMESAKES,
        Unmerged.LANGUAGE: "{name}; send a search text with a replacement",
        Unmerged.NOTHING: "it only marks omitted lines; show what changes",
        Unmerged.SEVERAL_CLASSES: "it has members of several classes; show the head of each class",
        Unmerged.UNLIKE: "{name} there has nothing in common with it; show the class that it is in",
        Unmerged.UNCLEAR: "it is not clear which lines give way to it; show the lines right before and after "
        "the change, or write `... existing code ...` where lines are left out",
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
    from patchpoint.structure.lazy.doubt.remarks import without_pointers
    from patchpoint.structure.lazy.marks import without_numbers

    shown = plain_lines(plain(edit.replace))
    bare = without_numbers(shown, source.lines)
    if bare != shown:
        meant = replace(edit, replace="\n".join([*bare, ""]), doubt=edit.doubt or _NUMBERS)
        return as_doubted(meant, merge_shown_code(source, meant, ladder, chosen))
    shown = without_pointers(shown, source.lines, edit.path)
    example = _example_below(shown, source)
    if example:
        why = _EXAMPLE.format(line=shown[example].strip())
        rest = "\n".join([*shown[:example], ""])
        meant = replace(edit, replace=rest, doubt=edit.doubt or why)
        return as_doubted(meant, merge_shown_code(source, meant, ladder, chosen))
    if (removed := _removed(source, edit, shown)) is not None:
        return removed
    from patchpoint.structure.lazy.outline.by_grammar import MAX_CHARACTERS

    if len(source.plain) <= MAX_CHARACTERS:
        source.effort.spend(PARSED * len(source.plain))
    from patchpoint.structure.lazy.merge import Merged, merge_shown

    if edit.doubt:
        from patchpoint.patching.places.places_said import places_said
        from patchpoint.structure.imports import are_imports, united

        is_set = are_imports(shown, edit.path) and not places_said(edit.lead)
        lines = united(source.lines, shown, edit.path) if is_set else None
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
        if edit.doubt == AS_PART and likely is outcome:
            from patchpoint.patching.whole.extent import extent_of

            return loss(edit, extent_of(source.lines, shown, edit.path))
        if edit.may_be_part and outcome.reason is not Reason.ALREADY_APPLIED and not _is_about(error):
            return likely if likely is not outcome else not_whole(edit, FRAGMENT)
        return likely
    outcome = _held(source, edit, shown, merged)
    if chosen is not None and outcome.matched and outcome.span != chosen:
        return refusal(Reason.NOT_THERE, edit.path, why=MOVED)
    return outcome


def _removed(source: SourceText, edit: Edit, shown: Sequence[str]) -> Outcome | None:
    """Return the proposal to remove the code, if it is there and the words above it ask for that."""
    from patchpoint.patching.places.places_said import asks_to_remove

    if not edit.lead or not asks_to_remove(edit.lead, edit.replace):
        return None
    from patchpoint.patching.left_out import without_shown

    lines = without_shown(source.lines, shown)
    if lines is None:
        return None
    from patchpoint.structure.lazy.merge import Merged

    made = _matched(source, edit, Merged(tuple(lines)))
    return proposed(refusal(Reason.ONLY_LIKELY, edit.path, why=_REMOVED), edit, made, _REMOVED)


def _example_below(shown: Sequence[str], source: SourceText) -> int:
    """Return the line from which on shown code only uses what is above it, as an example; 0 for none."""
    found = [row for row, line in enumerate(shown) if row and _IS_EXAMPLE.match(line)]
    if len(found) != 1 or shown[found[0]].strip() in source.stripped:
        return 0
    above, below = shown[: found[0]], [line for line in shown[found[0] + 1 :] if line.strip()]
    is_code = any(line.strip() and line[:1].isspace() for line in above)
    return found[0] if is_code and below and not any(map(_IS_DEFINED.match, below)) else 0


def _with_likely(
    source: SourceText, edit: Edit, shown: Sequence[str], refused: Outcome, error: UnmergedError
) -> Outcome:
    """Return a refused outcome with the proposal of what the code likely means, if that is known."""
    from patchpoint.patching.places.places_said import with_place_below
    from patchpoint.patching.shown.likely import likely_reading
    from patchpoint.patching.shown.reading import Code

    lead = with_place_below(edit.lead, edit.tail, edit.replace)
    options = (edit.may_be_cut_off, bool(lead), edit.above)
    code = Code(source.lines, with_tabs_as(source.lines, shown), edit.path, lead, *options)
    likely = likely_reading(code, error)
    if likely is not None and _is_unsound(source, edit.path, likely.merged):
        from patchpoint.patching.shown.by_blocks import by_blocks

        likely = by_blocks(code)
        if likely is None or _is_unsound(source, edit.path, likely.merged):
            return refused
    if likely is None:
        from patchpoint.patching.whole.whole_or_part import in_place_of_file

        return in_place_of_file(edit, source.text, edit.replace) or refused
    from patchpoint.patching.shown.judged import in_place_of_old, with_bodies

    likely = with_bodies(code, likely.merged.lines) or likely
    likely = in_place_of_old(code, likely.merged) or likely
    from patchpoint.patching.left_out import lines_gone
    from patchpoint.structure.imports import are_imports

    is_set = are_imports(shown, edit.path)
    if len(lines_gone(source.lines, likely.merged.lines, edit.path)) > _MOST_GONE * max(len(shown), _FEW):
        return refused
    if list(likely.merged.lines) == source.lines:
        return refusal(Reason.ALREADY_APPLIED, edit.path) if is_set else refused
    made = _matched(source, edit, likely.merged)
    # a file may have nothing else
    is_certain = likely.is_certain and lead == edit.lead and not (is_set and edit.may_be_part)
    missing = missing_grammar(edit.path) if error.reason is Unmerged.LANGUAGE else ""
    why = f"{likely.why} {missing[:1].upper()}{missing[1:]}." if missing else likely.why
    return made if is_certain else proposed(refused, edit, made, why)


def _is_unsound(source: SourceText, path: str, merged: Merged) -> bool:
    """Return whether a result has a key of YAML twice, or a comment with dots for lines that are left out."""
    from patchpoint.structure.keyed.units import doubled_keys
    from patchpoint.structure.lazy.marks import is_left_out

    added = set(merged.lines).difference(source.lines)
    dotted = (line.strip() for line in added if "..." in line or "\u2026" in line)
    if any(is_left_out(line) and line[0] not in ".\u2026" for line in dotted):
        return True
    is_yaml = path.lower().endswith(_YAML)
    return is_yaml and bool(doubled_keys(merged.lines) - doubled_keys(source.lines))


def _held(source: SourceText, edit: Edit, shown: Sequence[str], merged: Merged) -> Outcome:
    """Return the outcome of merging, as a proposal where something may be left out."""
    from patchpoint.patching.shown.below_its_like import with_fields_together
    from patchpoint.patching.shown.judged import doubted
    from patchpoint.patching.shown.reading import Code
    from patchpoint.structure.lazy.doubt.remarks import differs_in_remarks

    merged = replace(merged, lines=with_fields_together(source.lines, merged.lines, shown, edit.path))
    outcome = _matched(source, edit, merged)
    if edit.doubt and not edit.lead and differs_in_remarks(source.lines, merged.lines):
        return refusal(Reason.ALREADY_APPLIED, edit.path)
    code = Code(source.lines, shown, edit.path, edit.lead)
    likely = doubted(code, merged)
    if likely is None or not outcome.matched:
        return outcome
    made = _matched(source, edit, likely.merged)
    if likely.is_certain:
        return made
    return proposed(refusal(Reason.ONLY_LIKELY, edit.path, why=likely.why), edit, made, likely.why)


def _is_about(error: UnmergedError) -> bool:
    """Return whether the code shows definitions, or lines that the file has."""
    return error.reason not in (Unmerged.NO_HOME, Unmerged.NOTHING, Unmerged.LANGUAGE)


def _matched(source: SourceText, edit: Edit, merged: Merged) -> Outcome:
    if list(merged.lines) == source.lines:
        return refusal(Reason.ALREADY_APPLIED, edit.path)
    parts = [f"replaces {_named(merged.replaced)}"] if merged.replaced else []
    parts += [f"adds {_named(merged.added)}"] if merged.added else []
    what = " and ".join(parts) or "changes lines"
    message = f"Merged by structure into {edit.path or 'the text'}: {what}."
    places = [rows_span(source, _rows(each)) for each in merged.replaced]
    made = made_by_structure(source, edit.path, text_of(source, merged.lines), places, message)
    if not made.splices:
        return refusal(Reason.ALREADY_APPLIED, edit.path)
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
    why = _WHY.get(error.reason, "").format(name=name)
    if error.reason is Unmerged.UNCLEAR and (len(places) >= _SEVERAL or _has_mark(edit)):
        reason, why = Reason.UNCLEAR, _UNCLEAR_MARK
    if places and error.reason is Unmerged.NOT_THERE:
        reason = Reason.NEW_ALONE
    return refusal(reason, edit.path, places, max(len(distinct), len(readings)), name=name, why=why)


def _has_mark(edit: Edit) -> bool:
    from patchpoint.structure.lazy.marks import is_mark

    return any(map(is_mark, edit.replace.splitlines()))


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
