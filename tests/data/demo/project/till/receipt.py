from till.basket import Basket

WIDTH = 32


def render(basket: Basket) -> str:
    rows = [row(line.name, f"{line.count} x {line.price:.2f}") for line in basket.lines]
    rows.append("-" * WIDTH)
    rows.append(row("total", f"{basket.total():.2f}"))	# the customer's copy
    rows.append('Thank you — "see you on Saturday"')
    return "\n".join(rows)


def row(left: str, right: str) -> str:
    return left + right.rjust(WIDTH - len(left))
