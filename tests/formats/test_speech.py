"""A conversation is read speaker by speaker, in whatever form it comes; an answer is none."""

from __future__ import annotations

import re
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint.edit import Edit
from patchpoint.formats import parse_edits
from patchpoint.formats.conversation.speaker_labels import readings
from patchpoint.formats.conversation.speakers import Speaker
from patchpoint.formats.conversation.speech import speeches_in
from tests.formats.chat_answers import chat_answers
from tests.formats.conversations import CONVERSATIONS
from tests.formats.examples import examples
from tests.sampling import share

OLD = """\
My function looks like this, and this diff fails:

```python
def light(level):
    return level
```

```diff
--- a/src/lamp.py
+++ b/src/lamp.py
@@ -1,2 +1,2 @@
 def light(level):
-    return level
+    return dim(level)
```
"""
THANKS = "Thanks. What does it cost?"
COST = "Nothing.\n\n```python\nprint(0)\n```"
ANSWERS = {
    **{each.name: each.answer for each in examples()},
    **{each.name: each.answer for each in chat_answers()},
}


def said(text: str) -> list[tuple[str, str]]:
    """Return who says what in a text."""
    return [(each.speaker.value, text[slice(*each.span)].strip("\r\n")) for each in speeches_in(text)]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(CONVERSATIONS)), ids=list(CONVERSATIONS))
def test_each_form_of_conversation_is_read_speaker_by_speaker(number: int) -> None:
    form = list(CONVERSATIONS.values())[number]
    failed = {}
    for name, answer in share(list(ANSWERS.items()), number, 4):
        if not answer.strip():
            continue
        text = form.wrap(OLD, answer, THANKS, COST)
        models = [words for speaker, words in said(text) if speaker == Speaker.MODEL.value]
        if models != [answer.strip("\r\n"), COST]:
            failed[name] = models
    assert not failed


def asked_for(text: str) -> list[tuple[object, ...]]:
    """Return what the edits read from a text do."""
    return [
        (each.path, each.operation, each.search, each.replace, each.content, each.at_end, each.may_be_cut_off)
        if isinstance(each, Edit)
        else (each.path, each.format)
        for each in parse_edits(text)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(CONVERSATIONS)), ids=list(CONVERSATIONS))
def test_an_answer_asks_for_the_same_in_a_conversation(number: int) -> None:
    form = list(CONVERSATIONS.values())[number]
    for answer in share(list(ANSWERS.values()), number, 12):
        assert asked_for(form.wrap(OLD, answer, THANKS, "Nothing.")) == asked_for(answer)


FENCED = "```python\nlight = 1\n```"
CHAT = "## User\n\nHello\n\n## Assistant\n\nHi\n"
WITH_FENCE = "## User\n\nHello\n\n```python\nold()\n```\n\n## Assistant\n\nHi\n"
NO_CONVERSATIONS = {
    "an answer": f"Change it:\n\n{FENCED}\n",
    "a file with the headings of a chat": f"`docs/chat.md`:\n\n````markdown\n{WITH_FENCE}````\n",
    "a file with the labels of a page": "```text\nYou said:\nhi\nChatGPT said:\nhello\n```\n",
    "words about forms of chats": (
        "Forms of chats:\n\n- `## User` and `## Assistant`\n- **User:** and **Assistant:** in bold\n"
        '- "You said:" and "ChatGPT said:"\n\n> User: hi\n> Assistant: hello\n'
    ),
    "headings of one side alone": f"## User\n\n{FENCED}\n\n## Order\n\n{FENCED}\n",
    "headings of code": f"## User\n\n{FENCED}\n\n## Agent\n\n{FENCED}\n\n## Model\n\n{FENCED}\n",
    "keys": "user:\n  name: x\nassistant:\n  name: y\n",
    "keys in a fence": "```yaml\nuser:\n  name: x\n\nassistant:\n  name: y\n```\n",
    "messages as data": '```python\nmessages = [\n{"role": "user"},\n{"role": "assistant"},\n]\n```\n',
    "a block": f"a.md\n<<<<<<< SEARCH\n{CHAT}=======\n{CHAT}Bye\n>>>>>>> REPLACE\n",
    "a patch": f"*** Begin Patch\n*** Add File: a.md\n{CHAT}*** End Patch\n",
    "a diff": "--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,2 @@\n-## User\n+## Human\n ## Assistant\n",
    "a here-document": f"cat > a.md <<'EOF'\n{CHAT}EOF\n",
    "the content of a tag": f"<file_text>\n{CHAT}</file_text>\n",
    "an answer that ends with a sample": f"{FENCED}\n\nIt prints:\n\nUser: hi\nAssistant: hello\n",
    "nothing": "",
}


@pytest.mark.parametrize("text", NO_CONVERSATIONS.values(), ids=NO_CONVERSATIONS)
def test_a_text_that_is_no_conversation_has_no_speeches(text: str) -> None:
    assert speeches_in(text) == []
    assert speeches_in(text.replace("\n", "\r\n")) == []


@pytest.mark.parametrize(
    ("user", "model"),
    [
        ("**User:", "**Assistant:"),
        ("**You:**", "**ChatGPT:"),
        ("## **User:", "## **AI:**"),
        ("__User:", "__AI:"),
    ],
)
def test_a_label_whose_marks_were_cut_off_is_one(user: str, model: str) -> None:
    text = f"{user}\n{OLD}\n\n{model}\nSend it to `dim`.\n"
    assert [speaker for speaker, _ in said(text)] == ["user", "model"]
    assert not parse_edits(text)


def test_an_answer_is_no_conversation() -> None:
    assert [name for name, answer in ANSWERS.items() if speeches_in(answer)] == []


@pytest.mark.parametrize("text", NO_CONVERSATIONS.values(), ids=NO_CONVERSATIONS)
def test_an_answer_that_stops_anywhere_is_no_conversation(text: str) -> None:
    assert [end for end in range(len(text)) if speeches_in(text[:end])] == []


FIRST = "Fix `src/lamp.py`."
ANSWER = f"`src/lamp.py`:\n\n{FENCED}"
HELD = {
    "the headings of the conversation in a fence": f"`a.md`:\n\n````markdown\n{WITH_FENCE}````\n\nDone.",
    "they in a fence of three signs": f"`docs/chat.md`:\n\n```markdown\n{CHAT}```\n\nDone.\n\n{FENCED}",
    "they in a block": f"a.md\n<<<<<<< SEARCH\n{CHAT}=======\nnothing\n>>>>>>> REPLACE\n\nDone.",
    "they in a here-document": f"cat > a.md <<'EOF'\n{CHAT}EOF\n\nDone.",
    "they in a quote": "You wrote:\n\n> ## User\n>\n> ## Assistant\n\nDone.",
    "the labels of another form": "It prints\n\n**User:** hi\n\n**Assistant:** hello\n\nDone.",
    "the labels of a page": "It prints\n\nYou said:\nhi\nChatGPT said:\nhello\n\nDone.",
}


@pytest.mark.parametrize("answer", HELD.values(), ids=HELD)
def test_an_answer_in_a_conversation_may_hold_labels(answer: str) -> None:
    text = CONVERSATIONS["headings"].wrap(OLD, answer, THANKS, COST)
    assert said(text) == [("user", OLD.strip()), ("model", answer), ("user", THANKS), ("model", COST)]


UNCLOSED = {
    "a fence": "It fails:\n\n```python\ndef light(level):\n    return level",
    "a fence without a language": "It fails:\n\n```\ndef light(level):\n    return level",
    "a fence of tildes": "It fails:\n\n~~~\nold",
    "a fence behind another": f"{OLD}\n```\nTraceback",
    "a block": "It fails:\n\n<<<<<<< HEAD\nold",
    "a here-document": "It fails:\n\ncat > a.md <<'EOF'\nold",
    "a tag": "It fails:\n\n<content>\nold",
}
REPLIES = {
    "code": ANSWER,
    "code in a fence without a language": "`src/lamp.py`:\n\n```\nlight = 1\n```",
    "a block": "src/lamp.py\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE",
    "words": "Look at `src/lamp.py` first.",
}


@pytest.mark.parametrize("unclosed", UNCLOSED.values(), ids=UNCLOSED)
def test_what_a_user_forgot_to_close_does_not_swallow_the_answer(unclosed: str) -> None:
    for form, reply in share(list(product(CONVERSATIONS.values(), REPLIES.values()))):
        text = form.wrap(unclosed, reply, THANKS, COST)
        assert [words for speaker, words in said(text) if speaker == "model"] == [reply, COST]


def test_what_a_user_forgot_to_close_twice_does_not_swallow_the_answer() -> None:
    for form in CONVERSATIONS.values():
        text = form.wrap("It fails:\n\n~~~\nold", ANSWER, "Again:\n\n```\nold", COST)
        assert [words for speaker, words in said(text) if speaker == "model"] == [ANSWER, COST]


BROKEN_OFF = {
    "code": "`src/lamp.py`:\n\n```python\nlight = 1\ndef",
    "code in a fence without a language": "`src/lamp.py`:\n\n```\nlight = 1\ndef",
    "a suggestion": "`src/lamp.py`:\n\n```suggestion:-0+0\nlight = 1",
}


@pytest.mark.parametrize("broken", BROKEN_OFF.values(), ids=BROKEN_OFF)
def test_code_that_breaks_off_never_goes_on_in_the_words_of_others(broken: str) -> None:
    for form in CONVERSATIONS.values():
        text = form.wrap(OLD, broken, "Go on.\n```\nx", "\n\n```\n\nDone.")
        assert next(words for speaker, words in said(text) if speaker == "model") == broken


def test_code_that_breaks_off_ends_where_the_user_asks_to_go_on() -> None:
    broken = "`src/lamp.py`:\n\n```python\nlight = 1\ndef"
    text = CONVERSATIONS["headings"].wrap(OLD, broken, "Go on.", " dim():\n    pass\n```\n\nDone.")
    assert said(text)[1] == ("model", broken)


TRANSCRIPTS = {
    "opencode with a tool": (
        "# A lamp\n\n**Session ID:** ses_1\n\n---\n\n## User\n\nFix it.\n\n---\n\n"
        "## Assistant (Build · Sonnet · 3.2s)\n\nI read it.\n\n**Tool: read**\n\n"
        "**Input:**\n```json\n{}\n```\n\n"
        "**Output:**\n```\n<content>\nold\n</content>\n```\n\n---\n\n"
        "## Assistant (Build · Sonnet · 1s)\n\nDone.\n",
        ["user", "model", "tool", "model"],
    ),
    "Cline, whose results are the user's by name": (
        "**User:**\n\n<task>\nFix it.\n</task>\n\n---\n\n**Assistant:**\n\n<read_file>\n\n---\n\n"
        "**User:**\n\n[read_file for 'a.py'] Result:\n\nold\n\n---\n\n**Assistant:**\n\nDone.\n",
        ["user", "model", "tool", "model"],
    ),
    "Claude Code": (
        "> fix it\n\n⏺ I read it.\n\n⏺ Read(a.py)\n  ⎿  Read 2 lines\n     old\n\n⏺ Done.\n\n> thanks\n",
        ["user", "model", "tool", "model", "user"],
    ),
    "Codex": (
        "› fix it\n\n• I read it.\n  └ Read a.py\n\n• Done.\n\n› thanks\n",
        ["user", "model", "tool", "model", "user"],
    ),
    "Gemini CLI": ("> fix it\n\n✦ Done.\n\n> thanks\n\n✦ Bye.\n", ["user", "model", "user", "model"]),
    "a part of aider's history": (
        "Sure.\n\n> Tokens: 3k sent.  \n"
        "> Applied edit to a.py  \n\n#### thanks  \n\nBye.\n\n#### A heading\n\n> a quote\n",
        ["model", "tool", "user", "model"],
    ),
    "aider's history without spaces at the ends of lines": (
        "#### fix it\n#### now\n\nSure.\n\n> Tokens: 3k sent.\n> Applied edit to a.py\n\n#### thanks\n",
        ["user", "model", "tool", "user"],
    ),
    "a page without the first label": (
        "Fix it.\nChatGPT said:\nDone.\nYou said:\nThanks\n",
        ["model", "user"],
    ),
    "a system's words": ("[system]\nBe brief.\n[user]\nHi\n[assistant]\nHi\n", ["tool", "user", "model"]),
    "several of the model's in a row": (
        "_**User**_\n\nHi\n\n---\n\n_**Agent (model x-1)**_\n\nA\n\n---\n\n_**Agent (model x-1)**_\n\nB\n",
        ["user", "model"],
    ),
    "a rule of the model's own": ("## User\n\nHi\n\n## Assistant\n\nA\n\n---\n\nB\n", ["user", "model"]),
}


@pytest.mark.parametrize(("text", "speakers"), TRANSCRIPTS.values(), ids=TRANSCRIPTS)
def test_a_transcript_is_read_speaker_by_speaker(text: str, speakers: list[str]) -> None:
    assert [speaker for speaker, _ in said(text)] == speakers
    assert [speaker for speaker, _ in said(text.replace("\n", "\r\n"))] == speakers


def test_what_is_above_the_first_label_belongs_to_no_speech() -> None:
    text = f"# Lamps\n\n{OLD}\n---\n\n## User\n\nHi\n\n## Assistant\n\n{ANSWER}\n"
    assert said(text) == [("user", "Hi"), ("model", ANSWER)]


PIECES = st.sampled_from(
    [
        *(
            part
            for name, form in CONVERSATIONS.items()
            if "Copilot" not in name
            for part in (form.user, form.model, form.head)
        ),
        *(OLD, CHAT, ANSWER, COST, "```\n", "```python\n", "~~~\n", "<<<<<<< SEARCH\n", ">>>>>>> REPLACE\n"),
        *("cat <<EOF\n", "EOF\n", "<content>\n", "</content>\n", "---\n", "\n", " ", "\r\n", "x", "\r"),
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_speeches_follow_one_another_in_whole_lines(text: str) -> None:
    ends = {label.end for labels in readings(text) for label in labels}
    reached = 0
    for speech in speeches_in(text):
        start, end = speech.span
        assert reached <= start < end <= len(text)
        assert text[start:end].strip()
        line = text.rfind("\n", 0, start) + 1
        assert not text[line:start].strip() or start in ends
        assert text[end - 1] == "\n" or end == len(text) or re.match(r"<[/|\w]+", text[end:])
        reached = end


@given(st.lists(PIECES, max_size=8).map("".join))
def test_neighbours_are_of_different_speakers_unless_nothing_was_said_between(text: str) -> None:
    found = speeches_in(text)
    for one, other in pairwise(found):
        assert one.speaker is not other.speaker or text[one.span[1] : other.span[0]].strip()
