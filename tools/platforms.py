"""On which platforms and Pythons Patchpoint installs from wheels alone: one run of a resolver for each.

`python -m tools.platforms [--uv uv]` prints the table, in some minutes. uv resolves for all platforms that it
knows; for ARM of 32 bits pip does. Where there are no wheels of grammars, what remains is resolved once more.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent

PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")

UV_PLATFORMS = {
    "Linux x86-64, glibc": "x86_64-unknown-linux-gnu",
    "Linux arm64, glibc": "aarch64-unknown-linux-gnu",
    "Linux x86-64, musl": "x86_64-unknown-linux-musl",
    "Linux arm64, musl": "aarch64-unknown-linux-musl",
    "macOS arm64": "aarch64-apple-darwin",
    "macOS x86-64": "x86_64-apple-darwin",
    "Windows x86-64": "x86_64-pc-windows-msvc",
    "Windows arm64": "aarch64-pc-windows-msvc",
}
"""The platforms, and what uv calls them."""

ARM32 = "Linux armv7, glibc"
_ARM32_TAGS = ("manylinux_2_31_armv7l", "manylinux_2_17_armv7l", "manylinux2014_armv7l")


def requirements() -> tuple[str, ...]:
    """Return what pyproject.toml asks for, and the grammars that are an extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return (*project["dependencies"], *project["optional-dependencies"]["grammars"])


def is_grammar(requirement: str) -> bool:
    """Return whether it is tree-sitter or one of its grammars, without which Patchpoint works, too."""
    return requirement.startswith("tree-sitter")


def installs(uv: str, platform: str, python: str, wanted: tuple[str, ...]) -> bool:
    """Return whether there are wheels of all that is wanted, and of all that this needs."""
    with tempfile.TemporaryDirectory() as folder:
        asked = Path(folder) / "requirements.txt"
        asked.write_text("\n".join(wanted), encoding="utf-8")
        if platform == ARM32:
            # pip evaluates markers for the machine that it runs on.
            asked.write_text(
                "\n".join(each.partition(";")[0] for each in wanted if not is_grammar(each)), encoding="utf-8"
            )
            tags = [f"--platform={tag}" for tag in _ARM32_TAGS]
            command = [
                sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--only-binary=:all:", *tags,
                f"--python-version={python}", f"--target={folder}/none", "--requirement", str(asked),
            ]  # fmt: skip
        else:
            command = [
                uv, "pip", "compile", "--quiet", "--only-binary=:all:", f"--python-version={python}",
                f"--python-platform={UV_PLATFORMS[platform]}", str(asked),
            ]  # fmt: skip
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def cell(uv: str, platform: str, python: str) -> str:
    """Return what the table says of a platform and a Python."""
    wanted = requirements()
    if platform != ARM32 and installs(uv, platform, python, wanted):
        return "all"
    return (
        "no grammars"
        if installs(uv, platform, python, tuple(each for each in wanted if not is_grammar(each)))
        else "no"
    )


def main() -> int:
    """Print the table; return 1 where there is a combination that does not install."""
    words = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words.add_argument("--uv", default="uv", help="the program uv")
    uv = words.parse_args().uv
    print("| |", " | ".join(PYTHONS), "|\n| --- |", " | ".join("---" for _ in PYTHONS), "|")
    cells = []
    with ThreadPoolExecutor(2) as pool:
        for platform in (*UV_PLATFORMS, ARM32):
            row = [*pool.map(partial(cell, uv, platform), PYTHONS)]
            cells += row
            print(f"| {platform} | {' | '.join(row)} |", flush=True)
    return 1 if "no" in cells else 0


if __name__ == "__main__":
    raise SystemExit(main())
