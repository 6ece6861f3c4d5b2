"""Shown code that could be read in two ways is refused: a missing mark, a place that nothing tells."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from patchpoint import apply_edits
from patchpoint.structure.lazy.definition import Unmerged, UnmergedError
from patchpoint.structure.lazy.merge import merge_shown
from patchpoint.structure.parse import Verdict, judge

PYTHON = '''\
"""Orders of a shop."""

import json
import logging

log = logging.getLogger(__name__)
LIMIT = 10


class Order:
    """What somebody ordered."""

    currency = "EUR"
    running = False

    def __init__(self, lines):
        self.lines = lines
        self.paid = False

    def total(self, discount=0):
        """Return the price of all lines.

        The discount is in percent. It is taken from each line before the lines are added, so that the
        result may differ by some cents.
        """
        result = 0
        for line in self.lines:
            price = line.price * line.count
            result += price - price * discount / 100
        if result < 0:
            log.warning("negative total %s", result)
            result = 0
        return round(result, 2)

    def start(self):
        self.running = True
        log.info("started")


def load(path):
    with open(path) as file:
        content = json.load(file)
    lines = content["lines"]
    log.debug("%d lines", len(lines))
    assert len(lines) <= LIMIT
    return Order(lines)
'''

GO = """\
package shop

import "fmt"

// Usage explains the program.
func Usage(name string) string {
	head := fmt.Sprintf("usage: %s", name)
	if name == "" {
		head = "usage"
	}
	return head + `
Commands:
    add     adds something
    remove  removes something
    list    lists everything
Flags:
    --help  prints this
}
`
}

// Add adds.
func Add(a int, b int) int {
	return a + b
}
"""

TYPESCRIPT = """\
import { Price } from "./price";

/**
 * One line of an order.
 */

export class Line {
  count = 1;

  constructor(private price: Price) {}

  /**
   * The price of all of them.
   */
  total(): number {
    const each = this.price.amount;
    let sum = 0;
    for (let i = 0; i < this.count; i++) {
      sum += each;
    }
    return sum;
  }

  more(): void {
    this.count += 1;
  }
}
"""

RUST = """\
use std::fmt;

pub struct Line {
    pub count: u32,
    pub price: u32,
}

impl Line {
    #[inline]
    #[must_use] // it costs something
    pub fn total(&self) -> u32 {
        let each = self.price;
        let mut sum = 0;
        for _ in 0..self.count {
            sum += each;
        }
        sum
    }
}

pub fn twice(line: &Line) -> u32 {
    2 * line.total()
}
"""


def merged(shown: str, file: str, path: str) -> str:
    result = merge_shown(file.splitlines(), shown.splitlines(), path)
    return "".join(f"{line}\n" for line in result.lines)


def refused(shown: str, file: str = PYTHON, path: str = "order.py") -> Unmerged:
    with pytest.raises(UnmergedError) as caught:
        merge_shown(file.splitlines(), shown.splitlines(), path)
    return caught.value.reason


def shown_of(name: str, file: str = PYTHON) -> str:
    """Return the function of Python's that is called `name`, as it is in the file."""
    lines = file.splitlines(keepends=True)
    start = next(n for n, line in enumerate(lines) if f"def {name}(" in line)
    depth = len(lines[start]) - len(lines[start].lstrip())
    below = (n for n, line in enumerate(lines) if n > start and line.strip())
    end = next((n for n in below if len(lines[n]) - len(lines[n].lstrip()) <= depth), len(lines))
    return "".join(lines[start:end]).rstrip() + "\n"


def test_lines_without_which_others_make_no_sense_were_left_out() -> None:
    shown = shown_of("load").replace("    with open(path) as file:\n        content = json.load(file)\n", "")
    assert refused(shown.replace("LIMIT", "2 * LIMIT")) is Unmerged.DELETES
    shown = shown_of("load").replace('    log.debug("%d lines", len(lines))\n', "")
    assert merged(shown, PYTHON, "order.py") == PYTHON.replace('    log.debug("%d lines", len(lines))\n', "")


def test_three_lines_in_a_row_are_not_deleted_in_passing() -> None:
    text = PYTHON[PYTHON.index("        The discount") : PYTHON.index('        """\n        result')]
    shown = shown_of("total").replace("Return the price of all lines.\n\n" + text, "Return the price.\n")
    assert 'Return the price.\n        """' in merged(shown, PYTHON, "order.py")
    loop = PYTHON[PYTHON.index("        if result < 0") : PYTHON.index("        return round")]
    assert refused(shown_of("total").replace(loop, "").replace("percent", "per cent")) is Unmerged.DELETES


def test_an_attribute_that_is_still_used_was_left_out() -> None:
    shown = 'class Order:\n    """What somebody ordered."""\n\n    currency = "EUR"\n\n'
    shown += shown_of("__init__").replace("False", "None") + "\n    # ... existing code ...\n"
    assert refused(shown) is Unmerged.DELETES
    shown = shown.replace('"EUR"\n', '"EUR"\n    running = False\n')
    assert merged(shown, PYTHON, "order.py") == PYTHON.replace("paid = False", "paid = None")


def test_a_block_without_its_body_was_left_out() -> None:
    shown = shown_of("load").replace("        content = json.load(file)\n", "")
    answer = f"**order.py**\n\n```python\n{shown}```\n"
    assert apply_edits({"order.py": PYTHON}, answer).files == {"order.py": PYTHON}


def test_code_that_begins_with_something_else_than_the_file_may_replace_it() -> None:
    file = "import json\nimport sys\n\nx = 1\n"
    assert refused("system = 2\n\nx = 1\n# ...\n", file) is Unmerged.UNCLEAR
    assert (
        merged("import system\n\nx = 1\n# ...\n", file, "a.py")
        == f"import json\nimport sys\nimport system{file[22:]}"
    )
    assert merged("import json\nimport sys\nimport os\n# ...\n", file, "a.py").startswith(
        "import json\nimport sys\nimport os\n"
    )


def test_dots_in_a_new_comment_may_be_part_of_it() -> None:
    shown = "import json\nimport logging\n\n# The log is\n# ...\n# not for users.\nlog = None\n# ...\n"
    answer = f"**order.py**\n\n```python\n{shown}```\n"
    assert apply_edits({"order.py": PYTHON}, answer).files == {"order.py": PYTHON}


def test_a_comment_like_one_further_above_is_not_written_a_second_time() -> None:
    file = "# Return the total of all prices.\n\ndef total(prices):\n    return sum(prices)\n"
    shown = "# Return the total of the prices.\ndef total(prices):\n    return round(sum(prices))\n"
    assert refused(shown, file) is Unmerged.UNCLEAR


def test_a_mark_is_never_written_into_the_file() -> None:
    file = PYTHON.replace("    return Order(lines)\n", "    # ...\n    return Order(lines)\n")
    shown = shown_of("load", file).replace("    lines =", "    # ...\n    lines =")
    assert refused(shown, file) is Unmerged.UNCLEAR


def test_a_line_next_to_a_mark_shows_the_place() -> None:
    shown = """\
    def total(self, discount=0):
        # ... existing code ...
            result += price - price * discount / 100
        if result < 0:
            raise ValueError(result)
        return round(result, 2)
"""
    start, end = PYTHON.index("            log.warning"), PYTHON.index("        return round")
    want = PYTHON[:start] + "            raise ValueError(result)\n" + PYTHON[end:]
    assert merged(shown, PYTHON, "order.py") == want


def test_one_of_several_like_entries_is_not_replaced_by_a_new_one() -> None:
    def entry(name: str, value: str) -> str:
        return f"        {{\n            {name},\n            run(),\n            {value},\n        }},\n"

    old = entry("alpha", "100") + entry("beta_carotene", "compute(20)") + entry('"gamma"', "sum(range(9))")
    file = f"def table():\n    first()\n    entries = [\n{old}    ]\n    return entries\n"
    new = entry("delta", "None")
    shown = f"def table():\n    first()\n    # ...\n        }},\n{new}    ]\n    return entries\n"
    assert refused(shown, file) is Unmerged.UNCLEAR


def test_text_of_a_raw_string_in_the_first_column_does_not_end_a_function() -> None:
    shown = """\
func Usage(name string) string {
	head := fmt.Sprintf("usage: %s", name)
	// ... existing code ...
    add     adds something
    remove  removes it
    list    lists everything
Flags:
    --help  prints this
}
`
}
"""
    try:
        after = merged(shown, GO, "usage.go")
    except UnmergedError:
        return
    assert after == GO.replace("removes something", "removes it")


def test_documentation_one_line_above_belongs_to_what_is_below() -> None:
    shown = "/**\n * One line of an order.\n */\nexport class Line {\n  // ...\n"
    shown += "  more(): void {\n    this.count++;\n  }\n}\n"
    assert merged(shown, TYPESCRIPT, "line.ts") == TYPESCRIPT.replace("this.count += 1", "this.count++")


def test_an_attribute_with_a_remark_is_not_lost() -> None:
    shown = RUST[RUST.index("impl Line") : RUST.index("pub fn twice")].replace(
        "    #[must_use] // it costs something\n", ""
    )
    changed = shown.replace("let mut sum = 0;", "let mut sum = 0u32;")
    assert refused(changed, RUST, "line.rs") is Unmerged.LOST


def test_tabs_in_place_of_spaces_are_asked_about() -> None:
    shown = shown_of("total").replace("round(result, 2)", "round(result, 3)")
    lines = []
    for line in shown.splitlines():
        depth = len(line) - len(line.lstrip(" "))
        lines.append("\t" * (depth // 4) + line.lstrip(" ") + "\n")
    want = PYTHON.replace("round(result, 2)", "round(result, 3)")
    answer = f"**order.py**\n\n```\n{''.join(lines)}```\n"
    assert apply_edits({"order.py": PYTHON}, answer).files == {"order.py": PYTHON}
    assert apply_edits({"order.py": PYTHON}, answer, accept="all").files == {"order.py": want}


FILES = [("order.py", PYTHON), ("usage.go", GO), ("line.ts", TYPESCRIPT), ("line.rs", RUST)]
HEAD = re.compile(r"\b(?:def|class|func|fn|impl|struct|function|interface|constructor)\b|\): \w+ \{")
MARKS = ["... existing code ...", "...", "rest of the code unchanged", "(unchanged)"]


@pytest.mark.parametrize(("path", "file"), FILES, ids=[path for path, _ in FILES])
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_a_change_shown_between_marks_is_that_change_or_refused(
    path: str, file: str, data: st.DataObject
) -> None:
    lines = file.splitlines()
    solid = [n for n, line in enumerate(lines) if line.strip() and any(map(str.isalpha, line))]
    changed = data.draw(st.sampled_from(solid))
    new = lines[changed].replace("a", "ae", 1)
    assume(new != lines[changed] and new not in lines and not HEAD.search(new))
    after = [*lines[:changed], new, *lines[changed + 1 :]]
    above, below = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    first, last = max(0, changed - above), min(len(lines), changed + below + 1)
    sign = "#" if path.endswith(".py") else "//"
    mark = f"{sign} {data.draw(st.sampled_from(MARKS))}"
    depth = data.draw(st.sampled_from([0, len(lines[first]) - len(lines[first].lstrip())]))
    shown = [
        *([" " * depth + mark] if first else []),
        *after[first:last],
        *([mark] if last < len(lines) else []),
    ]
    if data.draw(st.booleans()):
        shown = [line for line in shown if line.strip()]
    try:
        result = merge_shown(lines, shown, path)
    except UnmergedError:
        return
    assert [line for line in result.lines if line.strip()] == [line for line in after if line.strip()]


@pytest.mark.parametrize(("path", "file"), FILES, ids=[path for path, _ in FILES])
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_lines_left_out_without_a_mark_are_not_deleted(path: str, file: str, data: st.DataObject) -> None:
    lines = file.splitlines()
    cuts = [
        (first, last)
        for first in range(1, len(lines))
        for last in range(first + 3, len(lines))
        if not any(map(HEAD.search, lines[first:last]))
        and sum(any(map(str.isalpha, line)) for line in lines[first:last]) >= 3
    ]
    first, last = data.draw(st.sampled_from(cuts))
    try:
        result = merge_shown(lines, [*lines[:first], *lines[last:]], path)
    except UnmergedError:
        return
    text = "".join(f"{line}\n" for line in result.lines)
    assert text == file or judge(path, text).verdict is Verdict.BROKEN


RULES = ["h1,", "h2,", ".title {", "  color: red;", "}", "", ".foot {", "  top: 0;", "}"]


def test_a_rule_with_other_selectors_may_be_a_renamed_one() -> None:
    shown = [".foot {", "  top: 1px;", "}", "", "h1,", "h2,", ".titles {", "  color: blue;", "}"]
    with pytest.raises(UnmergedError) as refused:
        merge_shown(RULES, shown, "a.css")
    assert refused.value.reason is Unmerged.RENAMED
    assert [each.start for each in refused.value.places] == [0]


def test_a_comment_among_selectors_makes_no_other_rule() -> None:
    shown = ["h1,", "/* The second. */", "h2,", ".title {", "  color: blue;", "}"]
    assert merge_shown(RULES, shown, "a.css").lines == (*shown, *RULES[5:])


GETTERS = [
    "def load(path):", "    with open(path) as file:", "        text = file.read()", "    return parse(text)",
    "", "", "def save(path):", "    return 1",
]  # fmt: skip


def test_a_function_like_one_that_is_not_shown_may_be_a_renamed_one() -> None:
    shown = ["def save(path):", "    return 2", "", "", "def loads(path):", *GETTERS[1:4]]
    with pytest.raises(UnmergedError) as refused:
        merge_shown(GETTERS, shown, "a.py")
    assert refused.value.reason is Unmerged.RENAMED


def test_a_function_like_one_that_is_shown_is_new() -> None:
    shown = [*GETTERS[:4], "", "", "def loads(path):", *GETTERS[1:4]]
    assert merge_shown(GETTERS, shown, "a.py").lines == (*shown, *GETTERS[4:])


def test_a_section_that_is_elsewhere_is_not_brought_along() -> None:
    file = ["# A", "", "## Use", "", "Call it.", "Twice.", "", "# B", "", "Old.", ""]
    shown = ["# B", "", "New.", "", "## Use", "", "Call it.", "Twice."]
    with pytest.raises(UnmergedError) as refused:
        merge_shown(file, shown, "a.md")
    assert refused.value.reason is Unmerged.DOUBLED


def test_something_new_that_is_much_like_a_function_with_functions_in_it_may_be_that_one_renamed() -> None:
    steps = "".join(f"        step_{n} = inner({n}) * rate\n" for n in range(12))
    head = "    def total(self, rate):\n        def inner(x):\n            return x + 1\n\n"
    method = f"{head}{steps}        return step_11\n"
    file = f"class Price:\n    def start(self):\n        self.running = True\n\n{method}"
    renamed = method.replace("total", "sum_up")
    shown = f"class Price:\n    # ... existing code ...\n\n{renamed}\n    # ... existing code ...\n"
    assert refused(shown, file) is Unmerged.RENAMED


def test_tabs_among_spaces_are_not_counted_by_a_line_that_may_have_moved() -> None:
    file = "class A {\n  int a;\n\n  void f(int x) {\n    g(x);\n    h(x);\n  }\n}\n"
    shown = "  void f(int x) {\n\tif (x > 0) {\n\t  g(x);\n\t} else {\n\t  k(x);\n\t}\n  }\n"
    assert refused(shown, file, "A.java") is Unmerged.TABS


def test_a_new_block_before_a_mark_does_not_replace_the_one_below_it() -> None:
    body = (
        "    open(a);\n\n    if (a > 1) {\n        first(a);\n        second(a, 2);\n    }\n\n    close(a);\n"
    )
    file = f"fn run(a: u8) {{\n    let b = 1;\n{body}}}\n"
    block = "    for each in a.parts() {\n        each.start();\n    }\n"
    shown = f"fn run(a: u8) {{\n    // ...\n    open(a);\n\n{block}\n    // ... (unchanged)\n}}\n"
    assert refused(shown, file, "run.rs") is Unmerged.UNCLEAR
    whole = shown.replace("    // ... (unchanged)\n", "    if (a > 1) {\n        // ... (unchanged)\n")
    assert merged(whole, file, "run.rs") == file.replace("    if (a > 1)", f"{block}\n    if (a > 1)")


def test_a_branch_after_a_mark_does_not_replace_one_of_another_value() -> None:
    names = ("Left", "Right", "Corner", "Scroll", "Width", "Close")
    cases = [
        f'        case "sheet{name}":\n          view.setSheet{name}(value);\n          break;\n'
        for name in names
    ]
    head, tail = "class A {\n  void set(String key) {\n    switch (key) {\n", "    }\n  }\n}\n"
    new = cases[3].replace("Scroll", "Inner")
    shown = f"{head}{cases[0]}        // ... (unchanged)\n          break;\n{new}{cases[5]}{tail}"
    assert refused(shown, head + "".join(cases) + tail, "A.java") is Unmerged.UNCLEAR


PAGES = ["Install", "Upgrade", "Remove", "Support", "Contact", "Imprint"]
OF_PYTHON = ("pages.py", "PAGES = [\n", '    ("{0}", "/{0}.html"),\n', "    # ... existing code ...\n", "]\n")
OF_YAML = ("pages.yaml", "pages:\n", "  - title: {0}\n    path: /{0}.html\n", "  # ...\n", "")
LISTS = [OF_PYTHON, OF_YAML]


@given(st.sampled_from(LISTS), st.integers(1, 4), st.sampled_from([*PAGES, "Search"]), st.data())
def test_no_row_of_a_list_becomes_another_that_the_file_has_once(
    kind: tuple[str, str, str, str, str], at: int, written: str, data: st.DataObject
) -> None:
    path, head, row, mark, end = kind
    rows = [row.format(page) for page in PAGES]
    first, last = data.draw(st.integers(0, at - 1)), data.draw(st.integers(at + 1, 5))
    assume(written not in (*PAGES[first:at], *PAGES[at + 1 : last + 1]))  # Shown twice, it is meant twice.
    shown = [*rows[first:at], row.format(written), *rows[at + 1 : last + 1]]
    code = head + (mark if first else "") + "".join(shown) + (mark if last < 5 else "") + end
    file = f"{head}{''.join(rows)}{end}"
    try:
        merged = "\n".join(merge_shown(file.splitlines(), code.splitlines(), path).lines)
    except UnmergedError:
        assert written not in (PAGES[at], "Search")
        return
    for page in PAGES:
        assert merged.count(f"/{page}.html") <= 1
    if written == "Search":
        assert merged == file.replace(rows[at], row.format("Search")).rstrip("\n")
