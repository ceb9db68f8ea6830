"""Who is adopted, who starts again and who has ended when another leader goes on with a team."""

from pathlib import Path

import pytest

from swarm.leader.core.resumption import DIED, LeftWorker, Resumption, resume_team
from swarm.leader.core.step import step
from swarm.leader.core.team import Adopt, Began, Launch
from swarm.leader.core.views import WorkerPhase as Phase
from swarm.leader.plan.resolved import TeamPlan, WorkerPlan
from swarm.leader.session.entries import WorkerChanged, WorkerFinished


class FoundProcess:
    """A living process."""

    stdin = stdout = stderr = -1

    def __init__(self, pid: int) -> None:
        self.pid = pid

    async def exited(self) -> int:
        return 0

    def reap(self) -> None:
        """Hold on to nothing."""


def resume(left: LeftWorker | None, *, alive: bool, retries: int = 0) -> Resumption:
    workers = (
        WorkerPlan("a", "script", Path("/"), retries=retries),
        WorkerPlan("b", "script", Path("/"), needs=("a",)),
    )
    found = FoundProcess(42)
    plan = TeamPlan("team", Path("plan.yaml"), workers)
    return resume_team(
        plan, {} if left is None else {"a": left}, "s", 100.0, lambda pid, at: found if alive else None
    )


def change(phase: Phase, **fields: object) -> WorkerChanged:
    known = {"attempt": 1, "pid": 42, "process_started": 5.0, **fields}
    return WorkerChanged(worker="a", phase=phase, **known)  # type: ignore[arg-type]  # each is one of its fields


def finished(status: str, refused: tuple[str, ...] = ()) -> WorkerFinished:
    return WorkerFinished(worker="a", attempt=1, status=status, text="done", refused=refused)  # type: ignore[arg-type]  # one of them


def effects(resumption: Resumption) -> list[object]:
    _, found = step(resumption.state, Began(), 100.0)
    return [effect for effect in found if isinstance(effect, Adopt | Launch)]


@pytest.mark.parametrize("phase", [Phase.STARTING, Phase.RUNNING])
def test_a_worker_that_lives_is_adopted_and_has_to_say_hello(phase: Phase) -> None:
    resumption = resume(LeftWorker(change(phase), 1.0), alive=True)
    worker = resumption.state.workers["a"]
    assert (worker.phase, worker.attempt, worker.pid, worker.due) == (Phase.STARTING, 1, 42, 130.0)
    assert (resumption.adopted, resumption.restarted, dict(resumption.dead)) == (("a",), (), {})
    assert effects(resumption) == [Adopt("a", 1)]


@pytest.mark.parametrize("fields", [{}, {"pid": None}, {"process_started": None}, {"attempt": 3}])
def test_a_worker_that_is_gone_starts_again_though_it_has_no_retries_left(
    fields: dict[str, object],
) -> None:
    alive = bool(fields) and "attempt" not in fields  # one whose process is not known is not looked for
    changed = change(Phase.RUNNING, **fields)
    resumption = resume(LeftWorker(changed, 1.0), alive=alive)
    assert resumption.changed == {"a": DIED}
    assert dict(resumption.dead) == {f"s/a/{changed.attempt}": changed.pid}
    assert effects(resumption) == [Launch("a", changed.attempt + 1)]


def test_a_worker_that_sent_its_result_and_is_gone_has_ended_with_it() -> None:
    resumption = resume(LeftWorker(change(Phase.STOPPING), 1.0, finished("succeeded")), alive=False)
    worker = resumption.state.workers["a"]
    assert worker.phase is Phase.SUCCEEDED
    assert worker.result is not None
    assert worker.result.text == "done"
    assert effects(resumption) == [Launch("b", 1)]


@pytest.mark.parametrize(
    ("left", "ending"),
    [
        (LeftWorker(change(Phase.RUNNING), 1.0, finished("succeeded")), Phase.SUCCEEDED),
        (LeftWorker(change(Phase.STOPPING), 1.0, finished("failed", ("w1",))), Phase.DENIED),
        (LeftWorker(change(Phase.STOPPING, detail="a person stopped it"), 1.0), Phase.CANCELLED),
    ],
)
def test_a_worker_that_was_about_to_end_goes_on_with_that(left: LeftWorker, ending: Phase) -> None:
    worker = resume(left, alive=True).state.workers["a"]
    assert (worker.phase, worker.ending) == (Phase.STOPPING, ending)
    assert resume(left, alive=False).state.workers["a"].phase is ending


def test_an_older_result_does_not_count_for_a_later_attempt() -> None:
    left = LeftWorker(change(Phase.RUNNING, attempt=2), 1.0, finished("succeeded"))
    assert resume(left, alive=False).restarted == ("a",)


def test_who_has_ended_stays_so_and_who_needs_it_is_skipped_at_the_beginning() -> None:
    left = LeftWorker(change(Phase.FAILED, pid=None, detail="it exited with code 1"), 1.0)
    resumption = resume(left, alive=True)
    worker = resumption.state.workers["a"]
    assert (worker.phase, worker.since, worker.ended_by) == (Phase.FAILED, 1.0, "it exited with code 1")
    state, _ = step(resumption.state, Began(), 100.0)
    assert state.workers["b"].phase is Phase.SKIPPED
    assert state.over


def test_who_waited_waits_and_who_was_to_start_again_does() -> None:
    assert effects(resume(None, alive=True)) == [Launch("a", 1)]
    backoff = LeftWorker(change(Phase.BACKOFF, pid=None), 1.0)
    assert effects(resume(backoff, alive=True)) == [Launch("a", 2)]
