"""Shown lines are merged into any file by the blocks of lines that both have: what is left out stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint.structure.blocks.draft import Draft, draft
from patchpoint.structure.blocks.tree import Block, blocks_of

WORKFLOW = """\
name: ci
on: push

jobs:
  lint:
    runs-on: ubuntu
    steps:
      - uses: actions/checkout@v4
      - run: make lint

  test:
    runs-on: ubuntu
    steps:
      - uses: actions/checkout@v4
      - run: make test
"""
PAGE = """\
<main>
  <section class="cards">
    <div class="card">
      <h2>Bread</h2>
      <p>Sour dough.</p>
    </div>
    <div class="card">
      <h2>Coffee</h2>
      <p>Freshly ground.</p>
    </div>
  </section>
  <form id="order">
    <button type="submit">Send</button>
  </form>
</main>
"""
STYLE = """\
.card {
  padding: 12px;
  border: 1px solid grey;
}

.nav a {
  margin: 0;
}

@media (max-width: 600px) {
  .card {
    padding: 4px;
  }
}
"""
MODULE = """\
defmodule Pulse.Store do
  use GenServer

  def mean(metric) do
    GenServer.call(__MODULE__, {:mean, metric})
  end

  def handle_call({:mean, metric}, _from, state) do
    {:reply, compute(metric, state), state}
  end
end
"""
MAIN = """\
variable "zone" {
  type = string
}

resource "bucket" "uploads" {
  name = "uploads"

  tags = {
    Stage = var.zone
  }
}

resource "machine" "api" {
  image = "a-1"
  size  = "small"
}
"""
RULES = ".PHONY: test clean\n\ntest:\n\tpytest\n\nclean:\n\trm -rf build\n"
TABLES = "CREATE TABLE a (\n    id INTEGER,\n    name TEXT\n);\n\nCREATE TABLE b (\n    id INTEGER\n);\n"
NOTES = "# Kiosk\n\n## Usage\n\nRun it:\n\n```bash\nmake run\n```\n\n## Tests\n\n- `make test`\n"

PROXY = """\
server {
    location /api/ {
        proxy_pass http://api/;
        proxy_set_header Host $host;
        proxy_set_header X-Real-IP $remote_addr;
    }
}
"""
WIDGET = """\
Widget build(BuildContext context) {
  return Scaffold(
    appBar: AppBar(title: "Tasks"),
    body: _loading
        ? const Spinner()
        : List(
            items,
          ),
  );
}
"""


def made(path: str, file: str, shown: str) -> str | None:
    result = draft(file.split("\n"), shown.split("\n"), path)
    return "\n".join(result.lines) if result is not None else None


@pytest.mark.parametrize(
    ("path", "file", "shown", "old", "new"),
    [
        pytest.param(
            "ci.yml",
            WORKFLOW,
            "jobs:\n  # lint: unchanged\n\n  test:\n    runs-on: ubuntu\n    strategy:\n"
            "      fail-fast: true\n"
            "    # ...\n",
            "  test:\n    runs-on: ubuntu\n",
            "  test:\n    runs-on: ubuntu\n    strategy:\n      fail-fast: true\n",
            id="a key of one of two jobs",
        ),
        pytest.param(
            "page.html",
            PAGE,
            '<section class="cards">\n  <!-- ... existing cards ... -->\n  <div class="card">\n'
            "    <h2>Tea</h2>\n"
            "  </div>\n</section>\n",
            "      <p>Freshly ground.</p>\n    </div>\n",
            '      <p>Freshly ground.</p>\n    </div>\n    <div class="card">\n      <h2>Tea</h2>\n'
            "    </div>\n",
            id="one more element like the others",
        ),
        pytest.param(
            "page.vue",
            PAGE,
            '<form id="order">\n  <!-- ... -->\n  <button type="submit" disabled>\n    Send it\n'
            "  </button>\n</form>\n",
            '    <button type="submit">Send</button>\n',
            '    <button type="submit" disabled>\n      Send it\n    </button>\n',
            id="an element that gets several lines",
        ),
        pytest.param(
            "a.css",
            STYLE,
            ".card {\n  padding: 20px;\n}\n",
            "padding: 12px",
            "padding: 20px",
            id="one property",
        ),
        pytest.param(
            "a.css",
            STYLE,
            "@media (max-width: 600px) {\n  /* ... existing rules ... */\n\n  .nav a {\n"
            "    margin: 4px;\n  }\n}\n",
            "    padding: 4px;\n  }\n",
            "    padding: 4px;\n  }\n\n  .nav a {\n    margin: 4px;\n  }\n",
            id="a rule at the end of others",
        ),
        pytest.param(
            "store.ex",
            MODULE,
            "defmodule Pulse.Store do\n  # ...\n\n  def mean(metric) do\n"
            "    GenServer.call(__MODULE__, {:mean, metric})\n  end\n\n  def count(metric) do\n"
            "    GenServer.call(__MODULE__, {:count, metric})\n  end\n\n  # ...\nend\n",
            "{:mean, metric})\n  end\n",
            "{:mean, metric})\n  end\n\n  def count(metric) do\n"
            "    GenServer.call(__MODULE__, {:count, metric})\n  end\n",
            id="a function next to another one of Elixir",
        ),
        pytest.param(
            "main.tf",
            MAIN,
            'resource "bucket" "uploads" {\n  # ...\n}\n\nresource "versions" "uploads" {\n'
            '  state = "on"\n}\n\n# ...\n\nresource "machine" "api" {\n  size  = var.size\n  # ...\n}\n',
            '    Stage = var.zone\n  }\n}\n\nresource "machine" "api" {\n  image = "a-1"\n'
            '  size  = "small"\n',
            '    Stage = var.zone\n  }\n}\n\nresource "versions" "uploads" {\n  state = "on"\n}\n\n'
            'resource "machine" "api" {\n  image = "a-1"\n  size  = var.size\n',
            id="blocks of Terraform, with one between them",
        ),
        pytest.param(
            "Makefile",
            RULES,
            ".PHONY: test format clean\n\n# ...\n\ntest:\n    pytest --cov\n\nformat:\n"
            "    ruff format\n\n# ...\n",
            RULES,
            ".PHONY: test format clean\n\ntest:\n\tpytest --cov\n\nformat:\n\truff format\n\n"
            "clean:\n\trm -rf build\n",
            id="rules with blanks for tabs",
        ),
        pytest.param(
            "a.sql",
            TABLES,
            "CREATE TABLE a (\n    -- ...\n    name TEXT NOT NULL,\n    made DATE\n);\n",
            "    name TEXT\n);\n\nCREATE TABLE b",
            "    name TEXT NOT NULL,\n    made DATE\n);\n\nCREATE TABLE b",
            id="columns of a table",
        ),
        pytest.param(
            "a.md",
            NOTES,
            "## Usage\n\nRun it:\n\n```bash\nmake run\n```\n\nThen look at it.\n",
            "make run\n```\n",
            "make run\n```\n\nThen look at it.\n",
            id="a paragraph of a section",
        ),
        pytest.param(
            "a.json",
            '{\n  "name": "a",\n  "scripts": {\n    "dev": "vite"\n  }\n}\n',
            '{\n  "scripts": {\n    "dev": "vite",\n    "test": "vitest"\n  }\n}\n',
            '"vite"\n',
            '"vite",\n    "test": "vitest"\n',
            id="a member with its comma",
        ),
        pytest.param(
            "a.swift",
            "class A {\n    var isOn: Bool {\n        return false\n    }\n\n    func stop() {\n"
            "        halt()\n    }\n}\n",
            "var isOn: Bool {\n    return state == 1\n}\n",
            "return false",
            "return state == 1",
            id="a member without what it is in",
        ),
        pytest.param(
            "nginx.conf",
            PROXY,
            "location /api/ {\n    proxy_pass http://api/;\n    proxy_set_header Upgrade $up;\n    ...\n}\n",
            "http://api/;\n",
            "http://api/;\n        proxy_set_header Upgrade $up;\n",
            id="an instruction about something else than those that begin as it does",
        ),
        pytest.param(
            "page.dart",
            WIDGET,
            "  return Scaffold(\n    // ...\n    body: _loading\n        ? const Spinner()\n"
            "        : Refresh(\n            child: List(items),\n          ),\n  );\n",
            "        : List(\n            items,\n          ),\n",
            "        : Refresh(\n            child: List(items),\n          ),\n",
            id="an expression over several lines",
        ),
        pytest.param(
            "page.html",
            PAGE,
            '<form id="order">\n  <!-- Send unchanged -->\n  <button type="reset">Clear</button>\n</form>\n',
            ">Send</button>\n",
            '>Send</button>\n    <button type="reset">Clear</button>\n',
            id="an element of another type next to a mark",
        ),
        pytest.param(
            "page.vue",
            "<template>\n  <p>a</p>\n</template>\n\n<style>\n.a {\n  margin: 0;\n}\n\n"
            ".b {\n  margin: 1px;\n}\n</style>\n",
            "<style>\n/* ... */\n\n.c {\n  margin: 2px;\n}\n</style>\n",
            "  margin: 1px;\n}\n",
            "  margin: 1px;\n}\n\n.c {\n  margin: 2px;\n}\n",
            id="a rule at the end of a style that is not indented",
        ),
        pytest.param(
            "a.go",
            "func f() {\n\tload()\n\tsave()\n}\n",
            "func f() {\n\tload()\n\t// Save it only once.\n\tsave()\n}\n",
            "\tsave()\n",
            "\t// Save it only once.\n\tsave()\n",
            id="a remark about what is shown below it",
        ),
        pytest.param(
            "a.py",
            'def f(c):\n    c.run(\n        "SELECT 1",\n        (2,)\n    )\n',
            'def f(c):\n    c.run(\n        "SELECT 1 "\n        "FROM a",\n        (2,),\n    )\n',
            '"SELECT 1",\n        (2,)\n',
            '"SELECT 1 "\n        "FROM a",\n        (2,),\n',
            id="a text that goes on below itself, without a comma",
        ),
    ],
)
def test_what_is_shown_changes_and_what_is_left_out_stays(
    path: str, file: str, shown: str, old: str, new: str
) -> None:
    assert file.count(old) == 1
    assert made(path, file, shown) == file.replace(old, new)


@pytest.mark.parametrize(
    ("path", "file", "shown"),
    [
        pytest.param("a.js", "let a = 1;\n", "run();\n", id="nothing of it is there"),
        pytest.param("ci.yml", WORKFLOW, "steps:\n  - run: make all\n", id="one of two places"),
        pytest.param(
            "ci.yml", WORKFLOW, "jobs:\n  # ...\n  docs:\n    runs-on: a\n  # ...\n", id="between marks"
        ),
        pytest.param("store.ex", MODULE, "  def mean(metric) do\n    if metric do\n", id="cut off"),
        pytest.param("a.sql", TABLES, TABLES, id="there already"),
        pytest.param(
            "a.py",
            "def f(a):\n    log(1)\n    load(a)\n    log(1)\n    return a\n",
            "def f(a):\n    # ...\n    log(1)\n    check()\n    # ...\n    return a\n",
            id="a line that is there twice",
        ),
    ],
)
def test_what_has_several_places_or_none_or_would_lose_something_is_not_merged(
    path: str, file: str, shown: str
) -> None:
    assert made(path, file, shown) is None


def test_every_one_of_several_places_changes_where_all_are_meant() -> None:
    shown = ["steps:", "  - uses: actions/checkout@v5"]
    result = draft(WORKFLOW.split("\n"), shown, "ci.yml", every=True)
    assert isinstance(result, Draft)
    assert "\n".join(result.lines).count("checkout@v5") == 2


def test_each_of_several_places_gets_all_that_is_shown() -> None:
    shown = ["steps:", "  - uses: actions/checkout@v5", "timeout: 5"]
    result = draft(WORKFLOW.split("\n"), shown, "ci.yml", every=True)
    assert result is not None
    text = "\n".join(result.lines)
    assert (text.count("checkout@v5"), text.count("    timeout: 5\n")) == (2, 2)


def test_one_line_with_a_tab_does_not_bring_tabs_into_what_is_indented_by_blanks() -> None:
    file = "class A {\n  // one\n\t// tab\n  void g() {\n    stop();\n  }\n}\n"
    shown = "class A {\n  // ...\n  void g() {\n    if (x) {\n      stop();\n    }\n  }\n}\n"
    result = made("a.dart", file, shown)
    assert result == file.replace("    stop();\n", "    if (x) {\n      stop();\n    }\n")


def test_a_line_that_a_file_has_twice_elsewhere_does_not_let_another_be_doubled() -> None:
    file = "[a]\nx = 1\nx = 1\n\n[b]\nload one\nload two\n"
    assert made("a.conf", file, "[b]\nload one\nload one\nload two\n") is None


def test_of_several_places_the_one_within_some_rows_is_meant() -> None:
    shown = ["steps:", "  - uses: actions/checkout@v5"]
    result = draft(WORKFLOW.split("\n"), shown, "ci.yml", [(4, 9)])
    assert result is not None
    assert "\n".join(result.lines) == WORKFLOW.replace("checkout@v4", "checkout@v5", 1)


LINES = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.sampled_from(["a = 1", "b() {", "}", "- c", "# d", "", "<e>", "</e>", "f:", "..."]),
    ),
    max_size=14,
).map(lambda rows: ["  " * depth + words if words else "" for depth, words in rows])


@given(LINES, LINES)
def test_each_line_of_a_result_is_of_the_file_or_shown(file: list[str], shown: list[str]) -> None:
    result = draft(file, shown, "a.txt")
    known = {line.strip().strip(",;") for line in (*file, *shown)}
    for line in result.lines if result is not None else ():
        words = line.strip().strip(",;")
        assert words in known or any(each.startswith(words.rstrip("{([")) for each in known)


@given(LINES)
def test_the_blocks_of_a_text_have_each_of_its_lines_once(lines: list[str]) -> None:
    root = blocks_of(lines, "a.txt")
    assert root is not None

    def rows(block: Block) -> list[int]:
        own = [*range(block.lead, block.head_end)] if block.first >= 0 else []
        inner = [row for part in block.parts for row in rows(part)]
        return own + inner + ([block.tail] if block.tail is not None else [])

    found = [row for row in rows(root) if lines[row].strip()]
    assert found == [row for row, line in enumerate(lines) if line.strip()]
