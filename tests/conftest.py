"""What holds for every test: no real home is touched, and whoever starts processes leaves none behind."""

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

TESTS = Path(__file__).parent
WITH_PROCESSES = (TESTS / "e2e", TESTS / "terminal")
"""Where every test starts processes; elsewhere it says so with the mark `processes`."""

PLACES = {
    "HOME": "home",
    "XDG_CONFIG_HOME": "home/.config",
    "XDG_STATE_HOME": "home/.local/state",
    "XDG_DATA_HOME": "home/.local/share",
    "XDG_CACHE_HOME": "home/.cache",
    "XDG_RUNTIME_DIR": "run",
}
MARK = "SWARM_TEST_RUN"
PATIENCE = 5.0
"""How long processes of a test may take to end, in seconds."""


def snapshot(home: Path) -> dict[str, int]:
    """Give what there is of this program in a home, with the time of its last change."""
    found = {}
    for folder in (home / ".config/swarm", home / ".local/state/swarm", home / ".swarm"):
        for path in (folder, *folder.rglob("*")):
            if path.exists():
                found[str(path)] = path.stat().st_mtime_ns
    return found


REAL_HOME = Path.home()


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the test a home of its own, and in CI fail it if it reached the real one all the same."""
    place = tmp_path_factory.mktemp("own")
    before = snapshot(REAL_HOME)
    for name, folder in PLACES.items():
        (place / folder).mkdir(parents=True, exist_ok=True, mode=0o700)
        monkeypatch.setenv(name, str(place / folder))
    yield place / "home"
    # Elsewhere than in CI the person may be leading a team of their own meanwhile.
    if os.environ.get("CI"):
        assert snapshot(REAL_HOME) == before, f"the test wrote to the real home {REAL_HOME}"


def starts_processes(request: pytest.FixtureRequest) -> bool:
    """Whether this test is held to leaving nothing behind."""
    marked = request.node.get_closest_marker("processes") is not None
    return marked or any(folder in request.path.parents for folder in WITH_PROCESSES)


@pytest.fixture(autouse=True)
def leaves_nothing_behind(
    request: pytest.FixtureRequest, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Fail a test that leaves a process, a held lock or a temporary file; what is left is ended first."""
    if not starts_processes(request):
        yield
        return
    mark = f"{os.getpid()}-{own_home.parent.name}"
    scratch = own_home.parent / "tmp"
    scratch.mkdir(mode=0o700)
    monkeypatch.setenv(MARK, mark)
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    yield
    left = wait_for_end(mark)
    files = sorted(path.name for path in scratch.iterdir())
    locks = held_locks(own_home.parent)
    for process in left:
        process.kill()
    assert not left, f"the test left processes: {[describe(process) for process in left]}"
    assert not files, f"the test left temporary files: {files}"
    assert not locks, f"the test left locks: {locks}"


def wait_for_end(mark: str) -> list[psutil.Process]:
    """Wait until no process carries the mark, and give those that still do when patience ends."""
    deadline = time.monotonic() + PATIENCE
    while left := marked_processes(mark):
        if time.monotonic() > deadline:
            return left
        time.sleep(0.02)
    return []


def marked_processes(mark: str) -> list[psutil.Process]:
    """Give the living processes whose environment carries the mark, this one aside."""
    found = []
    for process in psutil.process_iter():
        try:
            carries = process.pid != os.getpid() and process.environ().get(MARK) == mark
            if carries and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except (psutil.Error, OSError):
            continue
    return found


def describe(process: psutil.Process) -> str:
    """Give a process as a line, even if it ends meanwhile."""
    try:
        return f"{process.pid} {' '.join(process.cmdline())[:200]}"
    except psutil.Error:
        return str(process.pid)


def held_locks(folder: Path) -> list[str]:
    """Give the files below `folder` that this process still has open for a lock."""
    opened = psutil.Process().open_files()
    return sorted(
        file.path for file in opened if file.path.endswith(".lock") and is_below(file.path, folder)
    )


def is_below(path: str, folder: Path) -> bool:
    """Whether `path` lies in `folder`."""
    return Path(path).is_relative_to(folder)
