"""Edits that say the same as often as there are places for it, and hunks whose section names a place."""

from __future__ import annotations

import pytest

from patchpoint.api import apply_edits

CHECK = "        if (one == null)\n            throw new Missing(id);\n"
BETTER = CHECK.replace("Missing", "NotFound")
METHOD = "    public void {0}(int id) {{\n        var one = find(id);\n{1}        one.{0}();\n    }}\n\n"
SERVICE = "".join(METHOD.format(name, CHECK) for name in ("send", "pay", "cancel"))
FILES = {"Service.java": f"class Service {{\n{SERVICE}}}\n"}
BLOCK = f"Service.java\n<<<<<<< SEARCH\n{CHECK}=======\n{BETTER}>>>>>>> REPLACE\n\n"
CALL = f"<edit>\n<path>Service.java</path>\n<old>\n{CHECK}</old>\n<new>\n{BETTER}</new>\n</edit>\n\n"


def hunk(head: str) -> str:
    old, new = CHECK.splitlines()[1], BETTER.splitlines()[1]
    return f"@@ {head}\n         if (one == null)\n-{old}\n+{new}\n"


@pytest.mark.parametrize("edit", [BLOCK, CALL])
def test_as_many_equal_edits_as_places_are_for_all_of_them(edit: str) -> None:
    assert apply_edits(FILES, edit * 3).files == FILES
    made = apply_edits(FILES, edit * 3, accept="all").files
    assert made["Service.java"] == FILES["Service.java"].replace(CHECK, BETTER)


@pytest.mark.parametrize("edit", [BLOCK, CALL])
@pytest.mark.parametrize("times", [1, 2, 4])
def test_fewer_or_more_are_for_none(edit: str, times: int) -> None:
    assert apply_edits(FILES, edit * times, accept="all").files == FILES


def test_a_section_chooses_where_the_numbers_of_a_hunk_do_not() -> None:
    lines = FILES["Service.java"].splitlines()
    at = next(row for row, line in enumerate(lines) if "void cancel" in line)
    head = f"-{at - 2},3 +{at - 2},3 @@ public void cancel(int id) {{"
    diff = f"**Service.java**\n\n```diff\n{hunk(head)}```\n"
    made = apply_edits(FILES, diff, accept="all").files["Service.java"]
    above, below = FILES["Service.java"].split("    public void cancel")
    assert made == f"{above}    public void cancel{below.replace(CHECK, BETTER)}"
    other = diff.replace("void cancel", "void elsewhere")
    assert apply_edits(FILES, other, accept="all").files == FILES
