"""What of a model's earlier turns belongs to its last one."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

FILES = {
    "shop/cart.py": (
        "def total(items):\n    return sum(items)\n\n\ndef show(items):\n    return str(total(items))\n"
    ),
}
HELPER = "def taxed(items):\n    return total(items) * 1.2\n"
SHOW = "def show(items):\n    return f'{taxed(items)} EUR'\n"
FORMS = [
    "## User\n\n{0}\n\n## Assistant\n\n{1}\n\n## User\n\n{2}\n\n## Assistant\n\n{3}\n",
    "User: {0}\n\nAssistant: {1}\n\nUser: {2}\n\nAssistant: {3}\n",
    "You said:\n{0}\n\nChatGPT said:\n{1}\n\nYou said:\n{2}\n\nChatGPT said:\n{3}\n",
]
FIRST = (
    "In `shop/cart.py`, add this below `total`:\n\n"
    f"```python\n{HELPER}```\n\nand replace `show`:\n\n"
    "```python\ndef show(items):\n    return str(taxed(items))\n```"
)


def talk(last: str, first: str = FIRST, form: str = FORMS[0], asked: str = "Can it say EUR?") -> str:
    return form.format("Please add the tax.", first, asked, last)


def after(text: str, *, yes: bool, files: dict[str, str] = FILES) -> str:
    return apply_edits(files, text, accept="all" if yes else ()).files["shop/cart.py"] or ""


def bare(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


WHOLE = bare(FILES["shop/cart.py"].partition("\n\n\n")[0] + "\n" + HELPER + SHOW)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "said",
    [
        "Of course. `show` becomes:",
        "`taxed` stays as above, `show` in `shop/cart.py` becomes:",
        "Replace `show` in `shop/cart.py`:",
        "`taxed` bleibt wie oben, `show` wird zu:",
        "`taxed` reste tel quel. Remplacez `show` :",
        "`taxed` 保持不变。`show` 改为：",
    ],
)
def test_what_the_last_turn_uses_of_an_earlier_one_waits_with_it_for_one_yes(form: str, said: str) -> None:
    answer = talk(f"{said}\n\n```python\n{SHOW}```", form=form)
    assert after(answer, yes=False) == FILES["shop/cart.py"]
    assert bare(after(answer, yes=True)) == WHOLE


def test_what_an_earlier_turn_defines_and_the_file_has_by_now_is_no_part_of_it() -> None:
    text = FILES["shop/cart.py"].replace("\n\n\ndef show", f"\n\n\n{HELPER}\n\ndef show")
    answer = talk(f"Replace `show` in `shop/cart.py`:\n\n```python\n{SHOW}```")
    assert bare(after(answer, yes=False, files={"shop/cart.py": text})) == WHOLE


def test_what_the_last_turn_does_not_use_is_no_part_of_it() -> None:
    last = "Then without the tax. Replace `show` in `shop/cart.py`:\n\n"
    answer = talk(f"{last}```python\ndef show(items):\n    return f'{{total(items)}} EUR'\n```")
    assert "taxed" not in after(answer, yes=True)
    assert "EUR" in after(answer, yes=False)


def test_what_the_last_turn_defines_itself_is_not_that_of_an_earlier_one() -> None:
    new = "def taxed(items):\n    return total(items) * 1.19\n"
    last = "Replace both in `shop/cart.py`, `taxed` is new and goes below `total`:\n\n"
    answer = talk(f"{last}```python\n{new}\n\n{SHOW}```")
    assert "1.2\n" not in after(answer, yes=True)


def test_an_earlier_version_is_not_made_where_the_last_one_is_not_understood() -> None:
    files = {"a.json": '{\n  "name": "x",\n  "scripts": {\n    "dev": "vite"\n  }\n}\n'}
    first = 'In `a.json`, the scripts become:\n\n```json\n"scripts": {\n  "dev": "vite",\n  "a": "b"\n}\n```'
    last = 'Here it is with both:\n\n```json\n"scripts": {\n  "dev": "vite",\n  "a": "b",\n  "c": "d"\n}\n```'
    report = apply_edits(files, talk(last, first), accept="all")
    assert '"a"' not in (report.files["a.json"] or "") or '"c"' in (report.files["a.json"] or "")


def test_calls_of_earlier_turns_have_been_made() -> None:
    first = "<write_to_file><path>a.py</path><content>\ndef one():\n    return 1\n</content></write_to_file>"
    last = "<write_to_file><path>b.py</path><content>\nfrom a import one\n\none()\n</content></write_to_file>"
    assert apply_edits({}, talk(last, first)).files == {"b.py": "from a import one\n\none()\n"}


@pytest.mark.parametrize("form", FORMS)
def test_what_is_to_be_as_it_was_is_not_made(form: str) -> None:
    first = "In `shop/cart.py`:\n\n```python\ndef total(items):\n    return sum(items) * 1.2\n```"
    last = "Please leave `total` the way it was. Replace `show` in `shop/cart.py`:\n\n"
    answer = talk(f"{last}```python\ndef show(items):\n    return f'{{total(items)}} EUR'\n```", first, form)
    assert "1.2" not in after(answer, yes=True)
    assert "EUR" in after(answer, yes=True)


def test_an_answer_is_asked_about_where_a_later_one_has_code_that_is_not_understood() -> None:
    first = "In `shop/cart.py`:\n\n```python\ndef total(items):\n    return sum(items) * 1.2\n```"
    last = (
        "Please leave `total` the way it was. Do it in `shop/cart.py` instead:\n\n```python\nshow(items)\n```"
    )
    report = apply_edits(FILES, talk(last, first))
    assert report.files == FILES
