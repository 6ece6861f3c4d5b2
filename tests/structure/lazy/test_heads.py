"""What types, base classes and docstrings become where code with marks is shown without them."""

from __future__ import annotations

import pytest

from patchpoint.structure.lazy.merge import merge_shown

PYTHON = """\
class Ledger(Base, Generic[T]):
    def total(self, rate: Decimal = ONE) -> Decimal:
        found = self.lines
        log(found)
        return sum(found) * rate
"""
ASYNC = """\
class Names(Base):
    async def lookup(
        self, name: str | None, *kinds: dict[str, int]
    ) -> tuple[str, int]:
        kept = self.kept
        return kept[name]
"""
TYPESCRIPT = """\
export class Cart extends Base implements Sized {
  total(rate: number, items?: Map<string, Item>): number {
    const found = this.items;
    log(found);
    return found.length * rate;
  }
}
"""
NEW = "    def count(self):\n        return len(self.lines)\n"
TYPES = "self, rate: Decimal = ONE) -> Decimal"


@pytest.mark.parametrize(
    "head", ["async def lookup(self, name, *kinds):", "async def lookup(self, name: str, *kinds):"]
)
def test_they_stay_over_a_mark(head: str) -> None:
    shown = (
        f"class Names:\n    # ... existing code ...\n\n    {head}\n        # ... existing code ...\n\n{NEW}"
    )
    assert _merged(ASYNC, shown, "ledger.py") == f"{ASYNC}\n{NEW}"


def test_they_stay_over_lines_that_change() -> None:
    assert _merged(PYTHON, _total("self, rate=ONE)"), "ledger.py") == PYTHON.replace(
        "sum(found)", "sum(found, 0)"
    )


def test_they_stay_where_a_class_is_shown_for_its_member() -> None:
    assert _merged(TYPESCRIPT, _cart(), "cart.ts") == TYPESCRIPT.replace("found.length", "found.size")


@pytest.mark.parametrize("new", ["self)", "self, rate)", "self, factor=ONE)", "self, rate: float = ONE)"])
def test_other_parameters_and_values_are_what_changes(new: str) -> None:
    expected = PYTHON.replace(TYPES, new).replace("sum(found)", "sum(found, 0)")
    assert _merged(PYTHON, _total(new), "ledger.py") == expected


@pytest.mark.parametrize(
    ("path", "head", "new"),
    [
        ("a.rs", "fn get(key: &str) -> Option<u8>", "fn get(key: &str)"),
        ("a.go", "func Get(key string) (int, error)", "func Get(key string) int"),
    ],
)
def test_where_types_are_needed_other_ones_are_what_changes(path: str, head: str, new: str) -> None:
    file = f"{head} {{\n\tlog(key);\n\tcheck(key);\n\treturn find(key);\n}}\n"
    shown = f"{new} {{\n\tlog(key);\n\t// ...\n\treturn find(key, 1);\n}}\n"
    assert _merged(file, shown, path) == file.replace(head, new).replace("find(key)", "find(key, 1)")


def test_the_parameters_of_a_type_may_be_left_out() -> None:
    file = TYPESCRIPT.replace("total(", "total<T>(")
    assert "total<T>(rate: number" in _merged(file, _cart(), "cart.ts")


def test_a_word_before_the_name_is_what_changes() -> None:
    file = PYTHON.replace("def total", "async def total")
    expected = PYTHON.replace(TYPES, "self, rate=ONE)").replace("sum(found)", "sum(found, 0)")
    assert _merged(file, _total("self, rate=ONE)"), "ledger.py") == expected


@pytest.mark.parametrize("docstring", ['"""Return it."""', "r'''Return it.\n\n        Twice.\n        '''"])
def test_a_docstring_stays_over_lines_that_change(docstring: str) -> None:
    file = PYTHON.replace("        found =", f"        {docstring}\n\n        found =", 1)
    assert _merged(file, _total("self, rate=ONE)"), "ledger.py") == file.replace(
        "sum(found)", "sum(found, 0)"
    )


def test_a_docstring_of_a_class_stays_over_its_methods() -> None:
    file = PYTHON.replace("[T]):\n", '[T]):\n    """All lines."""\n\n')
    assert _merged(file, _total("self, rate=ONE)"), "ledger.py") == file.replace(
        "sum(found)", "sum(found, 0)"
    )


def test_another_docstring_is_what_changes() -> None:
    file = PYTHON.replace("        found =", '        """Return it."""\n        found =', 1)
    shown = _total("self, rate=ONE)").replace("        found =", '        """Return all."""\n        found =')
    assert _merged(file, shown, "ledger.py") == file.replace("it.", "all.").replace(
        "sum(found)", "sum(found, 0)"
    )


def test_they_go_where_nothing_else_changes() -> None:
    shown = _total("self, rate=ONE)").replace(", 0", "")
    assert _merged(PYTHON, shown, "ledger.py") == PYTHON.replace(TYPES, "self, rate=ONE)").replace(
        "Ledger(Base, Generic[T])", "Ledger"
    )


def test_they_go_where_all_of_a_function_is_shown() -> None:
    shown = _total("self, rate=ONE)").replace("# ...", "log(found)")
    assert "Decimal" not in _merged(PYTHON, shown, "ledger.py")


def _cart() -> str:
    body = "    const found = this.items;\n    // ... existing code ...\n    return found.size * rate;\n"
    return f"class Cart {{\n  total(rate, items) {{\n{body}  }}\n}}\n"


def _total(head: str) -> str:
    body = ("found = self.lines", "# ...", "return sum(found, 0) * rate")
    return "".join(
        f"{line}\n"
        for line in ("class Ledger:", f"    def total({head}:", *(f"        {line}" for line in body))
    )


def _merged(file: str, shown: str, path: str) -> str:
    return "\n".join(merge_shown(file.split("\n"), shown.split("\n"), path).lines)
