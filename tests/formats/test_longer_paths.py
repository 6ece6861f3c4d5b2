"""A path with spaces above a block is not taken for the file that its last word names."""

from __future__ import annotations

import pytest

from patchpoint import Edit, apply_edits, parse_edits

BODY = "<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n"
TEXT = "x = 1\n"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("my file.py", "my file.py"),
        ("**my file.py**", "my file.py"),
        ("### my file.py", "my file.py"),
        ("File: my file.py", "my file.py"),
        ('"my file.py"', "my file.py"),
        ("In my file.py:", "my file.py"),
        ("Edit my file.py", "my file.py"),
        ("a dir/file.py", "a dir/file.py"),
        ("a dir/sub dir/file.py", "a dir/sub dir/file.py"),
        ("Übung 1.md", "Übung 1.md"),
        ("Copy of file.py", "Copy of file.py"),
    ],
)
def test_the_longest_reading_that_is_a_file_is_meant(line: str, name: str) -> None:
    shorter = {name[at + 1 :]: TEXT for at, sign in enumerate(name) if sign == " "}
    files = {**shorter, name: TEXT}
    assert apply_edits(files, f"{line}\n{BODY}").files == {**shorter, name: "x = 2\n"}


@pytest.mark.parametrize("line", ["Edit file.py", "Now for file.py:", "Here is my file.py", "see file.py"])
def test_where_no_longer_name_is_a_file_the_words_before_a_path_are_words(line: str) -> None:
    assert apply_edits({"file.py": TEXT, "other.py": TEXT}, f"{line}\n{BODY}").files == {
        "file.py": "x = 2\n",
        "other.py": TEXT,
    }


def test_a_second_block_is_of_the_same_file() -> None:
    second = BODY.replace("x", "y")
    files = {"my file.py": "x = 1\ny = 1\n", "file.py": "x = 1\ny = 1\n"}
    assert apply_edits(files, f"my file.py\n{BODY}\nand\n\n{second}").files == {
        "my file.py": "x = 2\ny = 2\n",
        "file.py": "x = 1\ny = 1\n",
    }


def test_a_file_that_is_named_farther_above_gives_its_words_to_no_nearer_path() -> None:
    answer = f"It is like my file.py in that.\n\nfile.py\n{BODY}"
    files = {"my file.py": TEXT, "file.py": TEXT}
    assert apply_edits(files, answer).files == {"my file.py": TEXT, "file.py": "x = 2\n"}


def test_what_an_edit_is_called_does_not_depend_on_the_words_before_its_path() -> None:
    (edit,) = parse_edits(f"my file.py\n{BODY}")
    assert isinstance(edit, Edit)
    assert edit.longer_paths == ("my file.py",)
    assert "longer" not in repr(edit)


@pytest.mark.parametrize(
    ("above", "first", "path"),
    [
        ("**1. New file `names.sql`:**", "/* contrib/names/names.sql */", "names.sql"),
        ("**1. New file `names.sql`:**", "-- src/sql/names.sql", "src/sql/names.sql"),
        ("### Nuevo archivo: `src/names.py`", "# names.py", "src/names.py"),
        ("Create `src/names.py`:", "# names.py", "src/names.py"),
        ("**`tests/test_names.py`** (new file)", "# src/names.py", "tests/test_names.py"),
        ("This is as in `src/other.py`:", "# names.py", "names.py"),
    ],
)
def test_what_is_said_to_be_a_new_file_is_not_named_by_its_first_line(
    above: str, first: str, path: str
) -> None:
    files = {"src/sql/other.sql": TEXT}
    code = f"{first}\n\nSELECT 1;\n"
    report = apply_edits(files, f"{above}\n\n```\n{code}```\n")
    assert set(report.files) - set(files) == {path}
