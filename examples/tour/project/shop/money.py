"""Amounts of money, kept in whole cents so that nothing is lost to rounding."""

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Money:
    """An amount in cents."""

    cents: int

    def __add__(self, other: "Money") -> "Money":
        return Money(self.cents + other.cents)

    def __sub__(self, other: "Money") -> "Money":
        return Money(self.cents - other.cents)

    def times(self, count: int) -> "Money":
        """Give the amount `count` times."""
        return Money(self.cents * count)

    def __str__(self) -> str:
        sign = "-" if self.cents < 0 else ""
        return f"{sign}{abs(self.cents) // 100}.{abs(self.cents) % 100:02}"
