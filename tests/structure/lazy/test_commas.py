"""What comes behind the last element of a list has a comma above it."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

LISTS = {
    "a table": (
        "a.sql",
        "CREATE TABLE orders (\n    id INTEGER,\n    at TIMESTAMP NOT NULL\n);\n",
        "CREATE TABLE orders (\n    -- ... existing columns ...\n    note TEXT\n);\n",
        "CREATE TABLE orders (\n    id INTEGER,\n    at TIMESTAMP NOT NULL,\n    note TEXT\n);\n",
    ),
    "a view": (
        "a.sql",
        "CREATE VIEW v AS\nSELECT\n    id,\n    name\nFROM items;\n",
        "CREATE VIEW v AS\nSELECT\n    -- ... existing columns ...\n    upper(name) AS label\nFROM items;\n",
        "CREATE VIEW v AS\nSELECT\n    id,\n    name,\n    upper(name) AS label\nFROM items;\n",
    ),
    "a list that has its last comma before a remark": (
        "a.ts",
        "export const all = [\n  'a', // one\n  'b', // two\n];\n",
        "export const all = [\n  // ... existing code ...\n  'c',\n];\n",
        "export const all = [\n  'a', // one\n  'b', // two\n  'c',\n];\n",
    ),
    "a list of texts that look like remarks": (
        "a.sql",
        "CREATE TABLE t (\n    a TEXT DEFAULT ' --',\n    b TEXT DEFAULT 'x -- y'\n);\n",
        "CREATE TABLE t (\n    -- ... existing columns ...\n    c TEXT\n);\n",
        "CREATE TABLE t (\n    a TEXT DEFAULT ' --',\n    b TEXT DEFAULT 'x -- y',\n    c TEXT\n);\n",
    ),
    "an enum": (
        "a.ts",
        "export enum Kind {\n  Small,\n  Large\n}\n",
        "export enum Kind {\n  // ... existing code ...\n  Huge,\n}\n",
        "export enum Kind {\n  Small,\n  Large,\n  Huge,\n}\n",
    ),
}


@pytest.mark.parametrize("kind", LISTS)
def test_a_new_last_element_has_a_comma_before_it(kind: str) -> None:
    path, file, shown, wanted = LISTS[kind]
    answer = f"**{path}**\n\n```\n{shown}```\n"
    assert apply_edits({path: file}, answer, accept="all").files[path] == wanted


def test_nothing_is_made_where_it_would_lack_one() -> None:
    file = "CREATE TABLE orders (\n    id INTEGER, -- a key\n    at TIMESTAMP -- when it came\n);\n"
    shown = "CREATE TABLE orders (\n    -- ... existing columns ...\n    note TEXT, -- ours\n);\n"
    answer = f"**a.sql**\n\n```\n{shown}```\n"
    assert apply_edits({"a.sql": file}, answer, accept="all").files["a.sql"] == file


def test_statements_have_none() -> None:
    file = "def run():\n    call(\n        1,\n    )\n    stop()\n"
    answer = "**a.py**\n\n```python\ndef run():\n    # ... existing code ...\n    log()\n```\n"
    result = apply_edits({"a.py": file}, answer, accept="all").files["a.py"]
    assert result in (file, file + "    log()\n")
