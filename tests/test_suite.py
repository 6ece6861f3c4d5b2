"""How the tests themselves are kept and chosen: no test module is needed by another."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


@cache
def sources() -> dict[str, str]:
    """Every Python file of the tests, by its path below their folder."""
    paths = (path for path in sorted(TESTS.rglob("*.py")) if "data" not in path.relative_to(TESTS).parts)
    return {path.relative_to(TESTS).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def test_nothing_is_imported_from_a_test_module_or_a_conftest() -> None:
    assert "test_suite.py" in sources()
    for name, source in sources().items():
        taken = re.search(r"^ *(?:from|import) [^#\n]*\b(?:test_\w+|conftest)\b.*", source, re.MULTILINE)
        assert taken is None, f"{name}: {taken[0]}; what two modules use is in a module of its own"


def test_fixtures_are_found_by_name_and_never_exported() -> None:
    for name, source in sources().items():
        assert not re.search(r"^__all__\b", source, re.MULTILINE), f"{name}: fixtures belong in conftest.py"


@pytest.mark.slow
def test_of_a_test_with_many_rows_some_are_tried_and_they_stay_the_same(tmp_path: Path) -> None:
    (tmp_path / "test_rows.py").write_text(
        "import pytest\n\n\n"
        "@pytest.mark.parametrize('row', range(100))\ndef test_many(row): pass\n\n\n"
        "@pytest.mark.parametrize('row', range(3))\ndef test_few(row): pass\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "pytest", "--verbose", "-p", "tests.sampling", "--most-cases", "7"]
    environment = os.environ | {"PYTHONPATH": str(TESTS.parent), "PYTEST_ADDOPTS": "-p no:cacheprovider"}
    first, second = (
        subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True, timeout=60
        ).stdout
        for _ in range(2)
    )
    assert "10 passed, 93 deselected" in first
    assert first.count("test_few[") == 3
    assert re.findall(r"test_many\[\d+\]", first) == re.findall(r"test_many\[\d+\]", second)
