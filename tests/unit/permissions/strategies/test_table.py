"""The table of execution modes, and what a worker loads of it."""

import subprocess
import sys

import pytest

from swarm.ipc.messages import PermissionRequest, PermissionWithdrawn, Preview
from swarm.permissions.errors import StrategyIncomplete
from swarm.permissions.model import Behavior, Decision, Request, Verdict
from swarm.permissions.strategies import STRATEGIES, Surroundings, refusals


class Nowhere:
    """Stands in for a way up and a dialog that are never used."""

    def wait_briefly(self) -> None:
        return None

    def send(self, message: PermissionRequest | PermissionWithdrawn) -> str:
        return ""

    async def ask(
        self, request: Request, preview: Preview, call_id: str, agent: tuple[str, ...], why: str
    ) -> Decision:
        raise OSError(why)


def asks(request: Request) -> Verdict:
    return Verdict(Behavior.ASK, "no rule")


COMPLETE = Surroundings(rules=asks, dialog=Nowhere(), outlet=Nowhere(), worker="tests")


@pytest.mark.parametrize(
    ("mode", "name"),
    [("interactive", "Interactive"), ("swarm-worker", "SwarmWorker"), ("coordinator", "Coordinator")],
)
def test_each_execution_mode_builds_its_strategy(mode: str, name: str) -> None:
    assert type(STRATEGIES[mode](COMPLETE)).__name__ == name


@pytest.mark.parametrize("mode", STRATEGIES)
def test_a_missing_part_is_named(mode: str) -> None:
    with pytest.raises(StrategyIncomplete, match="which its Surroundings lack"):
        STRATEGIES[mode](Surroundings())


def test_the_workers_strategy_loads_nothing_heavy() -> None:
    code = (
        "import sys; before = set(sys.modules); import swarm.permissions.strategies.swarm_worker; "
        "print(*sorted({name.split('.')[0] for name in set(sys.modules) - before}), "
        "*[name for name in sys.modules if name.startswith('swarm.permissions')])"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    third_party = set(out) - set(sys.stdlib_module_names) - {"swarm"}
    loaded = {name for name in third_party if not name.startswith("swarm.")}
    assert loaded <= {
        "anyio",
        "msgspec",
        "orjson",
        "sniffio",
        "idna",
        "typing_extensions",
        "exceptiongroup",
    }
    assert "swarm.permissions.strategies.interactive" not in out
    assert "swarm.permissions.speculation" not in out


def test_every_way_to_end_unrun_has_words_of_its_own() -> None:
    texts = {
        refusals.declined(),
        refusals.denied_by_rules("Rule."),
        refusals.timed_out(30),
        refusals.withdrawn("stopped"),
        refusals.leader_gone("end of file"),
        refusals.not_asked("Odd."),
    }
    assert len(texts) == 6
    assert [text for text in texts if "declined this call" in text] == [refusals.declined()]
    assert all("not run" in text for text in texts)


def test_a_note_of_blanks_is_no_note() -> None:
    assert refusals.declined("  ") == refusals.declined()
    assert refusals.declined("later").endswith("They wrote: later")
