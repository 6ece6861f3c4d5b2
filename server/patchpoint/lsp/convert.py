"""The only border between offsets and the client's units, and between our words and the protocol's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lsprotocol import types

from patchpoint.edit import Edit, Operation
from patchpoint.lsp import answers, arguments
from patchpoint.lsp.uris import path_of
from patchpoint.outcome import Candidate, Outcome
from patchpoint.pending import ChangeStatus
from patchpoint.text.lines import LineTable, Span
from patchpoint.text.positions import Unit, offset_at, position_at, sayable
from patchpoint.text.splices import Splice


def position_of(table: LineTable, offset: int, unit: Unit) -> types.Position:
    """The client's position of an offset."""
    line, character = position_at(table, offset, unit)
    return types.Position(line=line, character=character)


def range_of(table: LineTable, span: Span, unit: Unit) -> types.Range:
    """The client's range of a span."""
    return types.Range(start=position_of(table, span[0], unit), end=position_of(table, span[1], unit))


def span_of(table: LineTable, given: types.Range | arguments.Range, unit: Unit) -> Span:
    """The span of a range of the client's, clamped to the text and put in order."""
    start = offset_at(table, given.start.line, given.start.character, unit)
    end = offset_at(table, given.end.line, given.end.character, unit)
    return min(start, end), max(start, end)


def answer_range(table: LineTable, span: Span, unit: Unit) -> arguments.Range:
    """The range of a span, as it stands in what a command answers."""
    (start_line, start_character), (end_line, end_character) = (
        position_at(table, offset, unit) for offset in span
    )
    return arguments.Range(
        arguments.Position(start_line, start_character), arguments.Position(end_line, end_character)
    )


def edit_of(data: arguments.EditData) -> Edit:
    """An edit that the caller gave as data."""
    return Edit(
        path=data.path or _path_of(data.uri),
        operation=Operation(data.operation.value),
        search=data.search or "",
        replace=data.replace or "",
        replace_all=data.replace_all,
        occurrence=data.occurrence,
        line=data.line,
        scope=data.scope,
        new_path=data.new_path,
        content=data.content,
    )


def _path_of(uri: str | None) -> str:
    path = path_of(uri or "")
    return str(path) if path is not None else uri or ""


def outcome_answer(
    outcome: Outcome,
    name: str,
    uri: str,
    before: LineTable | None,
    after: LineTable | None,
    unit: Unit,
    changes: ChangeStatus = ChangeStatus.UNCHANGED,
) -> answers.OutcomeAnswer:
    """What became of one edit, called `name`, of the document `uri`, with its text before and after."""
    return answers.OutcomeAnswer(
        id=name,
        index=outcome.index,
        uri=uri,
        status=outcome.status.value,
        rung=outcome.rung.value if outcome.rung else None,
        similarity=outcome.similarity,
        range=_optional_range(before, outcome.span, unit),
        new_range=_optional_range(after, outcome.new_span, unit),
        candidates=tuple(_candidate(before, one, unit) for one in outcome.candidates) if before else (),
        message=" ".join((outcome.message, *outcome.notes)).strip(),
        feedback=outcome.feedback,
        changes=changes.value,
    )


def _optional_range(table: LineTable | None, span: Span | None, unit: Unit) -> arguments.Range | None:
    return answer_range(table, span, unit) if table is not None and span is not None else None


def _candidate(table: LineTable, candidate: Candidate, unit: Unit) -> answers.CandidateAnswer:
    return answers.CandidateAnswer(
        range=answer_range(table, candidate.span, unit),
        similarity=candidate.similarity,
        preview=candidate.preview,
    )


def text_edits(table: LineTable, splices: Sequence[Splice], unit: Unit) -> list[types.TextEdit]:
    r"""Ordered, disjoint splices as the edits of one document.

    No position lies between `\r` and `\n`, so a splice that begins or ends there takes the whole ending with
    it, and splices that then meet are sent as one.
    """
    return [
        types.TextEdit(range=range_of(table, (splice.start, splice.end), unit), new_text=splice.text)
        for splice in _sayable(table.text, splices)
    ]


def first_text(text: str) -> types.TextEdit:
    """The edit that gives an empty file, which is not open, its text.

    Neovim takes an empty file for one empty line: a text of whole lines replaces it, others clamp the range.
    """
    end = types.Position(line=1 if text.endswith("\n") else 0, character=0)
    return types.TextEdit(
        range=types.Range(start=types.Position(line=0, character=0), end=end), new_text=text
    )


def _sayable(text: str, splices: Iterable[Splice]) -> list[Splice]:
    said: list[Splice] = []
    exact: list[Splice] = []
    for splice in splices:
        widened = _widened(text, splice)
        if said and widened.start <= said[-1].end:
            before = exact[-1]
            between = text[before.end : splice.start]
            exact[-1] = Splice(before.start, splice.end, before.text + between + splice.text)
            said[-1] = _widened(text, exact[-1])
        else:
            exact.append(splice)
            said.append(widened)
    return said


def _widened(text: str, splice: Splice) -> Splice:
    (start, end), new = sayable(text, (splice.start, splice.end), splice.text)
    return Splice(start, end, new)
