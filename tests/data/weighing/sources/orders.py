"""Orders of a shop: what they hold, what they cost, and how they are kept."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from shop.events import (
    OrderCancelled,
    OrderPaid,
    OrderPlaced,
    OrderShipped,
)
from shop.money import round_up, tax_of, total_of

MAX_ITEMS = 40
MIN_TOTAL = 5
DEFAULT_CURRENCY = "EUR"
RETRY_AFTER_SECONDS = 30

STATES = {
    "new": 0,
    "paid": 10,
    "packed": 20,
    "shipped": 30,
    "returned": 90,
}


@dataclass
class Item:
    """One item of an order."""

    name: str
    price: float
    quantity: int = 1
    # Empty unless somebody asked for it.
    note: str = ""

    @property
    def cost(self) -> float:
        return self.price * self.quantity


@dataclass
class Order:
    """An order of a customer."""

    number: int
    customer: str
    items: list[Item] = field(default_factory=list)
    state: str = "new"
    # What was paid so far, in cents.
    paid: int = 0

    def add(self, item: Item) -> None:
        """Add an item, unless the order is full."""
        if len(self.items) >= MAX_ITEMS:
            raise ValueError(f"order {self.number} is full")
        # The same item twice is one of a larger quantity.
        for known in self.items:
            if known.name == item.name:
                known.quantity += item.quantity
                return
        self.items.append(item)

    def remove(self, name: str) -> Item:
        """Remove an item by its name."""
        for at, known in enumerate(self.items):
            if known.name == name:
                return self.items.pop(at)
        raise KeyError(name)

    def total(self) -> float:
        """Return what all items cost, tax and all."""
        net = total_of(self.items)
        # Taxes are rounded once, at the end.
        return round_up(net + tax_of(net, self.customer), DEFAULT_CURRENCY)

    def pay(self, cents: int) -> None:
        if self.state != "new":
            raise RuntimeError("an order is paid once")
        self.paid += cents
        if self.paid >= self.total() * 100:
            self.state = "paid"
            publish(OrderPaid(self.number, self.paid))

    def ship(self, carrier: str) -> None:
        if self.state != "packed":
            raise RuntimeError("an order is packed before it is shipped")
        self.state = "shipped"
        publish(OrderShipped(self.number, carrier))

    def cancel(self, reason: str) -> None:
        if self.state == "shipped":
            raise RuntimeError("an order that is on its way is not cancelled")
        self.state = "returned"
        publish(OrderCancelled(self.number, reason))


def load_orders(path: Path) -> list[Order]:
    """Return the orders that a file holds; none for a file that is not there."""
    if not path.exists():
        return []
    rows = json.loads(path.read_text(encoding="utf-8"))
    orders = []
    for row in rows:
        items = [Item(**each) for each in row.pop("items")]
        orders.append(Order(items=items, **row))
    return orders


def save_orders(path: Path, orders: list[Order]) -> None:
    """Write the orders to a file, the old one being kept beside it."""
    rows = [vars(order) | {"items": [vars(item) for item in order.items]} for order in orders]
    if path.exists():
        path.replace(path.with_suffix(".bak"))
    path.write_text(json.dumps(rows, indent=2, sort_keys=True), encoding="utf-8")


def publish(event: object, *, retry_after: int = RETRY_AFTER_SECONDS, attempts: int = 3) -> None:
    for attempt in range(attempts):
        if send(event, timeout=retry_after, attempt=attempt):
            return
    raise TimeoutError(event)


def report(orders: list[Order], since: int) -> str:
    lines = [
        f"{order.number:>8} {order.customer:<20} {order.total():>10.2f}"
        for order in orders
        if order.number >= since
    ]
    return "\n".join(lines)
