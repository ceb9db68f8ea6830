"""Keeps the beginning and the end of an output of any length, in bounded memory. Pure."""

from collections import deque

OUTPUT_CAP = 30_000


class BoundedOutput:
    """Text of which half of `cap` characters are kept of its beginning and half of its end."""

    def __init__(self, cap: int = OUTPUT_CAP) -> None:
        self._half = cap // 2
        self._head = ""
        self._tail: deque[str] = deque()
        self._tail_size = 0
        self._left_out = 0

    def add(self, text: str) -> None:
        """Take more output."""
        room = self._half - len(self._head)
        self._head += text[:room]
        rest = text[room:]
        if rest:
            self._tail.append(rest)
            self._tail_size += len(rest)
            self._trim()

    @property
    def text(self) -> str:
        """What is kept, with a line that says how much was left out between."""
        tail = "".join(self._tail)
        if not self._left_out:
            return self._head + tail
        return f"{self._head}\n… {self._left_out:,} characters were left out …\n{tail}"

    def _trim(self) -> None:
        while self._tail_size > self._half:
            excess = self._tail_size - self._half
            first = self._tail.popleft()
            if len(first) > excess:
                self._tail.appendleft(first[excess:])
            dropped = min(excess, len(first))
            self._tail_size -= dropped
            self._left_out += dropped
