"""Looking through what lies below a folder, as far as is quick. Bounded; never raises."""

from collections.abc import Iterator

from swarm.permissions.files import FileView, Kind

MOST_SEEN = 400


def below(folder: str, files: FileView, most: int = MOST_SEEN) -> Iterator[str | None]:
    """The paths below a folder, links as they are; None at the end if there are more than `most`."""
    waiting = [folder]
    seen = 0
    while waiting:
        here = waiting.pop()
        for name in files.names(here):
            seen += 1
            if seen > most:
                yield None
                return
            path = f"{here.rstrip('/')}/{name}"
            yield path
            if files.kind(path) is Kind.FOLDER:
                waiting.append(path)
