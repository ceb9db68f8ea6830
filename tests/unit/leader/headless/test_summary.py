"""The closing words of a run."""

import pytest

from swarm.leader.headless.events import Summary, SummaryMissed, SummaryWorker
from swarm.leader.headless.summary import summary_lines


def summary(*missed: SummaryMissed, workers: int = 1) -> str:
    told = tuple(
        SummaryWorker(worker=f"w{n}", phase="denied", detail="", result="", cost=0.0, tokens=0)
        for n in range(workers)
    )
    whole = Summary(at=0.0, session="s", exit_code=3, workers=told, missed=missed)
    return "\n".join(summary_lines(whole, "plan.yaml"))


def missed(why: str, *allow: str) -> SummaryMissed:
    return SummaryMissed(worker="w0", tool="Bash", title="rm x", why=why, allow=allow)


def test_nobody_is_told_how_to_allow_what_a_person_denied() -> None:
    told = summary(missed("a person denied it"))
    assert "a person denied it" in told
    assert "allow rule" not in told
    assert "To allow it" not in told


@pytest.mark.parametrize(
    ("allow", "advice"), [((), "No allow rule changes that."), (("Bash(rm x)",), '- "Bash(rm x)"')]
)
def test_what_rules_did_not_allow_comes_with_what_would(allow: tuple[str, ...], advice: str) -> None:
    assert advice in summary(missed("no rule allows it", *allow))


@pytest.mark.parametrize(("workers", "said"), [(1, "0 of 1 worker s"), (2, "0 of 2 workers s")])
def test_one_worker_is_counted_as_one(workers: int, said: str) -> None:
    assert said in summary(workers=workers)
