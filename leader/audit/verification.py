"""Checks a journal's chain to its end and says of each fault which entry it is and what is wrong. Pure.

It proves that a journal is whole as far as a chain of hashes can: who may write the file can also write
the whole chain anew. A hash that was kept elsewhere shows that.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import msgspec

from swarm.leader.audit.gaps import Gaps
from swarm.leader.session.chain import GENESIS, fits_its_hash

FAULTS_KEPT = 1_000
"""How many faults are told one by one; all are counted."""


class _Envelope(msgspec.Struct, frozen=True):
    """What of a line is looked at: its number, the hashes, and what kind of entry it holds."""

    n: int
    at: float
    prev: str
    hash: str
    entry: msgspec.Raw


class _Kind(msgspec.Struct, frozen=True):
    type: str = ""


_decode = msgspec.json.Decoder(_Envelope).decode
_decode_kind = msgspec.json.Decoder(_Kind).decode


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong. `line` counts lines of the file, `entry` is the number in it; 0: none."""

    line: int
    entry: int
    problem: str


@dataclass(slots=True)
class Verification:
    """What was found. `torn` is how many bytes of an unfinished line stand at the end.

    `ended` says that the last entry is the session's end. `expected_at` tells at which entry each
    expected hash was found.
    """

    entries: int = 0
    last_entry: int = 0
    last_hash: str = GENESIS
    last_at: float = 0.0
    torn: int = 0
    ended: bool = False
    expected_at: dict[str, int] = field(default_factory=dict)
    fault_count: int = 0
    faults: list[Fault] = field(default_factory=list)

    def add(self, fault: Fault) -> None:
        """Take one more fault."""
        self.fault_count += 1
        if len(self.faults) < FAULTS_KEPT:
            self.faults.append(fault)


def verify(lines: Iterable[bytes], expected: Mapping[str, str] = MappingProxyType({})) -> Verification:
    """Check the lines of a journal, each with its line feed but a torn last one.

    `expected` are hashes, or beginnings of some, that entries must have, each with who knows of it.
    """
    checking = _Checking(expected)
    for number, line in enumerate(lines, 1):
        checking.take(number, line)
    return checking.finish()


class _Checking:
    """One journal that is being checked. Keeps nothing of the lines but numbers and the last hash."""

    def __init__(self, expected: Mapping[str, str]) -> None:
        self._found = Verification()
        self._expected = expected
        self._gaps = Gaps()
        self._next = 1
        self._line = 0

    def take(self, number: int, line: bytes) -> None:
        self._line = number
        if not line.endswith(b"\n"):
            self._torn(number, line)
            return
        fits = fits_its_hash(line)
        envelope = _envelope(line) if fits is not None else None
        if envelope is None:
            self._fault(0, "this is no entry of a journal: it was changed or put in")
            return
        self._found.entries += 1
        for wanted in self._expected:
            if envelope.hash.startswith(wanted):
                self._found.expected_at[wanted] = envelope.n
        renumbered = envelope.n != self._next and envelope.prev == self._found.last_hash
        if not fits:
            number = self._next if renumbered else envelope.n
            self._fault(number, "its content does not fit its hash: it was changed")
        elif renumbered:
            self._fault(envelope.n, f"its number was changed: it is entry {self._next}")
        self._place(msgspec.structs.replace(envelope, n=self._next) if renumbered else envelope)

    def _place(self, envelope: _Envelope) -> None:
        if envelope.n == self._next:
            if envelope.prev != self._found.last_hash:
                self._fault(envelope.n, _does_not_follow(envelope.n))
            self._advance(envelope)
        elif envelope.n > self._next:
            self._gaps.add(self._next, envelope.n - 1, self._line)
            self._advance(envelope)
        elif self._gaps.fill(envelope.n):
            self._fault(envelope.n, "it stands in the wrong place: entries were put in another order")
        else:
            self._fault(envelope.n, "it is there a second time, or was put in")

    def _advance(self, envelope: _Envelope) -> None:
        self._next = envelope.n + 1
        self._found.last_entry = envelope.n
        self._found.last_hash = envelope.hash
        self._found.last_at = envelope.at
        self._found.ended = _kind(envelope) == "session_ended"

    def _torn(self, number: int, line: bytes) -> None:
        """Judge an unfinished last line: a crash leaves the beginning of the very next entry."""
        self._found.torn = len(line)
        if self._found.ended:
            self._fault(0, f"{len(line)} bytes stand behind the end of the session: they were put in")
            return
        numbered = b'{"n":%d,"at":' % self._next
        begins = line.startswith(numbered) or numbered.startswith(line)
        if not (begins and _breaks_off(line)):
            self._fault(
                0, "the unfinished last line is not the beginning of the next entry: no crash left it"
            )
            return
        tied = b',"prev":"%b"' % self._found.last_hash.encode()
        at = line.find(b',"prev":"')
        if at >= 0 and not tied.startswith(line[at : at + len(tied)]):
            self._fault(0, "the unfinished last line does not follow the entry before it")

    def finish(self) -> Verification:
        for first, last, line in self._gaps:
            which = f"entry {first} is" if first == last else f"entries {first} to {last} are"
            self._found.add(Fault(line, first, f"{which} missing before this line: removed"))
        for wanted, known_by in self._expected.items():
            if wanted not in self._found.expected_at:
                why = "it was cut short or written anew"
                problem = f"no entry has the hash {wanted[:12]}, which {known_by}: {why}"
                self._found.add(Fault(0, 0, problem))
        self._found.faults.sort(key=lambda fault: (fault.line == 0, fault.line))
        return self._found

    def _fault(self, entry: int, problem: str) -> None:
        self._found.add(Fault(self._line, entry, problem))


def _does_not_follow(number: int) -> str:
    if number == 1:
        return "it claims to follow another entry, but it is the first"
    before = f"entry {number - 1}"
    return (
        f"it was written after another {before} than stands there now: {before} was replaced, or changed "
        "and sealed anew"
    )


def _breaks_off(line: bytes) -> bool:
    """Whether nothing is wrong with a torn line but that it ends too soon, perhaps within a number."""
    return any(map(_is_truncated, (line, line + b"0"))) or bool(fits_its_hash(line + b"\n"))


def _is_truncated(line: bytes) -> bool:
    try:
        msgspec.json.decode(line)
    except msgspec.DecodeError as error:
        return "truncated" in str(error)
    except RecursionError:
        return False
    return False


def _envelope(line: bytes) -> _Envelope | None:
    try:
        return _decode(line)
    except (msgspec.MsgspecError, RecursionError):
        return None


def _kind(envelope: _Envelope) -> str:
    try:
        return _decode_kind(envelope.entry).type
    except (msgspec.MsgspecError, RecursionError):
        return ""
