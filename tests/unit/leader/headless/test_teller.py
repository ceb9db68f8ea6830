"""What is told of each journal entry, as the documented events and as lines for people."""

import json
from typing import Any, get_args

import pytest

from swarm.ipc import messages as wire
from swarm.leader.core.views import MissedCall, TeamView, WorkerPhase, WorkerView
from swarm.leader.headless.events import AnyHeadlessEvent
from swarm.leader.headless.front import JsonLines
from swarm.leader.headless.lines import LINE_CAP, Lines, notice_line
from swarm.leader.headless.summary import summary_lines
from swarm.leader.headless.teller import Teller, summarize
from swarm.leader.hostile import escape
from swarm.leader.session import entries as journal
from swarm.leader.session.chain import Record
from swarm.permissions.model import Behavior, Layer, Mode, Reason

ASKED = journal.RequestAsked(
    request_id="r7",
    wire_id="w1",
    worker="tests",
    tool="Bash",
    input={"command": "make"},
    cwd="/project",
    preview=wire.Preview(title="make", diff=""),
    digest="ab12",
    why="no rule decides",
    agent=("reviewer",),
    call_id="c1",
)
DENIED = journal.RequestDecided(
    request_id="r7",
    worker="tests",
    digest="ab12",
    behavior=Behavior.DENY,
    reason=Reason.INTERACTIVE_DENY,
    message="Not now.",
    by="person",
)
RULED = journal.CallDecided(
    wire_id="w2",
    worker="tests",
    tool="Bash",
    input={"command": "git push"},
    cwd="/project",
    preview=wire.Preview(title="git push"),
    digest="cd34",
    behavior=Behavior.DENY,
    reason=Reason.SETTINGS_DENY,
    rule="Bash(git push:*)",
    why="a deny rule",
)
TEAM = TeamView(
    session_id="s1",
    name="team",
    mode="default",
    started_at=0.0,
    workers=(
        WorkerView("tests", "script", "#fff", WorkerPhase.SUCCEEDED, 0.0, activity="3 passed\nmore"),
        WorkerView("pusher", "script", "#fff", WorkerPhase.DENIED, 0.0),
    ),
    missed=(
        MissedCall("pusher", "Bash", "git push", "a rule denies it", ("Bash(git push)",)),
        MissedCall("pusher", "Write", "/etc/passwd", "a guard", ()),
    ),
)


def happened(event: wire.EventPart) -> journal.Happened:
    return journal.Happened(worker="tests", event=event)


ENTRIES: tuple[journal.AnyEntry, ...] = (
    journal.SessionStarted(session_id="s1", name="team", plan_file="/p", pid=1, program="swarm"),
    journal.WorkerChanged(worker="tests", phase=WorkerPhase.RUNNING, attempt=2, pid=7, detail="again"),
    happened(wire.Phase(phase="using_tool", detail="x")),
    happened(wire.Text(text="Hello\n")),
    happened(wire.Todo(items=(wire.TodoItem(text="a", state="pending"),))),
    happened(wire.ToolStarted(call_id="c1", tool="Bash", title="make")),
    happened(wire.ToolOutput(call_id="c1", text="..")),
    happened(wire.ToolEnded(call_id="c1", outcome="succeeded", summary="done", seconds=1.25)),
    ASKED,
    DENIED,
    RULED,
    journal.RequestEnded(request_id="r8", state="orphaned", detail="tests crashed"),
    journal.RuleGranted(rule="Bash(make:*)", layer=Layer.LOCAL, file=".swarm/settings.local.json"),
    journal.ModeChanged(mode=Mode.PLAN),
    journal.Noticed(level="warning", text="slow", worker="tests"),
)


def tell(*entries: journal.AnyEntry) -> list[AnyHeadlessEvent]:
    teller = Teller()
    records = (
        Record(n=number, at=5.0, prev="", hash="", entry=entry) for number, entry in enumerate(entries, 1)
    )
    return [event for record in records if (event := teller.tell(record)) is not None]


def as_json(*entries: journal.AnyEntry) -> list[dict[str, Any]]:
    return [json.loads(line) for event in tell(*entries) for line in JsonLines().say(event)]


def as_lines(*entries: journal.AnyEntry) -> list[str]:
    lines = Lines()
    said = [line for event in tell(*entries) for line in lines.say(event)]
    return [line[9:] for line in (*said, *lines.finish(5.0))]


def test_every_kind_of_event_is_told_and_says_its_type_and_time() -> None:
    told = [*as_json(*ENTRIES), *(json.loads(line) for line in JsonLines().say(summarize(9.0, TEAM, 3)))]
    assert {event["type"] for event in told} == {
        kind.__struct_config__.tag for kind in get_args(AnyHeadlessEvent)
    }
    assert all("at" in event for event in told)


def test_a_decision_names_the_call_that_was_asked_about() -> None:
    decided = as_json(ASKED, DENIED)[1]
    assert (decided["type"], decided["request"], decided["tool"]) == ("decided", "r7", "Bash")
    assert (decided["title"], decided["agent"], decided["reason"]) == (
        "make",
        ["reviewer"],
        "interactive-deny",
    )


def test_the_end_of_a_call_names_its_tool() -> None:
    assert as_json(*ENTRIES[5:8])[2]["tool"] == "Bash"


def test_a_log_has_a_line_for_each_thing_that_matters() -> None:
    assert as_lines(*ENTRIES) == [
        "session s1: team, mode default",
        "tests: running (attempt 2): again",
        "tests: | Hello",
        "tests: Bash: make",
        "tests: Bash succeeded after 1.2 s: done",
        "tests/reviewer: r7 asks for Bash: make (no rule decides)",
        "tests/reviewer: r7 denied Bash: make (interactive-deny): Not now.",
        "tests: denied Bash: git push (settings-deny, Bash(git push:*)): a deny rule",
        "swarm: r8 orphaned: tests crashed",
        "swarm: rule written to .swarm/settings.local.json: allow Bash(make:*)",
        "team: mode plan",
        "tests: warning: slow",
    ]


def test_a_notice_with_an_excerpt_is_one_line_without_it_but_what_a_worker_said_stays_whole() -> None:
    text = "s.json:1:2: no mode. Write plan.\n  x: plam\n     ^\nMend it."
    assert notice_line(text) == "s.json:1:2: no mode. Write plan. Mend it."
    assert notice_line("a\n  b", "tests") == escape("a\n  b")


def test_streamed_text_is_said_in_whole_lines_and_before_what_follows_it() -> None:
    pieces = [happened(wire.Text(text=text)) for text in ("Hel", "lo\nwor", "ld")]
    assert as_lines(*pieces, ENTRIES[5]) == ["tests: | Hello", "tests: | world", "tests: Bash: make"]
    assert as_lines(*pieces) == ["tests: | Hello", "tests: | world"]
    assert as_lines(happened(wire.Thinking(text="hmm\n"))) == []


@pytest.mark.parametrize("hostile", ["\x1b[2J\x1b]0;x\x07", "a\u202eb", "a\rb", "x\x7f", "\u200b", "a\nb"])
def test_nothing_from_a_worker_moves_the_terminal_or_starts_a_line(hostile: str) -> None:
    entries = (
        journal.WorkerChanged(worker="tests", phase=WorkerPhase.RUNNING, detail=hostile),
        happened(wire.Text(text=hostile)),
        happened(wire.ToolStarted(call_id="c", tool=hostile, title=hostile, agent=(hostile,))),
        happened(wire.ToolEnded(call_id="c", outcome="failed", summary=hostile)),
        journal.Noticed(level="info", text=hostile),
    )
    said = "\n".join(as_lines(*entries)).replace("\n", "")
    assert said.replace("…", "").isprintable()
    for event in tell(*entries):
        (line,) = JsonLines().say(event)
        assert line.isprintable()
        assert line.isascii()


def test_long_text_is_cut_and_said_to_be() -> None:
    (line,) = as_lines(happened(wire.ToolStarted(call_id="c", tool="Bash", title="x" * 5000)))
    assert line.endswith("(cut)")
    assert len(line) < LINE_CAP + 100


def test_a_line_of_text_that_never_ends_is_said_in_pieces() -> None:
    pieces = [happened(wire.Text(text="x" * 10_000)) for _ in range(4)]
    assert len(as_lines(*pieces)) == 2


def test_the_summary_tells_each_end_and_the_smallest_rule_for_each_missed_call() -> None:
    lines = list(summary_lines(summarize(9.0, TEAM, 3), "/project/plan.yaml"))
    assert "1 of 2 workers succeeded." in lines
    assert "  tests   succeeded: 3 passed …" in lines
    assert "  pusher  denied" in lines
    assert '      - "Bash(git push)"' in lines
    assert any("permissions: allow: in /project/plan.yaml" in line for line in lines)
    assert any("No allow rule changes that" in line for line in lines)
    assert lines[-1].startswith("Exit 3: a needed call was denied or left unanswered.")
