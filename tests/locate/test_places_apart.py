"""What was quoted apart from where it is, or in a form that fits several places, is not guessed."""

from __future__ import annotations

import pytest

from patchpoint import apply_edit
from patchpoint.locate.evidence.names import names
from patchpoint.outcome import Guard, Outcome, Reason, Status


def lines_of(count: int, *more: str) -> str:
    """A text of lines that resemble nothing else, and then `more`."""
    return "".join(f"setting_{n} = load({n * n}, mode={n % 7})\n" for n in range(count)) + "".join(more)


def refused(text: str, search: str, replace: str) -> Outcome:
    outcome = apply_edit(text, search, replace)
    assert outcome.text is None, outcome.text
    assert outcome.candidates
    return outcome


# The lines around a line


def test_a_line_is_changed_where_the_lines_around_it_are() -> None:
    guess = (
        "def guess(text):\n    text = text.decode()\n    try:\n        return text, 'utf-8'\n"
        "    except ValueError:\n        try:\n            import codes\n"
        "            wanted = codes.preferred()\n            text = text.decode()\n"
        "            return text, wanted\n        except ValueError:\n            return text, 'latin1'\n\n\n"
    )
    of_terminal = (
        "def guess_of_terminal(text, term):\n    if getattr(term, 'encoding', None):\n        try:\n"
        "            text = text.decode(term.encoding)\n        except ValueError:\n            pass\n"
        "        else:\n            return text, term.encoding\n    return guess(text)\n\n\n"
    )
    ask = (
        "def ask(term):\n    if getattr(term, 'encoding', None):\n        return term.encoding\n"
        "    import codes\n    return codes.preferred()\n\n\n"
    )
    text = lines_of(3) + guess + of_terminal + ask
    search = ask + of_terminal
    outcome = apply_edit(text, search, search.replace("import codes", "import old_codes"))
    right = text.replace("    import codes\n    return", "    import old_codes\n    return")
    assert outcome.text in (None, right)


def test_new_lines_stay_with_the_line_that_they_were_quoted_after() -> None:
    leave = "    async def leave(self, *args):\n        pass\n\n"
    enter = (
        "    async def enter(self):\n        # until all have arrived\n        return await self.wait()\n\n"
    )
    text = "class Gate:\n    size = 1\n\n" + enter + leave
    search = leave + enter
    outcome = apply_edit(text, search, search.replace("pass\n", "pass\n        note(fresh_value)\n"))
    assert outcome.text in (None, text.replace("pass\n", "pass\n        note(fresh_value)\n"))


def test_lines_deeper_than_the_next_one_belong_to_the_missing_line_above() -> None:
    text = lines_of(3, "def shut(self):\n    return self.gate.shut(now=True)\n")
    search = lines_of(3, "    stop_at_once()\n", "def shut(self):\n    return self.gate.shut(now=True)\n")
    replace = search.replace("    stop_at_once()\n", "    stop_at_once()\n    note(fresh_value)\n")
    assert refused(text, search, replace).guard is Guard.MISSING


def test_a_line_is_never_replaced_by_the_change_of_its_neighbour() -> None:
    row = "    self.assertEqual(slice(None, {0}).indices(10), ({1}))\n"
    rows = [row.format(9, "0, 9, 1"), row.format(10, "0, 10, 1"), row.format(11, "0, 10, 1")]
    rows += [row.format(f"{n}, -1", f"9, {min(n, 9)}, -1") for n in (8, 9, 10)]
    last = (
        "    self.assertEqual(\n        slice(100,  -100,  -1).indices(10),\n"
        "        slice(None, None, -1).indices(10)\n    )\n"
    )
    wrapped = (
        "    self.assertEqual(\n        slice(-100,  100     ).indices(10),\n"
        "        slice(None).indices(10)\n    )\n"
    )
    joined = "    self.assertEqual(slice(-100,  100     ).indices(10), slice(None).indices(10))\n"
    text = "def test_parts(self):\n" + "".join(rows) + "\n" + wrapped + last
    search = rows[3].replace("None", "other_None") + rows[4] + rows[5] + "\n" + joined + last
    outcome = apply_edit(text, search, search.replace("100     ).indices", "100     ).limits"))
    assert outcome.text is None or outcome.text.replace("limits", "indices").split() == text.split()


# Places that are alike


def test_headers_that_are_together_in_two_places_are_ambiguous() -> None:
    def methods(of: str, length: int) -> str:
        body = "".join(f"        {of}.note({n}, of={length})\n" for n in range(length))
        return "".join(f"    def {name}(self):\n{body}\n" for name in ("set_default", "pop_item", "pop"))

    one, two = "class One:\n" + methods("one", 3), "class Two:\n" + methods("two", 40)
    search = "    def set_default(self):\n    def pop_item(self):\n    def pop(self):\n"
    replace = search + "\n    def push(self):\n        return None\n"
    assert refused(one + two, search, replace).reason is Reason.TOO_CLOSE
    assert apply_edit(one, search, replace).text == one + "    def push(self):\n        return None\n\n"


def test_an_unquoted_line_that_is_as_similar_as_the_one_changed_may_be_meant() -> None:
    check = '    if "{0}" in options:\n        raise ValueError("`{0}` is not supported")\n'
    tail = "    self.address = address or '/'\n    self.check(address)\n"
    text = (
        "def request(self, **options):\n" + check.format("skip_host") + check.format("skip_encoding") + tail
    )
    search = check.format("skip_that") + tail
    replace = search.replace('supported")', 'supported", self)')
    assert refused(text, search, replace).reason is not None


def test_a_gap_that_may_as_well_be_at_the_new_lines_is_not_guessed() -> None:
    check = "  if (!{0}) {{\n    throw new TypeError('no {0}')\n  }}\n"
    text = (
        "function run(a, b, c) {\n" + "".join(map(check.format, ("event", "path", "scope"))) + "  go()\n}\n"
    )
    search = check.format("event") + check.format("scope")
    replace = search.replace("'no event')\n", "'no event')\n    note()\n")
    assert refused(text, search, replace).guard is Guard.ELSEWHERE


def test_of_two_equal_lines_with_others_between_them_neither_is_deleted() -> None:
    text = lines_of(4, "  ],\n  'attribute': [\n    common(1),\n  ],\n  'const': [\n    value(2),\n")
    search = lines_of(4, "  ],\n  ],\n  'const': [\n    value(2),\n")
    assert refused(text, search, search.replace("  ],\n", "", 1)).guard is Guard.UNQUOTED


# New lines in a gap


def test_new_lines_are_not_put_before_the_block_of_which_only_the_end_was_quoted() -> None:
    text = lines_of(4, "})\nwait('the change', function()\n  return seen\nend)\nfinish(all_of_it)\n")
    search = lines_of(4, "})\nend)\nfinish(all_of_it)\n")
    assert refused(text, search, search.replace("end)", "note(now)\nend)")).guard is Guard.UNQUOTED


def test_depth_says_nothing_of_new_lines_that_do_not_fit_in_the_search_text() -> None:
    text = lines_of(
        3,
        "@cached\ndef key(self):\n    return self.prefix\n\ndef get(self):\n    if self:\n        return 1\n",
    )
    search = lines_of(3, "@cached\n        return 1\n")
    assert refused(text, search, search.replace("@cached\n", "@cached\nnote(now)\n")).guard is Guard.UNQUOTED


def test_new_lines_go_above_a_whole_comment_and_not_above_the_half_of_one() -> None:
    start, end = "begin(alpha)\n", "finish(beta)\nclose(gamma)\n"
    text = lines_of(3, start, "# what follows is about the end\n", end)
    search = lines_of(3, start, end)
    added = search.replace(end, "note(now)\n" + end)
    assert apply_edit(text, search, added).text == text.replace("# what", "note(now)\n# what")
    longer = text.replace("the end\n", "the end\n# and about what comes then\n")
    half = search.replace(end, "# and about what comes then\n" + end)
    above = half.replace("# and", "note(now)\n# and")
    assert apply_edit(longer, half, above).text == longer.replace("# what", "note(now)\n# what")
    other = search.replace(end, "# what follows is about the end\n" + end)
    below = other.replace(end, "note(now)\n" + end)
    assert apply_edit(longer, other, below).text == longer.replace("finish", "note(now)\nfinish")


def test_a_list_item_in_prose_is_no_comment() -> None:
    text = lines_of(
        3, '"""Begin with one,\nthen go on\n*slowly* for those who are not quick.\n"""\nclose(gamma)\n'
    )
    search = lines_of(3, '"""Begin with one,\nthen go on\n"""\nclose(gamma)\n')
    assert refused(text, search, search.replace('on\n"""', 'on\nand on\n"""')).guard is Guard.UNQUOTED


def test_a_line_further_down_leaves_two_places_for_what_precedes_it() -> None:
    names_of = "".join(f"    name_{n},\n" for n in range(40))
    text = lines_of(2, "from house import (\n", names_of, ")\nfrom garden import tree\n")
    search = lines_of(2, "from house import (\n", "    name_0,\n    name_1,\n)\n")
    assert refused(text, search, search.replace("name_1,\n", "name_1,\n    brand_new,\n")).reason is not None


def test_signs_alone_are_not_extended_by_a_new_line() -> None:
    text = lines_of(
        3, 'will match "one" or "two", but\nnot the leading three\n"""\nreport(gamma)\nreport(delta)\n'
    )
    search = lines_of(3, 'will match "one" or "two", but\nreport(gamma)\nreport(delta)\n')
    outcome = apply_edit(text, search, search.replace("will match", "does match"))
    assert outcome.text == text.replace("will match", "does match")


# What is no noise


def test_the_prompt_of_an_interpreter_is_no_mark_of_lines_left_out() -> None:
    text = ">>> for one in many:\n...     if one:\n...         go(one)\n"
    text += "...     else:\n...         stop(one)\n...\n"
    search = "...         go(one)\n...     else:\n...\n"
    outcome = apply_edit(text, search, search.replace("else:\n", "else:\n...     note()\n"))
    assert outcome.text is None


def test_quotes_of_the_files_own_are_not_taken_off() -> None:
    text = (
        'class One:\n    """\n    What one is.\n    """\n\n\nclass Two:\n    """\n    What two is.\n    """\n'
    )
    search = '    """\n    What one is.\n    """\n\n\nclass Two:\n    """\n    """\n'
    outcome = apply_edit(text, search, search.replace('Two:\n    """\n', 'Two:\n    """\n    Or both.\n'))
    assert outcome.text is None


def test_a_fence_of_the_files_own_is_not_taken_off() -> None:
    text = "Before:\n\n```js\nvar one\nif (one) {\n  one.fill(0)\n}\n```\n\nAfter that.\n"
    search = "\n```js\n  one.fill(0)\n}\n```\n\nAfter that.\n"
    outcome = apply_edit(text, search, search.replace("```js", "```js live"))
    assert outcome.text in (None, text.replace("```js", "```js live"))


@pytest.mark.parametrize("line", ['show("a name in a string")', "show('a name in a string')"])
def test_what_a_string_says_is_no_name(line: str) -> None:
    assert names([line]) == {"show"}


def test_a_line_aligned_with_something_says_nothing_of_the_depth_of_new_lines() -> None:
    header = "    def tokens_of(self, text):\n"
    text = (
        "class First:\n    pass\n\n"
        + "x = [one for one in all_of_it if\n"
        + " " * 45
        + "def tokens_of(self, text)]\n"
    )
    text += "class Shell(Session):\n    prompt = '> '\n"
    search = "    def analyse(text):\n" + header + "class Shell(Session):\n"
    outcome = apply_edit(text, search, search + "\nclass Other(Session):\n    prompt = '$ '\n")
    assert outcome.text is None or " " * 20 + "prompt" not in outcome.text


CALLS = """\
def run(errors):
    for tree in trees:
        check(
            errors,
            {options},
            tree.is_stub(),
        )


def again(errors):
    check(
        errors,
        options,
        tree.is_stub(),
    )
"""
DEEPER = """\
        check(
            errors,
            options,
            tree.is_stub(),
        )
"""


@pytest.mark.parametrize("comma", [",", ""])
def test_a_twin_at_another_depth_is_no_better_than_one_that_was_changed_since(comma: str) -> None:
    text = CALLS.format(options="state.options")
    text = comma.join(text.rsplit(",", 1))
    outcome = apply_edit(text, DEEPER, DEEPER.replace("errors", "problems"))
    assert outcome.status is Status.AMBIGUOUS
    assert sorted(candidate.line for candidate in outcome.candidates) == [3, 11]


def test_the_only_place_at_another_depth_is_the_one_that_is_meant() -> None:
    only = CALLS[CALLS.index("def again") :]
    outcome = apply_edit(only, DEEPER, DEEPER.replace("errors", "problems"))
    assert outcome.text == only.replace("        errors", "        problems")
