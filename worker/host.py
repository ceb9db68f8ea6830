"""The agent's host: turns what an agent does into messages, and messages for it into its inbox."""

from collections.abc import Mapping, Sequence
from typing import Any

import anyio
import msgspec

from swarm.ipc.messages import (
    Answer,
    ChatMessage,
    Choice,
    EventPart,
    Phase,
    Question,
    Text,
    Thinking,
    Todo,
    TodoItem,
    Usage,
)
from swarm.worker.agents.base import Doing, Task
from swarm.worker.call_journal import CallJournal
from swarm.worker.calls import CallOutcome
from swarm.worker.errors import NotNoted
from swarm.worker.gate import Gate
from swarm.worker.hold import Hold
from swarm.worker.outbox import Level, Outbox

INBOX = 1_000
"""How many messages wait for the agent at most; further ones are refused."""


class WorkerHost:
    """What the agent of this worker may do."""

    def __init__(
        self,
        task: Task,
        mode: str,
        gate: Gate,
        outbox: Outbox,
        *,
        hold: Hold | None = None,
        journal: CallJournal | None = None,
    ) -> None:
        self.task = task
        self.mode = mode
        self._gate = gate
        self._outbox = outbox
        self._hold = hold or Hold()
        self._journal = journal or CallJournal()
        self._questions: dict[str, _Asked] = {}
        self._inbox_in, self._inbox = anyio.create_memory_object_stream[ChatMessage](INBOX)

    async def call(
        self,
        tool: str,
        input: Mapping[str, Any],
        title: str = "",
        limit: float | None = None,
        agent: tuple[str, ...] = (),
        step: str = "",
    ) -> CallOutcome:
        """Call a tool, through the gate."""
        return await self._gate.call(tool, input, title, limit, agent, step)

    def done_before(self, step: str) -> str | None:
        """Give the output of a step that has ended well in an earlier attempt; None if it has not."""
        ended = self._journal.past.success(step)
        return ended.output if ended else None

    def note_step(self, step: str, output: str) -> None:
        """Note that a step which called no tool has been taken."""
        try:
            self._journal.note(step, output)
        except (NotNoted, OSError) as error:
            self._outbox.log("warning", f"The step {step} could not be noted: {error}")

    async def say(self, text: str) -> None:
        """Append text to what the person reads."""
        await self._emit(Text(text=text))

    async def think(self, text: str) -> None:
        """Append text that is not meant as an answer."""
        await self._emit(Thinking(text=text))

    async def phase(self, doing: Doing, detail: str = "") -> None:
        """Tell what the agent does now."""
        await self._emit(Phase(phase=doing, detail=detail))

    async def todo(self, items: Sequence[TodoItem]) -> None:
        """Tell the whole list of what is to be done."""
        await self._emit(Todo(items=tuple(items)))

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
        question = Question(text=text, choices=tuple(choices), multiple=multiple)
        question_id = self._outbox.post(question)
        if not question_id:
            return Answer(question_id="", declined=True)
        asked = _Asked(msgspec.structs.replace(question, id=question_id))
        self._questions[question_id] = asked
        try:
            return await asked.wait()
        finally:
            del self._questions[question_id]

    def ask_again(self) -> None:
        """Send the questions that wait once more, under their ids, to a leader that may not have them."""
        for asked in self._questions.values():
            self._outbox.post(asked.question)

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

    async def _emit(self, part: EventPart) -> None:
        """Send an event, and keep the agent waiting while there is no leader to see it."""
        await self._hold.over()
        await self._outbox.emit(part)

    def close(self) -> None:
        """Let go of the inbox."""
        self._inbox_in.close()
        self._inbox.close()


class _Asked:
    """One question that waits."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self._given = anyio.Event()
        self._answer = Answer(question_id="", declined=True)

    def give(self, answer: Answer) -> None:
        if not self._given.is_set():
            self._answer = answer
            self._given.set()

    async def wait(self) -> Answer:
        await self._given.wait()
        return self._answer
