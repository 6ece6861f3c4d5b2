"""New fields of a class, and what is in a namespace, shown without marks for what is left out."""

from __future__ import annotations

import pytest

from patchpoint import Status, apply_edits

JAVA = """\
class Cart {
    private int total = 0;

    void clear() {
        total = 0;
    }

    int rate() {
        return 19;
    }
}
"""
CSHARP = """\
namespace Shop
{
    public enum State { Open, Closed }

    public class Cart
    {
        public int Rate()
        {
            return 19;
        }

        public void Clear()
        {
        }
    }

    public class Other
    {
    }
}
"""
CODE_OF_C = """\
#include <stdio.h>

#define LOW 1

int f(int x)
{
    return x;
}

int g(int x)
{
    return LOW;
}
"""


def answer(path: str, code: str) -> str:
    return f"{path}\n```\n{code}```\n"


@pytest.mark.parametrize("mark", ["", "\n    // ... existing code ...\n"])
def test_a_new_field_goes_below_those_of_its_class(mark: str) -> None:
    code = "class Cart {\n    private int most = 9;\n" + mark
    code += "\n    int rate() {\n        return most;\n    }\n}\n"
    after = apply_edits({"Cart.java": JAVA}, answer("Cart.java", code), accept="all").files["Cart.java"] or ""
    assert after.count("    private int most = 9;\n") == 1
    left = after.replace("    private int most = 9;\n", "").replace("return most", "return 19")
    assert left.split() == JAVA.split()
    assert after.index("most = 9") < after.index("void clear")


def test_a_class_is_merged_in_its_namespace_without_what_else_is_there() -> None:
    code = (
        "namespace Shop\n{\n    public class Cart\n    {\n        // ...\n\n"
        "        public int Rate()\n        {\n"
        "            return 21;\n        }\n\n        // ...\n    }\n}\n"
    )
    report = apply_edits({"Cart.cs": CSHARP}, answer("Cart.cs", code))
    assert report.files["Cart.cs"] == CSHARP.replace("19", "21")


@pytest.mark.parametrize("new", ["#include <math.h>", "#define HIGH 2", "/* No more. */\n#define HIGH 2"])
def test_what_is_new_above_a_function_of_c_is_proposed_and_nothing_lost(new: str) -> None:
    code = f"{new}\n\nint f(int x)\n{{\n    return x + 1;\n}}\n"
    asked = answer("m.c", code)
    assert [one.status for one in apply_edits({"m.c": CODE_OF_C}, asked).outcomes] == [Status.PROPOSED]
    after = apply_edits({"m.c": CODE_OF_C}, asked, accept="all").files["m.c"] or ""
    assert new in after
    left = after.replace(new, "").replace("x + 1", "x").split("\n")
    assert [line for line in left if line] == [line for line in CODE_OF_C.split("\n") if line]
