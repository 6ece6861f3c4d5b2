"""What is shown next to a mark takes the place of the statement there that it is another form of."""

from __future__ import annotations

import pytest

from patchpoint.api import apply_edits

LIST = """\
export function F() {
  return (
    <ul>
      <li>A</li>
      <li>B</li>
    </ul>
  );
}
"""
LEDGER = """\
def transfer(t):
    check(t)
    balance = balance_of(t)
    if balance < t.amount:
        raise NotEnough("no money")

    add(t)
    return balance
"""

ROWS = [
    (
        "a.go",
        "package a\n\nfunc f(x int) error {\n\ta := load(x)\n\tb, err := send(a)\n\treturn use(b, err)\n}\n",
        "func f(x int) error {\n\t// ...\n\tc := wrap(a)\n\tb, err := sendAll(c)\n\t// ...\n}\n",
        ("\tb, err := send(a)\n", "\tc := wrap(a)\n\tb, err := sendAll(c)\n"),
    ),
    (
        "a.rs",
        "fn f(x: i32) -> i32 {\n    let a = load(x);\n    let b = a + 1;\n    b\n}\n",
        "fn f(x: i32) -> i32 {\n    // ...\n    let mut b = a + 2;\n    // ...\n}\n",
        ("let b = a + 1", "let mut b = a + 2"),
    ),
    (
        "A.kt",
        "fun f(x: Int): Int {\n    val a = load(x)\n    val b = a + 1\n    return b\n}\n",
        "fun f(x: Int): Int {\n    // ...\n    val b = a + more(x)\n    // ...\n}\n",
        ("a + 1", "a + more(x)"),
    ),
    (
        "ledger.py",
        LEDGER,
        "def transfer(t):\n    ...\n    balance = balance_of(t)\n    if balance + t.limit < t.amount:\n"
        '        raise NotEnough("no money")\n    if balance < t.amount:\n        log.warning(t)\n    ...\n',
        (
            '    if balance < t.amount:\n        raise NotEnough("no money")\n',
            '    if balance + t.limit < t.amount:\n        raise NotEnough("no money")\n'
            "    if balance < t.amount:\n        log.warning(t)\n",
        ),
    ),
]


@pytest.mark.parametrize(("path", "file", "shown", "change"), ROWS, ids=[row[0] for row in ROWS])
def test_the_old_form_of_a_statement_does_not_stay_next_to_the_new_one(
    path: str, file: str, shown: str, change: tuple[str, str]
) -> None:
    answer = f"**{path}**\n\n```\n{shown}```\n"
    made = apply_edits({path: file}, answer, accept="all").files[path]
    assert made == file.replace(*change)


def test_nothing_goes_below_what_is_returned() -> None:
    file = (
        "import { a } from './a';\n\nexport function useIt() {\n  const add = () => {\n    a();\n  };\n\n"
        "  return { add };\n}\n"
    )
    shown = "// ...\n\n  const clear = () => {\n    a(0);\n  };\n\n  return { add, clear };\n"
    answer = f"**src/it.ts** - add `clear` after `add` and return it:\n\n```ts\n{shown}```\n"
    made = apply_edits({"src/it.ts": file}, answer, accept="all").files["src/it.ts"] or ""
    assert made == file


@pytest.mark.parametrize(
    ("path", "file", "shown", "kept"),
    [
        (
            "list.tsx",
            LIST,
            LIST.replace("<li>A</li>\n      <li>B</li>", '{/* ... */}\n      <li className="c">C</li>'),
            "<li>B</li>",
        ),
        (
            "a.py",
            "def f(x):\n    rows = load(x)\n    print('one')\n    return rows\n",
            "def f(x):\n    # ...\n    print('two')\n    return rows\n",
            "print('one')",
        ),
        (
            "a.go",
            "package a\n\nfunc f(x int) int {\n\tif x > 1 {\n\t\treturn 1\n\t}\n\treturn 2\n}\n",
            "func f(x int) int {\n\tif x > 3 {\n\t\treturn 3\n\t}\n\t// ...\n}\n",
            "return 2",
        ),
    ],
)
def test_another_one_of_its_kind_stays(path: str, file: str, shown: str, kept: str) -> None:
    answer = f"**{path}**\n\n```\n{shown}```\n"
    assert kept in (apply_edits({path: file}, answer, accept="all").files[path] or "")
