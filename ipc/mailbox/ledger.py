"""What a reader remembers of the letters it has handled, so that none counts twice. Does no I/O.

Letters of one run are handled in order, so one number a run is enough. Where too many runs were seen,
the oldest are remembered as a time: an unknown run that claims to be older is refused.
"""

import hmac

import msgspec

from swarm.ipc.mailbox.letters import Place

RUNS = 4096
"""The most runs that are remembered one by one."""
_PURPOSE = b"swarm ledger 1\n"
_MAC_SIZE = 64


class Reached(msgspec.Struct, frozen=True, array_like=True):
    """How far a run was handled: the number of its last letter, and when that was sent (µs)."""

    number: int
    at: int


class _Record(msgspec.Struct, forbid_unknown_fields=True):
    owner: str
    before: int
    runs: dict[str, Reached]


_encode = msgspec.json.Encoder(order="deterministic").encode
_decode = msgspec.json.Decoder(_Record).decode


class Ledger:
    """The runs whose letters the mailbox of `owner` has handled, each with how far."""

    def __init__(self, owner: str) -> None:
        self._record = _Record(owner, 0, {})

    def has(self, place: Place) -> bool:
        """Tell whether this letter was handled."""
        reached = self._record.runs.get(run_key(place))
        return place.at < self._record.before if reached is None else place.number <= reached.number

    def reached(self, run: str) -> int:
        """Give the number of the last letter handled of a run (as `run_key` gives it); 0 if none was."""
        reached = self._record.runs.get(run)
        return 0 if reached is None else reached.number

    def note(self, place: Place) -> None:
        """Remember that this letter, and so all before it of its run, was handled."""
        if not self.has(place):
            self._record.runs[run_key(place)] = Reached(place.number, place.at)

    def trim(self) -> None:
        """Forget the oldest runs but for their time, where there are too many."""
        runs = self._record.runs
        surplus = sorted(runs, key=lambda run: runs[run].at)[: max(0, len(runs) - RUNS)]
        for run in surplus:
            self._record.before = max(self._record.before, runs.pop(run).at + 1)

    def encode(self, key: bytes) -> bytes:
        """Give the record as signed bytes."""
        data = _encode(self._record)
        return data + b"\n" + _mac(key, data)

    @classmethod
    def decode(cls, key: bytes, data: bytes, owner: str) -> "Ledger":
        """Read what `encode` gave. Raises ValueError where it was changed or is another's."""
        text, _, mac = data.rpartition(b"\n")
        if not hmac.compare_digest(mac, _mac(key, text)):
            raise ValueError("the signature is wrong")
        ledger = cls(owner)
        ledger._record = _decode(text)
        if ledger._record.owner != owner:
            raise ValueError("it is another's")
        return ledger


def run_key(place: Place) -> str:
    """Give what tells a run from all others."""
    return f"{place.sender}/{place.run}"


def _mac(key: bytes, data: bytes) -> bytes:
    return hmac.digest(key, _PURPOSE + data, "sha256").hex().encode()
