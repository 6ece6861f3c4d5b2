"""What a release needs: one version in every file, the changelog's section of it, and a check before a tag.

python -m tools.release version 0.2.0      write the version into every file that says it
python -m tools.release date 0.2.0         date the section Unreleased of the changelog, and begin a new one
python -m tools.release notes 0.2.0        print the section of a version
python -m tools.release check v0.2.0 URL   fail unless all says so, for the repository at URL
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parent.parent
CHANGELOG = ROOT / "CHANGELOG.md"
SOURCE = "server/patchpoint/version.py"

_UNRELEASED = "## [Unreleased]\n"
_FORM = r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?"

PLACES: tuple[tuple[str, str], ...] = (
    (SOURCE, r'^__version__ = "(.+)"$'),
    ("editors/vscode/package.json", r'^  "version": "(.+)",$'),
    ("editors/vscode/package-lock.json", r'\A\{\n  "name": "patchpoint",\n  "version": "(.+)",$'),
    (
        "editors/vscode/package-lock.json",
        r'^    "": \{\n      "name": "patchpoint",\n      "version": "(.+)",$',
    ),
    ("editors/agents/claude/.claude-plugin/plugin.json", r'^  "version": "(.+)",$'),
    ("editors/agents/codex/.codex-plugin/plugin.json", r'^  "version": "(.+)",$'),
    (".github/actions/apply/action.yml", r'^    description: The version of .*\n    default: "(.+)"$'),
    ("editors/emacs/patchpoint.el", r"^;; Version: (.+)$"),
    ("editors/emacs/patchpoint-eglot.el", r"^;; Version: (.+)$"),
    ("editors/emacs/patchpoint-eglot.el", r'^;; Package-Requires: .*\(patchpoint "(.+)"\)\)$'),
    ("editors/emacs/patchpoint-pending.el", r"^;; Version: (.+)$"),
    ("editors/emacs/patchpoint-review.el", r"^;; Version: (.+)$"),
    ("editors/emacs/lsp-patchpoint.el", r"^;; Version: (.+)$"),
    ("editors/emacs/lsp-patchpoint.el", r'^;; Package-Requires: .*\(patchpoint "(.+)"\)\)$'),
)
"""The files that say the version, and where in them; the first is where all others have it from."""


ADDRESSES: tuple[tuple[str, str, str], ...] = (
    (
        "pyproject.toml",
        r'^\[project\.urls\]\n(?:(?!\[)[^\n]*\n)*?Source = "([^"]+)"',
        '`Source = "{}"` in [project.urls].',
    ),
    (
        "editors/vscode/package.json",
        r'^  "repository": \{[^}]*"url": "([^"]+)"',
        '`"repository": {{"type": "git", "url": "{}"}}`.',
    ),
    *(
        (f"editors/emacs/{name}.el", r"^;; URL: (\S+)$", "`;; URL: {}` in its head.")
        for name in ("patchpoint", "patchpoint-eglot", "lsp-patchpoint")
    ),
)
"""The files that name the repository, where in them, and how.

Its address is known to its owner alone: no file has another one in its place; a tag without it is refused.
"""


class ReleaseError(Exception):
    """Something speaks against the release; the message says what."""


def versions() -> Iterator[tuple[str, str]]:
    """Yield each file that says the version, and what it says. Raises `ReleaseError` where it says none."""
    for name, pattern in PLACES:
        found = re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
        if found is None:
            raise ReleaseError(f"{name} says no version.")
        yield name, found[1]


def with_version(text: str, pattern: str, version: str) -> str:
    """Return a text that says the version where the pattern has its group."""
    return re.sub(
        pattern, lambda found: found[0].replace(found[1], version), text, count=1, flags=re.MULTILINE
    )


def write_version(version: str) -> None:
    """Write the version into every file that says it."""
    for name, pattern in PLACES:
        path = ROOT / name
        path.write_text(with_version(path.read_text(encoding="utf-8"), pattern, version), encoding="utf-8")


def dated(changelog: str, version: str, day: date) -> str:
    """Return the changelog with what was unreleased as the section of a version, and an empty one above it.

    Raises `ReleaseError` where there is nothing to release, or a section of that version.
    """
    if f"\n## [{version}]" in changelog:
        raise ReleaseError(f"CHANGELOG.md has a section of {version}.")
    head, unreleased, rest = changelog.partition(_UNRELEASED)
    if not unreleased or not rest.partition("\n## ")[0].strip():
        raise ReleaseError("CHANGELOG.md has nothing under Unreleased.")
    return f"{head}{_UNRELEASED}\n## [{version}] - {day.isoformat()}\n{rest}"


def notes(changelog: str, version: str) -> str:
    """Return the section of a version without its heading. Raises `ReleaseError` where there is none."""
    found = re.search(
        rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n(.*?)(?=^## |\Z)",
        changelog,
        re.MULTILINE | re.DOTALL,
    )
    if found is None:
        raise ReleaseError(f"CHANGELOG.md has no dated section of {version}: `python -m tools.release date`.")
    return found[1].strip() + "\n"


def require_releasable(tag: str, repository: str) -> None:
    """Raise `ReleaseError` unless the files say the tag's version, its date and the repository."""
    version = tag.removeprefix("v")
    if not tag.startswith("v") or not re.fullmatch(_FORM, version):
        raise ReleaseError(f"{tag} is no tag of a version, such as v0.1.0.")
    for name, said in versions():
        if said != version:
            raise ReleaseError(
                f"{name} says {said}, and the tag {version}: `python -m tools.release version`."
            )
    notes(CHANGELOG.read_text(encoding="utf-8"), version)
    for name, pattern, line in ADDRESSES:
        text = (ROOT / name).read_text(encoding="utf-8")
        if repository not in re.findall(pattern, text, re.MULTILINE | re.DOTALL):
            raise ReleaseError(f"{name} does not name the repository: {line.format(repository)}")


def main(words: list[str]) -> int:
    """Do what the words say; return 1 and print why where something speaks against it."""
    try:
        match words:
            case ["version", version] if re.fullmatch(_FORM, version):
                write_version(version)
            case ["date", version] if re.fullmatch(_FORM, version):
                text = dated(CHANGELOG.read_text(encoding="utf-8"), version, date.today())
                CHANGELOG.write_text(text, encoding="utf-8")
            case ["notes", version]:
                print(notes(CHANGELOG.read_text(encoding="utf-8"), version), end="")
            case ["check", tag, repository]:
                require_releasable(tag, repository)
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except ReleaseError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
