"""The headless front end: it loses nothing, says the end, and stops on signals."""

import json
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from swarm.leader.core.fake_client import FakeClient
from swarm.leader.errors import JournalError
from swarm.leader.headless.front import HeadlessFront
from swarm.leader.session.entries import Noticed
from swarm.leader.session.journal import Journal


class Page:
    """A printer that keeps what is printed."""

    def __init__(self) -> None:
        self.text = ""
        self.messages: list[str] = []
        self.told = anyio.Event()
        self.given_up = False

    def write(self, text: str) -> None:
        self.text += text

    def message(self, text: str) -> None:
        self.messages.append(text)
        self.told.set()

    def give_up(self) -> None:
        self.given_up = True


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    made = Journal(tmp_path / "j", clock=lambda: 5.0)
    yield made
    made.close()


async def test_every_entry_is_told_in_order_however_many_come_at_once(journal: Journal) -> None:
    page = Page()
    client = FakeClient()

    async def lead() -> int:
        for number in range(1000):
            journal.append(Noticed(level="info", text=str(number)))
            if number % 300 == 0:
                await anyio.lowlevel.checkpoint()
        return 0

    front = HeadlessFront(client, journal, page, as_json=True)
    with anyio.fail_after(20):
        assert await front.run(lead, "/p") == 0
    events = [json.loads(line) for line in page.text.splitlines()]
    assert [event.get("text") for event in events[:-1]] == [str(number) for number in range(1000)]
    assert events[-1]["type"] == "summary"
    assert events[-1]["exit_code"] == 0
    assert journal.listeners == []


async def test_what_was_told_before_is_not_told_again(journal: Journal) -> None:
    page = Page()
    journal.append(Noticed(level="info", text="old"))

    async def lead() -> int:
        journal.append(Noticed(level="info", text="new"))
        return 0

    front = HeadlessFront(FakeClient(), journal, page, as_json=False, told=journal.count)
    with anyio.fail_after(20):
        await front.run(lead, "/p")
    assert "new" in page.text
    assert "old" not in page.text


async def test_the_first_signal_stops_in_good_order_and_the_second_at_once(journal: Journal) -> None:
    page, client = Page(), FakeClient()

    async def lead() -> int:
        os.kill(os.getpid(), signal.SIGTERM)
        await page.told.wait()
        page.told = anyio.Event()
        os.kill(os.getpid(), signal.SIGINT)
        await page.told.wait()
        return 0

    with anyio.fail_after(20):
        code = await HeadlessFront(client, journal, page, as_json=False).run(lead, "/p")
    assert code == 130
    assert client.stops == [None]
    assert client.stopped_now == 1
    assert [message.split(":")[0] for message in page.messages] == ["SIGTERM", "SIGINT"]
    assert "Exit 130: the run was interrupted." in page.text


async def test_a_journal_damaged_meanwhile_ends_the_telling_but_not_the_run(
    journal: Journal,
) -> None:
    page = Page()

    async def lead() -> int:
        journal.append(Noticed(level="info", text="good"))
        os.truncate(journal.path, 0)
        journal.append(Noticed(level="info", text="behind the damage"))
        return 0

    with anyio.fail_after(20):
        assert await HeadlessFront(FakeClient(), journal, page, as_json=False).run(lead, "/p") == 0
    assert "damaged or was changed" in page.messages[0]
    assert "Exit 0" in page.text


async def test_a_failure_of_the_leader_is_raised(journal: Journal) -> None:
    async def lead() -> int:
        raise JournalError("/j", "full")

    front = HeadlessFront(FakeClient(), journal, Page(), as_json=False)
    with pytest.raises(ExceptionGroup) as caught, anyio.fail_after(20):
        await front.run(lead, "/p")
    assert caught.group_contains(JournalError)


class UnreadPage(Page):
    """A printer whose reader has stopped to read."""

    def __init__(self) -> None:
        super().__init__()
        self.dropped = threading.Event()

    def write(self, text: str) -> None:
        assert self.dropped.wait(20), "a write that nobody reads was never given up"

    def give_up(self) -> None:
        self.dropped.set()


async def test_output_that_nobody_reads_does_not_hold_up_the_end_that_a_signal_asks_for(
    journal: Journal,
) -> None:
    page, client = UnreadPage(), FakeClient()

    async def lead() -> int:
        journal.append(Noticed(level="info", text="unread"))
        os.kill(os.getpid(), signal.SIGTERM)
        await page.told.wait()
        assert not page.dropped.is_set()
        return 0

    with anyio.fail_after(20):
        assert await HeadlessFront(client, journal, page, as_json=True).run(lead, "/p") == 130


async def test_the_signal_that_asks_for_a_quick_end_ends_at_once(journal: Journal) -> None:
    page, client = Page(), FakeClient()

    async def lead() -> int:
        os.kill(os.getpid(), signal.SIGQUIT)
        await page.told.wait()
        return 0

    with anyio.fail_after(20):
        assert await HeadlessFront(client, journal, page, as_json=False).run(lead, "/p") == 130
    assert client.stopped_now == 1
