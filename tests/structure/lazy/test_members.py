"""Members of classes and blocks that have no name of their own, and functions of the shell."""

from __future__ import annotations

import pytest

from patchpoint.structure.lazy.definition import Unmerged, UnmergedError
from patchpoint.structure.lazy.merge import merge_shown

SPEC = """\
RSpec.describe Shop::Store do
  let(:store) do
    log "store"
    Shop::Store.new(10)
  end

  context "when full" do
    it "raises" do
      store.add(4)
      expect { store.add(5) }.to raise_error
    end
  end
end
"""
KOTLIN = """\
class Store(private val limit: Int) {
    init {
        println(limit)
        require(limit > 0)
    }

    fun size(): Int {
        return limit
    }
}
"""
SWIFT = """\
final class Store {
    subscript(name: String) -> Item? {
        print(name)
        return items[name]
    }

    deinit {
        print("gone")
        items.removeAll()
    }
}
"""
SHARP = """\
class Store
{
    public Item this[string name]
    {
        get { return items[name]; }
    }

    public Store()
    {
        Log("made");
        items.Clear();
    }

    ~Store()
    {
        Log("gone");
        items.Clear();
    }
}
"""
SHELL = """\
#!/bin/bash
usage() {
  echo "usage: store"
  exit 1
}

function add {
  local name=$1
  echo "$name" >> items
}
"""


@pytest.mark.parametrize(
    ("path", "file", "head", "old", "new"),
    [
        ("store_spec.rb", SPEC, '    it "raises"', "store.add(4)", "store.add(3)"),
        ("store_spec.rb", SPEC, "  let(:store)", "new(10)", "new(20)"),
        ("Store.kt", KOTLIN, "    init", "limit > 0", "limit > 1"),
        ("Store.swift", SWIFT, "    subscript", "print(name)", "log(name)"),
        ("Store.swift", SWIFT, "    deinit", '"gone"', '"over"'),
        ("Store.cs", SHARP, "    public Item this", "items[name]", "items[name].Copy()"),
        ("Store.cs", SHARP, "    ~Store", '"gone"', '"over"'),
        ("store.sh", SHELL, "usage()", "exit 1", "exit 2"),
        ("store.sh", SHELL, "function add", "local name=$1", "local name=${1:?}"),
    ],
)
@pytest.mark.parametrize("is_dedented", [False, True])
def test_a_member_that_is_shown_alone_is_found(
    path: str, file: str, head: str, old: str, new: str, *, is_dedented: bool
) -> None:
    want = file.replace(old, new)
    lines = want.splitlines()
    depth = len(head) - len(head.lstrip())
    first = next(row for row, line in enumerate(lines) if line.startswith(head))
    last = next(row for row in range(first + 1, len(lines)) if lines[row].strip(" ") in ("}", "end"))
    last = next(row for row in range(last, len(lines)) if len(lines[row]) - len(lines[row].lstrip()) == depth)
    shown = [line[depth * is_dedented :] for line in lines[first : last + 1]]
    assert "".join(f"{line}\n" for line in merge_shown(file.splitlines(), shown, path).lines) == want


def test_documentation_above_a_head_among_lines_is_not_left_out_in_passing() -> None:
    file = (
        "with lock:\n    import fast\n    fast = None\n    log('slow')\n\n"
        "    # Packs the data.\n    @cached\n    def pack(data):\n        return bytes(data)\n\n"
        "    ready = True\n"
    )
    shown = (
        "with lock:\n    import faster\n    fast = None\n    log('slow')\n\n"
        "    def pack(data):\n        return bytes(data)\n\n    ready = True\n"
    )
    with pytest.raises(UnmergedError) as caught:
        merge_shown(file.splitlines(), shown.splitlines(), "pack.py")
    assert caught.value.reason is Unmerged.DELETES


def test_an_annotation_with_arguments_belongs_to_the_class_below_it() -> None:
    file = "val limit = 1\n\n/** A shop. */\n@RequiresApi(31)\n" + KOTLIN.replace("class", "internal class")
    shown = (
        "val limit = 1\n\ninternal class Store(private val limit: Int) {\n    // ... existing code ...\n\n"
        "    fun size(): Int {\n        return limit + 1\n    }\n}\n"
    )
    want = file.replace("return limit", "return limit + 1").splitlines()
    assert list(merge_shown(file.splitlines(), shown.splitlines(), "Store.kt").lines) == want


def test_a_comment_below_a_decorator_does_not_replace_the_documentation_above_it() -> None:
    file = (
        "interface Pack {\n  /**\n   * Gives it.\n   */\n  @Nullable\n"
        "  default Item get() {\n    return null;\n  }\n}\n"
    )
    shown = "@Nullable\n// There may be none.\ndefault Item get() {\n  return null;\n}\n"
    want = file.replace("@Nullable\n", "@Nullable\n  // There may be none.\n").splitlines()
    assert list(merge_shown(file.splitlines(), shown.splitlines(), "Pack.java").lines) == want


@pytest.mark.parametrize(
    ("path", "file", "shown"),
    [
        (
            "enqueue.php",
            "<?php\nif ( ! function_exists( 'load' ) ) {\n\tfunction load() {\n\t\t$x = 1;\n"
            "\t\treturn $x;\n\t}\n}\n",
            "function load() {\n\t$x = 1;\n\treturn $x + 1;\n}",
        ),
        (
            "cart.php",
            "<?php\nif ( ! class_exists( 'Cart' ) ) :\n\tclass Cart {\n\t\tfunction load() {\n\t\t\t$x = 1;\n"
            "\t\t\treturn $x;\n\t\t}\n\t}\nendif;\n",
            "class Cart {\n\tfunction load() {\n\t\t$x = 1;\n\t\treturn $x + 1;\n\t}\n}",
        ),
        (
            "load.py",
            "try:\n    from fast import load\nexcept ImportError:\n    def load(a):\n        x = a\n"
            "        return x\n",
            "def load(a):\n    x = a\n    return x + 1",
        ),
        (
            "load.rb",
            "unless defined?(load)\n  def load(a)\n    x = a\n    return x\n  end\nend\n",
            "def load(a)\n  x = a\n  return x + 1\nend",
        ),
        (
            "load.sh",
            'if test -z "$FAST"; then\n\tload() {\n\t\tx=$1\n\t\treturn x\n\t}\nfi\n',
            "load() {\n\tx=$1\n\treturn x + 1\n}",
        ),
    ],
)
def test_what_is_defined_under_a_condition_is_replaced_at_its_own_depth(
    path: str, file: str, shown: str
) -> None:
    what = "$x" if path.endswith(".php") else "x"
    merged = merge_shown(file.split("\n"), shown.split("\n"), path)
    assert "\n".join(merged.lines) == file.replace(f"return {what}", f"return {what} + 1")


def test_of_two_that_conditions_choose_between_neither_is_taken() -> None:
    one = "    def load(a):\n        x = a\n        return x\n"
    file = f"if new:\n{one}else:\n{one}"
    with pytest.raises(UnmergedError) as caught:
        merge_shown(file.split("\n"), ["def load(a):", "    x = a", "    return x + 1"], "load.py")
    assert caught.value.reason is Unmerged.SEVERAL


def test_a_name_that_a_file_gives_in_a_way_that_is_not_read_is_not_given_again() -> None:
    file = ["switch (kind) {", "  case 1:", "    function load(a) {", "      return a;", "    }", "}", ""]
    file += ["function other() {", "  return 1;", "}"]
    shown = ["function other() {", "  return 1;", "}", "", "function load(a) {", "  return a + 1;", "}"]
    with pytest.raises(UnmergedError):
        merge_shown(file, shown, "load.js")


def test_methods_that_read_as_statements_by_themselves_are_methods() -> None:
    mark = "// ...existing code...\n"
    first = "    public int Size()\n    {\n        return 1;\n    }\n"
    second = first.replace("Size()", "Count(\n        string name)")
    file = f"{SHARP.removesuffix(f'}}{chr(10)}')}\n{first}\n{second}}}\n"
    shown = f"{mark}{first}{mark}{second}{mark}".replace("return 1", "return 2")
    merged = merge_shown(file.splitlines(), shown.splitlines(), "Store.cs")
    assert list(merged.lines) == file.replace("return 1;", "return 2;").splitlines()


OF_CLASS = "class A:\n    limit = 3\n\n    def save(self, row):\n        return self.put(helper(row))\n"
GUARDED = "if FAST:\n    def save(self, row):\n        return self.put(helper(row))\n"


@pytest.mark.parametrize("below", [OF_CLASS, GUARDED])
def test_a_member_shown_below_a_function_is_not_written_into_it(below: str) -> None:
    file = f"def helper(x):\n    check(x)\n\n\n{below}"
    shown = (
        "def helper(x):\n    check(x + 1)\n\n    def save(self, row):\n        log(row)\n        return row\n"
    )
    with pytest.raises(UnmergedError) as caught:
        merge_shown(file.split("\n"), shown.split("\n"), "a.py")
    assert caught.value.reason is Unmerged.DOUBLED
    other = shown.replace("(self, row)", "(row)")
    merged = merge_shown(file.split("\n"), other.split("\n"), "a.py")
    assert "\n".join(merged.lines) == other + file.partition("check(x)\n")[2]
