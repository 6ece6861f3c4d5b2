"""`git apply`, given a hunk whose line numbers say nothing, as those of models do."""

import subprocess
import tempfile
from difflib import unified_diff
from pathlib import Path

VERSION = subprocess.run(["git", "version"], stdout=subprocess.PIPE, text=True).stdout.split()[2]
COMMAND = ["git", "apply", "--unidiff-zero", "--ignore-whitespace", "-"]


def apply(text: str, search: str, replace: str, path: str) -> str | None:
    """Return the new text, or `None` where git refuses the patch."""
    old, new = search.splitlines(keepends=True), replace.splitlines(keepends=True)
    patch = "".join(unified_diff(old, new, "a/file", "b/file", n=len(old) + len(new)))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "file")
        file.write_text(text, encoding="utf-8", newline="")
        done = subprocess.run(COMMAND, cwd=folder, input=patch.encode(), stderr=subprocess.DEVNULL)
        return file.read_bytes().decode() if done.returncode == 0 else None
