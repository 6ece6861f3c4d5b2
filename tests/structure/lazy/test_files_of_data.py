"""Shown parts of files that are no programs: rules, tables, keys, sections, statements, elements."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchpoint import apply_edits
from patchpoint.structure.lazy.definition import Unmerged, UnmergedError
from patchpoint.structure.lazy.merge import merge_shown
from patchpoint.structure.parse import Verdict, judge

CSS = """\
/* The shop. */
:root {
  --ink: #222;
}

.cart {
  color: var(--ink);
  margin: 0 auto;
}

.cart .line, .cart .sum {
  padding: 4px;
}

.foot {
  color: #888;
  top: 0;
}

@media (max-width: 600px) {
  .cart {
    margin: 0;
  }

  .menu {
    display: none;
  }
}
"""

TOML = """\
title = "shop"

[project]
name = "shop"
version = "1.0"

# What it needs.
[project.dependencies]
requests = "2"

[[tool.check]]
name = "types"

[tool.format]
width = 100
"""

YAML = """\
name: shop
on: [push]

jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: checkout
      - run: make test

  # Only on tags.
  release:
    runs-on: ubuntu-latest
    steps:
      - run: |
          make release
          name: not a key
env:
  LEVEL: "1"
"""

SQL = """\
CREATE TABLE goods (
    id integer PRIMARY KEY,
    name text NOT NULL
);

CREATE INDEX goods_name ON goods (name);

CREATE OR REPLACE FUNCTION total() RETURNS integer AS $$
BEGIN
    RETURN 0;
END;
$$ LANGUAGE plpgsql;

CREATE VIEW cheap AS
SELECT * FROM goods;
"""

JSX = """\
import React from "react";

export function Cart({ lines }) {
  const sum = lines.length;
  return (
    <section className="cart">
      <h1>Cart</h1>
      <ul>
        {lines.map((line) => (
          <li key={line.id}>{line.name}</li>
        ))}
      </ul>
      <p>{sum}</p>
    </section>
  );
}

export const Menu = () => {
  return <nav>Menu</nav>;
};
"""

MARKDOWN = """\
# Shop

Sells things to people
and to others.

## Install

Run this:

```sh
# with pip
pip install shop
```

## Usage

Call `shop.run()`.

- one
- two

### Options

    # a comment
    --fast

### Other methods

None of them.

## License

MIT
"""

HTML = """\
<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Shop</title>
    <link rel="stylesheet" href="shop.css">
  </head>
  <body>
    <header>
      <h1>Shop</h1>
      <nav>
        <a href="/">Home</a>
        <a href="/cart">Cart</a>
      </nav>
    </header>
    <main>
      <section id="cart" class="box">
        <h2>Cart</h2>
        <ul>
          <li>One</li>
          <li>Two</li>
        </ul>
        <p>Sum: 3</p>
      </section>

      <section id="orders" class="box">
        <h2>Orders</h2>
        <table id="list">
          <tr><td>1</td></tr>
          <tr><td>2</td></tr>
        </table>
      </section>
      <div class="card">
        <p>A</p>
      </div>
      <div class="card">
        <p>B</p>
      </div>
      <p id="left">Left</p><p id="right">Right</p>
    </main>
    <script>
      const cart = load();
      render(cart);
    </script>
  </body>
</html>
"""

VUE = """\
<template>
  <div class="app">
    <p>{{ name }}</p>
    <button @click="add">Add</button>
  </div>
</template>

<script setup>
import { ref } from "vue";

const count = ref(0);

function add() {
  count.value++;
}

function clear() {
  count.value = 0;
}
</script>

<style scoped>
.app {
  color: red;
}
</style>
"""

FILES = [
    ("a.md", MARKDOWN),
    ("a.css", CSS),
    ("a.toml", TOML),
    ("a.yaml", YAML),
    ("a.sql", SQL),
    ("a.jsx", JSX),
    ("a.tsx", JSX),
    ("a.html", HTML),
    ("a.vue", VUE),
]
IDS = [path for path, _ in FILES]


def merged(shown: str, file: str, path: str) -> str:
    result = merge_shown(file.splitlines(), shown.splitlines(), path)
    return "".join(f"{line}\n" for line in result.lines)


def refused(shown: str, file: str, path: str) -> Unmerged:
    with pytest.raises(UnmergedError) as caught:
        merge_shown(file.splitlines(), shown.splitlines(), path)
    return caught.value.reason


@pytest.mark.parametrize(
    ("path", "file", "shown", "old", "new"),
    [
        ("a.css", CSS, ".cart {\n  color: red;\n  margin: 0 auto;\n}\n", "var(--ink)", "red"),
        (
            "a.css",
            CSS,
            "/* ... existing rules ... */\n@media (max-width: 600px) {\n  /* ... */\n  .menu {\n"
            "    display: grid;\n  }\n}\n",
            "display: none",
            "display: grid",
        ),
        ("a.toml", TOML, "[tool.format]\nwidth = 88\n", "width = 100", "width = 88"),
        (
            "a.toml",
            TOML,
            '# ...\n[project.dependencies]\nrequests = "2"\nrich = "13"\n# ...\n',
            'requests = "2"\n',
            'requests = "2"\nrich = "13"\n',
        ),
        (
            "a.yaml",
            YAML,
            "# ...\njobs:\n  # ... existing code ...\n  release:\n    runs-on: macos\n    # ...\n# ...\n",
            "release:\n    runs-on: ubuntu-latest",
            "release:\n    runs-on: macos",
        ),
        ("a.yaml", YAML, 'env:\n  LEVEL: "2"\n', 'LEVEL: "1"', 'LEVEL: "2"'),
        (
            "a.sql",
            SQL,
            "create view cheap as\nselect * from goods where price < 9;\n",
            "CREATE VIEW cheap AS\nSELECT * FROM goods;",
            "create view cheap as\nselect * from goods where price < 9;",
        ),
        (
            "a.sql",
            SQL,
            "-- ... existing code ...\nCREATE OR REPLACE FUNCTION total() RETURNS integer AS $$\nBEGIN\n"
            "    RETURN 1;\nEND;\n$$ LANGUAGE plpgsql;\n-- ... existing code ...\n",
            "RETURN 0",
            "RETURN 1",
        ),
        (
            "a.jsx",
            JSX,
            "export function Cart({ lines }) {\n  const sum = lines.length;\n  return (\n"
            '    <section className="cart">\n      {/* ... existing code ... */}\n      </ul>\n'
            "      <p>{sum} lines</p>\n    </section>\n  );\n}\n",
            "<p>{sum}</p>",
            "<p>{sum} lines</p>",
        ),
        (
            "a.tsx",
            JSX,
            "// ...\nexport const Menu = () => {\n  return <nav>The menu</nav>;\n};\n",
            "<nav>Menu",
            "<nav>The menu",
        ),
        (
            "a.html",
            HTML,
            '<section id="cart" class="box">\n  <!-- ... existing content ... -->\n'
            "  <p>Sum: 4</p>\n</section>\n",
            "Sum: 3",
            "Sum: 4",
        ),
        (
            "a.html",
            HTML,
            '<nav>\n  <a href="/">Start</a>\n  <a href="/cart">Cart</a>\n</nav>\n',
            "Home",
            "Start",
        ),
        (
            "a.html",
            HTML,
            "<body>\n  <!-- ... header ... -->\n  <main>\n"
            '    <section id="cart" class="box">\n      <!-- ... -->\n      <p>Sum: 4</p>\n    </section>\n'
            "    <!-- ... -->\n  </main>\n  <!-- ... -->\n</body>\n",
            "Sum: 3",
            "Sum: 4",
        ),
        (
            "a.vue",
            VUE,
            "<template>\n  <!-- ... -->\n</template>\n\n<script setup>\n// ... existing code ...\n"
            "function clear() {\n  count.value = 1;\n}\n</script>\n",
            "count.value = 0",
            "count.value = 1",
        ),
    ],
)
def test_a_part_that_is_shown_replaces_the_one_of_its_name(
    path: str, file: str, shown: str, old: str, new: str
) -> None:
    assert merged(shown, file, path) == file.replace(old, new, 1)


def test_something_new_goes_next_to_what_is_shown_with_it() -> None:
    shown = "[tool.format]\nwidth = 100\n\n[tool.lint]\nall = true\n"
    assert merged(shown, TOML, "a.toml") == f"{TOML}\n[tool.lint]\nall = true\n"
    section = '<section id="cart" class="box">\n  <!-- ... -->\n</section>\n'
    section += '<section id="help">\n  Help\n</section>\n'
    new = '      </section>\n      <section id="help">\n        Help\n      </section>\n'
    assert merged(section, HTML, "a.html") == HTML.replace("      </section>\n", new, 1)


@pytest.mark.parametrize(
    ("path", "file", "shown", "reason"),
    [
        ("a.css", CSS, ".foot {\n  color: red;\n}\n", Unmerged.DELETES),
        ("a.css", CSS + "\n.cart {\n  top: 0;\n}\n", ".cart {\n  left: 0;\n}\n", Unmerged.SEVERAL),
        ("a.toml", TOML, '[project]\nversion = "1.1"\n', Unmerged.DELETES),
        ("a.toml", TOML, "[tool.lint]\nall = true\n", Unmerged.NOT_THERE),
        ("a.yaml", YAML, "jobs:\n  release:\n    runs-on: macos\n", Unmerged.LOST),
        ("a.html", HTML, '<section id="help">\n  <p>Help</p>\n</section>\n', Unmerged.NOT_THERE),
        ("a.html", HTML, '<div class="card">\n  <p>C</p>\n</div>\n', Unmerged.NO_HOME),
        ("a.html", HTML, '<nav>\n  <a href="/">Home</a>\n</nav>\n', Unmerged.DELETES),
        (
            "a.html",
            HTML,
            '<table id="list">\n  <!-- ... -->\n</table>\n<p id="left">\n  Left\n</p>\n',
            Unmerged.DOUBLED,
        ),
        ("a.sql", SQL, "CREATE TABLE goods (\n    id integer PRIMARY KEY\n);\n", Unmerged.DELETES),
        ("a.sql", SQL, f"-- ...\n);\n\n{SQL.partition(chr(10) * 2)[2]}", Unmerged.UNCLEAR),
    ],
)
def test_a_part_that_is_not_whole_is_refused(path: str, file: str, shown: str, reason: Unmerged) -> None:
    assert refused(shown, file, path) is reason


def test_a_section_of_a_document_is_known_by_its_heading_and_level() -> None:
    assert merged("## License\n\nApache\n", MARKDOWN, "a.md") == MARKDOWN.replace("MIT", "Apache")
    options = "### Options\n\n    # a comment\n    --slow\n"
    assert merged(options, MARKDOWN, "a.md") == MARKDOWN.replace("--fast", "--slow")
    assert refused("# License\n\nApache\n", MARKDOWN, "a.md") is Unmerged.NOT_THERE
    assert refused("## Usage\n\nCall it.\n\n- one\n- two\n", MARKDOWN, "a.md") is Unmerged.LOST
    assert refused("## License\n", MARKDOWN, "a.md") is Unmerged.UNCLEAR


def test_a_heading_or_an_item_with_the_words_of_a_mark_is_none() -> None:
    methods = "### Other methods\n\nOne of them.\n"
    assert merged(methods, MARKDOWN, "a.md") == MARKDOWN.replace("None of them.", "One of them.")
    marked = "## Install\n\n<!-- ... existing text ... -->\n\n## License\n\nApache\n"
    assert refused(marked, MARKDOWN, "a.md") is not None
    between = "# Shop\n\n<!-- ... -->\n\n## License\n\nApache\n"
    assert merged(between, MARKDOWN, "a.md") == MARKDOWN.replace("MIT", "Apache")


def test_code_of_another_language_is_no_section_of_a_document() -> None:
    answer = "Change it, see `a.md`:\n\n```python\n## License\nimport shop\n```\n\nDone.\n"
    assert apply_edits({"a.md": MARKDOWN}, answer).files["a.md"] == MARKDOWN


@pytest.mark.parametrize(("path", "file"), FILES, ids=IDS)
def test_a_file_merged_with_itself_is_the_same(path: str, file: str) -> None:
    assert merged(file, file, path) == file


def test_a_fence_that_names_its_file_counts() -> None:
    answer = 'Change `env` in `ci.yaml`:\n\n```yaml\nenv:\n  LEVEL: "2"\n```\n'
    assert apply_edits({"ci.yaml": YAML}, answer).files["ci.yaml"] == YAML.replace('"1"', '"2"')


@pytest.mark.parametrize(("path", "file"), FILES, ids=IDS)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_a_mark_in_place_of_any_lines_loses_nothing(path: str, file: str, data: st.DataObject) -> None:
    lines = file.splitlines()
    start = data.draw(st.integers(0, len(lines) - 1))
    end = data.draw(st.integers(start + 1, len(lines)))
    signs = {"css": "/* ... */", "sql": "-- ...", **dict.fromkeys(("md", "html", "vue"), "<!-- ... -->")}
    mark = signs.get(path.rpartition(".")[2], "# ..." if path.endswith(("ml",)) else "// ...")
    depth = data.draw(st.sampled_from(["", "  ", "    "]))
    try:
        result = merge_shown(lines, [*lines[:start], depth + mark, *lines[end:]], path)
    except UnmergedError:
        return
    text = "".join(f"{line}\n" for line in result.lines)
    assert text == file or judge(path, text).verdict is Verdict.BROKEN


@pytest.mark.parametrize(("path", "file"), FILES[:3], ids=IDS[:3])
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_lines_of_settings_are_never_deleted(path: str, file: str, data: st.DataObject) -> None:
    lines = file.splitlines()
    cuts = [
        (start, end)
        for start in range(1, len(lines))
        for end in range(start + 1, len(lines) + 1)
        if any(line.strip() for line in lines[start:end]) and not set("".join(lines[start:end])) & set("[]{}")
    ]
    start, end = data.draw(st.sampled_from(cuts))
    try:
        result = merge_shown(lines, [*lines[:start], *lines[end:]], path)
    except UnmergedError:
        return
    assert [line for line in result.lines if line.strip()] == [line for line in lines if line.strip()]
