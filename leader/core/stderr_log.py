"""Keeps what workers write to stderr, in their session folders. Bounded: a flood fills no disk."""

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import IO

LIMIT = 4 * 1024 * 1024
"""Bytes kept of each worker; of the rest it is only said that it was cut."""


class StderrLog:
    """One file a worker, opened when it first writes."""

    def __init__(self, folder_of: Callable[[str], Path]) -> None:
        self._folder_of = folder_of
        self._files: dict[str, IO[bytes]] = {}
        self._sizes: dict[str, int] = {}

    def write(self, worker: str, data: bytes) -> None:
        """Keep `data`; what the disk refuses is dropped."""
        size = self._sizes.get(worker, 0)
        if size >= LIMIT:
            return
        self._sizes[worker] = size + len(data)
        if size + len(data) >= LIMIT:
            data = data[: LIMIT - size] + b"\n[cut here: the worker writes too much]\n"
        try:
            file = self._files.get(worker) or self._open(worker)
            file.write(data)
            file.flush()
        except OSError:
            self._sizes[worker] = LIMIT

    def _open(self, worker: str) -> IO[bytes]:
        path = self._folder_of(worker) / "stderr.log"
        file = path.open("ab")
        path.chmod(0o600)
        self._files[worker] = file
        return file

    def __enter__(self) -> "StderrLog":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for file in self._files.values():
            file.close()
