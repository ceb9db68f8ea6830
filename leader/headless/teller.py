"""Turns the journal's entries into the events that are told. Pure; keeps what later entries refer to."""

from dataclasses import dataclass, field
from typing import assert_never

from swarm.ipc import messages as wire
from swarm.leader.core.views import TeamView
from swarm.leader.headless import events as told
from swarm.leader.session import entries as journal
from swarm.leader.session.chain import Record


@dataclass(slots=True)
class Teller:
    """Tells one session. Holds the requests that wait and the calls that run, nothing else."""

    _asked: dict[str, journal.RequestAsked] = field(default_factory=dict)
    _tools: dict[tuple[str, str], str] = field(default_factory=dict)

    def tell(self, record: Record) -> told.AnyHeadlessEvent | None:
        """Give the event of a record, or None for what only the journal needs."""
        at, entry = record.at, record.entry
        match entry:
            case journal.Happened():
                return self._happened(at, entry.worker, entry.event)
            case journal.RequestAsked():
                self._asked[entry.request_id] = entry
                return _asked(at, entry)
            case journal.RequestDecided():
                return _decided(at, entry, self._asked.pop(entry.request_id, None))
            case journal.CallDecided():
                return _call_decided(at, entry)
            case journal.RequestEnded():
                self._asked.pop(entry.request_id, None)
                return told.RequestEnded(
                    at=at, request=entry.request_id, state=entry.state, detail=entry.detail
                )
            case journal.WorkerChanged():
                self._forget_calls(entry)
                return _worker_changed(at, entry)
            case (
                journal.SessionEnded()
                | journal.RuleRevoked()
                | journal.RuleExpired()
                | journal.ClassifierHeard()
                | journal.WorkerFinished()
                | journal.SessionResumed()
            ):
                return None
            case _:
                return _leaders_own(at, entry)

    def _happened(self, at: float, worker: str, event: wire.EventPart) -> told.AnyHeadlessEvent:
        match event:
            case wire.Text(text=text):
                return told.Text(at=at, worker=worker, text=text, thinking=False)
            case wire.Thinking(text=text):
                return told.Text(at=at, worker=worker, text=text, thinking=True)
            case wire.Phase(phase=phase, detail=detail):
                return told.Activity(at=at, worker=worker, doing=phase, detail=detail)
            case wire.Todo(items=items):
                return told.Todo(at=at, worker=worker, items=items)
            case wire.ToolStarted():
                self._tools[worker, event.call_id] = event.tool
                return told.ToolStarted(
                    at=at,
                    worker=worker,
                    agent=event.agent,
                    call=event.call_id,
                    tool=event.tool,
                    title=event.title,
                )
            case wire.ToolOutput(call_id=call_id, text=text):
                return told.ToolOutput(at=at, worker=worker, call=call_id, text=text)
            case wire.ToolEnded():
                return told.ToolEnded(
                    at=at,
                    worker=worker,
                    call=event.call_id,
                    tool=self._tools.pop((worker, event.call_id), ""),
                    outcome=event.outcome,
                    summary=event.summary,
                    seconds=event.seconds,
                )
            case _:
                assert_never(event)

    def _forget_calls(self, entry: journal.WorkerChanged) -> None:
        """A worker in another phase than running has no calls left, even if it told of no end."""
        if entry.phase != "running":
            for key in [key for key in self._tools if key[0] == entry.worker]:
                del self._tools[key]


def _worker_changed(at: float, entry: journal.WorkerChanged) -> told.WorkerChanged:
    return told.WorkerChanged(
        at=at,
        worker=entry.worker,
        phase=entry.phase,
        attempt=entry.attempt,
        pid=entry.pid,
        detail=entry.detail,
    )


def _asked(at: float, entry: journal.RequestAsked) -> told.Asked:
    return told.Asked(
        at=at,
        request=entry.request_id,
        worker=entry.worker,
        agent=entry.agent,
        call=entry.call_id,
        tool=entry.tool,
        input=entry.input,
        cwd=entry.cwd,
        title=entry.preview.title,
        diff=entry.preview.diff,
        note=entry.preview.note,
        why=entry.why,
        digest=entry.digest,
    )


def _decided(at: float, entry: journal.RequestDecided, asked: journal.RequestAsked | None) -> told.Decided:
    return told.Decided(
        at=at,
        request=entry.request_id,
        worker=entry.worker,
        agent=asked.agent if asked else (),
        tool=asked.tool if asked else "",
        title=asked.preview.title if asked else "",
        behavior=entry.behavior,
        reason=entry.reason,
        rule=entry.rule,
        message=entry.message,
        by=entry.by,
    )


def _call_decided(at: float, entry: journal.CallDecided) -> told.Decided:
    return told.Decided(
        at=at,
        request="",
        worker=entry.worker,
        agent=entry.agent,
        tool=entry.tool,
        title=entry.preview.title,
        behavior=entry.behavior,
        reason=entry.reason,
        rule=entry.placed_rule,
        message=entry.message or entry.why,
        by=entry.by,
    )


def _leaders_own(
    at: float,
    entry: journal.SessionStarted | journal.Noticed | journal.ModeChanged | journal.RuleGranted,
) -> told.AnyHeadlessEvent:
    match entry:
        case journal.SessionStarted():
            return told.SessionStarted(
                at=at,
                session=entry.session_id,
                name=entry.name,
                plan=entry.plan_file,
                mode=entry.mode,
            )
        case journal.Noticed():
            return told.Notice(at=at, level=entry.level, worker=entry.worker, text=entry.text)
        case journal.ModeChanged():
            return told.ModeChanged(at=at, worker=entry.worker, mode=entry.mode)
        case journal.RuleGranted():
            return told.RuleGranted(
                at=at,
                rule=entry.rule,
                behavior=entry.behavior,
                layer=entry.layer,
                file=entry.file,
            )
        case _:
            assert_never(entry)


def summarize(at: float, team: TeamView, exit_code: int) -> told.Summary:
    """Give the last event from the last picture of the team."""
    return told.Summary(
        at=at,
        session=team.session_id,
        exit_code=exit_code,
        workers=tuple(
            told.SummaryWorker(
                worker=worker.name,
                phase=worker.phase,
                detail=worker.activity,
                result=worker.result,
                cost=worker.cost,
                tokens=worker.tokens,
            )
            for worker in team.workers
        ),
        missed=tuple(
            told.SummaryMissed(
                worker=call.worker,
                tool=call.tool,
                title=call.title,
                why=call.why,
                allow=call.allow,
            )
            for call in team.missed
        ),
    )
