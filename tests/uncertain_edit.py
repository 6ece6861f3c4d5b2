"""An edit that only a look settles: its file, what it quotes of that, and what it makes of it."""

from __future__ import annotations

from patchpoint.outcome import Outcome

ORDER = """\
class Order:
    number: int
    customer: Customer
    # Agreed by telephone, and never written down.
    discount: Decimal = Decimal("0.05")
    delivery: Address | None = None
    paid_at: datetime
    express: bool
    positions: list[Position]
"""
FORGETFUL = """\
class Order:
    number: int
    customer: Customer
    discount: Decimal
    warehouse_code_of_origin: str
    paid_at: datetime
    positions: list[Position]
"""
"""It invents a line, and leaves two out and a comment."""
ACCEPTED = f"{ORDER}    remarks: str\n"


def text_to_confirm(outcome: Outcome) -> str | None:
    """Return the text that a proposal would make; `None` where the edit is written or refused."""
    assert outcome.text is None or outcome.proposal is None
    return outcome.proposal.text if outcome.proposal is not None else None
