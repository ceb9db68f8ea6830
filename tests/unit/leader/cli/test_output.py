"""What is printed where nobody reads, or only slowly."""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from swarm.leader.cli import output


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    for descriptor in (reading, writing):
        os.close(descriptor)


def test_all_that_is_written_arrives_at_a_slow_reader(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, writing = pipe
    text = "ä\u202e line of many\n" * 50_000
    monkeypatch.setattr(sys, "stdout", os.fdopen(os.dup(writing), "w", encoding="utf-8"))
    thread = threading.Thread(target=output.StdoutPrinter().write, args=(text,))
    thread.start()
    read = b""
    while len(read) < len(text.encode()):
        read += os.read(reading, 1 << 16)
    thread.join(20)
    assert read == text.encode()
    sys.stdout.close()


def test_a_printer_that_is_given_up_waits_for_no_reader(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", os.fdopen(os.dup(pipe[1]), "w", encoding="utf-8"))
    printer = output.StdoutPrinter()
    thread = threading.Thread(target=printer.write, args=("x" * 1_000_000,))
    thread.start()
    assert os.read(pipe[0], 1) == b"x"
    printer.give_up()
    thread.join(20)
    assert not thread.is_alive()
    printer.write("more")
    sys.stdout.close()


def test_a_passing_message_is_dropped_where_stderr_takes_none(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, writing = pipe
    monkeypatch.setattr(sys, "stderr", os.fdopen(os.dup(writing), "w", encoding="utf-8"))
    output.passing_message("told")
    assert os.read(reading, 100) == b"told\n"
    os.set_blocking(writing, False)
    with suppress(BlockingIOError):
        while True:
            os.write(writing, b"x" * 4096)
    os.set_blocking(writing, True)
    output.passing_message("dropped")  # would wait for ever
    sys.stderr.close()
