"""What holds for every text: nothing outside the span changes, line endings never decide, nothing is lost."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from patchpoint import apply_edit
from patchpoint.edit import Edit, Operation
from patchpoint.locate.rungs.exact import cuts_word
from patchpoint.outcome import Guard, Outcome, Reason, Rung, Status
from patchpoint.patching.resolve import resolve_edit
from patchpoint.patching.revert import revert_edits
from patchpoint.text.splice import Splice, apply_splices
from tests.sampling import tries

WORDS = [
    "a",
    "b = 1",
    "    c(d, e)",
    "\tf",
    "",
    "  ",
    "}",
    "return x",
    "    return x",
    "“q” – r",
    "x, y",
    "…",
    "...",
]
lines = st.lists(st.sampled_from(WORDS), max_size=12)
endings = st.sampled_from(["\n", "\r\n", "\r"])
texts = st.one_of(
    st.builds(lambda parts, end: end.join(parts), lines, endings),
    st.lists(st.builds(str.__add__, st.sampled_from(WORDS), endings), max_size=12).map("".join),
    st.text(alphabet=st.sampled_from(list("ab \t\n\r\f\u2028\ufeff“é…{}(),")), max_size=60),
)


def check_outcome(text: str, outcome: Outcome) -> None:
    """What every matched outcome promises of its spans and splices."""
    assert outcome.text is not None
    assert outcome.span is not None
    assert outcome.new_span is not None
    assert apply_splices(text, outcome.splices) == outcome.text
    start, end = outcome.span
    assert text[:start] == outcome.text[:start]
    assert text[end:] == outcome.text[outcome.new_span[1] :]
    position = 0
    for splice in outcome.splices:
        assert start <= splice.start <= splice.end <= end
        assert position <= splice.start
        assert text[splice.start : splice.end] != splice.text
        position = splice.end


@settings(max_examples=tries(120), deadline=None)
@given(texts, texts, texts, st.booleans())
def test_bytes_outside_the_span_never_change(text: str, search: str, replace: str, every: bool) -> None:
    outcome = apply_edit(text, search, replace, replace_all=every)
    if outcome.matched:
        check_outcome(text, outcome)
    else:
        assert outcome.text is None
        assert outcome.splices == ()
        assert outcome.message
        assert outcome.feedback


@given(texts, st.data())
def test_an_exact_unique_substring_is_always_found(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    search = text[start:end]
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    wanted = search.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    # A last line that lacks its line ending is the same line as one that has it.
    whole = f"{plain}\n"
    if not wanted.strip() or whole.find(wanted) != whole.rfind(wanted) or wanted not in plain:
        return
    outcome = apply_edit(text, search, "replacement")
    if outcome.reason is Reason.NOT_PLACED and "omitted lines" in outcome.message:
        return
    if outcome.guard is Guard.PART:
        at = plain.find(wanted)
        assert cuts_word(plain, (at, at + len(wanted)))
        return
    assert outcome.status is Status.APPLIED
    assert outcome.rung is Rung.EXACT
    check_outcome(text, outcome)


@example(["a", "return x"], ["\tf", "return x"], ["    c(d, e)"], True)
@given(lines, lines, lines, st.booleans())
def test_the_outcome_does_not_depend_on_line_endings_or_a_byte_order_mark(
    text_lines: list[str], search_lines: list[str], replace_lines: list[str], marked: bool
) -> None:
    if len(text_lines) < 2:
        return
    search, replace = "\n".join(search_lines), "\n".join(replace_lines)
    unix = apply_edit("\n".join(text_lines), search, replace)
    windows = apply_edit("\ufeff" * marked + "\r\n".join(text_lines), search, replace)
    assert (unix.status, unix.rung, unix.similarity) == (windows.status, windows.rung, windows.similarity)
    assert [c.line for c in unix.candidates] == [c.line for c in windows.candidates]
    if unix.text is not None:
        assert windows.text == "\ufeff" * marked + unix.text.replace("\n", "\r\n")


@example("a", "a\r\ufeff", "", False)
@given(texts, texts, texts, st.booleans())
def test_reverting_an_edit_gives_the_original(text: str, search: str, replace: str, every: bool) -> None:
    outcome = apply_edit(text, search, replace, replace_all=every)
    if outcome.text is None or "\r" in text + search + replace or "\ufeff" in text + replace:
        return
    check_reverted(text, outcome)


@given(lines, st.data())
def test_reverting_works_in_windows_files_too(text_lines: list[str], data: st.DataObject) -> None:
    text = "\r\n".join(text_lines)
    search = "\n".join(text_lines[: data.draw(st.integers(1, 4))])
    outcome = apply_edit(text, search, data.draw(st.sampled_from(["", "new", "new\nlines\n", "b = 1"])))
    if outcome.text is not None:
        check_reverted(text, outcome)


def check_reverted(text: str, outcome: Outcome) -> None:
    """The edits of a revert, each located in the text after, give the text before."""
    assert outcome.text is not None
    splices: list[Splice] = []
    for edit in revert_edits(text, outcome):
        if not edit.search.strip():
            return
        back = resolve_edit(outcome.text, edit)
        assert back.matched, (edit, back.message)
        splices += back.splices
    assert apply_splices(outcome.text, sorted(splices, key=lambda splice: splice.start)) == text


@settings(max_examples=tries(80), deadline=None)
@given(texts, texts, texts)
def test_a_candidate_can_be_chosen(text: str, search: str, replace: str) -> None:
    edit = Edit(path="f", search=search, replace=replace)
    outcome = resolve_edit(text, edit)
    if outcome.status not in (Status.AMBIGUOUS, Status.NOT_FOUND):
        return
    for candidate in outcome.candidates[:3]:
        chosen = resolve_edit(text, edit, chosen=candidate.span)
        if "can only be replaced whole" in chosen.message:
            chosen = resolve_edit(text, edit, chosen=candidate.span, whole=True)
        assert chosen.status in (Status.MATCHED, Status.ALREADY_APPLIED)
        if chosen.matched:
            check_outcome(text, chosen)


@settings(max_examples=tries(80), deadline=None)
@given(texts, texts, texts, texts)
def test_anchors_change_only_what_is_between_them(text: str, before: str, after: str, new: str) -> None:
    edit = Edit(path="f", operation=Operation.BETWEEN, before=before, after=after, replace=new)
    outcome = resolve_edit(text, edit)
    if outcome.matched:
        check_outcome(text, outcome)


@given(texts, st.integers(0, 14), texts)
def test_an_insertion_keeps_every_line(text: str, line: int, new: str) -> None:
    outcome = resolve_edit(text, Edit(path="f", operation=Operation.INSERT, line=line, replace=new))
    if outcome.matched:
        check_outcome(text, outcome)
        assert all(splice.start == splice.end for splice in outcome.splices)
