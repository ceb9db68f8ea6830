"""The shape of `--json`: one of these a line on stdout. Plain values only; the documentation's table.

`type` names the event, `at` is when it happened in seconds of the epoch. New fields and new types may
be added; what is here keeps its name and meaning. All text from workers is as they sent it.
"""

from typing import Any

import msgspec

from swarm.ipc.messages import TodoItem, snake_case


class HeadlessEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=snake_case):
    """What all events have in common."""

    at: float


class SessionStarted(HeadlessEvent, frozen=True, kw_only=True):
    """The first event: the session's id, the plan's name and file, and the permission mode."""

    session: str
    name: str
    plan: str
    mode: str


class WorkerChanged(HeadlessEvent, frozen=True, kw_only=True):
    """A worker is in another phase: waiting, starting, running, … succeeded, failed, denied, skipped."""

    worker: str
    phase: str
    attempt: int
    pid: int | None
    detail: str


class Activity(HeadlessEvent, frozen=True, kw_only=True):
    """What a worker's agent does now."""

    worker: str
    doing: str
    detail: str


class Text(HeadlessEvent, frozen=True, kw_only=True):
    """More text of a worker's agent; `thinking` if it is not meant as an answer."""

    worker: str
    text: str
    thinking: bool


class Todo(HeadlessEvent, frozen=True, kw_only=True):
    """A worker's whole list of what is to be done."""

    worker: str
    items: tuple[TodoItem, ...]


class ToolStarted(HeadlessEvent, frozen=True, kw_only=True):
    """A worker made a tool call."""

    worker: str
    agent: tuple[str, ...]
    call: str
    tool: str
    title: str


class ToolOutput(HeadlessEvent, frozen=True, kw_only=True):
    """More output of a running tool call."""

    worker: str
    call: str
    text: str


class ToolEnded(HeadlessEvent, frozen=True, kw_only=True):
    """A tool call ended: succeeded, failed, denied or interrupted."""

    worker: str
    call: str
    tool: str
    outcome: str
    summary: str
    seconds: float


class Asked(HeadlessEvent, frozen=True, kw_only=True):
    """A tool call waits for a person; `swarm approve` and `swarm deny` take `request` and `digest`."""

    request: str
    worker: str
    agent: tuple[str, ...]
    call: str
    tool: str
    input: dict[str, Any]
    cwd: str
    title: str
    diff: str
    note: str
    why: str
    digest: str


class Decided(HeadlessEvent, frozen=True, kw_only=True):
    """A tool call was allowed or denied; `request` is empty if nobody had to be asked."""

    request: str
    worker: str
    agent: tuple[str, ...]
    tool: str
    title: str
    behavior: str
    reason: str
    rule: str
    message: str
    by: str


class RequestEnded(HeadlessEvent, frozen=True, kw_only=True):
    """A request is delivered, acted, withdrawn, expired or orphaned."""

    request: str
    state: str
    detail: str


class RuleGranted(HeadlessEvent, frozen=True, kw_only=True):
    """An answer wrote a rule."""

    rule: str
    behavior: str
    layer: str
    file: str


class ModeChanged(HeadlessEvent, frozen=True, kw_only=True):
    """The permission mode is another now; `worker` is empty if it is that of the whole team."""

    worker: str
    mode: str


class Notice(HeadlessEvent, frozen=True, kw_only=True):
    """A line of the leader's own; `worker` is empty if it is about the whole team."""

    level: str
    worker: str
    text: str


class SummaryWorker(msgspec.Struct, frozen=True, kw_only=True):
    """How one worker ended."""

    worker: str
    phase: str
    detail: str
    result: str
    cost: float
    tokens: int


class SummaryMissed(msgspec.Struct, frozen=True, kw_only=True):
    """A call that was needed and not allowed, and the smallest rules that would allow it."""

    worker: str
    tool: str
    title: str
    why: str
    allow: tuple[str, ...]


class Summary(HeadlessEvent, frozen=True, kw_only=True):
    """The last event: how all ended."""

    session: str
    exit_code: int
    workers: tuple[SummaryWorker, ...]
    missed: tuple[SummaryMissed, ...]


AnyHeadlessEvent = (
    SessionStarted
    | WorkerChanged
    | Activity
    | Text
    | Todo
    | ToolStarted
    | ToolOutput
    | ToolEnded
    | Asked
    | Decided
    | RequestEnded
    | RuleGranted
    | ModeChanged
    | Notice
    | Summary
)
