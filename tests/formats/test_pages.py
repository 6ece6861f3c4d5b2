"""Code that is copied from the page of a chat, without its fences, is proposed."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.formats import read_answer
from patchpoint.outcome import Status
from tests.sampling import share

PYTHON = '"""Lamps."""\n\n\nclass Lamp:\n    def glow(self):\n        self.level = 1\n        return self\n'
GO = 'package lamp\n\nfunc Glow(l *Lamp) error {\n\tl.level = 1\n\treturn l.write("on")\n}\n'
FILES = {"src/lamp.py": PYTHON, "lamp.go": GO}

BRIGHTER = PYTHON.replace("level = 1", "level = 9")

OLD = "        self.level = 1\n        return self\n"
NEW = OLD.replace("1", "9")


def page(buttons: str, *, old: str = OLD, new: str = NEW) -> str:
    """Return a pair as it is copied from a page, with the buttons above its code."""
    first, second = f"{buttons}\n{old}", f"{buttons}\n{new}"
    return f"In src/lamp.py, replace this:\n\n{first}\nwith this:\n\n{second}\nNow it is brighter.\n"


@pytest.mark.parametrize(
    "buttons",
    [
        *("python\nCopy\nEdit", "python\nCopy code", "pythonCopyEdit", "pythonCopy code", "Copy\nDownload"),
        *(
            "python\nCode kopieren",
            "python\n复制\n下载\n运行",
            "Python\n\nCollapse\n\nWrap\n\nCopy",
        ),
        *(
            "python\nCopier le code",
            "python\nКопировать код",
            "python\nコピーする\n編集する",
            "python\nCopiar\nEditar",
        ),
    ],
)
def test_a_pair_on_a_page_is_proposed(buttons: str) -> None:
    report = apply_edits(FILES, page(buttons))
    assert report.files == FILES
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    assert apply_edits(FILES, page(buttons), accept="all").files["src/lamp.py"] == BRIGHTER
    crlf = page(buttons).replace("\n", "\r\n")
    assert apply_edits(FILES, crlf, accept="all").files["src/lamp.py"] == BRIGHTER


def test_code_ends_where_prose_begins_although_no_line_is_between() -> None:
    answer = page("python\nCopy").replace("return self\n\n", "return self\n")
    assert apply_edits(FILES, answer, accept="all").files["src/lamp.py"] == BRIGHTER


def test_prose_within_the_code_is_code() -> None:
    text = '"""Lamps that glow.\n\nMind the level, it is not checked.\n"""\n'
    code = f"{text}\n\ndef dim(lamp):\n    lamp.level = 0\n"
    answer = f"Create `src/dim.py`:\n\npython\nCopy\nEdit\n{code}\nThat is all you need.\n"
    report = apply_edits(FILES, answer)
    assert report.files == FILES
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    assert apply_edits(FILES, answer, accept="all").files["src/dim.py"] == code


def test_a_file_that_is_on_a_page_as_a_whole_is_proposed() -> None:
    answer = f"`src/lamp.py`\n\npython\nCopy\nEdit\n{BRIGHTER}\nNow it is brighter.\n"
    assert apply_edits(FILES, answer).files == FILES
    assert apply_edits(FILES, answer, accept="all").files["src/lamp.py"] == BRIGHTER


def test_a_part_of_a_function_is_judged_within_one() -> None:
    old = '\tl.level = 1\n\treturn l.write("on")\n'
    answer = (
        f"In `lamp.go`, replace\n\ngo\nCopy\nEdit\n{old}\nwith\n\ngo\nCopy\nEdit\n"
        f"{old.replace('1', '9')}\nThe level is checked elsewhere.\n"
    )
    assert apply_edits(FILES, answer, accept="all").files["lamp.go"] == GO.replace("= 1", "= 9")


def test_a_definition_on_a_page_is_merged_into_its_file() -> None:
    code = "class Lamp:\n    def glow(self):\n        self.level = 9\n        return self\n"
    answer = f"Update `src/lamp.py`:\n\npython\nCopy\nEdit\n{code}\nNow it is brighter.\n"
    assert apply_edits(FILES, answer).files == FILES
    assert apply_edits(FILES, answer, accept="all").files["src/lamp.py"] == BRIGHTER


@pytest.mark.parametrize(
    "answer",
    [
        f"For example:\n\npython\nCopy\nEdit\n{NEW}\nThat is how.\n",
        f"In src/lamp.py you have this now:\n\npython\nCopy\nEdit\n{OLD}\nIt is fine.\n",
        "Copy\nthe file src/lamp.py\n\nEdit\nthe level.\n",
        page("python\nRun"),
        f"<think>{page('python' + chr(10) + 'Copy')}</think>\nNothing has to change.\n",
    ],
)
def test_what_asks_for_nothing_stays_prose(answer: str) -> None:
    assert apply_edits(FILES, answer, accept="all").files == FILES


def test_what_is_read_lies_where_it_is_on_the_page() -> None:
    answer = page("python\nCopy\nEdit")
    (edit,) = read_answer(answer).items
    start, end = edit.span
    assert answer[start:end] == answer[answer.index("python\n") : answer.index("\n\nNow it is")]


def test_a_block_below_buttons_is_of_the_file_above_them() -> None:
    block = "<<<<<<< SEARCH\n        self.level = 1\n=======\n        self.level = 9\n>>>>>>> REPLACE\n"
    for buttons in ("", "python\nCopy\nEdit\n"):
        report = apply_edits(FILES, f"src/lamp.py\n{buttons}{block}", accept="all")
        assert report.files["src/lamp.py"] == BRIGHTER


@pytest.mark.parametrize(
    "answer",
    [
        page("python\nCopy\nEdit"),
        f"`src/lamp.py`\n\npython\nCopy\n{BRIGHTER}\nNow it is brighter.\n",
    ],
)
def test_no_beginning_of_a_page_asks_for_what_the_whole_does_not(answer: str) -> None:
    for end in share(range(len(answer))):
        text = apply_edits(FILES, answer[:end], accept="all").files["src/lamp.py"]
        assert text in (PYTHON, BRIGHTER), answer[:end]
