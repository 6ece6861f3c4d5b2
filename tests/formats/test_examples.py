from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.formats import parse_edits
from tests.formats.examples import Example, described, examples

EXAMPLES = examples()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_answer_is_read_as_its_example_says(example: Example) -> None:
    assert described(example.answer, parse_edits(example.answer, example.format)) == example.edits


@pytest.mark.parametrize(
    "example",
    [example for example in EXAMPLES if example.before or example.after],
    ids=lambda example: example.name,
)
def test_what_was_read_does_to_the_files_what_its_example_says(example: Example) -> None:
    items = parse_edits(example.answer, example.format)
    report = apply_edits(example.before, items, accept="all" if example.name.startswith("inline") else ())
    after = {path: text for path, text in report.files.items() if text is not None}
    assert after == example.after
