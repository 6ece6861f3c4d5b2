"""What the words around an edit say against it: it is held back, and the sentence is quoted."""

from __future__ import annotations

import pytest

from patchpoint.edit import Objection, ObjectionCode
from patchpoint.formats.conversation.objections import objections_in
from tests.formats.exchanges import edit_spans
from tests.formats.sentences_around_edits import (
    RETRACTING_ABOVE,
    RETRACTING_BELOW,
    RIGHTFUL_ABOVE,
    RIGHTFUL_BELOW,
    rows,
)

DIFF = """\
```diff
--- a/src/cart.py
+++ b/src/cart.py
@@ -1,2 +1,2 @@
 def load(path):
-    return open(path)
+    return open(path).read()
```
"""
OTHER_DIFF = DIFF.replace("cart", "shop")
BLOCK = """\
src/cart.py
```python
<<<<<<< SEARCH
    return open(path)
=======
    return open(path).read()
>>>>>>> REPLACE
```
"""
CODE = """\
```python:src/cart.py
def load(path):
    return open(path).read()
```
"""
CALL = """\
```json
{"name": "Edit", "input": {"file_path": "src/cart.py", "old_string": "open(path)", "new_string": "read()"}}
```
"""
ENVELOPE = """\
*** Begin Patch
*** Update File: src/cart.py
@@
-    return open(path)
+    return open(path).read()
*** End Patch
"""
FORMATS = {"diff": DIFF, "block": BLOCK, "code": CODE, "call": CALL, "envelope": ENVELOPE}


def objections(answer: str) -> dict[int, Objection]:
    return objections_in(answer, edit_spans(answer))


def words(answer: str) -> dict[int, str]:
    found = objections(answer)
    assert all(each.code is ObjectionCode.RETRACTED for each in found.values())
    return {index: each.words for index, each in found.items()}


@pytest.mark.parametrize(("language", "said"), rows(RETRACTING_ABOVE))
def test_a_sentence_above_an_edit_takes_it_back_and_is_quoted(language: str, said: str) -> None:
    (quoted,) = words(f"{said}\n\n{DIFF}").values()
    assert quoted in said, language


@pytest.mark.parametrize(("language", "said"), rows(RETRACTING_BELOW))
def test_a_sentence_below_an_edit_takes_it_back_and_is_quoted(language: str, said: str) -> None:
    (quoted,) = words(f"This closes the file:\n\n{DIFF}\n{said}\n").values()
    assert quoted in said, language


@pytest.mark.parametrize(("language", "said"), rows(RIGHTFUL_ABOVE))
def test_a_sentence_above_a_change_that_speaks_of_the_code_does_not_hold_it_back(
    language: str, said: str
) -> None:
    assert not objections(f"{said}\n\n{DIFF}"), language


@pytest.mark.parametrize(("language", "said"), rows(RIGHTFUL_BELOW))
def test_a_sentence_below_a_change_that_speaks_of_other_things_does_not_hold_it_back(
    language: str, said: str
) -> None:
    assert not objections(f"This closes the file:\n\n{DIFF}\n{said}\n"), language


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_taken_back(name: str) -> None:
    edit = FORMATS[name]
    assert edit_spans(edit)
    assert words(f"The file is closed now.\n\n{edit}\nWait, ignore that.\n") == {0: "Wait, ignore that."}
    held = f"Please do not apply this yet:\n\n{edit}"
    assert words(held) or not edit_spans(held)
    assert not objections(f"The file is closed now.\n\n{edit}\nThe tests pass.\n")


def test_a_retraction_is_of_what_is_before_it_alone() -> None:
    answer = f"First:\n\n{DIFF}\nWait, no, that's wrong. Instead:\n\n{OTHER_DIFF}"
    assert words(answer) == {0: "Wait, no, that's wrong."}


def test_a_retraction_of_all_is_of_all_before_it() -> None:
    answer = f"First:\n\n{DIFF}\nThen:\n\n{OTHER_DIFF}\nOn second thought, scrap all of this.\n"
    assert set(words(answer)) == {0, 1}


def test_a_later_edit_is_what_takes_the_place_of_a_wrong_one() -> None:
    for said in ("The above patch is wrong. Use this one:", "The patch above has a bug; use this instead:"):
        assert set(words(f"First:\n\n{DIFF}\n{said}\n\n{OTHER_DIFF}")) == {0}


def test_a_retraction_of_the_first_is_of_all_for_nobody_counts_what_is_left() -> None:
    assert set(words(f"First:\n\n{DIFF}\nThen:\n\n{OTHER_DIFF}\nIgnore the first one.\n")) == {0, 1}
    assert set(words(f"First:\n\n{DIFF}\nThen:\n\n{OTHER_DIFF}\nIgnore the second one.\n")) == {1}


def test_the_summary_of_what_is_folded_is_a_heading() -> None:
    folded = f"<details>\n<summary>Rejected</summary>\n\n{DIFF}\n</details>\n"
    assert set(words(f"{folded}\nThe fix:\n\n{OTHER_DIFF}")) == {0}


def test_what_is_said_of_a_group_is_said_of_each_edit_in_it() -> None:
    answer = f"Never write it like this:\n\n{DIFF}\n{OTHER_DIFF}\nBut so:\n\n{BLOCK}"
    assert set(words(answer)) == {0, 1}


def test_a_bad_example_is_held_back_and_the_good_one_is_not() -> None:
    assert set(words(f"### ❌ Bad\n\n{DIFF}\n### ✅ Good\n\n{OTHER_DIFF}")) == {0}


def test_words_about_the_first_half_of_a_pair_do_not_hold_the_pair_back() -> None:
    answer = "It used to be:\n\n```python\nopen(path)\n```\n\nNow:\n\n```python\nread(path)\n```\n"
    start = answer.index("```")
    assert not objections_in(answer, [(start, len(answer))])
    assert objections_in(answer, [(start, answer.index("\n\nNow"))])


@pytest.mark.parametrize(
    "prompt",
    [
        "$ git log -p -1",
        "$ git show HEAD",
        "% git diff",
        "> git diff --staged",
        "me@host:~/shop$ git blame src/cart.py",
        "PS C:\\shop> git diff",
        "$ git stash show -p",
        "$ diff -u a/src/cart.py b/src/cart.py",
        "$ svn diff",
        "$ git -C shop --no-pager diff",
    ],
)
def test_what_a_command_printed_is_no_edit(prompt: str) -> None:
    fenced = DIFF.replace("```diff\n", f"```console\n{prompt}\n")
    assert words(f"It was changed here:\n\n{fenced}") == {0: prompt}
    bare = "\n".join(DIFF.splitlines()[1:-1])
    assert words(f"{prompt}\n{bare}\n") == {0: prompt}


def test_the_output_of_git_log_has_lines_of_the_commit_above_the_diff() -> None:
    head = "$ git log -p\ncommit 1f2e3d4c5b\nAuthor: A <a@b.c>\nDate:   today\n\n    Close it\n\n"
    fenced = DIFF.replace("```diff\n", f"```\n{head}")
    assert words(fenced) == {0: "$ git log -p"}


@pytest.mark.parametrize("prompt", ["$ git apply fix.patch", "$ make test", "$ patch -p1 < a.diff"])
def test_a_prompt_that_prints_no_code_heads_no_output(prompt: str) -> None:
    assert not objections(f"```console\n{prompt}\n```\n\n{DIFF}")


def test_output_in_another_fence_says_nothing_of_the_edit_below_it() -> None:
    assert not objections(f"```console\n$ git diff --stat\n```\n\nClose the file:\n\n{DIFF}")


def test_thoughts_above_the_answer_say_nothing_of_it() -> None:
    assert not objections(f"I could try this first. No, wrong:\n</think>\n\n{BLOCK}")


@pytest.mark.slow
def test_every_prefix_of_an_answer_can_be_read() -> None:
    answer = (
        f"# Fix\n\nBad:\n\n{DIFF}\nWait, no.\n\n### Option A\n\n{BLOCK}\n**Option B**\n\n{CODE}\nOr:\n{CALL}"
    )
    for end in range(len(answer)):
        objections(answer[:end])
        objections(answer[:end].replace("\n", "\r\n"))


def test_an_answer_without_edits_has_no_objections() -> None:
    assert objections_in("Ignore that.", []) == {}
