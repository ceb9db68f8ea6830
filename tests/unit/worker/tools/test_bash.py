import os
import shlex
import shutil
import signal
import sys
from dataclasses import replace
from pathlib import Path

import anyio
import msgspec
import psutil
import pytest

from swarm.worker.errors import InvalidInput, ToolError
from swarm.worker.tools import find_tool
from swarm.worker.tools.base import Prepared, ToolContext, ToolOutput

from .conftest import RunTool


async def gone(pid: int) -> None:
    """Wait until a process runs no more."""
    with anyio.fail_after(5):
        while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
            await anyio.sleep(0.01)


def read_id(path: Path) -> int | None:
    text = path.read_text() if path.exists() else ""
    return int(text) if text.endswith("\n") else None


async def written(path: Path) -> int:
    """Wait until a process id is written in a file, and give it."""
    with anyio.fail_after(5):
        while (pid := read_id(path)) is None:
            await anyio.sleep(0.01)
    return pid


async def test_output_of_both_streams_and_a_zero_exit_succeed(run: RunTool) -> None:
    assert await run("Bash", command="echo out; echo err >&2") == ToolOutput(
        "out\nerr\n", "succeeded", "Exit code 0.", 0
    )


async def test_a_non_zero_exit_is_a_failure_that_names_its_code(run: RunTool) -> None:
    output = await run("Bash", command="printf oops; exit 3")
    assert (output.outcome, output.exit_code, output.text) == ("failed", 3, "oops\nExit code 3.")


async def test_a_signal_is_an_interruption_that_names_the_signal(run: RunTool) -> None:
    output = await run("Bash", command="kill -USR1 $$")
    assert (output.outcome, output.exit_code) == ("interrupted", None)
    assert "SIGUSR1" in output.text


async def test_output_is_streamed_while_the_command_runs(context: ToolContext, run: RunTool) -> None:
    async def answer(text: str) -> None:
        if "ready" in text:
            (context.cwd / "go").touch()

    context.emit = answer
    output = await run("Bash", command="echo ready; until [ -e go ]; do sleep 0.01; done; echo went")
    assert output.text == "ready\nwent\n"


async def test_a_character_split_over_two_reads_stays_whole(context: ToolContext, run: RunTool) -> None:
    pieces: list[str] = []

    async def note(text: str) -> None:
        pieces.append(text)
        (context.cwd / "go").touch()

    context.emit = note
    await run("Bash", command=r"printf 'a\344\275'; until [ -e go ]; do sleep 0.01; done; printf '\240'")
    assert "".join(pieces) == "a你"


async def test_invalid_bytes_are_shown_as_replacement(run: RunTool) -> None:
    assert (await run("Bash", command=r"printf 'a\377b\344'")).text == "a\ufffdb\ufffd"


async def test_long_output_keeps_its_head_and_tail_and_says_what_is_missing(run: RunTool) -> None:
    output = await run("Bash", command="echo first; seq 1 100000; echo last")
    assert output.text.startswith("first\n1\n2\n")
    assert output.text.endswith("100000\nlast\n")
    assert "characters were left out" in output.text
    assert len(output.text) < 30_100


async def test_the_command_reads_nothing_and_gets_the_environment_and_folder(
    context: ToolContext, run: RunTool
) -> None:
    context.env = {**context.env, "COLOR": "green"}
    output = await run("Bash", command='cat; echo "$COLOR" "$PWD"')
    assert output.text == f"green {context.cwd}\n"


async def test_the_shell_has_a_group_of_its_own_in_the_session_of_the_worker(run: RunTool) -> None:
    program = "import os; print(os.getpid(), os.getpgid(0), os.getsid(0))"
    output = await run("Bash", command=f"exec {shlex.quote(sys.executable)} -c '{program}'")
    pid, group, session = map(int, output.text.split())
    assert group == pid
    assert session == os.getsid(0)


async def test_the_time_limit_ends_the_command_and_what_it_started(
    context: ToolContext, run: RunTool
) -> None:
    output = await run("Bash", command="sleep 60 & echo $! > child; echo begun; wait", timeout=300)
    assert output.outcome == "interrupted"
    assert output.text.startswith("begun\nTime limit of 0.3 s")
    await gone(await written(context.cwd / "child"))


async def test_a_command_that_ignores_sigterm_is_killed(context: ToolContext, run: RunTool) -> None:
    output = await run(
        "Bash", command="trap '' TERM; echo $$ > shell; while :; do sleep 0.05; done", timeout=200
    )
    assert output.outcome == "interrupted"
    await gone(await written(context.cwd / "shell"))


async def test_a_background_process_that_keeps_the_pipe_open_does_not_hang_the_call(
    context: ToolContext, run: RunTool
) -> None:
    with anyio.fail_after(5):
        output = await run("Bash", command="sleep 60 & echo $! > child; echo done")
    assert (output.outcome, output.exit_code) == ("succeeded", 0)
    assert output.text.startswith("done\nThe shell has exited, but a background process kept")
    await gone(await written(context.cwd / "child"))


async def test_a_daemon_that_left_session_and_parents_is_ended_too(
    context: ToolContext, run: RunTool
) -> None:
    daemon = "setsid sh -c 'echo $$ > daemon; exec sleep 60' >/dev/null 2>&1 &"
    output = await run("Bash", command=f"({daemon}) ; until [ -s daemon ]; do sleep 0.01; done")
    assert "left running were ended" in output.text
    await gone(await written(context.cwd / "daemon"))


async def test_a_child_without_our_environment_in_another_session_is_ended(
    context: ToolContext, run: RunTool
) -> None:
    hidden = "env -i setsid sh -c 'echo $$ > hidden; exec sleep 60'"
    await run("Bash", command=f"PATH={context.env['PATH']} {hidden} & wait", timeout=500)
    await gone(await written(context.cwd / "hidden"))


async def test_cancellation_leaves_nothing_running(context: ToolContext, run: RunTool) -> None:
    async def call() -> None:
        await run("Bash", command="sleep 60 & echo $! > child; wait")

    async with anyio.create_task_group() as group:
        group.start_soon(call)
        pid = await written(context.cwd / "child")
        group.cancel_scope.cancel()
    await gone(pid)
    children = psutil.Process().children()
    assert not [child for child in children if child.status() != psutil.STATUS_ZOMBIE]


async def test_a_flood_is_held_back_by_a_slow_watcher_and_still_ends_in_time(
    context: ToolContext, run: RunTool
) -> None:
    taken = 0

    async def slow(text: str) -> None:
        nonlocal taken
        taken += len(text)
        await anyio.sleep(0.01)

    context.emit = slow
    with anyio.fail_after(5):
        output = await run("Bash", command="yes", timeout=300)
    assert output.outcome == "interrupted"
    assert 0 < taken < 64 * 1024 * 50


async def test_a_flood_that_nobody_watches_lets_the_time_limit_through(run: RunTool) -> None:
    with anyio.fail_after(5):
        assert (await run("Bash", command="yes", timeout=200)).outcome == "interrupted"


async def test_a_flood_by_a_background_process_ends_with_the_shell(run: RunTool) -> None:
    with anyio.fail_after(5):
        output = await run("Bash", command="yes & sleep 0.05")
    assert output.exit_code == 0


async def test_a_nul_is_refused_and_denied(context: ToolContext, run: RunTool) -> None:
    with pytest.raises(InvalidInput, match="NUL"):
        await run("Bash", command="echo a\0b")
    tool = find_tool("Bash")
    decision = tool.check_permissions(tool.input_type(command="a\0b"), context)
    assert decision is not None
    assert not decision.allowed


async def test_a_missing_folder_and_a_command_too_long_are_clear_errors(
    context: ToolContext, run: RunTool
) -> None:
    with pytest.raises(ToolError, match="could not be started"):
        await run("Bash", command=": " + "a" * 3_000_000)
    context.cwd /= "gone"
    with pytest.raises(ToolError, match="gone"):
        await run("Bash", command="true")


@pytest.mark.parametrize("timeout", [0, -1, 600_001])
def test_a_time_limit_out_of_range_does_not_fit(timeout: int) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"command": "x", "timeout": timeout}, find_tool("Bash").input_type)


async def test_the_title_is_one_line(context: ToolContext) -> None:
    tool = find_tool("Bash")
    prepared: Prepared = await tool.prepare(tool.input_type(command="pytest -q"), context)
    assert prepared.preview.title == "pytest -q"
    many = await tool.prepare(tool.input_type(command="a\nb\nc"), context)
    assert many.preview.title == "a … (2 more lines)"


async def test_an_exit_is_noticed_where_the_system_has_no_descriptors_of_processes(
    monkeypatch: pytest.MonkeyPatch, run: RunTool
) -> None:
    monkeypatch.delattr(os, "pidfd_open", raising=False)
    assert (await run("Bash", command="sleep 60 & exit 4")).exit_code == 4


async def test_without_bash_the_command_runs_in_sh(context: ToolContext, run: RunTool) -> None:
    (context.cwd / "bin").mkdir()
    (context.cwd / "bin" / "sh").symlink_to("/bin/sh")
    context.env = {"PATH": str(context.cwd / "bin")}
    assert (await run("Bash", command="echo from $0")).text.startswith("from ")
    context.env = {"PATH": str(context.cwd / "none")}
    with pytest.raises(ToolError, match="Neither bash nor sh"):
        await run("Bash", command="true")


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="only setpriv can tie a shell to its worker")
async def test_the_shell_dies_with_a_worker_that_is_killed(tmp_path: Path) -> None:
    program = (
        "import anyio, os, pathlib\n"
        "from swarm.worker.tools.base import ToolContext\n"
        "from swarm.worker.tools.shell_run import run_shell\n"
        "context = ToolContext(pathlib.Path.cwd(), dict(os.environ))\n"
        "anyio.run(run_shell, 'echo $$ > shell; while :; do read -t 1 < /dev/zero; done', 60, context)\n"
    )
    worker = await anyio.open_process([sys.executable, "-c", program], cwd=tmp_path, stdin=None)
    async with worker:
        shell = await written(tmp_path / "shell")
        worker.send_signal(signal.SIGKILL)
        await gone(shell)


async def test_nothing_is_run_in_a_folder_that_took_the_place_of_the_one_decided_about(
    tmp_path: Path, context: ToolContext
) -> None:
    for name in ("here", "secret"):
        (tmp_path / name).mkdir()
    inside = replace(context, cwd=tmp_path / "here")
    bash = find_tool("Bash")
    arguments = msgspec.convert({"command": "touch made"}, bash.input_type)
    prepared = await bash.prepare(arguments, inside)
    (tmp_path / "here").rename(tmp_path / "moved")
    (tmp_path / "here").symlink_to("secret")
    with pytest.raises(ToolError, match="not the folder any more"):
        await bash.run(arguments, prepared, inside)
    assert not (tmp_path / "secret" / "made").exists()
