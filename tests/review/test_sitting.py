"""A sitting of a review: where it goes, what it decides, and how a decision is undone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from patchpoint.review.change_set import FileChanges, FileState
from patchpoint.review.decision import Decision
from patchpoint.review.sitting import UNDECIDED, Sitting, Verdict, changed_verdicts

KEEP = Verdict(Decision.KEEP)
OLD = "".join(f"{number}\n" for number in range(30))
NEW = OLD.replace("\n5\n", "\nfive\n").replace("\n15\n", "\n").replace("\n25\n", "\n25\nmore\n")
FILES = tuple(
    FileChanges(name, FileState(0o100644, OLD.encode()), FileState(0o100644, NEW.encode()))
    for name in ("one", "two", "three")
)


def test_it_begins_at_the_first_change_that_is_undecided_and_goes_on_to_the_next() -> None:
    first = FILES[0].hunks[0].id
    sitting = Sitting.of(FILES, {first: KEEP})
    assert sitting.at == 1
    assert sitting.decided(Decision.TAKE_BACK).at == 2
    assert sitting.at_file(1).change.file.path == "two"
    assert sitting.at_file(1).at_file(-1).at == 0
    assert sitting.at_file(9).change.file.path == "three"


def test_after_the_last_change_comes_what_was_left_undecided() -> None:
    sitting = Sitting.of(FILES, {}).moved(8).decided(Decision.KEEP)
    assert sitting.at == 0
    every = [hunk.id for file in FILES for hunk in file.hunks]
    assert sitting.decided(Decision.KEEP, every).at == 0


def test_a_note_stays_whatever_is_decided_and_does_not_go_on() -> None:
    sitting = Sitting.of(FILES, {}).noted("a test needs it")
    assert sitting.at == 0
    assert sitting.is_open(sitting.change)
    decided = sitting.decided(Decision.TAKE_BACK).decided(Decision.KEEP, [sitting.change.hunk.id])
    assert decided.verdict(sitting.change.hunk) == Verdict(Decision.KEEP, "a test needs it")


def test_words_are_found_in_any_case_of_letters_round_the_end_and_backwards() -> None:
    sitting = Sitting.of(FILES, {})
    found = sitting.at_match("FIVE")
    assert found is not None
    assert found.at == 3
    back = sitting.at_match("more", -1)
    assert back is not None
    assert back.at == 8
    assert sitting.at_match("nowhere") is None


@given(
    st.lists(
        st.tuples(st.sampled_from([*Decision, "why", "because"]), st.integers(-9, 9)),
        max_size=12,
    )
)
def test_every_decision_can_be_undone_and_only_what_changed_is_recorded(
    steps: list[tuple[Decision | str, int]],
) -> None:
    start = Sitting.of(FILES, {})
    sitting, past = start, [start]
    for what, move in steps:
        sitting = sitting.moved(move)
        sitting = sitting.decided(what) if isinstance(what, Decision) else sitting.noted(what)
        past.append(sitting)
    recorded = changed_verdicts(start, sitting)
    touched = [one for one in start.changes if sitting.verdict(one.hunk) != UNDECIDED]
    assert sum(map(len, recorded.values())) == len(touched)
    for before in reversed(past[:-1]):
        sitting = sitting.undone()
        assert [sitting.verdict(one.hunk) for one in sitting.changes] == [
            before.verdict(one.hunk) for one in before.changes
        ]
    assert sitting.undone() == sitting
