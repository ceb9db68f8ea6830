"""Looking through what lies below a folder, as far as is quick. Bounded; never raises."""

from collections.abc import Iterator
from dataclasses import dataclass

from swarm.permissions.files import FileView, Kind

MOST_SEEN = 400


@dataclass(slots=True)
class Budget:
    """How many names may still be looked at for one request; each costs microseconds."""

    left: int = 6_000

    def spend(self, count: int) -> bool:
        """Take some; whether there were as many."""
        self.left -= count
        return self.left >= 0


def below(folder: str, files: FileView, budget: Budget) -> Iterator[str | None]:
    """The paths below a folder, links as they are; None at the end if there are too many."""
    waiting = [folder]
    seen = 0
    while waiting:
        here = waiting.pop()
        for name in files.names(here):
            seen += 1
            if seen > MOST_SEEN or not budget.spend(1):
                yield None
                return
            path = f"{here.rstrip('/')}/{name}"
            yield path
            if files.kind(path) is Kind.FOLDER:
                waiting.append(path)
