"""What is risky about the changes of a file, and which files are looked at first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from patchpoint.checkpoints import CheckpointStore
from patchpoint.edit import Edit
from patchpoint.patching.plan import plan_edits
from patchpoint.review.decision import Risk
from patchpoint.review.planned import planned_files
from patchpoint.review.tree import SinceCheckpoint
from patchpoint.structure.parse import Verdict, judge
from tests.git.git_judge import WorkingTree
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


def test_what_is_broken_comes_first_and_the_rest_by_path(tree: WorkingTree) -> None:
    tree.write({"a.py": "x = 1\n", "b.py": "x = 1\ny = 1\n", "c.py": "x\n", "d.py": "x = 1\n"})
    store = CheckpointStore.open(tree.root)
    since = SinceCheckpoint.open(store, store.take(label="before").id)
    tree.write({"a.py": "x = 2\n", "b.py": "x = 1\n", "d.py": "x = (1\n"})
    (tree.root / "c.py").unlink()
    files = since.files()
    assert [file.path for file in files] == ["d.py", "a.py", "b.py", "c.py"]
    assert [file.risk for file in files] == [Risk.UNPARSABLE, None, Risk.REMOVED, Risk.DELETED]


def test_a_preview_says_what_a_review_would_say() -> None:
    plan = plan_edits([Edit(path="f.py", search="x = 1\n", replace="x = (1\n")], {"f.py": "x = 1\ny = 2\n"})
    (file,) = planned_files(plan)
    written = text_file("f.py", "x = 1\ny = 2\n", "x = (1\ny = 2\n")
    assert file.hunks == written.hunks
    assert file.risks == written.risks == {file.hunks[0].id: Risk.UNPARSABLE}
