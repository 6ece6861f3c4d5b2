"""The open benchmark of applying edits: its cases, its engines, and what it makes of their answers."""

from __future__ import annotations

import ast
import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from patchpoint import apply_edit
from patchpoint.cli import main
from patchpoint.cli.demo import bench
from tests.applying.cases import CASES, SOURCES, Case, Verdict, read_cases, row_of
from tests.applying.engines import ADAPTERS, Answer, Engine, MissingEngineError, engines
from tests.applying.make import cases_of
from tests.applying.misquotes import MISQUOTES
from tests.applying.results import (
    RESULTS,
    errata,
    read_head,
    read_results,
    result_of,
    tables,
    write_results,
)
from tools.benchmark_page import PAGE, with_results

PERMISSIVE = {"MIT", "BSD-3-Clause", "Apache-2.0", "ISC", "MIT OR Apache-2.0"}


def case(text: str, *right: str, place: tuple[int, int] | None = None) -> Case:
    return Case(
        name="a case 1", kind="a case", source="", licence="", text=text, search="b\n", replace="c\n",
        right=right, place=place,
    )  # fmt: skip


def engine(tmp_path: Path, answer: str) -> Engine:
    """An engine that is a program of its own, as another language's would be; `answer` is an expression."""
    script = tmp_path / "engine.py"
    script.write_text(
        "import json, sys, time\nprint(json.dumps({'version': '7'}), flush=True)\n"
        f"for line in sys.stdin:\n    case = json.loads(line)\n    print(json.dumps({answer}), flush=True)\n",
        encoding="utf-8",
    )
    return Engine("own", [sys.executable, str(script)])


def test_a_result_is_right_altered_wrong_or_refused() -> None:
    edited = case("a\nb\nkept\nd\n", "a\nc\nkept\nd\n", place=(1, 3))
    assert edited.verdict("a\nc\nkept\nd\n") is Verdict.RIGHT
    assert edited.verdict("a\nc\nd\n") is Verdict.ALTERED
    assert edited.verdict("a\nb\nkept\nc\n") is Verdict.WRONG
    assert edited.verdict("c\nb\nkept\nd\n") is Verdict.WRONG
    assert edited.verdict(None) is Verdict.REFUSED
    assert edited.verdict(edited.text) is Verdict.REFUSED


def test_patchpoint_writes_no_case_at_a_wrong_place() -> None:
    written = {
        one.name: apply_edit(one.text, one.search, one.replace, path=one.source).text for one in read_cases()
    }
    assert [one.name for one in read_cases() if one.verdict(written[one.name]) is Verdict.WRONG] == []


def test_where_nothing_may_be_written_refusing_is_right_and_writing_is_wrong() -> None:
    gone = case("a\nd\n")
    assert gone.verdict(None) is Verdict.RIGHT
    assert gone.verdict("a\nc\n") is Verdict.WRONG


def test_there_are_as_many_cases_of_each_kind_and_each_is_what_its_kind_says() -> None:
    cases = list(read_cases())
    kinds = [one.kind for one in cases]
    assert {kind: kinds.count(kind) for kind in MISQUOTES} == dict.fromkeys(MISQUOTES, 12)
    assert len({one.name for one in cases}) == len(cases)
    for one in cases:
        assert one.licence in PERMISSIVE
        assert (one.search in one.text) == one.kind.startswith("exact"), one.name
        assert one.text not in one.right, one.name
        assert (one.place is not None) == bool(one.right), one.name
        assert all(one.verdict(right) is Verdict.RIGHT for right in one.right)
    assert len({one.source.rpartition(".")[2] for one in cases}) >= 9


def test_a_case_is_kept_as_what_differs_from_its_source() -> None:
    rows = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    for row, one in list(zip(rows, read_cases(), strict=True))[::24]:
        assert json.loads(json.dumps(row_of(one))) == row


def test_each_source_has_its_licence_next_to_it_and_is_what_was_published() -> None:
    for row in json.loads((SOURCES / "sources.json").read_text(encoding="utf-8")):
        file = SOURCES / row["source"]
        assert hashlib.sha256(file.read_bytes()).hexdigest() == row["sha256"], row["source"]
        assert (file.parent / "LICENSE").stat().st_size > 500
        assert row["licence"] in PERMISSIVE


def test_the_same_seed_makes_the_same_cases() -> None:
    assert list(cases_of("exact", 3, 5)) == list(cases_of("exact", 3, 5))
    assert list(cases_of("exact", 3, 5)) != list(cases_of("exact", 3, 6))


@pytest.mark.parametrize("adapter", sorted(ADAPTERS.glob("*.py")), ids=lambda path: path.stem)
def test_an_adapter_has_at_most_twenty_lines_and_does_nothing_else_than_apply(adapter: Path) -> None:
    lines = adapter.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 20
    assert max(map(len, lines)) <= 110
    functions = [node for node in ast.parse("\n".join(lines)).body if isinstance(node, ast.FunctionDef)]
    assert [function.name for function in functions] == ["apply"]


def test_every_engine_that_is_installed_applies_a_search_text_that_is_there_once(tmp_path: Path) -> None:
    exact = [one for one in read_cases() if one.kind == "exact"][:2]
    there = []
    for one in engines():
        try:
            with one.started(0):
                answers = [one.answer(each, 10) for each in exact]
        except MissingEngineError:
            continue
        there.append(one.name)
        if one.name != "diff_match_patch":
            assert [each.verdict(given.after) for each, given in zip(exact, answers, strict=True)] == [
                Verdict.RIGHT
            ] * 2
        assert not any(given.error for given in answers)
        assert one.version
    assert {"patchpoint", "str_replace", "difflib_window", "diff_match_patch"} <= set(there)


def test_an_engine_may_be_any_program_that_answers_one_case_a_line(tmp_path: Path) -> None:
    edited = case("a\nb\n", "a\nc\n", place=(1, 2))
    own = engine(
        tmp_path, "{'after': case['text'].replace(case['search'], case['replace']), 'milliseconds': 2}"
    )
    with own.started(0):
        answer = own.answer(edited, 10)
    assert (own.version, answer.after, answer.milliseconds) == ("7", "a\nc\n", 2.0)


def test_an_engine_that_takes_too_long_is_ended_and_asked_the_next_case_all_the_same(tmp_path: Path) -> None:
    own = engine(
        tmp_path, "time.sleep(60) if case['search'] == 'b\\n' else {'after': 'done', 'milliseconds': 1}"
    )
    slow = case("a\nb\n", "a\nc\n", place=(1, 2))
    quick = Case(**{name: getattr(slow, name) for name in Case.__slots__} | {"search": "a\n"})
    with own.started(0):
        late = own.answer(slow, 0.5)
        assert late.is_late
        assert late.after is None
        assert own.answer(quick, 10).after == "done"


def test_an_engine_that_is_not_installed_says_so() -> None:
    missing = Engine("none", [sys.executable, "-m", "tests.applying.answer", "no_such_adapter"])
    with pytest.raises(MissingEngineError, match="no_such_adapter"), missing.started(0):
        pass


def test_what_differs_between_runs_is_counted_and_rows_in_which_we_lose_come_first(tmp_path: Path) -> None:
    edited = case("a\nb\n", "a\nc\n", place=(1, 2))
    good = engine(tmp_path, "{'after': 'a\\nc\\n', 'milliseconds': 1}")
    with good.started(0):
        right, none = good.answer(edited, 10), good.answer(case("x"), 10)
    better = result_of(good, [edited], [[right], [none]])
    assert better.unstable == ()
    ours = result_of(Engine("patchpoint", []), [edited], [[Answer(None, 5.0)], [right]])
    assert ours.unstable == ("a case 1",)
    (title, table), *_ = tables([ours, better])
    assert title == "Where Patchpoint loses"
    assert table[1:] == [["a case: right", "0", "own 1"], ["median time of a case", "3.00 ms", "own 1.00 ms"]]


def test_an_engine_that_is_measured_alone_joins_the_others_of_the_same_day(tmp_path: Path) -> None:
    edited = case("a\nb\n", "a\nc\n", place=(1, 2))
    one, two = (result_of(Engine(name, []), [edited], [[Answer(None, 1)]]) for name in ("one", "two"))
    file = tmp_path / "results.json"
    write_results(file, "2026-11-26", 1, [one])
    write_results(file, "2026-11-26", 1, [two])
    assert [result.name for result in read_results(file)] == ["one", "two"]
    write_results(file, "2026-11-27", 1, [two])
    assert [result.name for result in read_results(file)] == ["two"]


def test_the_tables_of_the_page_are_those_of_the_newest_results() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert written == with_results(written), "run `make docs` (python -m tools.benchmark_page)"
    assert written.index("Where Patchpoint loses") < written.index("All cases")


def test_the_newest_results_are_of_these_cases_in_five_runs() -> None:
    newest = max(RESULTS.glob("*.json"))
    head = read_head(newest)
    assert head["runs"] == 5
    assert head["count"] + len(errata()) == len(list(read_cases()))
    measured = {result.name for result in read_results(newest)}
    assert measured == {path.stem for path in ADAPTERS.glob("*.py")}
    assert head["cases"] == hashlib.sha256(CASES.read_bytes()).hexdigest()


def test_the_command_runs_it_in_a_clone() -> None:
    words = ["bench", "--only", "str_replace", "--only", "patchpoint", "--kind", "exact", "--runs", "2"]
    done = subprocess.run(
        [sys.executable, "-m", "patchpoint", *words], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Where Patchpoint loses")
    assert "str_replace" in done.stdout


def test_an_installed_package_says_where_the_benchmark_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "CLONE", tmp_path)
    assert main(["bench"]) == 3
    assert "`make setup` and `.venv/bin/patchpoint bench` in a clone" in capsys.readouterr().err
