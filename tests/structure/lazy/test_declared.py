"""What declares a name again takes the place of what declared it in the same block."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.outcome import Status
from patchpoint.structure.lazy.doubt.declared import declared_once

BEFORE = """export function App() {
  const [notes] = useNotes();

  const visible = notes.filter(fits);

  return list(visible);
}
"""
NEW = "  const visible = useMemo(\n    () => notes.filter(fits),\n    [notes],\n  );\n"


@pytest.mark.parametrize(
    "below", ["  const visible = notes.filter(fits);\n\n", "  return list(visible);\n\n"]
)
def test_the_new_statement_is_where_the_old_one_was(below: str) -> None:
    result = BEFORE.replace(below, f"{below}{NEW}\n")
    if result == BEFORE:
        result = BEFORE.replace(below.rstrip() + "\n", f"{below}{NEW}")
    found = declared_once(BEFORE.split("\n"), result.split("\n"), "App.tsx")
    assert found is not None
    assert found[0] == "visible"
    assert "\n".join(found[1]) == BEFORE.replace("  const visible = notes.filter(fits);\n", NEW)


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.rs", "fn f() {\n    let x = 1;\n}\n", "fn f() {\n    let x = 1;\n    let x = x + 1;\n}\n"),
        (
            "a.js",
            "function f() {\n  const x = 1;\n}\n",
            "function f() {\n  const x = 1;\n}\nfunction g() {\n  const x = 2;\n}\n",
        ),
        ("a.md", "```js\nconst x = 1;\n```\n", "```js\nconst x = 1;\n```\n\n```js\nconst x = 2;\n```\n"),
        ("a.js", "const x = 1;\n", "const x = 1;\nif (x) {\n  const x = 2;\n}\n"),
    ],
)
def test_a_name_of_another_block_is_another(path: str, before: str, after: str) -> None:
    assert declared_once(before.split("\n"), after.split("\n"), path) is None


def test_it_is_proposed_where_a_mark_leaves_open_what_it_is() -> None:
    shown = f"export function App() {{\n  // ... existing code ...\n\n{NEW}\n  // ... existing code ...\n}}\n"
    (outcome,) = apply_edits({"App.tsx": BEFORE}, f"**App.tsx**\n\n```tsx\n{shown}```\n").outcomes
    assert outcome.status is Status.PROPOSED
    assert outcome.proposal is not None
    assert outcome.proposal.text == BEFORE.replace("  const visible = notes.filter(fits);\n", NEW)
