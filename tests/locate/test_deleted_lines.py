"""Lines that an edit deletes, with nothing in their place: they are those that were quoted, word for word."""

from __future__ import annotations

import pytest

from patchpoint import apply_edit
from patchpoint.outcome import Guard
from tests.uncertain_edit import text_to_confirm

FILE = """\
function main(user, price) {
  open(user);
  %s
  close(user);
  return price;
}
"""


@pytest.mark.parametrize(
    ("found", "quoted"),
    [
        ("PORT_HTTPS: 443", "PORT_HTTP2: 443"),
        ("from library import load_users", "from library import load_user"),
        ("send(user, price, quickly);", "send(user, price);"),
        ("send(user, price, quickly); // by mail", "send(user, price, quickly);"),
    ],
)
def test_a_line_that_is_deleted_has_no_other_words_than_were_quoted(found: str, quoted: str) -> None:
    search, text = FILE % quoted, FILE % found
    outcome = apply_edit(text, search, search.replace(f"  {quoted}\n", ""))
    assert outcome.guard is Guard.UNSURE_DELETION
    assert text_to_confirm(outcome) == text.replace(f"  {found}\n", "")


@pytest.mark.parametrize("quoted", ["send( user,price );", "send(user, price)", "send (user , price);"])
def test_a_line_that_is_deleted_may_have_other_signs(quoted: str) -> None:
    text, search = FILE % "send(user, price);", FILE % quoted
    assert apply_edit(text, search, search.replace(f"  {quoted}\n", "")).text == text.replace(
        "  send(user, price);\n", ""
    )
