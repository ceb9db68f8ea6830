"""The names of the letters that wait in one mailbox, by sender. Reads none of them."""

from collections import deque


class Queues:
    """Names in order for each sender, and those nobody was told of. `known` are all of them."""

    def __init__(self) -> None:
        self.known: set[str] = set()
        self._names: dict[str, deque[str]] = {}
        self._untold: deque[tuple[str, str]] = deque()

    def add(self, sender: str, name: str) -> None:
        """Put a letter behind the others of its sender."""
        self.known.add(name)
        self._names.setdefault(sender, deque()).append(name)
        self._untold.append((sender, name))

    def first(self, sender: str) -> str | None:
        """Give the name of the letter that is next, if there is one."""
        names = self._names.get(sender)
        return names[0] if names else None

    def count(self, sender: str) -> int:
        """Give how many letters of a sender wait."""
        return len(self._names.get(sender, ()))

    def remove(self, sender: str, name: str) -> None:
        """Take a letter out, usually the first one."""
        names = self._names.get(sender, deque())
        if names and names[0] == name:
            names.popleft()
        elif name in names:
            names.remove(name)
        if not names:
            self._names.pop(sender, None)
        self.known.discard(name)

    def next_untold(self) -> tuple[str, str] | None:
        """Give sender and name of the next letter that nobody was told of and that still waits; once."""
        while self._untold:
            sender, name = self._untold.popleft()
            if name in self.known:
                return sender, name
        return None

    def untell(self, sender: str, but: str | None) -> None:
        """Let all waiting letters of a sender be told of, save one."""
        told = set(self._untold)
        pairs = [(sender, name) for name in self._names.get(sender, ()) if name != but]
        self._untold.extend(pair for pair in pairs if pair not in told)
