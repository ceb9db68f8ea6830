"""How each phase of a worker looks: glyph, word and style, as one table. `SPIN` stands for the spinner."""

from dataclasses import dataclass

from swarm.leader.core.views import WorkerPhase, WorkerView
from swarm.leader.tui import look

SPIN = ""
FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
STILL = "●"
"""What the spinner is with reduced motion."""


@dataclass(frozen=True, slots=True)
class PhaseLook:
    """The look of one phase; an empty `glyph` is the spinner."""

    glyph: str
    word: str
    style: str


LOOKS = {
    WorkerPhase.WAITING: PhaseLook("·", "waiting", look.FAINT),
    WorkerPhase.STARTING: PhaseLook(SPIN, "starting", look.MUTED),
    WorkerPhase.RUNNING: PhaseLook(SPIN, "working", look.TEXT),
    WorkerPhase.STOPPING: PhaseLook(SPIN, "stopping", look.WARN),
    WorkerPhase.BACKOFF: PhaseLook("↻", "restarts", look.WARN),
    WorkerPhase.SUCCEEDED: PhaseLook("✓", "done", look.GOOD),
    WorkerPhase.FAILED: PhaseLook("✗", "failed", look.BAD),
    WorkerPhase.CANCELLED: PhaseLook("–", "stopped", look.MUTED),
    WorkerPhase.DENIED: PhaseLook("⊘", "denied", look.BAD),
    WorkerPhase.SKIPPED: PhaseLook("–", "skipped", look.FAINT),
}
ASKS = PhaseLook("?", "asks you", look.ASKS)


def phase_look(worker: WorkerView) -> PhaseLook:
    """Give the look of what `worker` does; one that waits for the person looks like nothing else."""
    return ASKS if worker.waiting_requests else LOOKS[worker.phase]


def in_rows(workers: tuple[WorkerView, ...]) -> tuple[WorkerView, ...]:
    """Order workers for the table: who waits for the person, then who is active, then the rest."""
    return tuple(sorted(workers, key=_group))


def _group(worker: WorkerView) -> int:
    if worker.waiting_requests:
        return 0
    if worker.phase.ended:
        return 3
    return 2 if worker.phase is WorkerPhase.WAITING else 1
