"""Comments that call the code of one fence old and new make a pair of it, which is proposed."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.formats import read_answer
from patchpoint.outcome import Status

BEFORE = "export function stop(timer) {\n  clear(timer)\n  return true\n}\n"
AFTER = BEFORE.replace("  clear(timer)\n", "  clearTimeout(timer)\n")
FILES = {"src/stop.js": BEFORE}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("// Before", "// After"),
        ("// ❌ Old code:", "// ✅ New code:"),
        ("/* before */", "/* after */"),
        ("// Vorher", "// Nachher"),
        ("// 修改前", "// 修改后"),
    ],
)
def test_the_code_below_the_first_comment_becomes_that_below_the_second(old: str, new: str) -> None:
    answer = f"In `src/stop.js`:\n\n```js\n{old}\n  clear(timer)\n\n{new}\n  clearTimeout(timer)\n```\n"
    report = apply_edits(FILES, answer)
    assert report.files == FILES
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    assert apply_edits(FILES, answer, accept="all").files == {"src/stop.js": AFTER}


@pytest.mark.parametrize(
    "code",
    [
        "// Before the timer runs\n  clear(timer)\n\n// After\n  clearTimeout(timer)\n",
        "// Before\n  clear(timer)\n",
        "// After\n  clear(timer)\n\n// Before\n  clearTimeout(timer)\n",
        "// Before\n  clear(timer)\n\n// After\n  clearTimeout(timer)\n\n// After\n  clearTimer(timer)\n",
        "// Before\n\n// After\n  clearTimeout(timer)\n",
    ],
)
def test_other_comments_make_no_pair(code: str) -> None:
    answer = f"In `src/stop.js`:\n\n```js\n{code}```\n"
    assert apply_edits(FILES, answer, accept="all").files == FILES


def test_a_pair_in_an_example_stays_one() -> None:
    answer = (
        "An example of `src/stop.js`:\n\n```js\n// Before\n  clear(timer)\n\n// After\n  stop(timer)\n```\n"
    )
    assert apply_edits(FILES, answer, accept="all").files == FILES


def test_a_sign_between_two_fences_says_nothing_of_them() -> None:
    answer = "```\nsrc/greet.py\n```\n/\n```python\nprint('Hello')\n```\n"
    assert read_answer(answer).items == ()
