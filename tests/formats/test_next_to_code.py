"""What an answer says next to its code: an import in words, what a command makes, something else to add."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.formats import read_answer

MAILER = (
    "import smtplib\n\n\ndef send(to):\n    with smtplib.SMTP(HOST) as smtp:\n        smtp.send_message(to)\n"
)


@pytest.mark.parametrize(
    "words",
    [
        "Don't forget `from .logs import log` at the top.",
        "Don't forget to import `log`.",
        "You also have to import `log` from `logs`.",
    ],
)
def test_code_below_its_path_is_not_written_before_an_import_that_the_words_ask_for(words: str) -> None:
    code = "def send(to):\n    log(to)\n    with smtplib.SMTP(HOST) as smtp:\n        smtp.send_message(to)\n"
    report = apply_edits({"mailer.py": MAILER}, f"**mailer.py**\n\n```\n{code}```\n\n{words}\n")
    assert report.files == {"mailer.py": MAILER}


@pytest.mark.parametrize(
    "words",
    [
        "`python manage.py startapp reports` gives you:",
        "Running `makemigrations` will then generate something like this:",
        "Run `dotnet add package Serilog`. That adds this to the project:",
        "After `docker compose config` you will see the resolved file:",
        "`manage.py startapp reports` erzeugt dann:",
        "`manage.py startapp reports` génère alors :",
        "`manage.py startapp reports` 会生成:",
    ],
)
def test_what_a_command_makes_is_not_written(words: str) -> None:
    answer = f"{words}\n\n**reports/apps.py**\n\n```python\nclass ReportsConfig:\n    name = 'reports'\n```\n"
    assert apply_edits({"mailer.py": MAILER}, answer).files == {"mailer.py": MAILER}


@pytest.mark.parametrize(
    "words", ["Add `TIMEOUT = 10` to the top of the file.", "Add `import os` to the top."]
)
def test_what_is_to_be_added_elsewhere_is_not_the_place_of_the_code_above(words: str) -> None:
    code = "def ping():\n    with smtplib.SMTP(HOST) as smtp:\n        smtp.noop()\n"
    answer = f"**mailer.py**\n\n```python\n{code}```\n\n{words}\n"
    text = apply_edits({"mailer.py": MAILER}, answer, accept="all").files["mailer.py"]
    assert not (text or "").startswith("def ping")


@pytest.mark.parametrize(
    "words",
    [
        "Replace everything in `mailer.py` with:",
        "Overwrite `mailer.py` with this:",
        "Ersetze alles in `mailer.py`:",
    ],
)
def test_a_file_that_is_replaced_is_not_merged(words: str) -> None:
    file = MAILER + "\n\ndef ping():\n    pass\n\n\ndef quit():\n    pass\n"
    answer = f"{words}\n\n```python\n{MAILER.replace('(to)', '(to, cc)')}```\n"
    report = apply_edits({"mailer.py": file}, answer)
    assert report.files["mailer.py"] == file
    assert "ping" in report.outcomes[0].message


CART = "`src/cart.js`:\n\n```js\nexport function total(items) {\n  return items.length;\n}\n```\n\n"


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("Then delete `total` from `src/old.js`.", "src/old.js"),
        ("Also set `PAGE_SIZE` to 50 in `app.py`.", "app.py"),
        ("Then import it in `src/App.vue` and put `<Cart />` next to the heading.", "src/App.vue"),
    ],
)
def test_a_change_of_another_file_that_only_words_ask_for_is_named(words: str, path: str) -> None:
    read = read_answer(f"{CART}{words}\n")
    assert len(read.items) == 1
    assert path in read.unplaced[0].message
    assert "no edit was made of it" in read.unplaced[0].message


@pytest.mark.parametrize(
    "words",
    [
        "I also removed it from `src/old.js`.",
        "You could also use it in `src/App.vue`.",
        "`src/App.vue` needs no change.",
        "Change `src/cart.js` so:",
        "See `README.md` for more.",
    ],
)
def test_what_words_do_not_ask_for_is_not_missed(words: str) -> None:
    assert read_answer(f"{CART}{words}\n").unplaced == ()


@pytest.mark.parametrize(
    "change", ["Change `load`:", "Ändere `load`:", "Update `load` so that it reads bytes:"]
)
def test_nothing_is_written_of_code_that_is_asked_for_next_to_two_fences_of_the_same_file(
    change: str,
) -> None:
    file = "def load(path):\n    return open(path)\n\n\ndef main():\n    wait = 5\n"
    load = "def load(path):\n    return open(path, 'rb')\n"
    answer = f"### `src/app.py`\n\n{change}\n\n```python\n{load}```\n\nThen change this line:\n\n"
    answer += "```python\n    wait = 5\n```\n\nto:\n\n```python\n    wait = 9\n```\n"
    assert apply_edits({"src/app.py": file}, answer).files == {"src/app.py": file}
