"""Composed answers: the same for the same seed, with right results that are changes, and judged by them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.composed.answers import ComposedAnswer, filled
from tests.composed.fates import Fate, Judgement, Result, change, judgement, results_with
from tests.composed.samples import samples
from tests.composed.sets import RANDOM_SETS, SETS, WHOLE_SETS, answers_of

SERVER = Path(__file__).resolve().parents[2] / "server"
EDITED = ComposedAnswer(
    group="", name="", files={"a": "1\n", "b": "2\n"}, text="", right=({"a": "3\n", "b": None},)
)


@pytest.mark.parametrize("name", SETS)
def test_the_same_seed_makes_the_same_answers_with_names_of_their_own(name: str) -> None:
    one, again = (list(answers_of([name], 20, 7)) for _ in range(2))
    assert one == again
    assert {answer.group for answer in one} == {name}
    assert len({answer.name for answer in one}) == len(one)


@pytest.mark.parametrize("name", RANDOM_SETS)
def test_another_seed_makes_other_answers_and_a_count_as_many(name: str) -> None:
    one, other = (list(answers_of([name], 20, seed)) for seed in (1, 2))
    assert len(one) == len(other) == 20
    assert one != other


@pytest.mark.parametrize("name", WHOLE_SETS)
def test_no_two_answers_are_the_same(name: str) -> None:
    answers = list(answers_of([name], 0, 0))
    assert len({(*answer.files, answer.text) for answer in answers}) == len(answers)


def test_what_is_right_to_become_of_files_differs_from_them() -> None:
    known = [answer for answer in answers_of(WHOLE_SETS, 0, 0) if answer.right is not None]
    assert len(known) > 2000
    for answer in known:
        for changes in answer.right or ():
            assert changes, answer.name
            assert all(answer.files.get(path) != after for path, after in changes.items()), answer.name


def test_samples_and_answers_have_no_field_left_open() -> None:
    assert len({sample.path for sample in samples().values()}) == len(samples())
    for answer in answers_of(["manners", "requests"], 0, 0):
        assert "{path}" not in answer.text
        assert "{new_" not in answer.text


def test_a_template_shows_a_text_as_json_or_behind_a_sign() -> None:
    assert filled("{a}{a:-}{a:json}", {"a": 'x\n"y"\n'}) == 'x\n"y"\n-x\n-"y"\n"x\\n\\"y\\"\\n"'


@pytest.mark.parametrize(
    ("result", "fate", "judged"),
    [
        (Result({"a": "3\n", "b": None}), Fate.WRITTEN, Judgement.RIGHT),
        (Result({"a": "\n3 \n", "b": None}), Fate.WRITTEN, Judgement.RIGHT),
        (Result({"a": "3\n"}), Fate.WRITTEN, Judgement.WRONG),
        (Result({}, {"a": "3\n", "b": None}), Fate.PROPOSED, Judgement.RIGHT),
        (Result({}, {"a": "3\n"}), Fate.PROPOSED, Judgement.WRONG_WITH_A_YES),
        (Result(), Fate.REFUSED, Judgement.MISSED),
        (Result(raised="ValueError"), Fate.RAISED, Judgement.WRONG),
    ],
)
def test_a_result_is_judged_by_what_is_written_first(result: Result, fate: Fate, judged: Judgement) -> None:
    assert result.fate is fate
    assert judgement(EDITED, result) is judged
    assert judgement(replace(EDITED, right=None), result) is None


def test_where_nothing_may_be_written_a_proposal_is_not_judged() -> None:
    left_alone = replace(EDITED, right=())
    assert judgement(left_alone, Result({}, {"a": "3\n"})) is Judgement.RIGHT
    assert judgement(left_alone, Result({"a": "3\n"})) is Judgement.WRONG


def test_what_differs_between_two_versions_is_named() -> None:
    written, other, proposed = Result({"a": "3\n"}), Result({"a": "4\n"}), Result({}, {"a": "3\n"})
    unknown = replace(EDITED, right=None)
    assert change(unknown, written, written) is None
    assert change(unknown, written, proposed) == "written → proposed"
    assert change(unknown, written, other) == "written, another text"
    assert change(unknown, proposed, replace(proposed, with_yes={"a": "4\n"})) == (
        "proposed, another text with a yes"
    )
    assert change(unknown, written, replace(written, reasons=("x",))) == "written, for other reasons"
    assert change(EDITED, written, proposed) == "written → proposed, wrong → wrong with a yes"


def test_each_set_is_read_by_the_code_of_a_checkout_and_none_of_some_is_made_wrong() -> None:
    every = {"headings": 200, "manners": 43, "requests": 83, "parts": 10, "several": 10}
    answers = [answer for name in SETS for answer in list(answers_of([name], 60, 0))[:: every[name]]]
    results = results_with(SERVER, answers)
    assert len(results) == len(answers)
    assert {result.fate for result in results} == {Fate.WRITTEN, Fate.PROPOSED, Fate.REFUSED}
    judged = [judgement(answer, result) for answer, result in zip(answers, results, strict=True)]
    assert judged.count(Judgement.RIGHT) >= 35
    assert not {Judgement.WRONG, Judgement.WRONG_WITH_A_YES} & set(judged)


def test_the_code_of_another_checkout_is_what_reads_the_answers_and_may_raise(tmp_path: Path) -> None:
    (tmp_path / "patchpoint").mkdir()
    code = "def apply_edits(files, text, accept=()):\n    raise KeyError(text)\n"
    (tmp_path / "patchpoint" / "__init__.py").write_text(code, encoding="utf-8")
    asked = replace(EDITED, text="é")
    assert results_with(tmp_path, [asked]) == [Result(raised="KeyError: 'é'")]
    assert change(asked, Result(), Result(raised="x")) == "refused → raised, missed → wrong"
