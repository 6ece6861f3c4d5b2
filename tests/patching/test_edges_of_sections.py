"""What goes between two names, or to an edge of a section or of its list."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

MAKE = ".PHONY: run clean\n\nrun:\n\tbin/app\n\nclean:\n\trm -rf build\n"
README = (
    "# App\n\n## Layout\n\n- `a/` - the a\n- `b/` - the b\n\n## Changelog\n\n### 2.1.0\n\n- Faster\n\n"
    "### 2.0.0\n\n- New\n\n## License\n\nMIT\n"
)
FILES = {"Makefile": MAKE, "README.md": README}
UP = "up:\n\tdocker up\n\ndown:\n\tdocker down\n"
VERSION = "### 2.2.0\n\n- Counts\n"
ITEM = "- `docs/` - manuals\n"


@pytest.mark.parametrize(
    "lead",
    [
        "Put these targets between `run` and `clean`:",
        "and the two targets between `run` and `clean`:",
        "Füge das zwischen `run` und `clean` ein:",
        "Agrega esto entre `run` y `clean`:",
        "Add them below `run`:",
    ],
)
def test_new_targets_go_between_those_that_are_named(lead: str) -> None:
    report = apply_edits(FILES, f"{lead}\n\n```make\n{UP}```\n", accept="all")
    assert report.files == {**FILES, "Makefile": MAKE.replace("clean:\n", f"{UP}\nclean:\n")}


@pytest.mark.parametrize(
    ("lead", "code", "becomes"),
    [
        (
            "It goes at the top of the **Changelog** section in `README.md`, above 2.1.0:",
            VERSION,
            README.replace("### 2.1.0", f"{VERSION}\n### 2.1.0"),
        ),
        (
            "Add this to `README.md`, at the end of the *Changelog* section:",
            VERSION,
            README.replace("- New\n", f"- New\n\n{VERSION}"),
        ),
        (
            "In `README.md`, under *Layout*, add as the first item:",
            ITEM,
            README.replace("- `a/`", f"{ITEM}- `a/`"),
        ),
        ("In `README.md`, under *Layout*, add:", ITEM, README.replace("the b\n", f"the b\n{ITEM}")),
    ],
)
def test_a_part_of_a_document_goes_to_the_edge_of_the_section_that_is_named(
    lead: str, code: str, becomes: str
) -> None:
    report = apply_edits(FILES, f"{lead}\n\n```markdown\n{code}```\n", accept="all")
    assert report.files == {**FILES, "README.md": becomes}


@pytest.mark.parametrize(
    "below",
    [
        "Leave the other scripts alone.",
        "Leave everything else as it is.",
        "Keep the other scripts as they are.",
    ],
)
def test_that_others_stay_as_they_are_is_not_said_of_code(below: str) -> None:
    files = {"package.json": '{\n  "scripts": {\n    "lint": "eslint src"\n  }\n}\n'}
    code = '{\n  "scripts": {\n    "lint": "eslint src --max-warnings 0"\n  }\n}\n'
    answer = f"Merge this into your `package.json`:\n\n```json\n{code}```\n\n{below}\n"
    assert apply_edits(files, answer, accept="all").files == {"package.json": code}


def test_to_leave_the_code_alone_is() -> None:
    files = {"package.json": '{\n  "scripts": {\n    "lint": "eslint src"\n  }\n}\n'}
    code = '{\n  "scripts": {\n    "lint": "eslint src --max-warnings 0"\n  }\n}\n'
    answer = f"Merge this into your `package.json`:\n\n```json\n{code}```\n\nLeave it alone.\n"
    assert apply_edits(files, answer, accept="all").files == files


def test_a_section_that_is_called_as_a_file_could_be_is_no_file() -> None:
    file = "# A\n\n## Usage\n\nRun it.\n\n## License\n\nMIT\n"
    code = "## Tests\n\nRun `make test`.\n"
    answer = f"Add this before License:\n\n```md\n{code}```\n"
    after = apply_edits({"README.md": file}, answer, accept="all").files
    assert after == {"README.md": file.replace("## License", f"{code}\n## License")}
