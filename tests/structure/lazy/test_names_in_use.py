"""An import that the rest of a file uses is not lost to one that is shown in its place."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

PYTHON = "import json\n\n\ndef f(x):\n    return json.dumps(x)\n\n\ndef g(x):\n    return {}\n"
SCRIPT = (
    "import a from 'a';\n\nexport function f(x) {\n  return a(x);\n}\n\n"
    "export function g(x) {\n  return %s;\n}\n"
)


def shown(path: str, code: str) -> str:
    return f"{path}\n```\n{code}```\n"


@pytest.mark.parametrize("body", ["re.sub('a', 'b', x)", "re.sub('a', 'b', json.dumps(x))"])
@pytest.mark.parametrize("rest", ["json.loads(x)", "json"])
def test_an_import_in_use_is_not_replaced_unasked(body: str, rest: str) -> None:
    file = PYTHON.format(rest)
    code = f"import re\n\n\ndef f(x):\n    return {body}\n"
    assert apply_edits({"m.py": file}, shown("m.py", code)).files == {"m.py": file}


def test_an_import_in_use_of_a_script_is_not_replaced_unasked() -> None:
    file = SCRIPT % "a(x)"
    code = "import b from 'b';\n\nexport function f(x) {\n  return b(x);\n}\n"
    assert apply_edits({"m.ts": file}, shown("m.ts", code)).files == {"m.ts": file}


def test_an_import_that_nothing_uses_any_more_gives_way() -> None:
    code = "import b from 'b';\n\nexport function f(x) {\n  return b(x);\n}\n"
    after = apply_edits({"m.ts": SCRIPT % "x"}, shown("m.ts", code)).files["m.ts"]
    assert after == (SCRIPT % "x").replace("import a from 'a'", "import b from 'b'").replace("a(x)", "b(x)")


def test_an_import_that_brings_the_same_and_more_takes_its_place() -> None:
    file = PYTHON.format("json.loads(x)")
    code = "import json, re\n\n\ndef f(x):\n    return re.sub('a', 'b', json.dumps(x))\n"
    after = apply_edits({"m.py": file}, shown("m.py", code), accept="all").files["m.py"] or ""
    assert "import json" in after
    assert "re.sub" in after
