from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint.text.shown import markdown, message, reorders, visible, visible_json, visible_line

HIDDEN = st.sampled_from("\x00\x1b\x7f\x85\x9b\r\u00ad\u061c\u200b\u200e\u2028\u202e\u2066\ufeff\U000e0041")
TEXT = st.text(st.one_of(st.characters(), HIDDEN, st.sampled_from("[]()<>!`*_:/ \n\t")))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\r\n", "a\\r\n"),
        ("\x9b1m", "\\x9b1m"),
        ("access\u202e\u2066", "access\\u202e\\u2066"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("\udc80", "\\udc80"),
        ("naïve, שלום, 日本, ✔\ufe0f", "naïve, שלום, 日本, ✔\ufe0f"),
    ],
)
def test_what_is_not_seen_is_escaped(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert visible_line(text) == shown.replace("\n", "\\n")


@given(TEXT)
def test_nothing_is_hidden_in_what_is_shown(text: str) -> None:
    for shown in (visible(text), visible_line(text), message(text), markdown(text)):
        assert not any(unicodedata.category(one) in ("Cs", "Zl", "Zp") for one in shown)
        assert not any(unicodedata.category(one) == "Cc" and one not in "\n\t" for one in shown)
        assert not reorders(shown)
    assert "\n" not in visible_line(text) + markdown(text)
    assert visible(visible(text)) == visible(text)


@given(TEXT)
def test_visible_json_is_the_same_json(text: str) -> None:
    import json

    assert json.loads(visible_json(json.dumps(text, ensure_ascii=False))) == text


@pytest.mark.parametrize(
    "text",
    [
        "[run](command:workbench.action.terminal.new)",
        "![](https://evil.example/x.png)",
        "<command:x>",
        "<https://evil.example>",
        "<me@evil.example>",
        "[a]\u200b(command:x)",
    ],
)
def test_a_message_has_no_link(text: str) -> None:
    assert "](" not in message(text)
    assert "<" not in message(text).replace("< ", "")


def test_a_message_without_links_is_left_alone() -> None:
    for text in ("a[0] (b) < c", "x <- y", "list<int>", "f(a)[b]"):
        assert message(text) == text


def test_markdown_shows_punctuation_as_it_is() -> None:
    assert markdown("a_b <img> [x](y)") == r"a\_b \<img\> \[x\](y)"
    assert markdown("https://a.example www.a.example") == r"https\://a.example www\.a.example"
    assert markdown("app.py, line 3 (of 8)") == "app.py, line 3 (of 8)"


@pytest.mark.parametrize("one", list("\u061c\u200e\u200f\u202a\u202e\u2066\u2069"))
def test_bidirectional_controls_reorder(one: str) -> None:
    assert reorders(f"a{one}b")
    assert not reorders("aשb\u200b")
