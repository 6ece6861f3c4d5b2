"""Definitions named by their name paths."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.edit import Edit, Operation, Side, Target, TargetKind
from patchpoint.outcome import Outcome, Status

PYTHON = """\
class Shelf:
    limit = 3

    @property
    def size(self):
        return len(self.books)

    def add(self, book):
        self.books.append(book)


class Box:
    def add(self, thing):
        self.things.append(thing)
"""


def outcome_of(path: str, text: str, name: str, new: str, side: Side = Side.INSTEAD) -> tuple[str, Outcome]:
    """The text after an edit of a definition, and what became of the edit."""
    target = Target(TargetKind.DEFINITION, name, side)
    edit = Edit(path=path, operation=Operation.PLACE, target=target, replace=new)
    report = apply_edits({path: text}, [edit])
    return report.files[path] or "", report.outcomes[0]


@pytest.mark.parametrize(
    "new",
    [
        "def add(self, *books):\n    for book in books:\n        self.books.append(book)",
        "def add(self, *books):\n        for book in books:\n            self.books.append(book)",
        "    def add(self, *books):\n        for book in books:\n            self.books.append(book)\n",
        "\tdef add(self, *books):\n\t\tfor book in books:\n\t\t\tself.books.append(book)\n",
    ],
    ids=["not indented", "first line stripped", "as in the file", "in tabs"],
)
def test_a_definition_is_put_at_the_depth_of_the_one_that_it_replaces(new: str) -> None:
    after, outcome = outcome_of("a.py", PYTHON, "Shelf/add", new)
    assert outcome.status is Status.APPLIED, outcome.message
    old = "    def add(self, book):\n        self.books.append(book)\n"
    expected = "    def add(self, *books):\n        for book in books:\n            self.books.append(book)\n"
    assert after == PYTHON.replace(old, expected)


def test_decorators_stay_unless_the_new_text_has_its_own() -> None:
    plain, _ = outcome_of("a.py", PYTHON, "size", "def size(self):\n    return 3")
    assert plain == PYTHON.replace("return len(self.books)", "return 3")
    cached, _ = outcome_of("a.py", PYTHON, "size", "@cached_property\ndef size(self):\n    return 3")
    assert cached == plain.replace("@property", "@cached_property")


def test_a_name_that_several_have_is_ambiguous_and_their_places_are_named() -> None:
    after, outcome = outcome_of("a.py", PYTHON, "add", "def add(self):\n    pass")
    assert (after, outcome.status) == (PYTHON, Status.AMBIGUOUS)
    assert [one.line for one in outcome.candidates] == [8, 13]
    nested = "def f():\n    pass\n\n\nclass A:\n    def f(self):\n        pass\n"
    rooted, _ = outcome_of("a.py", nested, "/f", "def f():\n    return")
    assert rooted.startswith("def f():\n    return\n")


def test_an_overload_is_named_by_its_number() -> None:
    methods = "    void f(int x) {\n        a();\n    }\n\n    void f(String x) {\n        b();\n    }\n"
    text = f"class A {{\n{methods}}}\n"
    after, outcome = outcome_of("A.java", text, "A/f[1]", "void f(String x) {\n    c();\n}")
    assert outcome.status is Status.APPLIED, outcome.message
    assert after == text.replace("b();", "c();")
    assert outcome_of("A.java", text, "A/f", "void f(int x) {\n}")[1].status is Status.AMBIGUOUS
    assert outcome_of("A.java", text, "A/f[2]", "void f(int x) {\n}")[1].status is Status.REJECTED


@pytest.mark.parametrize(
    ("path", "text", "name", "new", "expected"),
    [
        (
            "a.go",
            "package a\n\nfunc (s *Server) Run() int {\n\treturn 1\n}\n",
            "(*Server).Run",
            "func (s *Server) Run() int {\n\treturn 2\n}",
            "package a\n\nfunc (s *Server) Run() int {\n\treturn 2\n}\n",
        ),
        (
            "a.rs",
            "impl Lamp {\n    fn glow(&self) {\n        dim();\n    }\n}\n",
            "impl Lamp/glow",
            "fn glow(&self) {\n        fade();\n    }",
            "impl Lamp {\n    fn glow(&self) {\n        fade();\n    }\n}\n",
        ),
        (
            "a.ts",
            "export const glow = (lamp: Lamp) => {\n  dim(lamp);\n};\n",
            "glow",
            "glow = (lamp: Lamp) => {\n  fade(lamp);\n}",
            "export const glow = (lamp: Lamp) => {\n  fade(lamp);\n};\n",
        ),
        (
            "a.rb",
            "class Lamp\n  def glow\n    dim\n  end\nend\n",
            "Lamp/glow",
            "def glow\n  fade\nend",
            "class Lamp\n  def glow\n    fade\n  end\nend\n",
        ),
    ],
    ids=["go", "rust", "typescript", "ruby"],
)
def test_names_are_those_of_the_language_servers(
    path: str, text: str, name: str, new: str, expected: str
) -> None:
    after, outcome = outcome_of(path, text, name, new)
    assert outcome.status is Status.APPLIED, outcome.message
    assert after == expected


@pytest.mark.parametrize("new", ["self.books.extend(books)", "return 3\n", "", "# add\n"])
def test_a_text_that_is_no_definition_is_refused(new: str) -> None:
    after, outcome = outcome_of("a.py", PYTHON, "Shelf/add", new)
    assert (after, outcome.status) == (PYTHON, Status.REJECTED)


def test_what_is_inserted_has_the_blank_lines_of_its_neighbours() -> None:
    method = "def clear(self):\n    self.books = []\n"
    after, _ = outcome_of("a.py", PYTHON, "Shelf/add", method, Side.AFTER)
    indented = "    def clear(self):\n        self.books = []\n"
    assert after == PYTHON.replace("append(book)\n", f"append(book)\n\n{indented}", 1)
    before, _ = outcome_of("a.py", PYTHON, "Shelf/size", method, Side.BEFORE)
    assert before == PYTHON.replace("    @property\n", f"{indented}\n    @property\n")
    top, _ = outcome_of("a.py", PYTHON, "Box", "def main():\n    pass\n", Side.BEFORE)
    assert top == PYTHON.replace("class Box", "def main():\n    pass\n\n\nclass Box")


def test_a_definition_that_would_break_the_file_is_refused() -> None:
    after, outcome = outcome_of("a.py", PYTHON, "Box/add", "def add(self, thing):\n    return (", Side.AFTER)
    assert (after, outcome.status) == (PYTHON, Status.REJECTED)
    assert "would no longer" in outcome.message
    assert outcome_of("a.txt", "add\n", "add", "def add():\n    pass")[1].status is Status.REJECTED
