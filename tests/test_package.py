"""What is released: a wheel that holds the package and nothing else."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import patchpoint

ROOT = Path(__file__).parent.parent
VERSION = metadata.version("patchpoint")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_the_package_its_manual_page_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {"patchpoint/py.typed", "patchpoint/hooks/setup/opencode.js"} <= set(names)
    assert "patchpoint/cli/demo/shop/answer.md.txt" in names
    dist = f"patchpoint-{VERSION}"
    assert {name.split("/")[0] for name in names} == {"patchpoint", f"{dist}.data", f"{dist}.dist-info"}
    assert f"{dist}.data/data/share/man/man1/patchpoint.1" in names
    sources = {path.relative_to(ROOT / "server").as_posix() for path in (ROOT / "server").rglob("*.py")}
    assert sources <= set(names)


def test_what_is_in_the_wheel_runs(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    done = subprocess.run(
        [sys.executable, "-m", "patchpoint", "--version"],
        env=os.environ | {"PYTHONPATH": str(tmp_path / "site")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == f"patchpoint {VERSION}\n", done.stderr


def test_the_demo_in_the_wheel_finds_its_files(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    done = subprocess.run(
        [sys.executable, "-m", "patchpoint", "demo"],
        env=os.environ | {"PYTHONPATH": str(tmp_path / "site"), "PYTHONIOENCODING": "utf-8"},
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert "byte for byte" in done.stdout, done.stderr


def test_importing_the_package_loads_nothing_but_it() -> None:
    program = (
        "import sys; before = set(sys.modules); import patchpoint; "
        "print(*sorted(name for name in set(sys.modules) - before if not name.startswith('_')))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        cwd=ROOT / "server",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert not {"dulwich", "rapidfuzz", "pygls", "json_repair", "dataclasses"} & set(done.stdout.split())
    assert not [name for name in done.stdout.split() if name.startswith("patchpoint.")]


def test_the_metadata_have_the_version_of_the_package() -> None:
    assert patchpoint.__version__ == VERSION


def test_the_lock_names_every_package_with_its_hashes_and_no_address() -> None:
    lock = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert "://" not in lock
    pinned = re.split(r"\n(?=\w)", lock.partition("\n")[2])
    assert all("--hash=sha256:" in package for package in pinned)
    manifest = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    runtime = manifest.split("\ndependencies = [")[1].split("]")[0]
    for name in re.findall(r'"([\w-]+)', runtime):
        assert re.search(rf"^{name}==", lock, re.MULTILINE), f"{name} is locked; run `make lock`"


@pytest.mark.skipif(sys.platform != "linux", reason="wheels of other systems have other sizes")
def test_what_is_installed_by_default_has_at_most_45_mib() -> None:
    waiting, sizes = [Requirement("patchpoint")], {"patchpoint": size_of_the_package()}
    while waiting:
        for line in metadata.requires(waiting.pop().name) or []:
            needed = Requirement(line)
            is_needed = needed.marker is None or needed.marker.evaluate({"extra": ""})
            if is_needed and needed.name not in sizes:
                files = metadata.files(needed.name) or []
                sizes[needed.name] = sum(one.size or 0 for one in files if one.suffix != ".pyc")
                waiting.append(needed)
    assert sum(sizes.values()) <= 45 * 2**20, sorted(sizes.items(), key=lambda item: -item[1])[:12]
    assert sizes["rapidfuzz"] > 2**20, "sizes are those of files"


def size_of_the_package() -> int:
    files = (ROOT / "server" / "patchpoint").rglob("*")
    return sum(path.stat().st_size for path in files if path.is_file() and path.suffix != ".pyc")


def test_the_locks_of_npm_name_every_package_with_its_hash_and_no_address() -> None:
    locks = [*ROOT.glob("editors/*/package-lock.json"), *ROOT.glob("tools/*/package-lock.json")]
    assert locks
    for lock in locks:
        packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
        for name, package in packages.items():
            assert "resolved" not in package, f"{lock.parent.name}: {name} is tied to one registry"
            assert "integrity" in package or name == "", f"{lock.parent.name}: {name} has no hash"
