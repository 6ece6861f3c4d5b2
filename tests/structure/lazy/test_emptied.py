"""A function of which only a stub is shown keeps its body."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.outcome import Status
from patchpoint.structure.lazy.doubt.emptied import emptied

STUBS = {
    "python": (
        "a.py",
        "def load(path):\n    with open(path) as file:\n        return file.read()\n",
        'def load(path, mode="r"):\n    ...\n',
        'def load(path, mode="r"):\n    with open(path) as file:\n        return file.read()\n',
    ),
    "python, only a docstring": (
        "a.py",
        'def load(path):\n    """Read it."""\n    return read(path)\n',
        'def load(path, mode="r"):\n    """Read it."""\n',
        'def load(path, mode="r"):\n    """Read it."""\n    return read(path)\n',
    ),
    "python, to fill in": (
        "a.py",
        "def load(path):\n    return read(path)\n",
        "def load(path, mode=None):\n    # TODO: put your own logic here\n    return None\n",
        "def load(path, mode=None):\n    return read(path)\n",
    ),
    "kotlin": (
        "a.kt",
        "class A {\n    fun all(): List<Int> = dao.all()\n}\n",
        "class A {\n    suspend fun all(): List<Int> = TODO()\n}\n",
        "class A {\n    suspend fun all(): List<Int> = dao.all()\n}\n",
    ),
    "ruby": (
        "a.rb",
        "class A\n  def total\n    items.sum\n  end\nend\n",
        'class A\n  def total(currency: "EUR")\n  end\nend\n',
        'class A\n  def total(currency: "EUR")\n    items.sum\n  end\nend\n',
    ),
    "go": (
        "a.go",
        "package a\n\nfunc Load(path string) string {\n\treturn read(path)\n}\n",
        'package a\n\nfunc Load(path string, mode int) string {\n\tpanic("not implemented")\n}\n',
        "package a\n\nfunc Load(path string, mode int) string {\n\treturn read(path)\n}\n",
    ),
    "java": (
        "A.java",
        "class A {\n    int load() {\n        return read();\n    }\n}\n",
        'class A {\n    long load() {\n        throw new UnsupportedOperationException("TODO");\n    }\n}\n',
        "class A {\n    long load() {\n        return read();\n    }\n}\n",
    ),
    "php": (
        "a.php",
        "<?php\nclass A {\n    function load()\n    {\n        return read();\n    }\n}\n",
        "<?php\nclass A {\n    function load($m)\n    {\n        // TODO\n        return null;\n    }\n}\n",
        "<?php\nclass A {\n    function load($m)\n    {\n        return read();\n    }\n}\n",
    ),
}


@pytest.mark.parametrize("language", STUBS)
def test_the_body_stays_below_a_new_head(language: str) -> None:
    path, file, result, kept = STUBS[language]
    found = emptied(file.split("\n"), result.split("\n"), path)
    assert found is not None
    assert "\n".join(found.kept) == kept


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def load():\n    return 1\n", "def load():\n    return 2\n"),
        ("def load():\n    pass\n", "def load(mode):\n    ...\n"),
        ("def load():\n    options = None\n", "def load():\n    pass\n"),
        ("def load():\n    return 1\n", "def load():\n    raise ValueError('no file')\n"),
        ("class A:\n    x = 1\n", "class A:\n    pass\n"),
    ],
)
def test_what_says_something_is_no_stub_and_what_said_nothing_is_not_kept(before: str, after: str) -> None:
    assert emptied(before.split("\n"), after.split("\n"), "a.py") is None


def test_an_outline_of_a_module_is_proposed_with_the_bodies_that_there_are() -> None:
    file = (
        "def read(path):\n    return load(path)\n\n\ndef lines(path):\n    return read(path).splitlines()\n"
    )
    shown = "def read(path, mode):\n    ...\n\ndef lines(path, mode):\n    ...\n"
    answer = f"The module would be organised like this:\n\n**a.py**\n\n```python\n{shown}```\n"
    (outcome,) = apply_edits({"a.py": file}, answer).outcomes
    assert outcome.status is Status.PROPOSED
    assert outcome.proposal is not None
    assert outcome.proposal.text == file.replace("(path):", "(path, mode):")
    assert "their bodies stay" in outcome.proposal.why


def test_where_the_words_ask_for_nothing_in_it_that_is_proposed() -> None:
    file = "def send(to):\n    for each in to:\n        post(each)\n\n\ndef post(one):\n    queue.put(one)\n"
    answer = "Make it a no-op for now.\n\n**a.py**\n\n```python\ndef send(to):\n    pass\n```\n"
    (outcome,) = apply_edits({"a.py": file}, answer).outcomes
    assert outcome.status is not Status.MATCHED
    if outcome.proposal is not None:
        assert outcome.proposal.text == file.replace(
            "    for each in to:\n        post(each)\n", "    pass\n"
        )
