"""What models are asked to write is what is read; the text that asks is itself no answer."""

from __future__ import annotations

import json

import pytest

from patchpoint import apply_edits
from patchpoint.edit import Format
from patchpoint.formats import parse_edits
from patchpoint.formats.instructions import INSTRUCTIONS, model_instructions

BEFORE = """\
class Greeter:
    def greet(self, name):
        # politely
        return "Hello " + name

    def leave(self):
        return "Bye"
"""
AFTER = BEFORE.replace('"Hello " + name', 'f"Hello, {name}!"')
NEW = "print('new')\n"

FOLLOWED = {
    Format.SEARCH_REPLACE: """\
src/greeter.py
```python
<<<<<<< SEARCH
        # politely
        return "Hello " + name
=======
        # politely
        return f"Hello, {name}!"
>>>>>>> REPLACE
```

src/new.py
```python
<<<<<<< SEARCH
=======
print('new')
>>>>>>> REPLACE
```
""",
    Format.ENVELOPE: """\
```
*** Begin Patch
*** Update File: src/greeter.py
@@ class Greeter:
     def greet(self, name):
         # politely
-        return "Hello " + name
+        return f"Hello, {name}!"
 
     def leave(self):
*** Add File: src/new.py
+print('new')
*** End Patch
```
""",  # noqa: W293
    Format.UNIFIED_DIFF: """\
```diff
--- a/src/greeter.py
+++ b/src/greeter.py
@@ -10,7 +10,7 @@
 class Greeter:
     def greet(self, name):
         # politely
-        return "Hello " + name
+        return f"Hello, {name}!"
 
     def leave(self):
         return "Bye"
--- /dev/null
+++ b/src/new.py
@@ -0,0 +1 @@
+print('new')
```
""",  # noqa: W293
    Format.TOOL_CALL: "```json\n"
    + json.dumps(
        [
            {
                "path": "src/greeter.py",
                "old_string": '        return "Hello " + name\n',
                "new_string": '        return f"Hello, {name}!"\n',
            },
            {"path": "src/new.py", "old_string": "", "new_string": NEW},
        ],
        indent=2,
    )
    + "\n```\n",
    Format.WHOLE_FILE: f"""\
The complete file `src/greeter.py`:

```python
{AFTER}```

The complete file `src/new.py`:

```python
{NEW}```
""",
    Format.LAZY: """\
src/greeter.py
```python
class Greeter:
    def greet(self, name):
        # politely
        return f"Hello, {name}!"

    # ... existing code ...
```

The complete file `src/new.py`:

```python
print('new')
```
""",
}
"""For each format an answer that does what its instructions say."""


@pytest.mark.parametrize("name", INSTRUCTIONS, ids=lambda name: name.value)
def test_an_answer_that_follows_the_instructions_is_applied(name: Format) -> None:
    answer = f"I made the greeting nicer.\n\n{FOLLOWED[name]}\nThat is all.\n"
    edits = parse_edits(answer)
    assert {edit.format for edit in edits} <= {name, Format.WHOLE_FILE}
    assert edits[0].format is name
    report = apply_edits({"src/greeter.py": BEFORE}, answer)
    assert [outcome.status.value for outcome in report.outcomes] == ["applied"] * 2, report.outcomes
    assert report.files == {"src/greeter.py": AFTER, "src/new.py": NEW}


@pytest.mark.parametrize("name", INSTRUCTIONS, ids=lambda name: name.value)
def test_nothing_in_the_instructions_is_read_as_an_edit(name: Format) -> None:
    text = model_instructions(name)
    for format_ in ("auto", *(one.value for one in INSTRUCTIONS)):
        assert parse_edits(text, format_) == [], format_
    for before in ("", "> ", "    "):
        shown = "".join(before + line for line in text.splitlines(keepends=True))
        assert parse_edits(shown) == []
        assert parse_edits(f"User:\n{shown}\nAssistant:\n{FOLLOWED[name]}") != []
        assert [edit.path for edit in parse_edits(f"{shown}\n\n{FOLLOWED[name]}")] == [
            "src/greeter.py",
            "src/new.py",
        ]


def test_blocks_are_asked_for_by_default() -> None:
    assert model_instructions() == next(iter(INSTRUCTIONS.values()))
    assert "<<<<<<< SEARCH" in model_instructions()
