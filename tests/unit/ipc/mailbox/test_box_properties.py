"""Whatever the order of sending, reading, acknowledging, pruning and crashing: each letter counts once."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.ipc.mailbox.box import Mailbox

if TYPE_CHECKING:
    from swarm.ipc.mailbox.letters import Letter

KEY = b"k" * 32
SENDERS = ("worker-a", "worker-b")
ACTS = st.sampled_from(
    ["send", "send", "send", "take", "take", "acknowledge", "acknowledge", "crash", "restart", "prune"]
)


class World:
    """Two senders and a reader that handles a letter when it takes it, and knows it by its body."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.sent: dict[str, list[bytes]] = {name: [] for name in SENDERS}
        self.handled: list[tuple[str, bytes]] = []
        self.acknowledged: set[str] = set()
        self.senders = {name: Mailbox(root, name, KEY) for name in SENDERS}
        self.start_reader()

    def start_reader(self) -> None:
        """Start anew: what was taken and not acknowledged is forgotten, as after kill -9."""
        self.reader = Mailbox(self.root, "leader", KEY)
        self.reader.create()
        self.known: set[str] = set()
        self.taken: list[Letter] = []

    def act(self, act: str, sender: str) -> None:
        match act:
            case "send":
                body = b"%b %d" % (sender.encode(), len(self.sent[sender]))
                self.senders[sender].send("leader", body)
                self.sent[sender].append(body)
            case "take":
                self.take(1)
            case "acknowledge":
                self.acknowledge(1)
            case "crash":
                self.start_reader()
            case "restart":
                self.senders[sender] = Mailbox(self.root, sender, KEY)
            case "prune":
                self.reader.prune(keep=1)

    def take(self, count: int | None) -> None:
        """Handle the next letters, dropping what was handled before the last crash."""
        for name in self.reader.names(self.known)[:count]:
            letter = self.reader.take(name)
            assert letter is not None
            assert name not in self.acknowledged, "it came again although it was acknowledged"
            self.known.add(name)
            self.taken.append(letter)
            if (letter.sender, letter.body) not in self.handled:
                self.handled.append((letter.sender, letter.body))

    def acknowledge(self, count: int | None) -> None:
        for letter in self.taken[:count]:
            self.reader.acknowledge(letter)
            self.acknowledged.add(letter.name)
        del self.taken[:count]

    def check(self) -> None:
        """See that every letter was handled, once and in the order of its sender, and none refused."""
        for sender, bodies in self.sent.items():
            assert [body for name, body in self.handled if name == sender] == bodies
        assert self.reader.refused == []


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(ACTS, st.sampled_from(SENDERS)), max_size=40))
def test_each_letter_counts_once_and_in_order(acts: list[tuple[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        world = World(Path(name) / "mail")
        for act, sender in acts:
            world.act(act, sender)
        world.take(None)
        world.acknowledge(None)
        world.check()
        world.start_reader()
        assert list(world.reader.waiting()) == []
        assert world.reader.refused == []
