"""Makes the .vsix: the extension in one file, and with it the server and all that it needs.

    python editors/vscode/scripts/package.py [--target linux-x64 ...] [--out dist]

Run by a Python that has the project's development dependencies; npm and Node.js 22 or newer must be on the
path. What goes in is what constraints.txt names, checked by its hashes, fetched with pip for each Python that
Patchpoint supports. All of it lies in one folder, since what is compiled for one Python has its version in
its name; only a package that one Python has in another version is in a folder for that Python.

The page that VS Code shows of an extension has pictures from https addresses only: no relative path, and,
since it cleans what it shows, no data either. Those of the README are left out, and it says where they are.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

EXTENSION = Path(__file__).resolve().parents[1]
ROOT = EXTENSION.parents[1]
BUNDLE = EXTENSION / "bundled"

LIBRARIES = "libraries"
"""The folder in it with the server and all that it needs under any Python."""

PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")

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
    "alpine-x64": (
        ("musllinux_1_2_x86_64", "musllinux_1_1_x86_64"),
        {"sys_platform": "linux", "os_name": "posix", "platform_machine": "x86_64"},
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
    "win32-arm64": (
        ("win_arm64",),
        {"sys_platform": "win32", "os_name": "nt", "platform_machine": "ARM64"},
    ),
}
"""For each platform of VS Code's: the tags of the wheels that run there, and how its Python describes it."""

PICTURES_ELSEWHERE = (
    "*Pictures are in the walkthrough: press <kbd>F1</kbd>, choose* Welcome: Open Walkthrough… *and* "
    "Get started with Patchpoint."
)
"""The note in the README that is packaged."""

LEFT_OUT = re.compile(
    r"(^|/)(tests?|testing)/|\.(pyi|pyx|pxd|c|cc|cpp|h|hpp|rs|scm)$"
    r"|\.dist-info/(RECORD$|sboms/)|^[^/]+\.data/"
    r"|^rapidfuzz/(fuzz_cpp|utils_cpp|.*_avx2\.)|^dulwich/(_diff_tree\.|cli\.py|porcelain/|contrib/|cloud/)"
)
"""What no running server reads, and compiled parts that bring nothing here: their packages do without them.

Comparing lines takes as long without AVX2: they are short.
"""

FOR_LATER_PYTHONS = re.compile(r"-(py3-none|abi3)-[\w.]+\.whl$")
"""The names of wheels that any later Python runs as well."""

EXTRAS = ("", "grammars")
"""What of the server's extras is carried: nothing that an edit needs is fetched later."""

NOT_CARRIED = frozenset({"prompt-toolkit", "wcwidth"})
"""Packages of the full screen of a terminal, which no editor shows; without them `review` asks at prompts."""


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
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as pool:
        oldest, *later = PYTHONS
        wheels = fetch(server, target, oldest, Path(folder) / oldest)
        known = [wheel for wheel in wheels if FOR_LATER_PYTHONS.search(wheel.name)]
        others = pool.map(lambda one: fetch(server, target, one, Path(folder) / one, known), later)
        carry(server, {oldest: wheels, **dict(zip(later, others, strict=True))}, BUNDLE)
        strip(BUNDLE)
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
    with (
        zipfile.ZipFile(vsix) as archive,
        zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as result,
    ):
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
    """Unpack the server and the wheels that each Python needs, and write which Pythons these are.

    Where a Python has another version of a package than most, that is in a folder for this Python.
    Raises ValueError where wheels of one version have another file by the same name.
    """
    versions: dict[str, Counter[str]] = defaultdict(Counter)
    for wheel in itertools.chain(*fetched.values()):
        versions[_name(wheel)][_release(wheel)] += 1
    _unpack(server, bundle / LIBRARIES)
    for python, wheels in fetched.items():
        for wheel in wheels:
            ((usual, _),) = versions[_name(wheel)].most_common(1)
            folder = LIBRARIES if _release(wheel) == usual else f"python{python}"
            _unpack(wheel, bundle / folder)
    (bundle / "pythons.json").write_text(json.dumps([*fetched]), encoding="utf-8")


def strip(bundle: Path) -> None:
    """Take the symbols, which only debuggers read, out of what is compiled for Linux, if a program here can.

    A library of macOS would lose its signature; those of Windows have none.
    """
    program = shutil.which("llvm-strip") or shutil.which("strip")
    if program is None:
        return
    for library in bundle.rglob("*.so"):
        if library.read_bytes()[:4] == b"\x7fELF":
            # One for another processor, which this strip does not know, stays as it is.
            subprocess.run(
                [program, "--strip-unneeded", str(library)], check=False, stderr=subprocess.DEVNULL
            )


def _name(wheel: Path) -> str:
    return wheel.name.split("-")[0]


def _release(wheel: Path) -> str:
    return wheel.name.split("-")[1]


def fetch(server: Path, target: str, python: str, folder: Path, known: Sequence[Path] = ()) -> list[Path]:
    """Download the wheels that the server needs under that Python on that platform; return their paths.

    They are put into `folder`, which must not exist. What is `known` is taken from there, where the lock has
    it for this Python, too.
    """
    tags, environment = TARGETS[target]
    environment = {
        **environment,
        "python_version": python,
        "python_full_version": f"{python}.9",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    pinned = _pinned({**environment, "extra": ""})
    folder.mkdir(parents=True)
    found: set[str] = set()
    waiting = {name for extra in EXTRAS for name in _requires(server, {**environment, "extra": extra})}
    environment["extra"] = ""
    while waiting:
        found |= waiting
        missing = {name: pinned[name] for name in sorted(waiting)}
        for wheel in known:
            name = canonicalize_name(_name(wheel))
            if f"=={_release(wheel)} " in missing.get(name, ""):
                shutil.copy(wheel, folder)
                del missing[name]
        if missing:
            _download([*missing.values()], tags, python, folder)
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
                name = canonicalize_name(requirement.name)
                is_needed = requirement.marker is None or requirement.marker.evaluate(environment)
                if is_needed and name not in NOT_CARRIED:
                    yield name


def _unpack(wheel: Path, folder: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if LEFT_OUT.search(name) or name.endswith("/"):
                continue
            path, content = folder / name, archive.read(name)
            if path.exists() and path.read_bytes() != content and ".dist-info/" not in name:
                raise ValueError(f"{wheel.name} has another {name} than the wheel for another Python.")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


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
