"""Takes what the leader sends, in order and without waiting, and hands it on to whom it concerns."""

from typing import Protocol, assert_never

from swarm.ipc.channel import Unreadable
from swarm.ipc.messages import (
    Adopt,
    Answer,
    AnyMessage,
    Cancel,
    ChatMessage,
    Error,
    Event,
    Heartbeat,
    Hello,
    Log,
    PermissionRequest,
    PermissionResponse,
    PermissionWithdrawn,
    Ping,
    Question,
    Result,
    RulesChanged,
    SetMode,
    Shutdown,
    Start,
    Usage,
)
from swarm.permissions.strategies.swarm_worker import SwarmWorker
from swarm.worker.assignment import Assignment
from swarm.worker.outbox import Outbox


class Life(Protocol):
    """What reception may tell the runtime."""

    @property
    def assignment(self) -> Assignment | None:
        """What is being done; none before the start."""

    @property
    def is_held(self) -> bool:
        """Whether the work waits for another leader."""

    def begin(self, start: Start) -> None:
        """Begin with the work; once."""

    def stop(self, why: str, grace: float | None = None) -> None:
        """Cancel the work. After `grace` seconds the process ends in any case."""

    def cut_off(self, why: str) -> None:
        """Cancel the work: no leader is left, so nothing may be run any more."""

    def go_on(self, mode: str) -> None:
        """Go on with the work under another leader, in this permission mode."""

    def result_taken(self) -> None:
        """Take note that the leader has the result."""


class Reception:
    """The receiver at the worker's end."""

    def __init__(self, life: Life, strategy: SwarmWorker, outbox: Outbox) -> None:
        self._life = life
        self._strategy = strategy
        self._outbox = outbox

    def message(self, message: AnyMessage) -> None:
        """Handle one message."""
        match message:
            case Start():
                self._life.begin(message)
            case Adopt():
                self._adopted(message)
            case PermissionResponse():
                self._strategy.deliver(message)
            case Ping():
                self._outbox.post(Heartbeat())
            case Cancel():
                self._life.stop(message.why)
            case Shutdown():
                self._life.stop(message.why, message.grace)
            case RulesChanged():
                self._outbox.log("debug", "The rules have changed; the leader applies them to each call.")
            case Error():
                self._fault(message)
            case Answer() | ChatMessage() | SetMode():
                self._for_agent(message)
            case (
                Hello()
                | Event()
                | PermissionRequest()
                | PermissionWithdrawn()
                | Question()
                | Usage()
                | Result()
                | Log()
                | Heartbeat()
            ):
                self._reply_wrong(message.id, f"A leader does not send {type(message).__name__}.")
            case _:
                assert_never(message)

    def unreadable(self, report: Unreadable) -> None:
        """Log what was skipped; the channel itself has answered it."""
        text = f"Skipped {report.count} unreadable lines: {report.problem}: {report.excerpt}"
        self._outbox.log("warning", text)

    def acknowledged(self, message: AnyMessage) -> None:
        """Tell of the one message whose handling is waited for."""
        if type(message) is Result:
            self._life.result_taken()

    def closed(self, why: str) -> None:
        """Let nothing run any more, and end."""
        self._strategy.closed(why)
        self._life.cut_off(why)

    def _adopted(self, adopt: Adopt) -> None:
        """Send again what still waits for an answer, and let the work go on."""
        self._strategy.send_again()
        if self._life.assignment:
            self._life.assignment.host.ask_again()
        self._life.go_on(adopt.mode)

    def _for_agent(self, message: Answer | ChatMessage | SetMode) -> None:
        assignment = self._life.assignment
        if assignment is None:
            self._reply_wrong(message.id, "Nothing was started that this could be for.")
            return
        match message:
            case Answer():
                if not assignment.host.answer(message):
                    self._outbox.log("info", f"No question waits for the answer {message.id}.")
            case ChatMessage():
                if not assignment.host.deliver(message):
                    self._outbox.log(
                        "warning", f"The message {message.id} was refused: too many wait unread."
                    )
            case SetMode():
                assignment.host.mode = message.mode
            case _:
                assert_never(message)

    def _fault(self, error: Error) -> None:
        """Let nobody wait for an answer to what the leader could not use."""
        self._outbox.log("warning", f"The leader could not use {error.about or 'a message'}: {error.text}")
        if self._life.is_held:
            return  # it had come to a leader that does not know this worker yet: it is sent again
        if call_id := self._outbox.call_of(error.about):
            self._strategy.withdraw(call_id, f"the leader could not use it: {error.text}")
        elif self._life.assignment and error.about:
            self._life.assignment.host.answer(Answer(question_id=error.about, declined=True))

    def _reply_wrong(self, about: str, text: str) -> None:
        self._outbox.post(Error(code="wrong_state", text=text, about=about))
