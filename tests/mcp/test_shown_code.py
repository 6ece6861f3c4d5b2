"""Code that names no file is placed for a model as it is on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from patchpoint.mcp.call import Call, Reply, ToolError
from patchpoint.mcp.tools.results import EditsDone
from patchpoint.mcp.tools.table import tools_allowed

SHOWN = """\
Here is the new version:

```python
def parse_line(line: str) -> Sale:
    day, name, price, count, rate = line.split(";")
    return Sale(day, name, price, int(count), rate)
```

It reads one line.
"""
PARSE = "def parse_line(line: str) -> Sale:\n    day, name = line.split()\n    return Sale(day, name)\n"


def run(folder: Path, tool: str, text: str) -> Reply:
    """Return the reply of a tool to edits as text."""
    arguments: dict[str, Any] = {"text": text}
    found = tools_allowed(read_only=False, allow_restore=True)[tool]
    return found.run(Call(roots=(folder,)), found.decoded(arguments))


def test_a_function_goes_to_the_one_file_that_has_it(project: Path) -> None:
    (project / "till" / "sales.py").write_text(PARSE)
    for tool in ("preview_edits", "apply_edits"):
        reply = run(project, tool, SHOWN)
        assert isinstance(reply.data, EditsDone)
        assert not reply.is_error, reply.text
    written = (project / "till" / "sales.py").read_text()
    assert "count, rate = line.split" in written
    assert written.startswith("def parse_line")


def test_a_function_that_two_files_have_is_refused_by_their_names(project: Path) -> None:
    for name in ("sales.py", "stock.py"):
        (project / "till" / name).write_text(PARSE)
    with pytest.raises(ToolError, match=r"till/sales\.py, till/stock\.py") as refused:
        run(project, "apply_edits", SHOWN)
    assert refused.value.code == "no-edit"


def test_a_fence_that_is_no_edit_is_named_next_to_what_was_done(project: Path) -> None:
    (project / "till" / "sales.py").write_text(PARSE)
    block = (
        "till/sales.py\n<<<<<<< SEARCH\n    return Sale(day, name)\n=======\n    return 1\n>>>>>>> REPLACE\n"
    )
    reply = run(project, "apply_edits", f"{block}\nFor example:\n\n```python\nparse_line('x')\n```\n")
    assert "Not read as an edit: Line 10: this is some code" in reply.text
