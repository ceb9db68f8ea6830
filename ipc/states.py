"""Who may send what in which state of a connection, as data. Decides nothing else."""

from enum import StrEnum

from swarm.ipc.codec import Role
from swarm.ipc.messages import (
    Adopt,
    Answer,
    Cancel,
    ChatMessage,
    Error,
    Event,
    Heartbeat,
    Hello,
    Log,
    Message,
    PermissionRequest,
    PermissionResponse,
    PermissionWithdrawn,
    Ping,
    Question,
    Result,
    RulesChanged,
    SetMode,
    Shutdown,
    Start,
    Usage,
)


class State(StrEnum):
    """Where a connection stands."""

    OPENING = "opening"
    GREETED = "greeted"
    RUNNING = "running"
    ENDED = "ended"
    CLOSED = "closed"


# The model. A connection is one conversation, and both ends follow it in the same five states:
#
#   OPENING  the worker has not said hello. The leader may already ask it to go.
#   GREETED  the worker has said hello and waits for `start` or `adopt`. It begins nothing, so it asks
#            nothing.
#   RUNNING  the leader has sent `start` or `adopt`; everything else happens here.
#   ENDED    the worker has sent its `result`. It does nothing any more and asks nothing.
#   CLOSED   the stream has ended or was closed. Nobody sends anything.
#
# Just four messages move a connection: `hello`, `start`, `adopt` and `result`. Each end moves when it
# sends or receives one, so for the time that one is under way the ends stand in neighbouring states. That
# is why the leader may send in ENDED whatever it may send in RUNNING: it may not know of the result yet.
# The worker needs no such room, for it learns of `start` before it can act on it.
#
# `log`, `heartbeat`, `error`, `ping` and `shutdown` go in every open state: they are about the ends
# themselves. `shutdown` moves nothing, since a worker that is told to go still ends what it does and
# sends its result. A worker that has lost its leader begins a new connection of its own, and says hello on
# it. That may reach a leader over a way on which it believes the worker still to be (by mail, two leaders
# may die one after the other): another hello of a worker that has a name begins the connection of that
# leader anew, whatever its state. What the table does not name is refused and changes nothing.

_WORKER_ALWAYS = (Log, Heartbeat, Error)
_WORKER_RUNNING = (Event, PermissionRequest, PermissionWithdrawn, Question, ChatMessage, Usage)
_LEADER_ALWAYS = (Ping, Shutdown, Error)
_LEADER_RUNNING = (PermissionResponse, Answer, ChatMessage, Cancel, SetMode, RulesChanged)

Moves = dict[type[Message], State]


def _stay(state: State, *kinds: tuple[type[Message], ...]) -> Moves:
    return {kind: state for group in kinds for kind in group}


TRANSITIONS: dict[Role, dict[State, Moves]] = {
    Role.WORKER: {
        State.OPENING: {**_stay(State.OPENING, _WORKER_ALWAYS), Hello: State.GREETED},
        State.GREETED: _stay(State.GREETED, _WORKER_ALWAYS),
        State.RUNNING: {**_stay(State.RUNNING, _WORKER_ALWAYS, _WORKER_RUNNING), Result: State.ENDED},
        State.ENDED: _stay(State.ENDED, _WORKER_ALWAYS),
        State.CLOSED: {},
    },
    Role.LEADER: {
        State.OPENING: _stay(State.OPENING, _LEADER_ALWAYS),
        State.GREETED: {
            **_stay(State.GREETED, _LEADER_ALWAYS),
            Start: State.RUNNING,
            Adopt: State.RUNNING,
        },
        State.RUNNING: _stay(State.RUNNING, _LEADER_ALWAYS, _LEADER_RUNNING),
        State.ENDED: _stay(State.ENDED, _LEADER_ALWAYS, _LEADER_RUNNING),
        State.CLOSED: {},
    },
}
"""By the sender's role and the state it sends in: each message that is legal, and the state after it."""

ENDING: tuple[type[Message], ...] = (Result,)
"""Messages after which nothing streamed is legal, so that what was streamed goes before them."""
