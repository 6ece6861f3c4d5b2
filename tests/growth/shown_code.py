"""Answers that show code with marks for what is left out, at any size."""

from __future__ import annotations

from tests.growth.kinds import Asked, Kind

_MARK = "... existing code ..."


def _fence(code: str, path: str = "m.py", language: str = "python") -> str:
    return f"Here is the change to `{path}`:\n\n```{language} {path}\n{code}\n```\n"


def _functions(count: int) -> str:
    return "".join(f"def f{i}(a):\n    x = a + {i}\n    return x\n\n" for i in range(count))


def _methods(count: int) -> str:
    return "".join(f"    def m{i}(self):\n        x = {i}\n        return x\n\n" for i in range(count))


def methods_of_one_class(n: int) -> Asked:
    """Every third method with a mark in it, and a mark between."""
    shown = "".join(
        f"    def m{i}(self):\n        # {_MARK}\n        return x + 1\n\n    # {_MARK}\n"
        for i in range(0, n, 3)
    )
    answer = f"`m.py`:\n\n```python\n# m.py\nclass C:\n    # {_MARK}\n{shown}```\n"
    return Asked({"m.py": f"class C:\n{_methods(n)}"}, answer)


def whole_methods(n: int) -> Asked:
    """Every second method shown whole, and a mark between."""
    shown = "".join(
        f"    def m{i}(self):\n        x = {i} * 2\n        return x\n\n    # {_MARK}\n\n"
        for i in range(0, n, 2)
    )
    return Asked({"m.py": f"class C:\n{_methods(n)}"}, _fence(f"class C:\n    # {_MARK}\n{shown}"))


def functions_with_marks(n: int) -> Asked:
    """Every second function with a mark in it, and a mark between."""
    shown = "".join(
        f"def f{i}(a):\n    # {_MARK}\n    return x * {i}\n\n# {_MARK}\n\n" for i in range(0, n, 2)
    )
    return Asked({"m.py": _functions(n)}, _fence(shown))


def functions_without_marks_between(n: int) -> Asked:
    """As before, but nothing says that others are left out."""
    shown = "".join(f"def f{i}(a):\n    # {_MARK}\n    return x * {i}\n\n" for i in range(0, n, 2))
    return Asked({"m.py": _functions(n)}, _fence(shown))


def new_functions(n: int) -> Asked:
    """A new function below each one that changes."""
    shown = "".join(
        f"def f{i}(a):\n    # {_MARK}\n    return x * {i}\n\ndef g{i}(q, r):\n    t = q ** {i} + r\n"
        f"    yield from t\n    print(q)\n\n# {_MARK}\n\n"
        for i in range(0, n, 2)
    )
    return Asked({"m.py": _functions(n)}, _fence(shown))


def classes_with_namesakes(n: int) -> Asked:
    """Classes whose methods have one name, each with a mark in it."""
    file = "".join(
        f"class C{i}:\n    def run(self):\n        x = {i}\n        return x\n\n" for i in range(n)
    )
    shown = "".join(
        f"class C{i}:\n    def run(self):\n        # {_MARK}\n        return x * 2\n\n# {_MARK}\n\n"
        for i in range(0, n, 2)
    )
    return Asked({"m.py": file}, _fence(shown))


def bare_method_of_many_classes(n: int) -> Asked:
    """One method without its class, of a name that every class has."""
    file = "".join(
        f"class C{i}:\n    def run(self):\n        x = {i}\n        return x\n\n" for i in range(n)
    )
    return Asked({"m.py": file}, _fence(f"    def run(self):\n        # {_MARK}\n        return x * 2\n"))


def members_in_typescript(n: int) -> Asked:
    """Every second member of a class with a mark in it."""
    file = "".join(f"  f{i}(a: number) {{\n    const x = a + {i};\n    return x;\n  }}\n\n" for i in range(n))
    shown = "".join(
        f"  f{i}(a: number) {{\n    // {_MARK}\n    return x * {i};\n  }}\n\n  // {_MARK}\n\n"
        for i in range(0, n, 2)
    )
    answer = _fence(f"export class C {{\n  // {_MARK}\n{shown}}}\n", "m.ts", "typescript")
    return Asked({"m.ts": f"export class C {{\n{file}}}\n"}, answer)


def functions_without_their_export(n: int) -> Asked:
    """Exported functions, shown without the word."""
    file = "".join(f"export function f{i}(a) {{\n  const x = a + {i};\n  return x;\n}}\n\n" for i in range(n))
    shown = "".join(
        f"function f{i}(a) {{\n  // {_MARK}\n  return x * {i};\n}}\n\n// {_MARK}\n\n" for i in range(0, n, 2)
    )
    return Asked({"m.js": file}, _fence(shown, "m.js", "javascript"))


def rules_of_a_style_sheet(n: int) -> Asked:
    """Every fourth rule with a mark in it."""
    file = "".join(f".c{i} {{\n  color: red;\n  width: {i}px;\n}}\n\n" for i in range(n))
    shown = "".join(
        f".c{i} {{\n  /* {_MARK} */\n  width: {i + 1}px;\n}}\n\n/* {_MARK} */\n\n" for i in range(0, n, 4)
    )
    return Asked({"m.css": file}, _fence(f"/* {_MARK} */\n{shown}", "m.css", "css"))


def elements_of_a_page(n: int) -> Asked:
    """Every fourth element with an id, shown whole."""
    file = "".join(f'<li id="i{i}">\n<p>text {i}</p>\n</li>\n' for i in range(n))
    shown = "".join(f'<li id="i{i}">\n<p>other {i}</p>\n</li>\n<!-- {_MARK} -->\n' for i in range(0, n, 4))
    answer = _fence(f"<ul>\n<!-- {_MARK} -->\n{shown}</ul>\n", "m.html", "html")
    return Asked({"m.html": f"<ul>\n{file}</ul>\n"}, answer)


def keys_of_yaml(n: int) -> Asked:
    """Every fourth job of a file of jobs."""
    file = "".join(f"  job{i}:\n    runs-on: linux\n    n: {i}\n" for i in range(n))
    shown = "".join(f"  job{i}:\n    runs-on: linux\n    n: {i + 1}\n  # {_MARK}\n" for i in range(0, n, 4))
    return Asked({"m.yaml": f"jobs:\n{file}"}, _fence(f"jobs:\n  # {_MARK}\n{shown}", "m.yaml", "yaml"))


def aliases_in_yaml(n: int) -> Asked:
    """Each key twice the one before it."""
    file = "".join(f"k{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" if i else "k0: &a0 [x, x]\n" for i in range(n))
    return Asked({"m.yaml": file}, _fence(f"# {_MARK}\nk1: z\n", "m.yaml", "yaml"))


def sections_of_a_document(n: int) -> Asked:
    """Every third section of a document in Markdown."""
    file = "".join(f"## Part {i}\n\nText of {i} is here.\n\nAnd more {i}.\n\n" for i in range(n))
    shown = "".join(
        f"## Part {i}\n\nText of {i} is new here.\n\n<!-- {_MARK} -->\n\n" for i in range(0, n, 3)
    )
    return Asked({"m.md": file}, _fence(shown, "m.md", "markdown"))


def words_before_a_name(n: int) -> Asked:
    """A line of what may be before a name that gets a value, and no name."""
    line = "const " * n
    file = f"def f():\n    a = 1\n    # {line}\n    {line}\n    b = 2\n"
    return Asked({"m.py": file}, _fence(f"def f():\n    # {_MARK}\n    {line}c\n    b = 3\n"))


def marks_in_one_function(n: int) -> Asked:
    """A mark before every third line of one function."""
    shown = "".join(f"    # {_MARK}\n    s{i} = {i} + 1\n" for i in range(0, n, 3))
    file = "def f():\n" + "".join(f"    s{i} = {i}\n" for i in range(n))
    return Asked({"m.py": file}, _fence(f"def f():\n{shown}    # {_MARK}\n"))


def marks_between_equal_lines(n: int) -> Asked:
    """The lines around the marks are there again and again."""
    shown = f"    # {_MARK}\n    s = s + 1\n    u()\n" * (n // 4)
    file = "def f():\n" + "    s = s + 1\n    if s:\n        t()\n" * n
    return Asked({"m.py": file}, _fence(f"def f():\n{shown}    # {_MARK}\n"))


def marks_after_chained_lines(n: int) -> Asked:
    """Something new before a mark after every fifth line of one function."""
    file = "".join(f"    x{i} = g(x{i - 1})\n" for i in range(n))
    shown = "".join(
        f"    x{i} = g(x{i - 1})\n    new{i}()\n    # ... rest of code ...\n" for i in range(0, n, 5)
    )
    files = {"m.py": f"def f():\n{file}    return 1\n"}
    return Asked(files, _fence(f"def f():\n{shown}    return 1\n"))


def marks_between_two_lines(n: int) -> Asked:
    """Two lines in turn, shown in the other order."""
    file = "def f():\n" + "    a()\n    b()\n" * n + "    return 1\n"
    shown = f"    # {_MARK}\n    b()\n    a()\n    c()\n" * (n // 10)
    return Asked({"m.py": file}, _fence(f"def f():\n{shown}    # {_MARK}\n    return 2\n"))


def functions_in_reverse(n: int) -> Asked:
    """All functions in the other order."""
    functions = [f"def f{i}():\n    return {i}\n\n" for i in range(n)]
    shown = "".join(reversed(functions)).replace("return", "return 1 +")
    return Asked({"m.py": "".join(functions)}, _fence(shown))


def nested_classes(n: int) -> Asked:
    """Classes in classes, as deep as the size."""
    file = "".join(f"{'  ' * i}class C{i}:\n" for i in range(n)) + f"{'  ' * n}x = 1\n"
    return Asked({"m.py": file}, _fence(file.replace("x = 1", f"# ...\n{'  ' * n}x = 2")))


def nested_brackets(n: int) -> Asked:
    """A file of brackets in brackets."""
    file = f"function f(){{ return {'(' * n}1{')' * n}; }}\nfunction g(){{ return 2; }}\n"
    return Asked(
        {"m.js": file}, _fence(f"function g(){{\n  // {_MARK}\n  return 3;\n}}", "m.js", "javascript")
    )


def unclosed_brackets(n: int) -> Asked:
    """A file of brackets, strings and templates that nothing closes."""
    file = "function g(){ return 2; }\n" + "f({[<`${" * n
    return Asked(
        {"m.js": file}, _fence(f"function g(){{\n  // {_MARK}\n  return 3;\n}}", "m.js", "javascript")
    )


def nested_templates(n: int) -> Asked:
    """Template arguments in template arguments."""
    file = f"int g(){{ return 2; }}\nauto x = {'a<' * n}b{'>' * n};\n"
    return Asked({"m.cpp": file}, _fence(f"int g() {{\n  // {_MARK}\n  return 3;\n}}", "m.cpp", "cpp"))


def nested_elements(n: int) -> Asked:
    """Elements in elements on one line."""
    shown = f"<div>\n<!-- {_MARK} -->\n<p>y</p>\n</div>"
    return Asked({"m.html": f"{'<div>' * n}x{'</div>' * n}\n"}, _fence(shown, "m.html", "html"))


def blanks_within_a_line(n: int) -> Asked:
    """A line of a language without a grammar that has blanks in it, between its words and its end."""
    file = f"class A {{\n  void g() {{\n    stop();\n  }}\n}}\na{' ' * n}b = 1;\n"
    shown = f"class A {{\n  // {_MARK}\n  void g() {{\n    run();\n  }}\n}}"
    return Asked({"m.dart": file}, _fence(shown, "m.dart", "dart"))


def keys_without_a_grammar(n: int) -> Asked:
    """Some settings of many, with a new one."""
    file = "[a]\n" + "".join(f"key{i} = {i}\n" for i in range(n))
    answer = f"Add `other` to `m.conf`:\n\n```ini\n[a]\n# {_MARK}\nkey{n - 1} = {n - 1}\nother = 1\n```\n"
    return Asked({"m.conf": file}, answer)


KINDS = (
    Kind(methods_of_one_class, 60),
    Kind(whole_methods, 100),
    Kind(functions_with_marks, 60),
    Kind(functions_without_marks_between, 150),
    Kind(new_functions, 50),
    Kind(classes_with_namesakes, 60),
    Kind(bare_method_of_many_classes, 150),
    Kind(members_in_typescript, 60),
    Kind(functions_without_their_export, 60),
    Kind(rules_of_a_style_sheet, 150),
    Kind(elements_of_a_page, 150),
    Kind(keys_of_yaml, 150),
    Kind(aliases_in_yaml, 500),
    Kind(sections_of_a_document, 400),
    Kind(words_before_a_name, 500),
    Kind(marks_in_one_function, 600),
    Kind(marks_between_equal_lines, 500),
    Kind(marks_after_chained_lines, 600),
    Kind(marks_between_two_lines, 500),
    Kind(functions_in_reverse, 400),
    Kind(nested_classes, 25),
    Kind(nested_brackets, 4000),
    Kind(unclosed_brackets, 2000),
    Kind(nested_templates, 4000),
    Kind(nested_elements, 250),
    Kind(blanks_within_a_line, 30_000),
    Kind(keys_without_a_grammar, 400),
)
"""Where a function grows by its lines, four times the size are more than are compared."""
