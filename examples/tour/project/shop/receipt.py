"""A cart as text. TODO: wrap names that are longer than the paper is wide."""

from shop.cart import Cart

WIDTH = 32


def print_lines(cart: Cart) -> list[str]:
    """Give the lines of the receipt, the total last."""
    lines = [
        line(f"{count} x {article}", str(price.times(count)))
        for article, (price, count) in cart.lines.items()
    ]
    return [*lines, "-" * WIDTH, line("total", str(cart.total()))]


def line(left: str, right: str) -> str:
    """Give one line with its amount at the right margin."""
    return left.ljust(WIDTH - len(right)) + right
