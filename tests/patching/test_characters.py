"""What the search text had to be folded for is folded in the replacement, where the edit changes the file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint import apply_edit
from patchpoint.outcome import Rung

CURLY = {
    "'": ("\u2018", "\u2019"),
    '"': ("\u201c", "\u201d"),
    "-": ("\u2013",),
    " ": ("\u00a0",),
    "...": ("\u2026",),
}


def as_on_a_page(text: str, characters: str = "'\"") -> str:
    """The text with look-alikes for some of its characters, opening and closing ones by turns."""
    for plain, alike in CURLY.items():
        if plain in characters or plain == characters:
            pieces = text.split(plain)
            text = pieces[0] + "".join(alike[n % len(alike)] + piece for n, piece in enumerate(pieces[1:]))
    return text


@pytest.mark.parametrize(
    ("text", "search", "replace", "characters"),
    [
        ("print('hello')\nx = 1\n", "print('hello')\n", "print('goodbye')\n", "'"),
        ('say("hi", "you")\n', 'say("hi", "you")\n', 'say("ho", "you", end="")\n', '"'),
        ("x = a - b\n", "x = a - b\n", "x = a - c - d\n", "-"),
        ("    x = a + b\n", "    x = a + b\n", "    x = a + b + c\n", " "),
        ("run(...)\n", "run(...)\n", "run(..., now)\nrun(...)\n", "..."),
        (
            "def f():\n    return 'a'\n",
            "    return 'a'\n",
            "    if 'b':\n        return 'c'\n    return 'a'\n",
            "'",
        ),
    ],
)
def test_a_change_is_written_in_the_characters_that_the_file_has(
    text: str, search: str, replace: str, characters: str
) -> None:
    outcome = apply_edit(text, as_on_a_page(search, characters), as_on_a_page(replace, characters))
    assert outcome.matched
    assert outcome.rung is not Rung.EXACT
    assert outcome.text == text.replace(search, replace)


def test_a_part_of_a_line_is_written_in_the_characters_of_the_file() -> None:
    outcome = apply_edit("log(f('a', b))\n", "f(\u2018a\u2019", "f(\u2018z\u2019, \u2018y\u2019")
    assert outcome.text == "log(f('z', 'y', b))\n"


def test_look_alikes_that_were_quoted_as_the_file_has_them_are_meant() -> None:
    text = "title = '\u201cOpen\u201d'\n"
    outcome = apply_edit(
        text, text.replace("'", "\u2019"), "title = \u2019\u201cClosed\u201d \u2013 gone\u2019\n"
    )
    assert outcome.text == "title = '\u201cClosed\u201d \u2013 gone'\n"


def test_what_the_edit_leaves_keeps_its_characters_next_to_what_is_folded() -> None:
    text = 'show("\u201ca\u201d", "b")\n'
    page = "show(\u201c\u201ca\u201d\u201d, \u201cb\u201d)\n"
    assert apply_edit(text, page, page.replace("b", "c")).text == text.replace("b", "c")


def test_an_exact_search_leaves_the_replacement_as_it_is() -> None:
    assert apply_edit("say('hi')\n", "say('hi')\n", "say(\u2018hi\u2019)\n").text == "say(\u2018hi\u2019)\n"


def test_a_file_with_curly_quotes_keeps_those_that_the_edit_does_not_change() -> None:
    text = "text = \u201cfirst\u201d + 'a'\n"
    assert apply_edit(text, "text = \"first\" + 'a'\n", "text = \"first\" + 'b'\n").text == text.replace(
        "'a'", "'b'"
    )


@pytest.mark.parametrize(
    ("text", "search", "replace", "after"),
    [
        ("t = 'don\u2019t stop'\n", "t = 'don't stop'\n", "t = 'don't go'\n", "t = 'don\u2019t go'\n"),
        ('say("wait\u2026")\n', 'say("wait...")\n', 'say("stay...")\n', 'say("stay\u2026")\n'),
        ("pages 3\u20139, a\n", "pages 3-9, a\n", "pages 3-9, b - c\n", "pages 3\u20139, b - c\n"),
    ],
)
def test_a_changed_line_that_was_quoted_in_plain_characters_keeps_the_files_own(
    text: str, search: str, replace: str, after: str
) -> None:
    assert apply_edit(text, search, replace).text == after


_LINES = st.lists(
    st.sampled_from(["f('a')", 'g("b - c")', "x = 'y' - z", "return '...'", "h()"]), min_size=1, max_size=4
)


@given(_LINES, _LINES, st.sampled_from(["'", '"', "'\"", "'\"-", "-"]))
def test_curly_copies_of_any_edit_are_made_as_the_straight_ones(
    old: list[str], new: list[str], characters: str
) -> None:
    search = "def code():\n" + "".join(f"    {line}\n" for line in old)
    replace = "def code():\n" + "".join(f"    {line}\n" for line in new)
    text = f"import os\n\n\n{search}\n\nend()\n"
    kinds = {c for c in characters if c in search}
    copied = apply_edit(text, as_on_a_page(search, characters), as_on_a_page(replace, "".join(kinds)))
    assert copied.text == apply_edit(text, search, replace).text or not copied.matched
