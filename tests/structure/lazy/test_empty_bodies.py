"""An empty body and a comment that says that code stays are no replacement of the code that the file has."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.structure.lazy.definition import Unmerged, UnmergedError
from patchpoint.structure.lazy.merge import merge_shown

PYTHON = '''\
import json


class Store:
    """Items in a file."""

    def __init__(self, path):
        self.path = path
        self.items = []

    def load(self):
        with open(self.path) as file:
            self.items = json.load(file)
        return self.items

    def save(self):
        with open(self.path, "w") as file:
            json.dump(self.items, file)

    def close(self):
        self.items.clear()
'''
SAVE = """\
    def save(self):
        log("saved")
        with open(self.path, "w") as file:
            json.dump(self.items, file)
"""
SAVED = PYTHON.replace("    def save(self):\n", '    def save(self):\n        log("saved")\n')
JAVASCRIPT = """\
export class Store {
  constructor(path) {
    this.path = path;
  }

  load() {
    const text = read(this.path);
    this.items = text.split("\\n");
    return this.items;
  }

  save() {
    write(this.path, this.items.join("\\n"));
  }
}
"""
JAVASCRIPT_SAVE = '  save() {\n    log("saved");\n    write(this.path, this.items.join("\\n"));\n  }\n'
JAVASCRIPT_SAVED = JAVASCRIPT.replace("  save() {\n", '  save() {\n    log("saved");\n')


def merged(shown: str, file: str, path: str) -> str:
    return "\n".join(merge_shown(file.splitlines(), shown.splitlines(), path).lines) + "\n"


def refused(shown: str, file: str, path: str) -> Unmerged:
    with pytest.raises(UnmergedError) as caught:
        merge_shown(file.splitlines(), shown.splitlines(), path)
    return caught.value.reason


def written(shown: str, file: str, path: str) -> str | None:
    return apply_edits({path: file}, f"**{path}**\n\n```\n{shown}```\n").files[path]


def in_class(method: str) -> str:
    return (
        f"class Store:\n    # ... existing code ...\n\n    {method}\n\n{SAVE}\n    # ... existing code ...\n"
    )


def in_javascript_class(method: str) -> str:
    return (
        f"export class Store {{\n  // ... existing code ...\n\n  {method}\n\n{JAVASCRIPT_SAVE}"
        "\n  // ... existing code ...\n}\n"
    )


@pytest.mark.parametrize(
    "stub",
    [
        "def load(self): ...",
        "def load(self): ...  # unchanged",
        "def load(self):\n        ...",
        "def load(self):  # unchanged\n        ...",
        "def load(self):\n        # body unchanged",
    ],
)
def test_a_method_with_a_mark_for_its_body_keeps_the_body(stub: str) -> None:
    assert merged(in_class(stub), PYTHON, "store.py") == SAVED


@pytest.mark.parametrize(
    "stub", ["load() { /* unchanged */ }", "load() { ... }", "load() { … }", "load() {\n    // ...\n  }"]
)
def test_a_mark_between_braces_on_one_line_keeps_what_is_between_them(stub: str) -> None:
    assert merged(in_javascript_class(stub), JAVASCRIPT, "store.js") == JAVASCRIPT_SAVED


@pytest.mark.parametrize("stub", ["def load(self): pass", "def load(self):\n        pass  # unchanged"])
def test_a_body_that_does_nothing_is_no_change_of_one_that_does_much(stub: str) -> None:
    assert written(in_class(stub), PYTHON, "store.py") == PYTHON


@pytest.mark.parametrize("stub", ["load() {}", "load() { // unchanged\n  }"])
def test_nor_are_empty_braces(stub: str) -> None:
    assert written(in_javascript_class(stub), JAVASCRIPT, "store.js") == JAVASCRIPT


def test_a_body_of_one_line_may_become_empty() -> None:
    shown = "    def close(self):\n        pass\n"
    assert merged(shown, PYTHON, "store.py") == PYTHON.replace("self.items.clear()", "pass")


def test_a_new_method_without_a_body_is_written_as_it_is_shown() -> None:
    shown = f"{SAVE}\n    def flush(self): ...\n"
    after = merged(shown, PYTHON, "store.py")
    assert after == SAVED.replace("\n    def close", "\n    def flush(self): ...\n\n    def close")


@pytest.mark.parametrize(
    "comment",
    ["// other props", "// parse as before...", "// ...state", "// same", "// state stays the same"],
)
def test_a_comment_that_may_be_a_mark_replaces_no_code(comment: str) -> None:
    shown = f"  load() {{\n    {comment}\n    this.loaded = true;\n    return this.items;\n  }}\n"
    assert refused(shown, JAVASCRIPT, "store.js") is Unmerged.DELETES


def test_comments_alone_replace_no_code() -> None:
    shown = "  load() {\n    // reads the file into the list\n    return this.items;\n  }\n"
    assert refused(shown, JAVASCRIPT, "store.js") is Unmerged.DELETES


def test_code_that_becomes_a_comment_is_a_change() -> None:
    shown = (
        "  load() {\n    // const text = read(this.path);\n"
        '    // this.items = text.split("\\n");\n    return this.items;\n  }\n'
    )
    assert "    // const text = read(this.path);\n    // this.items" in merged(shown, JAVASCRIPT, "store.js")


@pytest.mark.parametrize(
    "comment",
    [
        "# load() and __init__ unchanged",
        "# No changes to __init__ or load",
        "# ... load() ...",
        "# [..]",
        "# continue with the existing implementation",
        "# __init__, load: as before",
    ],
)
def test_a_comment_that_says_what_stays_is_not_written_above_or_below_a_definition(comment: str) -> None:
    around = f"class Store:\n    {comment}\n\n{SAVE}\n    {comment}\n"
    assert refused(around, PYTHON, "store.py") is Unmerged.MARK_LIKE
    assert refused(f"{comment}\n{PYTHON[PYTHON.index('class') :]}", PYTHON, "store.py") is Unmerged.MARK_LIKE


def test_nor_above_the_documentation_of_one() -> None:
    documented = JAVASCRIPT.replace("  save()", "  /**\n   * Writes the file.\n   */\n  save()")
    shown = (
        documented[documented.index("  /**") :].replace("  /**", "  /* .. */\n  /**").rstrip("}\n") + "}\n"
    )
    assert refused(shown.replace("join", "joined"), documented, "store.js") is Unmerged.MARK_LIKE


def test_a_comment_on_the_code_below_it_is_written() -> None:
    shown = SAVE.replace(
        '        log("saved")\n', '        # the list is the same as before\n        log("saved")\n'
    )
    assert "        # the list is the same as before\n" in merged(shown, PYTHON, "store.py")
