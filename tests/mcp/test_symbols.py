"""A model replaces a definition by its name, and quotes nothing of the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from patchpoint.mcp.call import Call, Reply
from patchpoint.mcp.tools.results import EditsDone
from patchpoint.mcp.tools.table import tools_allowed
from patchpoint.outcome import Status
from patchpoint.schema.decode import InvalidArgumentError

CART = '''\
class Cart:
    """What somebody buys."""

    # in cents
    @property
    def total(self):
        return 1

    def add(self, item):
        return item


class Bag:
    def add(self, item):
        return item + 1


def empty():
    return Cart()
'''


@pytest.fixture
def cart(project: Path) -> Path:
    path = project / "cart.py"
    path.write_text(CART)
    return path


def run(file: Path, tool: str = "edit_symbol", /, **arguments: Any) -> Reply:
    found = tools_allowed(read_only=False, allow_restore=False)[tool]
    call = Call(roots=(file.parent,))
    return found.run(call, found.decoded(arguments))


def edited(file: Path, name: str, text: str, **more: Any) -> EditsDone:
    reply = run(file, path=file.name, name=name, text=text, **more)
    assert isinstance(reply.data, EditsDone)
    return reply.data


def test_a_method_is_replaced_by_its_name_and_nothing_else_changes(cart: Path) -> None:
    done = edited(cart, "Cart.total", "def total(self) -> int:\n    return 2\n")
    assert done.applied
    assert cart.read_text() == CART.replace(
        "def total(self):\n        return 1", "def total(self) -> int:\n        return 2"
    )
    assert done.checkpoint is not None
    run(cart, "undo")
    assert cart.read_text() == CART


@pytest.mark.parametrize(("where", "expected"), [("before", 0), ("after", 1)])
def test_a_definition_is_added_next_to_another_one(cart: Path, where: str, expected: int) -> None:
    assert edited(cart, "Cart.add", "def drop(self, item):\n    return item\n", where=where).applied
    order = sorted(["def drop(self", "def add(self"], key=cart.read_text().index)
    assert order.index("def drop(self") == expected
    assert "        return item\n\n    def" in cart.read_text()


def test_a_name_that_occurs_twice_is_refused_with_the_places(cart: Path) -> None:
    reply = run(cart, path="cart.py", name="add", text="def add(self): ...\n")
    assert reply.is_error
    assert "1. in Cart, lines 9 to 10" in reply.text
    assert "2. in Bag, lines 14 to 15" in reply.text
    assert cart.read_text() == CART


def test_a_user_who_can_be_asked_chooses_among_them(cart: Path) -> None:
    found = tools_allowed(read_only=False, allow_restore=False)["edit_symbol"]
    decoded = found.decoded({"path": "cart.py", "name": "add", "text": "def add(self):\n    return 7\n"})

    class Chosen(dict[str, Any]):
        def __contains__(self, key: object) -> bool:
            return True

        def __getitem__(self, key: str) -> Any:
            return {"edit1": "lines 14 to 15, in Bag"}

    reply = found.run(Call(roots=(cart.parent,), can_ask=True, answers=Chosen()), decoded)
    assert not reply.is_error, reply.text
    assert cart.read_text() == CART.replace(
        "def add(self, item):\n        return item + 1", "def add(self):\n        return 7"
    )


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("empty", "def empty(:\n    pass\n", "no longer parse"),
        ("empty", "def empty():\n    return (\n", "no longer parse"),
        ("empty", "x = 1\n", "not a definition"),
        ("empty", "", "the new text is empty"),
        ("Cart", "class Cart:\n    # ... existing code ...\n    def add(self): ...\n", "leaves out lines"),
        ("Cart.nothing", "def nothing(self): ...\n", "no such definition"),
    ],
)
def test_what_is_no_whole_definition_is_refused(cart: Path, name: str, text: str, why: str) -> None:
    reply = run(cart, path="cart.py", name=name, text=text)
    assert reply.is_error
    assert why in reply.text
    assert cart.read_text() == CART


def test_what_would_take_members_of_a_class_away_is_proposed_and_made_once_accepted(cart: Path) -> None:
    new = "class Cart:\n    def add(self, item):\n        return item\n"
    done = edited(cart, "Cart", new)
    (edit,) = done.edits
    assert (done.applied, edit.status) == (False, Status.PROPOSED)
    assert edit.proposal is not None
    assert edit.proposal.why == "It takes total away."
    assert cart.read_text() == CART
    assert not run(cart, "accept_proposals", ids=[edit.proposal.id]).is_error
    assert cart.read_text() == new + CART[CART.index("\n\nclass Bag") :]


def test_a_dry_run_writes_nothing(cart: Path) -> None:
    done = edited(cart, "empty", "def empty():\n    return None\n", dryRun=True)
    assert not done.applied
    assert "+    return None\n" in done.files[0].diff
    assert cart.read_text() == CART


def test_a_stale_read_and_a_file_outside_are_refused(cart: Path) -> None:
    done = edited(cart, "empty", "def empty():\n    pass\n", expected={"cart.py": "0" * 64})
    assert done.edits[0].code == "stale-file"
    reply = run(cart, path="../cart.py", name="empty", text="def empty():\n    pass\n")
    assert reply.is_error
    with pytest.raises(InvalidArgumentError, match="where"):
        run(cart, path="cart.py", name="empty", text="x", where="inside")
    assert cart.read_text() == CART
