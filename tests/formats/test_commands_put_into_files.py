"""Fences of commands that words put into a document or a script are code of that; others are to be run."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

README = "# Shelf\n\n## Usage\n\n```bash\nshelf add 111\nshelf lend 111 1\n```\n"
SCRIPT = "#!/bin/sh\n# Deploys it.\nHOST=example.com\n\nmake build\nscp bin/x $HOST:\n"
FILES = {"README.md": README, "scripts/deploy.sh": SCRIPT}


def after(answer: str) -> dict[str, str | None]:
    return dict(apply_edits(FILES, answer, accept="all").files)


@pytest.mark.parametrize("language", ["bash", "sh", "console", ""])
@pytest.mark.parametrize(
    "above",
    [
        "Add the line to the usage block in `README.md`, after `shelf lend 111 1`:",
        "In `README.md`, below `shelf lend 111 1`, add:",
        "Füge in `README.md` nach `shelf lend 111 1` diese Zeile ein:",
        "Dans `README.md`, ajoutez cette ligne après `shelf lend 111 1` :",
        "No `README.md`, logo abaixo da linha `shelf lend 111 1`, acrescente:",
        "在 `README.md` 的 `shelf lend 111 1` 后面添加：",
    ],
)
def test_lines_that_words_put_into_a_document_are_code_of_it(above: str, language: str) -> None:
    if language == "console":
        pytest.skip("what a terminal shows has what is printed in it")
    answer = f"{above}\n\n```{language}\nshelf return 111\n```\n"
    new = README.replace("shelf lend 111 1\n", "shelf lend 111 1\nshelf return 111\n")
    assert after(answer) == {**FILES, "README.md": new}


@pytest.mark.parametrize(
    "above",
    [
        "In `scripts/deploy.sh`, add this below `make build`:",
        "`scripts/deploy.sh` should test it, too.\n\nAdd this after `make build`:",
    ],
)
def test_lines_that_words_put_into_a_script_are_code_of_it(above: str) -> None:
    answer = f"{above}\n\n```sh\nmake test\n```\n"
    new = SCRIPT.replace("make build\n", "make build\nmake test\n")
    assert after(answer) == {**FILES, "scripts/deploy.sh": new}


@pytest.mark.parametrize(
    "above",
    [
        "`README.md` has more. Then run:",
        "Add it to the project with:",
        "Change `README.md` as you like, and start it after that:",
        "After that, run `scripts/deploy.sh`:",
        "Update the packages in `README.md` by running:",
        "Führe danach in `README.md` genannte Befehle aus:",
        "Test it:",
    ],
)
def test_commands_to_be_run_are_no_code(above: str) -> None:
    assert after(f"{above}\n\n```bash\nshelf return 111\n```\n") == FILES


REMOVING = [
    "Delete `scripts/deploy.sh`, it isn't needed any more:",
    "Then delete the script `scripts/deploy.sh`:",
    "Lösche `scripts/deploy.sh`, das Skript wird nicht mehr gebraucht:",
    "Supprimez `scripts/deploy.sh` :",
    "删除 `scripts/deploy.sh`：",
]


@pytest.mark.parametrize("command", ["git rm scripts/deploy.sh", "rm scripts/deploy.sh"])
@pytest.mark.parametrize("above", REMOVING)
def test_a_command_that_removes_the_file_that_a_sentence_names_is_that_deletion(
    above: str, command: str
) -> None:
    answer = f"{above}\n\n```bash\n{command}\n```\n"
    assert dict(apply_edits(FILES, answer).files) == FILES
    assert after(answer)["scripts/deploy.sh"] is None


@pytest.mark.parametrize(
    "above",
    [
        "Don't delete `scripts/deploy.sh`:",
        "You could delete `scripts/deploy.sh`:",
        "If you like, delete `scripts/deploy.sh`:",
        "Delete `README.md`:",
    ],
)
def test_a_command_below_other_words_removes_nothing(above: str) -> None:
    assert after(f"{above}\n\n```bash\nrm scripts/deploy.sh\n```\n") == FILES
