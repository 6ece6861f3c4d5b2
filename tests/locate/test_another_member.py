"""A block that is gone is not looked for in its twin: what tells that from lines that were misquoted."""

from __future__ import annotations

import pytest

from patchpoint import apply_edit
from patchpoint.outcome import Guard, Look

HEAD = "import settings\n\nlimit = settings.read('limit')\n\n\n"
TAIL = "\n\ndef last(thing):\n    return thing.finish(limit)\n"


def guard_of(place: str, search: str, replace: str) -> Guard | None:
    """What rejects the edit in a text with that place; `None` if it is written."""
    outcome = apply_edit(HEAD + place + TAIL, search, replace)
    assert (outcome.guard is None) == (outcome.reason is None)
    return outcome.guard


def test_two_lines_with_other_names_of_the_file_are_another_members() -> None:
    known = "class Codec:\n    load_table = store_table = None\n\n\n"
    place = (
        "def save(self, table):\n    path = self.folder / table.name\n    self.check(path)\n"
        "    self.store_table(path)\n    log.debug(store_table, path)\n"
    )
    search = place.replace("store_table", "load_table")
    replace = search.replace("self.check(path)", "self.check(path, deep=True)")
    assert guard_of(known + place, search, replace) is Guard.ANOTHER_MEMBER
    assert guard_of(place, search, replace) is None


def test_names_without_the_quotes_that_they_were_quoted_with_are_another_list() -> None:
    place = "from system import (\n    describe_release,\n    release_info,\n    short_version,\n)\n"
    search = '    "describe_release",\n    "release_info",\n    "short_version",\n'
    replace = search.replace('"short_version"', '"short_version",\n    "version_parts"')
    assert guard_of(place, search, replace) is Guard.ANOTHER_MEMBER


@pytest.mark.parametrize("differs", [("'croc'", "'dee'"), ("17", "71")])
def test_two_other_values_are_another_members(differs: tuple[str, str]) -> None:
    place = (
        f"    name = 'Croc'\n    alias = {differs[0]}\n"
        "    lexer = regex_lexer(flags_of_all)\n    flags = multiline\n"
    )
    search = place.replace("Croc", "Dee").replace(*differs)
    replace = search.replace("flags = multiline", "flags = multiline | dotall")
    assert guard_of(place, search, replace) is Guard.ANOTHER_MEMBER
    one_slip = place.replace("Croc", "Dee")
    assert guard_of(place, one_slip, one_slip.replace("flags = multiline", "flags = dotall")) is None


def test_a_word_that_is_another_throughout_makes_one_value() -> None:
    place = (
        "    read('alpha.first')\n    read('alpha.second')\n    read_all(of=every_one)\n    stop_reading()\n"
    )
    search = place.replace("alpha", "betamax")
    replace = search.replace("stop_reading()", "stop_reading(now)")
    assert guard_of(place, search, replace) is None


def test_one_line_of_its_own_is_outnumbered_by_two_that_are_not_as_quoted() -> None:
    place = (
        "def pick(self, among):\n    first = self.first_of(among)\n"
        "    chosen = self.chosen_from(self.items, order=self.order)\n    return chosen.value\n"
    )
    search = place.removeprefix("def pick(self, among):\n")
    search = search.replace("first = self.first_of(among)", "spare = self.other_of(among, 1)")
    search = search.replace("value", "weight")
    replace = search.replace("self.order", "self.order_of_all")
    assert guard_of(place, search, replace) is Guard.ANOTHER_MEMBER


def test_text_that_goes_on_otherwise_at_the_edge_is_anothers() -> None:
    place = (
        "def enter(self):\n    self.lock.acquire()\n\n\n"
        "def leave(self, kind, value):\n    self.lock.release(kind)\n    self.count -= value\n"
    )
    search = (
        "    return self.gate_of_all\n\n\ndef leave(self, kind, value):\n    self.lock.release(kind)\n"
        "    self.count -= value\n"
    )
    replace = search.replace("self.count -= value", "self.count -= value + 1")
    assert guard_of(place, search, replace) is Guard.ANOTHER_MEMBER


def test_one_more_backslash_makes_no_other_word() -> None:
    rows = "".join(f"  row {n} of {word}\\n\\\n" for n, word in enumerate(("these", "those", "them", "all")))
    place = "def table():\n    text = drawn_by_hand(r'\\\n" + rows + "')\n    return text\n"
    search = "    text = drawn_by_hand(r'\\\n" + rows.replace("\\n\\\n", "\n") + "')\n"
    replace = search.replace("drawn_by_hand", "drawn_by_machine")
    assert guard_of(place, search, replace) is None


@pytest.mark.parametrize("other", ["", 'def name(cart):\n    return f"{cart.owner}"\n\n\n'])
def test_a_short_name_for_which_the_file_has_another_throughout_is_a_misquotation(other: str) -> None:
    place = "def load(path):\n    with open(path) as file:\n        return Cart(json.load(file))\n"
    search = place.replace("file", "f")
    replace = search.replace("open(path)", "open(path, encoding='utf-8')")
    assert guard_of(other + place, search, replace) is None


def test_a_short_name_that_the_file_has_is_anothers() -> None:
    known = "def dump(cart, path):\n    with open(path, 'w') as f:\n        json.dump(cart, f)\n\n\n"
    place = "def load(path):\n    with open(path) as file:\n        return Cart(json.load(file))\n"
    search = place.replace("file", "f")
    replace = search.replace("json.load", "json.read")
    assert guard_of(known + place, search, replace) is Guard.ANOTHER_MEMBER


def test_another_truth_value_is_another_members() -> None:
    place = (
        "    expect_false(info.has_crunch)\n    expect_false(info.has_thumb)\n"
        "    expect_true(info.has_table)\n    expect_false(info.has_divider)\n"
    )
    search = place.replace("expect_true", "expect_false")
    replace = search.replace("has_thumb)", "has_thumb, 1)")
    assert guard_of(place, search, replace) is Guard.ANOTHER_MEMBER
    assert guard_of(place, place, place.replace("has_thumb)", "has_thumb, 1)")) is None


def test_a_line_that_is_skipped_and_equal_to_the_one_that_changes_may_be_the_one_meant() -> None:
    hosts = "".join(
        f"[{name}]\nhost = {name}.example.com\nport = {port}\ntimeout = 30\n\n"
        for name, port in (("brook", 80), ("north", 8080), ("vale", 443))
    )
    search = "[brook]\nhost = brook.example.com\nport = 80\nheath = 8080\ntimeout = 30\n"
    outcome = apply_edit(hosts, search, search.replace("30", "37"))
    assert outcome.guard is Guard.ELSEWHERE


def test_a_row_of_another_name_behind_one_that_nobody_quoted_is_another_row() -> None:
    rows = '    ("slate", 0, True),\n    ("acorn", 6, False),\n    ("north_yarrow", 9, True),\n'
    search = '    ("slate", 0, True),\n    ("umber_ochre", 9, True),\n'
    assert guard_of(f"rows = [\n{rows}]\n", search, search.replace("9", "15")) is Guard.ANOTHER_MEMBER


@pytest.mark.parametrize(
    ("rows", "gone", "new"),
    [
        (
            "#define BITS_PER_INT     32\n#define BITS_PER_LONG    64\n#define BITS_PER_DOUBLE  64\n"
            "#define BITS_PER_WORD    64\n",
            "#define BITS_PER_FLOAT   32\n",
            "#define BITS_PER_FLOAT   16\n",
        ),
        (
            "patreon: # Replace with a single Patreon username\nopen_collective: # Replace with a name\n"
            "ko_fi: # Replace with a single Ko-fi username\nliberapay: # Replace with a single name\n",
            "tidelift: # Replace with a single Tidelift username\n",
            "tidelift: rowan # a single Tidelift username\n",
        ),
    ],
)
def test_a_row_that_is_gone_is_not_the_row_in_its_place(rows: str, gone: str, new: str) -> None:
    lines = rows.splitlines(keepends=True)
    search = "".join([*lines[:2], gone, lines[3]])
    for other in (new, gone + new):
        guard = guard_of(rows, search, search.replace(gone, other))
        assert guard is not None
        assert guard.look is Look.MEMBER
    there = rows.replace(lines[2], gone)
    assert guard_of(there, search, search.replace(gone, new)) is None


def test_a_misquoted_row_that_is_much_nearer_to_the_files_than_to_its_neighbours_is_that_row() -> None:
    rows = "ports:\n  - web: 8080 # the public one\n  - database: 5432 # inside only\n  - cache: 6379\n"
    search = rows.replace("public one", "open one")
    assert guard_of(rows, search, search.replace("8080", "8081")) is None


@pytest.mark.parametrize(
    ("header", "other"),
    [
        ("service Publisher {", "service Subscriber {"),
        ("[testenv:docs]", "[testenv:build]"),
        ("CREATE TABLE IF NOT EXISTS parcels (", "CREATE TABLE IF NOT EXISTS letters ("),
        ('resource "bucket" "parcels" {', 'resource "bucket" "letters" {'),
        ("INCS_Debug := \\", "INCS_Release := \\"),
        (r"\subsection{Parcels}", r"\subsection{Letters}"),
        ('TEST_CASE("full name", "[names]")', 'TEST_CASE("short name", "[names]")'),
        ("client.on('established', (info) => {", "client.on('bound', (info) => {"),
        ('@router.get("/parcels")', '@router.get("/letters")'),
    ],
)
def test_the_body_of_another_name_is_anothers(header: str, other: str) -> None:
    body = "    option one, two, the first\n    option three, four, the second\n    last of them all\n"
    search = f"{header}\n{body}"
    replace = search.replace("the first", "the best")
    assert guard_of(f"{other}\n{body}", search, replace) is Guard.OTHER_NAME
    assert guard_of(f"{header}\n{body}", search, replace) is None


def test_a_first_or_last_line_that_is_nothing_like_the_files_is_not_there() -> None:
    notice = (
        "# Copyright of all who wrote it\n#\n"
        '# Licensed under the Apache License, Version 2.0 (the "License");\n'
        "# You may obtain a copy of the License at\n#\n#     www.apache.org/licenses/LICENSE-2.0\n"
    )
    gone = "# you may not use this file except in compliance with the License.\n"
    search = "".join([*notice.splitlines(keepends=True)[:3], gone])
    assert guard_of(notice, search, search.replace("you may", "nobody may")) is Guard.ANOTHER_MEMBER
