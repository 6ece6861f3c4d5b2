"""Code that has nothing of its file, in the place of all of it: proposed where the answer says just that."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.outcome import Status

DOCKERFILE = "FROM python:3.11\nRUN pip install flask\nCMD app.py\n"
SLIM = "FROM python:3.12-slim\nWORKDIR /app\nRUN pip install .\nCMD gunicorn app:app\n"
OTHERS = "*.pyc\nbuild/\n"
RUNNER = "class Runner:\n    def go(self):\n        return 1\n"
FILES = {
    "Dockerfile": DOCKERFILE,
    "api/Containerfile": DOCKERFILE,
    ".gitignore": "dist/\nnode_modules/\n",
    "long.conf": "a = 1\nb = 2\n" * 30,
    "two.conf": "server {\n  listen 80;\n}\nserver {\n  listen 90;\n}\n",
    "empty.conf": "",
    "blank.conf": "\n\n",
    "README.md": "# Shop\n\nSells cloth.\n",
    "run.py": "def start():\n    return 1\n\n\ndef stop():\n    return 2\n",
}


def answer(lead: str, code: str) -> str:
    return f"{lead}\n\n```\n{code}```\n\nThat is all.\n"


@pytest.mark.parametrize(
    ("lead", "path", "code"),
    [
        ("Replace your `Dockerfile` with:", "Dockerfile", SLIM),
        ("Replace your Dockerfile with:", "Dockerfile", SLIM),
        ("Now, change your existing `Dockerfile` to this:", "Dockerfile", SLIM),
        ("Here's the updated `Dockerfile`:", "Dockerfile", SLIM),
        ("Here's the updated `./Dockerfile`:", "Dockerfile", SLIM),
        ("Here's the updated `./api/Containerfile`:", "api/Containerfile", SLIM),
        ("Your new `Dockerfile` should look like this:", "Dockerfile", SLIM),
        ("Ersetze deine `Dockerfile` durch:", "Dockerfile", SLIM),
        ("Remplacez votre `Dockerfile` par :", "Dockerfile", SLIM),
        ("Замените ваш `Dockerfile` на:", "Dockerfile", SLIM),
        ("Replace the contents of `.gitignore` with:", ".gitignore", OTHERS),
        ("Replace `empty.conf` with:", "empty.conf", "a = 1\n"),
        ("Replace `blank.conf` with:", "blank.conf", "a = 1\n"),
        ("Replace `README.md` with:", "README.md", "# Market\n\nSells all.\n"),
        ("Replace `run.py` with:", "run.py", RUNNER),
    ],
)
def test_it_is_proposed_where_the_answer_puts_it_there(lead: str, path: str, code: str) -> None:
    report = apply_edits(FILES, answer(lead, code))
    assert report.files == FILES
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    assert "only part" not in report.outcomes[0].message
    assert apply_edits(FILES, answer(lead, code), accept="all").files == {**FILES, path: code}


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("Dockerfile", "FROM python:3.12\nRUN pip install .\n"),
        ("Dockerfile", "RUN pip install .\nCMD gunicorn app:app\n"),
        ("two.conf", "server {\n  listen 81;\n  root /;\n}\n"),
        ("run.py", "def halt():\n    x = 1\n    return x\n"),
    ],
)
def test_below_its_name_alone_a_part_of_it_is_no_whole(path: str, code: str) -> None:
    report = apply_edits(FILES, answer(f"`{path}`:", code), accept="all")
    assert report.files == FILES


@pytest.mark.parametrize(
    ("lead", "code"),
    [
        ("Replace the `FROM` line in your `Dockerfile` with:", SLIM),
        ("Change the base image in your `Dockerfile` to:", "FROM node:20\n"),
        ("In `Dockerfile`, change this part:", "FROM node:20\n"),
        ("Change this in `Dockerfile`:", "FROM node:20\n"),
        ("Replace this in your Dockerfile with:", "FROM node:20\n"),
        ("Ersetze das in `Dockerfile` durch:", "FROM node:20\n"),
        ("You could replace your `Dockerfile` with this?", SLIM),
        ("Do not replace your `Dockerfile` with:", SLIM),
        ("Replace your `Dockerfile` with:", "FROM node:20\n# ... rest of the file ...\n"),
        ("Here is the new `.gitignore`:", OTHERS),
        ("Replace `long.conf` with:", "c = 3\n"),
        ("Replace `empty.conf` with:", "\n"),
        ("Replace `blank.conf` with:", "\n"),
        ("Replace `start` in `run.py` with:", RUNNER),
        ("Replace `run.py` with:", RUNNER.replace("(self)", "(self")),
    ],
)
def test_it_is_not_where_the_words_are_of_a_part_or_of_something_else(lead: str, code: str) -> None:
    report = apply_edits(FILES, answer(lead, code), accept="all")
    assert report.files == FILES
