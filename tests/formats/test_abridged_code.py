"""Words that speak of what code leaves out do not make it an example, where its file has part of it."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

SHOP = (
    "class Shop\n  RATES = [7].freeze\n\n  def open\n    start\n  end\n\n  def total\n    sum\n  end\nend\n"
)
SHOWN = (
    "class Shop\n  RATES = [7, 19].freeze\n\n  def open\n    # ...\n  end\n\n"
    "  def total\n    sum * 2\n  end\nend\n"
)
AFTER = SHOP.replace("[7]", "[7, 19]").replace("    sum\n", "    sum * 2\n")
FILES = {"lib/shop.rb": SHOP, "lib/other.rb": "class Other\nend\n"}


@pytest.mark.parametrize(
    "words",
    [
        "Here's the class with both rates. I've left out the parts that don't change:",
        "The other methods are unchanged:",
        "Hier ist die Klasse. Der Rest ändert sich nicht:",
        "Voici la classe. Le reste ne change pas :",
        "Esta es la clase. El resto no cambia:",
        "Esta é a classe. O resto não muda:",
        "Остальное не меняется:",
        "其余部分不变：",
        "残りは変わりません：",
    ],
)
def test_abridged_code_is_proposed_where_words_say_that_the_rest_stays(words: str) -> None:
    answer = f"{words}\n\n```ruby\n{SHOWN}```\n"
    assert apply_edits(FILES, answer).files == FILES
    assert apply_edits(FILES, answer, accept="all").files == {**FILES, "lib/shop.rb": AFTER}


@pytest.mark.parametrize(
    "words",
    [
        "Don't do this:",
        "Your current code:",
        "For example:",
        "So sieht es derzeit aus:",
        "Ne faites pas ceci :",
        "Как сейчас:",
    ],
)
def test_abridged_code_that_is_not_to_be_is_none(words: str) -> None:
    answer = f"{words}\n\n```ruby\n{SHOWN}```\n"
    assert apply_edits(FILES, answer, accept="all").files == FILES


def test_code_that_leaves_nothing_out_is_none_below_such_words() -> None:
    shown = SHOWN.replace("    # ...", "    go")
    answer = f"The other methods are unchanged:\n\n```ruby\n{shown}```\n"
    assert apply_edits(FILES, answer, accept="all").files == FILES
