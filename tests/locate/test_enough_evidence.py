"""What shows that a place is the quoted one although something speaks against it, and what does not."""

from __future__ import annotations

from patchpoint import apply_edit
from patchpoint.outcome import Guard, Outcome


def lines_of(count: int, *more: str) -> str:
    """A text of lines that resemble nothing else, and then `more`."""
    return "".join(f"setting_{n} = load({n * n}, mode={n % 7})\n" for n in range(count)) + "".join(more)


def refused(text: str, search: str, replace: str) -> Outcome:
    outcome = apply_edit(text, search, replace)
    assert outcome.text is None, outcome.text
    return outcome


# New text that is there already

SETTERS = (
    "    @property\n    def norm(self):\n        return self._norm\n\n    @norm.setter\n"
    "    def norm(self, norm):\n        in_init = self.norm is None\n        self._norm = norm\n"
    "        if not in_init:\n            self.changed_norm()\n\n    def set_norm(self, norm):\n        '''\n"
    "        Set the normalization.\n"
    "        '''\n        self.norm = norm\n\n    def scale(self):\n        return self.measured_scale\n"
)


def test_a_new_definition_that_is_there_shows_an_earlier_application() -> None:
    new = "def half_of(number):\n    return number / 2\n\n"
    one = "def one_of(numbers):\n    return numbers[0]\n\n"
    text = lines_of(3, one, "def more():\n    pass\n\n", new)
    search = lines_of(3).replace("mode=2", "mode=3") + one
    assert refused(text, search, search + new).guard is Guard.PARTLY_APPLIED


# Members of a family


def test_a_name_with_a_letter_too_few_is_misspelt_and_not_another_members() -> None:
    needs = "#ifdef NEEDS_HOST_BY_NAME_PARAMS\n\tparams of_host;\n#endif\n\tentry *found;\n"
    text = lines_of(4, needs, "#ifdef UNIX\n")
    search = "setting_3 = load(9, mode=3)\n" + needs.replace("PARAMS", "PARAM")
    outcome = apply_edit(text, search, search.replace("PARAM\n", "PARAM\n\tstart();\n"))
    assert outcome.text == text.replace("PARAMS\n", "PARAMS\n\tstart();\n")


def test_equal_lines_with_others_between_them_and_none_of_their_own_are_not_the_quoted_ones() -> None:
    whole = (
        "    page = read(kind)\n    check(page)\n    log.note(1)\n    check(page, end)\n    page.seek(0)\n\n"
    )
    part = "    page = read(kind)\n    check(page)\n    log.note(2)\n    page.seek(0)\n\n"
    text = lines_of(4, whole, part, lines_of(20), "    check(page, end)\n")
    search = "    page = read(kind)\n    check(page)\n    check(page, end)\n    page.seek(0)\n"
    outcome = refused(text, search, search.replace("page.seek(0)", "page.seek(1)"))
    assert outcome.guard is Guard.NOTHING_OF_ITS_OWN


# Rivals


def test_a_place_with_all_quoted_words_outdoes_one_with_another_word() -> None:
    item = "    call += values(args, of_rest,\n        show=lambda value: '=' + {0}.repr(value))\n"
    item += "\n    marked = (0)\n    marked.add(1)\n"
    text = "def one():\n" + item.format("html") + "\ndef two():\n" + item.format("text")
    search = item.format("html").replace("'='", '"="')
    outcome = apply_edit(text, search, search.replace("add(1)\n", "add(1)\n    marked.close()\n"))
    assert outcome.text == text.replace("add(1)\n", "add(1)\n    marked.close()\n", 1)


def test_the_line_to_be_changed_decides_although_another_is_to_be_deleted_that_is_nowhere() -> None:
    item = "    before = parse(\n        '{0}'\n    )\n    after = ensure_type(\n"
    text = "def one():\n" + item.format("def bar(baz: int, fo: int) -> int: return go") + "    )\n\n"
    text += "def two():\n" + item.format("def bar(baz: int, foo: int) -> int: return foo") + "    )\n"
    line = "        'def bar(baz: int, foo: int) -> int: return foo'\n"
    search = "    before = parse(\n" + line + "    config = target\n    )\n    after = ensure_type(\n"
    replace = search.replace("    config = target\n", "").replace("def bar(", "def bars(")
    assert apply_edit(text, search, replace).text == text.replace(line, line.replace("bar(", "bars("))


def test_a_declaration_that_only_says_where_new_lines_go_may_differ_but_for_its_name() -> None:
    text = lines_of(
        3,
        "class PickleOfLazyObjectTest(TestCase):\n    pass\n",
        "\nclass LazyObjectTest(OtherTestCase):\n    pass\n",
    )
    search = "class PickleOfLazyObjectTest(SimpleTestCase):\n"
    outcome = apply_edit(text, search, "class Category(Model):\n    pass\n\n" + search)
    assert outcome.text == text.replace("class Pickle", "class Category(Model):\n    pass\n\nclass Pickle")
    changed = search.replace("(SimpleTestCase)", "(SlowTestCase)")
    assert refused(text, search, changed).guard is Guard.LITTLE_QUOTED


def test_an_invented_line_that_is_deleted_says_nothing_of_the_place() -> None:
    default = "* Default: false on windows, and true elsewhere,\n"
    text = lines_of(9, "#### `unicode`\n\n", default, "  as it is set\n* Type: Boolean\n")
    invented = "Note: it is what it says and is never anything else.\n"
    search = "#### `unicode`\n\n" + invented + default
    outcome = apply_edit(text, search, search.replace(invented, "") + "  as long as it is set,\n")
    assert outcome.text == text.replace(default, default + "  as long as it is set,\n")


# An earlier version of the edit


def test_lines_that_an_earlier_version_of_the_edit_wrote_give_way_to_the_new_ones() -> None:
    done = "    result = walk(reps)\n    if result.is_comparable:\n        return result\n"
    done += "    else:\n        return None\n"
    text = "def go(reps):\n    reps[one] = 1  # get rid of one\n" + done + "    rest_of_it()\n"
    search = "def go(reps):\n    reps[one] = 1  # get rid of one\n    return walk(reps)\n    rest_of_it()\n"
    new = done.replace("is_comparable", "is_finite is not False")
    outcome = apply_edit(text, search, search.replace("    return walk(reps)\n", new))
    assert outcome.text == text.replace(done, new)
    own = text.replace(
        "        return result\n", "        log_what_nobody_quoted(1)\n        return result\n"
    )
    assert refused(own, search, search.replace("    return walk(reps)\n", new)).reason is not None


def test_an_earlier_version_may_have_more_lines_and_keeps_the_depth_of_the_lines_around_it() -> None:
    head, tail = "def show(poly):\n    name = poly.name\n", "    gens = list(map(show, poly.gens))\n"
    tail += "    return join(name, text, gens)\n"
    earlier = (
        "    parts = []\n    for power, factor in poly.terms():\n        part = ''\n"
        "        if factor != 1:\n            part += show(factor_of(power))\n        parts.append(part)\n"
        "    text = ' + '.join(parts)\n"
    )
    new = (
        "    parts = []\n    for power, factor in poly.terms():\n        part = show(factor_of(power))\n"
        "        if factor == 1:\n            part = ''\n        parts.append(part)\n"
        "    text = ' + '.join(parts)\n"
    )
    search = head + "    text = show(factor_of(poly))\n" + tail
    outcome = apply_edit(head + earlier + tail, search, head + new + tail)
    assert outcome.text == head + new + tail
    own = earlier.replace("        if factor", "        count_what_nobody_quoted(7)\n        if factor")
    assert apply_edit(head + own + tail, search, head + new + tail).text is None


def test_a_comment_that_begins_as_the_new_one_is_an_earlier_version_of_it() -> None:
    comment = "    # if it is not already given {0}\n"
    text = lines_of(3, "if one is self:\n", comment.format("by the caller"), "    extra['name'] = one\n")
    search = lines_of(3, "if one is self:\n    extra['name'] = one\n")
    replace = search.replace("    extra", comment.format("and would not clash") + "    extra")
    assert apply_edit(text, search, replace).text == text.replace("by the caller", "and would not clash")
    other = search.replace("    extra", "    # what the name is for is said elsewhere\n    extra")
    outcome = apply_edit(text, search, other)
    assert outcome.text is None or "by the caller" in outcome.text


def test_a_block_whose_first_line_is_not_there_is_not_taken_off() -> None:
    body = "".join(f"    {word}_of_all(setting)\n" for word in ("first", "second", "third", "fourth"))
    text = "def f():\n    setting = load(1)\n" + body + "    return setting\n"
    search = "    if setting:\n" + body.replace("    ", "        ")
    assert refused(text, search, body.replace("second", "other_second")).guard is Guard.MISSING
    there = text.replace(body, search)
    assert apply_edit(there, search, body).text == text
