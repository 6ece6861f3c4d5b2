"""Diffs and patches, at any size."""

from __future__ import annotations

import random
from collections.abc import Iterable

from tests.growth.kinds import Asked, Kind

_RECORD = '  {\n    "a": 1,\n    "b": 2\n  },\n'
_CHANGE = '   {\n-    "a": 1,\n+    "a": 9,\n     "b": 2\n'


def _diff(hunks: Iterable[str]) -> str:
    return f"```diff\n--- a/m.py\n+++ b/m.py\n{''.join(hunks)}```\n"


def _patch(hunks: Iterable[str]) -> str:
    return f"*** Begin Patch\n*** Update File: m.py\n{''.join(hunks)}*** End Patch\n"


def _at(line: int, section: str = "") -> str:
    return f"@@ -{line},3 +{line},3 @@{section}\n"


def distinct_hunks(n: int) -> Asked:
    """Hunks of lines that are there once."""
    hunks = (f"{_at(i + 1)} line {i}\n-line {i + 1}\n+line X\n line {i + 2}\n" for i in range(0, n - 5, 10))
    return Asked({"m.py": "".join(f"line {i}\n" for i in range(n))}, _diff(hunks))


def hunks_of_recurring_lines(n: int) -> Asked:
    """Hunks of lines that are there again every thirteen lines."""
    hunks = (
        f"{_at(i + 1)} line {i % 13}\n-line {(i + 1) % 13}\n+line X\n line {(i + 2) % 13}\n"
        for i in range(0, n - 5, 10)
    )
    return Asked({"m.py": "".join(f"line {i % 13}\n" for i in range(n))}, _diff(hunks))


def hunks_of_equal_records(n: int) -> Asked:
    """Hunks of a generated file that is one record many times, at their lines."""
    return Asked({"m.py": _RECORD * n}, _diff(_at(8 * i + 1) + _CHANGE for i in range(n // 2)))


def hunks_of_equal_records_elsewhere(n: int) -> Asked:
    """As before, three lines further down in the file."""
    files = {"m.py": "x\ny\nz\n" + _RECORD * n}
    return Asked(files, _diff(_at(8 * i + 1) + _CHANGE for i in range(n // 2)))


def hunks_without_lines(n: int) -> Asked:
    """Hunks of lines that are there again and again, without line numbers."""
    hunks = (
        f"@@ ... @@\n line {i % 13}\n-line {(i + 1) % 13}\n+line X\n line {(i + 2) % 13}\n"
        for i in range(0, n - 5, 40)
    )
    return Asked({"m.py": "".join(f"line {i % 13}\n" for i in range(n))}, _diff(hunks))


def hunks_with_sections(n: int) -> Asked:
    """Hunks with the function that they are in behind their lines, as git writes it."""
    file = "".join(f"def f{i}(a):\n    x = a\n    y = x\n    z = y\n    return z\n\n" for i in range(n))
    hunks = (
        f"{_at(6 * i + 3, f' def f{i}(a):')}     y = x\n-    z = y\n+    z = y + {i}\n     return z\n"
        for i in range(0, n, 2)
    )
    return Asked({"m.py": file}, _diff(hunks))


def hunks_below_other_sections(n: int) -> Asked:
    """As before, with the function above the one that they are in."""
    file = "".join(f"def f{i}(a):\n    x = a\n    y = x\n    z = y\n    return z\n\n" for i in range(n))
    hunks = (
        f"{_at(6 * i + 3, f' def f{i - 1}(a):')}     y = x\n-    z = y\n+    z = y + {i}\n     return z\n"
        for i in range(0, n, 2)
    )
    return Asked({"m.py": file}, _diff(hunks))


def patch_of_equal_records(n: int) -> Asked:
    """A patch without lines, of a file that is one record many times."""
    return Asked({"m.py": _RECORD * n}, _patch(["@@\n" + _CHANGE] * (n // 4)))


def patch_with_functions(n: int) -> Asked:
    """A patch that names the function of each change, as Codex writes it; all have the same lines."""
    file = "".join(f"def f{i}(a):\n    x = a\n    return x\n\n" for i in range(n))
    hunks = (f"@@ def f{i}(a):\n     x = a\n-    return x\n+    return x * {i}\n" for i in range(0, n, 2))
    return Asked({"m.py": file}, _patch(hunks))


def patch_with_classes(n: int) -> Asked:
    """A patch that names the class and the method of each change."""
    file = "".join(f"class K{i}:\n    def f(self, a):\n        x = a\n        return x\n\n" for i in range(n))
    hunks = (
        f"@@ class K{i}:\n@@     def f(self, a):\n         x = a\n-        return x\n+        return {i}\n"
        for i in range(0, n, 2)
    )
    return Asked({"m.py": file}, _patch(hunks))


def shuffled_file(n: int) -> Asked:
    """A whole file of few different lines in another order."""
    chance = random.Random(1)
    file, shown = ("\n".join(chance.choice("abcdefg") for _ in range(n)) for _ in range(2))
    return Asked({"m.txt": file + "\n"}, f"m.txt\n```\n{shown}\n```\n")


def whole_file(n: int) -> Asked:
    """A whole file that changes in every function."""
    file = "".join(f"def f{i}(a):\n    x = a + {i}\n    return x\n\n" for i in range(n))
    shown = file.replace("return x", "return x + 1")
    return Asked({"m.py": file}, f"The whole file `m.py`:\n\n```python\n{shown}```\n")


KINDS = (
    Kind(distinct_hunks, 400),
    Kind(hunks_of_recurring_lines, 400),
    Kind(hunks_of_equal_records, 80),
    Kind(hunks_of_equal_records_elsewhere, 80),
    Kind(hunks_without_lines, 1000),
    Kind(hunks_with_sections, 60),
    Kind(hunks_below_other_sections, 125),
    Kind(patch_of_equal_records, 100),
    Kind(patch_with_functions, 80),
    Kind(patch_with_classes, 60),
    Kind(shuffled_file, 2000),
    Kind(whole_file, 100),
)
