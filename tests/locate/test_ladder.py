"""What each rung tolerates, in the order of the ladder, and that a stricter find always comes first."""

from __future__ import annotations

import pytest

from patchpoint import Ladder, apply_edit
from patchpoint.locate.evidence.names import declared_name
from patchpoint.outcome import Rung, Status

CLASS = """\
class Basket:
    def __init__(self):
        self.items = []

    def total(self):
        amount = 0
        for item in self.items:
            amount += item.price
        return amount
"""


def test_a_search_that_occurs_once_is_replaced_and_nothing_else_changes() -> None:
    outcome = apply_edit("a = 1\nb = 2\nc = 3\n", "b = 2", "b = 20")
    assert (outcome.status, outcome.rung, outcome.similarity) == (Status.APPLIED, Rung.EXACT, 1.0)
    assert outcome.text == "a = 1\nb = 20\nc = 3\n"
    assert outcome.span == (6, 11)
    assert outcome.new_span == (6, 12)


def test_the_change_is_as_small_as_can_be() -> None:
    outcome = apply_edit(
        CLASS, "        amount = 0\n        for item", "        amount = 100\n        for item"
    )
    assert [(splice.end - splice.start, splice.text) for splice in outcome.splices] == [(0, "10")]


def test_text_that_occurs_twice_is_ambiguous_and_both_places_are_listed() -> None:
    outcome = apply_edit("x = 1\ny = 2\nx = 1\n", "x = 1\n", "x = 3\n")
    assert outcome.status is Status.AMBIGUOUS
    assert outcome.text is None
    assert [candidate.line for candidate in outcome.candidates] == [1, 3]


def test_the_last_line_is_a_place_without_its_ending_as_well() -> None:
    text = "x = 1\ny = 2\nx = 1"
    outcome = apply_edit(text, "x = 1\n", "x = 3\n")
    assert outcome.status is Status.AMBIGUOUS
    assert [candidate.span for candidate in outcome.candidates] == [(0, 6), (12, 17)]
    assert apply_edit(text, "y = 2\nx = 1\n", "y = 3\nx = 1\n").text == "x = 1\ny = 3\nx = 1"
    # The end of a line is no line.
    assert apply_edit("x = 1\nmax = 1", "x = 1\n", "x = 3\n").text == "x = 3\nmax = 1"


def test_occurrences_that_overlap_count() -> None:
    assert apply_edit("aaa", "aa", "b").status is Status.AMBIGUOUS


def test_a_part_of_a_line_is_found_exactly() -> None:
    assert apply_edit("total = price * count\n", "price * count", "price").text == "total = price\n"


@pytest.mark.parametrize(
    ("text", "search"),
    [
        ("a = 1  \nb = 2\n", "a = 1\nb = 2\n"),
        ("a = 1\nb = 2\n", "a = 1 \nb = 2\t\n"),
        ("a = 1\nb = 2\n", "\n\na = 1\nb = 2\n\n"),
        ("a = 1\n\nb = 2\n", "a = 1\nb = 2\n"),
        ("a = 1\nb = 2", "a = 1\nb = 2\n"),
    ],
)
def test_trailing_white_space_and_blank_lines_make_no_difference(text: str, search: str) -> None:
    replace = "\n".join(line.rstrip() for line in search.split("\n")).replace("b = 2", "b = 3")
    outcome = apply_edit(text, search, replace)
    assert outcome.rung is Rung.WHITESPACE
    assert outcome.text == text.replace("b = 2", "b = 3")


def test_a_block_quoted_one_tab_too_shallow_is_found_and_put_back_at_its_depth() -> None:
    text = "func f() {\n\tif ok {\n\t\tgo a()\n\t\tgo b()\n\t}\n}\n"
    outcome = apply_edit(text, "\tgo a()\n\tgo b()\n", "\tgo a()\n\tif again {\n\t\tgo c()\n\t}\n\tgo b()\n")
    assert outcome.rung is Rung.INDENTATION
    expected = "func f() {\n\tif ok {\n\t\tgo a()\n\t\tif again {\n\t\t\tgo c()\n\t\t}\n\t\tgo b()\n\t}\n}\n"
    assert outcome.text == expected


def test_spaces_quoted_for_tabs_become_tabs_again() -> None:
    text = "int f() {\n\tfor (;;) {\n\t\tstep();\n\t}\n}\n"
    search = "    for (;;) {\n        step();\n    }\n"
    replace = "    for (;;) {\n        step();\n        if (done()) {\n            break;\n        }\n    }\n"
    outcome = apply_edit(text, search, replace)
    assert outcome.text == (
        "int f() {\n\tfor (;;) {\n\t\tstep();\n\t\tif (done()) {\n\t\t\tbreak;\n\t\t}\n\t}\n}\n"
    )


def test_two_spaces_quoted_for_four_become_four_again() -> None:
    search = "  def total(self):\n    amount = 0\n    for item in self.items:\n"
    replace = search.replace("    for", "    if not self.items:\n      return 0\n    for")
    outcome = apply_edit(CLASS, search, replace)
    assert outcome.text is not None
    assert "        if not self.items:\n            return 0\n        for item" in outcome.text


def test_a_first_line_quoted_without_its_indentation_keeps_the_rest_at_its_depth() -> None:
    outcome = apply_edit(CLASS, "amount = 0\n", "amount = 0\nseen = set()\n")
    assert outcome.text is not None
    assert "        amount = 0\n        seen = set()\n        for" in outcome.text


def test_lines_new_to_the_replacement_take_the_depth_of_their_neighbours_in_uneven_code() -> None:
    text = "a:\n    b:\n            c\n    d\n"
    outcome = apply_edit(text, "a:\n  b:\n    c\n  d\n", "a:\n  b:\n    c\n    e\n  d\n")
    assert outcome.text == "a:\n    b:\n            c\n            e\n    d\n"


@pytest.mark.parametrize(
    ("there", "quoted"),
    [
        ("say(“hello”)", 'say("hello")'),
        ('say("hello")', "say(“hello”)"),
        ("# a – b — c", "# a - b - c"),
        ("x = 1\u00a0+ 2", "x = 1 + 2"),
        ("wait…", "wait..."),
        ("f（a，b）", "f(a,b)"),
        ("caf\u0065\u0301", "caf\u00e9"),
        ("zero\u200bwidth", "zerowidth"),
    ],
)
def test_look_alike_characters_compare_equal(there: str, quoted: str) -> None:
    outcome = apply_edit(f"start\n{there}\nend\n", f"start\n{quoted}\n", f"start\n{quoted}\nmore\n")
    assert outcome.rung is Rung.UNICODE
    assert outcome.text == f"start\n{there}\nmore\nend\n"


def test_several_whole_lines_do_not_end_within_a_line_of_a_text_that_is_not_ascii() -> None:
    there = "say(“one”)\nif (ready) {\n\tstart_the_engine();\n}  // done\n"
    search = "if (ready) {\n\tstart_the_engine();\n}\n"
    replace = "if (ready) {\n\tstop_the_engine();\n}  // done\n"
    outcome = apply_edit(there, search, replace)
    assert outcome.text in (None, there.replace("start", "stop"))


def test_a_part_of_a_line_in_other_quotes_is_found() -> None:
    outcome = apply_edit("print(“one”, “two”)  # x\n", 'print("one", "two")', 'print("one")')
    assert outcome.rung is Rung.UNICODE
    assert outcome.text == "print(“one”)  # x\n"


@pytest.mark.parametrize(
    "search",
    [
        "```python\n        amount = 0\n        for item in self.items:\n```\n",
        "  6 |         amount = 0\n  7 |         for item in self.items:\n",
        "     6→        amount = 0\n     7→        for item in self.items:\n",
        "6\t        amount = 0\n7\t        for item in self.items:\n",
        "L6:         amount = 0\nL7:         for item in self.items:\n",
        ">         amount = 0\n>         for item in self.items:\n",
        "        amount = 0\\n        for item in self.items:",
    ],
)
def test_what_copying_adds_is_taken_off(search: str) -> None:
    replace = search.replace("amount = 0", "amount = 1")
    outcome = apply_edit(CLASS, search, replace)
    assert outcome.rung is Rung.TRANSCRIPTION
    assert outcome.text == CLASS.replace("amount = 0", "amount = 1")


def test_entities_are_read_in_the_search_and_kept_out_of_the_file() -> None:
    outcome = apply_edit("if a && b:\n    go()\n", "if a &amp;&amp; b:", "if a &amp;&amp; c:")
    assert outcome.text == "if a && c:\n    go()\n"


def test_a_replacement_without_the_noise_of_the_search_is_written_as_it_is() -> None:
    outcome = apply_edit('say("a")\n', 'say(\\"a\\")', 'say("a\\n")')
    assert outcome.text == 'say("a\\n")\n'


@pytest.mark.parametrize("dots", ["...", "# ...", "# ... rest of the method ...", "…"])
def test_a_line_of_dots_replaces_the_lines_it_skips(dots: str) -> None:
    search = f"    def total(self):\n        {dots}\n        return amount\n"
    replace = f"    def total(self, tax):\n        {dots}\n        return amount + tax\n"
    outcome = apply_edit(CLASS, search, replace)
    assert outcome.rung is Rung.ELISION
    assert outcome.text == CLASS.replace("total(self)", "total(self, tax)").replace(
        "return amount", "return amount + tax"
    )


def test_dots_that_the_replacement_drops_never_delete_what_they_skip() -> None:
    search = "    def total(self):\n        ...\n        return amount\n"
    outcome = apply_edit(CLASS, search, "    def total(self):\n        return amount\n")
    assert outcome.text is None


def test_dots_whose_pieces_fit_in_two_ways_are_ambiguous() -> None:
    text = "def f():\n    a()\n    return 1\n    b()\n    return 1\n"
    search = "def f():\n    ...\n    return 1\n"
    assert apply_edit(text, search, search.replace("1", "2")).text is None


def test_dots_whose_pieces_fit_in_two_ways_are_ambiguous_wherever_the_change_is() -> None:
    text = "def f():\n    a()\n    return 1\n    b()\n    return 1\n"
    search = "def f():\n    ...\n    return 1\n"
    assert apply_edit(text, search, search.replace("f()", "f(x)")).status is Status.AMBIGUOUS


@pytest.mark.parametrize(
    ("text", "search"),
    [
        (
            "def a():\n    start()\n    close()\n\n\ndef b():\n    start()\n    close()\n\n\ndef c():\n",
            "    start()\n    # ...\ndef c():\n",
        ),
        (
            '{\n  "dev": {\n    "start()": 3\n  },\n  "test": {\n    "start()": 3\n  },\n  "prod": {}\n}\n',
            '    "start()": 3\n    ...\n  "prod": {}\n',
        ),
    ],
)
def test_dots_below_a_line_that_is_there_twice_are_ambiguous(text: str, search: str) -> None:
    outcome = apply_edit(text, search, search.replace("start()", "begin()"))
    assert outcome.status is Status.AMBIGUOUS


def test_a_call_that_a_formatter_wrapped_is_found() -> None:
    text = "value = compute(\n    first,\n    second,\n)\nprint(value)\n"
    outcome = apply_edit(text, "value = compute(first, second)\n", "value = compute(first, third)\n")
    assert outcome.rung is Rung.TOKENS
    assert outcome.text == text.replace("second", "third")


def test_words_never_run_together_on_the_token_rung() -> None:
    assert apply_edit("returnvalue_of_it\n", "return value_of_it\n", "x\n").rung is not Rung.TOKENS


def test_a_misquoted_block_is_found_by_similarity_and_asks_for_confirmation() -> None:
    search = CLASS[CLASS.index("        amount = 0") :].replace("item ", "thing ").replace("item.", "thing.")
    outcome = apply_edit(CLASS, search, search.replace("amount = 0", "amount = 1"))
    assert outcome.rung is Rung.SIMILARITY
    assert outcome.needs_confirmation
    assert outcome.text == CLASS.replace("amount = 0", "amount = 1")


def test_two_places_nearly_as_similar_are_ambiguous() -> None:
    block = "def {0}(self):\n    value = self.read('{0}')\n    self.check(value)\n    return value\n\n"
    text = block.format("height") + block.format("weight")
    search = block.format("eight").rstrip("\n") + "\n"
    outcome = apply_edit(text, search, search.replace("return value", "return int(value)"))
    assert outcome.text is None


def test_a_one_line_search_never_takes_a_line_that_only_resembles_it() -> None:
    text = "def show(x):\n    s = repr(x)\n    t = str(x)\n    return s\n"
    assert apply_edit(text, "    u = repr(y)\n", "    u = ascii(y)\n").text is None


def test_another_declared_name_is_another_place() -> None:
    text = CLASS + "\n\ndef report(basket):\n    print(basket)\n"
    search = CLASS.replace("def total(self)", "def weight(self)")
    outcome = apply_edit(text, search, search.replace("amount = 0", "amount = 1"))
    assert outcome.text is None
    assert outcome.candidates
    assert outcome.message.endswith("It declares total; the search text declares weight.")
    assert outcome.message in outcome.feedback


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("# the function behaviour here", None),
        ("    // class Order is drawn first", None),
        ('    """Dispatch to the view function behaviour."""', None),
        ("    Subclasses override the view function behaviour here.", None),
        (" * an object literal", None),
        ("def behaviour(self):", "behaviour"),
        ("#[derive(Debug)] struct Order {", "Order"),
        ("    this.render = function draw() {", "draw"),
        ("impl Display for Order {", "Display"),
    ],
)
def test_only_code_declares_a_name(line: str, name: str | None) -> None:
    assert declared_name(line) == name


TWIN_FUNCTIONS = {
    "C": "static int {}(Object *self, Object *part) {{\n    int end = length_of(self);\n"
    "    if (is_tuple(part)) {{\n        return each_of(self, part, end);\n    }}\n    return 0;\n}}\n",
    "Java": "    public List<String> {}(int first) {{\n        var names = read(first);\n"
    "        names.sort();\n        return names;\n    }}\n",
    "JavaScript": "  async {}(request, response) {{\n    const user = await find(request);\n"
    "    response.render(user);\n    return user;\n  }}\n",
    "a constant function": "export const {} = async (request) => {{\n  const user = await find(request);\n"
    "  user.save();\n  return user;\n}};\n",
    "Kotlin": "    fun {}(first: Int): Names {{\n        val names = read(first)\n        names.sort()\n"
    "        return names\n    }}\n",
    "a test macro": "TEST(TextTest, {}) {{\n  auto info = read_all(first);\n  EXPECT(info.first);\n"
    "  EXPECT(info.last);\n}}\n",
    "a prototype": "extern struct text *{}(struct source *from, int length);\n/* how long it is (bytes) */\n"
    "long length_of(struct text *one);\n",
    "Lua": "function M.{}(first)\n  local names = read_all(first)\n  names:sort(1)\n  return names\nend\n",
    "Ruby": "  def self.{}(first)\n    names = read(first)\n    names.sort\n    names.uniq\n  end\n",
}


@pytest.mark.parametrize("function", TWIN_FUNCTIONS.values(), ids=TWIN_FUNCTIONS)
def test_a_function_of_another_name_is_another_place_in_any_language(function: str) -> None:
    text = "// what the file begins with\n\n" + function.format("text_decode") + "\nthe_end()\n"
    search = function.format("text_encode")
    changed = search.splitlines(keepends=True)
    changed[2] = changed[2].replace("(", "_again(", 1) if "(" in changed[2] else changed[2][:-1] + "_again\n"
    assert apply_edit(text, search, "".join(changed)).text is None
    there = apply_edit(text.replace("text_decode", "text_encode"), search, "".join(changed))
    assert there.text is not None


def test_only_a_comment_that_is_not_there_leaves_a_place_with_a_line_of_its_own() -> None:
    twin = "    def test_{}(self):\n        dist = self.create_dist()[1]\n        cmd = install(dist)\n"
    text = (
        twin.format("options") + "        cmd.finish()\n\n" + twin.format("bytes") + "        cmd.compile()\n"
    )
    line = "    def test_options(self):\n"
    search = (
        line + "        dist = self.create_dist()[1]\n        # as it says\n        cmd = install(dist)\n"
    )
    outcome = apply_edit(text, search, search.replace("test_options", "test_all_options"))
    assert outcome.text == text.replace("test_options", "test_all_options")
    other = search.replace("        # as it says\n", "        dist.show(1)\n")
    assert apply_edit(text, other, other.replace("test_options", "test_all_options")).text is None


def test_a_line_to_be_changed_that_is_not_there_is_not_guessed() -> None:
    search = CLASS.replace(
        "        self.items = []\n", "        self.items = []\n        self.owner = nobody\n"
    )
    outcome = apply_edit(CLASS, search, search.replace("nobody", "somebody"))
    assert outcome.text is None


def test_an_edit_sent_again_is_recognised() -> None:
    search = "        amount = 0\n        for item in self.items:\n"
    replace = "        amount = 0\n        tax = 0.2\n        for item in self.items:\n"
    once = apply_edit(CLASS, search, replace)
    assert once.text is not None
    again = apply_edit(once.text, search, replace)
    assert again.status is Status.ALREADY_APPLIED
    assert again.text is None


def test_a_deletion_does_not_count_as_applied_while_its_line_is_there() -> None:
    outcome = apply_edit(
        CLASS,
        "        amount = 0;\n        for item in self.items:\n            amount += item.price\n",
        "        for item in self.items:\n            amount += item.price\n",
    )
    assert outcome.status is not Status.ALREADY_APPLIED


def test_part_of_an_edit_that_is_already_next_to_its_place_is_not_doubled() -> None:
    text = (
        "try:\n    run(task, now)\nexcept ValueError as error:\n    log(error)\n"
        "except KeyError:\n    log('key')\nfinish()\n"
    )
    search = "try:\n    run(task, soon)\nexcept ValueError as error:\n    log(error)\n"
    outcome = apply_edit(text, search, search + "except KeyError:\n    log('key')\n")
    assert outcome.text is None


def test_a_stricter_find_wins_over_a_looser_twin() -> None:
    text = "if a:\n    x = 1\n    y = 2\nif b:\n        x = 1\n        y = 2\n"
    outcome = apply_edit(text, "    x = 1\n    y = 2\nif b", "    x = 5\n    y = 2\nif b")
    assert outcome.rung is Rung.EXACT


def test_rungs_that_are_switched_off_are_not_tried() -> None:
    strict = Ladder(rungs=(Rung.EXACT,))
    outcome = apply_edit(CLASS, "amount = 0\nfor item in self.items:", "x", ladder=strict)
    assert outcome.status is Status.NOT_FOUND
    assert apply_edit(CLASS, "amount = 0\nfor item in self.items:", "x").rung is Rung.INDENTATION


def test_nothing_similar_is_not_found() -> None:
    outcome = apply_edit(CLASS, "public static void main(String[] args) {\n", "x\n")
    assert outcome.status is Status.NOT_FOUND
    assert outcome.text is None


@pytest.mark.parametrize("search", ["", "\n", "  \n\n"])
def test_an_empty_search_fills_an_empty_text_and_nothing_else(search: str) -> None:
    assert apply_edit("", search, "hello\n").text == "hello\n"
    refused = apply_edit("content\n", search, "hello\n")
    assert refused.status is Status.REJECTED
    assert "empty" in refused.message


def test_an_edit_that_changes_nothing_is_no_error() -> None:
    outcome = apply_edit("a\nb\n", "a\n", "a\n")
    assert outcome.status is Status.APPLIED
    assert outcome.splices == ()
    assert outcome.text == "a\nb\n"


@pytest.mark.parametrize(
    "arguments",
    [
        {"text": b"a", "search": "a", "replace": "b"},
        {"text": "a", "search": None, "replace": "b"},
        {"text": "a", "search": "a", "replace": "b", "occurrence": "1"},
        {"text": "a", "search": "a", "replace": "b", "line": True},
        {"text": "a", "search": "a", "replace": "b", "scope": "def f"},
        {"text": "a", "search": "a", "replace": "b", "scope": 3},
    ],
)
def test_arguments_of_the_wrong_kind_are_type_errors(arguments: dict[str, object]) -> None:
    with pytest.raises(TypeError):
        apply_edit(**arguments)  # type: ignore[arg-type]


def test_numbers_below_one_are_value_errors() -> None:
    with pytest.raises(ValueError, match="counts from 1"):
        apply_edit("a", "a", "b", occurrence=0)


@pytest.mark.parametrize(
    ("search", "replace", "after"),
    [
        ('print("hello")\n', 'print("bye")\n', 'a = "x"\nprint("bye")\nb = 1\n'),
        ("a = 'x'\nprint(\"hello\")\n", "a = 'y'\nprint(\"hello\")\n", "a = 'y'\nprint('hello')\nb = 1\n"),
        ('  print("hello")\n', '  print("hello")\n  c = 2\n', "a = \"x\"\nprint('hello')\nc = 2\nb = 1\n"),
        ('("hello")', '("bye")', 'a = "x"\nprint("bye")\nb = 1\n'),
        ("a = “x”\n", 'a = "y"\n', "a = \"y\"\nprint('hello')\nb = 1\n"),
    ],
)
def test_the_other_kind_of_quotes_is_no_similarity(search: str, replace: str, after: str) -> None:
    text = "a = \"x\"\nprint('hello')\nb = 1\n"
    outcome = apply_edit(text, search, replace, path="a.py")
    assert (outcome.status, outcome.text) == (Status.APPLIED, after)
    assert outcome.rung in (Rung.QUOTES, Rung.UNICODE)
    assert not outcome.needs_confirmation


def test_quotes_alone_place_nothing_where_there_are_two_places_or_more_than_quotes_is_different() -> None:
    twice = "print('a')\nx = 1\nprint('a')\n"
    assert apply_edit(twice, 'print("a")\n', "y\n").status is Status.AMBIGUOUS
    exactly = "print('a')\nprint(\"a\")\n"
    assert apply_edit(exactly, 'print("a")\n', "y\n").text == "print('a')\ny\n"
    only_quotes = Ladder(rungs=(Rung.QUOTES,))
    for search in ('"', '""', 'print("b")\n', 'print("a") y\n'):
        assert apply_edit("print('a')x\nz = 1\n", search, "y", ladder=only_quotes).text is None
    part = "call(one, 'a')  # as 'b'\nrest\n"
    assert apply_edit(part, 'one, "a")  # as "b"\nrest\n', "y\n", ladder=only_quotes).text is None
