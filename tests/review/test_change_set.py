"""What is risky about the changes of a file, and which files are looked at first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from patchpoint.edit import Edit
from patchpoint.patching.plan import plan_edits
from patchpoint.review.change_set import broken_first
from patchpoint.review.decision import Risk
from patchpoint.review.files import FileState, ReviewedFile
from patchpoint.review.planned import planned_files
from patchpoint.structure.parse import Verdict, judge
from tests.review.reviewed_texts import text_file

FUNCTIONS = [f"def f{number}(x):\n    y = x + {number}\n    return y\n\n\n" for number in range(12)]
BEFORE = "".join(FUNCTIONS)


@given(st.sets(st.integers(0, 11), min_size=1), st.data())
def test_the_change_after_which_a_file_does_not_parse_is_marked_among_those_that_are_sound(
    changed: set[int], data: st.DataObject
) -> None:
    broken = data.draw(st.sampled_from(sorted(changed)))
    now = "".join(
        text.replace(f"+ {at}", f"+ ({at}" if at == broken else f"- {at}") if at in changed else text
        for at, text in enumerate(FUNCTIONS)
    )
    file = text_file("f.py", BEFORE, now)
    (name,) = [id_ for id_, risk in file.risks.items() if risk is Risk.UNPARSABLE]
    (hunk,) = file.chosen([name])
    assert f"+ ({broken}\n" in hunk.added
    assert judge("f.py", file.text_without([name])).verdict is Verdict.PARSES


def test_a_file_that_did_not_parse_before_is_no_worse_than_it_was() -> None:
    assert text_file("f.py", "def f(:\n", "def g(:\n").risk is None
    assert text_file("notes.txt", "(\n", "((\n").risk is None


def test_brackets_that_two_changes_open_and_close_are_sound() -> None:
    before = "x = f(\n    1,\n    2,\n)\n"
    file = text_file("f.py", before, before.replace("f(", "[").replace(")", "]"))
    assert len(file.hunks) == 2
    assert file.risk is None


def test_what_is_broken_comes_first_and_the_rest_stays_in_its_order() -> None:
    sound = text_file("a.py", "x = 1\n", "x = 2\n")
    losing = text_file("b.py", "x = 1\ny = 1\n", "x = 1\n")
    gone = ReviewedFile("c.py", FileState(0o100644, b"x\n"), None)
    broken = text_file("d.py", "x = 1\n", "x = (1\n")
    files = broken_first([sound, losing, gone, broken])
    assert files == [broken, sound, losing, gone]
    assert [file.risk for file in files] == [Risk.UNPARSABLE, None, Risk.REMOVED, Risk.DELETED]


def test_a_preview_says_what_a_review_would_say() -> None:
    plan = plan_edits([Edit(path="f.py", search="x = 1\n", replace="x = (1\n")], {"f.py": "x = 1\ny = 2\n"})
    (file,) = planned_files(plan)
    written = text_file("f.py", "x = 1\ny = 2\n", "x = (1\ny = 2\n")
    assert file.hunks == written.hunks
    assert file.risks == written.risks == {file.hunks[0].id: Risk.UNPARSABLE}
