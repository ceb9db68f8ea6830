"""Decisions and replays as lines and objects. Every byte from a worker is escaped. Prints nothing."""

import json
import time
from collections.abc import Iterator
from typing import Any

import msgspec

from swarm.leader.audit.decisions import PastDecision
from swarm.leader.audit.replay import Difference, Replay
from swarm.leader.headless.lines import badge, one_line
from swarm.permissions.audit import exported
from swarm.permissions.redaction import redact

SHOWN = 500
"""How many differences of each direction are shown; the rest is counted."""


def decision_lines(decision: PastDecision) -> Iterator[str]:
    """Give one decision, with all that is kept of it."""
    record, request = decision.record, decision.request
    moment = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record.at if record else decision.asked_at))
    who = badge(decision.worker, record.agent if record else ())
    answer = f"{record.behavior} by {one_line(record.by, 100)} ({record.reason})" if record else "undecided"
    number = f" {record.request_id}" if record and record.request_id else ""
    yield f"{moment}  {who}{number}  {one_line(request.tool, 100)}: {answer}"
    yield f"  asked    {one_line(decision.title, 2000)}"
    yield f"  input    {one_line(json.dumps(dict(request.input), ensure_ascii=False), 20_000)}"
    yield f"  in       {one_line(request.cwd, 2000)}"
    if record is None:
        yield f"  ended    {one_line(decision.ended, 2000)}"
        return
    if record.updated_input is not None:
        yield f"  ran      {one_line(json.dumps(record.updated_input, ensure_ascii=False), 20_000)}"
    if record.rule:
        place = f"  ({one_line(record.rule_source, 2000)})" if record.rule_source else ""
        yield f"  rule     {one_line(record.rule, 2000)}{place}"
    if record.why:
        yield f"  why      {one_line(record.why, 2000)}"
    if record.message:
        yield f"  message  {one_line(record.message, 2000)}"
    version = record.policy_version[:12] or "unknown"
    yield f"  digest   {record.digest}  rules {version}  entry {decision.entry}"


def decision_object(decision: PastDecision, redacted: bool) -> dict[str, Any]:
    """Give one decision as the object that `swarm audit show --json` prints."""
    head = {"entry": decision.entry, "asked_at": decision.asked_at, "rules_said": decision.rules_said}
    record = decision.record
    if record is not None:
        fields: dict[str, Any] = exported(record) if redacted else msgspec.to_builtins(record)
        return {**head, **fields}
    told: dict[str, Any] = {
        "worker": decision.worker,
        "tool": decision.request.tool,
        "input": dict(decision.request.input),
        "cwd": decision.request.cwd,
        "title": decision.title,
        "behavior": None,
        "ended": decision.ended,
    }
    return {**head, **(redact(told) if redacted else told)}


def replay_lines(found: Replay) -> Iterator[str]:
    """Give the outcome of a replay for people, what would be looser first."""
    yield from _direction("Less strict now", found.looser)
    yield from _direction("Stricter now", found.stricter)
    same = sum(count for (before, now), count in found.counts.items() if before is now)
    yield f"{found.calls} calls decided again, {same} of them alike."
    if found.unasked:
        denied = f", {found.denied} of which were denied then" if found.denied else ""
        yield f"{found.unasked} would run now without a question that did not then{denied}."
    yield "Links, globs and folders were looked up on the disk as it is now."


def _direction(title: str, differences: list[Difference]) -> Iterator[str]:
    if not differences:
        return
    yield f"{title}:"
    for difference in differences[:SHOWN]:
        decision = difference.decision
        call = f"{one_line(decision.request.tool, 100)}: {one_line(decision.title)}"
        denied = " (was denied)" if difference.was_denied and difference.before != "deny" else ""
        change = f"{difference.before} -> {difference.now.behavior}"
        yield f"  {change:<15} {badge(decision.worker)}: {call}{denied}"
        yield f"  {'':<15} {one_line(difference.now.why, 500)}"
    if len(differences) > SHOWN:
        yield f"  and {len(differences) - SHOWN} more"
    yield ""


def replay_objects(found: Replay) -> Iterator[dict[str, Any]]:
    """Give each difference as an object, then the summary."""
    for direction, differences in (("looser", found.looser), ("stricter", found.stricter)):
        for difference in differences:
            yield _difference_object(direction, difference)
    yield {
        "type": "summary",
        "calls": found.calls,
        "counts": {f"{before}->{now}": count for (before, now), count in sorted(found.counts.items())},
        "unasked": found.unasked,
        "denied": found.denied,
    }


def _difference_object(direction: str, difference: Difference) -> dict[str, Any]:
    decision, now = difference.decision, difference.now
    return {
        "type": "difference",
        "direction": direction,
        "entry": decision.entry,
        "worker": decision.worker,
        "tool": decision.request.tool,
        "input": dict(decision.request.input),
        "cwd": decision.request.cwd,
        "before": str(difference.before),
        "answer": str(decision.record.behavior) if decision.record else None,
        "now": str(now.behavior),
        "why": now.why,
        "rule": now.rule.text if now.rule else "",
        "rule_source": str(now.rule.source) if now.rule else "",
    }
