"""A real CPython for Windows, made of what registries have, that runs here under wine.

`python -m tests.windows.interpreter` makes it below the user's cache, where it is kept. The interpreter and
its compiled modules come from a wheel that brings them along; the rest of its standard library is that of a
Python of the same minor version here; the libraries are the wheels for Windows that constraints.txt names.
Wine, a compiler for Windows and that Python have to be here:
`apt install wine wine64 gcc-mingw-w64-x86-64-win32`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "patchpoint" / "windows"
MINOR = "3.12"
CARRIER = "panda3d==1.10.16"
"""Whose wheel for Windows has `python312.dll` and each compiled module of the standard library."""
CARRIER_SHA256 = "f6493e2ecc0d1b7c1556a999556e5278cbc9484fe5fe1e159a1ccc02b870b18f"

_UNWANTED = ("api-ms-win-", "_wmi", "tcl86", "tk86", "_tkinter")
"""Wine has these of its own, lacks what they need, or nobody shows a window."""
_NOT_COPIED = (
    "site-packages",
    "lib-dynload",
    "test",
    "idlelib",
    "tkinter",
    "ensurepip",
    "__pycache__",
    "config-*",
)
_PROGRAM = r"""
#include <windows.h>
#include <stdio.h>
typedef int (*main_function)(int, wchar_t **);
int wmain(int argc, wchar_t **argv) {
    HMODULE library = LoadLibraryW(L"python312.dll");
    if (!library) { fprintf(stderr, "python312.dll: error %lu\n", GetLastError()); return 127; }
    return ((main_function)(void *)GetProcAddress(library, "Py_Main"))(argc, argv);
}
"""
_RANDOM = r"""
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length)
{ return SystemFunction036(data, (ULONG)length); }
"""
"""`bcryptprimitives.dll`, which wine 8 lacks: what Rust makes needs this one function of it."""
_MARKERS = {
    "sys_platform": "win32",
    "os_name": "nt",
    "platform_system": "Windows",
    "platform_machine": "AMD64",
    "platform_python_implementation": "CPython",
    "implementation_name": "cpython",
    "python_version": MINOR,
    "python_full_version": f"{MINOR}.10",
}
_NEEDED = (
    "patchpoint[mcp,clipboard,grammars]",
    "pytest",
    "pytest-asyncio",
    "pytest-lsp",
    "pytest-timeout",
    "hypothesis",
    "colorama",
)


class MissingError(Exception):
    """Something that it is made of is not on this machine."""


def made() -> Path:
    """Return the folder with `python.exe`, which is made where it is missing or constraints.txt has changed.

    Raises `MissingError`.
    """
    key = sha256((ROOT / "constraints.txt").read_bytes() + Path(__file__).read_bytes()).hexdigest()[:16]
    folder = CACHE / key
    if not (folder / "python.exe").exists():
        compiler = _program("x86_64-w64-mingw32-gcc")
        _program("wine")
        standard_library = _standard_library()
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as aside:
            new = Path(aside) / "python"
            shutil.copytree(standard_library, new / "Lib", ignore=shutil.ignore_patterns(*_NOT_COPIED))
            _unpack_interpreter(Path(aside), new)
            _install_libraries(Path(aside), new / "Lib" / "site-packages")
            for name, text, options in (
                ("python.exe", _PROGRAM, ("-municode",)),
                ("bcryptprimitives.dll", _RANDOM, ("-shared",)),
            ):
                source = Path(aside) / f"{name}.c"
                source.write_text(text, encoding="ascii")
                _run(compiler, "-O1", *options, "-o", str(new / name), str(source), "-ladvapi32")
            _make_stable_interface(Path(aside), new)
            new.rename(folder)
    return folder


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise MissingError(f"{name} is not installed: apt install wine wine64 gcc-mingw-w64-x86-64-win32")
    return found


def _standard_library() -> Path:
    places = [
        shutil.which(f"python{MINOR}"),
        *map(str, Path.home().glob(f".pyenv/versions/{MINOR}.*/bin/python")),
    ]
    for program in filter(None, places):
        asked = "import sysconfig; print(sysconfig.get_path('stdlib'))"
        # A program of that name may only be there to say which other one to call.
        said = subprocess.run([program, "-c", asked], capture_output=True, text=True, check=False)
        if said.returncode == 0:
            return Path(said.stdout.strip())
    raise MissingError(f"There is no Python {MINOR} here, whose standard library it takes.")


def _unpack_interpreter(aside: Path, folder: Path) -> None:
    platform = ("--platform", "win_amd64", "--python-version", MINOR, "--only-binary", ":all:", "--no-deps")
    _run(sys.executable, "-m", "pip", "download", "--quiet", *platform, "--dest", str(aside), CARRIER)
    (wheel,) = aside.glob("*.whl")
    if sha256(wheel.read_bytes()).hexdigest() != CARRIER_SHA256:
        raise MissingError(f"{wheel.name} is not the file that is known.")
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            base = name.rpartition("/")[2]
            if name.startswith("deploy_libs/") and base and not base.startswith(_UNWANTED):
                (folder / base).write_bytes(archive.read(name))


def _make_stable_interface(aside: Path, folder: Path) -> None:
    """Make `python3.dll`, which the wheel lacks: each of its names is one of the interpreter's library."""
    asked = [_program("x86_64-w64-mingw32-objdump"), "-p", str(folder / "python312.dll")]
    listed = subprocess.check_output(asked, text=True).partition("[Ordinal/Name Pointer]")[2]
    names = [line.split()[-1] for line in listed.splitlines() if line.strip().startswith("[")]
    rows = (f"  {name} = python312.{name}" for name in names)
    exports, nothing = aside / "python3.def", aside / "nothing.c"
    exports.write_text("\n".join(("LIBRARY python3.dll", "EXPORTS", *rows)), encoding="ascii")
    nothing.write_text("int nothing;\n", encoding="ascii")
    linked = ("-shared", "-nostdlib", "-Wl,--entry=0", "-o", str(folder / "python3.dll"))
    _run(_program("x86_64-w64-mingw32-gcc"), *linked, str(exports), str(nothing))


def _install_libraries(aside: Path, target: Path) -> None:
    locked = aside / "locked.txt"
    locked.write_text("\n".join(_locked(_closure())), encoding="utf-8")
    platform = ("--platform", "win_amd64", "--python-version", MINOR, "--implementation", "cp")
    fixed = ("--only-binary", ":all:", "--no-deps", "--require-hashes", "--requirement", str(locked))
    _run(sys.executable, "-m", "pip", "install", "--quiet", *platform, *fixed, "--target", str(target))


def _closure() -> set[str]:
    """Return the names of what `_NEEDED` needs on Windows, of which some is not installed here."""
    names: set[str] = set()
    waiting = [Requirement(each) for each in _NEEDED]
    while waiting:
        wanted = waiting.pop()
        for extra in {"", *wanted.extras}:
            name = f"{_normal(wanted.name)}[{extra}]"
            if name in names:
                continue
            names.add(name)
            try:
                needs = metadata.requires(wanted.name) or []
            except metadata.PackageNotFoundError:
                continue
            for each in map(Requirement, needs):
                if each.marker is None or each.marker.evaluate({**_MARKERS, "extra": extra}):
                    waiting.append(each)
    return {name.partition("[")[0] for name in names} - {"patchpoint"}


def _locked(names: set[str]) -> Iterator[str]:
    """Yield the lines of constraints.txt for these packages on Windows, with their hashes."""
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith(("#", "-")):
            continue
        pinned, *hashes = line.split(" --hash=")
        wanted = Requirement(pinned)
        if _normal(wanted.name) in names and (wanted.marker is None or wanted.marker.evaluate(_MARKERS)):
            yield " --hash=".join([f"{wanted.name}{wanted.specifier}", *map(str.strip, hashes)])


def _normal(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


def _run(*words: str) -> None:
    subprocess.run(words, check=True)


if __name__ == "__main__":
    try:
        print(made())
    except MissingError as error:
        sys.exit(str(error))
