"""Ways of which one is to be chosen: none is applied, and each can be named."""

from __future__ import annotations

import pytest

from patchpoint.edit import ObjectionCode
from patchpoint.formats.conversation.objections import objections_in
from tests.formats.exchanges import edit_spans


def diff(path: str) -> str:
    return f"```diff\n--- a/{path}\n+++ b/{path}\n@@ -1,1 +1,1 @@\n-one\n+two\n```\n"


A, B, C, D = map(diff, ("a.py", "b.py", "c.py", "d.py"))


def names(answer: str) -> dict[int, str]:
    found = objections_in(answer, edit_spans(answer))
    assert all(each.code is ObjectionCode.ALTERNATIVE and each.words for each in found.values())
    return {index: each.name for index, each in found.items()}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Option A", "Option B"),
        ("Option 1", "Option 2"),
        ("Approach 1", "Approach 2"),
        ("Alternative 1", "Alternative 2"),
        ("Variant A", "Variant B"),
        ("Solution one", "Solution two"),
        ("Method 1", "Method 2"),
        ("Variante 1", "Variante 2"),
        ("Möglichkeit A", "Möglichkeit B"),
        ("Lösung 1", "Lösung 2"),
        ("Approche 1", "Approche 2"),
        ("Opción A", "Opción B"),
        ("Opção 1", "Opção 2"),
        ("Вариант 1", "Вариант 2"),
        ("Способ А", "Способ Б"),
        ("方案一", "方案二"),
        ("方法1", "方法2"),
        ("案A", "案B"),
        ("オプション1", "オプション2"),
        ("第一种方案", "第二种方案"),
        ("A案", "B案"),
        ("Plan A", "Plan B"),
        ("First option", "Second option"),
        ("Erste Möglichkeit", "Zweite Möglichkeit"),
        ("Première solution", "Deuxième solution"),
    ],
)
@pytest.mark.parametrize(
    "form",
    [
        "### {}",
        "## {}: the short one",
        "**{}**",
        "**{}:** the short one",
        "{}:",
        "{} (the short one)",
        "- {}: so",
    ],
)
def test_the_members_of_a_series_are_alternatives(first: str, second: str, form: str) -> None:
    answer = f"There are two ways.\n\n{form.format(first)}\n\n{A}\n{form.format(second)}\n\n{B}"
    assert names(answer) == {0: first, 1: second}


def test_all_that_is_below_a_heading_belongs_to_its_option() -> None:
    answer = f"### Option A\n\n{A}\nAnd then:\n\n{B}\n### Option B\n\nIn short:\n\n{C}"
    assert names(answer) == {0: "Option A", 1: "Option A", 2: "Option B"}


def test_what_is_outside_of_the_series_is_no_alternative() -> None:
    answer = f"First the import:\n\n{A}\n## Option A\n\n{B}\n## Option B\n\n{C}\n## Changelog\n\n{D}"
    assert names(answer) == {1: "Option A", 2: "Option B"}
    either_way = f"Option A: so.\n\n{A}\nOption B: or so.\n\n{B}\nEither way, add this:\n\n{C}"
    assert names(either_way) == {0: "Option A", 1: "Option B"}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Step 1", "Step 2"),
        ("1. Rename it", "2. Call it"),
        ("Part A", "Part B"),
        ("Phase 1", "Phase 2"),
        ("First", "Then"),
        ("Change 1", "Change 2"),
        ("File 1", "File 2"),
        ("`a.py`", "`b.py`"),
        ("Schritt 1", "Schritt 2"),
        ("第一步", "第二步"),
        ("手順1", "手順2"),
        ("Шаг 1", "Шаг 2"),
    ],
)
@pytest.mark.parametrize("form", ["### {}", "**{}**", "{}:"])
def test_steps_files_and_parts_are_no_alternatives(first: str, second: str, form: str) -> None:
    assert not names(f"Do both.\n\n{form.format(first)}\n\n{A}\n{form.format(second)}\n\n{B}")


def test_an_option_whose_code_is_not_read_is_one_all_the_same() -> None:
    sample = "```console\nnpm run start\n```\n"
    assert names(f"### Option A\n\n{A}\n### Option B\n\n{sample}") == {0: "Option A"}
    assert names(f"### Option A\n\n{sample}\n### Recommended: Option B\n\n{B}") == {0: "Option B"}


def test_versions_methods_and_issues_are_no_alternatives() -> None:
    for first, second in (
        ("Version 1.2", "Version 1.3"),
        ("Method `get`", "Method `set`"),
        ("Issue 1", "Issue 2"),
    ):
        assert not names(f"## {first}\n\n{A}\n## {second}\n\n{B}")


def test_one_option_alone_is_none() -> None:
    assert not names(f"### Option A\n\n{A}\nThen:\n\n{B}")
    assert not names(f"With option 1 of the command line set, change it:\n\n{A}\nAnd:\n\n{B}")
    assert not names(f"Option A is the default, so:\n\n{A}\nOption B is read here:\n\n{B}")


@pytest.mark.parametrize(
    "said",
    [
        "Alternatively, change the other file:",
        "Or, if you prefer, change the other file:",
        "or in `b.py` itself:",
        "Another way is:",
        "But a better option is:",
        "A cleaner alternative is to do it in the other file:",
        "If you prefer a stricter check:",
        "### Alternative solution",
        "要么这样：",
        "An alternative would be:",
        "### Alternative",
        "**Alternative:**",
        "As an alternative:",
        "Instead of the above, you can write:",
        "Alternativ geht auch:",
        "Oder so:",
        "Eine andere Möglichkeit:",
        "Ou bien, dans l'autre fichier :",
        "Une autre solution :",
        "O bien, en el otro archivo:",
        "Otra opción:",
        "Ou, no outro arquivo:",
        "Outra opção:",
        "Или так:",
        "Другой способ:",
        "或者：",
        "另一种方法：",
        "または、次のようにします：",
        "別の方法：",
    ],
)
def test_another_way_makes_alternatives_of_itself_and_what_is_before_it(said: str) -> None:
    assert names(f"Change the file:\n\n{A}\n{said}\n\n{B}") == {0: "1", 1: "2"}


def test_either_and_or_make_alternatives() -> None:
    assert names(f"Either change the caller:\n\n{A}\nor the function:\n\n{B}\nOne of them is enough.\n") == {
        0: "1",
        1: "2",
    }


@pytest.mark.parametrize(
    "said",
    [
        "One of them is enough.",
        "Pick one.",
        "Eine davon reicht.",
        "二选一即可。",
        "Достаточно одного из них.",
    ],
)
def test_a_sentence_below_says_that_one_is_to_be_chosen(said: str) -> None:
    assert names(f"The caller:\n\n{A}\nThe function:\n\n{B}\n{said}\n") == {0: "1", 1: "2"}


def test_another_way_reaches_back_to_the_heading_of_its_change() -> None:
    answer = f"## The import\n\n{A}\n## The call\n\n{B}\nAlternatively:\n\n{C}\n## The docs\n\n{D}"
    assert names(answer) == {1: "1", 2: "2"}


@pytest.mark.parametrize(
    "said",
    [
        "Alternatively, set `X=1`. That needs no change.",
        "If you would rather not, tell me.",
    ],
)
def test_another_way_without_an_edit_is_none(said: str) -> None:
    assert not names(f"The caller:\n\n{A}\n{said}\n\nNow the function:\n\n{B}")


@pytest.mark.parametrize(
    "said",
    [
        "O método `b` fica assim:",
        "Orders are counted here:",
        "Or else it fails. Change it:",
        "The other file needs it too:",
        "Instead of a list, return a tuple:",
        "Ordne sie so an:",
    ],
)
def test_words_that_begin_like_another_way_make_none(said: str) -> None:
    assert not names(f"The caller:\n\n{A}\n{said}\n\n{B}")


@pytest.mark.parametrize(
    "said",
    [
        "There are two ways to fix this.",
        "You have several options:",
        "Pick one of the following.",
        "Es gibt zwei Möglichkeiten:",
        "Il y a deux façons de corriger cela :",
        "Hay dos formas de hacerlo:",
        "Há duas formas de corrigir:",
        "Есть два способа:",
        "有两种方法：",
        "方法は二つあります。",
    ],
)
@pytest.mark.parametrize("form", ["**{}**", "### {}", "1. {}:"])
def test_ways_that_are_announced_above_their_headings_are_alternatives(said: str, form: str) -> None:
    one, other = form.format("In the caller"), form.format("In the function")
    assert names(f"{said}\n\n{one}\n\n{A}\n{other}\n\n{B}\nEither way, add this:\n\n{C}") == {0: "1", 1: "2"}


@pytest.mark.parametrize(
    "said",
    [
        "There are two things to fix.",
        "There are two ways in which it fails.",
        "There are two options in the file that have to change.",
        "There are two ways to fix this. I chose the faster one.",
    ],
)
def test_headings_below_other_sentences_head_no_alternatives(said: str) -> None:
    assert not names(f"{said}\n\n### In the caller\n\n{A}\n### In the function\n\n{B}")


def test_a_rejected_option_is_taken_back_rather_than_offered() -> None:
    answer = f"### Option A\n\nThis was rejected in review:\n\n{A}\n### Option B\n\n{B}"
    found = objections_in(answer, edit_spans(answer))
    assert [each.code for each in found.values()] == [ObjectionCode.RETRACTED, ObjectionCode.ALTERNATIVE]
