"""How a team lives, as a pure function."""

from pathlib import Path
from types import MappingProxyType

from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.ipc.messages import WorkerResult
from swarm.leader.core.step import exit_code, step
from swarm.leader.core.team import (
    ALIVE,
    HELLO_LIMIT,
    STOP_GRACE,
    AskToStop,
    Began,
    Broke,
    EndTree,
    Exited,
    Finished,
    Greeted,
    Launch,
    Launched,
    PauseWanted,
    PhaseChanged,
    SetPaused,
    StopWanted,
    TeamEffect,
    TeamEvent,
    TeamState,
    Ticked,
    WentOver,
    first_state,
)
from swarm.leader.core.views import WorkerPhase as Phase
from swarm.leader.plan.resolved import TeamPlan, WorkerPlan

SUCCESS = WorkerResult(status="succeeded", text="done")
FAILURE = WorkerResult(status="failed", text="broken")


def worker(name: str, *needs: str, retries: int = 0, timeout: float | None = None) -> WorkerPlan:
    return WorkerPlan(name, "script", Path("/"), needs=needs, retries=retries, timeout=timeout)


def team(*workers: WorkerPlan, max_parallel: int | None = None) -> TeamState:
    return first_state(TeamPlan("team", Path("plan.yaml"), workers, max_parallel=max_parallel), 0.0)


def after(state: TeamState, *events: TeamEvent, now: float = 1.0) -> tuple[TeamState, list[TeamEffect]]:
    effects: list[TeamEffect] = []
    for event in events:
        state, more = step(state, event, now)
        effects += more
    return state, effects


def running(state: TeamState, name: str) -> TeamState:
    state, _ = after(state, Began(), Launched(name, 1, 42), Greeted(name, 1))
    assert state.workers[name].phase is Phase.RUNNING
    return state


def ended(state: TeamState, name: str, result: WorkerResult = SUCCESS, *refused: str) -> TeamState:
    state, _ = after(state, Finished(name, 1, result, refused), Exited(name, 1, "code 0", 0.0))
    return state


def launches(effects: list[TeamEffect]) -> list[str]:
    return [effect.worker for effect in effects if isinstance(effect, Launch)]


def test_all_workers_that_need_nothing_are_launched_at_once() -> None:
    _, effects = after(team(worker("a"), worker("b"), worker("c", "a")), Began())
    assert launches(effects) == ["a", "b"]


def test_a_worker_starts_when_all_that_it_needs_have_succeeded() -> None:
    state = running(team(worker("a"), worker("c", "a")), "a")
    state, effects = after(state, Finished("a", 1, SUCCESS, ()))
    assert launches(effects) == [], "its process tree still lives"
    _, effects = after(state, Exited("a", 1, "code 0", 0.0))
    assert launches(effects) == ["c"]


def test_who_needs_a_failed_worker_is_skipped_and_so_on_down() -> None:
    state = running(team(worker("a"), worker("b", "a"), worker("c", "b")), "a")
    state = ended(state, "a", FAILURE)
    assert [w.phase for w in state.workers.values()] == [Phase.FAILED, Phase.SKIPPED, Phase.SKIPPED]
    assert state.over
    assert exit_code(state, interrupted=False) == 1


def test_no_more_processes_run_at_once_than_the_plan_permits() -> None:
    state, effects = after(team(worker("a"), worker("b"), worker("c"), max_parallel=2), Began())
    assert launches(effects) == ["a", "b"]
    state, effects = after(state, Greeted("a", 1), Finished("a", 1, SUCCESS, ()), Exited("a", 1, "", 0.0))
    assert launches(effects) == ["c"]


def test_a_crashed_worker_is_started_again_after_a_growing_delay_until_its_retries_are_used() -> None:
    state = running(team(worker("a", retries=1)), "a")
    state, effects = after(state, Exited("a", 1, "it was killed by SIGKILL", 0.0))
    assert state.workers["a"].phase is Phase.BACKOFF
    assert launches(effects) == []
    state, effects = after(state, Ticked(), now=1.4)
    assert launches(effects) == []
    state, effects = after(state, Ticked(), now=1.6)
    assert launches(effects) == ["a"]
    state, _ = after(state, Launched("a", 2, 43), Greeted("a", 2), Exited("a", 2, "it died", 0.0))
    assert state.workers["a"].phase is Phase.FAILED
    assert state.workers["a"].ended_by == "it died"


def test_a_result_that_failed_is_not_a_crash_and_is_not_tried_again() -> None:
    state = ended(running(team(worker("a", retries=3)), "a"), "a", FAILURE)
    assert state.workers["a"].phase is Phase.FAILED


def test_what_an_earlier_attempt_still_says_changes_nothing() -> None:
    state = running(team(worker("a", retries=1)), "a")
    state, _ = after(state, Exited("a", 1, "it died", 0.0))
    state, _ = after(state, Ticked(), now=9.0)
    assert after(state, Finished("a", 1, SUCCESS, ()), Exited("a", 1, "", 0.0)) == (state, [])


def test_a_worker_whose_needed_call_was_refused_ends_as_denied_and_the_run_with_3() -> None:
    state = ended(running(team(worker("a")), "a"), "a", FAILURE, "request-1")
    assert state.workers["a"].phase is Phase.DENIED
    assert exit_code(state, interrupted=False) == 3


def test_a_failure_outweighs_a_refusal_and_an_interruption_outweighs_both() -> None:
    state = running(running(team(worker("a"), worker("b")), "a"), "b")
    state = ended(ended(state, "a", FAILURE, "request-1"), "b", FAILURE)
    assert exit_code(state, interrupted=False) == 1
    assert exit_code(state, interrupted=True) == 130


def test_a_worker_that_says_no_hello_in_time_is_ended() -> None:
    state, _ = after(team(worker("a")), Began(), Launched("a", 1, 42))
    _, effects = after(state, Ticked(), now=1.0 + HELLO_LIMIT)
    assert effects == [EndTree("a", f"it said no hello within {HELLO_LIMIT:g} s")]


def test_a_worker_past_its_time_limit_is_asked_to_stop_and_ends_as_failed() -> None:
    state = running(team(worker("a", timeout=60)), "a")
    state, effects = after(state, Ticked(), now=61.0)
    assert AskToStop("a", "its time limit of 60 s has passed", STOP_GRACE) in effects
    state, _ = after(state, Exited("a", 1, "code 0", 0.0))
    assert state.workers["a"].phase is Phase.FAILED


def test_time_that_a_worker_waits_for_a_person_does_not_count_against_its_limit() -> None:
    state = running(team(worker("a", timeout=60), worker("b", timeout=60)), "a")
    state, _ = after(state, Greeted("b", 1))
    state, effects = after(state, Ticked(60.0, frozenset({"a"})), now=61.0)
    assert [effect.worker for effect in effects if isinstance(effect, AskToStop)] == ["b"]
    state, effects = after(state, Ticked(60.0), now=121.0)
    assert [effect.worker for effect in effects if isinstance(effect, AskToStop)] == ["a"]


def test_stopping_the_team_cancels_what_waits_and_asks_what_runs_once() -> None:
    state = running(team(worker("a"), worker("b", "a")), "a")
    state, effects = after(state, StopWanted(None, "stop"))
    assert state.workers["b"].phase is Phase.CANCELLED
    assert AskToStop("a", "stop", STOP_GRACE) in effects
    assert after(state, StopWanted(None, "stop")) == (state, [])


def test_a_worker_that_does_not_end_when_asked_is_ended_by_signals_once() -> None:
    state = running(team(worker("a")), "a")
    state, _ = after(state, StopWanted("a", "stop"))
    state, effects = after(state, Ticked(), now=1.0 + STOP_GRACE)
    assert effects == [EndTree("a", "it did not end by itself")]
    assert after(state, Ticked(), now=9.0)[1] == []


def test_stopping_one_worker_leaves_the_others_alone() -> None:
    state = running(team(worker("a"), worker("b")), "a")
    state, effects = after(state, StopWanted("a", "stop"))
    assert not state.stopping
    assert {effect.worker for effect in effects} == {"a"}


def test_time_in_which_a_worker_is_paused_does_not_count_against_its_limits() -> None:
    state = running(team(worker("a", timeout=60)), "a")
    state, effects = after(state, PauseWanted("a", True), PauseWanted("a", True))
    assert effects == [SetPaused("a", True)]
    state, effects = after(state, Ticked(100.0), now=101.0)
    assert effects == []
    state, effects = after(state, PauseWanted("a", False), Ticked(59.0), now=160.0)
    assert effects == [SetPaused("a", False)]
    state, effects = after(state, Ticked(1.0), now=161.0)
    assert AskToStop("a", "its time limit of 60 s has passed", STOP_GRACE) in effects


def test_a_paused_worker_that_is_stopped_goes_on_first() -> None:
    state, _ = after(running(team(worker("a")), "a"), PauseWanted(None, True))
    _, effects = after(state, StopWanted("a", "stop"))
    assert effects[0] == SetPaused("a", False)
    assert isinstance(effects[-1], AskToStop)


def test_a_worker_that_is_paused_while_it_waits_does_not_start_before_it_may_go_on() -> None:
    state, effects = after(team(worker("a")), PauseWanted("a", True), Began())
    assert launches(effects) == []
    assert launches(after(state, PauseWanted("a", False))[1]) == ["a"]


def test_a_worker_that_was_ended_for_what_it_did_is_started_again_with_that_as_the_reason() -> None:
    state = running(team(worker("a", retries=1)), "a")
    cancelled = WorkerResult(status="cancelled", text="")
    state, effects = after(state, Broke("a", 1, "too much memory", True), Finished("a", 1, cancelled, ()))
    assert effects == [EndTree("a", "too much memory", at_once=True)]
    state, effects = after(state, Exited("a", 1, "it was killed by SIGKILL", 0.0))
    assert effects == [PhaseChanged("a", Phase.BACKOFF, "too much memory; starting again in 0.5 s")]


def test_a_worker_over_a_limit_of_its_own_is_stopped_and_not_started_again() -> None:
    state = running(team(worker("a", retries=5)), "a")
    state, effects = after(state, WentOver("a", 1, "it sent 2 MiB"), Exited("a", 1, "code 0", 0.0))
    assert AskToStop("a", "it sent 2 MiB", STOP_GRACE) in effects
    assert (state.workers["a"].phase, state.workers["a"].ended_by) == (Phase.FAILED, "it sent 2 MiB")


NAMES = ("a", "b", "c", "d")
EVENTS = st.one_of(
    st.just(Began()),
    st.just(Ticked()),
    st.builds(Launched, st.sampled_from(NAMES), st.integers(0, 3), st.just(42)),
    st.builds(Greeted, st.sampled_from(NAMES), st.integers(0, 3)),
    st.builds(
        Finished,
        st.sampled_from(NAMES),
        st.integers(0, 3),
        st.sampled_from((SUCCESS, FAILURE, WorkerResult(status="cancelled", text=""))),
        st.sampled_from(((), ("r",))),
    ),
    st.builds(Exited, st.sampled_from(NAMES), st.integers(0, 3), st.just("it died"), st.floats(0, 1)),
    st.builds(Broke, st.sampled_from(NAMES), st.integers(0, 3), st.just("it hangs")),
    st.builds(WentOver, st.sampled_from(NAMES), st.integers(0, 3), st.just("it sent too much")),
    st.builds(PauseWanted, st.sampled_from((None, *NAMES)), st.booleans()),
    st.builds(StopWanted, st.sampled_from((None, *NAMES)), st.just("stop")),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(EVENTS, st.floats(0, 20)), max_size=60))
def test_whatever_happens_no_worker_runs_twice_at_once_and_none_starts_after_a_stop(
    happenings: list[tuple[TeamEvent, float]],
) -> None:
    state = team(
        worker("a"), worker("b", "a", retries=2), worker("c", timeout=5), worker("d"), max_parallel=2
    )
    now = 0.0
    for event, delay in happenings:
        now += delay
        before = state
        state, effects = step(state, event, now)
        for name in launches(effects):
            assert before.workers[name].phase not in ALIVE
            assert not before.stopping
            assert not state.workers[name].paused
        assert not any(
            w.paused and (w.phase.ended or w.phase is Phase.STOPPING) for w in state.workers.values()
        )
        assert sum(w.phase in ALIVE for w in state.workers.values()) <= 2
        changes = {effect.worker for effect in effects if isinstance(effect, PhaseChanged)}
        assert changes == {n for n in NAMES if state.workers[n].phase is not before.workers[n].phase}


@settings(max_examples=100, deadline=None)
@given(st.lists(EVENTS, max_size=40))
def test_from_wherever_it_is_a_stopped_team_comes_to_an_end(happenings: list[TeamEvent]) -> None:
    state = team(worker("a"), worker("b", "a", retries=2), worker("c"), worker("d", "c"))
    state, _ = after(state, *happenings)
    state, _ = after(state, StopWanted(None, "stop"))
    for name in NAMES:
        state, _ = after(state, Exited(name, state.workers[name].attempt, "code 0", 0.0))
    assert state.over
    assert isinstance(state.workers, MappingProxyType)
