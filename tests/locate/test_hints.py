"""Occurrence, line and scope choose among finds, and are never evidence by themselves."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchpoint import apply_edit, apply_edits
from patchpoint.locate import ladder
from patchpoint.locate.hints import Hints
from patchpoint.locate.ladder import Ladder, locate
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Quote
from patchpoint.outcome import Rung, Status
from patchpoint.progress import Silent
from tests.sampling import tries

TEXT = """\
class A:
    def run(self):
        return 1

    def stop(self):
        return 1


class B:
    def run(self):
        return 1
"""


def test_an_occurrence_is_counted_from_one() -> None:
    outcome = apply_edit(TEXT, "return 1", "return 2", occurrence=2)
    assert outcome.text is not None
    assert outcome.text.splitlines()[5] == "        return 2"


def test_an_occurrence_that_is_not_there_is_refused_with_the_reason() -> None:
    outcome = apply_edit(TEXT, "return 1", "return 2", occurrence=4)
    assert outcome.status is Status.NOT_FOUND
    assert "3 times" in outcome.message


def test_replace_all_replaces_every_one() -> None:
    outcome = apply_edit(TEXT, "return 1", "return 2", replace_all=True)
    assert outcome.text == TEXT.replace("return 1", "return 2")
    assert len(outcome.splices) == 3


def test_replace_all_works_on_rungs_that_compare_whole_text() -> None:
    outcome = apply_edit(
        TEXT,
        "    def run(self):\n            return 1\n",
        "    def run(self):\n            return 2\n",
        replace_all=True,
    )
    assert outcome.rung is Rung.INDENTATION
    assert outcome.text is not None
    assert outcome.text.count("return 2") == 2


def test_replace_all_never_works_by_similarity() -> None:
    search = "class A:\n    def run(this):\n        return 1\n\n    def stop(self):\n"
    assert apply_edit(TEXT, search, search.replace("1", "2")).rung is Rung.SIMILARITY
    outcome = apply_edit(TEXT, search, search.replace("1", "2"), replace_all=True)
    assert outcome.status is Status.NOT_FOUND


@pytest.mark.parametrize(("line", "changed"), [(3, 3), (6, 6), (10, 11), (400, 11)])
def test_a_line_chooses_the_find_that_is_clearly_nearest(line: int, changed: int) -> None:
    outcome = apply_edit(TEXT, "return 1", "return 2", line=line)
    if outcome.text is None:
        assert line == 400
        return
    assert outcome.text.splitlines()[changed - 1] == "        return 2"


def test_a_line_between_two_finds_chooses_none() -> None:
    assert apply_edit("x\na\na\na\nx\n", "x\n", "y\n", line=2).text == "y\na\na\na\nx\n"
    assert apply_edit("x\na\na\nx\n", "x\n", "y\n", line=2).status is Status.AMBIGUOUS


def test_a_line_is_held_against_where_a_find_begins_and_not_where_it_ends() -> None:
    body = "x\na\nb\nc\n"
    text = f"{body}d\n{body}"
    assert apply_edit(text, body, "y\n", line=5).text == f"{body}d\ny\n"
    assert apply_edit(text, body, "y\n", line=4).status is Status.AMBIGUOUS
    assert apply_edit(text, body, "y\n", line=2).text == f"y\nd\n{body}"
    assert apply_edit("a\na\na\n", "a\na\n", "b\n", line=2).text == "a\nb\n"


def test_a_line_is_no_evidence_where_nothing_is_found() -> None:
    assert apply_edit(TEXT, "return 7 * zebra", "return 2", line=3).status is Status.NOT_FOUND


@pytest.mark.parametrize("scope", [["class B:"], ["class B"], ["B:", "def run(self)"]])
def test_a_scope_leaves_what_is_in_it(scope: list[str]) -> None:
    outcome = apply_edit(TEXT, "        return 1\n", "        return 2\n", scope=scope)
    assert outcome.text is not None
    assert outcome.text.endswith("class B:\n    def run(self):\n        return 2\n")


def test_nested_scopes_narrow_down() -> None:
    outcome = apply_edit(TEXT, "return 1", "return 2", scope=("class A", "def stop"))
    assert outcome.text is not None
    assert "def stop(self):\n        return 2" in outcome.text


def test_a_scope_that_is_not_in_the_file_is_refused_even_when_the_search_is_unique() -> None:
    outcome = apply_edit(TEXT, "class B:", "class C:", scope=("class Z",))
    assert outcome.status is Status.NOT_FOUND
    assert "scope" in outcome.message


def test_text_that_is_only_before_its_scope_is_not_meant() -> None:
    outcome = apply_edit(TEXT, "    def stop(self):\n", "    def halt(self):\n", scope=("class B",))
    assert outcome.status is Status.NOT_FOUND
    assert "scope" in outcome.message


FIRST = """\
--- a/runs.py
+++ b/runs.py
@@ -{line},2 +{line},2 @@ class {name}:
     def run(self):
-        return 1
+        return 2
"""


@pytest.mark.parametrize(
    ("line", "name", "changed"),
    [(2, "A", 3), (10, "B", 11), (9, "B", 11), (9, "C", 11), (9, "A", 0), (2, "B", 0)],
)
def test_a_line_chooses_nothing_where_the_heading_of_the_hunk_names_another_definition(
    line: int, name: str, changed: int
) -> None:
    after = apply_edits({"runs.py": TEXT}, FIRST.format(line=line, name=name)).files["runs.py"] or ""
    assert [n for n, text in enumerate(after.splitlines(), 1) if text == "        return 2"] == [changed][
        : changed > 0
    ]


def test_text_at_whole_words_is_meant_and_not_what_is_inside_of_others() -> None:
    assert apply_edit("recount = 1\ncount = 1\n", "count = 1", "count = 2").text == "recount = 1\ncount = 2\n"
    assert apply_edit("a = [1, 10]\nb = a[1]\n", "[1", "[0", occurrence=2).text == "a = [1, 10]\nb = a[0]\n"
    assert apply_edit("counts = recount\n", "count", "sum").status is Status.AMBIGUOUS


_LINES = st.lists(
    st.sampled_from(["a", "b", "ab", "  a", "def f():", "def g():", "}"]), min_size=2, max_size=30
)


@pytest.mark.slow
@given(lines=_LINES, data=st.data())
@settings(max_examples=tries(300))
def test_a_hint_chooses_the_place_that_it_chooses_among_all(lines: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(lines) - 1))
    search = "\n".join(lines[first : first + data.draw(st.integers(1, 3))])
    line = data.draw(st.none() | st.integers(0, len(lines) + 3))
    scope = data.draw(st.sampled_from([(), ("def f():",), ("def g():", "a")]))
    hints = Hints(line=line, scope=scope, section=data.draw(st.sampled_from(["", "def f():", "nothing"])))
    source, quote = SourceText("\n".join(lines)), Quote.of(search, "new\nlines")
    found = locate(source, quote, hints, Ladder(), Silent())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ladder, "_at_hint", lambda *_: None)
        among_all = locate(source, quote, hints, Ladder(), Silent())
    assert found == among_all


def test_a_word_alone_is_not_found_where_it_may_be_a_part_of_others_too() -> None:
    text = "retry_timeout = 1\n# the timeout is in seconds\nconnect_timeout = 2\n"
    assert apply_edit(text, "timeout", "deadline").status is Status.AMBIGUOUS
    assert apply_edit(text, "the timeout", "the deadline").text == text.replace("the timeout", "the deadline")
    assert apply_edit("x = 1\nmax = 1\n", "x = 1", "x = 2").text == "x = 2\nmax = 1\n"
