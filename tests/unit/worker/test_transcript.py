"""One whole run of a script worker, message for message, against the recorded one.

A wanted change is recorded anew with UPDATE_GOLDEN=1.
"""

import json
import os
from pathlib import Path
from typing import Any

import anyio
import msgspec

from support.working import FakeLeader
from swarm.ipc.channel import Receiver
from swarm.ipc.memory import channel_pair
from swarm.ipc.messages import AnyMessage, PermissionRequest, WorkerResult
from swarm.worker.runtime import Runtime

GOLDEN = Path(__file__).parents[2] / "golden" / "script_worker.jsonl"
STEPS: list[dict[str, Any]] = [
    {"say": "Fixing what ${tasks.tests.status}: ${tasks.tests.result}"},
    {"id": "note", "write": {"path": "note.txt", "content": "one\ntwo\n"}},
    {"name": "read it back", "bash": {"command": "cat note.txt", "timeout": 5}},
    {"name": "push", "bash": "git push"},
    {"name": "celebrate", "say": "All done"},
    {"name": "clean up", "if_failed": True, "say": "The note was ${steps.note.outcome}."},
    {"message": {"to": "tests", "text": "over to you"}, "if_failed": True},
]


class RecordedChannel:
    """Writes down in order what is sent, under ids that are the same in each run."""

    def __init__(self, channel: Any, root: str) -> None:
        self._channel = channel
        self._root = root
        self.lines: list[str] = []

    def open(self, receiver: Receiver) -> None:
        self._channel.open(receiver)

    def wait_briefly(self) -> None:
        return None

    def send(self, message: AnyMessage) -> str:
        named = msgspec.structs.replace(message, id=f"w-{len(self.lines) + 1}")
        plain = msgspec.to_builtins(named)
        for field in ("v", "seq", "ack"):
            del plain[field]
        text = json.dumps(constant(plain), ensure_ascii=False).replace(self._root, "/work")
        self.lines.append(text)
        sent: str = self._channel.send(named)
        return sent

    async def drain(self) -> None:
        await self._channel.drain()

    async def flush(self) -> None:
        await self._channel.flush()

    def pause_reading(self) -> None:
        self._channel.pause_reading()

    def resume_reading(self) -> None:
        self._channel.resume_reading()

    async def aclose(self) -> None:
        await self._channel.aclose()


def constant(value: Any) -> Any:
    """Put fixed values where each run has its own."""
    own = {"pid": 1, "python": "3", "seconds": 0.0}
    if isinstance(value, dict):
        return {key: own.get(key, constant(inner)) for key, inner in value.items()}
    return value


class PickyLeader(FakeLeader):
    """Allows all but `git push`."""

    def message(self, message: AnyMessage) -> None:
        if isinstance(message, PermissionRequest):
            allow = message.input.get("command") != "git push"
            self.answer(message, allow, "" if allow else "not on a Friday")
        super().message(message)


async def test_a_script_worker_sends_what_it_always_sent(tmp_path: Path) -> None:
    leaders, workers = channel_pair()
    leader = PickyLeader(leaders, tmp_path)
    recorded = RecordedChannel(workers, str(tmp_path))

    async def live() -> None:
        await Runtime(recorded, lambda: None).run()

    tasks = {"tests": WorkerResult(status="failed", text="2 of 3 fail\n")}
    async with anyio.create_task_group() as group:
        group.start_soon(live)
        await leader.start(*STEPS, heartbeat=1_000.0, tasks=tasks)
        result = await leader.end()
    assert result.status == "failed"
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text("\n".join(recorded.lines) + "\n")
    assert recorded.lines == GOLDEN.read_text().splitlines()
