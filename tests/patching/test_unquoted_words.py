"""Words of a changed line that neither the search text nor the replacement has."""

from __future__ import annotations

import pytest

from patchpoint import apply_edit
from patchpoint.outcome import Guard

FILE = """\
function main(user, price) {
  open(user);
  %s
  close(user);
  return price;
}
"""


def edited(found: str, quoted: str, new: str) -> tuple[str | None, Guard | None]:
    outcome = apply_edit(FILE % found, FILE % quoted, FILE % new, path="main.js")
    return outcome.text, outcome.guard


def test_what_is_in_the_brackets_of_a_call_goes_with_it() -> None:
    after = edited("send(user, price, quickly);", "send(user, price);", "post(letter);")
    assert after == (FILE % "post(letter);", None)


@pytest.mark.parametrize(
    ("found", "quoted", "new"),
    [
        ("if (!active) grant();", "if (active) grant();", "if (staff) grant();"),
        ("app.listen(80, { ssl: true });", "app.listen(80);", "app.listen(8080);"),
        ("let sum = price; // net", "let sum = price;", "let sum = cost;"),
        ("send(user); // at once", "send(user);", "send();"),
        ("sum = price * rate;", "sum = price;", "sum = Math.max(price, 1);"),
        ("if (!active) grant();", "if (active) grant();", "if (check(active, user)) grant();"),
        ("if (active || staff) grant();", "if (active) grant();", "if (active && grown) grant();"),
    ],
)
def test_where_they_would_go_the_loss_is_only_proposed(found: str, quoted: str, new: str) -> None:
    assert edited(found, quoted, new) == (None, Guard.DROPS_WORDS)


@pytest.mark.parametrize(
    ("found", "quoted", "new"),
    [
        ("send(user); // a letter by mail", "send(user); // a letter", "send(user); // a parcel by mail"),
        ("sum = price * rate;", "sum = price * share;", "sum = price * tax;"),
        ("sum = price * rate;", "sum = price;", "sum = price * rate + 1;"),
    ],
)
def test_a_line_that_is_written_from_the_files_is_written_as_it_is(found: str, quoted: str, new: str) -> None:
    assert edited(found, quoted, new) == (FILE % new, None)


def test_a_line_that_nobody_quoted_stays_next_to_a_changed_one_that_has_all_its_words() -> None:
    kept = "await check(api(path, '', options), '/');"
    quoted = "await check(api(path, 'bar', options), '/bar');"
    text = f"  start(path);\n  {quoted}\n  {kept}\ntest(path, () => {{\n  server.get(path);\n"
    search = f"  start(path);\n  {quoted}\n  // ...\n\n  server.get(path);\n"
    outcome = apply_edit(text, search, search.replace("'bar'", "'bar2'"), path="a.js")
    assert outcome.text == text.replace("'bar'", "'bar2'")
