"""The agent's host: turns what an agent does into messages, and messages for it into its inbox."""

from collections.abc import Mapping, Sequence
from typing import Any

import anyio

from swarm.ipc.messages import (
    Answer,
    ChatMessage,
    Choice,
    Phase,
    Question,
    Text,
    Thinking,
    Todo,
    TodoItem,
    Usage,
)
from swarm.worker.agents.base import Doing, Task
from swarm.worker.calls import CallOutcome
from swarm.worker.gate import Gate
from swarm.worker.outbox import Level, Outbox

INBOX = 1_000
"""How many messages wait for the agent at most; further ones are refused."""


class WorkerHost:
    """What the agent of this worker may do."""

    def __init__(self, task: Task, mode: str, gate: Gate, outbox: Outbox) -> None:
        self.task = task
        self.mode = mode
        self._gate = gate
        self._outbox = outbox
        self._questions: dict[str, _Asked] = {}
        self._inbox_in, self._inbox = anyio.create_memory_object_stream[ChatMessage](INBOX)

    async def call(
        self,
        tool: str,
        input: Mapping[str, Any],
        title: str = "",
        limit: float | None = None,
        agent: tuple[str, ...] = (),
    ) -> CallOutcome:
        """Call a tool, through the gate."""
        return await self._gate.call(tool, input, title, limit, agent)

    async def say(self, text: str) -> None:
        """Append text to what the person reads."""
        await self._outbox.emit(Text(text=text))

    async def think(self, text: str) -> None:
        """Append text that is not meant as an answer."""
        await self._outbox.emit(Thinking(text=text))

    async def phase(self, doing: Doing, detail: str = "") -> None:
        """Tell what the agent does now."""
        await self._outbox.emit(Phase(phase=doing, detail=detail))

    async def todo(self, items: Sequence[TodoItem]) -> None:
        """Tell the whole list of what is to be done."""
        await self._outbox.emit(Todo(items=tuple(items)))

    async def usage(
        self, input_tokens: int, output_tokens: int, cost: float = 0.0, model: str = ""
    ) -> None:
        """Tell tokens and cost since the last time."""
        self._outbox.post(
            Usage(input_tokens=input_tokens, output_tokens=output_tokens, cost=cost, model=model)
        )
        await self._outbox.settle()

    async def log(self, level: Level, text: str) -> None:
        """Write a line to the log."""
        self._outbox.log(level, text)
        await self._outbox.settle()

    async def send(self, to: str, text: str) -> None:
        """Send a message to another worker, to all or to the leader."""
        self._outbox.post(ChatMessage(to=to, text=text))
        await self._outbox.settle()

    async def ask(self, text: str, choices: Sequence[Choice] = (), multiple: bool = False) -> Answer:
        """Ask the person, and wait. A question that cannot be sent counts as declined."""
        question_id = self._outbox.post(Question(text=text, choices=tuple(choices), multiple=multiple))
        if not question_id:
            return Answer(question_id="", declined=True)
        asked = self._questions[question_id] = _Asked()
        try:
            return await asked.wait()
        finally:
            del self._questions[question_id]

    async def next_message(self) -> ChatMessage:
        """Wait for the next message."""
        return await self._inbox.receive()

    def deliver(self, message: ChatMessage) -> bool:
        """Queue a message for the agent; False if too many wait or the agent has ended."""
        try:
            self._inbox_in.send_nowait(message)
        except (anyio.WouldBlock, anyio.ClosedResourceError):
            return False
        return True

    def answer(self, answer: Answer) -> bool:
        """Give an answer to the question that waits for it; False if none does."""
        asked = self._questions.get(answer.question_id)
        if asked is None:
            return False
        asked.give(answer)
        return True

    def close(self) -> None:
        """Let go of the inbox."""
        self._inbox_in.close()
        self._inbox.close()


class _Asked:
    """One question that waits."""

    def __init__(self) -> None:
        self._given = anyio.Event()
        self._answer = Answer(question_id="", declined=True)

    def give(self, answer: Answer) -> None:
        if not self._given.is_set():
            self._answer = answer
            self._given.set()

    async def wait(self) -> Answer:
        await self._given.wait()
        return self._answer
