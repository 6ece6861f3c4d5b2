"""Words that may be against the code next to them: it is shown, and only likely code is not even that."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.outcome import Status

PARSE = "def normalize(url):\n    url = url.split('#')[0]\n    return url\n\n\ndef other():\n    return 1\n"
FILES = {"src/parse.py": PARSE}
NEW = "def normalize(url):\n    return url.lower().split('#')[0]\n"
DONE = {"src/parse.py": PARSE.replace(PARSE.partition("\n\n\n")[0] + "\n", NEW)}


def answer(above: str, below: str = "") -> str:
    return f"{above}\n\n```python\n# src/parse.py\n{NEW}```\n\n{below}\n"


AGAINST = [
    ("This is a common mistake:", "Paths are case-sensitive, so keep `normalize` as it is."),
    ("Many tutorials simply write the following:", "That breaks case-sensitive paths. Keep yours."),
    ("The naive solution would be", "but then two pages look the same, and I'd rather keep what you have."),
    (
        "A colleague of yours suggested this on the ticket:",
        "I'd reject it, because paths are case-sensitive.",
    ),
    ("I first tried this:", "It fails a test, so nothing needs to change after all."),
    ("Here is what it would be:", "It would break your links, so leave the function alone."),
    ("This is the other way:", "Wait, that loses the case of the path."),
    ("Change it to:", "For the callers it works, and this file doesn't need to change."),
    ("Another form:", "Which of these fits you better?"),
    ("Once you have moved to the new server, change it to:", "Until then it has to stay."),
    ("Ein häufiger Fehler ist dieser:", "Lass die Funktion also, wie sie ist."),
    ("Une erreur courante :", "Laisse la fonction telle quelle."),
    ("Un error común es:", "Deja la función como está."),
    ("Um erro comum:", "Deixe a função como está."),
    ("Частая ошибка:", "Оставьте функцию как есть."),
    ("很多教程这样写：", ""),
    ("よくある間違い：", "変更は不要です。"),
]


@pytest.mark.parametrize(("above", "below"), AGAINST)
def test_code_is_shown_and_not_written_where_words_may_be_against_it(above: str, below: str) -> None:
    report = apply_edits(FILES, answer(above, below))
    assert report.files == FILES
    assert [one.status for one in report.outcomes] == [Status.PROPOSED]
    assert apply_edits(FILES, answer(above, below), accept="all").files == DONE


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("This fixes the mistake:", ""),
        ("The bug was that paths kept their case. Here is the function:", "That should do it."),
        ("Change it to:", "Leave `other` as it is."),
        ("Change it to:", "Keep everything else as it is."),
        ("Change it to:", "The tests stay unchanged."),
        ("Es läuft auch dann, wenn nichts geändert wurde. Ersetze die Funktion:", ""),
        ("Nothing else needs to be changed. Change it to:", ""),
        ("Change it to:", "It is in `parse.py`; the callers don't need to change."),
        ("Change it to:", "The rest is fine, the tests do not need to change."),
        ("What has a fragment is dropped now:", "Let me know if it works."),
    ],
)
def test_words_about_something_else_hold_nothing_back(above: str, below: str) -> None:
    assert apply_edits(FILES, answer(above, below)).files == DONE


@pytest.mark.parametrize(
    "above",
    [
        "A common mistake in `src/parse.py` is this:",
        "I tried this in `src/parse.py` at first:",
        "Many people would write in `src/parse.py`:",
    ],
)
def test_what_is_only_likely_is_not_even_shown_where_words_may_be_against_it(above: str) -> None:
    text = f"{above}\n\n```python\n{NEW}```\n\nKeep yours.\n"
    assert apply_edits(FILES, text, accept="all").files == FILES


@pytest.mark.parametrize(
    "above",
    [
        "Good news: you already have what you need. `src/parse.py` drops the fragment of the address:",
        "Ihr habt Glück, Sie haben schon alles. `src/parse.py` wirft das Fragment weg:",
        "Ya tienes todo. `src/parse.py` quita el fragmento:",
    ],
)
def test_code_of_which_the_answer_says_that_it_is_there_is_none(above: str) -> None:
    text = f"{above}\n\n```python\n{NEW}```\n"
    assert apply_edits(FILES, text, accept="all").files == FILES


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("This change in `src/parse.py` would break your links:", "So leave it alone."),
        ("The build broke with a commit which did this to `src/parse.py`:", ""),
        ("When the old server is gone, change this in `src/parse.py`:", "Until then please stay on it."),
        ("`git show HEAD~3` tells what became of `src/parse.py`:", ""),
        ("The regression was introduced in this commit of `src/parse.py`:", ""),
        ("Der Fehler in `src/parse.py` kam mit diesem Commit:", ""),
        ("For debugging only, in `src/parse.py`:", ""),
        ("Upstream fixed `src/parse.py` like this:", "Upgrading is enough."),
        ("I'd reject this part of the PR, in `src/parse.py`:", ""),
        ("My plan for `src/parse.py` is this:", "It is small.\n\nShall I go on?"),
    ],
)
def test_a_diff_is_shown_and_not_written_where_words_may_be_against_it(above: str, below: str) -> None:
    text = f"{above}\n\n```diff\n-    return url\n+    return url.lower()\n```\n\n{below}\n"
    assert apply_edits(FILES, text).files == FILES


def test_a_number_of_a_diff_does_not_decide_against_the_words_above_it() -> None:
    part = "  limits:\n    memory: 256Mi\n  replicas: 2\n"
    files = {"values.yaml": f"web:\n{part}worker:\n{part}"}
    hunk = "@@ -2,2 +2,2 @@\n   limits:\n-    memory: 256Mi\n+    memory: 512Mi\n"
    diff = f"```diff\n--- a/values.yaml\n+++ b/values.yaml\n{hunk}```\n"
    assert apply_edits(files, f"Raise the worker's limit:\n\n{diff}").files == files
    changed = {"values.yaml": files["values.yaml"].replace("256Mi", "512Mi", 1)}
    assert apply_edits(files, f"Raise the limit:\n\n{diff}").files == changed
    assert apply_edits(files, f"Raise the limit of the web part:\n\n{diff}").files == changed


def test_code_that_the_answer_quotes_from_somebody_is_shown_and_not_written() -> None:
    quoted = "".join(f"> {line}\n" for line in answer("My `normalize` is now:").splitlines())
    assert apply_edits(FILES, f"{quoted}\nThat looks fine to me.\n").files == FILES


def test_a_mark_in_a_replacement_is_for_lines_of_the_search_text_and_never_written() -> None:
    new = "def normalize(url):\n    # ... existing code ...\n    return url.lower()\n"
    block = f"<<<<<<< SEARCH\n{PARSE.partition(chr(10) * 3)[0]}\n=======\n{new}>>>>>>> REPLACE\n"
    text = f"src/parse.py\n```\n{block}```\n"
    assert apply_edits(FILES, text).files == FILES
    accepted = apply_edits(FILES, text, accept="all").files["src/parse.py"]
    assert accepted == PARSE.replace("return url\n", "return url.lower()\n")


def test_a_mark_of_which_nobody_knows_what_it_is_for_is_refused() -> None:
    new = "    url = clean(url)\n    # ... rest of it ...\n"
    block = f"<<<<<<< SEARCH\n    url = url.split('#')[0]\n=======\n{new}>>>>>>> REPLACE\n"
    report = apply_edits(FILES, f"src/parse.py\n```\n{block}```\n", accept="all")
    assert report.files == FILES
    assert "leaves lines out" in report.outcomes[0].message


@pytest.mark.parametrize(
    "between", ["becomes", "should be:", "Fixed version:", "wird zu:", "devient :", "变成："]
)
def test_a_definition_that_is_shown_twice_becomes_what_the_second_says(between: str) -> None:
    old = "def normalize(url):\n    url = url.partition('#')[0]\n    return url\n"
    text = f"In `src/parse.py`:\n\n```python\n{old}```\n\n{between}\n\n```python\n{NEW}```\n"
    assert apply_edits(FILES, text).files == FILES
    assert apply_edits(FILES, text, accept="all").files in (DONE, FILES)


def test_of_two_ways_none_is_written_unasked() -> None:
    other = NEW.replace("lower", "casefold")
    text = f"In `src/parse.py`, do this:\n\n```python\n{NEW}```\n\nor this:\n\n```python\n{other}```\n"
    assert apply_edits(FILES, text).files == FILES


def test_a_file_that_is_written_whole_with_a_mark_is_refused() -> None:
    content = "# ... existing code ...\\n\\nX = 1\\n"
    call = f'{{"name": "Write", "input": {{"file_path": "src/parse.py", "content": "{content}"}}}}\n'
    assert apply_edits(FILES, call, accept="all").files == FILES


BLOCK = f"src/parse.py\n<<<<<<< SEARCH\n{PARSE.partition(chr(10) * 3)[0]}\n=======\n{NEW}>>>>>>> REPLACE\n"


@pytest.mark.parametrize(
    "above",
    [
        "Should I apply this?",
        "Previously I suggested:",
        "Avoid this fix, it breaks case-sensitive paths:",
        "I considered this, but decided against it:",
        "I haven't applied this yet, since the tests fail with it:",
        "Optional (only for servers that ignore case):",
        "Voulez-vous que j'applique ce changement ?",
    ],
)
def test_so_is_a_block_for_a_program_by_the_words_above_it(above: str) -> None:
    report = apply_edits(FILES, f"{above}\n\n{BLOCK}")
    assert report.files == FILES
    assert [one.status for one in report.outcomes] == [Status.PROPOSED]
    assert apply_edits(FILES, f"{above}\n\n{BLOCK}", accept="all").files == DONE


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("This keeps the case out of it:", "Should I also add a test?"),
        ("To avoid this, normalize the case:", "Don't forget to run the tests."),
        ("Fixed:", "That breaks nothing else."),
    ],
)
def test_other_words_do_not_hold_such_a_block_back(above: str, below: str) -> None:
    assert apply_edits(FILES, f"{above}\n\n{BLOCK}\n{below}\n").files == DONE


@pytest.mark.parametrize(
    "below",
    [
        "Sorry, that's the wrong constant.",
        "Correction: it should be `lower(url)`.",
        "No, that is wrong for links with a port.",
        "I don't recommend it.",
        "不对,不要这样改。",
        "やっぱり変更しないでください。",
    ],
)
def test_a_turn_right_below_a_block_holds_it_back(below: str) -> None:
    report = apply_edits(FILES, f"{BLOCK}\n{below}\n")
    assert report.files == FILES
    assert [one.status for one in report.outcomes] == [Status.PROPOSED]
    assert apply_edits(FILES, f"{BLOCK}\n{below}\n", accept="all").files == DONE


@pytest.mark.parametrize(
    "below",
    [
        "Actually running it takes a minute.",
        "Wait for the build before you deploy.",
        "Don't call it twice.",
        "This does not work with Python 2.",
        "No other file has to change.",
        "I have not run the tests.",
        "Nothing was wrong with the tests.",
    ],
)
def test_a_remark_right_below_a_block_does_not(below: str) -> None:
    assert apply_edits(FILES, f"{BLOCK}\n{below}\n").files == DONE


@pytest.mark.parametrize(
    "above",
    [
        "This fixes the regression that came in with 1.2:",
        "Tax is rounded half up, never to even:",
        "A colleague pointed out that the case matters. So:",
        "It is a common mistake to keep the case; this does not:",
    ],
)
def test_a_sentence_that_speaks_of_a_cause_is_no_doubt_about_such_a_block(above: str) -> None:
    assert apply_edits(FILES, f"{above}\n\n{BLOCK}").files == DONE


TWINS = """class Orders:
    def cancel(self, key):
        order = self.find(key)
        if order is None:
            raise KeyError(key)
        order.cancel()

    def refund(self, key):
        order = self.find(key)
        if order is None:
            raise KeyError(key)
        order.refund()
"""


def test_of_several_places_of_a_block_the_one_in_what_the_words_above_it_name_is_shown() -> None:
    block = (
        "src/orders.py\n<<<<<<< SEARCH\n            raise KeyError(key)\n=======\n"
        "            raise NoOrderError(key)\n>>>>>>> REPLACE\n"
    )
    files = {"src/orders.py": TWINS}
    report = apply_edits(files, f"Raise a proper error in `refund`:\n\n{block}")
    assert report.files == files
    head, _, tail = TWINS.rpartition("KeyError")
    assert report.proposals[0].text == f"{head}NoOrderError{tail}"
    assert not apply_edits(files, f"Raise a proper error:\n\n{block}").proposals


@pytest.mark.parametrize(
    "words",
    [
        "No other files need to change.",
        "Sonst ist nichts zu ändern.",
        "No hace falta cambiar ningún otro archivo.",
        "Другие файлы менять не нужно.",
        "其余代码保持不变。",
        "其他文件无需修改。",
        "他のファイルの変更は不要です。",
    ],
)
def test_what_is_said_of_the_rest_does_not_speak_against_the_change(words: str) -> None:
    file = "def f(a):\n    return a\n\n\ndef g(a):\n    return a\n"
    answer = f"m.py\n```python\ndef f(a):\n    return a + 1\n```\n\n{words}\n"
    assert apply_edits({"m.py": file}, answer).files["m.py"] == file.replace("return a", "return a + 1", 1)


@pytest.mark.parametrize(
    "words", ["Diese Funktion muss sich nicht ändern, nichts zu ändern.", "这个函数无需修改。"]
)
def test_what_is_said_of_the_code_itself_does(words: str) -> None:
    file = "def f(a):\n    return a\n"
    answer = f"m.py\n```python\ndef f(a):\n    return a + 1\n```\n\n{words}\n"
    assert apply_edits({"m.py": file}, answer).files == {"m.py": file}


@pytest.mark.parametrize("above", ["❌ Wrong:", "The wrong way:", "Falsch:", "Incorrecto:", "Неправильно:"])
def test_words_that_point_on_to_words_above_a_file_are_about_the_file(above: str) -> None:
    whole = f"Here is the complete `src/parse.py`:\n\n```python\n{DONE['src/parse.py']}```\n"
    assert apply_edits(FILES, f"{above}\n\n{whole}").files == FILES
    assert apply_edits(FILES, f"This is better:\n\n{whole}").files == DONE


def test_a_file_that_is_called_the_current_one_below_is_not_written() -> None:
    shown = f"```python:src/parse.py\n{NEW}```\n\n"
    assert apply_edits(FILES, f"{shown}This is your current code. It has no bug.\n").files == FILES
    assert apply_edits(FILES, f"{shown}This is faster than your current code.\n").files == DONE


@pytest.mark.parametrize(
    "lead",
    [
        "Если нужны только живые, измените метод в `a.py`:",
        "Wenn nur die lebenden zählen, ändere `f` in `a.py`:",
    ],
)
def test_what_is_asked_for_on_a_condition_is_only_shown(lead: str) -> None:
    files = {"a.py": "def f():\n    return 1\n\n\ndef g():\n    return 2\n"}
    answer = f"{lead}\n\n```python\ndef f():\n    return 3\n```\n"
    assert apply_edits(files, answer).files == files
    assert apply_edits(files, answer, accept="all").files == {"a.py": files["a.py"].replace("1", "3")}


@pytest.mark.parametrize(
    "lead",
    [
        "A naive fix would be:",
        "It is tempting to do this:",
        "This is the code you pasted:",
        "The last commit changed it like this:",
        "Be careful not to write it like this:",
        "Someone on Stack Overflow suggests this:",
        "Do this only if the file is UTF-8:",
        "I haven't verified that this works:",
        "Once the tests pass, you can then do this:",
        "Ungetestet:",
        "Une solution naïve serait:",
    ],
)
def test_what_leads_to_a_block_in_doubt_has_it_shown_first(lead: str) -> None:
    report = apply_edits(FILES, f"{lead}\n\n{BLOCK}\n")
    assert report.files == FILES
    assert apply_edits(FILES, f"{lead}\n\n{BLOCK}\n", accept="all").files == DONE


@pytest.mark.parametrize(
    "lead",
    [
        "The naive version took a minute. This is the fix:",
        "Only the old version needed it. Apply this:",
        "I haven't run the other tests. This is it:",
    ],
)
def test_what_is_said_of_something_else_above_it_does_not(lead: str) -> None:
    assert apply_edits(FILES, f"{lead}\n\n{BLOCK}\n").files == DONE
