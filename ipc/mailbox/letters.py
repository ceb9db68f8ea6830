"""A letter, its name and its seal: what is in a file of a mailbox, and what of it is believed. No I/O.

A file is one line of JSON, the envelope, then the body. The signature is the envelope's last field and
covers everything before and behind it. It is checked before anything is read.
"""

import hmac
import re
from typing import Annotated

import msgspec

from swarm.ipc.mailbox.errors import BadLetter, InvalidName, TooLongToSend
from swarm.ipc.messages import LINE_CAP

BODY_CAP = LINE_CAP + 64 * 1024
"""What a letter may hold: the longest line, or as many shorter ones as are written at once. In bytes."""
FILE_CAP = BODY_CAP + 1024
"""A body and its envelope."""

_NAME = r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,79}"
_PLACE = re.compile(rf"([0-9]{{16}})-([0-9]{{10}})-([0-9a-f]{{16}})-({_NAME})")
_PURPOSE = b"swarm letter 1\n"
_MARK = b',"mac":"'
_END = b'"}'
_MAC_SIZE = 64


class Place(msgspec.Struct, frozen=True):
    """What the name of a letter's file says: when it was sent (µs), and as which of a sender's run.

    A run is one process under a sender's name. It numbers what it sends to a recipient from 1 on.
    """

    at: int
    number: int
    run: str
    sender: str

    def __str__(self) -> str:
        return f"{self.at:016d}-{self.number:010d}-{self.run}-{self.sender}"


class Letter(msgspec.Struct, frozen=True):
    """One letter. `at` is in seconds of the sender's clock, `name` is the file's name in the mailbox."""

    sender: str
    recipient: str
    number: int
    at: float
    body: bytes
    name: str
    run: str = ""


class _Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sender: str
    recipient: str
    number: Annotated[int, msgspec.Meta(ge=1, lt=10**10)]
    at: Annotated[int, msgspec.Meta(ge=0, lt=10**16)]
    run: str


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Envelope).decode


def require_name(name: str) -> str:
    """Give `name` if a mailbox can be called so. Raises InvalidName."""
    if not re.fullmatch(_NAME, name):
        raise InvalidName(name)
    return name


def read_place(name: str) -> Place | None:
    """Give what a file's name says, if it is one of a letter. Believe it only after `unseal`."""
    found = _PLACE.fullmatch(name)
    return Place(int(found[1]), int(found[2]), found[3], found[4]) if found else None


def compose(place: Place, recipient: str, body: bytes) -> Letter:
    """Give the letter that `place` names. Raises TooLongToSend."""
    if len(body) > BODY_CAP:
        raise TooLongToSend(len(body), BODY_CAP)
    return Letter(place.sender, recipient, place.number, place.at / 1e6, body, str(place), place.run)


def seal(key: bytes, letter: Letter) -> bytes:
    """Give the bytes of the file that `letter`, made by `compose`, is sent as."""
    place = read_place(letter.name)
    assert place is not None, "a letter is made by `compose`"
    envelope = _Envelope(place.sender, letter.recipient, place.number, place.at, place.run)
    head = _encode(envelope).removesuffix(b"}")
    return head + _MARK + _mac(key, head, letter.body) + _END + b"\n" + letter.body


def unseal(key: bytes, data: bytes, recipient: str, name: str) -> Letter:
    """Give the letter in `data`, the file `name` in the mailbox of `recipient`. Raises BadLetter."""
    if len(data) > FILE_CAP:
        raise BadLetter("it is longer than a letter may be")
    line, newline, body = data.partition(b"\n")
    head, mark, rest = line.rpartition(_MARK)
    if not (newline and mark and len(rest) == _MAC_SIZE + len(_END)):
        raise BadLetter("it is no letter")
    if not hmac.compare_digest(rest, _mac(key, head, body) + _END):
        raise BadLetter("its signature is wrong")
    try:
        envelope = _decode(head + b"}")
    except msgspec.MsgspecError:
        raise BadLetter("its envelope is of another version") from None
    if envelope.recipient != recipient:
        raise BadLetter("it is for another recipient")
    if name != str(Place(envelope.at, envelope.number, envelope.run, envelope.sender)):
        raise BadLetter("it was given another name")
    at = envelope.at / 1e6
    return Letter(envelope.sender, recipient, envelope.number, at, body, name, envelope.run)


def _mac(key: bytes, head: bytes, body: bytes) -> bytes:
    return hmac.digest(key, b"%b%b\n%b" % (_PURPOSE, head, body), "sha256").hex().encode()
