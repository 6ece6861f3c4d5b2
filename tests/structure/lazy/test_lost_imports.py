"""An import that the rest of a file needs is not lost to one that is shown in its place."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

GIVES_WAY = (
    "import a from 'a';\n\nexport function f(x) {\n  return a(x);\n}\n\n"
    "export function g(x) {\n  return x;\n}\n"
)
IN_BRACES = (
    "import {\n  a,\n  b,\n} from 'm';\n\nexport function f(x) {\n  return a(x);\n}\n\n"
    "export function g(x) {\n  return b(x);\n}\n"
)
UNDER_A_CONDITION = (
    "import os\n\ntry:\n    import json\nexcept ImportError:\n    json = None\n\n\n"
    "def f(x):\n    return x\n\n\ndef g(x):\n    return json.dumps(os.getcwd())\n"
)


def answer(path: str, code: str) -> str:
    return f"{path}\n```\n{code}```\n"


def python(old: str, new: str, f: str, g: str) -> tuple[str, str, str, str, str]:
    file = f"{old}\n\n\ndef f(x):\n    return x\n\n\ndef g(x):\n    return {g}\n"
    shown = f"{new}\n\n\ndef f(x):\n    return {f}\n"
    return "m.py", file, shown, old, new


def braces(
    path: str, old: str, new: str, f: str, g: str, heads: tuple[str, str] = ("f", "g")
) -> tuple[str, ...]:
    one, two = heads
    file = f"{old}\n\n{one} {{\n  return x;\n}}\n\n{two} {{\n  return {g};\n}}\n"
    shown = f"{new}\n\n{one} {{\n  return {f};\n}}\n"
    return path, file, shown, old, new


SCRIPT_HEADS = ("export function f(x)", "export function g(x)")
C_HEADS = ("int f(int x)", "int g(int x)")
RUST_HEADS = ("pub fn f(x: u8) -> u8", "pub fn g(x: u8) -> u8")
GO_HEADS = ("func F(x int) int", "func G(x int) int")
SWIFT_HEADS = ("func f(x: Int) -> Int", "func g(x: Int) -> Int")
NAMED = [
    python("import json", "import re", "re.sub('a', 'b', x)", "json.loads(x)"),
    python("import os.path", "import re", "re.sub('a', 'b', x)", "os.path.join(x)"),
    python("import numpy as np", "import re", "re.sub('a', 'b', x)", "np.array(x)"),
    braces("m.ts", "import a from 'a';", "import b from 'b';", "b(x)", "a(x)", SCRIPT_HEADS),
    braces("m.ts", "import * as a from 'a';", "import b from 'b';", "b(x)", "a.do(x)", SCRIPT_HEADS),
    braces("m.ts", "import { p, q } from 'a';", "import b from 'b';", "b(x)", "p(x)", SCRIPT_HEADS),
    braces("m.ts", "import a, { q } from 'a';", "import b from 'b';", "b(x)", "a(x)", SCRIPT_HEADS),
    braces("m.rs", "use std::fmt;", "use std::mem;", "mem::take(x)", "fmt::f(x)", RUST_HEADS),
    braces(
        "m.swift", "import Foundation", "import Dispatch", "Dispatch.f(x)", "Foundation.f(x)", SWIFT_HEADS
    ),
]
NAMELESS = [
    braces("m.rs", "use a::{b, c as d};", "use std::mem;", "mem::take(x)", "d::f(x)", RUST_HEADS),
    braces("m.js", "const { a } = require('fs');", "const b = require('p');", "b(x)", "a(x)", SCRIPT_HEADS),
    braces("m.js", "const a = require('fs');", "const b = require('p');", "b(x)", "a(x)", SCRIPT_HEADS),
    python("from a import b as c, d", "import re", "re.sub('a', 'b', x)", "c(x)"),
    python("from a import *", "import re", "re.sub('a', 'b', x)", "whatever(x)"),
    braces("m.ts", "import './a.css';", "import b from 'b';", "b(x)", "x", SCRIPT_HEADS),
    braces("m.swift", "import Foundation", "import Dispatch", "Queue(x)", "Data(x)", SWIFT_HEADS),
    braces("m.rs", "use std::io::Write;", "use std::mem;", "mem::take(x)", "x.flush()", RUST_HEADS),
    (
        "m.rb",
        "require 'json'\n\ndef f(x)\n  x\nend\n\ndef g(x)\n  JSON.parse(x)\nend\n",
        "require 'set'\n\ndef f(x)\n  Set.new(x)\nend\n",
        "require 'json'",
        "require 'set'",
    ),
    (
        "M.cs",
        "using System.Linq;\n\nclass A\n{\n    int F(int x)\n    {\n        return x;\n    }\n\n"
        "    int G(int x)\n    {\n        return x.Sum();\n    }\n}\n",
        "using System.Text;\n\nclass A\n{\n    int F(int x)\n    {\n        return new Builder(x);\n    }\n\n"
        "    // ... existing code ...\n}\n",
        "using System.Linq;",
        "using System.Text;",
    ),
]  # fmt: skip
IN_ORDER = [
    braces("m.c", "#include <stdio.h>", "#include <math.h>", "abs(x)", "printf(x)", C_HEADS),
    braces("m.cpp", "#include <vector>", "#include <map>", "std::map(x)", "std::vector(x)", C_HEADS),
    (
        "a.css",
        '@import "a.css";\n\n.f {\n  color: red;\n}\n\n.g {\n  color: blue;\n}\n',
        '@import "b.css";\n\n.f {\n  color: green;\n}\n',
        '@import "a.css";',
        '@import "b.css";',
    ),
]  # fmt: skip


def name(case: object) -> str:
    return case.replace("\n", " ")[:20] if isinstance(case, str) else ""


@pytest.mark.parametrize(("path", "file", "shown", "old", "new"), [*NAMED, *NAMELESS], ids=name)
def test_both_stay(path: str, file: str, shown: str, old: str, new: str) -> None:
    after = apply_edits({path: file}, answer(path, shown)).files[path] or ""
    both = {f"{old}\n{new}\n", f"{new}\n{old}\n"}
    above, body, _ = after.partition(shown.removeprefix(f"{new}\n").partition("    // ...")[0].rstrip())
    assert above in both or any(above.startswith(each) for each in both)
    assert body
    assert after.endswith(file[-20:])


@pytest.mark.parametrize(("path", "file", "shown", "old", "new"), IN_ORDER, ids=name)
def test_where_their_order_has_a_meaning_both_are_proposed(
    path: str, file: str, shown: str, old: str, new: str
) -> None:
    assert apply_edits({path: file}, answer(path, shown)).files == {path: file}
    after = apply_edits({path: file}, answer(path, shown), accept="all").files[path] or ""
    assert f"{old}\n{new}\n" in after
    assert after.endswith(file[-20:])


def test_one_whose_names_nothing_has_any_more_gives_way() -> None:
    code = "import b from 'b';\n\nexport function f(x) {\n  return b(x);\n}\n"
    after = apply_edits({"m.ts": GIVES_WAY}, answer("m.ts", code)).files["m.ts"]
    assert after == GIVES_WAY.replace("import a from 'a'", "import b from 'b'").replace("a(x)", "b(x)")


def test_one_that_brings_the_same_and_more_takes_its_place() -> None:
    _, file, _, _, _ = python("import json", "", "", "json.loads(x)")
    code = "import json, re\n\n\ndef f(x):\n    return re.sub('a', 'b', json.dumps(x))\n"
    after = apply_edits({"m.py": file}, answer("m.py", code), accept="all").files["m.py"] or ""
    assert after.startswith("import json, re\n\n")


def test_a_name_from_the_same_module_is_not_lost_within_braces() -> None:
    code = "import {\n  a,\n  c,\n} from 'm';\n\nexport function f(x) {\n  return c(a(x));\n}\n"
    assert apply_edits({"m.ts": IN_BRACES}, answer("m.ts", code)).files == {"m.ts": IN_BRACES}
    after = apply_edits({"m.ts": IN_BRACES}, answer("m.ts", code), accept="all").files["m.ts"]
    assert after == IN_BRACES.replace("  b,\n", "  c, b,\n").replace("return a(x)", "return c(a(x))")


def test_one_under_a_condition_is_not_lost() -> None:
    code = (
        "import os\n\ntry:\n    import re\nexcept ImportError:\n    json = None\n\n\n"
        "def f(x):\n    return re.sub('a', 'b', x)\n"
    )
    after = apply_edits({"m.py": UNDER_A_CONDITION}, answer("m.py", code)).files["m.py"] or ""
    assert "import json\n" in after


def test_names_from_one_module_are_one_list() -> None:
    _, file, _, _, _ = python("from typing import Any, List", "", "", "List[Any]")
    code = "from typing import Dict, List\n\n\ndef f(x):\n    return Dict[x]\n"
    after = apply_edits({"m.py": file}, answer("m.py", code)).files["m.py"] or ""
    assert after.startswith("from typing import Dict, List, Any\n\n")


def test_a_whole_file_keeps_one_that_its_code_has() -> None:
    _, file, _, old, _ = python("import json", "", "", "json.loads(x)")
    code = file.replace(old, "import re").replace("return x", "return re.sub('a', 'b', x)")
    after = apply_edits({"m.py": file}, answer("m.py", code)).files["m.py"]
    assert after == code.replace("import re", "import json\nimport re")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import a from 'a';", "import a from 'b';"),
        ("import { a, b } from 'm';", "import { a } from 'n';"),
        ("import z from 'z';\nimport a from 'a';", "import a from 'b';"),
    ],
)
def test_a_name_that_two_imports_bring_is_not_written_unasked(old: str, new: str) -> None:
    rest = "export function f(x) {\n  return %s;\n}\n\nexport function g(x) {\n  return a(b(z(x)));\n}\n"
    file = f"{old}\n\n{rest % 'x'}"
    code = f"{new}\n\nexport function f(x) {{\n  return a(x);\n}}\n"
    after = apply_edits({"m.ts": file}, answer("m.ts", code)).files["m.ts"] or ""
    assert after.count("import a ") + after.count("{ a") == 1
