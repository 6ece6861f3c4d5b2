from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.documentation import README, ROOT, with_tables

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "editors").rglob("*.md")])
DOCUMENTS = [path for path in DOCUMENTS if "node_modules" not in path.parts]


def test_the_tables_in_the_readme_are_those_of_the_code() -> None:
    written = README.read_text(encoding="utf-8")
    assert written == with_tables(written), "run `make docs`"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_to_a_file_leads_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", document.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_the_command_table_of_the_readme_names_the_required_keys() -> None:
    table = README.read_text(encoding="utf-8")
    assert re.search(r"`patchpoint\.resolveEdit` \| `edit`\*, `candidate`\*", table)
