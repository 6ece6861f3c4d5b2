"""Edits that quote what they replace, at any size."""

from __future__ import annotations

import json
import random

from tests.growth.kinds import Asked, Kind


def _block(search: str, replace: str, path: str = "m.py") -> str:
    return f"{path}\n```\n<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE\n```\n"


def _values(count: int) -> str:
    return "".join(f"v{i} = {i}\n" for i in range(count))


def functions_that_are_nearly_equal(n: int) -> Asked:
    """A misquoted search text that resembles every function of its file as much."""

    def one(i: object) -> str:
        return (
            f"def handler_{i}(request, value):\n    result = compute(value, {i})\n"
            f'    if result is None:\n        raise ValueError("bad {i}")\n    return result\n\n'
        )

    search = one("X").replace("compute", "komputee").rstrip()
    return Asked({"m.py": "".join(map(one, range(n)))}, _block(search, "pass"))


def misquoted_search_of_a_whole_file(n: int) -> Asked:
    """A search text as long as its file, with every third line misquoted."""
    chance = random.Random(1)
    lines = [f'value_{i} = call({i}, "{chance.random()}")' for i in range(n)]
    search = [line if i % 3 else line.replace("call", "kall") for i, line in enumerate(lines)]
    return Asked({"m.py": "\n".join(lines)}, _block("\n".join(search), "x = 1"))


def one_line_again_and_again(n: int) -> Asked:
    """A search text of one line many times, and one more."""
    return Asked({"m.py": "x = 1\n" * n}, _block("x = 1\n" * (n // 2) + "y = 2", "z"))


def one_long_line(n: int) -> Asked:
    """A search text nearly as long as the one line of its file."""
    return Asked({"m.py": "ab " * n + "\n"}, _block("ab " * (n - 3) + "ac", "z"))


def one_minified_line(n: int) -> Asked:
    """A search text that misquotes half of one line."""
    file = "function a(b){return b+1};" * n
    return Asked({"m.min.js": file}, _block("function a(b){return b+2};" * (n // 2), "z", "m.min.js"))


def lines_left_out(n: int) -> Asked:
    """A search text with dots between lines that are there again and again."""
    file = "".join(f"a{i % 7}\n" for i in range(n))
    return Asked({"m.py": file}, _block("a1\n...\na2\n...\na3\n...\na4\n...\na9", "z"))


def lines_of_look_alike_letters(n: int) -> Asked:
    """Thirty misquoted lines among many of few letters, some of another script."""
    chance = random.Random(1)
    lines = ["".join(chance.choice("аеорсxyz") for _ in range(60)) for _ in range(n)]
    search = "\n".join(line[:-2] + "qq" for line in lines[n // 3 : n // 3 + 30])
    return Asked({"m.py": "\n".join(lines)}, _block(search, "z"))


def blank_lines(n: int) -> Asked:
    """A line between many blank ones."""
    return Asked(
        {"m.py": "\n" * n + "x\n" + "\n" * n}, _block("\n" * (n // 2) + "y\n" + "\n" * (n // 2), "z")
    )


def json_at_any_depth(n: int) -> Asked:
    """One value within objects as deep as the size."""
    return Asked({"m.json": '{"a":' * n + "1" + "}" * n + "\n"}, _block("1", "2", "m.json"))


def exact_edits(n: int) -> Asked:
    """An edit to each tenth line."""
    return Asked(
        {"m.py": _values(n)}, "".join(_block(f"v{i} = {i}", f"v{i} = -{i}") for i in range(0, n, 10))
    )


def edits_of_nothing(n: int) -> Asked:
    """Edits that quote what is not in the file."""
    edits = (_block(f"w{i} = {i} + {i}\nu{i}", f"v{i} = -{i}") for i in range(0, n, 50))
    return Asked({"m.py": _values(n)}, "".join(edits))


def misquoted_edits(n: int) -> Asked:
    """A misquoted edit to each tenth function."""
    file = "".join(f"def f{i}(alpha, beta):\n    return compute(alpha, beta, {i})\n\n" for i in range(n))
    edits = (
        _block(f"def f{i}(alpha,beta):\n    return compute(alpha,  betaa, {i})", f"def f{i}(a):\n    pass")
        for i in range(0, n, 10)
    )
    return Asked({"m.py": file}, "".join(edits))


def misquoted_edits_of_a_large_file(n: int) -> Asked:
    """As before, of a file of hundreds of kilobytes: at some size it is more than is looked for."""
    return misquoted_edits(n)


def edits_with_other_spaces(n: int) -> Asked:
    """An edit to each tenth line, its words as they are and the spaces between them not."""
    file = "".join(f"call_{i}(alpha, beta) = {i}\n" for i in range(n))
    edits = (
        _block(f"call_{i}(alpha,beta)={i}\ncall_{i + 1}(alpha,beta)={i + 1}", "z", "m.txt")
        for i in range(0, n - 1, 10)
    )
    return Asked({"m.txt": file}, "".join(edits))


def one_edit_again_and_again(n: int) -> Asked:
    """The same search text, which has many places, in many edits."""
    return Asked({"m.py": "x = 1\ny = 2\n" * n}, _block("x = 1", "x = 2") * (n // 10))


def new_files(n: int) -> Asked:
    """Files that are created in a few folders."""
    edits = (_block("", f"v{i} = -{i}", f"d{i % 9}/n{i}.py") for i in range(0, n, 5))
    return Asked({"m.py": "x\n"}, "".join(edits))


def misnamed_files(n: int) -> Asked:
    """Edits of files that do not exist, among many that do."""
    files = {f"d{i % 20}/m{i}.py": f"def f{i}(a):\n    x = a + {i}\n    return x\n" for i in range(n // 10)}
    edits = (_block("    return x", "    return y", f"src/zz{i}/m{i}x.py") for i in range(0, n, 50))
    return Asked(files, "".join(edits))


def calls_in_json(n: int) -> Asked:
    """Many calls of a tool in one list."""
    calls = [
        {
            "name": "Edit",
            "input": {"file_path": "m.py", "old_string": f"v{i} = {i}\n", "new_string": f"w{i}\n"},
        }
        for i in range(0, n, 10)
    ]
    return Asked({"m.py": _values(n)}, json.dumps(calls))


def misquoted_escapes(n: int) -> Asked:
    """One line of nothing but escaped quotation marks, each of which may begin a text, with a letter more."""
    line = '\\"' * n
    return Asked({"m.py": f"{line}\ny = 1\n"}, _block(f"{line}z", "z"))


KINDS = (
    Kind(functions_that_are_nearly_equal, 2000),
    Kind(misquoted_search_of_a_whole_file, 600),
    Kind(one_line_again_and_again, 8000),
    Kind(one_long_line, 30_000),
    Kind(one_minified_line, 8000),
    Kind(lines_left_out, 8000),
    Kind(lines_of_look_alike_letters, 500),
    Kind(blank_lines, 8000),
    Kind(json_at_any_depth, 8000),
    Kind(exact_edits, 400),
    Kind(edits_of_nothing, 400),
    Kind(misquoted_edits, 60),
    Kind(misquoted_edits_of_a_large_file, 2000),
    Kind(edits_with_other_spaces, 250),
    Kind(one_edit_again_and_again, 100),
    Kind(new_files, 200),
    Kind(misnamed_files, 800),
    Kind(misquoted_escapes, 1000),
    Kind(calls_in_json, 500),
)
