"""The life of a team as a pure function: `step(state, event, now) -> (state, effects)`.

Knows no process, clock or file; the supervisor feeds it events and carries out its effects.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from swarm.ipc.messages import WorkerResult
from swarm.leader.core.admission import Readings
from swarm.leader.core.views import WorkerPhase
from swarm.leader.plan.resolved import Parallel, TeamPlan, WorkerPlan

HELLO_LIMIT = 30.0  # seconds from launch to hello
SILENCE_LIMIT = 30.0  # seconds without any message before a worker counts as hung
STOP_GRACE = 5.0  # seconds a worker has to end by itself when asked to

# What a worker can become next. A worker that was asked to stop, or that has sent its result, is
# "stopping" until its process tree is gone; only then does it have an end. Drawn in ARCHITECTURE.md.
PHASES: Mapping[WorkerPhase, frozenset[WorkerPhase]] = MappingProxyType(
    {
        WorkerPhase.WAITING: frozenset({WorkerPhase.STARTING, WorkerPhase.SKIPPED, WorkerPhase.CANCELLED}),
        WorkerPhase.STARTING: frozenset(
            {WorkerPhase.RUNNING, WorkerPhase.STOPPING, WorkerPhase.BACKOFF, WorkerPhase.FAILED}
        ),
        WorkerPhase.RUNNING: frozenset({WorkerPhase.STOPPING, WorkerPhase.BACKOFF, WorkerPhase.FAILED}),
        WorkerPhase.STOPPING: frozenset(
            {
                WorkerPhase.SUCCEEDED,
                WorkerPhase.FAILED,
                WorkerPhase.CANCELLED,
                WorkerPhase.DENIED,
                WorkerPhase.BACKOFF,
            }
        ),
        WorkerPhase.BACKOFF: frozenset({WorkerPhase.STARTING, WorkerPhase.CANCELLED}),
        WorkerPhase.SUCCEEDED: frozenset(),
        WorkerPhase.FAILED: frozenset(),
        WorkerPhase.CANCELLED: frozenset(),
        WorkerPhase.DENIED: frozenset(),
        WorkerPhase.SKIPPED: frozenset(),
    }
)
ALIVE = frozenset({WorkerPhase.STARTING, WorkerPhase.RUNNING, WorkerPhase.STOPPING})
"""The phases in which a process exists."""


@dataclass(frozen=True, slots=True)
class WorkerState:
    """One worker. `due` is when its phase has lasted too long, `ending` what it becomes at its exit.

    `ended_by` keeps why it is being stopped: a sentence for people. `until` is its own time limit,
    which moves on while it waits for a person or is paused. `launched` is when its last attempt began,
    `crashes` when it last crashed soon after that, `delays` how often in a row it had to wait before it
    was started again. `broken` is why its attempt is being ended, which counts as a crash. `held` says
    what a worker waits for that could start else.
    """

    plan: WorkerPlan
    phase: WorkerPhase = WorkerPhase.WAITING
    since: float = 0.0
    attempt: int = 0
    pid: int | None = None
    due: float | None = None
    until: float | None = None
    ending: WorkerPhase | None = None
    ended_by: str = ""
    result: WorkerResult | None = None
    refused: tuple[str, ...] = ()
    launched: float = 0.0
    crashes: tuple[float, ...] = ()
    delays: int = 0
    broken: str = ""
    held: str = ""
    paused: bool = False


@dataclass(frozen=True, slots=True)
class TeamState:
    """The whole team, in the order of the plan. `readings` are the machine's last, where they count."""

    workers: Mapping[str, WorkerState]
    max_parallel: Parallel = None
    stopping: bool = False
    readings: Readings | None = None

    @property
    def over(self) -> bool:
        """Whether every worker has ended."""
        return all(worker.phase.ended for worker in self.workers.values())


def first_state(plan: TeamPlan, now: float) -> TeamState:
    """Give the state of a team of which nothing has been started."""
    workers = {worker.name: WorkerState(worker, since=now) for worker in plan.workers}
    return TeamState(MappingProxyType(workers), plan.max_parallel)


# Events: what happened


@dataclass(frozen=True, slots=True)
class Began:
    """The session is ready; workers may be launched, and those that are alive already are adopted."""


@dataclass(frozen=True, slots=True)
class Launched:
    """A process of this worker exists."""

    worker: str
    attempt: int
    pid: int


@dataclass(frozen=True, slots=True)
class Greeted:
    """The worker said hello and was told to start."""

    worker: str
    attempt: int


@dataclass(frozen=True, slots=True)
class Finished:
    """The worker sent its result."""

    worker: str
    attempt: int
    result: WorkerResult
    refused: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exited:
    """Nothing of the worker's process tree is left. `how` says how it ended; `jitter` is in 0..1."""

    worker: str
    attempt: int
    how: str
    jitter: float


@dataclass(frozen=True, slots=True)
class Broke:
    """The worker does what no worker may (hangs, breaks the protocol), so it has to go."""

    worker: str
    attempt: int
    why: str
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class WentOver:
    """The worker has gone over a limit of its own, so it has to stop, and is not started again."""

    worker: str
    attempt: int
    why: str


@dataclass(frozen=True, slots=True)
class PauseWanted:
    """A person wants this worker (None: the whole team) to stand still, or to go on."""

    worker: str | None
    paused: bool


@dataclass(frozen=True, slots=True)
class StopWanted:
    """This worker (None: the whole team) is to end, since a person wants it or for what `why` says."""

    worker: str | None
    why: str


@dataclass(frozen=True, slots=True)
class Ticked:
    """`seconds` have passed since the last tick, in which each of `waited` waited for a person.

    `readings` are new ones of the machine, if there are any.
    """

    seconds: float = 0.0
    waited: frozenset[str] = frozenset()
    readings: Readings | None = None


TeamEvent = (
    Began | Launched | Greeted | Finished | Exited | Broke | WentOver | PauseWanted | StopWanted | Ticked
)


# Effects: what is to be done


@dataclass(frozen=True, slots=True)
class Launch:
    """Start a process for this worker."""

    worker: str
    attempt: int


@dataclass(frozen=True, slots=True)
class Adopt:
    """Go on with a process of this worker that another leader has started."""

    worker: str
    attempt: int


@dataclass(frozen=True, slots=True)
class AskToStop:
    """Tell the worker to end within `grace` seconds."""

    worker: str
    why: str
    grace: float


@dataclass(frozen=True, slots=True)
class EndTree:
    """End what is left of the worker's process tree by signals, whose first kill if it is `at_once`."""

    worker: str
    why: str
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class SetPaused:
    """Let the worker's process tree stand still, or go on."""

    worker: str
    paused: bool


@dataclass(frozen=True, slots=True)
class Held:
    """Tell that a worker which could start has to wait, and for what; `is_new` if for something else."""

    worker: str
    why: str
    is_new: bool


@dataclass(frozen=True, slots=True)
class PhaseChanged:
    """Write down and show that the worker entered its present phase."""

    worker: str
    phase: WorkerPhase
    detail: str


TeamEffect = Launch | Adopt | AskToStop | EndTree | SetPaused | Held | PhaseChanged


def changed(state: TeamState, name: str, worker: WorkerState) -> TeamState:
    """Give the team with one worker replaced."""
    return replace(state, workers=MappingProxyType({**state.workers, name: worker}))
