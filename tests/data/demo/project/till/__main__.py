import sys
from decimal import Decimal

from till.basket import Basket
from till.receipt import render


def main(words: list[str]) -> int:
    basket = Basket()
    for count, name, price in zip(words[0::3], words[1::3], words[2::3]):
        basket.add(name, Decimal(price), int(count))
    print(render(basket))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
