"""What `export` and `pub` before a definition become where code is shown without them."""

from __future__ import annotations

import pytest

from patchpoint.structure.lazy.definition import Unmerged, UnmergedError
from patchpoint.structure.lazy.merge import merge_shown

CART = "class Cart {\n  total() {\n    return 0;\n  }\n}\n"
SCRIPT = f"export function main(argv) {{\n  return argv;\n}}\n\nexport default {CART}"
CRATE = "pub(crate) fn main(argv: u8) -> u8 {\n    argv\n}\n\nfn other() {}\n"


@pytest.mark.parametrize(
    ("path", "file", "shown", "old", "new"),
    [
        ("a.js", SCRIPT, "function main(argv) {\n  return 1;\n}\n", "return argv;", "return 1;"),
        ("a.js", SCRIPT, CART.replace("0", "2"), "return 0;", "return 2;"),
        ("a.rs", CRATE, "fn main(argv: u8) -> u8 {\n    argv + 1\n}\n", "    argv\n", "    argv + 1\n"),
    ],
)
def test_it_stays_where_it_is_left_out(path: str, file: str, shown: str, old: str, new: str) -> None:
    assert _merged(file, shown, path) == file.replace(old, new)


@pytest.mark.parametrize(
    "more", [f"\nexport default {CART}", "\nexport { main as run };\n", "\nmodule.exports = { main };\n"]
)
def test_code_that_exports_something_else_is_not_merged(more: str) -> None:
    with pytest.raises(UnmergedError) as caught:
        _merged(SCRIPT, f"function main(argv) {{\n  return 1;\n}}\n{more}", "a.js")
    assert caught.value.reason is Unmerged.LOST


def test_another_one_that_is_shown_is_taken() -> None:
    shown = "pub fn main(argv: u8) -> u8 {\n    argv + 1\n}\n"
    assert _merged(CRATE, shown, "a.rs") == CRATE.replace("pub(crate) ", "pub ").replace(
        "argv\n", "argv + 1\n"
    )


def test_the_words_of_other_languages_are_what_changes() -> None:
    file = "class Cart {\n    public int total() {\n        return 0;\n    }\n}\n"
    assert _merged(file, file.replace("public ", ""), "a.java") == file.replace("public ", "")


def _merged(file: str, shown: str, path: str) -> str:
    return "\n".join(merge_shown(file.split("\n"), shown.split("\n"), path).lines)
