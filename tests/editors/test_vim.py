"""A real Vim with ALE, set up by the lines of docs/editors/vim.md."""

from __future__ import annotations

import re
from pathlib import Path

from tests.demo.project import ANSWER
from tests.editors.editing import Editing
from tests.editors.installed import INSTALLED, PROGRAMS, ROOT, editor, no_test

ALE = INSTALLED / "tree" / "usr" / "share" / "vim-ale"
PAGE = ROOT / "docs" / "editors" / "vim.md"


def test_vim_with_ale_applies_an_answer_and_chooses_a_candidate(editing: Editing) -> None:
    executable = editor("vim", "install it from the system's packages")
    if not ALE.exists():
        no_test("There is no ALE here; tests/editors/install.sh fetches it on Debian.")
    (lines,) = re.findall(r"## ALE\n.*?```vim\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (editing.home / ".vimrc").write_text(lines, encoding="utf-8")
    plugin = editing.home / ".vim" / "pack" / "ale" / "start" / "ale"
    plugin.parent.mkdir(parents=True)
    plugin.symlink_to(ALE)
    (editing.project / "answer.md").write_bytes(ANSWER.read_bytes())
    tax = editing.project / "till" / "tax.py"
    before = tax.read_text(encoding="utf-8")

    script = Path(__file__).parent / "vim" / "with_ale.vim"
    words = [executable, "-N", "-n", "-i", "NONE", "--not-a-term", "-S", str(script)]
    seen = editing.run(words, "neovim", PATH=PROGRAMS)

    assert [code for _, code in seen["answer"]] == [
        "fuzzy-edit",
        "fuzzy-edit",
        "ambiguous-edit",
        "edit-not-found",
    ]
    assert "Apply the edits that match" in seen["offered"]
    assert seen["older"] == before.splitlines(), "Vim has not read the file since it was written"
    assert seen["tax"] == [[10, "ambiguous-edit"]]
    assert seen["candidates"][0].startswith("Apply the edit at candidate 1 (line 10")
    after = tax.read_text(encoding="utf-8")
    assert seen["buffer"] == after
    imported = before.replace("import Decimal", "import ROUND_HALF_UP, Decimal")
    first, second = imported.split("def reduced")
    rounded = second.replace('Decimal("0.01"))', 'Decimal("0.01"), rounding=ROUND_HALF_UP)')
    assert after == f"{first}def reduced{rounded}"
