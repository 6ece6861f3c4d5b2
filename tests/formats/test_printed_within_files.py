"""What looks like what a tool prints, within what an edit writes, is part of the file."""

from __future__ import annotations

import pytest

from patchpoint.api import apply_edits

TRANSCRIPT = (
    "● Update(till/tax.py)\n  ⎿  Added 1 line\n      3  A = 1\n\n● Bash(rm README.md)\n  ⎿  Done\n\nEnd.\n"
)
TAGS = "Say it so:\n\n<tool_result>\nno such file\n</tool_result>\n\nEnd.\n"


@pytest.mark.parametrize("printed", [TRANSCRIPT, TAGS])
def test_a_whole_file_keeps_what_looks_printed(printed: str) -> None:
    text = f"# Agents\n\nOne.\n\n{printed}"
    answer = f"Here is the updated `docs/agents.md`:\n\n````md\n{text.replace('One', 'Two')}````\n"
    assert apply_edits({"docs/agents.md": text}, answer).files == {
        "docs/agents.md": text.replace("One", "Two")
    }


@pytest.mark.parametrize("printed", [TRANSCRIPT, TAGS])
def test_a_replacement_keeps_what_looks_printed(printed: str) -> None:
    answer = f"a.md\n<<<<<<< SEARCH\nOne.\n=======\n{printed}>>>>>>> REPLACE\n"
    assert apply_edits({"a.md": "One.\n"}, answer).files == {"a.md": printed}


def test_what_a_tool_printed_next_to_edits_is_none() -> None:
    block = "a.md\n<<<<<<< SEARCH\nOne.\n=======\nTwo.\n>>>>>>> REPLACE\n"
    answer = f"{block}\n<tool_result>\n{block.replace('One', 'Two').replace('a.md', 'b.md')}</tool_result>\n"
    assert apply_edits({"a.md": "One.\n", "b.md": "Two.\n"}, answer).files == {
        "a.md": "Two.\n",
        "b.md": "Two.\n",
    }


def test_sentences_within_a_block_without_a_fence_ask_for_nothing() -> None:
    sentence = "- *remove `a` from `x.ts`*: only the first was read, and in `y.py` replace `b` with `c`.\n"
    answer = f"NEWS.md\n<<<<<<< SEARCH\n# News\n=======\n# News\n\n{sentence}>>>>>>> REPLACE\n"
    files = {"NEWS.md": "# News\n", "x.ts": "a;\nb;\n"}
    assert apply_edits(files, answer).files == {**files, "NEWS.md": f"# News\n\n{sentence}"}
    asked = apply_edits(files, f"Also remove `a` from `x.ts`:\n{answer}")
    assert asked.files == files
