"""What types, base classes and docstrings become where code with marks is shown without them."""

from __future__ import annotations

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
