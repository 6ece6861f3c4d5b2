"""Code that shows only some definitions, merged into its file by their names."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchpoint import apply_edits
from patchpoint.structure.lazy.definition import Unmerged, UnmergedError
from patchpoint.structure.lazy.merge import merge_shown
from tests.sampling import tries

SHOP = '''\
"""A shop."""

import json
import sys

LIMIT = 10


def load(path):
    """Return the goods in a file."""
    with open(path) as file:
        return json.load(file)


class Cart:
    """What somebody wants to buy."""

    currency = "EUR"

    def __init__(self, items):
        self.items = items

    @property
    def count(self):
        return len(self.items)

    @count.setter
    def count(self, value):
        raise TypeError(value)

    # Taxes are not in it.
    def total(self):
        total = 0
        for item in self.items:
            total += item.price
        return total

    def clear(self):
        self.items = []


class Shelf:
    def __init__(self, goods):
        self.goods = goods

    def clear(self):
        self.goods.clear()


def main():
    cart = Cart(load(sys.argv[1]))
    print(cart.total())
'''


def merged(shown: str, file: str = SHOP, path: str = "shop.py") -> str:
    result = merge_shown(file.splitlines(), shown.splitlines(), path)
    return "".join(f"{line}\n" for line in result.lines)


def refused(shown: str, file: str = SHOP, path: str = "shop.py") -> Unmerged:
    with pytest.raises(UnmergedError) as caught:
        merge_shown(file.splitlines(), shown.splitlines(), path)
    return caught.value.reason


def test_a_function_replaces_the_one_of_its_name() -> None:
    shown = "def main():\n    print(Cart(load(sys.argv[1])).total())\n"
    assert merged(shown) == SHOP[: SHOP.index("def main")] + shown


def test_a_method_without_its_class_is_brought_to_its_depth() -> None:
    shown = "def total(self):\n    return sum(item.price for item in self.items)\n"
    start, end = SHOP.index("    def total"), SHOP.index("    def clear")
    want = SHOP[:start] + "".join(f"    {line}\n" for line in shown.splitlines()) + "\n" + SHOP[end:]
    assert merged(shown) == want
    assert "# Taxes are not in it.\n    def total" in merged(shown)


def test_a_head_without_its_indentation_does_not_move_its_body() -> None:
    shown = "def total(self):\n        return sum(item.price for item in self.items)\n"
    answer = f"**shop.py**\n\n```\n{shown}```\n"
    assert apply_edits({"shop.py": SHOP}, answer).files["shop.py"] == SHOP
    made = apply_edits({"shop.py": SHOP}, answer, accept="all").files["shop.py"]
    assert made is not None
    assert "    def total(self):\n        return sum(" in made


def test_methods_within_their_class_and_marks_for_the_rest() -> None:
    shown = """\
class Cart:
    # ... existing code ...

    def total(self):
        return sum(item.price for item in self.items)

    # ... existing code ...
"""
    start, end = SHOP.index("        total = 0"), SHOP.index("    def clear")
    assert merged(shown) == (
        SHOP[:start] + "        return sum(item.price for item in self.items)\n\n" + SHOP[end:]
    )


def test_something_new_goes_next_to_its_neighbour() -> None:
    shown = """\
# ...
def load(path):
    \"\"\"Return the goods in a file.\"\"\"
    with open(path) as file:
        return json.load(file)


def save(path, goods):
    with open(path, "w") as file:
        json.dump(goods, file)
# ...
"""
    at = SHOP.index("class Cart")
    new = '\ndef save(path, goods):\n    with open(path, "w") as file:\n        json.dump(goods, file)\n\n\n'
    assert merged(shown) == SHOP[: at - 1] + new + SHOP[at:]


def test_a_new_method_next_to_a_mark_alone_may_go_anywhere() -> None:
    new = "    def sort(self):\n        self.items.sort()\n"
    mark = "    # ... existing code ...\n"
    assert refused(f"class Cart:\n{mark}\n{new}") is Unmerged.PLACE
    assert refused(f"class Cart:\n{new}\n{mark}") is Unmerged.PLACE
    assert refused(f'class Cart:\n    currency = "EUR"\n\n{new}\n{mark}') is Unmerged.PLACE
    clear = "    def clear(self):\n        self.items = []\n"
    assert f"{clear}\n{new}" in merged(f"class Cart:\n{mark}\n{clear}\n{new}")


def test_imports_and_constants_are_aligned_around_the_marks() -> None:
    shown = """\
import json
import os
import sys

LIMIT = 20

# ... rest of the code ...

def main():
    os.chdir("/")
"""
    after = merged(shown)
    assert (
        after
        == SHOP.replace("import sys\n", "import os\nimport sys\n", 1).replace("10", "20")[
            : len(SHOP) + len("import os\n") - len(SHOP[SHOP.index("    cart =") :])
        ]
        + '    os.chdir("/")\n'
    )


def test_marks_within_a_function_keep_what_they_cover() -> None:
    shown = """\
    def total(self):
        total = 0.0
        # ... existing code ...
        return round(total, 2)
"""
    assert merged(shown) == SHOP.replace("total = 0\n", "total = 0.0\n").replace(
        "return total\n", "return round(total, 2)\n"
    )


def test_a_fragment_goes_to_the_function_that_has_its_lines() -> None:
    shown = "with open(path, encoding='utf-8') as file:\n    return json.load(file)\n"
    assert refused(shown) is Unmerged.NO_HOME
    shown = '"""Return the goods in a file."""\nprint(path)\nwith open(path) as file:\n    # ...\n'
    assert "    print(path)\n    with open(path) as file:\n        return json.load(file)\n" in merged(shown)


def test_accessors_are_known_by_their_decorators() -> None:
    setter = "    @count.setter\n    def count(self, value):\n        del value\n"
    shown = f"class Cart:\n    # ...\n{setter}    # ...\n"
    assert merged(shown) == SHOP.replace("raise TypeError(value)", "del value")


def test_nothing_changes_where_the_file_has_it_already() -> None:
    assert merged(SHOP) == SHOP
    assert merged(SHOP[SHOP.index("class Shelf") :]) == SHOP
    assert merged("class Cart:\n    # ...\n\n    def clear(self):\n        self.items = []\n\n") == SHOP


@pytest.mark.parametrize(
    ("shown", "reason"),
    [
        ("def sell():\n    pass\n", Unmerged.NOT_THERE),
        ("def clear(self):\n    pass\n", Unmerged.SEVERAL),
        ("class Cart:\n    def total(self):\n        return 0\n", Unmerged.LOST),
        ("def load(path):\n    return path\n\n\ndef main():\n    load('')\n", Unmerged.LOST),
        ("# ...\ndef main():\n    pass\n# ...\ndef load(path):\n    pass\n", Unmerged.OTHER_ORDER),
        ("# ...\n\ndef sell():\n    pass\n\n# ...\n\ndef main():\n    pass\n", Unmerged.PLACE),
        ("class Cart:\n    # ...\n    def total(self:\n        return 0\n    # ...\n", Unmerged.BROKEN),
        ("# ... existing code ...\n", Unmerged.NOTHING),
        ("print('hello')\nprint('world')\n", Unmerged.NO_HOME),
        ("def total(self):\n    log()\n    send()\n    stop()\n    wait()\n    end()\n", Unmerged.UNLIKE),
    ],
)
def test_what_would_be_a_guess_is_refused(shown: str, reason: Unmerged) -> None:
    assert refused(shown) is reason


def test_lines_that_are_in_what_a_mark_covers_are_not_written_a_second_time() -> None:
    shown = (
        "def load(path):\n    # ...\n    with open(path) as file:\n    # ...\n    return json.load(file)\n"
    )
    answer = f"**shop.py**\n\n```python\n{shown}```\n"
    assert apply_edits({"shop.py": SHOP}, answer).files == {"shop.py": SHOP}
    assert refused("# ...\n\nimport sys\n\n\ndef main():\n    pass\n") is Unmerged.UNCLEAR


def test_many_lines_that_are_only_missing_from_a_function_may_have_been_left_out() -> None:
    file = "def run():\n" + "".join(f"    step_{n}()\n" for n in range(9)) + "    return 0\n"
    assert refused("def run():\n    step_0()\n    return 1\n", file) is Unmerged.DELETES
    shown = "def run():\n    for n in range(9):\n        step(n)\n    return 0\n"
    assert merged(shown, file) == shown


def test_something_new_next_to_no_definition_is_refused() -> None:
    shown = "import json\nimport sys\n\n\ndef sell():\n    pass\n"
    assert refused(shown) is Unmerged.PLACE


def test_blank_lines_that_the_answer_dropped_stay() -> None:
    shown = "\n".join(line for line in SHOP.split("\n") if line.strip()) + "\n"
    assert merged(shown) == SHOP
    file = "def run():\n    one()\n\n    two()\n    three()\n"
    assert merged("def run():\n    one()\n    two()\n    tree()\n", file) == file.replace("three", "tree")


def test_an_unknown_language_is_refused() -> None:
    assert refused("a\nb\n", "a\nb\nc\n", "notes.txt") is Unmerged.LANGUAGE


GO = """\
package shop

import "fmt"

type Cart struct {
	items []Item
}

func (c *Cart) Total() int {
	total := 0
	for _, item := range c.items {
		total += item.Price
	}
	return total
}

func (s *Shelf) Total() int {
	return len(s.goods)
}

func main() {
	fmt.Println("shop")
}
"""
JAVA = """\
package shop;

/** What somebody wants to buy. */
public class Cart {
    private final List<Item> items = new ArrayList<>();

    @Override
    public String toString() {
        return "Cart";
    }

    int total(int rate) {
        return total() * rate;
    }

    int total() {
        int total = 0;
        for (Item item : items) {
            total += item.price;
        }
        return total;
    }
}
"""
JAVASCRIPT = """\
const fs = require('fs');

function load(path) {
  return JSON.parse(fs.readFileSync(path));
}

class Cart {
  constructor(items) {
    this.items = items;
  }

  total() {
    return this.items.length;
  }
}

exports.load = function (path) {
  return load(path);
};

describe('Cart', () => {
  it('is empty', () => {
    expect(new Cart([]).total()).toBe(0);
  });

  it('counts', () => {
    expect(new Cart([1]).total()).toBe(1);
  });
});
"""
RUBY = """\
require 'json'

module Shop
  # What somebody wants to buy.
  class Cart
    attr_reader :items

    def initialize(items)
      @items = items
    end

    def total
      items.sum(&:price)
    end

    def self.empty
      new([])
    end
  end
end
"""
RUST = """\
use std::fmt;

#[derive(Debug)]
pub struct Cart {
    items: Vec<u32>,
}

impl Cart {
    pub fn new() -> Self {
        Cart { items: vec![] }
    }

    #[inline]
    pub fn total(&self) -> u32 {
        self.items.iter().sum()
    }
}

impl fmt::Display for Cart {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "cart")
    }
}
"""
TYPESCRIPT = """\
export interface Item {
  price: number;
}

export const add = (a: number, b: number): number => {
  return a + b;
};

export class Cart {
  constructor(private items: Item[]) {}

  total(): number {
    return this.items.map((item) => item.price).reduce(add, 0);
  }
}
"""
CPP = """\
#include <vector>

namespace shop {

class Cart {
 public:
  int total() const {
    return 0;
  }

  void clear() {
    items.clear();
  }
};

int count(const Cart& cart) {
  return cart.total();
}

}  // namespace shop
"""


@pytest.mark.parametrize(
    ("path", "file", "shown", "old", "new"),
    [
        ("a.go", GO, "func (c *Cart) Total() int {\n\treturn sum(c.items...)\n}\n", "", ""),
        ("a.go", GO, "// ...\n\nfunc main() {\n\tfmt.Println(1)\n}\n", '"shop"', "1"),
        ("Cart.java", JAVA, 'public String toString() {\n    return "cart";\n}\n', '"Cart"', '"cart"'),
        ("Cart.java", JAVA, "int total(int rate) {\n    return 0;\n}\n", "total() * rate", "0"),
        (
            "Cart.java",
            JAVA,
            "public class Cart {\n    // ... existing code ...\n\n    int total() {\n        int total = 1;\n"
            "        // ...\n        return total;\n    }\n}\n",
            "total = 0",
            "total = 1",
        ),
        (
            "a.js",
            JAVASCRIPT,
            "function load(path) {\n  return path;\n}\n",
            "JSON.parse(fs.readFileSync(path))",
            "path",
        ),
        ("a.js", JAVASCRIPT, "total() {\n  return 1;\n}\n", "this.items.length", "1"),
        (
            "a.js",
            JAVASCRIPT,
            "exports.load = function (path) {\n  return 0;\n};\n",
            "return load(path)",
            "return 0",
        ),
        (
            "a.js",
            JAVASCRIPT,
            "  it('counts', () => {\n    expect(new Cart([2]).total()).toBe(1);\n  });\n",
            "[1]",
            "[2]",
        ),
        ("a.rb", RUBY, "def total\n  items.sum(&:cost)\nend\n", "price", "cost"),
        (
            "a.rb",
            RUBY,
            "module Shop\n  class Cart\n    # ...\n    def self.empty\n      new(nil)\n    end\n  end\nend\n",
            "new([])",
            "new(nil)",
        ),
        ("a.rs", RUST, "pub fn total(&self) -> u32 {\n    7\n}\n", "self.items.iter().sum()", "7"),
        (
            "a.rs",
            RUST,
            "impl Cart {\n    // ...\n\n    pub fn total(&self) -> u32 {\n        7\n    }\n}\n",
            "self.items.iter().sum()",
            "7",
        ),
        (
            "a.ts",
            TYPESCRIPT,
            "total(): number {\n  return 1;\n}\n",
            "this.items.map((item) => item.price).reduce(add, 0)",
            "1",
        ),
        (
            "a.ts",
            TYPESCRIPT,
            "export const add = (a: number, b: number): number => {\n  return b + a;\n};\n",
            "a + b",
            "b + a",
        ),
        ("a.cpp", CPP, "void clear() {\n  items = {};\n}\n", "items.clear()", "items = {}"),
        (
            "a.cpp",
            CPP,
            "int count(const Cart& cart) {\n  return cart.total() + 0;\n}\n",
            "return cart.total()",
            "return cart.total() + 0",
        ),
    ],
)
def test_each_language(path: str, file: str, shown: str, old: str, new: str) -> None:
    want = file.replace(old, new, 1) if old else ""
    after = merged(shown, file, path)
    if want:
        assert after == want
    else:
        start, end = file.index("func (c *Cart)"), file.index("func (s *Shelf)")
        assert after == file[:start] + shown + "\n" + file[end:]


FILES = [
    ("shop.py", SHOP),
    ("a.go", GO),
    ("Cart.java", JAVA),
    ("a.js", JAVASCRIPT),
    ("a.rb", RUBY),
    ("a.rs", RUST),
    ("a.ts", TYPESCRIPT),
    ("a.cpp", CPP),
]


@pytest.mark.parametrize(("path", "file"), FILES, ids=[path for path, _ in FILES])
def test_a_file_merged_with_itself_is_the_same(path: str, file: str) -> None:
    assert merged(file, file, path) == file


@pytest.mark.parametrize(("path", "file"), FILES, ids=[path for path, _ in FILES])
@settings(max_examples=tries(40))
@given(data=st.data())
def test_marks_in_place_of_any_lines_lose_nothing(path: str, file: str, data: st.DataObject) -> None:
    lines = file.splitlines()
    start = data.draw(st.integers(0, len(lines) - 1))
    end = data.draw(st.integers(start, len(lines)))
    sign = "#" if path.endswith((".py", ".rb")) else "//"
    shown = [*lines[:start], f"{sign} ... existing code ...", *lines[end:]]
    try:
        after = merge_shown(lines, shown, path)
    except UnmergedError:
        return
    assert list(after.lines) == lines


@pytest.mark.parametrize(("path", "file"), FILES, ids=[path for path, _ in FILES])
@settings(max_examples=tries(40))
@given(data=st.data())
def test_what_no_shown_definition_replaces_is_in_the_result(
    path: str, file: str, data: st.DataObject
) -> None:
    lines = file.splitlines()
    start = data.draw(st.integers(0, len(lines) - 1))
    end = data.draw(st.integers(start + 1, len(lines)))
    shown = lines[start:end]
    try:
        after = merge_shown(lines, shown, path)
    except UnmergedError:
        return
    covered = {row for each in after.replaced for row in range(each.start, each.end)}
    kept = [line for row, line in enumerate(lines) if row not in covered and line.strip()]
    left = iter(after.lines)
    assert all(line in left for line in kept)


PIECES = [
    *(
        "def total(self):",
        "    return 1",
        "class Cart:",
        "    def clear(self):",
        "        pass",
        "# ...",
        "...",
        "",
    ),
    *(
        "    # ... existing code ...",
        '"""',
        "import json",
        "LIMIT = 1",
        "\tx",
        "@property",
        "end",
        "}",
        "{",
        "(",
    ),
    *("func main() {", "int total() {", "it('counts', () => {", "def self.empty", "impl Cart {", "\0", "é🙂"),
]


@settings(deadline=None)
@given(
    shown=st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=14),
    which=st.sampled_from(FILES),
)
def test_no_text_makes_it_raise_anything_else(shown: list[str], which: tuple[str, str]) -> None:
    path, file = which
    lines = [line for text in shown for line in text.split("\n")]
    try:
        merge_shown(file.splitlines(), lines, path)
        merge_shown(lines, file.splitlines(), path)
    except UnmergedError:
        pass


def test_a_method_of_php_is_shown_without_an_opening_tag() -> None:
    file = ["<?php", "class A {", "    function b() {", "        return 1;", "    }", "}"]
    shown = ["function b() {", "    return 2;", "}"]
    merged = merge_shown(file, shown, "a.php")
    assert merged.lines == (*file[:3], "        return 2;", *file[4:])


def test_a_function_of_php_is_shown_without_an_opening_tag() -> None:
    file = ["<?php", "function a() {", "    return 1;", "}", "", "function b() {", "    return 1;", "}"]
    shown = ["function b() {", "    return 2;", "}"]
    assert merge_shown(file, shown, "a.php").lines == (*file[:6], "    return 2;", "}")


def test_a_method_within_a_namespace_of_php_is_found() -> None:
    file = [
        "<?php",
        "namespace a {",
        "  class A {",
        "    function b() {",
        "      return 1;",
        "    }",
        "  }",
        "}",
    ]
    merged = merge_shown(file, ["function b() {", "  return 2;", "}"], "a.php")
    assert merged.lines == (*file[:4], "      return 2;", *file[5:])


def test_what_is_indented_as_deep_as_in_the_file_is_moved_as_a_whole() -> None:
    file = ["help:", "  usage: |", "      Run it.", "      Then read.", "", "name: a"]
    shown = ["usage: |", "    Run it.", "    Then write."]
    merged = merge_shown(file, shown, "a.yaml")
    assert merged.lines == (*file[:3], "      Then write.", *file[4:])


EFFECT = """\
export function useTasks() {
  const [tasks, setTasks] = useState([]);

  useEffect(() => {
    fetchTasks().then((loaded) => {
      setTasks(loaded);
    });
  });

  const add = (title) => {
    setTasks([...tasks, title]);
  };
  return { tasks, add };
}
"""
LIST = """\
export const List = ({ tasks, remove }) => (
  <section>
    <ul>
      {tasks.map((task) => (
        <Item task={task} onRemove={remove} />
      ))}
    </ul>
  </section>
);
"""


@pytest.mark.parametrize(
    ("file", "shown", "after"),
    [
        (
            EFFECT,
            "useEffect(() => {\n  fetchTasks().then((loaded) => {\n    setTasks(loaded);\n  });\n}, []);\n",
            EFFECT.replace("    });\n  });", "    });\n  }, []);"),
        ),
        (
            LIST,
            "{tasks.map((task) => (\n  <Item key={task.id} task={task} onRemove={remove} />\n))}\n",
            LIST.replace("<Item task", "<Item key={task.id} task"),
        ),
    ],
)
def test_the_end_of_a_statement_and_an_element_with_another_attribute_are_changed(
    file: str, shown: str, after: str
) -> None:
    merged = merge_shown(file.splitlines(), shown.splitlines(), "useTasks.tsx")
    assert list(merged.lines) == after.splitlines()
