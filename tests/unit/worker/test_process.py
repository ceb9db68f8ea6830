"""The worker as a real process, driven over pipes."""

import signal
import subprocess
from pathlib import Path

import anyio

from support.spawning import WORKER, is_running, running_child, spawned
from support.waiting import until
from support.working import LONG
from swarm.ipc.messages import Cancel, Hello, PermissionRequest, Text


async def test_a_real_worker_runs_its_steps_and_exits_with_0(tmp_path: Path) -> None:
    async with spawned(tmp_path) as leader:
        await leader.start({"write": {"path": "a.txt", "content": "one"}}, {"bash": "cat a.txt; echo two"})
        assert await leader.exit_status() == 0
    assert (await leader.end()).status == "succeeded"
    assert "onetwo" in (await leader.end()).text
    assert (tmp_path / "a.txt").read_text() == "one"
    assert leader.all(Hello)[0].pid == leader.process.pid


async def test_the_process_ends_with_an_error_when_nobody_started_it(tmp_path: Path) -> None:
    async with spawned(tmp_path) as leader:
        await leader.first(Hello)
        await leader.channel.aclose()
        assert await leader.exit_status() == 1


def test_a_person_who_starts_a_worker_is_told_what_it_is() -> None:
    done = subprocess.run(WORKER, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr


async def test_cancel_reaches_the_running_child(tmp_path: Path) -> None:
    async with spawned(tmp_path) as leader:
        child = await running_child(leader, tmp_path)
        leader.channel.send(Cancel(why="enough"))
        assert await leader.exit_status() == 0
        assert (await leader.end()).status == "cancelled"
        assert not is_running(child)


async def test_the_leaders_end_ends_the_running_child(tmp_path: Path) -> None:
    async with spawned(tmp_path) as leader:
        child = await running_child(leader, tmp_path)
        await leader.channel.aclose()
        assert await leader.exit_status() == 1
        assert not is_running(child)


async def test_the_leaders_end_while_asking_runs_nothing(tmp_path: Path) -> None:
    async with spawned(tmp_path) as leader:
        leader.is_allowing = False
        await leader.start({"bash": "touch ran", "continue_on_error": True}, {"bash": "touch ran"})
        await leader.first(PermissionRequest)
        await leader.channel.aclose()
        assert await leader.exit_status() == 1
    assert not (tmp_path / "ran").exists()


async def test_sigterm_cancels_and_the_result_is_sent(tmp_path: Path) -> None:
    async with spawned(tmp_path) as leader:
        child = await running_child(leader, tmp_path)
        leader.process.send_signal(signal.SIGTERM)
        assert await leader.exit_status() == 0
        assert (await leader.end()).status == "cancelled"
        assert "SIGTERM" in (await leader.end()).text
        assert not is_running(child)


async def test_a_second_sigterm_ends_all_at_once(tmp_path: Path) -> None:
    async with spawned(tmp_path) as leader:
        note = tmp_path / "pid"
        tell = f"echo $$ > {note}.new && mv {note}.new {note}"
        await leader.start({"bash": f"trap '' TERM; {tell}; while :; do sleep 1; done"})
        await until(note.exists)
        with anyio.fail_after(LONG):
            while leader.process.returncode is None:
                leader.process.send_signal(signal.SIGTERM)
                await anyio.sleep(0.02)
        assert leader.process.returncode == 128 + signal.SIGTERM
        assert not is_running(int(note.read_text()))


async def test_ctrl_c_is_the_leaders_business(tmp_path: Path) -> None:
    async with spawned(tmp_path) as leader:
        await leader.first(Hello)
        leader.process.send_signal(signal.SIGINT)
        await leader.start(
            {"bash": "sh -c 'kill -INT $$; echo immune'", "continue_on_error": True}, {"say": "alive"}
        )
        await leader.first(Text)
        assert await leader.exit_status() == 0
        assert (await leader.end()).status == "succeeded"
        assert "immune" not in (await leader.end()).text
