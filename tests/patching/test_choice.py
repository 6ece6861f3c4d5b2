"""At a place that a person chooses, an edit is merged: no line that it does not quote is lost by that."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from patchpoint.edit import Edit
from patchpoint.locate.alignment import SIMILAR_LINE, line_similarity
from patchpoint.outcome import Guard, Status
from patchpoint.patching.resolve import resolve_edit

ORDER = """\
class Order:
    number: int
    customer: Customer
    # Agreed by telephone, and never written down.
    discount: Decimal = Decimal("0.05")
    delivery: Address | None = None
    paid_at: datetime
    express: bool
    positions: list[Position]
"""
QUOTED = """\
class Order:
    number: int
    customer: Customer
    discount: Decimal
    warehouse_code_of_origin: str
    paid_at: datetime
    positions: list[Position]
"""


def test_the_lines_that_a_model_forgot_and_did_not_know_outlast_the_choice_of_its_place() -> None:
    edit = Edit(path="order.py", search=QUOTED, replace=f"{QUOTED}    remarks: str\n")
    outcome = resolve_edit(ORDER, edit)
    assert outcome.status is Status.PROPOSED
    assert outcome.proposal is not None
    assert outcome.proposal.text == f"{ORDER}    remarks: str\n"
    place = outcome.candidates[0].span
    assert resolve_edit(ORDER, edit, chosen=place).text == outcome.proposal.text
    whole = resolve_edit(ORDER, edit, chosen=place, whole=True)
    assert whole.text == edit.replace
    assert whole.needs_confirmation


def test_a_choice_that_cannot_be_merged_says_so_and_names_the_other_one() -> None:
    text = "begin(1)\nalpha = load(1)\nbeta = keep(2)\nfinish(3)\n"
    search = "begin(1)\nalpha = load(1)\nnot_in_the_file = of_it(7)\nfinish(3)\n"
    edit = Edit(path="f", search=search, replace=search.replace("not_in_the_file = of_it(7)\n", ""))
    outcome = resolve_edit(text, edit)
    assert outcome.status is Status.NOT_FOUND
    chosen = resolve_edit(text, edit, chosen=outcome.candidates[0].span)
    assert (chosen.status, chosen.guard) == (Status.NOT_FOUND, Guard.UNQUOTED)
    assert chosen.message.endswith("It cannot be merged there; lines 1 to 4 can only be replaced whole.")
    assert chosen.candidates == outcome.candidates
    whole = resolve_edit(text, edit, chosen=outcome.candidates[0].span, whole=True)
    assert whole.text == edit.replace


WORDS = ["amber", "bishop", "cobalt", "dingo", "ember", "falcon", "garnet", "hickory", "indigo", "jasper"]
LINES = st.lists(
    st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS), st.integers(0, 3)).map(
        lambda row: f"{'    ' * row[2]}{row[0] * 2} = {row[1]}({row[2]})"
    ),
    min_size=3,
    max_size=10,
)
QUOTATION = st.sampled_from(["as it is", "misspelt", "forgotten", "with another before it"])
CHANGE = st.sampled_from(["none", "none", "removed", "changed", "one more behind"])


@settings(deadline=None)
@given(LINES, st.data())
def test_no_choice_loses_a_line_that_nobody_quoted(lines: list[str], data: st.DataObject) -> None:
    text = "".join(f"{line}\n" for line in lines)
    first = data.draw(st.integers(0, len(lines) - 2))
    search: list[str] = []
    replace: list[str] = []
    for number, line in enumerate(lines[first : first + 7]):
        said = data.draw(QUOTATION)
        quoted = {"as it is": [line], "misspelt": [line.replace(" = ", "= ", 1)[:-1]], "forgotten": []}.get(
            said, [f"invented_{number}({WORDS[-number]})", line]
        )
        for one in quoted:
            change = data.draw(CHANGE)
            search.append(one)
            replace += {"none": [one], "removed": [], "changed": [one.replace(" = ", " = other_")]}.get(
                change, [one, f"entirely_new_{number} = True"]
            )
    edit = Edit(
        path="f", search="".join(f"{one}\n" for one in search), replace="".join(f"{one}\n" for one in replace)
    )
    outcome = resolve_edit(text, edit)
    for candidate in outcome.candidates:
        chosen = resolve_edit(text, edit, chosen=candidate.span)
        if chosen.text is None:
            continue
        lost = Counter(map(str.strip, lines)) - Counter(map(str.strip, chosen.text.splitlines()))
        quoted_lines = [one.strip() for one in search]
        assert all(is_quoted(line, quoted_lines) for line in lost), (text, edit.search, edit.replace)


def is_quoted(line: str, quoted: list[str]) -> bool:
    return any(line_similarity(line, one) >= SIMILAR_LINE for one in quoted)
