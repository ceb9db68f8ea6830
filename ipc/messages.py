"""Every message that travels between a leader and a worker, and what each is. Holds no behaviour.

One message is one JSON object on one line. `type` names the message; `v`, `id`, `seq` and `ack` are
its envelope, which the connection fills in when it sends. Unknown fields are ignored, so that a newer
peer may add some. The docs' message table and the golden lines in tests/golden come from here.
"""

import re
from typing import Any, Literal

import msgspec

PROTOCOL_VERSION = 1
LINE_CAP = 16 * 1024 * 1024
"""The longest line that is read, in bytes, without its newline."""


def snake_case(name: str) -> str:
    """Give the wire's name of a class: `PermissionRequest` is `permission_request`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=snake_case):
    """The envelope that every message has.

    `id` names the message and is unique to its sender. `seq` counts up from 1 per direction, `ack` is
    the last `seq` that the sender has handled of the other direction; 0 means none.
    """

    v: int = PROTOCOL_VERSION
    id: str = ""
    seq: int = 0
    ack: int = 0


class Part(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=snake_case):
    """One kind of happening inside an `Event`."""


# What happens in a worker


class Phase(Part, frozen=True):
    """What the agent does now. `requesting` and the like are those of a model's turn."""

    phase: Literal["requesting", "thinking", "responding", "preparing", "using_tool", "idle"]
    detail: str = ""


class Text(Part, frozen=True):
    """Text of the agent for the person, to be appended to the open message."""

    text: str


class Thinking(Part, frozen=True):
    """Text of the agent that is not meant as an answer."""

    text: str


class ToolStarted(Part, frozen=True):
    """A tool call was made. `title` is one line for the person."""

    call_id: str
    tool: str
    title: str
    agent: tuple[str, ...] = ()


class ToolOutput(Part, frozen=True):
    """More output of a running tool call."""

    call_id: str
    text: str


class ToolEnded(Part, frozen=True):
    """A tool call ended. `outcome` tells a refusal, a failure and an interruption apart."""

    call_id: str
    outcome: Literal["succeeded", "failed", "denied", "interrupted"]
    summary: str = ""
    seconds: float = 0.0


class TodoItem(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the agent's own list of what is to be done."""

    text: str
    state: Literal["pending", "in_progress", "completed"]


class Todo(Part, frozen=True):
    """The agent's whole list, each time."""

    items: tuple[TodoItem, ...]


EventPart = Phase | Text | Thinking | ToolStarted | ToolOutput | ToolEnded | Todo


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """What the person is shown beside the input, made by the worker before it asks.

    `title` is one line. `diff` is a unified diff, or empty. `paths` are the absolute paths the call
    touches. `note` says what the preview leaves out (for example "2,310 more changed lines").
    """

    title: str
    diff: str = ""
    paths: tuple[str, ...] = ()
    note: str = ""


# Worker to leader


class Hello(Message, frozen=True):
    """The first message of a worker: who it is and which protocol versions it speaks.

    A worker that was started before and lost its way to the leader says it again on the next way, with
    its name and attempt; it then waits for `adopt`. Until it was started both are empty.
    """

    protocols: tuple[int, ...]
    pid: int
    program: str
    python: str
    worker: str = ""
    attempt: int = 0


class Event(Message, frozen=True):
    """Something happened that the person may see; nothing depends on it."""

    event: EventPart


class PermissionRequest(Message, frozen=True):
    """May this tool call run? Its `id` names the request until its end, and its content never changes.

    `interrupted` says that the same call had begun before and that its end is not known, so that it may
    have had effects. Then no rule may allow it, only a person.
    """

    call_id: str
    tool: str
    input: dict[str, Any]
    cwd: str
    preview: Preview
    agent: tuple[str, ...] = ()
    interrupted: bool = False


class PermissionWithdrawn(Message, frozen=True):
    """The worker no longer wants an answer."""

    request_id: str
    why: str


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """One answer that a question offers."""

    label: str
    description: str = ""


class Question(Message, frozen=True):
    """The agent asks the person something that is not a permission."""

    text: str
    choices: tuple[Choice, ...] = ()
    multiple: bool = False


class ChatMessage(Message, frozen=True, tag="message"):
    """A message for another worker, for all (`*`) or for the leader (empty), or from one of them."""

    text: str
    to: str = ""
    sender: str = ""


class Usage(Message, frozen=True):
    """Tokens and cost since the last such message. `cost` is in US dollars."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    model: str = ""


class Result(Message, frozen=True):
    """The worker's work is over. `text` is what other workers may use.

    `refused` holds the ids of the permission requests whose refusal stopped the work.
    """

    status: Literal["succeeded", "failed", "cancelled"]
    text: str = ""
    refused: tuple[str, ...] = ()


class Error(Message, frozen=True):
    """The sender could not use what it got. `about` is the id of the message at fault, if it has one."""

    code: Literal["unknown_type", "invalid", "wrong_state", "unsupported_version", "internal"]
    text: str
    about: str = ""


class Log(Message, frozen=True):
    """A line for the log, never for the transcript."""

    level: Literal["debug", "info", "warning", "error"]
    text: str


class Heartbeat(Message, frozen=True):
    """The worker's loop is alive. Also carries `ack` when there is nothing else to send."""


# Leader to worker


class WorkerResult(msgspec.Struct, frozen=True, kw_only=True):
    """How another worker ended, for `${tasks.NAME.result}` and `${tasks.NAME.status}`."""

    status: Literal["succeeded", "failed", "cancelled"]
    text: str


class Start(Message, frozen=True):
    """Everything a worker has to know to begin. `agent` is the agent's own configuration.

    `cwd` is absolute. `env` is added to the worker's environment for its tools. `attempt` counts
    from 1. `heartbeat` is the time between heartbeats in seconds. `session` is the absolute path of the
    session's folder, where the mailbox is; without it a worker ends with its leader. `hold` is how
    long, in seconds, a worker without a leader keeps its agent waiting before it ends.
    """

    protocol: int
    worker: str
    kind: str
    agent: dict[str, Any]
    cwd: str
    prompt: str = ""
    env: dict[str, str] = {}
    tasks: dict[str, WorkerResult] = {}
    mode: str = "default"
    attempt: int = 1
    heartbeat: float = 1.0
    session: str = ""
    hold: float = 600.0


class Adopt(Message, frozen=True):
    """A leader goes on with a worker that said hello again: send what was not acknowledged, and go on.

    `pid` is the leader's process as its session says it, so that a worker can tell word of a leader
    that has died meanwhile; 0 says nothing.
    """

    protocol: int
    mode: str = "default"
    pid: int = 0


class PermissionResponse(Message, frozen=True):
    """The answer to a request. `digest` is that of the content decided about.

    `reason` is one of the nine reasons, `rule` the rule that decided, if one did. `updated_input`
    replaces the input that was asked for.
    """

    request_id: str
    digest: str
    behavior: Literal["allow", "deny"]
    reason: str
    message: str = ""
    rule: str = ""
    updated_input: dict[str, Any] | None = None


class Answer(Message, frozen=True):
    """The person's answer to a question; `declined` when they chose to give none."""

    question_id: str
    text: str = ""
    choices: tuple[str, ...] = ()
    declined: bool = False


class Cancel(Message, frozen=True):
    """Stop what you do, end the tool call that runs, and send the result."""

    why: str


class SetMode(Message, frozen=True):
    """The permission mode of this worker has changed."""

    mode: str


class RulesChanged(Message, frozen=True):
    """The rules have changed. `version` is a digest of all rules in force."""

    version: str


class Ping(Message, frozen=True):
    """Answer with a heartbeat at once."""


class Shutdown(Message, frozen=True):
    """End now. After `grace` seconds the leader ends the whole process tree."""

    why: str
    grace: float


FromWorker = (
    Hello
    | Event
    | PermissionRequest
    | PermissionWithdrawn
    | Question
    | ChatMessage
    | Usage
    | Result
    | Error
    | Log
    | Heartbeat
)
FromLeader = (
    Start
    | Adopt
    | PermissionResponse
    | Answer
    | ChatMessage
    | Cancel
    | SetMode
    | RulesChanged
    | Ping
    | Shutdown
    | Error
)
AnyMessage = FromWorker | FromLeader

STREAMED: tuple[type[Message], ...] = (Event, Log)
"""Sent in batches behind all else, not kept for sending again. Everything else goes at once."""
