"""Watching a folder: told at once where the system tells, soon where it does not, at hardly any cost."""

import asyncio
import os
import select
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.waiting import until
from swarm.ipc.mailbox import probe
from swarm.ipc.mailbox import watch as module
from swarm.ipc.mailbox.inotify import MOVED_TO, Inotify
from swarm.ipc.mailbox.probe import gives_events, is_shared
from swarm.ipc.mailbox.watch import IDLE, Watch

QUEUE = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
MOUNTS = """\
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:40 / /home rw - nfs4 server:/home rw
31 30 0:41 / /home/me/local\\040disk rw - xfs /dev/sdb rw
torn
"""


class Calls:
    """A watched folder, how often was called, and what was there then."""

    def __init__(self, folder: Path, *, notified: bool = True) -> None:
        self.folder = folder
        self.folder.mkdir(exist_ok=True)
        self.count = 0
        self.found: list[str] = []
        self.watch = Watch(folder, self._note, notified=notified)

    def _note(self) -> bool:
        self.count += 1
        before = len(self.found)
        names = sorted(os.listdir(self.folder)) if self.folder.exists() else []
        self.found += [name for name in names if name not in self.found]
        return len(self.found) > before

    def put(self, name: str) -> None:
        """Move a file into the folder."""
        beside = self.folder.with_name("beside")
        beside.touch()
        beside.rename(self.folder / name)


@pytest.fixture(params=[True, False], ids=["notified", "looking"])
def calls(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Calls]:
    made = Calls(tmp_path / "new", notified=request.param)
    yield made
    made.watch.close()


async def test_what_is_there_at_the_start_is_found(calls: Calls) -> None:
    calls.put("before")
    calls.watch.attach(asyncio.get_running_loop())
    await until(lambda: calls.found == ["before"])


async def test_what_comes_is_found(calls: Calls) -> None:
    calls.watch.attach(asyncio.get_running_loop())
    for number in range(3):
        calls.put(f"{number}")
        await until(lambda number=number: len(calls.found) == number + 1)  # type: ignore[misc] # bound now


async def test_a_folder_that_was_made_again_is_watched_again(calls: Calls) -> None:
    calls.watch.attach(asyncio.get_running_loop())
    await until(lambda: calls.count)
    calls.folder.rmdir()
    await until(lambda: not calls.watch.is_notified)
    calls.folder.mkdir()
    calls.put("after")
    await until(lambda: calls.found == ["after"])


async def test_a_folder_that_was_moved_away_is_watched_no_more(tmp_path: Path) -> None:
    calls = Calls(tmp_path / "new")
    calls.watch.attach(asyncio.get_running_loop())
    calls.folder.rename(tmp_path / "moved")
    await until(lambda: not calls.watch.is_notified)
    calls.folder.mkdir()
    calls.put("here")
    await until(lambda: calls.watch.is_notified)
    assert calls.found == ["here"]
    calls.watch.close()


async def test_notification_comes_without_a_look_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SLOW", 3600.0)
    calls = Calls(tmp_path / "new")
    calls.watch.attach(asyncio.get_running_loop())
    await until(lambda: calls.count == 1)
    calls.put("a")
    await until(lambda: calls.found == ["a"])
    assert calls.count == 2
    calls.watch.close()


async def test_a_lost_event_is_made_up_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SLOW", 0.01)
    calls = Calls(tmp_path / "new")
    calls.watch.attach(asyncio.get_running_loop())
    await until(lambda: calls.count > 2)
    (calls.folder / "made in place").touch()  # of which nothing is told
    await until(lambda: calls.found)
    calls.watch.close()


@pytest.mark.skipif(QUEUE > 50_000, reason="the system's queue is too long to fill")
async def test_a_queue_that_overflows_still_calls(tmp_path: Path) -> None:
    calls = Calls(tmp_path / "new")
    calls.watch.attach(asyncio.get_running_loop())
    await until(lambda: calls.count == 1)
    for number in range(QUEUE + 10):
        calls.put(str(number % 7 + number // QUEUE * 7))
    await until(lambda: len(calls.found) == 14)
    calls.watch.close()


async def test_looking_slows_down_and_speeds_up_again(tmp_path: Path) -> None:
    calls = Calls(tmp_path / "new", notified=False)
    calls.watch.attach(asyncio.get_running_loop())
    await until(lambda: f"{IDLE:.3f}" in repr(calls.watch))
    assert calls.count < 25
    count = calls.count
    calls.watch.expect()
    began = time.monotonic()
    await until(lambda: calls.count >= count + 3)
    assert time.monotonic() - began < IDLE
    calls.watch.close()


async def test_a_closed_watch_calls_no_more(calls: Calls) -> None:
    calls.watch.attach(asyncio.get_running_loop())
    await until(lambda: calls.count)
    calls.watch.close()
    calls.watch.close()
    calls.watch.expect()
    count = calls.count
    calls.put("late")
    for _ in range(50):
        await asyncio.sleep(0)
    assert calls.count == count


async def test_a_blocking_wait_ends_when_something_comes(tmp_path: Path) -> None:
    calls = Calls(tmp_path / "new")
    calls.watch.attach(asyncio.get_running_loop())
    assert not calls.watch.wait(1)
    calls.put("a")
    assert calls.watch.wait(10_000)
    calls.watch.close()


async def test_where_nothing_is_told_a_wait_says_that_something_may_have_come(tmp_path: Path) -> None:
    calls = Calls(tmp_path / "new", notified=False)
    calls.watch.attach(asyncio.get_running_loop())
    assert calls.watch.wait(1)
    calls.watch.close()


async def test_where_the_probe_sees_no_event_it_looks_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probe, "CREATED", 0)  # so that no event counts as one
    calls = Calls(tmp_path / "new")
    calls.watch.attach(asyncio.get_running_loop())
    assert not calls.watch.is_notified
    (calls.folder / "made in place").touch()
    await until(lambda: calls.found)
    calls.watch.close()


def test_a_probe_leaves_nothing_behind(tmp_path: Path) -> None:
    assert gives_events(tmp_path)
    assert os.listdir(tmp_path) == []
    assert not gives_events(tmp_path / "missing")


def test_notification_is_of_folders_and_of_no_link(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path)
    for name in ("file", "link", "missing"):
        with pytest.raises(OSError, match=r"[Nn]o"):
            Inotify(tmp_path / name, MOVED_TO)


def test_a_descriptor_is_readable_only_when_something_came(tmp_path: Path) -> None:
    inotify = Inotify(tmp_path, MOVED_TO)
    assert not select.select([inotify.fd], [], [], 0)[0]
    assert inotify.read() == 0
    inotify.close()
    inotify.close()


@pytest.mark.parametrize(
    ("folder", "shared"),
    [("/var", False), ("/home/you", True), ("/home/me/local disk/a", False), ("/homely", False)],
)
def test_a_file_system_of_other_machines_too_is_known_by_its_kind(
    tmp_path: Path, folder: str, shared: bool
) -> None:
    (tmp_path / "mountinfo").write_text(MOUNTS)
    assert is_shared(Path(folder), tmp_path / "mountinfo") is shared
    assert not is_shared(Path(folder), tmp_path / "missing")
