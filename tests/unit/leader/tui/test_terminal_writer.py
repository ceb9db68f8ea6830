"""What becomes of text for a terminal that takes none of it, or is gone."""

import os
import threading
from collections.abc import Iterator

import pytest

from support.waiting import wait_until
from swarm.leader.tui.stage import Stage
from swarm.leader.tui.terminal_writer import FULL, TerminalWriter

MORE_THAN_A_PIPE_HOLDS = "x" * (4 * FULL)


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """A reading end and a writing end; a test may close the reading one."""
    reading, writing = os.pipe()
    yield reading, writing
    os.close(writing)


def read_all(reading: int, size: int) -> str:
    """Read until there are `size` bytes."""
    data = b""
    while len(data) < size:
        data += os.read(reading, 1 << 16)
    return data.decode()


def test_text_that_nobody_reads_is_taken_at_once_and_written_in_order_later(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    writer, drained = TerminalWriter(writing, lambda: None), threading.Event()
    writer.write(MORE_THAN_A_PIPE_HOLDS)
    writer.write("äend")
    wait_until(lambda: writer.behind)
    writer.when_drained(drained.set)
    assert not drained.is_set()
    assert read_all(reading, len(MORE_THAN_A_PIPE_HOLDS) + 5) == MORE_THAN_A_PIPE_HOLDS + "äend"
    assert drained.wait(20)
    wait_until(lambda: not writer.behind)
    os.close(reading)


def test_a_little_text_is_late_after_a_while(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    os.set_blocking(writing, False)
    os.write(writing, b"x" * (1 << 20))
    os.set_blocking(writing, True)
    writer = TerminalWriter(writing, lambda: None)
    writer.write("x")
    assert not writer.behind
    wait_until(lambda: writer.behind)
    os.close(reading)
    wait_until(lambda: not writer.behind)


def test_a_terminal_that_is_gone_is_told_once_and_holds_nothing_up(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    os.close(reading)
    told: list[bool] = []
    writer, drained = TerminalWriter(writing, lambda: told.append(True)), threading.Event()
    writer.write("one")
    writer.when_drained(drained.set)
    assert drained.wait(20)
    writer.write("two")
    assert (told, writer.behind) == ([True], False)


async def test_what_a_terminal_does_not_show_is_not_decided_about(stage: Stage) -> None:
    stage.client.ask("fixer", "Bash", {"command": "make one"})
    async with stage.run(80, 24):
        await stage.shows("make one")
        stage.app._dropped = True
        await stage.press("y", "n", "a")
        assert stage.client.answers == []
        stage.app.post_message(stage.app.CaughtUp())
        await stage.until(lambda: not stage.app.behind)
        await stage.pilot.press("y")
        assert stage.client.answers == [], "there was no time to read it"
        await stage.press("y")
        assert [answer.verb for answer in stage.client.answers] == ["allow_once"]
