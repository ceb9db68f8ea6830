"""What somebody is about to buy."""

from dataclasses import dataclass, field

from shop.money import Money


@dataclass
class Cart:
    """Articles with their prices and how many of each. TODO: remember the order they were added in."""

    lines: dict[str, tuple[Money, int]] = field(default_factory=dict)

    def add(self, article: str, price: Money, count: int = 1) -> None:
        """Put `count` more of an article into the cart, all at the newest price."""
        if count < 1:
            raise ValueError("at least one article has to be added")
        _, before = self.lines.get(article, (price, 0))
        self.lines[article] = (price, before + count)

    def total(self) -> Money:
        """Give the sum of all lines."""
        return sum((price.times(count) for price, count in self.lines.values()), Money(0))
