"""One changed line of a file, asked for in each of the forms in which models do so."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class LineChange:
    """The line `old` of the file at `path`, whose text is `text`, becomes `new`; both are without an ending.

    The file is Python, and the line is in the body of a function.
    """

    path: str
    text: str
    old: str
    new: str

    @property
    def after(self) -> str:
        """The whole file with the change."""
        return self.text.replace(f"{self.old}\n", f"{self.new}\n")

    @property
    def function(self) -> str:
        """The changed function alone."""
        return next(part for part in self.after.split("\n\n\n") if self.new in part).rstrip("\n")

    @property
    def diff(self) -> str:
        """The change as a unified diff."""
        texts = self.text.splitlines(keepends=True), self.after.splitlines(keepends=True)
        return "".join(difflib.unified_diff(*texts, f"a/{self.path}", f"b/{self.path}"))

    @property
    def envelope(self) -> str:
        """The change as a patch of Codex."""
        lines = f"@@\n-{self.old}\n+{self.new}\n"
        return f"*** Begin Patch\n*** Update File: {self.path}\n{lines}*** End Patch"

    @property
    def arguments(self) -> dict[str, str]:
        """The arguments of a call that replaces the line."""
        return {"file_path": self.path, "old_string": self.old, "new_string": self.new}

    @property
    def block(self) -> str:
        """The change as a block with markers, without the path."""
        return f"<<<<<<< SEARCH\n{self.old}\n=======\n{self.new}\n>>>>>>> REPLACE"


def _call(change: LineChange) -> str:
    return json.dumps({"name": "Edit", "input": change.arguments})


def _openai_call(change: LineChange) -> str:
    function = {"name": "edit", "arguments": json.dumps(change.arguments)}
    return json.dumps({"tool_calls": [{"type": "function", "function": function}]})


def _invoke(change: LineChange) -> str:
    parameters = "".join(
        f'<parameter name="{key}">{said}</parameter>\n' for key, said in change.arguments.items()
    )
    return f'<invoke name="Edit">\n{parameters}</invoke>'


def _function_tags(change: LineChange) -> str:
    arguments = {"command": "str_replace", "path": change.path, "old_str": change.old, "new_str": change.new}
    parameters = "".join(f"<parameter={key}>\n{said}\n</parameter>\n" for key, said in arguments.items())
    return f"<tool_call>\n<function=str_replace_editor>\n{parameters}</function>\n</tool_call>"


CALLS: Mapping[str, Callable[[LineChange], str]] = MappingProxyType(
    {
        "a call in JSON": _call,
        "a call in JSON in a fence": lambda change: f"```json\n{_call(change)}\n```",
        "a call of OpenAI's": _openai_call,
        "a call in tags": _invoke,
        "a call in tags with equals signs": _function_tags,
        "a call in tags with blocks": lambda change: (
            f"<replace_in_file>\n<path>{change.path}</path>\n<diff>\n{change.block}\n</diff>\n</replace_in_file>"
        ),
        "a call in tags with a whole file": lambda change: (
            f"<write_to_file>\n<path>{change.path}</path>\n"
            f"<content>\n{change.after}</content>\n</write_to_file>"
        ),
        "an envelope in a call": lambda change: json.dumps(
            {"name": "apply_patch", "input": {"input": change.envelope}}
        ),
    }
)
"""The forms in which an agent's tool is called."""

WAYS: Mapping[str, Callable[[LineChange], str]] = MappingProxyType(
    {
        **CALLS,
        "a block": lambda change: f"{change.path}\n```python\n{change.block}\n```",
        "a block without a fence": lambda change: f"{change.path}\n{change.block}",
        "a diff": lambda change: f"```diff\n{change.diff}```",
        "a diff without a fence": lambda change: change.diff.rstrip("\n"),
        "an envelope": lambda change: change.envelope,
        "an envelope in a shell": lambda change: f"```bash\napply_patch <<'EOF'\n{change.envelope}\nEOF\n```",
        "a here-document": lambda change: f"```bash\ncat > {change.path} <<'EOF'\n{change.after}EOF\n```",
        "a whole file": lambda change: f"`{change.path}`:\n\n```python\n{change.after}```",
        "a whole file, path on its fence": lambda change: f"```python:{change.path}\n{change.after}```",
        "a function": lambda change: f"`{change.path}`:\n\n```python\n{change.function}\n```",
        "code with marks": lambda change: (
            f"```python\n# {change.path}\n# ... existing code ...\n\n{change.function}\n\n"
            "# ... existing code ...\n```"
        ),
        "anchors": lambda change: (
            f"{change.path}\n<<<<<<< BEFORE\n{_line_before(change)}\n=======\n{change.new}\n=======\n"
            f"{_line_after(change)}\n>>>>>>> AFTER"
        ),
        "a pair": lambda change: (
            f"## {change.path}\n\nBefore:\n\n```python\n{change.old}\n```\n\n"
            f"After:\n\n```python\n{change.new}\n```"
        ),
        "a pair in a sentence": lambda change: (
            f"In `{change.path}`, change `{change.old.strip()}` to `{change.new.strip()}`."
        ),
        "a suggestion": lambda change: (
            f"`{change.path}:{change.text[: change.text.index(change.old)].count(chr(10)) + 1}`\n\n"
            f"```suggestion\n{change.new}\n```"
        ),
    }
)
"""All forms."""


def _line_before(change: LineChange) -> str:
    lines = change.text.splitlines()
    return lines[lines.index(change.old) - 1]


def _line_after(change: LineChange) -> str:
    lines = change.text.splitlines()
    return lines[lines.index(change.old) + 1]
