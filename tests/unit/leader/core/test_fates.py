"""The requests of a worker that died have one end each, by what it wrote of its calls."""

from pathlib import Path

import pytest

from support.approving import FakeAsker, House, allowing, house, request
from swarm.ipc.call_log import CallBegan, CallEnded, CallHistory, CallRecord
from swarm.leader.session.entries import RequestEnded

BEGAN = CallBegan(call="c1", attempt=1, request="w1", tool="Bash")
ENDED = CallEnded(call="c1", attempt=1, request="w1", outcome="failed")


def history(*records: CallRecord, is_whole: bool = True) -> CallHistory:
    return CallHistory(records, is_whole, {record.began.request: record for record in records})


def ends(home: House) -> list[tuple[str, str]]:
    return [(entry.state, entry.detail) for entry in home.written() if isinstance(entry, RequestEnded)]


@pytest.mark.parametrize(
    ("calls", "last"),
    [
        (history(), ("orphaned", "not run: it was killed")),
        (history(is_whole=False), ("orphaned", "whether it ran is not known: it was killed")),
        (history(CallRecord(BEGAN)), ("acted", "interrupted, may have had effects")),
        (history(CallRecord(BEGAN, ENDED)), ("acted", "failed")),
    ],
)
@pytest.mark.parametrize("taken", [True, False])
async def test_an_allowed_call_ends_as_its_worker_wrote(
    tmp_path: Path, calls: CallHistory, last: tuple[str, str], taken: bool
) -> None:
    async with house(tmp_path) as home:
        home.approvals.asked(FakeAsker(), request("make"))
        (view,) = await home.shown()
        await home.approvals.answer(allowing(view))
        if taken:
            home.approvals.took("tests", "w1")
        home.approvals.lost("tests", calls, "it was killed")
        home.approvals.lost("tests", calls, "it was killed")
        delivered = [("delivered", "interactive-allow-once")] if taken or last[0] == "acted" else []
        assert ends(home) == [*delivered, last]


async def test_a_call_that_nobody_has_decided_leaves_the_queue_whatever_its_worker_wrote(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("make"))
        await home.shown()
        home.approvals.lost("tests", history(CallRecord(BEGAN)), "it was killed")
        assert ends(home) == [
            ("orphaned", "it began before it was decided, may have had effects: it was killed")
        ]
        assert (home.approvals.queue, asker.responses) == ((), [])
