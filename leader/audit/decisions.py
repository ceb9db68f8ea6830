"""Every decision of a session, put together from the entries of its journal. Pure."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from swarm.leader.session.chain import Record
from swarm.leader.session.entries import CallDecided, RequestAsked, RequestDecided, RequestEnded
from swarm.permissions.audit import GIVERS, AuditRecord
from swarm.permissions.model import Behavior, Request


class PastDecision(NamedTuple):
    """A call and what became of it. `rules_said` is what rules alone held of it at the time.

    `entry` is the number of the entry that decided. `record` is None for a call that was asked about
    and never decided; `ended` then says how it ended.
    """

    entry: int
    asked_at: float
    worker: str
    request: Request
    title: str
    rules_said: Behavior
    record: AuditRecord | None
    ended: str = ""


def decisions(records: Iterable[Record]) -> Iterator[PastDecision]:
    """Give all calls of a session in the order in which they were decided, the undecided at their end."""
    waiting: dict[str, tuple[float, RequestAsked]] = {}
    last = 0
    for record in records:
        last = record.n
        match record.entry:
            case RequestAsked() as asked:
                waiting[asked.request_id] = (record.at, asked)
            case RequestDecided() as decided:
                found = waiting.pop(decided.request_id, None)
                if found is not None:
                    yield _of_request(record.n, record.at, *found, decided)
            case RequestEnded() as ended:
                found = waiting.pop(ended.request_id, None)
                if found is not None:
                    yield _undecided(record.n, *found, f"{ended.state}: {ended.detail}")
            case CallDecided() as call:
                yield _of_call(record.n, record.at, call)
            case _:
                pass
    for asked_at, asked in waiting.values():
        yield _undecided(last, asked_at, asked, "it waited when the journal ended")


def _of_request(
    number: int, at: float, asked_at: float, asked: RequestAsked, decided: RequestDecided
) -> PastDecision:
    record = _record(asked, decided, at, asked.request_id, decided.why or asked.why)
    return PastDecision(
        number, asked_at, asked.worker, _request(asked), asked.preview.title, Behavior.ASK, record
    )


def _undecided(number: int, asked_at: float, asked: RequestAsked, how: str) -> PastDecision:
    request, title = _request(asked), asked.preview.title
    return PastDecision(number, asked_at, asked.worker, request, title, Behavior.ASK, None, how)


def _of_call(number: int, at: float, call: CallDecided) -> PastDecision:
    said = Behavior.ASK if call.unasked else call.behavior
    record = _record(call, call, at, "", call.why)
    return PastDecision(number, at, call.worker, _request(call), call.preview.title, said, record)


def _request(entry: RequestAsked | CallDecided) -> Request:
    return Request(entry.tool, entry.input, entry.cwd)


def _record(
    call: RequestAsked | CallDecided,
    decided: RequestDecided | CallDecided,
    at: float,
    request_id: str,
    why: str,
) -> AuditRecord:
    return AuditRecord(
        at=at,
        worker=call.worker,
        agent=call.agent,
        request_id=request_id,
        call_id=call.call_id,
        tool=call.tool,
        input=call.input,
        cwd=call.cwd,
        preview=call.preview,
        digest=decided.digest,
        behavior=decided.behavior,
        reason=decided.reason,
        leader_reason="",
        by=decided.by or GIVERS[decided.reason],
        why=why,
        message=decided.message,
        rule=decided.rule,
        rule_source=decided.rule_source,
        policy_version=decided.policy_version,
        updated_input=decided.updated_input,
    )
