"""One mailbox: sends letters to others, gives those that wait in order, and puts away what was handled."""

import os
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from swarm.ipc.channel import Unreadable
from swarm.ipc.mailbox.archive import Archive
from swarm.ipc.mailbox.errors import BadLetter, MailFailed, UnknownRecipient
from swarm.ipc.mailbox.folders import make_folder, names_in, open_folder, read_bounded, write_durably
from swarm.ipc.mailbox.letters import (
    FILE_CAP,
    Letter,
    Place,
    compose,
    read_place,
    require_name,
    seal,
    unseal,
)
from swarm.ipc.mailbox.order import Order
from swarm.ipc.mailbox.refusals import Refusals
from swarm.ipc.mailbox.stale import remove_stale

KEPT_DONE = 1000
"""How many handled letters are kept for people to look at."""


class Mailbox:
    """The mailbox `name` below `root`, for one process and one thread. `clock` gives seconds.

    Who reads must `create` it; who only sends need not. The letters of one sender's run are to be
    acknowledged in the order given: to acknowledge one is to acknowledge all before it.
    """

    def __init__(
        self, root: Path, name: str, key: bytes, *, clock: Callable[[], float] = time.time
    ) -> None:
        self.root = root
        self.name = require_name(name)
        self.folder = root / name
        self.new = self.folder / "new"
        self._key = key
        self._clock = clock
        self._run = os.urandom(8).hex()
        self._numbers: dict[str, int] = {}
        self._sent_at = 0
        self._archive = Archive(self.folder, name, key)
        self._order = Order(self._archive.reached)
        self._refusals = Refusals(self.folder / "refused")

    def __repr__(self) -> str:
        return f"<Mailbox {self.name} in {self.root}, run {self._run}>"

    def create(self) -> None:
        """Make what is missing, for the owner alone. Raises UnsafeMail, MailFailed."""
        for path in (self.root, self.folder):
            make_folder(path)
        for part in ("tmp", "new", "done", "refused"):
            make_folder(self.folder / part)

    def send(self, to: str, body: bytes) -> Letter:
        """Send `body`; when this returns, the letter is on the disk and can be read.

        Raises UnknownRecipient, InvalidName, TooLongToSend, UnsafeMail, and MailFailed with advice.
        """
        self._sent_at = max(self._sent_at, round(self._clock() * 1e6))
        number = self._numbers.get(require_name(to), 0) + 1
        letter = compose(Place(self._sent_at, number, self._run, self.name), to, body)
        self._numbers[to] = number  # even if it fails, since the file may be there
        box = self.root / to
        try:
            self._deliver(box, letter.name, seal(self._key, letter))
        except FileNotFoundError:
            raise UnknownRecipient(to, self.root) from None
        except OSError as error:
            raise MailFailed("Sending a letter to", box, error) from error
        return letter

    def waiting(self) -> Iterator[Letter]:
        """Give the letters that wait, in order, each read when its turn comes. Raises MailError."""
        for name in self.names():
            letter = self.take(name)
            if letter is not None:
                yield letter

    def names(self, known: Collection[str] = ()) -> list[str]:
        """Give the names of what waits, in order, those of `known` left out. Raises MailError."""
        listed = self._list(known)
        settled = self._order.settle(listed)
        if len(settled) == len(listed):
            return settled
        return self._order.settle(self._list(known), frozenset(listed))

    def take(self, name: str) -> Letter | None:
        """Give the letter of this name, still unacknowledged; None where it is gone or refused.

        Raises MailFailed where the system is at fault and not the letter.
        """
        data = b""
        try:
            place = read_place(name)
            if place is None:
                raise BadLetter("its name is not that of a letter")
            if self._archive.has(place):
                raise BadLetter("it was handled before")
            data = read_bounded(self.new / name, FILE_CAP)
            return unseal(self._key, data, self.name, name)
        except FileNotFoundError:
            return None
        except BadLetter as error:
            self._refusals.add(self.new / name, str(error), data)
            return None

    def acknowledge(self, letter: Letter) -> None:
        """Put away a letter that was handled. Raises MailFailed; then it comes again after a restart."""
        place = read_place(letter.name)
        assert place is not None, "it was given by this mailbox"
        self._archive.put(self.new / letter.name, place)

    @property
    def refused(self) -> list[Unreadable]:
        """What was refused since the last look, that of one problem counted together."""
        return self._refusals.take()

    def prune(self, keep: int = KEPT_DONE) -> None:
        """Keep the last `keep` handled letters, and nothing unfinished of the dead. Raises MailError."""
        self._order.forget()
        self._archive.prune(keep)
        try:
            remove_stale(self.folder / "tmp", self._clock())
        except OSError as error:
            raise MailFailed("Pruning", self.folder, error) from error

    def clear(self) -> int:
        """Put away unread all that waits, and tell how many: it was for who had this mailbox before."""
        count = 0
        for letter in self.waiting():
            self.acknowledge(letter)
            count += 1
        return count

    def _deliver(self, box: Path, name: str, data: bytes) -> None:
        with (
            open_folder(box) as above,
            open_folder(box / "tmp", above) as tmp,
            open_folder(box / "new", above) as new,
        ):
            write_durably(data, (f"{os.getpid()}.{name}", tmp), (name, new))

    def _list(self, known: Collection[str]) -> list[str]:
        return [name for name in names_in(self.new) if name not in known]
