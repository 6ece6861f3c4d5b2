from decimal import Decimal

STANDARD = Decimal("0.20")
REDUCED = Decimal("0.05")


def standard(net: Decimal) -> Decimal:
    """The tax on goods."""
    tax = net * STANDARD
    return tax.quantize(Decimal("0.01"))


def reduced(net: Decimal) -> Decimal:
    """The tax on food."""
    tax = net * REDUCED
    return tax.quantize(Decimal("0.01"))
