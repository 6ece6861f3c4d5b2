"""How much of a file a text shows: all of it, a part, or an end less."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.patching.whole.extent import Extent, extent_of

FILE = '''"""Carts."""

import json
import logging
import sys

log = logging.getLogger(__name__)


def load(path):
    with open(path) as file:
        return json.load(file)


def save(path, cart):
    with open(path, "w") as file:
        json.dump(cart, file)
    log.info("saved")
    return path
'''
NEW = FILE.replace("open(path)", "open(path, 'rb')")


def extent(text: str, file: str = FILE, path: str = "cart.py") -> Extent:
    return extent_of(file.splitlines(), text.splitlines(), path)


def applied(text: str, label: str) -> tuple[str | None, str]:
    """Return the file after an answer that shows `text` under a label, and what is said of it."""
    report = apply_edits({"cart.py": FILE}, f"{label}\n\n```python\n{text}```\n")
    return report.files["cart.py"], report.outcomes[0].message


@pytest.mark.parametrize(
    "text",
    [
        NEW,
        NEW.replace("import sys\n", ""),
        NEW.replace("def save", "def store"),
        NEW + "\n\ndef clear(path):\n    save(path, [])\n",
        NEW.replace('"""Carts."""', '"""What is to be bought."""'),
    ],
    ids=["a change", "an import less", "a new name", "a definition more", "another first line"],
)
def test_what_has_every_definition_and_most_else_is_all_of_the_file(text: str) -> None:
    assert extent(text).is_most
    assert applied(text, "**cart.py**")[0] == text


@pytest.mark.parametrize(
    "text",
    [NEW[: NEW.index("\n\n\ndef save") + 1], NEW[: NEW.index("    log.info")], NEW[NEW.index("log = ") :]],
    ids=["the last definition", "the last lines", "the first lines"],
)
@pytest.mark.parametrize("label", ["Here is the complete `cart.py`:", "**cart.py**"])
def test_what_lacks_an_end_of_the_file_never_overwrites_it(text: str, label: str) -> None:
    assert not extent(text).is_most
    after, _ = applied(text, label)
    assert after is not None
    assert '"""Carts."""' in after
    assert after.endswith('    log.info("saved")\n    return path\n')


def test_what_would_be_lost_is_named() -> None:
    text = NEW[: NEW.index("\n\n\ndef save") + 1]
    after, said = applied(text, "Here is the complete `cart.py`:")
    assert after == FILE
    assert "would remove 1 of 2 definitions (save) from cart.py" in said


def test_what_is_not_called_the_whole_and_lacks_a_definition_is_shown_with_it() -> None:
    text = NEW[: NEW.index("\n\n\ndef save") + 1]
    answer = f"**cart.py**\n\n```python\n{text}```\n"
    plan = apply_edits({"cart.py": FILE}, answer)
    assert plan.files == {"cart.py": FILE}
    accepted = apply_edits(
        {"cart.py": FILE}, answer, accept=[one.proposal.id for one in plan.outcomes if one.proposal]
    )
    assert accepted.files == {"cart.py": text + FILE[FILE.index("\n\ndef save") :]}


MODELS = """class User(Base):
    name = Column(String)

    def __repr__(self):
        return f"<User {self.name}>"


class Post(Base):
    created_at = Column(DateTime, default=datetime.utcnow)
    title = Column(String)

    def __repr__(self):
        return f"<Post {self.title}>"


class Tag(Base):
    title = Column(String)
"""
WITHOUT_REPR = "def utcnow():\n    return datetime.now(timezone.utc)\n\n\n" + MODELS.replace(
    '\n    def __repr__(self):\n        return f"<Post {self.title}>"\n', ""
).replace("datetime.utcnow", "utcnow")


def test_a_definition_that_the_whole_file_lacks_is_shown_to_go_though_another_one_is_new() -> None:
    answer = f"Here's the full updated `models.py`:\n\n```python\n{WITHOUT_REPR}```\n"
    report = apply_edits({"models.py": MODELS}, answer)
    assert report.files["models.py"] == MODELS
    assert [one.proposal.why for one in report.outcomes if one.proposal] == [
        "`__repr__` is not shown, and would go."
    ]
    accepted = apply_edits({"models.py": MODELS}, answer, accept="all")
    assert accepted.files["models.py"] == WITHOUT_REPR


def test_a_definition_with_another_name_and_its_old_body_is_not_lost() -> None:
    assert applied(NEW.replace("def save", "def store"), "Here is the complete `cart.py`:")[0] is not None
    assert extent(NEW.replace("def save", "def store")).dropped == ""


def test_what_has_all_definitions_and_few_other_lines_may_be_all_or_a_part() -> None:
    text = NEW.replace("import logging\nimport sys\n", "").replace("log = logging.getLogger(__name__)\n", "")
    assert applied(text, "**cart.py**")[0] == FILE
    assert applied(text, "Here is the complete `cart.py`:")[0] == text


def test_lines_are_what_counts_where_there_are_no_definitions() -> None:
    file = "".join(f"key_{n}: {n}\n" for n in range(20))
    assert extent(file.replace("7", "70"), file, "config.yaml").is_most
    assert not extent("key_1: 1\nkey_2: 3\n", file, "config.yaml").is_most
    assert extent("key_1: 1\nkey_2: 3\n", file, "config.yaml").is_far_less


@pytest.mark.parametrize("line", ["# TODO", "# Changelog", "# Usage", "# License", "# e.g. this"])
def test_a_comment_that_is_no_path_creates_no_file(line: str) -> None:
    answer = f"It goes like this:\n\n```python\n{line}\nx = 1\n```\n"
    assert apply_edits({"cart.py": FILE}, answer).files == {"cart.py": FILE}


@pytest.mark.parametrize(
    ("path", "file", "part"),
    [
        (
            "package.json",
            '{\n  "name": "a",\n  "scripts": {\n    "dev": "x",\n    "go": "y"\n  }\n}\n',
            "name",
        ),
        (
            "pom.xml",
            "<project>\n  <name>a</name>\n  <deps>\n    <dep>b</dep>\n  </deps>\n</project>\n",
            "name",
        ),
        (".env", "NAME=1\nPORT=2\nHOST=3\nUSER=4\nMODE=5\n", "NAME"),
    ],
)
def test_one_key_of_a_small_file_that_has_two_is_never_all_of_it(path: str, file: str, part: str) -> None:
    code = "".join(line for line in file.splitlines(keepends=True) if part not in line).replace("y", "z")
    for lead in (f"**{path}**", f"Update `{path}`:"):
        assert apply_edits({path: file}, f"{lead}\n\n```\n{code}```\n").files == {path: file}


def test_a_file_without_definitions_that_keeps_both_ends_may_lose_some_lines() -> None:
    file = "FROM a\nRUN one\nRUN two\nRUN three\nRUN four\nRUN five\nRUN six\nCMD b\n"
    code = file.replace("RUN two\n", "").replace("three", "3")
    answer = f"Replace `Dockerfile` with:\n\n```dockerfile\n{code}```\n"
    assert apply_edits({"Dockerfile": file}, answer).files == {"Dockerfile": file}
    assert apply_edits({"Dockerfile": file}, answer, accept="all").files == {"Dockerfile": code}


@pytest.mark.parametrize("gone", ["B=2\n", "D=4\n"])
def test_an_entry_between_both_ends_of_a_small_file_is_not_lost(gone: str) -> None:
    file = "A=1\nB=2\nC=3\nD=4\nE=5\n"
    code = file.replace(gone, "").replace("3", "30")
    assert apply_edits({".env": file}, f"**.env**\n\n```\n{code}```\n").files == {".env": file}


PRICE = "export function price(n) {\n  return n.toFixed(2);\n}\n"


@pytest.mark.parametrize(
    "lead", ["Here is the updated `src/utils/a.js`:", "Here is the modified `src/utils/a.js`:"]
)
def test_a_file_that_is_called_changed_and_is_not_there_is_not_created_unasked(lead: str) -> None:
    files = {"src/util/a.js": PRICE}
    answer = f"{lead}\n\n```js\n{PRICE.replace('2', '3')}```\n"
    shown = apply_edits(files, answer)
    assert shown.files == files
    assert [one.why for one in shown.proposals] == ["src/utils/a.js does not exist; it would be created."]
    made = apply_edits(files, answer, accept="all").files
    assert made == {**files, "src/utils/a.js": PRICE.replace("2", "3")}


@pytest.mark.parametrize(
    "lead", ["Create `a.js`:", "Here is the new `a.js`:", "`a.js`:", "Here's the full `a.js`:"]
)
def test_one_that_is_not_called_changed_is_created(lead: str) -> None:
    assert apply_edits({"b.js": ""}, f"{lead}\n\n```js\n{PRICE}```\n").files == {"b.js": "", "a.js": PRICE}
