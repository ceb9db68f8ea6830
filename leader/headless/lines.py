"""Says each event in one line for people. Every byte from a worker is escaped and bounded. Pure."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from swarm.leader.headless import events as told
from swarm.leader.hostile import escape

LINE_CAP = 400
"""How many characters of one text are shown in a line."""
_TEXT_CAP = 16 * 1024
"""How many characters of an unfinished line of a worker's text are kept."""
_CUT = "… (cut)"


def one_line(text: str, cap: int = LINE_CAP) -> str:
    """Give hostile `text` as one harmless line that says when it was cut."""
    shown = escape(text[:cap].strip())
    return shown + _CUT if len(text) > cap else shown


def first_line(text: str) -> str:
    """Give the first line of hostile `text` as `one_line` does, and say when there are more."""
    first, _, rest = text.strip().partition("\n")
    shown = one_line(first)
    return f"{shown} …" if rest else shown


def notice_line(text: str, worker: str = "") -> str:
    """Give a notice as one line. The leader's own lose their excerpts: carets need lines to stand below."""
    kept = text if worker else " ".join(line for line in text.split("\n") if not line.startswith("  "))
    return one_line(kept)


def badge(worker: str, agent: tuple[str, ...] = ()) -> str:
    """Give who it is about: `worker` or `worker/sub-agent`."""
    return one_line("/".join((worker, *agent)), 100)


def _after_colon(text: str) -> str:
    shown = one_line(text)
    return f": {shown}" if shown else ""


def _detail(text: str) -> str:
    shown = first_line(text)
    return f": {shown}" if shown else ""


@dataclass(slots=True)
class Lines:
    """Says a session in lines. Keeps the unfinished lines of the workers' texts."""

    _texts: dict[str, str] = field(default_factory=dict)

    def say(self, event: told.AnyHeadlessEvent) -> Iterator[str]:
        """Give the lines of `event`; none for what a log does not need."""
        worker = getattr(event, "worker", "")
        if isinstance(event, told.Text):
            if not event.thinking:
                yield from self._text(event)
            return
        said = _sentence(event)
        if said:
            if worker:
                yield from self._rest(event.at, worker)
            yield f"{_clock(event.at)} {said}"

    def finish(self, at: float) -> Iterator[str]:
        """Give what is left of unfinished texts."""
        for worker in list(self._texts):
            yield from self._rest(at, worker)

    def _text(self, event: told.Text) -> Iterator[str]:
        *whole, rest = (self._texts.pop(event.worker, "") + event.text).split("\n")
        if len(rest) > _TEXT_CAP:
            whole, rest = [*whole, rest], ""
        if rest:
            self._texts[event.worker] = rest
        for line in whole:
            if line.strip():
                yield f"{_clock(event.at)} {badge(event.worker)}: | {one_line(line)}"

    def _rest(self, at: float, worker: str) -> Iterator[str]:
        rest = self._texts.pop(worker, "")
        if rest.strip():
            yield f"{_clock(at)} {badge(worker)}: | {one_line(rest)}"


def _clock(at: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(at))


def _sentence(event: told.AnyHeadlessEvent) -> str:
    match event:
        case told.SessionStarted():
            return f"session {event.session}: {one_line(event.name)}, mode {event.mode}"
        case told.WorkerChanged():
            again = f" (attempt {event.attempt})" if event.attempt > 1 else ""
            return f"{badge(event.worker)}: {event.phase}{again}{_detail(event.detail)}"
        case told.ToolStarted():
            return f"{badge(event.worker, event.agent)}: {_call(event.tool, event.title)}"
        case told.ToolEnded():
            tool = one_line(event.tool, 100) or "the call"
            took = f"{event.outcome} after {event.seconds:.1f} s"
            return f"{badge(event.worker)}: {tool} {took}{_detail(event.summary)}"
        case told.Asked() | told.Decided() | told.RequestEnded() | told.RuleGranted():
            return _permission(event)
        case told.ModeChanged():
            return f"{badge(event.worker) if event.worker else 'team'}: mode {event.mode}"
        case told.Notice():
            who = badge(event.worker) if event.worker else "swarm"
            return f"{who}: {event.level}: {notice_line(event.text, event.worker)}"
        case _:
            return ""


def _permission(event: told.Asked | told.Decided | told.RequestEnded | told.RuleGranted) -> str:
    match event:
        case told.Asked():
            who, call = badge(event.worker, event.agent), _call(event.tool, event.title)
            return f"{who}: {event.request} asks for {call} ({one_line(event.why)})"
        case told.Decided():
            verb = "allowed" if event.behavior == "allow" else "denied"
            number = f"{event.request} " if event.request else ""
            by = f"{event.reason}, {one_line(event.rule)}" if event.rule else event.reason
            call = _call(event.tool, event.title)
            return f"{badge(event.worker, event.agent)}: {number}{verb} {call} ({by}){_message(event)}"
        case told.RequestEnded():
            ended = event.state in ("withdrawn", "expired", "orphaned")
            return f"swarm: {event.request} {event.state}{_after_colon(event.detail)}" if ended else ""
        case told.RuleGranted():
            where = one_line(event.file) or event.layer
            return f"swarm: rule written to {where}: {event.behavior} {one_line(event.rule)}"


def _call(tool: str, title: str) -> str:
    return f"{one_line(tool, 100)}{_after_colon(title)}" if tool else "the call"


def _message(event: told.Decided) -> str:
    return _after_colon(event.message) if event.behavior == "deny" else ""
