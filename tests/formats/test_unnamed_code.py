"""An answer that names its file once, above the first of several fences: all of it is made, or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from patchpoint import Status, apply_edits
from patchpoint.headless.answer import read_in_folders

STORE = """\
class Store:
    def load(self):
        with open(self.path) as file:
            self.items = file.read().split()
        return self.items

    def save(self):
        with open(self.path, "w") as file:
            file.write(" ".join(self.items))


def main():
    store = Store("items")
    store.load()
    store.save()
"""
LOAD = """\
    def load(self):
        with open(self.path, "r") as file:
            self.items = file.read().split()
        return self.items
"""
SAVE = """\
    def save(self):
        with open(self.path, "w+") as file:
            file.write(" ".join(self.items))
"""
HELPER = "def helper(x):\n    y = x + 1\n    return y\n"
FILES = {"src/store.py": STORE, "src/other.py": f'"""Help."""\n\n\n{HELPER}'}
CHANGED = STORE.replace("open(self.path)", 'open(self.path, "r")').replace('"w"', '"w+"')


def fence(code: str) -> str:
    return f"```python\n{code}```\n"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Change `load` in `src/store.py`:", "and"),
        ("In `src/store.py`, update `load`:", "and also `save`:"),
        ("1. **Update `load`** in `src/store.py`", "2. **Update `save`**"),
        ("Update `src/store.py`:", "Then:"),
    ],
)
def test_it_is_for_the_file_that_has_its_definitions(first: str, second: str) -> None:
    report = apply_edits(FILES, f"{first}\n\n{fence(LOAD)}\n{second}\n\n{fence(SAVE)}")
    assert report.files == {**FILES, "src/store.py": CHANGED}
    assert report.unplaced == ()


def test_it_is_found_in_another_file_than_the_one_named() -> None:
    new = HELPER.replace("+ 1", "+ 2")
    report = apply_edits(
        FILES, f"Change `load` in `src/store.py`:\n\n{fence(LOAD)}\nand the helper:\n\n{fence(new)}"
    )
    assert report.files["src/other.py"] == FILES["src/other.py"].replace("+ 1", "+ 2")
    assert report.files["src/store.py"] != STORE


def test_of_two_files_that_have_its_definitions_the_one_named_is_meant() -> None:
    files = {"src/store.py": STORE, "old/shop.py": STORE}
    report = apply_edits(files, f"Change `load` in `src/store.py`:\n\n{fence(LOAD)}\nand\n\n{fence(SAVE)}")
    assert report.files == {**files, "src/store.py": CHANGED}


def test_nothing_is_written_where_two_other_files_have_them() -> None:
    files = {**FILES, "src/third.py": FILES["src/other.py"]}
    new = HELPER.replace("+ 1", "+ 2")
    report = apply_edits(
        files, f"Change `load` in `src/store.py`:\n\n{fence(LOAD)}\nand the helper:\n\n{fence(new)}"
    )
    assert report.files == files
    assert "it could be for src/other.py, src/third.py" in report.feedback


def test_of_several_files_that_bind_its_name_the_one_named_last_above_it_is_proposed() -> None:
    new = "LIMIT = 4\n"
    limit = "LIMIT = 3\n\n\ndef load():\n    return LIMIT\n"
    files = {"src/store.py": limit, "old/shop.py": limit}
    answer = f"The limit of `src/store.py` is too low.\n\nChange it to this:\n\n{fence(new)}"
    report = apply_edits(files, answer)
    assert report.files == files
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    made = {**files, "src/store.py": limit.replace("3", "4")}
    assert apply_edits(files, answer, accept="all").files == made


SPEAKS = "It is less than zero at times:"
REWRITTEN = "def helper(x):\n    return max(x, 0)\n"


def test_what_only_one_file_defines_is_proposed_however_much_of_it_is_new() -> None:
    files = {**FILES, "src/third.py": "def other():\n    pass\n"}
    answer = f"Change `load` in `src/store.py`:\n\n{fence(LOAD)}\n{SPEAKS}\n\n{fence(REWRITTEN)}"
    report = apply_edits(files, answer)
    written = STORE.replace("open(self.path)", 'open(self.path, "r")')
    assert report.files == {**files, "src/store.py": written}
    assert [outcome.status for outcome in report.outcomes] == [Status.APPLIED, Status.PROPOSED]
    assert "only src/other.py has the definition" in report.outcomes[1].proposal.why  # type: ignore[union-attr]
    both = apply_edits(files, answer, accept="all").files
    assert both == {**files, "src/store.py": written, "src/other.py": f'"""Help."""\n\n\n{REWRITTEN}'}


def test_another_piece_for_the_file_that_is_proposed_holds_nothing_certain_back() -> None:
    files = {**FILES, "src/third.py": f"{HELPER}\n\ndef other():\n    pass\n", "src/other.py": "x = 1\n"}
    cut = "def other():\n    return [\n"
    answer = f"Change `load` in `src/store.py`:\n\n{fence(LOAD)}\n"
    answer += "".join(f"{SPEAKS}\n\n{fence(code)}\n" for code in (REWRITTEN, cut))
    report = apply_edits(files, answer)
    assert report.files == {**files, "src/store.py": STORE.replace("open(self.path)", 'open(self.path, "r")')}
    assert [outcome.status for outcome in report.outcomes] == [Status.APPLIED, Status.PROPOSED]


@pytest.mark.parametrize(
    "code",
    [
        "helper(3)\n",
        "assert helper(-1) == 0\n",
        f"{REWRITTEN}\nprint(helper(3))\n",
        "def main():\n    print(helper(3))\n",
        "def try_it():\n    print(helper(3))\n",
    ],
)
def test_code_that_calls_what_a_file_defines_is_not_for_it(code: str) -> None:
    files = {
        **FILES,
        "src/third.py": "def main():\n    pass\n",
        "src/store.py": STORE.partition("def main")[0],
    }
    answer = f"Change `load` in `src/store.py`:\n\n{fence(LOAD)}\n{SPEAKS}\n\n{fence(code)}"
    report = apply_edits(files, answer, accept="all")
    assert {path for path in files if report.files[path] != files[path]} == {"src/store.py"}
    assert len(report.outcomes) == 1


OFFERS = [
    "You could also change `helper`:",
    "You might want to rewrite it:",
    "Optionally, you could also simplify `helper`:",
    "Ich würde noch `helper` ergänzen:",
    "你也可以修改 `helper`：",
    "Podrías cambiar `helper`:",
    "Should I also change `helper`?",
]


@pytest.mark.parametrize("offer", OFFERS)
def test_what_is_only_offered_is_proposed_for_the_one_file_that_defines_it(offer: str) -> None:
    answer = f"Change `load` in `src/store.py`:\n\n{fence(LOAD)}\n{offer}\n\n{fence(REWRITTEN)}"
    written = {**FILES, "src/store.py": STORE.replace("open(self.path)", 'open(self.path, "r")')}
    report = apply_edits(FILES, answer)
    assert report.files == written
    assert [outcome.status for outcome in report.outcomes] == [Status.APPLIED, Status.PROPOSED]
    both = apply_edits(FILES, answer, accept="all").files
    assert both == {**written, "src/other.py": f'"""Help."""\n\n\n{REWRITTEN}'}


@pytest.mark.parametrize("above", [SPEAKS, *OFFERS])
def test_where_two_files_define_it_both_are_named_and_neither_is_proposed(above: str) -> None:
    files = {**FILES, "src/third.py": FILES["src/other.py"]}
    answer = f"Change `load` in `src/store.py`:\n\n{fence(LOAD)}\n{above}\n\n{fence(REWRITTEN)}"
    report = apply_edits(files, answer, accept="all")
    assert report.files == {**files, "src/store.py": STORE.replace("open(self.path)", 'open(self.path, "r")')}
    assert "it could be for src/other.py, src/third.py; write the path" in report.unplaced[0].message


@pytest.mark.parametrize(
    "sentence",
    [
        "You could call it like this:",
        "For example, you could use it so:",
        "You could change it, but it works:",
    ],
)
def test_what_could_be_done_with_it_is_no_offer(sentence: str) -> None:
    answer = f"Change `load` in `src/store.py`:\n\n{fence(LOAD)}\n{sentence}\n\n{fence(REWRITTEN)}"
    report = apply_edits(FILES, answer, accept="all")
    assert report.files == {**FILES, "src/store.py": STORE.replace("open(self.path)", 'open(self.path, "r")')}
    assert "it is called an example" in report.unplaced[0].message


@pytest.mark.parametrize("sentence", ["Alternatively:", "You could write it so:"])
def test_another_version_of_what_is_changed_is_left_alone(sentence: str) -> None:
    other = LOAD.replace('"r"', '"rb"')
    report = apply_edits(
        FILES, f"### `src/store.py`\n\n{fence(LOAD + chr(10) + SAVE)}\n{sentence}\n\n{fence(other)}"
    )
    assert report.files["src/store.py"] in (CHANGED, STORE)


def test_an_example_is_left_alone() -> None:
    usage = "def main():\n    store = Store(1)\n    store.load()\n    store.save()\n"
    report = apply_edits(
        FILES, f"Change `load` in `src/store.py`:\n\n{fence(LOAD)}\nFor example:\n\n{fence(usage)}"
    )
    assert report.files["src/store.py"] == STORE.replace("open(self.path)", 'open(self.path, "r")')


def test_a_removal_holds_back_what_is_shown_with_it() -> None:
    removal = "Remove `main` from `src/store.py`, nothing calls it:\n\n" + fence(
        STORE[STORE.index("def main") :]
    )
    for answer in (
        f"### `src/store.py`\n\n{fence(LOAD)}\n{removal}",
        f"{removal}\nThen change `load`:\n\n{fence(LOAD)}",
    ):
        report = apply_edits(FILES, answer)
        assert report.files == FILES
        assert Status.PROPOSED in [outcome.status for outcome in report.outcomes]
        assert "The answer asks to remove it." in [one.why for one in report.proposals]


def test_it_is_found_in_folders_as_well(tmp_path: Path) -> None:
    (tmp_path / "store.py").write_text(STORE)
    (tmp_path / "copy.py").write_text(STORE)
    answer = f"Change `load` in `store.py`:\n\n{fence(LOAD)}\nand\n\n{fence(SAVE)}"
    found = read_in_folders(answer, [tmp_path])
    assert [edit.path for edit in found.edits] == ["store.py", "store.py"]
    assert found.unplaced == ()


RULES = "all: build\n\nbuild:\n\tmake -C src\n\nclean:\n\trm build\n\n.PHONY: all\n"
SCRIPT = '#!/bin/sh\n\nusage () {\n\techo "usage:" $@\n\texit 127\n}\n\nusage $@\n'
USAGE = 'usage () {\n\techo >&2 "usage: $*"\n\texit 127\n}\n'


def test_a_file_without_a_suffix_is_named_by_a_comment_with_its_folder() -> None:
    answer = "```makefile\n# tools/Makefile\n# ...\n\nclean:\n\trm -f build\n\n# ...\n```\n\nThat is all.\n"
    files = {"tools/Makefile": RULES, "src/Makefile": RULES}
    report = apply_edits(files, answer, accept="all")
    assert report.files == {**files, "tools/Makefile": RULES.replace("rm build", "rm -f build")}


@pytest.mark.parametrize("language", ["sh", "bash", "shell"])
def test_functions_for_a_script_without_a_suffix_are_no_commands(language: str) -> None:
    answer = f"Update the helper in `tools/build-all`:\n\n```{language}\n{USAGE}```\n\nThat is all.\n"
    files = {"tools/build-all": SCRIPT}
    want = SCRIPT.replace('echo "usage:" $@', 'echo >&2 "usage: $*"')
    assert apply_edits(files, answer, accept="all").files == {"tools/build-all": want}


def test_branches_for_a_script_hold_back_the_rest_of_their_answer() -> None:
    loop = 'while [ $# -gt 0 ]; do\n  case "$1" in\n    -q) QUIET=1 ;;\n  esac\n  shift\ndone\n'
    answer = f"Change the loop in `tools/build-all`:\n\n```bash\n{loop}```\n\nand replace\n\n"
    answer += '```bash\n  echo "usage:" $@\n```\n\nwith\n\n```bash\n  echo "usage: $*"\n```\n'
    assert apply_edits({"tools/build-all": SCRIPT}, answer).files == {"tools/build-all": SCRIPT}


@pytest.mark.parametrize("code", [f"{USAGE}usage a\n", "make clean\n", "usage a {\n"])
def test_commands_with_or_without_a_function_are_commands(code: str) -> None:
    answer = f"Update the helper in `tools/build-all`:\n\n```sh\n{code}```\n\nThat is all.\n"
    assert apply_edits({"tools/build-all": SCRIPT}, answer, accept="all").files == {"tools/build-all": SCRIPT}


@pytest.mark.parametrize(
    ("above", "imports"),
    [
        ("Two changes in `src/store.py`.", "**1. New import**"),
        ("### `src/store.py`", "At the top, next to the other imports:"),
        ("Change `save`:", "Import what it needs:"),
    ],
)
def test_imports_are_for_the_file_that_the_answer_speaks_of(above: str, imports: str) -> None:
    files = {**FILES, "src/store.py": f"import abc\n\n\n{STORE}", "src/other.py": f"import os\n\n\n{HELPER}"}
    new = SAVE.replace("self.path", "os.fspath(self.path)")
    first = fence("import os\n")
    answer = f"{above}\n\n{imports}\n\n{first}\nThen:\n\n{fence(new)}"
    after = apply_edits(files, answer, accept="all").files
    assert after["src/other.py"] == files["src/other.py"]
    assert after["src/store.py"] == f"import abc\nimport os\n\n\n{STORE}".replace(
        'self.path, "w"', 'os.fspath(self.path), "w+"'
    )


@pytest.mark.parametrize(
    "below",
    [
        "and at the end of the file add the loop:",
        "At the end of the same file, add:",
        "In `src/store.py`, at the end of the file add the loop:",
    ],
)
def test_the_file_of_a_later_place_is_the_one_named_above(below: str) -> None:
    new = "def loop():\n    while True:\n        main()\n"
    answer = f"Change `load` in `src/store.py`:\n\n{fence(LOAD)}\n{below}\n\n{fence(new)}"
    after = apply_edits(FILES, answer, accept="all").files["src/store.py"]
    assert after == STORE.replace("open(self.path)", 'open(self.path, "r")') + f"\n\n{new}"


@pytest.mark.parametrize(
    "below",
    [
        "Depois, inclua `3` no final de `SIZES`, que fica assim:",
        "Then add `3` at the end of `SIZES`, so that it becomes:",
    ],
)
def test_a_line_that_is_what_another_becomes_takes_its_place(below: str) -> None:
    files = {"src/store.py": f"SIZES = [1, 2]\n\n\n{STORE}"}
    line = fence("SIZES = [1, 2, 3]\n")
    answer = f"Change `load` in `src/store.py`:\n\n{fence(LOAD)}\n{below}\n\n{line}"
    after = apply_edits(files, answer, accept="all").files["src/store.py"]
    assert after == "SIZES = [1, 2, 3]\n\n\n" + STORE.replace("open(self.path)", 'open(self.path, "r")')
