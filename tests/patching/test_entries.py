"""Entries of a list, a table or a record that is shown with marks, in several languages."""

from __future__ import annotations

import pytest

from patchpoint.api import apply_edits

PY = (
    'DEFAULTS = {\n    "sep": ";",\n    "encoding": "utf-8",\n    "skip": 0,\n}\n\n'
    'OTHER = {\n    "skip": 1,\n}\n'
)
NESTED = (
    'CONFIG = {\n    "a": {\n        "x": 1,\n        "y": 2,\n    },\n'
    '    "b": {\n        "x": 3,\n    },\n}\n'
)
URLS = 'urlpatterns = [\n    path("a/", A),\n    path("b/", B),\n    path("c/", C, name="c"),\n]\n'
ROUTES = (
    'export const routes: Route[] = [\n  { path: "/a", component: A },\n  { path: "/b", component: B },\n];\n'
)

ROWS = [
    (
        "a.py",
        PY,
        'DEFAULTS = {\n    # ...\n    "encoding": "utf-8-sig",\n    # ...\n}\n',
        ('"encoding": "utf-8"', '"encoding": "utf-8-sig"'),
    ),
    (
        "a.py",
        PY,
        'DEFAULTS = {\n    # ... existing keys ...\n    "strict": True,\n}\n',
        ('    "skip": 0,\n', '    "skip": 0,\n    "strict": True,\n'),
    ),
    (
        "a.py",
        PY,
        'DEFAULTS = {\n    "quote": "x",\n    ...\n}\n',
        ('    "sep": ";",\n', '    "quote": "x",\n    "sep": ";",\n'),
    ),
    (
        "nested.py",
        NESTED,
        'CONFIG = {\n    "a": {\n        # ...\n        "y": 4,\n    },\n    # ...\n}\n',
        ('"y": 2', '"y": 4'),
    ),
    (
        "urls.py",
        URLS,
        'urlpatterns = [\n    # ...\n    path("c/", See, name="c"),\n    path("d/", D),\n]\n',
        ('("c/", C, name="c"),\n', '("c/", See, name="c"),\n    path("d/", D),\n'),
    ),
    (
        "routes.ts",
        ROUTES,
        "export const routes: Route[] = [\n  // ... existing routes\n"
        '  { path: "/b", component: B, guard: true },\n  { path: "/c", component: C },\n];\n',
        ("component: B },\n", 'component: B, guard: true },\n  { path: "/c", component: C },\n'),
    ),
    (
        "a.go",
        'package a\n\nvar d = map[string]int{\n\t"a": 1,\n\t"b": 2,\n\t"c": 3,\n}\n',
        'var d = map[string]int{\n\t// ...\n\t"b": 5,\n\t// ...\n}\n',
        ('"b": 2', '"b": 5'),
    ),
    (
        "a.kt",
        'val d = mapOf(\n    "a" to 1,\n    "b" to 2,\n    "c" to 3,\n)\n',
        'val d = mapOf(\n    // ...\n    "b" to 5,\n    // ...\n)\n',
        ('"b" to 2', '"b" to 5'),
    ),
    (
        "a.php",
        "<?php\n\nreturn [\n    'host' => 'x',\n    'port' => 80,\n    'retries' => 3,\n];\n",
        "return [\n    // ...\n    'port' => 8080,\n    // ...\n];\n",
        ("80,", "8080,"),
    ),
    (
        "a.rs",
        'const D: [(&str, i32); 3] = [\n    ("a", 1),\n    ("b", 2),\n    ("c", 3),\n];\n',
        'const D: [(&str, i32); 3] = [\n    // ...\n    ("b", 5),\n    // ...\n];\n',
        ('("b", 2)', '("b", 5)'),
    ),
    (
        "a.swift",
        'let d: [String: Int] = [\n    "a": 1,\n    "b": 2\n]\n',
        'let d: [String: Int] = [\n    // ...\n    "c": 3\n]\n',
        ('"b": 2\n', '"b": 2,\n    "c": 3\n'),
    ),
    (
        "a.dart",
        'const routes = {\n  "/a": A(),\n  "/b": B(),\n};\n',
        'const routes = {\n  // ...\n  "/b": Other(),\n  "/c": C(),\n};\n',
        ("B(),\n", 'Other(),\n  "/c": C(),\n'),
    ),
]


@pytest.mark.parametrize(("path", "file", "shown", "change"), ROWS, ids=[row[0] for row in ROWS])
def test_an_entry_is_in_the_place_of_the_one_of_its_name_or_new(
    path: str, file: str, shown: str, change: tuple[str, str]
) -> None:
    answer = f"Change this:\n\n**{path}**\n\n```\n{shown}```\n"
    assert apply_edits({path: file}, answer, accept="all").files[path] == file.replace(*change, 1)


@pytest.mark.parametrize(
    "shown",
    [
        'MISSING = {\n    # ...\n    "encoding": "utf-8-sig",\n    # ...\n}\n',
        'DEFAULTS = {\n    # ...\n    "encoding": "utf-8-sig",\n',
        'DEFAULTS = {\n    # ...\n    "new": {\n        # ...\n        "x": 1,\n    },\n}\n',
    ],
)
def test_what_is_no_entry_of_one_list_is_not_put_there(shown: str) -> None:
    answer = f"Change this:\n\n**a.py**\n\n```python\n{shown}```\n"
    assert apply_edits({"a.py": PY}, answer, accept="all").files["a.py"] == PY
