"""A mail room: each letter goes to the stream of its sender, and strangers' letters are kept for one."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.waiting import until
from swarm.ipc.bytestream import READ_SIZE
from swarm.ipc.mailbox.box import Mailbox
from swarm.ipc.mailbox.errors import InvalidName, PeerTaken
from swarm.ipc.mailbox.letters import Letter
from swarm.ipc.mailbox.room import Mailroom
from swarm.ipc.mailbox.stream import MailStream

if TYPE_CHECKING:
    from swarm.ipc.channel import Unreadable

KEY = b"k" * 32


class Reader:
    """Notes what a stream gives, `pieces` of it at most."""

    def __init__(self, stream: MailStream, pieces: int = 10**9) -> None:
        self.stream = stream
        self.pieces: list[bytes] = []
        self._most = pieces
        stream.attach(asyncio.get_running_loop())
        stream.watch_reading(self._read)

    def _read(self) -> None:
        try:
            self.pieces.append(self.stream.read())
        except BlockingIOError:
            return
        if len(self.pieces) >= self._most:
            self.stream.watch_reading(None)


@pytest.fixture
async def room(leader: Mailbox) -> AsyncIterator[Mailroom]:
    made = Mailroom(leader)
    made.open(asyncio.get_running_loop())
    yield made
    made.close()


def waiting(root: Path) -> int:
    """Give how many letters are not acknowledged."""
    return len(list((root / "leader/new").iterdir()))


async def test_each_peer_gets_its_own_letters_in_order(root: Path, room: Mailroom) -> None:
    readers = {name: Reader(room.stream(name)) for name in ("worker-a", "worker-b")}
    senders = {name: Mailbox(root, name, KEY) for name in readers}
    for number in range(5):
        for name, box in senders.items():
            box.send("leader", f"{name} {number}".encode())
    await until(lambda: all(len(reader.pieces) == 5 for reader in readers.values()))
    for name, reader in readers.items():
        assert reader.pieces == [f"{name} {number}".encode() for number in range(5)]
    await until(lambda: waiting(root) == 0)


async def test_a_letter_is_acknowledged_by_the_read_behind_it(
    root: Path, room: Mailroom, worker: Mailbox
) -> None:
    worker.send("leader", b"one")
    worker.send("leader", b"two")
    stream = room.stream("worker-a")
    assert stream.wait_readable(1000)
    assert (stream.read(), waiting(root)) == (b"one", 2)
    assert (stream.read(), waiting(root)) == (b"two", 1)
    with pytest.raises(BlockingIOError):
        stream.read()
    assert waiting(root) == 0


async def test_a_letter_in_hand_comes_again_to_the_next_process(
    root: Path, room: Mailroom, worker: Mailbox
) -> None:
    worker.send("leader", b"one")
    stream = room.stream("worker-a")
    assert stream.wait_readable(1000)
    assert stream.read() == b"one"
    room.close()
    again = Mailroom(Mailbox(root, "leader", KEY))
    again.open(asyncio.get_running_loop())
    reader = Reader(again.stream("worker-a"))
    await until(lambda: reader.pieces == [b"one"] and waiting(root) == 0)
    again.close()


async def test_a_long_letter_comes_in_pieces(root: Path, room: Mailroom, worker: Mailbox) -> None:
    body = bytes(range(256)) * 300
    worker.send("leader", body)
    worker.send("leader", b"")
    worker.send("leader", b"next")
    reader = Reader(room.stream("worker-a"))
    await until(lambda: b"".join(reader.pieces) == body + b"next")
    assert max(map(len, reader.pieces)) == READ_SIZE
    assert b"" not in reader.pieces, "which would be the end of the stream"


async def test_a_stranger_is_told_of_and_its_letter_goes_to_the_stream_opened_then(
    root: Path, room: Mailroom, worker: Mailbox
) -> None:
    told: list[Letter] = []
    readers: list[Reader] = []

    def meet(letter: Letter) -> None:
        told.append(letter)
        readers.append(Reader(room.stream(letter.sender)))

    room.strangers = meet
    sent = worker.send("leader", b"hello")
    worker.send("leader", b"more")
    await until(lambda: readers and readers[0].pieces == [b"hello", b"more"])
    assert told == [sent]
    await until(lambda: waiting(root) == 0)


async def test_a_strangers_letter_is_told_of_once_and_kept(
    root: Path, room: Mailroom, worker: Mailbox
) -> None:
    told: list[bytes] = []
    room.strangers = lambda letter: told.append(letter.body)
    worker.send("leader", b"one")
    worker.send("leader", b"two")
    await until(lambda: told == [b"one", b"two"])
    worker.send("leader", b"three")
    await until(lambda: len(told) == 3)
    assert waiting(root) == 3
    reader = Reader(room.stream("worker-a"))
    await until(lambda: reader.pieces == told)


async def test_one_letter_that_nobody_can_handle_holds_up_no_other(
    root: Path, room: Mailroom, worker: Mailbox, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[bytes] = []

    def meet(letter: Letter) -> None:
        if letter.body == b"bad":
            raise ValueError(letter.body)
        told.append(letter.body)

    room.strangers = meet
    for body in (b"bad", b"good"):
        worker.send("leader", body)
    await until(lambda: told == [b"good"])
    assert "is kept" in caplog.text
    assert waiting(root) == 2


async def test_a_strangers_letter_can_be_put_away(root: Path, room: Mailroom, worker: Mailbox) -> None:
    room.strangers = room.discard
    for _ in range(100):
        worker.send("leader", b"unwanted")
    await until(lambda: waiting(root) == 0)


async def test_letters_behind_a_closed_stream_are_a_strangers(
    root: Path, room: Mailroom, worker: Mailbox
) -> None:
    told: list[bytes] = []
    room.strangers = lambda letter: told.append(letter.body)
    first = Reader(room.stream("worker-a"), pieces=1)
    for body in (b"in hand", b"next"):
        worker.send("leader", body)
    await until(lambda: first.pieces)
    first.stream.close()
    await until(lambda: told == [b"next"])
    second = Reader(room.stream("worker-a"))
    await until(lambda: second.pieces == [b"in hand", b"next"])


async def test_a_refusal_is_reported_and_the_next_letter_read(
    root: Path, room: Mailroom, worker: Mailbox
) -> None:
    reports: list[Unreadable] = []
    room.refused = reports.append
    reader = Reader(room.stream("worker-a"))
    Mailbox(root, "worker-a", b"x" * 32).send("leader", b"forged")
    (root / "leader/new/garbage").touch()
    worker.send("leader", b"real")
    await until(lambda: reader.pieces == [b"real"] and len(reports) == 2)
    assert {"signature" in report.problem for report in reports} == {True, False}


async def test_a_mailbox_that_cannot_be_read_is_said_once(
    root: Path, leader: Mailbox, worker: Mailbox
) -> None:
    reports: list[Unreadable] = []
    room = Mailroom(leader)
    room.refused = reports.append
    room.open(asyncio.get_running_loop())
    leader.new.rmdir()
    await until(lambda: reports)
    leader.new.mkdir(mode=0o700)
    worker.send("leader", b"late")
    reader = Reader(room.stream("worker-a"))
    await until(lambda: reader.pieces == [b"late"])
    assert [str(leader.new) in report.problem for report in reports] == [True]
    room.close()


async def test_there_is_one_stream_for_a_peer(room: Mailroom) -> None:
    stream = room.stream("worker-a")
    with pytest.raises(PeerTaken, match="worker-a"):
        room.stream("worker-a")
    stream.close()
    room.stream("worker-a")
    with pytest.raises(InvalidName):
        room.stream("../a")


@pytest.mark.parametrize("close", [lambda room, stream: stream.close(), lambda room, stream: room.close()])
async def test_a_closed_stream_neither_sends_nor_gives(
    room: Mailroom, worker: Mailbox, close: Callable[[Mailroom, MailStream], None]
) -> None:
    stream = room.stream("worker-a")
    worker.send("leader", b"late")
    close(room, stream)
    with pytest.raises(BrokenPipeError):
        stream.write(b"x")
    with pytest.raises(BlockingIOError):
        stream.read()
    assert not stream.wait_readable(1)


async def test_handled_letters_are_pruned_on_the_way(
    root: Path, room: Mailroom, worker: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("swarm.ipc.mailbox.room._PRUNED_AFTER", 10)
    monkeypatch.setattr(Mailbox.prune, "__defaults__", (5,))
    reader = Reader(room.stream("worker-a"))
    for _ in range(30):
        worker.send("leader", b"x")
    await until(lambda: len(reader.pieces) == 30 and waiting(root) == 0)
    assert len(list((root / "leader/done").iterdir())) == 5
