r"""Open documents are kept exactly as the client has them, where the library's own store goes wrong."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from lsprotocol import types

from patchpoint.lsp.session.documents import Documents
from patchpoint.lsp.session.positions import range_of, text_edits
from patchpoint.text.lines import LineTable
from patchpoint.text.positions import Unit
from patchpoint.text.splice import Splice, apply_splices, minimal_splices
from tests.lsp import neovim_buffer

URI = "file:///folder/file.py"


def opened(text: str, unit: Unit = Unit.UTF_16) -> Documents:
    documents = Documents(unit)
    item = types.TextDocumentItem(uri=URI, language_id="python", version=1, text=text)
    documents.put_text_document(item)
    return documents


def change(
    documents: Documents, start: tuple[int, int], end: tuple[int, int], text: str, version: int = 2
) -> str:
    span = types.Range(
        start=types.Position(line=start[0], character=start[1]),
        end=types.Position(line=end[0], character=end[1]),
    )
    documents.update_text_document(
        types.VersionedTextDocumentIdentifier(uri=URI, version=version),
        types.TextDocumentContentChangePartial(range=span, text=text),
    )
    document = documents.find(URI)
    assert document is not None
    return document.text


def test_a_range_past_the_end_of_the_last_line_ends_at_its_end() -> None:
    assert change(opened("abc"), (0, 0), (0, 99), "X") == "X"


@pytest.mark.parametrize("separator", ["\f", "\v", "\x1c", "\x85", "\u2028"])
def test_only_line_endings_end_a_line(separator: str) -> None:
    text = f"one{separator}two\nthree\n"
    assert change(opened(text), (1, 0), (1, 5), "3") == f"one{separator}two\n3\n"


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_each_kind_of_line_ending_counts(ending: str) -> None:
    assert change(opened(f"a{ending}b{ending}c"), (1, 0), (1, 1), "B") == f"a{ending}B{ending}c"


@pytest.mark.parametrize(("unit", "character"), [(Unit.UTF_8, 4), (Unit.UTF_16, 2), (Unit.UTF_32, 1)])
def test_characters_are_counted_in_the_unit_agreed_on(unit: Unit, character: int) -> None:
    assert change(opened("😋x\n", unit), (0, character), (0, character + 1), "y") == "😋y\n"


def test_a_position_on_the_line_after_the_last_ending_is_the_end() -> None:
    assert change(opened("😋\n"), (1, 0), (1, 0), "more") == "😋\nmore"


def test_the_whole_text_may_be_replaced() -> None:
    documents = opened("old")
    documents.update_text_document(
        types.VersionedTextDocumentIdentifier(uri=URI, version=7),
        types.TextDocumentContentChangeWholeDocument(text="new\r\n"),
    )
    document = documents.find(URI)
    assert document is not None
    assert (document.text, document.version) == ("new\r\n", 7)


@pytest.mark.parametrize(
    "spelling", ["file:///folder/file.py", "file:///folder/%66ile.py", "file:///folder/./file.py"]
)
def test_a_document_is_found_by_any_spelling_of_its_uri(spelling: str) -> None:
    assert opened("x").find(spelling) is not None


def test_what_is_not_open_is_not_there() -> None:
    documents = opened("x")
    documents.remove_text_document(URI)
    assert documents.find(URI) is None
    documents.remove_text_document(URI)


TEXTS = st.text(st.sampled_from("ab \n\r\té😋\u2028"), max_size=30)


@given(TEXTS, TEXTS, st.data(), st.sampled_from(list(Unit)))
@settings(max_examples=200)
def test_a_change_by_positions_is_the_change_by_offsets(
    text: str, new: str, data: st.DataObject, unit: Unit
) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    documents = opened(text, unit)
    (edit,) = text_edits(LineTable.of(text), [Splice(start, end, new)], unit)
    first, last = edit.range.start, edit.range.end
    changed = change(documents, (first.line, first.character), (last.line, last.character), edit.new_text)
    assert changed == text[:start] + new + text[end:]


@given(TEXTS, st.data(), st.sampled_from(list(Unit)))
@settings(max_examples=200)
def test_edits_made_from_the_last_to_the_first_make_the_new_text(
    text: str, data: st.DataObject, unit: Unit
) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    splices = [Splice(start, end, data.draw(st.sampled_from(["", "x", "\r", "\n"]))) for start, end in pairs]
    documents = opened(text, unit)
    changed = text
    for edit in reversed(text_edits(LineTable.of(text), splices, unit)):
        first, last = edit.range.start, edit.range.end
        changed = change(documents, (first.line, first.character), (last.line, last.character), edit.new_text)
    assert changed == apply_splices(text, splices)


LINES = st.lists(st.text(st.sampled_from("ab é😋"), max_size=3), min_size=1, max_size=6)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@given(LINES, LINES, st.sampled_from(list(Unit)))
@settings(max_examples=200)
def test_lines_go_in_and_out_at_both_ends_of_a_buffer_that_keeps_lines_only(
    ending: str, lines: list[str], others: list[str], unit: Unit
) -> None:
    before, after = (ending.join([*each, ""]) for each in (lines, others))
    edits = text_edits(LineTable.of(before), minimal_splices(before, after), unit)
    assert neovim_buffer.edited(before, edits, unit) == after


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_what_is_inserted_after_the_last_line_takes_its_ending_along(ending: str) -> None:
    text = f"one{ending}two{ending}"
    (edit,) = text_edits(LineTable.of(text), [Splice(len(text), len(text), f"more{ending}")], Unit.UTF_16)
    assert (edit.range.start, edit.range.end) == (types.Position(1, 3), types.Position(2, 0))
    assert edit.new_text == f"{ending}more{ending}"
    (edit,) = text_edits(LineTable.of("one"), [Splice(3, 3, "more")], Unit.UTF_16)
    assert (edit.range.start, edit.range.end, edit.new_text) == (
        types.Position(0, 3),
        types.Position(0, 3),
        "more",
    )


def test_the_range_of_everything_is_everything() -> None:
    table = LineTable.of("a\nb😋")
    assert range_of(table, (0, 4), Unit.UTF_16) == types.Range(
        start=types.Position(line=0, character=0), end=types.Position(line=1, character=3)
    )
