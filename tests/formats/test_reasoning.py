"""Reasoning is prose in any wrapping, hides nothing behind it, and is left alone in the content of edits."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from patchpoint.edit import Edit, Malformed
from patchpoint.formats import parse_edits, read_answer, reasoning
from patchpoint.formats.reasoning import reasoning_in
from tests.formats.cut_off_answers import edits_of, whole_answers

DRAFT = """\
src/lamp.py
<<<<<<< SEARCH
old
=======
draft
>>>>>>> REPLACE
"""
MEANT = DRAFT.replace("draft", "meant")
CALL = '{"name": "Edit", "arguments": {"path": "src/lamp.py", "old_string": "old", "new_string": "meant"}}'
WRAPPINGS = {
    "think": "<think>\n{}\n</think>\n\n",
    "think on one line with the answer": "<think>{}</think>",
    "thinking": "<thinking>\n{}\n</thinking>\n",
    "with attributes and a prefix": '<ant:thinking budget="high">\n{}\n</ant:thinking>\n',
    "in capitals": "<THINK>\n{}\n</THINK>\n",
    "reasoning": "<reasoning>\n{}\n</reasoning>\n",
    "a lone closing tag": "The lamp must be off first.\n\n{}\n</think>\n\n",
    "a lone closing tag behind the last word": "The lamp must be off first.\n\n{}\nSo be it.</think>\n\n",
    "channels": "<|channel|>analysis<|message|>Well.\n{}<|end|><|start|>assistant<|channel|>final<|message|>",
    "channels of a request": "<|start|>assistant<|channel|>analysis<|message|>\n{}\n<|end|>\n",
    "channels without their tokens": "analysisThe lamp must be off first.\n{}\nassistantfinal",
    "brackets": "[THINK]\n{}\n[/THINK]\n",
    "triangles": "◁think▷\n{}\n◁/think▷\n",
    "thought tokens": "<|begin_of_thought|>\n{}\n<|end_of_thought|>\n\n",
    "a folded section": '<details type="reasoning">\n<summary>Thought</summary>\n{}\n</details>\n',
    "twice": "<think>\n{0}\n</think>\n\nSo:\n\n<think>\n{0}\n</think>\n",
    "one in another": "<think>\n<think>\nnested\n</think>\n{}\n</think>\n",
    "quoted": "> <think>\n> The lamp.\n> </think>\n<think>\n{}\n</think>\n",
}
DRAFTS = {
    "a block": DRAFT,
    "a block that is never closed": DRAFT.removesuffix(">>>>>>> REPLACE\n"),
    "a fence that is never closed": f"```python\n{DRAFT}",
    "a diff": "```diff\n--- a/src/lamp.py\n+++ b/src/lamp.py\n@@\n-old\n+draft\n```\n",
    "a call": CALL.replace("meant", "draft") + "\n",
    "a patch": "*** Begin Patch\n*** Delete File: src/lamp.py\n*** End Patch\n",
    "nothing": "It is dark.",
}


ENDS_LATER = {"a lone closing tag", "a lone closing tag behind the last word", "one in another"}
"""Only their last tag tells that what is before it is reasoning."""


@pytest.mark.parametrize("draft", DRAFTS.values(), ids=DRAFTS)
@pytest.mark.parametrize("wrapping", [name for name in WRAPPINGS if name not in ENDS_LATER])
def test_no_beginning_of_reasoning_asks_for_its_drafts(wrapping: str, draft: str) -> None:
    text = WRAPPINGS[wrapping].format(draft) + MEANT
    whole = edits_of(text)
    assert [end for end in range(0, len(text), 5) if not edits_of(text[:end]) <= whole] == []


@pytest.mark.parametrize("draft", DRAFTS.values(), ids=DRAFTS)
@pytest.mark.parametrize("wrapping", WRAPPINGS.values(), ids=WRAPPINGS)
@pytest.mark.parametrize("meant", [MEANT, f"```json\n{CALL}\n```\n", f"<tool_call>\n{CALL}\n</tool_call>\n"])
def test_a_draft_is_prose_and_what_follows_is_meant(wrapping: str, draft: str, meant: str) -> None:
    text = wrapping.format(draft) + meant
    (edit,) = parse_edits(text)
    assert isinstance(edit, Edit), edit
    assert edit.replace.strip() == "meant"
    start, end = edit.span
    assert text[start:end].strip("`\n") in meant


@pytest.mark.parametrize("ending", ["<|return|>", "<|end|>", "<|call|>"])
def test_the_marks_of_a_channel_are_no_part_of_the_answer_in_it(ending: str) -> None:
    head = "<|channel|>analysis<|message|>Dark.<|end|><|start|>assistant<|channel|>final<|message|>"
    assert edits_of(head + MEANT.rstrip() + ending) == edits_of(MEANT)
    call = "<|start|>assistant<|channel|>commentary to=functions.edit <|constrain|>json<|message|>"
    (edit,) = edits_of(f"<|channel|>analysis<|message|>Dark.<|end|>{call}{CALL}{ending}")
    assert edit.replace == "meant"


@pytest.mark.parametrize(
    "opening", ["<think>", "<thinking>", "<reasoning>", "<|channel|>analysis<|message|>", "[THINK]"]
)
def test_reasoning_that_never_ends_asks_for_nothing_and_says_so(opening: str) -> None:
    (item,) = parse_edits(f"Well.\n\n{opening}\nPerhaps this:\n\n{DRAFT}")
    assert isinstance(item, Malformed)
    assert item.line == 3
    assert "never ends" in item.message
    assert parse_edits(f"{opening}\nIt is dark.\n") == []
    assert isinstance(parse_edits(f"{MEANT}\n{opening}\n{DRAFT}")[0], Edit)


@pytest.mark.parametrize("tag", ["<tool_call>\n{}\n</tool_call>", "<tool_calls>\n{}\n</tool_calls>"])
def test_a_call_ends_reasoning_that_nothing_else_ends(tag: str) -> None:
    (edit,) = parse_edits(f"<think>\nThe lamp first.\n\n{DRAFT}\n" + tag.format(CALL))
    assert isinstance(edit, Edit)
    assert edit.replace == "meant"


THOUGHT = "<think>\nI doubt it.\n</think>\n"
CONTENT = {
    "a block": f"prompt.txt\n<<<<<<< SEARCH\nbe brief\n=======\n{THOUGHT}>>>>>>> REPLACE\n",
    "a block that searches for a closing tag": (
        "prompt.txt\n<<<<<<< SEARCH\n</think>\n=======\n</thinking>\n>>>>>>> REPLACE\n"
    ),
    "a block that adds an opening tag": (
        "prompt.txt\n<<<<<<< SEARCH\nhello\n=======\n<think>\nhello\n>>>>>>> REPLACE\n"
    ),
    "a fenced block": f"```\nprompt.txt\n<<<<<<< SEARCH\nbe brief\n=======\n{THOUGHT}>>>>>>> REPLACE\n```\n",
    "a whole file": f"The complete `prompt.txt`:\n\n```text\n{THOUGHT}```\n",
    "a whole page": f"The complete `notes.md`:\n\n````md\n{THOUGHT}\n```py\nx = 1\n```\n````\n",
    "a patch": "*** Begin Patch\n*** Update File: a.txt\n@@\n <think>\n-no\n+yes\n </think>\n*** End Patch\n",
    "a diff": "--- a/prompt.txt\n+++ b/prompt.txt\n@@ -1,3 +1,3 @@\n <think>\n-no\n+yes\n </think>\n",
    "a fenced diff": (
        "```diff\n--- a/prompt.txt\n+++ b/prompt.txt\n@@ -1,3 +1,3 @@\n <think>\n-no\n+yes\n </think>\n```\n"
    ),
    "a call": '{"path": "a.txt", "old_string": "<think>\\nno</think>", "new_string": "<think>y</think>"}\n',
    "a call in tags": (
        '<invoke name="Edit">\n<parameter name="path">prompt.txt</parameter>\n'
        f'<parameter name="old_string">no</parameter>\n<parameter name="new_string">\n{THOUGHT}</parameter>\n'
        "</invoke>\n"
    ),
    "a tool's tag": f"<write_to_file>\n<path>a</path>\n<content>\n{THOUGHT}</content>\n</write_to_file>\n",
    "code that names the tags": (
        "split.py\n<<<<<<< SEARCH\nend = text.find('</think>')\n=======\n"
        'start, end = text.find("<think>"), text.find("</think>")\n>>>>>>> REPLACE\n'
    ),
}


@pytest.mark.parametrize("content", CONTENT.values(), ids=CONTENT)
def test_the_same_tags_in_the_content_of_an_edit_are_content(content: str) -> None:
    assert reasoning_in(content) == []
    (edit,) = parse_edits(content)
    assert isinstance(edit, Edit)
    assert "think" in edit.replace + (edit.content or "")
    (behind,) = parse_edits(f"<think>\n{DRAFT}\n</think>\n\n{content}")
    assert isinstance(behind, Edit)
    assert (behind.search, behind.replace, behind.content) == (edit.search, edit.replace, edit.content)


def test_a_sentence_about_the_tags_is_no_reasoning() -> None:
    for sentence in (
        "Remove `</think>` first.",
        "The tag <think> and its end </think> go.",
        "`<think>` opens it.",
    ):
        assert edits_of(f"{sentence}\n\n{MEANT}") == edits_of(MEANT)


def test_a_whole_answer_that_is_one_file_comes_without_the_reasoning_before_it() -> None:
    (edit,) = parse_edits("<think>\nDark.\n</think>\n\nx = 1\n", "wholeFile", path="a.py")
    assert isinstance(edit, Edit)
    assert edit.content == "x = 1\n"
    (fenced,) = parse_edits("<think>\nDark.\n</think>\n```py\nx = '<think>'\n```\n", "wholeFile", path="a.py")
    assert isinstance(fenced, Edit)
    assert fenced.content == "x = '<think>'\n"


@pytest.mark.slow
@given(
    st.deferred(lambda: st.sampled_from(whole_answers())),
    st.deferred(lambda: st.sampled_from(whole_answers())),
    st.sampled_from(sorted(WRAPPINGS.values())),
    st.sampled_from(["\n", "\r\n"]),
)
def test_any_answer_asks_for_the_same_with_another_as_reasoning_before_it(
    meant: str, draft: str, wrapping: str, ending: str
) -> None:
    # What is quoted of an answer, below reasoning of which a part is quoted, is what a person quotes.
    assume(not (wrapping.startswith(">") and "\n>" in f"\n{meant}"))
    text = (wrapping.format(draft.replace("\r\n", "\n")) + "\n\n" + meant.replace("\r\n", "\n")).replace(
        "\n", ending
    )
    assert edits_of(text) == edits_of(meant.replace("\r\n", "\n").replace("\n", ending))
    answer = read_answer(text)
    assert (
        "".join(text[slice(*span)] for span in sorted((*(i.span for i in answer.items), *answer.prose)))
        == text
    )


MANY = (
    "<think>\n",
    "<think>\n<think>\n</think>\n",
    "</think>\n",
    "```py\n</think>\n",
    "<think>\n<tool_call>\n",
    "<<<<<<< SEARCH\n</think>\n",
    "<|channel|>analysis",
    "```py\n<think>\n",
)


@pytest.mark.slow
@pytest.mark.parametrize("piece", MANY)
def test_many_tags_are_passed_over_once(piece: str) -> None:
    looks = [_looks_at(piece * count) for count in (200, 400)]
    assert looks[1] <= 2.5 * looks[0] + 1000


def _looks_at(text: str) -> int:
    """Return how many lines of the module are executed to find the reasoning in a text."""
    lines = 0

    def count(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal lines
        lines += event == "line" and frame.f_code.co_filename == reasoning.__file__
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        reasoning_in(text)
    finally:
        sys.settrace(before)
    return lines
