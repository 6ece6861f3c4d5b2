"""How the tests themselves are kept: no test module is needed by another."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

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
