"""Shown code that is indented in another way than its file."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.structure.lazy.definition import CodeText, Unmerged, UnmergedError
from patchpoint.structure.lazy.merge import merge_shown
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.structure.lazy.units import in_units_of

CART = """\
class Cart {
  constructor(goods) {
    this.goods = goods;
  }

  total(tax) {
    let total = 0;
    for (const each of this.goods) {
      if (each.price) {
        total += each.price;
      }
    }
    return total + tax;
  }

  print(printer,
        title) {
    printer.print(title,
                  this.total(0));
  }
}
"""
CHANGED = CART.replace("total += each.price;", "total += each.price * each.count;\n        log(total);")


def merged(shown: str, file: str = CART, path: str = "cart.js") -> str:
    result = merge_shown(file.splitlines(), shown.splitlines(), path)
    return "".join(f"{line}\n" for line in result.lines)


def proposed(shown: str, file: str = CART, path: str = "cart.js") -> str | None:
    answer = f"**{path}**\n\n```\n{shown}```\n"
    assert apply_edits({path: file}, answer).files[path] == file
    return apply_edits({path: file}, answer, accept="all").files[path]


def code(text: str) -> CodeText:
    return CodeText(text.splitlines(), syntaxes_of("cart.js")[0])


def in_steps(text: str, step: int, usual: int = 2) -> str:
    """Return a text whose blocks are indented by other steps, and what is aligned with them."""
    lines = []
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip())
        lines.append(" " * (depth // usual * step) + line.lstrip())
    return "\n".join(lines) + "\n"


METHOD = CHANGED[CHANGED.index("  total(") : CHANGED.index("  print(")].rstrip() + "\n"


@pytest.mark.parametrize("step", [3, 4, 8])
def test_blocks_of_another_step_come_to_the_depths_of_the_file(step: int) -> None:
    assert proposed(in_steps(METHOD, step)) == CHANGED


def test_blocks_of_two_spaces_become_those_of_four() -> None:
    file, want = in_steps(CART, 4), in_steps(CHANGED, 4)
    assert proposed(METHOD, file) == want


def test_what_is_aligned_with_something_stays_aligned() -> None:
    shown = (
        "class Cart {\n    // ... existing code ...\n\n    print(printer,\n          title) {\n"
        "        printer.print(title,\n                      this.total(1));\n    }\n}\n"
    )
    assert proposed(shown) == CART.replace("this.total(0)", "this.total(1)")


def test_a_text_of_several_lines_in_code_of_another_step_is_refused() -> None:
    shown = in_steps(METHOD.replace("log(total);", "log(`total\n        ${total}`);"), 4)
    with pytest.raises(UnmergedError) as caught:
        merged(shown)
    assert caught.value.reason is Unmerged.TABS


def test_a_tab_that_would_make_a_block_as_deep_as_what_opens_it_is_wider() -> None:
    file = "if (a) {\n  start();\n  push();\n  pull();\n}\nwhile (b) {\n  stop();\n}\n"
    shown = "while (b) {\n  stop();\n  for (c) {\n\tstart();\n\tpush();\n\tpull();\n  }\n}\n"
    with pytest.raises(UnmergedError) as caught:
        in_units_of(code(file), shown.splitlines())
    assert caught.value.reason is Unmerged.TABS
