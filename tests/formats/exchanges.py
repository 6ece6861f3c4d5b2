"""Conversations made around an answer: the forms in which chats and agents are copied and exported."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from patchpoint.formats.reader import read_items
from patchpoint.formats.source import AnswerText
from patchpoint.text.lines import Span


@dataclass(frozen=True)
class Said:
    """What one side says."""

    by_user: bool
    text: str


def edit_spans(text: str) -> list[Span]:
    """Return where the edits of a text are, whoever says them and whatever is said against them."""
    return [item.span for item in read_items(AnswerText(text), None, "")[0]]


def around(answer: str, path: str, code: str) -> list[Said]:
    """Return a conversation whose last answer with edits is `answer`.

    The user shows `code` of the file at `path` and a diff that failed; the model's diff in the turn before is
    the one that failed, and another exchange follows.
    """
    rows = code.splitlines() or ["x = 1"]
    diff = "\n".join(
        (f"--- a/{path}", f"+++ b/{path}", "@@ -1,2 +1,2 @@", f"-{rows[0]}", f"+{rows[0]}  # hm")
    )
    return [
        Said(True, f"Here is `{path}`, shortened:\n\n```\n{code}\n```\n\nWhat is wrong with it?"),
        Said(False, f"Try this:\n\n```diff\n{diff}\n```"),
        Said(True, f"That does not apply:\n\n```diff\n{diff}\n```\n\nerror: patch failed: {path}:1"),
        Said(False, answer),
        Said(True, "Thanks. How do I run the tests?"),
        Said(False, "With pytest:\n\n```bash\npytest -q\n```"),
    ]


def _labelled(user: str, model: str) -> Callable[[Sequence[Said]], str]:
    def written(said: Sequence[Said]) -> str:
        parts = [f"{user if one.by_user else model}\n{one.text.rstrip(chr(10))}\n" for one in said]
        return "\n".join(parts)

    return written


def _tagged(said: Sequence[Said]) -> str:
    names = [("user" if one.by_user else "assistant", one.text) for one in said]
    return "\n\n".join(f"<{name}>\n{text}\n</{name}>" for name, text in names)


def _aider(said: Sequence[Said]) -> str:
    parts = ["# aider chat started at 2026-11-20 10:00:00\n"]
    for one in said:
        text = one.text if not one.by_user else "\n".join(f"#### {line}" for line in one.text.splitlines())
        parts.append(f"{text}\n" if one.by_user else f"{text}\n\n> Tokens: 3.1k sent, 96 received.\n")
    return "\n".join(parts)


def _roles(said: Sequence[Said]) -> list[dict[str, str]]:
    return [{"role": "user" if one.by_user else "assistant", "content": one.text} for one in said]


def _chat_gpt(said: Sequence[Said]) -> str:
    mapping = {}
    for number, one in enumerate(said):
        mapping[f"n{number}"] = {
            "id": f"n{number}",
            "parent": f"n{number - 1}" if number else None,
            "children": [f"n{number + 1}"] if number + 1 < len(said) else [],
            "message": {
                "author": {"role": "user" if one.by_user else "assistant"},
                "content": {"content_type": "text", "parts": [one.text]},
            },
        }
    last = f"n{len(said) - 1}"
    return json.dumps([{"title": "A chat", "mapping": mapping, "current_node": last}], ensure_ascii=False)


def _claude_code(said: Sequence[Said]) -> str:
    lines = []
    for one in said:
        content = one.text if one.by_user else [{"type": "text", "text": one.text}]
        name = "user" if one.by_user else "assistant"
        lines.append(json.dumps({"type": name, "message": {"role": name, "content": content}}))
    return "\n".join(lines) + "\n"


def _codex(said: Sequence[Said]) -> str:
    lines = []
    for one in said:
        kind, role = ("input_text", "user") if one.by_user else ("output_text", "assistant")
        payload = {"type": "message", "role": role, "content": [{"type": kind, "text": one.text}]}
        lines.append(
            json.dumps({"timestamp": "2026-11-20T10:00:00Z", "type": "response_item", "payload": payload})
        )
    return "\n".join(lines) + "\n"


FORMS: Mapping[str, Callable[[Sequence[Said]], str]] = MappingProxyType(
    {
        "headings": _labelled("## User\n", "## Assistant\n"),
        "headings with signs": _labelled("### 👤 User\n", "### 🤖 Assistant\n"),
        "bold labels": _labelled("**You:**\n", "**ChatGPT:**\n"),
        "a page": _labelled("You said:", "ChatGPT said:"),
        "a German page": _labelled("Du hast gesagt:", "ChatGPT hat gesagt:"),
        "plain labels": _labelled("Human:", "Assistant:"),
        "names in brackets": _labelled("[user]", "[assistant]"),
        "Open WebUI": _labelled("### USER", "### ASSISTANT"),
        "tags": _tagged,
        "aider": _aider,
        "messages": lambda said: json.dumps({"messages": _roles(said)}, indent=2, ensure_ascii=False),
        "a list of messages": lambda said: json.dumps(_roles(said)),
        "ChatGPT's export": _chat_gpt,
        "Claude Code's session": _claude_code,
        "Codex's session": _codex,
    }
)
"""How a conversation is written down, by name."""
