from __future__ import annotations

import pytest

from patchpoint.edit import Edit, Format, Malformed, Operation
from patchpoint.formats import FORMAT_NAMES, parse_edits, read_answer

BLOCK = "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=", ".join(FORMAT_NAMES)):
        parse_edits("", "yaml")
    assert all(parse_edits("", name) == [] for name in FORMAT_NAMES)


def test_only_the_format_asked_for_is_read() -> None:
    text = f"a.py\n{BLOCK}\n*** Begin Patch\n*** Delete File: b.py\n*** End Patch\n"
    assert [item.format for item in parse_edits(text)] == [Format.SEARCH_REPLACE, Format.ENVELOPE]
    assert [item.format for item in parse_edits(text, "envelope")] == [Format.ENVELOPE]


def test_the_path_of_the_caller_counts_where_the_text_names_none() -> None:
    assert [item.path for item in parse_edits(BLOCK, path="given.py")] == ["given.py"]
    assert [item.path for item in parse_edits(f"said.py\n{BLOCK}", path="given.py")] == ["said.py"]
    (item,) = parse_edits("x = 1\n", "wholeFile", path="given.py")
    assert isinstance(item, Edit)
    assert (item.operation, item.path, item.content) == (Operation.WRITE, "given.py", "x = 1\n")


def test_items_and_prose_are_the_whole_text() -> None:
    text = f"Before.\n\na.py\n```\n{BLOCK}```\n\nAfter.\n"
    answer = read_answer(text)
    assert [text[slice(*span)] for span in answer.prose] == ["Before.\n\na.py\n```\n", "\n```\n\nAfter.\n"]
    assert [text[slice(*item.span)] for item in answer.items] == [BLOCK.rstrip()]


def test_a_malformed_piece_names_its_line_in_the_whole_text_even_in_quotes() -> None:
    text = "One\nTwo\n\n> a.py\n> <<<<<<< SEARCH\n> x\n> >>>>>>> REPLACE\n"
    (item,) = parse_edits(text)
    assert isinstance(item, Malformed)
    assert (item.line, item.path) == (7, "a.py")
    assert item.message.startswith("Line 7: a '=======' line was expected")


@pytest.mark.parametrize(
    "label", ["python", "Copy code", "typescript", "...", "---", "Example:", "https://a.b/c.py"]
)
def test_what_is_no_path_is_not_taken_for_one(label: str) -> None:
    (item,) = parse_edits(f"{label}\n{BLOCK}")
    assert isinstance(item, Malformed)


@pytest.mark.parametrize(
    ("label", "path"),
    [
        ("src/app.py", "src/app.py"),
        ("`src/app.py`:", "src/app.py"),
        ("**File: `src/app.py`**", "src/app.py"),
        ("#### 2. `src/app.py` (modified)", "src/app.py"),
        ("- Edit src/app.py:", "src/app.py"),
        ("// src/app.ts", "src/app.ts"),
        ("<!-- index.html -->", "index.html"),
        ("app/[slug]/page.tsx", "app/[slug]/page.tsx"),
        ("src\\app.cs", "src\\app.cs"),
        ("my docs/read me.md", "my docs/read me.md"),
        ("Makefile", "Makefile"),
        (".gitignore", ".gitignore"),
        ("src/__init__.py", "src/__init__.py"),
        ("In **config.yaml** the port changes:", "config.yaml"),
    ],
)
def test_a_path_is_found_however_it_is_set_off(label: str, path: str) -> None:
    for text in (f"{label}\n{BLOCK}", f"{label}\n\n```python\n{BLOCK}```\n"):
        assert [item.path for item in parse_edits(text) if isinstance(item, Edit)] == [path]


def test_an_answer_with_nul_characters_and_odd_line_separators_keeps_them() -> None:
    (item,) = parse_edits("a.py\n<<<<<<< SEARCH\nx\x00\u2028\x0c\n=======\ny\n>>>>>>> REPLACE\n")
    assert isinstance(item, Edit)
    assert item.search == "x\x00\u2028\x0c\n"


def test_a_block_with_too_many_dividers_is_refused() -> None:
    (item,) = parse_edits("a.py\n<<<<<<< SEARCH\n" + "x\n=======\n" * 50 + ">>>>>>> REPLACE\n")
    assert isinstance(item, Malformed)
    assert "50 lines may each be the divider" in item.message


def test_a_move_follows_the_other_changes_to_its_file() -> None:
    text = "*** Begin Patch\n*** Update File: a\n*** Move to: b\n-x\n+y\n*** End Patch\n"
    assert [item.operation for item in parse_edits(text) if isinstance(item, Edit)] == [
        Operation.REPLACE,
        Operation.RENAME,
    ]
