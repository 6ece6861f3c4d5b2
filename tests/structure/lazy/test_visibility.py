"""What `export` and `pub` before a definition become where code is shown without them."""

from __future__ import annotations

import pytest

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


def test_it_goes_where_what_is_shown_next_to_it_has_its_own() -> None:
    shown = f"function main(argv) {{\n  return 1;\n}}\n\nexport default {CART}"
    assert _merged(SCRIPT, shown, "a.js") == shown


@pytest.mark.parametrize("line", ["export { main as run };", "module.exports = { main };"])
def test_it_goes_where_the_name_is_exported_otherwise(line: str) -> None:
    file = "export function main(argv) {\n  return argv;\n}\n"
    shown = f"function main(argv) {{\n  return 1;\n}}\n\n{line}\n"
    assert "export function" not in _merged(file, shown, "a.js")


def test_it_goes_where_nothing_else_changes() -> None:
    shown = "function main(argv) {\n  return argv;\n}\n"
    assert _merged(SCRIPT, shown, "a.js") == SCRIPT.replace("export function", "function")


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
