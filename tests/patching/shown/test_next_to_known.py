"""New lines next to lines of the file, members below a mark, and definitions of one name and two kinds."""

from __future__ import annotations

import pytest

from patchpoint.api import apply_edits

GO = (
    "package a\n\nfunc (s *Server) Redirect(w W, r *R) {\n\tlink, err := s.store.Get(code)\n"
    "\tif err != nil {\n\t\treturn\n\t}\n"
    '\thttp.Redirect(w, r, link.URL, 301)\n}\n\nfunc other() {\n\tlog.Print("x")\n}\n'
)
PY = "def f(x):\n    a = load(x)\n    save(a)\n    return a\n\n\ndef g(x):\n    return load(x)\n"
HIT = "\ts.store.Hit(code)\n\thttp.Redirect(w, r, link.URL, 301)\n"
REDIRECT = "\thttp.Redirect(w, r"


def made(path: str, file: str, lead: str, shown: str) -> str:
    answer = f"{lead}\n\n```\n{shown}```\n"
    assert apply_edits({path: file}, answer).files == {path: file}
    return apply_edits({path: file}, answer, accept="all").files[path] or ""


@pytest.mark.parametrize(
    ("path", "file", "lead", "shown", "change"),
    [
        (
            "handlers.go",
            GO,
            "In `Redirect` (**handlers.go**), add one line before the redirect:",
            HIT,
            (REDIRECT, f"\ts.store.Hit(code)\n{REDIRECT}"),
        ),
        (
            "handlers.go",
            GO,
            "Ergänze in `handlers.go` den Aufruf:",
            HIT,
            (REDIRECT, f"\ts.store.Hit(code)\n{REDIRECT}"),
        ),
        (
            "handlers.go",
            GO,
            "In `handlers.go`, replace the redirect:",
            HIT,
            (REDIRECT, f"\ts.store.Hit(code)\n{REDIRECT}"),
        ),
        (
            "a.py",
            PY,
            "Füge in `a.py` eine Prüfung hinzu:",
            "a = load(x)\ncheck(a)\n",
            ("    save(a)", "    check(a)\n    save(a)"),
        ),
        (
            "app.ex",
            "defmodule A do\n  def f do\n    load_it()\n    save()\n  end\nend\n",
            "Add the check in `app.ex`:",
            "    load_it()\n    check()\n",
            ("    save()", "    check()\n    save()"),
        ),
    ],
)
def test_new_lines_go_next_to_the_lines_of_the_file_that_they_are_shown_with(
    path: str, file: str, lead: str, shown: str, change: tuple[str, str]
) -> None:
    assert made(path, file, lead, shown) == file.replace(*change, 1)


@pytest.mark.parametrize(
    ("lead", "shown"),
    [
        ("Add this to `handlers.go`:", "\ts.store.Hit(code)\n\thttp.Redirect(w, r, link.URL, 302)\n"),
        ("Add this to `handlers.go`:", "\ts.store.Hit(code)\n\t}\n"),
        ("Add this to `handlers.go`:", "\tlink, err := s.store.Find(code)\n\tif err != nil {\n"),
        ("Should I add this to `handlers.go`?", HIT),
    ],
)
def test_they_go_nowhere_where_nothing_of_the_file_is_next_to_them(lead: str, shown: str) -> None:
    assert made("handlers.go", GO, lead, shown) == GO


CLASSES = {
    "a.py": (
        "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n\n\n"
        "class B:\n    x = 1\n\n    def h(self):\n        return 3\n",
        "class A:\n    ...\n\n    def new(self):\n        return 5\n\n\n"
        "class B:\n    ...\n\n    def newer(self):\n        return 6\n",
        ("return 2\n", "return 2\n\n    def new(self):\n        return 5\n"),
        ("return 3\n", "return 3\n\n    def newer(self):\n        return 6\n"),
    ),
    "a.ts": (
        "class A {\n  f() {\n    return 1;\n  }\n\n  g() {\n    return 2;\n  }\n}\n\n"
        "class B {\n  h() {\n    return 3;\n  }\n}\n",
        "class A {\n  // ...\n\n  i() {\n    return 4;\n  }\n}\n\nclass B {\n  // ...\n\n"
        "  j() {\n    return 5;\n  }\n}\n",
        ("return 2;\n  }\n", "return 2;\n  }\n\n  i() {\n    return 4;\n  }\n"),
        ("return 3;\n  }\n", "return 3;\n  }\n\n  j() {\n    return 5;\n  }\n"),
    ),
}


@pytest.mark.parametrize("path", CLASSES)
def test_new_members_of_several_classes_go_to_their_ends(path: str) -> None:
    file, shown, *changes = CLASSES[path]
    wanted = file
    for change in changes:
        wanted = wanted.replace(*change)
    assert made(path, file, f"Add a method to each in `{path}`:", shown) == wanted


def test_a_class_and_an_object_of_one_name_are_two_definitions() -> None:
    file = (
        "class Runner(queue: Queue) {\n  def run(job: Job): Int = {\n    queue.take(job)\n  }\n\n"
        "  def all(): Int = {\n    queue.size\n  }\n}\n\n"
        "object Runner {\n  val Max = 100\n\n  def apply(queue: Queue): Runner =\n    new Runner(queue)\n}\n"
    )
    shown = (
        "class Runner(queue: Queue, most: Int = 3) {\n  // ...\n\n"
        "  def all(): Int = {\n    queue.size + most\n  }\n}\n"
    )
    answer = f"Change `Runner.scala`:\n\n```scala\n{shown}```\n"
    result = apply_edits({"Runner.scala": file}, answer, accept="all").files["Runner.scala"]
    wanted = file.replace("Runner(queue: Queue) {", "Runner(queue: Queue, most: Int = 3) {")
    assert result == wanted.replace("queue.size\n", "queue.size + most\n")


def test_a_file_called_full_is_written_though_a_sentence_before_is_about_it() -> None:
    bodies = "\n".join(
        f"export async function f{n}(): Promise<A{n}> {{\n  const res = await fetch('/{n}');\n"
        f"  if (!res.ok) {{\n    throw new Error('{n}');\n  }}\n  return res.json();\n}}\n"
        for n in range(3)
    )
    short = "\n".join(
        f"export function f{n}(): Promise<A{n}> {{\n  return request('/{n}', '{n}');\n}}\n" for n in range(3)
    )
    head = "import { A0, A1, A2 } from './types';\n\n"
    helper = (
        "async function request<T>(path: string, message: string): Promise<T> {\n"
        "  const res = await fetch(path);\n  if (!res.ok) {\n    throw new Error(message);\n  }\n"
        "  return res.json();\n}\n\n"
    )
    lead = "There is a lot of repetition in `client.ts`. I have extracted `request`. Here's the full file:"
    file, shown = head + bodies, head + helper + short
    assert made("src/client.ts", file, lead, shown) == shown
