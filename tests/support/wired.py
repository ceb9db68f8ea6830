"""Connections and channels that are joined in pairs, with the first messages to send over them."""

from collections.abc import Callable

from support.receiving import Notes
from swarm.ipc.codec import Fault, Role
from swarm.ipc.connection import Connection
from swarm.ipc.memory import channel_pair
from swarm.ipc.messages import (
    AnyMessage,
    ChatMessage,
    Event,
    Hello,
    PermissionRequest,
    Preview,
    Start,
    Text,
)
from swarm.ipc.states import State
from swarm.ipc.stdio import PipeChannel, open_pipes
from swarm.ipc.stream_channel import StreamChannel

HELLO = Hello((1,), 42, "swarm", "3.11")


START = Start(1, "tests", "script", {}, "/")


REQUEST = PermissionRequest("call-1", "Bash", {"command": "ls"}, "/", Preview(title="ls"))


CHAT = ChatMessage("hi")


Ends = tuple[StreamChannel, StreamChannel]


MakeEnds = Callable[[int], Ends]


def over_pipes(cap: int) -> Ends:
    pipes = open_pipes()
    return (
        PipeChannel(Role.LEADER, pipes.read_fd, pipes.write_fd, cap=cap),
        PipeChannel(Role.WORKER, pipes.child_stdin, pipes.child_stdout, cap=cap),
    )


def in_memory(cap: int) -> Ends:
    return channel_pair(cap=cap)


class Pair:
    """A leader's and a worker's connection."""

    def __init__(self, *, leader: tuple[int, ...] = (1,), worker: tuple[int, ...] = (1,)) -> None:
        self.leader = Connection(Role.LEADER, "l", protocols=leader)
        self.worker = Connection(Role.WORKER, "w", protocols=worker)

    def up(self, message: AnyMessage) -> list[AnyMessage | Fault]:
        """Send from the worker and give what the leader makes of it."""
        return handled(self.leader, self.leader.receive_data(self.worker.send(message)))

    def down(self, message: AnyMessage) -> list[AnyMessage | Fault]:
        """Send from the leader and give what the worker makes of it."""
        return handled(self.worker, self.worker.receive_data(self.leader.send(message)))

    def states(self) -> tuple[State, State]:
        return self.leader.state, self.worker.state


def handled(end: Connection, received: list[AnyMessage | Fault]) -> list[AnyMessage | Fault]:
    """Take note at `end` that all that was received has been handled."""
    numbers = [item.seq for item in received if not isinstance(item, Fault)]
    end.handled = max([end.handled, *numbers])
    return received


def only_fault(received: list[AnyMessage | Fault]) -> Fault:
    [found] = received
    assert isinstance(found, Fault)
    return found


class Team:
    """A leader's and a worker's end that have said hello and started."""

    def __init__(self, ends: Ends) -> None:
        self.leader, self.worker = ends
        self.at_leader = Notes()
        self.at_worker = Notes()

    async def start(self) -> None:
        self.leader.open(self.at_leader)
        self.worker.open(self.at_worker)
        self.worker.send(HELLO)
        await self.at_leader.until(lambda notes: notes.messages)
        self.leader.send(START)
        await self.at_worker.until(lambda notes: notes.messages)
        self.at_leader.messages.clear()

    async def end(self) -> None:
        await self.worker.aclose()
        await self.leader.aclose()


def texts(messages: list[AnyMessage]) -> list[str]:
    return [
        message.event.text
        for message in messages
        if isinstance(message, Event) and isinstance(message.event, Text)
    ]
