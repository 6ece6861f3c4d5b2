"""What an answer is called."""

from __future__ import annotations

import pytest

from patchpoint.workspace.label import title_of


@pytest.mark.parametrize(
    ("answer", "title"),
    [
        ("The tax was wrong. It is 19 %.\n\n```python\nx\n```\n", "The tax was wrong"),
        ("## Fix\n\nI **rounded** the prices:\n", "I rounded the prices"),
        ("src/app.py\n<<<<<<< SEARCH\nnot a single word of this\n", ""),
        ("```python\nsome code in here\n```\nAnd then some words.\n", ""),
        ("Sure!\n\nVersion 3.11 of it is needed now.", "Version 3.11 of it is needed now"),
        (
            "\u6211\u4fee\u590d\u4e86\u4ef7\u683c\u7684\u8ba1\u7b97\u3002\u7136\u540e",
            "\u6211\u4fee\u590d\u4e86\u4ef7\u683c\u7684\u8ba1\u7b97",
        ),
        ("words " * 40, ("words " * 40)[:79] + "\u2026"),
        ("", ""),
        ("\x1b[31mred words of it\x1b[0m\n", "31mred words of it\\x1b[0m"),
    ],
)
def test_an_answer_is_called_by_its_first_sentence(answer: str, title: str) -> None:
    assert title_of(answer) == title
