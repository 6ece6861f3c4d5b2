from decimal import Decimal

from till.basket import Basket


def test_the_same_item_twice_is_one_line():
    basket = Basket()
    basket.add("apples", Decimal("0.40"))
    basket.add("apples", Decimal("0.40"), 2)
    assert [(line.name, line.count) for line in basket.lines] == [("apples", 3)]
    assert basket.total() == Decimal("1.20")
