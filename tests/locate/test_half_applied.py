"""A place that has part of the edit already gets the rest of it, and nothing twice."""

from __future__ import annotations

import pytest

from patchpoint import apply_edit
from patchpoint.outcome import Guard

HEAD = "import settings\n\nlimit = settings.read('limit')\n\n\n"
TAIL = "\n\ndef last(thing):\n    return thing.finish(limit)\n"
OLD = (
    "def load(path):\n    text = read(path)\n    if not text:\n        return None\n"
    "    data = parse(text)\n    check(data)\n    return data\n"
)
NEW = (
    "def load(path):\n    text = read(path, encoding='utf-8')\n    if not text:\n"
    "        raise EmptyError(path)\n    data = parse(text)\n"
    "    data.path = path\n    note(path)\n    return data\n"
)


def written(place: str, search: str, replace: str) -> str | None:
    """The text between head and tail after the edit; `None` if it is refused."""
    text = apply_edit(HEAD + place + TAIL, search, replace).text
    return None if text is None else text.removeprefix(HEAD).removesuffix(TAIL)


@pytest.mark.parametrize(
    "made",
    [
        [("read(path)", "read(path, encoding='utf-8')")],
        [("return None", "raise EmptyError(path)")],
        [("    check(data)\n", "    data.path = path\n    note(path)\n")],
        [("read(path)", "read(path, encoding='utf-8')"), ("    check(data)\n", "    note(path)\n")],
        [("    check(data)\n", "    check(data)\n    data.path = path\n")],
    ],
)
def test_the_rest_of_an_edit_is_made_where_part_of_it_has_been(made: list[tuple[str, str]]) -> None:
    place = OLD
    for one, other in made:
        place = place.replace(one, other)
    assert written(place, OLD, NEW) == NEW


def test_a_line_that_is_neither_old_nor_new_is_not_lost() -> None:
    place = OLD.replace("    check(data)\n", "    check(data)\n    data.path = path\n    count_them(data)\n")
    assert "count_them" in (written(place, OLD, NEW) or place)


def test_a_line_that_the_edit_keeps_and_the_file_lacks_is_not_written() -> None:
    place = OLD.replace("return None", "raise EmptyError(path)").replace("    data = parse(text)\n", "")
    assert "parse" not in (written(place, OLD, NEW) or place)


def test_new_lines_that_go_on_below_are_not_written_twice() -> None:
    start = "def solve(polys, gens):\n    polys = parse_all(polys, gens)\n    log.debug(polys)\n"
    new = "    total = count(polys) - 1\n    check_all(total)\n    note_of_all(total)\n    again(total)\n"
    place = start + new + "    total = count(polys) + 1\n    return total\n"
    search = start + "    total = count(polys) + 1\n"
    replace = start + new + "    left = total\n"
    assert written(place, search, replace) in (None, replace + "    return total\n")


def test_a_new_line_that_is_right_below_the_place_is_not_written_above_it() -> None:
    search = "def load(path):\n    text = read(path)\n    check(txt)\n"
    replace = search + "    note(path)\n    data = parse(text, strict=True)\n    data.path = path.resolve()\n"
    place = search.replace("txt", "text") + "    note(path)\n    return data\n"
    assert apply_edit(HEAD + place + TAIL, search, replace).guard is Guard.PARTLY_APPLIED


def test_the_end_of_a_new_block_is_not_put_above_an_old_one() -> None:
    start = (
        "def first_of(x, dx):\n    # only the first is used, so that the\n    # others need not be added\n"
    )
    start += "    try:\n        x = first_finite(x)\n"
    search = start + "    except (TypeError, KeyError):\n        pass\n"
    replace = start + "    except (TypeError, KeyError, EndError):\n        # skip it\n        return x\n"
    place = replace.replace("# skip it", "# as the first one").replace("return x", "return convert(dx)")
    assert written(place, search, replace) in (None, replace)


def test_a_blank_line_at_the_end_of_the_place_is_no_part_of_it() -> None:
    place = OLD.replace("return None", "raise EmptyError(path)").replace(
        "    return data\n", "\n    return data\n"
    )
    search, replace = (text.replace("    return data\n", "\n") for text in (OLD, NEW))
    wanted = NEW.replace("    return data\n", "\n    return data\n")
    assert written(place, search, replace) == wanted


def test_a_line_at_the_edge_that_is_gone_takes_no_other_line_with_it() -> None:
    place = (
        "def report(name, ctx, part):\n    :param part: The part that is asking for it.\n"
        "    :param name: The name of it all, which is shown.\n    :return: What was made of the parts.\n"
    )
    search = "    :param ctx: The context that it is for.\n" + "".join(place.splitlines(keepends=True)[2:])
    replace = search.replace("    :param ctx: The context that it is for.\n", "").replace("made", "left")
    assert written(place, search, replace) is None


def test_another_key_at_the_edge_is_not_deleted_for_one_that_is_gone() -> None:
    place = "    Name.Class: 'bold #7E7E7E',\n    Name.Exception: '#575757',\n    Name.Variable: '#9A9A9A',\n"
    search = place.replace("Name.Class", "Name.Glass") + "    Name.Constant: '#A5A5A5',\n"
    place += "    Name.Constant: '#A5A5A5',\n"
    assert written(place, search, search.replace("    Name.Glass: 'bold #7E7E7E',\n", "")) is None


def test_a_line_is_not_deleted_for_being_where_another_was_quoted() -> None:
    search = OLD.replace("    check(data)\n", "    count = 3\n")
    assert written(OLD, search, search.replace("    count = 3\n", "")) is None


def test_a_line_beyond_others_that_nobody_quoted_is_not_deleted() -> None:
    place = (
        "    solve(first_of_all, second_of_all)\n    if free:\n        free = one_by_one(second_of_all)\n"
        "    else:\n        left = []\n        free = []\n    return free\n"
    )
    search = place.partition("    else:")[0] + "        left = []\n"
    replace = search.replace("        left = []\n", "").replace("solve(first", "solve_all(first")
    assert written(place, search, replace) is None


def test_a_long_line_that_is_nowhere_else_is_deleted_beyond_a_comment() -> None:
    line = ".slide table.docinfo {margin: 0.5em 0 0.5em 1em; padding: 0;}\n"
    place = (
        ".animation {position: relative;}\n.animation img {position: absolute;}\n/* the slides */\n" + line
    )
    search = place.replace("/* the slides */\n", "")
    assert written(place, search, search.replace(line, "")) == place.replace(line, "")


def test_a_line_at_the_edge_that_is_changed_already_is_not_changed_beyond() -> None:
    start = "        raise NotThereError\n"
    rest = "    url = self.url_of(path)\n    self.note_of_all(url)\n    return url.of(path)\n"
    search = start + rest
    replace = search.replace("NotThereError", "MissingError").replace("path)\n    self", "path, 1)\n    self")
    place = "    if last:\n" + start + "    if not path:\n        raise MissingError\n" + rest
    assert written(place, search, replace) is None


def test_a_misquoted_line_is_not_deleted_next_to_lines_that_nobody_quoted() -> None:
    start = "def text(self):\n    first = self.first\n"
    rest = "    return self.last_of_all\n"
    line = "    other = self.output.decode(self.charset)\n"
    place = start + "    note(first)\n" + line.replace("output", "errors") + rest
    assert written(place, start + line + rest, start + rest) is None


@pytest.mark.parametrize(
    ("old", "unquoted", "new"),
    [
        ("    seed, back = seeder(path)\n", "    seed()\n", "    seed, back_of_all = seeder(path)\n"),
        (
            "    # either before the release or after\n",
            "    # before the release\n",
            "    # either before the next release or after the release\n",
        ),
    ],
)
def test_a_short_line_below_is_not_taken_for_the_beginning_of_a_new_one(
    old: str, unquoted: str, new: str
) -> None:
    start, rest = (
        "def run(path):\n    note(path)\n    check(path)\n",
        "    finish_all(path)\n    return path\n",
    )
    place = start + old + unquoted + rest
    wanted = written(place, start + old + rest, start + new + rest)
    assert wanted in (None, place.replace(old, new))
