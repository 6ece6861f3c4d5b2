"""A value that a sentence says becomes another one is changed where the file gives the name that value."""

from __future__ import annotations

import pytest

from patchpoint import Status, apply_edits

FILES = {
    "s.ts": "export const LIMIT = 20;\nconst x = { limit: 20 };\n",
    "conf.toml": '[a]\nmax = 3\nname = "x"\n',
}


@pytest.mark.parametrize(
    ("sentence", "path", "old", "new"),
    [
        ("In `s.ts`, change `LIMIT` from `20` to `5`.", "s.ts", "= 20", "= 5"),
        ("Dans `conf.toml`, changez `max` de `3` à `9`.", "conf.toml", "= 3", "= 9"),
        ("`s.ts` の `LIMIT` を `20` から `12` に変更します。", "s.ts", "= 20", "= 12"),
    ],
)
def test_the_value_that_a_sentence_changes_is_shown(sentence: str, path: str, old: str, new: str) -> None:
    assert apply_edits(FILES, f"{sentence}\n").files == FILES
    after = apply_edits(FILES, f"{sentence}\n", accept="all").files
    assert after == {**FILES, path: FILES[path].replace(old, new)}


@pytest.mark.parametrize(
    "answer",
    [
        "Bump `LIMIT` from `20` to `5` in `s.ts`.",
        "This changed `LIMIT` from `20` to `5` in `s.ts`.",
        "In `s.ts` änderst du `LIMIT` von `20` auf `5`.",
        "Lower the limit: in `s.ts` the constant `LIMIT` goes down from `20` to `5`, so set it.",
        "打开 `s.ts`，将 `LIMIT` 由 `20` 改为 `5`。",
    ],
)
def test_a_sentence_that_says_more_is_shown(answer: str) -> None:
    report = apply_edits(FILES, f"{answer}\n")
    assert report.files == FILES
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    after = apply_edits(FILES, f"{answer}\n", accept="all").files
    assert after == {**FILES, "s.ts": FILES["s.ts"].replace("= 20", "= 5")}


@pytest.mark.parametrize(
    "sentence",
    [
        "In `s.ts`, change `LIMIT` from `21` to `5`.",
        "I changed `LIMIT` from `20` to `5` in `s.ts`.",
        "In `s.ts`, do not change `LIMIT` from `20` to `5`.",
        "You could change `LIMIT` from `20` to `5` in `s.ts`.",
        "Should we change `LIMIT` from `20` to `5` in `s.ts`?",
    ],
)
def test_another_value_and_what_asks_for_nothing_change_nothing(sentence: str) -> None:
    assert apply_edits(FILES, f"{sentence}\n", accept="all").files == FILES


def test_a_recap_of_a_change_is_not_asked_for_once_more() -> None:
    answer = "In `s.ts`, change `LIMIT` from `20` to `5`.\n\nIn `s.ts`, changed `LIMIT` from `20` to `5`.\n"
    after = apply_edits(FILES, answer, accept="all").files
    assert after == {**FILES, "s.ts": FILES["s.ts"].replace("= 20", "= 5")}


def test_a_line_is_proposed_for_each_verb_of_a_sentence() -> None:
    files = {"A.java": "class A {\n    int a;\n    int z;\n}\n", "B.java": "class B {\n    String b;\n}\n"}
    answer = (
        "In `A.java`, add `int n;` right below `int a;`, and in `B.java` add `int n;` below `String b;`.\n"
    )
    assert apply_edits(files, answer).files == files
    after = apply_edits(files, answer, accept="all").files
    assert after == {
        "A.java": "class A {\n    int a;\n    int n;\n    int z;\n}\n",
        "B.java": "class B {\n    String b;\n    int n;\n}\n",
    }


GRADLE = "  minSdk has('minSdk') ? ext.minSdk : 22\n  other 22\n"


def test_the_value_that_a_line_has_next_to_the_name_is_shown() -> None:
    answer = "Change `minSdk` from `22` to `23` in `b.gradle`.\n"
    report = apply_edits({"b.gradle": GRADLE}, answer)
    assert report.files["b.gradle"] == GRADLE
    accepted = apply_edits({"b.gradle": GRADLE}, answer, accept="all").files["b.gradle"]
    assert accepted == GRADLE.replace("minSdk : 22", "minSdk : 23")


@pytest.mark.parametrize(
    "text",
    [
        GRADLE + "  ext.minSdk ?: 22\n",
        "  minSdk has('minSdk', 22) ? ext.minSdk : 22\n",
        "  minSdk has('minSdk') ? ext.minSdk : 22.1\n",
        "  minSdkOld has('x') ? y : 22\n",
    ],
)
def test_where_the_name_or_the_value_is_there_again_or_in_part_nothing_is_shown(text: str) -> None:
    report = apply_edits({"b.gradle": text}, "Change `minSdk` from `22` to `23` in `b.gradle`.\n")
    assert not report.proposals
    assert report.files["b.gradle"] == text
