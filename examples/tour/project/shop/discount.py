"""What is taken off a price."""

from shop.money import Money


def percent_off(price: Money, percent: int) -> Money:
    """Give the price less `percent` per cent, rounded down to the cent."""
    if not 0 <= percent <= 100:
        raise ValueError(f"{percent} is no percentage between 0 and 100")
    return price - Money(percent)


def amount_off(price: Money, amount: Money) -> Money:
    """Give the price less an amount, but never less than nothing."""
    return max(price - amount, Money(0))
