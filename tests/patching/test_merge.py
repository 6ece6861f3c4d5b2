"""The change is carried onto the file's own lines; what the model did not mean to touch keeps its bytes."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint import apply_edit, apply_edits
from patchpoint.outcome import Rung, Status
from tests.uncertain_edit import text_to_confirm

TEXT = """\
def area(shape):
    width = shape.width  # in metres
    height = shape.height  # in metres
    # both are positive by construction
    if not width:
        return 0
    return width * height
"""


def changed(search: str, replace: str, text: str = TEXT) -> str | None:
    return apply_edit(text, search, replace).text


def test_a_misquoted_line_that_the_edit_does_not_change_keeps_its_bytes() -> None:
    search = "    width = shape.width\n    height = shape.height\n    if not width:\n        return 0\n"
    expected = TEXT.replace("return 0", "return None")
    assert changed(search, search.replace("return 0", "return None")) == expected


def test_curly_quotes_and_tabs_of_the_file_survive() -> None:
    text = "say(“hello”)\n\tgo()\nstop()\n"
    assert changed('say("hello")\n    go()\nstop()\n', 'say("hello")\n    go()\nhalt()\n', text) == (
        "say(“hello”)\n\tgo()\nhalt()\n"
    )


def test_a_comment_that_the_model_left_out_stays_where_it_is() -> None:
    search = "    height = shape.height  # in metres\n    if not width:\n        return 0\n"
    replace = "    height = shape.height  # in metres\n    if not width:\n        return None\n"
    assert changed(search, replace) == TEXT.replace("return 0", "return None")


def test_a_line_that_the_model_left_out_and_brings_itself_arrives_once() -> None:
    search = "    height = shape.height  # in metres\n    if not width:\n        return 0\n"
    replace = (
        "    height = shape.height  # in metres\n    # both are positive by construction\n"
        "    if not width:\n        return None\n"
    )
    assert changed(search, replace) == TEXT.replace("return 0", "return None")


def test_a_line_that_only_moves_deeper_keeps_its_words() -> None:
    text = "start()\nsay(“hello”)  # politely\nstop()\n"
    search = 'start()\nsay("hello")  # politely\nstop()\n'
    replace = 'start()\nif polite:\n    say("hello")  # politely\nstop()\n'
    assert changed(search, replace, text) == "start()\nif polite:\n    say(“hello”)  # politely\nstop()\n"


def test_a_misquoted_line_that_moves_keeps_its_words() -> None:
    text = "fetch(key)\nrun 'echo \"deb main\" > list'\nremove(key)\nupdate()\n"
    search = "fetch(key)\nrun 'echo 'deb main' > list'\nremove(key)\nupdate()\n"
    replace = "fetch(key)\nremove(key)\nrun 'echo 'deb main' > list'\nupdate()\n"
    moved = "fetch(key)\nremove(key)\nrun 'echo \"deb main\" > list'\nupdate()\n"
    assert changed(search, replace, text) == moved


def test_a_line_that_is_gone_does_not_come_back_by_being_moved() -> None:
    text = 'echo "man makes pages"\necho "text makes files"\necho "changes makes a list"\necho "all"\n'
    lines = text.splitlines(keepends=True)
    gone = 'echo "info makes files for reading"\n'
    search = "".join([lines[0], gone, *lines[1:]])
    assert changed(search, "".join([*lines[:2], gone, *lines[2:]]), text) is None


def test_a_line_is_not_moved_past_lines_that_nobody_quoted() -> None:
    text = "start()\n# loads the map\n# of members\nload(regclass, bigint)\nload(regclass)\n"
    search = "start()\n# loads the map\nload(regclass, bigint)\nload(regclass)\n"
    replace = "start()\nload(regclass, bigint)\n# loads the map\nload(regclass)\n"
    assert changed(search, replace, text) is None
    quoted, meant = (lines.replace("start()", "start(it)") for lines in (search, replace))
    assert changed(quoted, meant, search) == replace


def test_a_rewrapped_call_keeps_the_files_wrapping() -> None:
    text = "start()\nvalue = compute(\n    first,\n    second,\n)\nstop()\n"
    search = "start()\nvalue = compute(first, second)\nstop()\n"
    assert changed(search, search.replace("stop", "halt"), text) == text.replace("stop", "halt")
    assert changed(search, search.replace("second", "third"), text) == text.replace("second", "third")
    assert changed(search, search.replace("second", "second, third"), text) == (
        "start()\nvalue = compute(\n    first,\n    second,\n    third,\n)\nstop()\n"
    )
    assert changed(search, search.replace("first, ", ""), text) == (
        "start()\nvalue = compute(\n    second,\n)\nstop()\n"
    )


def test_a_rewrapped_call_whose_wrapping_the_edit_touches_is_written_as_the_edit_has_it() -> None:
    text = "start()\nvalue = compute(\n    first,\n    second,\n)\nstop()\n"
    search = "start()\nvalue = compute(first, second)\nstop()\n"
    deeper = search.replace("value", "if first:\n    value")
    assert changed(search, deeper, text) == deeper
    one = "start()\nvalue  =  ask('name', one)\nstop()\n"
    quoted = 'start()\nvalue = ask("name", one)\nstop()\n'
    assert changed(quoted, quoted.replace("one", "two"), one) == one.replace("one", "two")
    assert changed(quoted, quoted.replace('"name"', "f'name'"), one) == quoted.replace('"name"', "f'name'")


def test_a_misquoted_word_that_the_edit_goes_on_to_use_is_the_edits() -> None:
    text = "total = 0\nstart(detail)\nresult = compute(first)\nshow(detail)\n"
    search = text.replace("result", "total")
    replace = search.replace("compute(first)", "compute(first, 1)").replace(
        "show(detail)", "show(detail, total)"
    )
    assert text_to_confirm(apply_edit(text, search, replace)) == replace


def test_an_edit_whose_change_the_file_has_already_is_already_applied() -> None:
    text = "alpha(one, two)\nbeta(three)\ngamma(four, five)\ndelta(six)\n"
    search = "alpha(one, too)\nbeta(3)\ngamma(four, five)\ndelta(six)\n"
    outcome = apply_edit(text, search, search.replace("beta(3)", "beta(three)"))
    assert outcome.status is Status.ALREADY_APPLIED


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_new_lines_take_the_endings_around_them(ending: str) -> None:
    text = TEXT.replace("\n", ending)
    outcome = apply_edit(text, "    if not width:\n", "    if not width:\n        log()\n")
    assert outcome.text == TEXT.replace("width:\n", "width:\n        log()\n").replace("\n", ending)


def test_mixed_endings_stay_mixed() -> None:
    text = "one\r\ntwo\nthree\r\nfour\n"
    assert changed("two\nthree\n", "two\nnew\nthree\n", text) == "one\r\ntwo\nnew\nthree\r\nfour\n"
    assert changed("three\nfour\n", "three\nnew\nfour\n", text) == "one\r\ntwo\nthree\r\nnew\r\nfour\n"
    assert changed("two\nthree\n", "2\n3\n", text) == "one\r\n2\n3\r\nfour\n"


def test_a_last_line_without_an_ending_goes_on_without_one() -> None:
    assert changed("b\n", "c\nd\n", "a\nb") == "a\nc\nd"
    assert changed("    b\n", "    b\n    c\n", "a\n  b") == "a\n  b\n  c"


def test_a_byte_order_mark_stays_and_no_second_one_comes() -> None:
    assert changed("a\n", "\ufeffx\n", "\ufeffa\nb\n") == "\ufeffx\nb\n"


def test_form_feeds_and_line_separators_end_no_line() -> None:
    text = "a\x0cb\u2028c\nd\n"
    assert changed("d\n", "e\n", text) == "a\x0cb\u2028c\ne\n"
    assert changed("a\x0cb\u2028c\n", "z\n", text) == "z\nd\n"


def test_dollar_signs_and_backslashes_are_written_as_they_are() -> None:
    assert changed("x = 1", r"x = '$& \1 \g<0>'", "x = 1\n") == "x = '$& \\1 \\g<0>'\n"


@pytest.mark.parametrize("comma", ["", ","])
@pytest.mark.parametrize(("old", "new"), [("code", "item"), ("bay", "other_bay"), ("amount", "amount + 1")])
def test_a_call_on_one_line_that_is_quoted_over_several_is_written_once(
    old: str, new: str, comma: str
) -> None:
    text = "def plan(cart):\n    cart.open(now)\n    ware = Ware(code, bay, amount)\n    cart.close(now)\n"
    call = f"    ware = Ware(\n        code,\n        bay,\n        amount{comma}\n    )\n"
    search = f"    cart.open(now)\n{call}    cart.close(now)\n"
    changed = search.replace(f"        {old}", f"        {new}")
    outcome = apply_edit(text, search, changed)
    assert outcome.rung is Rung.TOKENS
    assert outcome.text is not None
    assert ast.dump(ast.parse(outcome.text)) == ast.dump(ast.parse("def plan(cart):\n" + changed))


ARGUMENTS = ("alpha", "beta", "gamma", "delta", "omega")


@given(
    st.lists(
        st.tuples(
            st.permutations(ARGUMENTS), st.integers(2, 5), st.booleans(), st.booleans(), st.integers(0, 5)
        ),
        min_size=1,
        max_size=3,
    )
)
def test_calls_say_what_the_edit_says_however_they_are_wrapped_on_either_side(
    calls: list[tuple[list[str], int, bool, bool, int]],
) -> None:
    def written(*, wrapped: int, is_changed: bool) -> str:
        lines = ["def go():\n    start()\n"]
        for number, (names, count, *is_wrapped, at) in enumerate(calls):
            given_names = names[:count]
            if is_changed and at < count:
                given_names[at] = "changed"
            opening, between, end = (
                ("\n        ", ",\n        ", ",\n    ") if is_wrapped[wrapped] else ("", ", ", "")
            )
            lines.append(f"    v{number} = f{number}({opening}{between.join(given_names)}{end})\n")
        return "".join([*lines, "    stop()\n"])

    text = written(wrapped=0, is_changed=False)
    search, replace = (written(wrapped=1, is_changed=each) for each in (False, True))
    result = changed(search, replace, text) if search != replace else text
    assert result is not None
    assert ast.dump(ast.parse(result)) == ast.dump(ast.parse(replace))


def test_a_name_that_stays_is_kept_where_the_file_has_the_names_in_another_order() -> None:
    text = TEXT.replace("by construction", "as in `[width, height, depth]`")
    quoted = text.replace("[width, height, depth]", "[depth, height, width]")
    search, replace = quoted, quoted.replace("[depth, height, width]", "[height, width]")
    made = changed(search, replace, text)
    assert made is None or {"height", "width"} <= set(made.split("`[")[1].split("]`")[0].split(", "))


@pytest.mark.parametrize(
    ("own", "quoted", "new", "becomes"),
    [
        ("parse_date, slug", "slug, dates", "slugify, dates", "parse_date, slugify"),
        ("parse_date, slug", "slug", "slugify", "parse_date, slugify"),
        ("Base, Field, Model", "Base, Field", "Base, Column, Field", "Base, Column, Field, Model"),
        ("Model, Base", "Model", "Model, Column", "Model, Base, Column"),
        ("Base, Field, Model", "Field, Model as M", "Model as M", "Base, Model"),
    ],
)
def test_of_a_misquoted_import_no_name_that_nobody_quoted_goes(
    own: str, quoted: str, new: str, becomes: str
) -> None:
    text = f"from util import {own}\n\nprint(1)\n"
    search, replacement = (f"from util import {names}\n" for names in (quoted, new))
    answer = f"a.py\n<<<<<<< SEARCH\n{search}=======\n{replacement}>>>>>>> REPLACE\n"
    report = apply_edits({"a.py": text}, answer, accept="all")
    assert report.files["a.py"] in (text, text.replace(own, becomes))
