"""What cannot be written is neither allowed nor decided."""

import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest

from support.approving import FakeAsker, allowing, house, request
from swarm.leader.errors import (
    JournalError,
)
from swarm.leader.session.journal import Disk


def full_disk(after: int) -> Disk:
    """A disk that takes `after` lines."""
    left = [after]

    def write(descriptor: int, data: bytes) -> int:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return os.write(descriptor, data)

    return Disk(write=write)


@pytest.mark.parametrize("command", ["ok", "make"])
async def test_what_cannot_be_written_is_not_allowed(tmp_path: Path, command: str) -> None:
    async with house(tmp_path, disk=full_disk(0)) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request(command))
        assert asker.responses[0].behavior == "deny"
        assert "journal" in asker.responses[0].message
        assert home.notices
        assert home.approvals.queue == ()


async def test_a_decision_that_cannot_be_written_is_not_told_and_the_request_stays(tmp_path: Path) -> None:
    async with house(tmp_path, disk=full_disk(1)) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("make"))
        (view,) = await home.shown()
        with pytest.raises(JournalError):
            await home.approvals.answer(allowing(view))
        assert asker.responses == []
        assert home.approvals.queue == (view,)


async def test_a_rule_of_a_decision_that_cannot_be_written_is_taken_back(tmp_path: Path) -> None:
    async with house(tmp_path, disk=full_disk(2)) as home:
        asker = FakeAsker()
        home.approvals.asked(asker, request("make"))
        (view,) = await home.shown()
        with pytest.raises(JournalError):
            await home.approvals.answer(replace(allowing(view), verb="allow_always", offers=view.offers))
        assert (home.judge.granted, home.judge.revoked) == ([], ["make"])
        assert asker.responses == []
        assert home.approvals.queue == (view,)
