"""Proposals: what is not certain enough to be written is shown, and written once it is accepted."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchpoint import Edit, Proposal, Report, Status, apply_edit, apply_edits
from patchpoint.locate.alignment import SIMILAR_LINE, line_similarity
from patchpoint.outcome import Guard, Outcome, Reason
from tests.sampling import tries
from tests.uncertain_edit import ACCEPTED, FORGETFUL, ORDER

UNCERTAIN = Edit(path="order.py", search=FORGETFUL, replace=f"{FORGETFUL}    remarks: str\n")
CERTAIN = Edit(path="order.py", search="    express: bool\n", replace="    express: int\n")
OTHER = Edit(path="shop.py", search="OPEN = 9\n", replace="OPEN = 8\n")
FILES = {"order.py": ORDER, "shop.py": "OPEN = 9\n"}


def proposal_of(outcome: Outcome) -> Proposal:
    assert outcome.status is Status.PROPOSED
    assert outcome.proposal is not None
    return outcome.proposal


def statuses(report: Report) -> list[Status]:
    return [one.status for one in report.outcomes]


def test_what_a_look_settles_is_proposed_and_not_written() -> None:
    outcome = apply_edit(ORDER, UNCERTAIN.search, UNCERTAIN.replace, path="order.py")
    assert outcome.text is None
    assert outcome.guard is Guard.UNKNOWN_NAME
    proposal = proposal_of(outcome)
    assert proposal.text == ACCEPTED
    assert "+    remarks: str\n" in proposal.diff
    assert proposal.path == "order.py"
    assert proposal.why.startswith("Lines 1 to 9 are ")
    assert proposal.why.endswith(".")


def test_the_difference_is_all_that_a_proposal_changes() -> None:
    proposal = proposal_of(apply_edits(FILES, [UNCERTAIN]).outcomes[0])
    assert apply_edits(FILES, proposal.diff).files["order.py"] == proposal.text == ACCEPTED


def test_a_proposal_that_is_accepted_by_its_id_is_written() -> None:
    report = apply_edits(FILES, [UNCERTAIN])
    assert not report.ok
    assert report.files == FILES
    (proposal,) = report.proposals
    accepted = apply_edits(FILES, [UNCERTAIN], accept=[proposal.id])
    assert accepted.ok
    assert accepted.files["order.py"] == proposal.text
    assert accepted.proposals == ()


def test_all_proposals_are_accepted_by_one_word() -> None:
    assert apply_edits(FILES, [UNCERTAIN, OTHER], accept="all").files == {
        "order.py": ACCEPTED,
        "shop.py": "OPEN = 8\n",
    }
    with pytest.raises(ValueError, match="'all' or the ids"):
        apply_edits(FILES, [UNCERTAIN], accept="every")


def test_nothing_is_written_while_a_proposal_is_open() -> None:
    report = apply_edits(FILES, [OTHER, UNCERTAIN])
    assert statuses(report) == [Status.HELD, Status.PROPOSED]
    assert "edit 2 of the request waits for a yes" in report.outcomes[0].message
    assert report.files == FILES


def test_the_id_is_the_same_for_the_same_text_edit_and_result_and_for_no_other() -> None:
    first, again = (apply_edits(FILES, [UNCERTAIN]).proposals[0].id for _ in range(2))
    assert first == again
    assert len(first) == 12
    others = {
        apply_edits({"order.py": f"{ORDER}\n\nX = 1\n"}, [UNCERTAIN]).proposals[0].id,
        apply_edits(FILES, [replace(UNCERTAIN, replace=f"{FORGETFUL}    notes: str\n")]).proposals[0].id,
        apply_edits({"a.py": ORDER}, [replace(UNCERTAIN, path="a.py")]).proposals[0].id,
    }
    assert len(others | {first}) == 4


@pytest.mark.parametrize("atomic", ["all", "file", "edit"])
def test_an_id_whose_file_has_changed_since_is_refused_and_nothing_is_written(atomic: str) -> None:
    stale = apply_edits(FILES, [UNCERTAIN]).proposals[0].id
    files = {**FILES, "order.py": f"# Ours.\n{ORDER}"}
    report = apply_edits(files, [UNCERTAIN, OTHER], accept=[stale], atomic=atomic)
    assert report.files == files
    assert statuses(report) == [Status.PROPOSED, Status.HELD]
    assert report.outcomes[0].reason is Reason.STALE_PROPOSAL
    assert stale in report.outcomes[0].message
    (proposal,) = report.proposals
    assert apply_edits(files, [UNCERTAIN], accept=[proposal.id]).files["order.py"] == proposal.text


def test_an_edit_that_has_become_certain_is_not_what_was_accepted() -> None:
    stale = apply_edits(FILES, [UNCERTAIN]).proposals[0].id
    report = apply_edits({"order.py": FORGETFUL}, [UNCERTAIN], accept=[stale])
    assert statuses(report) == [Status.HELD]
    assert report.files == {"order.py": FORGETFUL}


def test_a_proposal_that_was_accepted_before_is_there_already() -> None:
    accepted = apply_edits(FILES, [UNCERTAIN], accept="all").files
    files = {path: text for path, text in accepted.items() if text is not None}
    again = apply_edits(files, [UNCERTAIN], accept="all")
    assert again.files == files
    assert not again.proposals


def test_a_proposal_next_to_an_edit_that_is_written_is_made_of_what_is_there_then() -> None:
    report = apply_edits(FILES, [CERTAIN, UNCERTAIN], atomic="edit")
    assert statuses(report) == [Status.APPLIED, Status.PROPOSED]
    files = {path: text for path, text in report.files.items() if text is not None}
    (proposal,) = report.proposals
    assert proposal.text == ACCEPTED.replace("express: bool", "express: int")
    accepted = apply_edits(files, [CERTAIN, UNCERTAIN], accept=[proposal.id], atomic="edit")
    assert accepted.files["order.py"] == proposal.text


def test_an_accepted_proposal_and_the_other_edits_of_its_file_are_written_together() -> None:
    (proposal,) = apply_edits(FILES, [CERTAIN, UNCERTAIN]).proposals
    together = apply_edits(FILES, [CERTAIN, UNCERTAIN], accept=[proposal.id])
    assert together.files["order.py"] == ACCEPTED.replace("express: bool", "express: int")


def test_an_edit_that_quotes_what_an_earlier_one_writes_is_found_there_and_not_proposed_elsewhere() -> None:
    first = Edit(
        path="order.py", search="    express: bool\n", replace="    express: bool\n    weight: int\n"
    )
    second = Edit(path="order.py", search="    weight: int\n", replace="    weight: float\n")
    report = apply_edits(FILES, [first, second])
    assert report.ok
    assert "    weight: float\n" in (report.files["order.py"] or "")


def test_nothing_is_proposed_that_would_not_parse() -> None:
    search = FORGETFUL.replace("    positions: list[Position]\n", "")
    wanted = f"{search}    remarks: dict[str,\n"
    outcome = apply_edit(ORDER, search, wanted, path="order.py")
    assert outcome.text is None
    assert outcome.proposal is None
    assert apply_edit(ORDER, search, wanted, path="order.txt").proposal is not None


def test_nothing_is_proposed_for_a_place_with_a_rival() -> None:
    two = f"{ORDER}\n\n{ORDER.replace('class Order', 'class Offer').replace('0.05', '0.06')}"
    search = ORDER.replace("class Order:\n", "").replace("express: bool", "express: Flag")
    outcome = apply_edit(two, search, f"{search}    remarks: str\n", path="order.py")
    assert outcome.status is Status.AMBIGUOUS
    assert outcome.proposal is None


def test_the_feedback_names_the_id_and_shows_the_difference() -> None:
    report = apply_edits(FILES, [UNCERTAIN])
    (proposal,) = report.proposals
    assert f"accept the proposal {proposal.id} instead of sending the edit again" in report.feedback
    assert "+    remarks: str" in report.feedback
    assert "Quote the file's lines exactly" in report.feedback


def test_line_endings_and_a_byte_order_mark_outlast_a_proposal() -> None:
    text = "\ufeff" + ORDER.replace("\n", "\r\n")
    assert proposal_of(
        apply_edit(text, UNCERTAIN.search, UNCERTAIN.replace, path="order.py")
    ).text == "\ufeff" + ACCEPTED.replace("\n", "\r\n")


WORDS = ["amber", "bishop", "cobalt", "dingo", "ember", "falcon", "garnet", "hickory", "indigo", "jasper"]
QUOTED = st.sampled_from(["as it is", "as it is", "misspelt", "forgotten", "invented"])


@settings(max_examples=tries(200), deadline=None)
@given(st.lists(st.tuples(st.sampled_from(WORDS), QUOTED, st.booleans()), min_size=3, max_size=8))
def test_accepting_loses_no_line_that_the_difference_does_not_show_as_removed(
    rows: list[tuple[str, str, bool]],
) -> None:
    lines = [f"{word * 2} = {word}({number})" for number, (word, _, _) in enumerate(rows)]
    search: list[str] = []
    wanted: list[str] = []
    for line, (word, quoted, is_changed) in zip(lines, rows, strict=True):
        said = {"as it is": line, "misspelt": line[1:-1], "invented": f"{word}_of_mine_{len(search)} += 1"}
        if quoted in said:
            search.append(said[quoted])
            wanted.append(said[quoted].replace(" = ", " = other_") if is_changed else said[quoted])
    text = "".join(f"{line}\n" for line in lines)
    edit = Edit(path="f", search="\n".join(search), replace="\n".join(wanted))
    report = apply_edits({"f": text}, [edit])
    assert report.files["f"] == text or not report.proposals
    for proposal in report.proposals:
        after = apply_edits({"f": text}, [edit], accept=[proposal.id]).files["f"]
        assert after == proposal.text != text
        lost = Counter(text.splitlines()) - Counter(after.splitlines())
        removed = Counter(line[1:] for line in proposal.diff.splitlines()[4:] if line.startswith("-"))
        assert lost <= removed
        assert all(any(is_alike(line, quoted) for quoted in search) for line in lost)


def is_alike(one: str, other: str) -> bool:
    return line_similarity(one.strip(), other.strip()) >= SIMILAR_LINE


DRIFTED = """\
class Sheet:
    def total(self, rows):
        amount = 0
        for row in rows:
            amount += row.price * row.count
            log.debug("added %s", row)
        return round(amount, 2)

    def mean(self, rows):
        return self.total(rows) / len(rows)
"""
REMEMBERED = """\
    def total(self, rows):
        prices = [row.price for row in rows]
        discounts = self.discounts.of(prices)
        while discounts:
            prices.remove(discounts.pop())
        amount = 0
        for row in discounts:
            amount += row.price
        return round(amount)
"""
REPLACED = """\
    def total(self, rows):
        return fsum(self.prices_of(rows))
"""


def test_a_definition_whose_body_is_another_one_by_now_is_proposed_by_its_name() -> None:
    outcome = apply_edit(DRIFTED, REMEMBERED, REPLACED, path="sheet.py")
    assert outcome.text is None
    proposal = proposal_of(outcome)
    body = DRIFTED[DRIFTED.index("    def total") : DRIFTED.index("\n    def mean")]
    assert proposal.text == DRIFTED.replace(body, REPLACED)
    assert proposal.why == "Lines 2 to 7 are the only total, but not as they are quoted."
    files = {"sheet.py": DRIFTED}
    edit = Edit(path="sheet.py", search=REMEMBERED, replace=REPLACED)
    assert apply_edits(files, [edit], accept=[proposal.id]).files["sheet.py"] == proposal.text


def test_an_edit_that_only_adds_lines_to_a_few_of_a_definition_takes_none_of_it_away() -> None:
    few = "    def total(self, rows):\n        remembered = self.rows\n"
    outcome = apply_edit(DRIFTED, few, f"{few}        log(remembered)\n", path="sheet.py")
    assert not outcome.matched
    assert outcome.proposal is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (DRIFTED + DRIFTED.replace("Sheet", "Other"), "another one has its name"),
        (
            DRIFTED.replace("(self, rows):\n        amount", "(self, rows, tax):\n        amount"),
            "another head",
        ),
        (
            DRIFTED.replace(
                "        return round", "        def nobody():\n            return 1\n\n        return round"
            ),
            "a lost one",
        ),
        (DRIFTED.replace("amount", "x").replace("for row in", "with"), "nothing in common"),
    ],
)
def test_a_definition_is_not_proposed_by_its_name_alone(text: str, why: str) -> None:
    assert apply_edit(text, REMEMBERED, REPLACED, path="sheet.py").proposal is None, why


@pytest.mark.parametrize(
    ("path", "text", "new"),
    [
        ("a.py", "def f():\n    return 1\n", "    return NotThere\n"),
        (
            "a.go",
            'package a\n\nimport "fmt"\n\nvar x = fmt.Sprint(1)\n',
            "var x = strings.ToUpper(fmt.Sprint(1))\n",
        ),
    ],
)
def test_what_is_in_doubt_for_the_whole_answer_is_accepted_by_its_id(path: str, text: str, new: str) -> None:
    old = text.splitlines(keepends=True)[-1]
    answer = f"{path}\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"
    [proposal] = apply_edits({path: text}, answer).proposals
    made = apply_edits({path: text}, answer, accept=[proposal.id])
    assert made.files == {path: text.replace(old, new)}
    assert apply_edits({path: text}, answer, accept=["0" * 12]).files == {path: text}
