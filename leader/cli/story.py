"""A session's history as text and as an object. Every byte from a worker is escaped. Prints nothing."""

import time
from collections.abc import Iterator
from typing import Any

import msgspec

from swarm.leader.headless.lines import badge, first_line, notice_line, one_line
from swarm.leader.session.history import DeniedCall, History

INTERRUPTED = "interrupted"
"""The state of a session whose leader died before its end."""
SHOWN = 20
"""How many denied calls, rules and notices are shown; the rest is counted."""


def story_lines(session_id: str, state: str, history: History) -> Iterator[str]:
    """Give the summary of a session for people."""
    yield f"{session_id}: {state}"
    left = " when it was interrupted" if state == INTERRUPTED else ""
    if history.started is not None:
        started = history.started
        plan, began = one_line(started.plan_file), _moment(history.started_at)
        yield f"plan {plan}, mode {started.mode}, begun {began}"
    yield f"{history.entries} {'entry' if history.entries == 1 else 'entries'}" + (
        f", the last of {_moment(history.last_at)}" if history.entries else ""
    )
    yield from _section(f"Workers{left}", [_worker_line(history, name) for name in history.workers])
    yield from _section(f"Waiting{left}", [waiting_line(history, name) for name in history.waiting])
    reasons = [f"{count:>6}  {reason}" for reason, count in sorted(history.reasons.items())]
    yield from _section("Decisions", reasons)
    yield from _section("Denied", [_denied_line(call) for call in history.denied], history.denied_count)
    rules = [
        f"{grant.behavior} {one_line(grant.rule)}: {one_line(grant.file) or grant.layer}"
        for grant in history.granted
    ]
    yield from _section("Rules written", rules)
    notices = [
        f"{_moment(at)} {badge(notice.worker) + ': ' if notice.worker else ''}"
        f"{notice_line(notice.text, notice.worker)}"
        for at, notice in history.notices
    ]
    yield from _section("Notices", notices, history.notice_count)


def _section(title: str, lines: list[str], count: int | None = None) -> Iterator[str]:
    if not lines:
        return
    yield ""
    yield f"{title}:"
    for line in lines[-SHOWN:]:
        yield f"  {line}"
    hidden = (len(lines) if count is None else count) - len(lines[-SHOWN:])
    if hidden:
        yield f"  and {hidden} before these"


def _moment(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))


def _worker_line(history: History, name: str) -> str:
    worker = history.workers[name]
    detail = first_line(worker.detail)
    attempt = f" (attempt {worker.attempt})" if worker.attempt > 1 else ""
    return f"{badge(name)}: {worker.phase}{attempt}{': ' + detail if detail else ''}"


def waiting_line(history: History, request_id: str) -> str:
    """Give one line about a request that waits."""
    asked = history.waiting[request_id]
    who = badge(asked.worker, asked.agent)
    return f"{request_id}  {who}: {one_line(asked.tool, 100)}: {one_line(asked.preview.title)}"


def _denied_line(call: DeniedCall) -> str:
    number = f"{call.request_id} " if call.request_id else ""
    rule = f", {one_line(call.rule)}" if call.rule else ""
    title = f"{one_line(call.tool, 100)}: {one_line(call.title)}" if call.tool else "a call"
    return f"{number}{badge(call.worker, call.agent)}: {title} ({call.reason}{rule})"


def story_object(session_id: str, state: str, problem: str, torn: int, history: History) -> dict[str, Any]:
    """Give the summary as the object that `swarm show --json` prints."""
    return {
        "session": session_id,
        "state": state,
        "exit_code": history.ended.exit_code if history.ended else None,
        "problem": problem,
        "torn_bytes": torn,
        "entries": history.entries,
        "started_at": history.started_at,
        "last_at": history.last_at,
        "started": msgspec.to_builtins(history.started),
        "workers": msgspec.to_builtins(list(history.workers.values())),
        "waiting": msgspec.to_builtins(list(history.waiting.values())),
        "decisions": dict(history.reasons),
        "denied": msgspec.to_builtins(list(history.denied)),
        "denied_count": history.denied_count,
        "rules_written": msgspec.to_builtins(list(history.granted)),
        "notices": [{"at": at, **msgspec.to_builtins(notice)} for at, notice in history.notices],
        "notice_count": history.notice_count,
    }
