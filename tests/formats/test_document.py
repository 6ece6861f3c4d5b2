from __future__ import annotations

from tests.formats.examples import examples
from tools.formats_page import PAGE, page


def test_the_page_of_formats_is_the_one_that_the_examples_make() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make docs`"


def test_every_example_but_those_of_no_format_is_on_the_page() -> None:
    written = PAGE.read_text(encoding="utf-8")
    missing = [example.name for example in examples() if f"/{example.name}.txt" not in written]
    assert missing == ["mixed-formats", "nested-fences", "prose", "quoted-markdown"]
