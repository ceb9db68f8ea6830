"""The form of a journal's line, and the chain that ties each line to all before it. Pure.

A line is `{"n":…,"at":…,"prev":"…","entry":{…},"hash":"…"}` in exactly this order. `hash` is the
SHA-256 of all that stands before `,"hash"`, and so of `prev`, the hash of the line before. It is
checked on the bytes as they stand, so that nothing has to be encoded again.
"""

from hashlib import sha256

import msgspec

from swarm.leader.session.entries import AnyEntry

GENESIS = "0" * 64
"""What stands for the hash of the line before the first."""
LINE_CAP = 64 * 1024 * 1024
"""The longest line, in bytes: a message's cap with room for what the leader adds."""

_HASH_KEY = b',"hash":"'
_LINE_END = b'"}\n'
_HASH_SIZE = len(GENESIS)
_TAIL_SIZE = len(_HASH_KEY) + _HASH_SIZE + len(_LINE_END)


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a journal. `n` counts from 1, `at` is in seconds of the epoch."""

    n: int
    at: float
    prev: str
    hash: str
    entry: AnyEntry


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Record).decode


def seal(entry: AnyEntry, n: int, at: float, prev: str) -> tuple[bytes, str]:
    """Give the line for `entry` and its hash. Raises ValueError for what JSON or the cap cannot hold."""
    try:
        encoded = _encode(entry)
    except (TypeError, UnicodeError, RecursionError, msgspec.MsgspecError) as error:
        raise ValueError(f"it cannot be written as JSON ({error})") from error
    if len(encoded) > LINE_CAP - 1024:
        raise ValueError(f"its {len(encoded)} bytes are more than a line may have")
    body = b'{"n":%d,"at":%r,"prev":"%b","entry":%b' % (n, at, prev.encode(), encoded)
    digest = sha256(body).hexdigest()
    return b"%b%b%b%b" % (body, _HASH_KEY, digest.encode(), _LINE_END), digest


def fits_its_hash(line: bytes) -> bool | None:
    """Say whether a line's content fits the hash it ends with; None if it has not the form of a line."""
    body, tail = line[:-_TAIL_SIZE], line[-_TAIL_SIZE:]
    if not (tail.startswith(_HASH_KEY) and tail.endswith(_LINE_END)):
        return None
    return sha256(body).hexdigest().encode() == tail[len(_HASH_KEY) : -len(_LINE_END)]


def unseal(line: bytes, n: int, prev: str) -> Record:
    """Give the record of line `n` after the line with the hash `prev`. Raises ValueError: what is wrong."""
    fits = fits_its_hash(line)
    if fits is None:
        raise ValueError("it has not the form of a journal's line")
    if not fits:
        raise ValueError("its content does not fit its hash")
    record = decode(line)
    if record.n != n or record.prev != prev:
        raise ValueError("it does not follow the line before it")
    return record


def decode(line: bytes) -> Record:
    """Give the record of a line without checking its hash. Raises ValueError."""
    try:
        return _decode(line)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(f"its entry is none that this version knows ({error})") from error
