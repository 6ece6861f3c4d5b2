"""Which wheels the .vsix for each platform carries, chosen by pip from all that a package index has."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import subprocess
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from tools.vscode_manifest import EXTENSION

PYTHONS = ("3.10", "3.13")

MAC = {"310": "macosx_10_9_x86_64", "313": "macosx_10_13_x86_64"}
"""The older interpreters are built for an older system than the newer ones."""

PLATFORMS = (
    "macosx_11_0_arm64",
    "manylinux_2_26_aarch64.manylinux_2_28_aarch64",
    "manylinux_2_27_x86_64.manylinux_2_28_x86_64",
    "manylinux_2_31_armv7l",
    "musllinux_1_2_aarch64",
    "musllinux_1_2_x86_64",
    "win32",
    "win_amd64",
    "win_arm64",
)
"""What compiled packages are published for, besides the other Mac."""

STABLE = (
    "macosx_10_9_x86_64",
    "macosx_11_0_arm64",
    "manylinux1_x86_64.manylinux_2_28_x86_64.manylinux_2_5_x86_64",
    "manylinux2014_aarch64.manylinux_2_17_aarch64.manylinux_2_28_aarch64",
    "musllinux_1_2_x86_64",
    "win_amd64",
    "win_arm64",
)
"""The same for packages that are compiled once for every Python."""

INDEX = {
    "alike": ["py3-none-any"],
    "compiled": [
        f"cp{number}-cp{number}{threads}-{platform}"
        for number in MAC
        for threads in ("", "t")
        for platform in (*PLATFORMS, MAC[number])
    ],
    "either": ["py3-none-any", "cp310-cp310-win_amd64", "cp313-cp313-win_amd64"],
    "stable": [f"cp310-abi3-{platform}" for platform in STABLE],
    "backport": ["py3-none-any"],
    "rare": ["py3-none-any"],
}
"""Packages as they are published: by name, the tags of their wheels."""

COMPILED = {
    "linux-x64": (PLATFORMS[2], STABLE[2]),
    "linux-arm64": (PLATFORMS[1], STABLE[3]),
    "darwin-x64": (None, STABLE[0]),
    "darwin-arm64": (PLATFORMS[0], STABLE[1]),
    "win32-x64": ("win_amd64", "win_amd64"),
    "alpine-x64": (PLATFORMS[5], STABLE[4]),
    "win32-arm64": ("win_arm64", "win_arm64"),
}
"""The wheels that run on each platform of VS Code, compiled for one Python and for all; None means `MAC`."""

SERVER = """Metadata-Version: 2.1
Name: server
Version: 1.0
Requires-Dist: alike
Requires-Dist: compiled
Requires-Dist: either
Requires-Dist: stable
Requires-Dist: backport; python_version < "3.11"
Requires-Dist: rare; extra == "grammars"
Requires-Dist: another; extra == "mcp"
"""


def load_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("package_script", EXTENSION / "scripts" / "package.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = load_script()


def make_wheel(folder: Path, name: str, tags: str, metadata: str = "") -> Path:
    path = folder / f"{name}-1.0-{tags}.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{name}/code.py", "")
        archive.writestr(f"{name}/made_for_{tags}", "")
        archive.writestr(f"{name}/tests/data", "")
        archive.writestr(
            f"{name}-1.0.dist-info/METADATA",
            metadata or f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        )
        archive.writestr(f"{name}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
        archive.writestr(f"{name}-1.0.dist-info/RECORD", "")
    return path


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with all those wheels, where alone pip looks, and a lock that names them."""
    folder = tmp_path / "index"
    folder.mkdir()
    lock = []
    for name, published in INDEX.items():
        wheels = [make_wheel(folder, name, tags) for tags in published]
        hashes = [f"--hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}" for wheel in wheels]
        marker = '; python_version < "3.11"' if name == "backport" else ""
        lock.append(" \\\n    ".join([f"{name}==1.0{marker}", *hashes]))
    (tmp_path / "constraints.txt").write_text("# the lock\n" + "\n".join(lock) + "\n", encoding="utf-8")
    monkeypatch.setattr(script, "ROOT", tmp_path)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def server(tmp_path: Path) -> Path:
    return make_wheel(tmp_path, "server", "py3-none-any", SERVER)


@pytest.mark.parametrize(
    ("target", "pythons"),
    # Of both Pythons together one platform tells as much as all: that of which the older has other wheels.
    [
        (target, PYTHONS if target == "darwin-x64" else PYTHONS[number % 2 :][:1])
        for number, target in enumerate(COMPILED)
    ],
)
def test_each_platform_carries_the_wheels_made_for_it(
    target: str, pythons: tuple[str, ...], index: Path, server: Path, tmp_path: Path
) -> None:
    fetched = {python: script.fetch(server, target, python, tmp_path / python) for python in pythons}
    bundle = tmp_path / "bundle"
    script.carry(server, fetched, bundle)

    libraries = bundle / script.LIBRARIES
    compiled, stable = COMPILED[target]
    carried = {path.name for path in (libraries / "compiled").glob("made_for_*")}
    numbers = [python.replace(".", "") for python in pythons]
    assert carried == {f"made_for_cp{each}-cp{each}-{compiled or MAC[each]}" for each in numbers}
    assert [path.name for path in (libraries / "stable").glob("made_for_*")] == [
        f"made_for_cp310-abi3-{stable}"
    ]
    packages = {"server", *INDEX} - (set() if "3.10" in pythons else {"backport"})
    assert {path.parent.name for path in libraries.glob("*/code.py")} == packages
    assert json.loads((bundle / "pythons.json").read_text()) == [*pythons]
    assert not list(bundle.rglob("tests")), "what no running server reads stays behind"
    assert not list(bundle.glob("python3*")), "all have the same versions"


def test_a_package_that_one_python_has_in_another_version_is_in_a_folder_for_it(
    server: Path, tmp_path: Path
) -> None:
    for number, content in enumerate(("old", "new", "new")):
        (tmp_path / str(number)).mkdir()
        with zipfile.ZipFile(tmp_path / f"{number}/package-{content}-py3-none-any.whl", "w") as archive:
            archive.writestr("package/code.py", content)
    fetched = {f"3.1{number}": [*(tmp_path / str(number)).glob("*.whl")] for number in range(3)}
    bundle = tmp_path / "bundle"
    script.carry(server, fetched, bundle)
    assert (bundle / "python3.10/package/code.py").read_text() == "old"
    assert (bundle / script.LIBRARIES / "package/code.py").read_text() == "new"
    assert not (bundle / "python3.11").exists()


def test_wheels_of_one_version_that_differ_in_python_are_not_mixed(server: Path, tmp_path: Path) -> None:
    wheels = {}
    for tags in ("cp310-cp310-any", "cp311-cp311-any"):
        wheel = tmp_path / f"package-1.0-{tags}.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr("package/code.py", tags)
        wheels[tags] = [wheel]
    with pytest.raises(ValueError, match=r"has another package/code\.py"):
        script.carry(server, wheels, tmp_path / "bundle")


def test_the_readme_says_where_its_pictures_are_since_the_page_of_an_extension_shows_none(
    tmp_path: Path,
) -> None:
    vsix = tmp_path / "x.vsix"
    with zipfile.ZipFile(vsix, "w") as archive:
        archive.writestr("extension/pictures/one.webp", b"RIFF")
        archive.writestr(
            "extension/readme.md",
            "Look:\n\n![One](pictures/one.webp)\n\nAnd:\n\n![Two](pictures/two.webp)\n\n"
            "![far](https://e.example/x.png)\n",
        )
    script.point_to_pictures(vsix)
    with zipfile.ZipFile(vsix) as archive:
        assert archive.read("extension/readme.md").decode() == (
            f"Look:\n\n{script.PICTURES_ELSEWHERE}\n\nAnd:\n\n![far](https://e.example/x.png)\n"
        )
        assert archive.read("extension/pictures/one.webp") == b"RIFF"
        assert archive.testzip() is None


def test_a_readme_without_pictures_stays_as_it_is() -> None:
    assert script.without_pictures("No pictures.\n") == "No pictures.\n"


def test_every_platform_that_is_packaged_is_tried_here() -> None:
    assert set(COMPILED) == set(script.TARGETS)


def test_a_platform_that_a_wheel_is_missing_for_is_not_packaged(
    index: Path, server: Path, tmp_path: Path
) -> None:
    for wheel in index.glob("compiled-*-win_amd64.whl"):
        wheel.unlink()
    with pytest.raises(subprocess.CalledProcessError):
        script.fetch(server, "win32-x64", "3.13", tmp_path / "fetched")


def test_a_wheel_that_the_lock_does_not_name_is_not_carried(
    index: Path, server: Path, tmp_path: Path
) -> None:
    (wheel,) = index.glob("compiled-*cp313-win_amd64.whl")
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("compiled/more", "what nobody vouches for")
    with pytest.raises(subprocess.CalledProcessError):
        script.fetch(server, "win32-x64", "3.13", tmp_path / "fetched")
