"""Makes the .vsix: the extension in one file, and with it the server and all that it needs.

    python editors/vscode/scripts/package.py [--target linux-x64 ...] [--out dist]

Run by a Python that has the project's development dependencies; npm and Node.js 22 or newer must be on the
path. What goes in is what constraints.txt names, checked by its hashes, fetched with pip for each Python that
Patchpoint supports. What is pure is carried once, what is compiled for one Python in a folder of its own.

The page that VS Code shows of an extension has pictures from https addresses only: no relative path, and,
since it cleans what it shows, no data either. Those of the README are left out, and it says where they are.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

EXTENSION = Path(__file__).resolve().parents[1]
ROOT = EXTENSION.parents[1]
BUNDLE = EXTENSION / "bundled"

PYTHONS = ("3.10", "3.11", "3.12", "3.13")

MANYLINUX = ("manylinux_2_28_{0}", "manylinux_2_24_{0}", "manylinux_2_17_{0}", "manylinux2014_{0}")
TARGETS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "linux-x64": (
        tuple(tag.format("x86_64") for tag in MANYLINUX),
        {"sys_platform": "linux", "os_name": "posix", "platform_machine": "x86_64"},
    ),
    "linux-arm64": (
        tuple(tag.format("aarch64") for tag in MANYLINUX),
        {"sys_platform": "linux", "os_name": "posix", "platform_machine": "aarch64"},
    ),
    "darwin-x64": (
        ("macosx_11_0_x86_64", "macosx_10_13_x86_64", "macosx_10_12_x86_64", "macosx_10_9_x86_64"),
        {"sys_platform": "darwin", "os_name": "posix", "platform_machine": "x86_64"},
    ),
    "darwin-arm64": (
        ("macosx_11_0_arm64",),
        {"sys_platform": "darwin", "os_name": "posix", "platform_machine": "arm64"},
    ),
    "win32-x64": (
        ("win_amd64",),
        {"sys_platform": "win32", "os_name": "nt", "platform_machine": "AMD64"},
    ),
}
"""For each platform of VS Code's: the tags of the wheels that run there, and how its Python describes it."""

PICTURES_ELSEWHERE = (
    "*Pictures are in the walkthrough: press <kbd>F1</kbd>, choose* Welcome: Open Walkthrough… *and* "
    "Get started with Patchpoint."
)
"""The note in the README that is packaged."""

LEFT_OUT = re.compile(r"(^|/)(tests?|testing)/|\.(pyi|pyx|pxd|c|cc|cpp|h|hpp|rs)$")
"""What no running server reads."""


def main() -> None:
    """Make a .vsix for each target."""
    options = _arguments()
    out: Path = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    if not (EXTENSION / "node_modules").is_dir():
        # Not `npm ci`: it wants the builds of a tool for every platform, and not every registry has them all.
        _run("npm", "install", "--no-save", "--ignore-scripts", cwd=EXTENSION)
    _run("npm", "run", "--silent", "build", cwd=EXTENSION)
    with tempfile.TemporaryDirectory() as folder:
        server = _build_server(Path(folder))
        for target in options.target:
            sys.stdout.write(f"{_package(target, server, out)}\n")


def _arguments() -> argparse.Namespace:
    words = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words.add_argument("--target", action="append", choices=TARGETS, help="platform; this one by default")
    words.add_argument("--out", type=Path, default=ROOT / "dist", help="folder for what is made")
    options = words.parse_args()
    options.target = options.target or [_this_platform()]
    return options


def _this_platform() -> str:
    system = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}[platform.system()]
    machine = "arm64" if platform.machine().lower() in ("arm64", "aarch64") else "x64"
    return f"{system}-{machine}"


def _build_server(folder: Path) -> Path:
    _run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT))
    return next(folder.glob("*.whl"))


def _package(target: str, server: Path, out: Path) -> Path:
    shutil.rmtree(BUNDLE, ignore_errors=True)
    shutil.copytree(EXTENSION / "server", BUNDLE)
    with tempfile.TemporaryDirectory() as folder:
        fetched = {version: fetch(server, target, version, Path(folder) / version) for version in PYTHONS}
        carry(server, fetched, BUNDLE)
    made = out / f"patchpoint-{_version()}-{target}.vsix"
    _run(
        "npx", "--no-install", "vsce", "package", "--no-dependencies", "--no-rewrite-relative-links",
        "--allow-missing-repository", "--target", target, "--out", str(made),
        cwd=EXTENSION,
    )  # fmt: skip
    point_to_pictures(made)
    return made


def point_to_pictures(vsix: Path) -> None:
    """Leave the pictures out of the README of an extension, which says where they are instead."""
    written = vsix.with_suffix(".new")
    with zipfile.ZipFile(vsix) as archive, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as result:
        for entry in archive.infolist():
            content = archive.read(entry)
            if entry.filename.lower() == "extension/readme.md":
                content = without_pictures(content.decode()).encode()
            result.writestr(entry, content)
    written.replace(vsix)


def without_pictures(readme: str) -> str:
    """Return a README without the pictures that relative paths name, with a note in place of the first."""
    picture = r"^!\[[^\]]*\]\((?!https:)[^)]+\)\n\n?"
    first, *others = re.split(picture, readme, flags=re.MULTILINE)
    return f"{first}{PICTURES_ELSEWHERE}\n\n{''.join(others)}" if others else readme


def carry(server: Path, fetched: dict[str, list[Path]], bundle: Path) -> None:
    """Unpack the server and the wheels that each Python needs: those that all of them share only once."""
    shared = set.intersection(*({wheel.name for wheel in wheels} for wheels in fetched.values()))
    pure = {server.name: server}
    for version, wheels in fetched.items():
        own = bundle / f"python{version}"
        own.mkdir(parents=True)
        for wheel in wheels:
            if wheel.name in shared:
                pure[wheel.name] = wheel
            else:
                _unpack(wheel, own)
    for wheel in pure.values():
        _unpack(wheel, bundle / "pure")


def fetch(server: Path, target: str, python: str, folder: Path) -> list[Path]:
    """Download the wheels that the server needs under that Python on that platform; return their paths.

    They are put into `folder`, which must not exist.
    """
    tags, environment = TARGETS[target]
    environment = {
        **environment,
        "python_version": python,
        "python_full_version": f"{python}.9",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "extra": "",
    }
    pinned = _pinned(environment)
    folder.mkdir(parents=True)
    found: set[str] = set()
    waiting = {*_requires(server, environment)}
    while waiting:
        found |= waiting
        _download([pinned[name] for name in sorted(waiting)], tags, python, folder)
        wheels = sorted(folder.glob("*.whl"))
        waiting = {name for wheel in wheels for name in _requires(wheel, environment)} - found
    return wheels


def _download(lines: list[str], tags: tuple[str, ...], python: str, folder: Path) -> None:
    requirements = folder / "requirements.txt"
    requirements.write_text("\n".join(lines), encoding="utf-8")
    abi = f"cp{python.replace('.', '')}"
    _run(
        sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
        "--require-hashes", "--only-binary", ":all:", "--implementation", "cp", "--python-version", python,
        *(f"--abi={tag}" for tag in (abi, "abi3", "none")),
        *(f"--platform={tag}" for tag in tags),
        "--dest", str(folder), "--requirement", str(requirements),
    )  # fmt: skip


def _pinned(environment: dict[str, str]) -> dict[str, str]:
    """Each package of the lock that holds in that environment: its line, with version and hashes."""
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    pinned: dict[str, str] = {}
    for entry in re.sub(r"\\\n\s*", " ", text).splitlines():
        if entry.startswith("#") or not entry.strip():
            continue
        described, *hashes = entry.split(" --hash=")
        requirement = Requirement(described)
        if requirement.marker is None or requirement.marker.evaluate(environment):
            line = " ".join(
                [f"{requirement.name}{requirement.specifier}", *(f"--hash={each}" for each in hashes)]
            )
            pinned[canonicalize_name(requirement.name)] = line
    return pinned


def _requires(wheel: Path, environment: dict[str, str]) -> Iterator[str]:
    with zipfile.ZipFile(wheel) as archive:
        metadata = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        for line in archive.read(metadata).decode().partition("\n\n")[0].splitlines():
            if line.startswith("Requires-Dist:"):
                requirement = Requirement(line.partition(":")[2].strip())
                if requirement.marker is None or requirement.marker.evaluate(environment):
                    yield canonicalize_name(requirement.name)


def _unpack(wheel: Path, folder: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if not LEFT_OUT.search(name)])


def _version() -> str:
    manifest = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    return str(manifest["version"])


def _run(*command: str, cwd: Path | None = None) -> None:
    program = shutil.which(command[0]) or command[0]
    subprocess.run(
        [program, *command[1:]], check=True, cwd=cwd, stdout=sys.stderr, env={**os.environ, "CI": "1"}
    )


if __name__ == "__main__":
    main()
