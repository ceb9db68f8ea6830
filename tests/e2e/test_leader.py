"""A real leader with real worker processes, without a front end."""

import os
import resource
import sys
import time
from pathlib import Path

import psutil
import pytest

from support.leading import Led, leading, script
from support.waiting import until
from swarm.leader.core import attempt, launching, supervisor
from swarm.leader.core.launcher import LaunchOrder, SubprocessLauncher, WorkerProcess
from swarm.leader.core.leader import RunOptions
from swarm.leader.core.views import WorkerPhase as Phase
from swarm.leader.errors import JournalError
from swarm.leader.session.entries import CallDecided, RequestEnded, SessionEnded

ASKS = {"bash": "touch made"}


def processes_of(led: Led) -> list[psutil.Process]:
    """Give every living process of the session's trees."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("SWARM_TREE", "").startswith(led.session.id):
                found.append(process)
        except psutil.Error:
            continue
    return [process for process in found if process.status() != psutil.STATUS_ZOMBIE]


async def test_a_call_that_a_rule_allows_runs_and_is_in_the_journal(tmp_path: Path) -> None:
    async with leading(tmp_path, script("a", tmp_path, ASKS), allow=["Bash(touch made)"]) as led:
        assert await led.end() == 0, led.told()
    assert (tmp_path / "made").exists()
    written = led.written()
    assert any(isinstance(entry, CallDecided) for entry in written)
    assert written[-1] == SessionEnded(exit_code=0)


async def test_a_call_waits_for_the_person_and_runs_when_allowed(tmp_path: Path) -> None:
    async with leading(tmp_path, script("a", tmp_path, ASKS)) as led:
        (view,) = await led.asked()
        assert view.input["command"] == "touch made"
        assert not (tmp_path / "made").exists()
        await led.answer(view)
        assert await led.end() == 0, led.told()
    assert (tmp_path / "made").exists()
    assert [call.outcome for call in led.calls("a")] == ["succeeded"]


async def test_a_call_that_the_person_denies_does_not_run_and_the_run_ends_with_3(tmp_path: Path) -> None:
    async with leading(tmp_path, script("a", tmp_path, ASKS)) as led:
        (view,) = await led.asked()
        await led.answer(view, "deny", "not today")
        assert await led.end() == 3, led.told()
    assert not (tmp_path / "made").exists()
    assert led.phase("a") is Phase.DENIED
    (missed,) = led.leader.team().missed
    assert missed.worker == "a"


async def test_without_a_person_a_call_that_no_rule_allows_is_denied_and_named(tmp_path: Path) -> None:
    options = RunOptions(on_ask="deny", person=False)
    async with leading(tmp_path, script("a", tmp_path, ASKS), options=options) as led:
        assert await led.end() == 3, led.told()
    (missed,) = led.leader.team().missed
    assert any("touch" in rule for rule in missed.allow)
    assert not (tmp_path / "made").exists()


async def test_a_run_goes_on_once_a_full_disk_has_room_again(tmp_path: Path) -> None:
    async with leading(tmp_path, script("a", tmp_path, ASKS)) as led:
        (view,) = await led.asked()
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (led.session.journal.path.stat().st_size, before[1]))
        try:
            with pytest.raises(JournalError):
                await led.answer(view)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert not (tmp_path / "made").exists()
        await until(lambda: not led.session.journal.problem)
        await led.answer(view)
        assert await led.end() == 0, led.told()
    assert led.written()[-1] == SessionEnded(exit_code=0)


async def test_a_worker_gets_the_results_of_those_that_it_needs(tmp_path: Path) -> None:
    first = script("first", tmp_path, {"bash": "echo from-first"})
    second = script("second", tmp_path, {"bash": "echo got ${tasks.first.result}"}, needs=("first",))
    async with leading(tmp_path, first, second, allow=["Bash(echo:*)"]) as led:
        assert await led.end() == 0, led.told()
    assert "got from-first" in led.worker("second").result


async def test_a_killed_worker_is_told_within_a_second_and_nothing_of_it_is_left(tmp_path: Path) -> None:
    asking = script("asking", tmp_path, ASKS)
    busy = script("busy", tmp_path, {"bash": "sleep 600 & sleep 600"})
    other = script("other", tmp_path, ASKS)
    async with leading(tmp_path, asking, busy, other, allow=["Bash"], deny=[]) as led:
        await until(lambda: led.calls("busy"))
        pid = led.worker("busy").pid
        assert pid is not None
        await until(lambda: len(psutil.Process(pid).children(recursive=True)) >= 2)
        tree = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
        began = time.monotonic()
        os.kill(pid, 9)
        await until(lambda: "SIGKILL" in led.notices("busy"))
        assert time.monotonic() - began < 1
        assert await led.end() == 1, led.told()
    assert not [process for process in tree if process.is_running()]
    assert (led.phase("busy"), led.phase("other")) == (Phase.FAILED, Phase.SUCCEEDED)


async def test_requests_of_a_killed_worker_leave_the_queue_and_others_stay(tmp_path: Path) -> None:
    async with leading(tmp_path, script("a", tmp_path, ASKS), script("b", tmp_path, ASKS)) as led:
        await led.asked(2)
        pid = led.worker("a").pid
        assert pid is not None
        os.kill(pid, 9)
        await until(lambda: [view.worker for view in led.leader.team().queue] == ["b"])
        await led.answer(led.leader.team().queue[0])
        assert await led.end() == 1, led.told()
    assert any(isinstance(entry, RequestEnded) and entry.state == "orphaned" for entry in led.written())


async def test_a_crashed_worker_is_started_again_and_finishes(tmp_path: Path) -> None:
    async with leading(tmp_path, script("a", tmp_path, ASKS, retries=1)) as led:
        await led.asked()
        pid = led.worker("a").pid
        assert pid is not None
        os.kill(pid, 9)
        await until(lambda: led.worker("a").attempt == 2 and led.leader.team().queue)
        await led.answer(led.leader.team().queue[0])
        assert await led.end() == 0, led.told()
    assert (tmp_path / "made").exists()


async def test_stopping_the_team_ends_every_process_and_the_run_with_130(tmp_path: Path) -> None:
    busy = script("busy", tmp_path, {"bash": "sleep 600"})
    async with leading(tmp_path, busy, script("asking", tmp_path, ASKS), allow=["Bash(sleep:*)"]) as led:
        await led.asked()
        await until(lambda: len(processes_of(led)) >= 3)
        await led.leader.stop()
        assert await led.end() == 130, led.told()
        assert processes_of(led) == []
    assert led.leader.team().queue == ()


ESCAPE = (
    "env -i python3 -c 'import os, time\nif os.fork() == 0:\n os.setsid()\n if os.fork() == 0:\n"
    '  open("pid", "w").write(str(os.getpid()) + "\\n")\n  os.closerange(0, 3)\n  time.sleep(600)\n'
    " os._exit(0)'; while ! [ -s pid ]; do sleep 0.01; done"
)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives us such processes back")
async def test_what_daemonised_and_cleared_its_environment_does_not_outlive_the_run(tmp_path: Path) -> None:
    async with leading(tmp_path, script("a", tmp_path, {"bash": ESCAPE}), allow=["Bash"]) as led:
        assert await led.end() == 0, led.told()
    assert not psutil.pid_exists(int((tmp_path / "pid").read_text()))


async def test_a_leader_that_is_cancelled_leaves_no_process(tmp_path: Path) -> None:
    busy = script("busy", tmp_path, {"bash": "sleep 600"})
    async with leading(tmp_path, busy, allow=["Bash(sleep:*)"]) as led:
        await until(lambda: len(processes_of(led)) >= 2)
    assert processes_of(led) == []


GARBAGE = {
    "garbage": r"sys.stdout.buffer.write(b'\xff\x00 no\n{\n[]\n' * 10000); sys.stdout.flush()",
    "a huge line": r"sys.stdout.buffer.write(b'x' * 100_000_000 + b'\n'); sys.stdout.flush()",
    "an exit": "sys.exit(0)",
}


class OneBadApple:
    """Launches a program of its own for the worker `bad`, and real workers for all others."""

    def __init__(self, code: str) -> None:
        self._bad = SubprocessLauncher([sys.executable, "-c", f"import sys; {code}"])
        self._good = SubprocessLauncher()

    def launch(self, order: LaunchOrder) -> WorkerProcess:
        launcher = self._bad if "/bad/" in order.mark else self._good
        return launcher.launch(order)


@pytest.mark.parametrize("code", GARBAGE.values(), ids=GARBAGE.keys())
async def test_a_worker_that_misbehaves_harms_only_itself(tmp_path: Path, code: str) -> None:
    options = RunOptions(person=False, launcher=OneBadApple(code))
    good = script("good", tmp_path, ASKS)
    memory = psutil.Process().memory_info().rss
    async with leading(tmp_path, script("bad", tmp_path), good, allow=["Bash"], options=options) as led:
        assert await led.end() == 1, led.told()
    assert psutil.Process().memory_info().rss - memory < 80_000_000
    assert (led.phase("bad"), led.phase("good")) == (Phase.FAILED, Phase.SUCCEEDED)
    assert "died without a result" in led.notices("bad")


HELLO = '{"type":"hello","id":"h","seq":1,"protocols":[1],"pid":1,"program":"x","python":"3"}'
SILENT = {
    "before its hello": ("import time; time.sleep(600)", "it said no hello within"),
    "after its hello": (
        f"import time; print({HELLO!r}, flush=True); time.sleep(600)",
        "nothing was heard of it for 1 s",
    ),
}


@pytest.mark.parametrize(("code", "words"), SILENT.values(), ids=SILENT.keys())
async def test_a_worker_that_says_nothing_for_ever_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, words: str
) -> None:
    monkeypatch.setattr(launching, "HELLO_LIMIT", 1.0)
    monkeypatch.setattr(supervisor, "SILENCE_LIMIT", 1.0 if "hello" in code else 60.0)
    options = RunOptions(person=False, launcher=SubprocessLauncher([sys.executable, "-c", code]))
    async with leading(tmp_path, script("bad", tmp_path), options=options) as led:
        assert await led.end() == 1, led.told()
        assert words in led.notices("bad")
    assert processes_of(led) == []


async def test_a_worker_that_closes_its_output_but_lives_on_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempt, "MUTE_LIMIT", 0.2)
    code = f"import os, time; print({HELLO!r}, flush=True); os.close(1); time.sleep(600)"
    options = RunOptions(person=False, launcher=SubprocessLauncher([sys.executable, "-c", code]))
    async with leading(tmp_path, script("bad", tmp_path), options=options) as led:
        assert await led.end() == 1, led.told()
        assert "it has closed its output but lives on" in led.notices("bad")
    assert processes_of(led) == []


async def test_a_worker_cannot_reach_the_persons_terminal_by_its_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMUX", "/tmp/tmux-0/default,1,0")
    asks = script("a", tmp_path, {"bash": "echo tmux is $${TMUX-not known}"})
    async with leading(tmp_path, asks, allow=["Bash"]) as led:
        assert await led.end() == 0, led.told()
    assert "tmux is not known" in led.worker("a").result


async def test_fifty_workers_at_once_all_finish(tmp_path: Path) -> None:
    team = [script(f"w{n}", tmp_path, {"bash": f"echo {n}"}, {"bash": "echo done"}) for n in range(50)]
    async with leading(tmp_path, *team, allow=["Bash(echo:*)"]) as led:
        assert await led.end() == 0, led.told()
    assert {worker.phase for worker in led.leader.team().workers} == {Phase.SUCCEEDED}
    assert [led.calls(f"w{n}")[0].output.strip() for n in range(50)] == [str(n) for n in range(50)]
