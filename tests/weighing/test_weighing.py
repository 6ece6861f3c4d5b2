"""Weighing: cases whose right result is known, and what changes when a guard or a rung is left out."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from patchpoint import Ladder
from patchpoint.outcome import Guard, Rung
from patchpoint.structure.parse import TextBefore
from tests.weighing.cases import Case, Judgement
from tests.weighing.mistakes import MISTAKES, mistaken_edits
from tests.weighing.recorded import recorded_cases
from tests.weighing.rows import rows
from tests.weighing.sets import SETS, Wanted, cases_of
from tests.weighing.sources import sources
from tests.weighing.weights import weigh, weights_of

MOST_WRONG = {"sibling gone": 2, "wrapped statement": 3}
"""Of forty; what is wrong today is for the next change to lessen, and none may add to it."""


def some_cases(count: int) -> list[Case]:
    return [*list(rows())[::25], *cases_of("mistakes", Wanted(seed=7, count=count))]


def case(text: str, *right: str, region: tuple[int, int] | None = None) -> Case:
    return Case(group="", kind="", name="", text=text, search="", replace="", right=right, region=region)


def test_a_right_text_a_wrong_one_and_none_are_judged_apart() -> None:
    edited = case("a\nb\n", "a\nc\n")
    assert edited.judgement("a\nc\n") is Judgement.RIGHT
    assert edited.judgement("c\nb\n") is Judgement.WRONG
    assert edited.judgement(None) is Judgement.REFUSED
    assert edited.judgement("a\nb\n") is Judgement.REFUSED
    assert case("a\n").judgement("b\n") is Judgement.WRONG


def test_where_only_the_region_is_known_what_changes_elsewhere_is_wrong() -> None:
    lines = [f"line {n}\n" for n in range(10)]
    edited = case("".join(lines), region=(4, 5))
    assert edited.judgement("".join([*lines[:4], "new\n", *lines[5:]])) is Judgement.RIGHT
    assert edited.judgement("".join([*lines[:7], "new\n", *lines[8:]])) is Judgement.WRONG


def test_there_are_sources_in_ten_languages_that_parse_whatever_their_words_are() -> None:
    for seed in range(3):
        made = sources(random.Random(seed))
        assert len({Path(source.path).suffix for source in made}) == 10
        for source in made:
            before = TextBefore(source.path, "")
            assert before.problem_of("\n".join(source.lines) + "\n") is None, source.path


@pytest.mark.parametrize("kind", MISTAKES)
def test_edits_with_a_mistake_are_written_rightly_or_not_at_all(kind: str) -> None:
    edits = list(mistaken_edits(kind, 40, 1))
    wrong = []
    for source, edit in edits:
        made = Case(
            group="", kind=kind, name="", text=edit.text, search=edit.search, replace=edit.replace,
            path=source.path, right=edit.right,
        )  # fmt: skip
        if made.judgement(made.outcome(Ladder()).text) is Judgement.WRONG:
            wrong.append((source.path, edit.search, edit.replace))
    assert len(edits) == 40
    assert len({source.path for source, _ in edits}) >= 5
    assert len(wrong) <= MOST_WRONG.get(kind, 0), wrong


def test_the_same_seed_makes_the_same_cases_and_another_seed_others() -> None:
    one, again, other = (list(cases_of("mistakes", Wanted(seed=seed, count=3))) for seed in (1, 1, 2))
    assert one == again
    assert one != other


def test_rows_are_judged_together_and_none_is_written_wrongly() -> None:
    fates = [row.judgement(row.outcome(Ladder()).text) for row in rows()]
    wanted = [Judgement.RIGHT if row.right else Judgement.REFUSED for row in rows()]
    assert Judgement.WRONG not in fates
    agreeing = sum(fate is want for fate, want in zip(fates, wanted, strict=True))
    assert agreeing >= 0.95 * len(fates)


def test_rows_show_what_nearly_every_guard_is_for() -> None:
    shown = {row.outcome(Ladder()).guard for row in rows()}
    assert len(shown & set(Guard)) >= len(Guard) - 5


def test_what_a_guard_alone_stops_is_a_write_without_it() -> None:
    weighings = list(weigh(some_cases(4)))
    weights = weights_of(weighings)
    assert any(weights[guard].saves for guard in Guard)
    assert any(weights[guard].costs for guard in Guard)
    assert sum(weights[Rung.SIMILARITY].finds.values()) > 0
    for each in weighings:
        decided = [guard for guard, _ in each.without if guard is each.guard]
        assert len(decided) == (each.guard is not None)


def test_processes_do_not_change_what_is_weighed() -> None:
    assert list(weigh(some_cases(1), jobs=2)) == list(weigh(some_cases(1)))


def test_guards_left_out_together_write_more_than_each_alone() -> None:
    together = frozenset(Guard)
    weighings = list(weigh(some_cases(3), together=together))
    refused = [each for each in weighings if each.now is Judgement.REFUSED and each.guard is not None]
    assert refused
    assert any(each.together is not Judgement.REFUSED for each in refused)


def test_without_recorded_cases_there_are_none(tmp_path: Path) -> None:
    assert list(recorded_cases("real", tmp_path)) == []
    assert {"real", "drift", "mistakes", "rows"} <= set(SETS)
