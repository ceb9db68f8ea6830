"""Which numbers of a row are missing so far, as ranges. Pure."""

from collections.abc import Iterator


class Gaps:
    """Ranges of missing numbers, first to last, each with the line before which it was noticed."""

    def __init__(self) -> None:
        self._ranges: list[tuple[int, int, int]] = []

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        return iter(self._ranges)

    def add(self, first: int, last: int, line: int) -> None:
        """Take note that these are missing."""
        self._ranges.append((first, last, line))

    def fill(self, number: int) -> bool:
        """Take out a number that was found after all; give whether it was missing."""
        for at, (first, last, line) in enumerate(self._ranges):
            if first <= number <= last:
                parts = ((first, number - 1, line), (number + 1, last, line))
                self._ranges[at : at + 1] = [part for part in parts if part[0] <= part[1]]
                return True
        return False
