from dataclasses import dataclass, field
from decimal import Decimal


@dataclass
class Line:
    name: str
    price: Decimal
    count: int = 1

    def total(self) -> Decimal:
        return self.price * self.count


@dataclass
class Basket:
    lines: list[Line] = field(default_factory=list)

    def add(self, name: str, price: Decimal, count: int = 1) -> None:
        for line in self.lines:
            if line.name == name:
                line.count += count
                return
        self.lines.append(Line(name, price, count))

    def total(self) -> Decimal:
        # sum() starts at the int 0, which an empty basket would return as it is
        return sum((line.total() for line in self.lines), Decimal(0))
