"""Whether a text parses, in each language, and whether it still does after a change."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchpoint.structure.languages import LANGUAGES, MAX_CHARACTERS, Language, languages_of
from patchpoint.structure.parse import Judgement, TextBefore, Verdict, judge
from patchpoint.structure.problem import MAX_DEPTH, UnjudgedError, require_judgeable

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "tests" / "data" / "structure").iterdir())
SUFFIXES = sorted({suffix for language in LANGUAGES for suffix in language.suffixes})


def example(folder: Path, name: str) -> tuple[Path, str]:
    path = next(folder.glob(f"{name}*"))
    return path, path.read_text(encoding="utf-8")


def problem_after(path: str, before: str, after: str) -> str:
    return str(TextBefore(path, before).problem_of(after) or "")


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_each_language_tells_what_parses_from_what_does_not_and_where(folder: Path) -> None:
    path, sound = example(folder, "sound")
    broken_path, broken = example(folder, "broken")
    assert judge(str(path), sound).verdict is Verdict.PARSES
    judgement = judge(str(path), broken)
    assert judgement.verdict is Verdict.BROKEN
    assert judgement.problem is not None
    assert judgement.problem.line == int(broken_path.stem.partition("_")[2])
    assert judgement.problem.message
    before = TextBefore(str(path), sound)
    assert before.problem_of(broken) is not None
    assert before.problem_of(sound + "\n") is None
    assert TextBefore(str(path), broken).problem_of(sound) is None


def test_there_is_an_example_of_every_language() -> None:
    judged = {
        judge(str(path), path.read_text(encoding="utf-8")).language
        for folder in EXAMPLES
        for path in folder.glob("sound*")
    }
    assert judged == set(LANGUAGES)


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one.grammar], ids=lambda one: one.name)
def test_every_grammar_is_a_declared_dependency(language: Language) -> None:
    declared = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    package = "tree-sitter-" + language.grammar.partition(":")[0].replace("_", "-")
    assert f'"{package}>=' in declared


@pytest.mark.parametrize("path", ["notes.md", "Makefile", "", "a.unknown", "go", ".go/x"])
def test_a_file_of_an_unknown_language_is_not_judged(path: str) -> None:
    assert judge(path, "((((") == Judgement(Verdict.UNJUDGED)
    assert not problem_after(path, "fine", "((((")


@pytest.mark.parametrize(
    ("path", "with_comments"),
    [
        ("tsconfig.json", True),
        ("web/tsconfig.build.json", True),
        ("C:\\app\\.vscode\\settings.json", True),
        ("settings.jsonc", True),
        ("package.json", False),
    ],
)
def test_comments_are_json_where_they_are_usual(path: str, with_comments: bool) -> None:
    plain = '{"a": [1, 2], "b": "// no comment, /* nor this"}'
    commented = '{"a": [1, 2,], // one\n "b": /* two */ "x,]"}'
    assert judge(path, plain).verdict is Verdict.PARSES
    assert (judge(path, commented).verdict is Verdict.PARSES) == with_comments
    assert bool(problem_after(path, plain, commented)) != with_comments


def test_a_json_file_with_comments_keeps_them_and_one_without_gets_none() -> None:
    assert not problem_after("data.json", "// why\n[1]", "// why\n[1, 2,]")
    assert problem_after("data.json", "[1]", "[1, 2,]") == "line 1, column 7: Expecting value"


@pytest.mark.parametrize(
    "broken", ["[]", '{"cells": 1}', '{"cells": [1]}', '{"cells": [{"cell_type": "code"}]}']
)
def test_a_notebook_needs_its_cells(broken: str) -> None:
    problem = judge("a.ipynb", broken).problem
    assert problem is not None
    assert "no list of cells" in problem.message


@pytest.mark.parametrize(
    ("path", "sound", "broken"),
    [("a.py", "x = 1\n", "x = (\n"), ("a.json", "[1]", "[1"), ("a.go", "package a\n", "package (")],
)
def test_a_byte_order_mark_does_not_keep_a_text_from_being_judged(path: str, sound: str, broken: str) -> None:
    assert problem_after(path, "\ufeff" + sound, "\ufeff" + broken)
    assert not problem_after(path, "\ufeff" + sound, sound)


def test_a_place_is_counted_in_characters_and_in_lines_of_any_ending() -> None:
    assert problem_after("a.ts", "let a = 1;", "// é\r\nlet é𝒳 = (1;") == "line 2, column 12: ')' is missing"


def test_a_text_that_did_not_parse_is_judged_by_nobody() -> None:
    assert not problem_after("a.c", "MACRO(x) { int a; \n", "MACRO(x) {{{ int a; \n")


@pytest.mark.parametrize("path", ["a.py", "a.ts", "a.js", "a.json"])
def test_the_text_before_an_edit_is_not_judged_where_the_one_after_it_parses(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[str] = []

    def noted(path: str, text: str) -> Judgement:
        judged.append(text)
        return judge(path, text)

    monkeypatch.setattr("patchpoint.structure.parse.judge", noted)
    assert not problem_after(path, "[1]", "[1, 2]")
    assert not judged
    assert problem_after(path, "[1]", "[1, 2")
    assert judged == ["[1]"]


@given(st.integers(0, 600), st.integers(495, 505), st.sampled_from("-=*é1"))
def test_a_long_run_of_one_symbol_is_not_judged(start: int, length: int, symbol: str) -> None:
    text = "//" + "ab" * (start // 2) + "c" * (start % 2) + symbol * length + "d\n"
    unjudged = length >= 500 and not symbol.isalnum()
    assert (judge("a.ts", text).verdict is Verdict.UNJUDGED) == unjudged


def depth_of(text: str) -> int:
    """Return the greatest number of brackets that are open at once."""
    depth = deepest = 0
    for character in text:
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth = max(0, depth - 1)
        deepest = max(deepest, depth)
    return deepest


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["(", "[", "{x", "()", "}", "]", ")", "({[", "]})", "é"]), st.integers(1, 120)
        )
    )
)
def test_a_text_is_as_deep_as_its_brackets(parts: list[tuple[str, int]]) -> None:
    text = "".join(part * count for part, count in parts)
    try:
        require_judgeable(text, len(text))
        too_deep = False
    except UnjudgedError:
        too_deep = True
    assert too_deep == (depth_of(text) > MAX_DEPTH)


def test_a_large_text_or_a_deep_one_is_not_judged() -> None:
    line = "a = 1;\n"
    many = line * (MAX_CHARACTERS // len(line) + 1)
    deep = "a = " + "(" * (MAX_DEPTH + 1) + "1" + ")" * (MAX_DEPTH + 1) + ";\n"
    for text in (many, deep):
        assert judge("a.js", text).verdict is Verdict.UNJUDGED
        assert not problem_after("a.js", line, text)
    assert judge("a.yaml", "- " * 400 + "a\n").verdict is Verdict.UNJUDGED
    assert judge("a.json", "[" + "1,\n" * MAX_CHARACTERS + "1]").verdict is Verdict.PARSES


@pytest.mark.parametrize("unit", ["<", '"', "{(", "a::b<", ",/*", ") a", "}{", "${", "<a>", "`"])
@pytest.mark.parametrize("path", ["a.js", "a.rs", "a.java", "a.cpp", "a.sh"])
def test_a_text_that_would_take_a_parser_long_is_given_up(path: str, unit: str) -> None:
    # Without the limits, most of these take minutes or end the process.
    text = unit * (MAX_CHARACTERS // len(unit))
    assert judge(path, text).verdict is not Verdict.PARSES


TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(
            ["(", ")", "{", "}", "[", "]", "<", ">", '"', "'", "`", "/*", "*/", "//", "#", "<<A\n", "A\n",
             "\n", "\r\n", "  ", "- ", "a", ":", ",", "=", "end", "def f", "fn", "if ", "\x00", "\ud800",
             "\ufeff", "<?php", "${", "%w", "é"]
        ),
        max_size=40,
    ).map("".join),
)  # fmt: skip


@settings(deadline=None)
@given(
    st.one_of(st.sampled_from(SUFFIXES).map(lambda suffix: "a" + suffix), st.text(max_size=8)), TEXTS, TEXTS
)
def test_no_text_and_no_path_make_it_raise(path: str, before: str, after: str) -> None:
    problem = TextBefore(path, before).problem_of(after)
    assert problem is None or judge(path, before).verdict is Verdict.PARSES
    judgement = judge(path, after)
    assert (judgement.problem is not None) == (judgement.verdict is Verdict.BROKEN)
    if judgement.problem is not None:
        lines = re.split("\r\n|\n|\r", after.removeprefix("\ufeff"))
        assert judgement.problem.column >= 1
        # Python counts a form feed and others as the beginning of a line, and one more at the end.
        assert 1 <= judgement.problem.line <= len(after.splitlines()) + len(lines) + 1


def test_the_first_language_of_a_shared_suffix_is_the_likeliest() -> None:
    assert [language.name for language in languages_of("a.js")] == ["JavaScript", "TSX"]
    assert [language.name for language in languages_of("a.H")] == ["C++", "C"]
    assert judge("a.js", "const a: number = 1").verdict is Verdict.PARSES


def test_no_grammar_is_imported_before_a_text_of_its_language_is_judged() -> None:
    script = (
        "import sys, patchpoint, patchpoint.cli, patchpoint.cli.apply, patchpoint.lsp.server\n"
        "from patchpoint import apply_edit\n"
        "def loaded(): return sorted(name for name in sys.modules if name.startswith('tree_sitter'))\n"
        "apply_edit('a = 1;\\n', 'a = 1;\\n', 'a = 2;\\n', path='a.go')\n"
        "assert not loaded(), loaded()\n"
        "apply_edit('package a\\n\\nvar  a = 1\\n', 'var a = 1\\n', 'var a = 2\\n', path='a.go')\n"
        "print([name for name in loaded() if '.' not in name])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == "['tree_sitter', 'tree_sitter_go']"
