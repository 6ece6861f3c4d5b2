"""Code that names no file is for the one that its answer is about, if that has a place for it."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

README = "# Shop\n\n## Use\n\n- one\n\n## License\n\nMIT\n"
DEPLOY = "## Deploy\n\nRun it.\n"
FENCE = f"```markdown\n{DEPLOY}```\n"
FILES = {"README.md": README, "lib/shop.py": "TAX = 7\n", "docs/notes.md": "# Notes\n\n## Old\n\nNone.\n"}


@pytest.mark.parametrize(
    ("about", "lead"),
    [
        ("Two additions to `README.md`:", 'Add this section before "License":'),
        ("In `README.md` fehlt etwas.", "Füge vor „License“ diesen Abschnitt hinzu:"),
        ("Dans `README.md` :", "Ajoutez cette section avant « License » :"),
        ("Todo es en `README.md`.", "Añade esta sección antes de License:"),
        ("В `README.md`:", "Добавьте этот раздел перед «License»:"),
        ("修改 `README.md`：", "在 License 之前添加这一节："),
        ("`README.md` を直します。", "「License」の前に次のセクションを追加してください："),
    ],
)
def test_a_part_of_a_document_that_an_answer_is_about_is_proposed(about: str, lead: str) -> None:
    answer = f"{about}\n\n{lead}\n\n{FENCE}"
    assert apply_edits(FILES, answer).files == FILES
    after = apply_edits(FILES, answer, accept="all").files
    assert after == {**FILES, "README.md": README.replace("## License", f"{DEPLOY}\n## License")}


def test_of_two_files_that_are_named_none_is_what_an_answer_is_about() -> None:
    answer = (
        f'It is like `docs/notes.md`.\n\nSee `lib/shop.py`.\n\nAdd this section before "License":\n\n{FENCE}'
    )
    assert apply_edits(FILES, answer, accept="all").files == FILES


QUEUE = (
    "Queue::Queue() : open_(false) {\n    start();\n}\n\nvoid Queue::run() {\n    while (open_) {\n"
    "        step();\n    }\n}\n"
)
HEAD = "#pragma once\nclass Queue {\n    Queue();\n    void run();\n    bool open_;\n};\n"
FIRST = "```cpp\nQueue::Queue() : open_(true) {\n    // ...\n}\n```\n"
SECOND = "```cpp\nvoid Queue::run() {\n    while (open_) {\n        step();\n        rest();\n    }\n}\n```\n"


def test_what_only_its_definition_tells_is_shown_with_the_edits_of_its_file() -> None:
    files = {"src/queue.cpp": QUEUE, "src/queue.hpp": HEAD}
    answer = f"It starts closed. Start with `true`:\n\n{FIRST}\nAnd rest in `run()`:\n\n{SECOND}"
    assert apply_edits(files, answer).files == files
    after = apply_edits(files, answer, accept="all").files["src/queue.cpp"]
    assert after == QUEUE.replace("false", "true").replace("step();\n", "step();\n        rest();\n")


SHOP = "def total(cart):\n    return sum(cart)\n\n\ndef name(cart):\n    return cart.name\n"
NOW = "```python\ndef total(cart):\n    return sum(cart)\n```\n"
OTHER = "```python\ndef name(cart):\n    return cart.label or cart.name\n```\n"


@pytest.mark.parametrize(
    ("now", "lead"),
    [
        ("At the moment `shop.py` sums up:", "Some teams prefer to write a label:"),
        ("Сейчас в `shop.py` так:", "С меткой это выглядело бы так:"),
        ("Derzeit steht in `shop.py`:", "Manche würden es lieber so schreiben:"),
    ],
)
def test_code_that_is_spoken_of_next_to_a_sample_is_not_written_unasked(now: str, lead: str) -> None:
    files = {"src/shop.py": SHOP, "src/other.py": "x = 1\n"}
    assert (
        apply_edits(files, f"{now}\n\n{NOW}\n{lead}\n\n{OTHER}\nThat is a matter of taste.\n").files == files
    )
