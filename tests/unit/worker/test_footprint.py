"""What a worker costs before it is told to start: modules, memory, and nothing that a fork would break."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psutil
import pytest

if TYPE_CHECKING:
    from pathlib import Path

PYTHON = [sys.executable, "-E", "-P"]
LONG = 20.0

DUMPING = """
import runpy, signal, sys
def dump(*_):
    with open(sys.argv[1] + ".new", "w") as file:
        file.write(" ".join(sys.modules))
    import os
    os.replace(sys.argv[1] + ".new", sys.argv[1])
signal.signal(signal.SIGUSR1, dump)
runpy.run_module("swarm.worker", run_name="__main__", alter_sys=True)
"""
BARE = (
    "import asyncio\nasync def main():\n print(flush=True)\n await asyncio.sleep(1000)\nasyncio.run(main())"
)
BEFORE_THE_CLAIM = """
import sys
import swarm.worker.__main__
loaded = sorted({"asyncio", "anyio", "msgspec", "logging", "swarm.ipc.messages"} & sys.modules.keys())
assert loaded == [], loaded
"""
PRELOADED = """
import asyncio, os, sys, threading
import swarm.worker.process, swarm.ipc.stdio, swarm.ipc.codec
assert threading.active_count() == 1, threading.enumerate()
assert asyncio.events._get_running_loop() is None
assert len(os.listdir("/proc/self/task")) == 1
open_now = sorted(int(name) for name in os.listdir("/proc/self/fd"))
assert open_now in ([0, 1, 2], [0, 1, 2, 3]), open_now  # the fourth is the listing itself
"""

AT_START = {"anyio", "msgspec", "swarm", "typing_extensions"}
"""The packages beyond the standard library that a waiting worker may have loaded."""
SITE = {"sitecustomize", "usercustomize"}
"""What the machine's Python loads by itself, as Debian's does."""
NEVER = ("textual", "rich", "typer", "pydantic", "ruamel", "tree_sitter", "swarm.leader")


@contextmanager
def greeting(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Start a process and wait for its first line."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        assert process.stdout.readline()
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The modules of a worker that has said hello."""
    note: Path = tmp_path_factory.mktemp("footprint") / "modules"
    with greeting([*PYTHON, "-c", DUMPING, str(note)]) as worker:
        os.kill(worker.pid, signal.SIGUSR1)
        deadline = time.monotonic() + LONG
        while not note.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
    return set(note.read_text().split())


@pytest.mark.parametrize("name", NEVER)
def test_a_worker_never_loads_what_belongs_to_the_terminal(loaded: set[str], name: str) -> None:
    assert not [module for module in loaded if module == name or module.startswith(f"{name}.")]


def test_a_waiting_worker_has_loaded_only_the_packages_it_needs(loaded: set[str]) -> None:
    roots = {module.partition(".")[0] for module in loaded}
    assert {root for root in roots if not root.startswith("_")} - sys.stdlib_module_names <= AT_START | SITE


def test_a_waiting_worker_has_no_tools_and_no_agents_loaded(loaded: set[str]) -> None:
    own = {module for module in loaded if module.startswith("swarm.worker.")}
    assert "swarm.worker.runtime" in own
    assert {module for module in own if ".tools." in module} == {"swarm.worker.tools.base"}
    assert {module for module in own if ".agents." in module} == {"swarm.worker.agents.base"}


def test_a_waiting_worker_needs_little_more_memory_than_a_bare_loop() -> None:
    with greeting([*PYTHON, "-c", BARE]) as bare, greeting([*PYTHON, "-m", "swarm.worker"]) as worker:
        ratio = (
            psutil.Process(worker.pid).memory_full_info().uss
            / psutil.Process(bare.pid).memory_full_info().uss
        )
    assert ratio <= 1.6


def test_a_preloaded_worker_can_be_forked() -> None:
    done = subprocess.run([*PYTHON, "-c", PRELOADED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_stdio_is_claimed_before_anything_large_is_loaded() -> None:
    done = subprocess.run([*PYTHON, "-c", BEFORE_THE_CLAIM], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
