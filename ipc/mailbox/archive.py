"""Where handled letters are put, the last of them for people to look at, and the record of all."""

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from swarm.ipc.mailbox.errors import BadLetter, DamagedLedger, MailFailed
from swarm.ipc.mailbox.folders import names_in, open_folder, read_bounded, write_durably
from swarm.ipc.mailbox.ledger import Ledger
from swarm.ipc.mailbox.letters import Place, read_place

if TYPE_CHECKING:
    from pathlib import Path

_LEDGER = "handled"
_LEDGER_CAP = 2 * 1024 * 1024
"""More than `ledger.RUNS` runs take. In bytes."""


class Archive:
    """The handled letters of the mailbox `owner` in `folder`. Read from disk when first asked."""

    def __init__(self, folder: "Path", owner: str, key: bytes) -> None:
        self._folder = folder
        self._done = folder / "done"
        self._owner = owner
        self._key = key
        self._recalled: Ledger | None = None

    def has(self, place: Place) -> bool:
        """Tell whether this letter was handled. Raises DamagedLedger, MailFailed."""
        return self._ledger.has(place)

    def reached(self, run: str) -> int:
        """Give the number of the last letter of a run that was handled. Raises the same."""
        return self._ledger.reached(run)

    def put(self, path: "Path", place: Place) -> None:
        """Note a letter as handled, and move its file here. Raises MailFailed; it is noted even so."""
        self._ledger.note(place)
        try:
            os.rename(path, self._done / path.name)
        except FileNotFoundError:
            return
        except OSError as error:
            raise MailFailed("Putting away a letter in", self._done, error) from error

    def prune(self, keep: int) -> None:
        """Keep the files of the last `keep` letters. Raises DamagedLedger, MailFailed."""
        ledger = self._ledger
        names = sorted(names_in(self._done))
        surplus = names[: max(0, len(names) - keep)]
        if not surplus:
            return
        try:
            self._write(ledger)
            for name in surplus:
                with suppress(FileNotFoundError):
                    os.unlink(self._done / name)
        except OSError as error:
            raise MailFailed("Pruning", self._done, error) from error

    @property
    def _ledger(self) -> Ledger:
        if self._recalled is None:
            self._recalled = self._recall()
        return self._recalled

    def _recall(self) -> Ledger:
        path = self._folder / _LEDGER
        try:
            ledger = Ledger.decode(self._key, read_bounded(path, _LEDGER_CAP), self._owner)
        except FileNotFoundError:
            ledger = Ledger(self._owner)
        except (ValueError, BadLetter):
            raise DamagedLedger(path) from None
        for place in filter(None, map(read_place, names_in(self._done))):
            ledger.note(place)
        return ledger

    def _write(self, ledger: Ledger) -> None:
        ledger.trim()
        with open_folder(self._folder) as folder:
            temporary = f".{_LEDGER}.new"
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=folder)
            write_durably(ledger.encode(self._key), (temporary, folder), (_LEDGER, folder))
