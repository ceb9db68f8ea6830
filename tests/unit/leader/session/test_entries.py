"""The form of every journal entry, held fast by one golden line each."""

from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from swarm.ipc.messages import Preview, Text
from swarm.leader.core.views import WorkerPhase
from swarm.leader.session.entries import (
    AnyEntry,
    CallDecided,
    ClassifierHeard,
    Happened,
    ModeChanged,
    Noticed,
    RequestAsked,
    RequestDecided,
    RequestEnded,
    RuleExpired,
    RuleGranted,
    RuleRevoked,
    SessionEnded,
    SessionResumed,
    SessionStarted,
    WorkerChanged,
    WorkerFinished,
)
from swarm.permissions.model import Behavior, Layer, Mode, Reason

CALL: dict[str, Any] = {
    "wire_id": "w-7",
    "worker": "tests",
    "tool": "Bash",
    "input": {"command": "pytest -q"},
    "cwd": "/home/anna/project",
    "preview": Preview(title="pytest -q", paths=("/home/anna/project",)),
    "digest": "ab12",
    "agent": ("reviewer",),
    "call_id": "c-1",
    "why": "no rule decides about it",
}
ENTRIES: tuple[AnyEntry, ...] = (
    SessionStarted(
        session_id="20261130-203102-checks-7f3a",
        name="checks",
        plan_file="/home/anna/plan.yaml",
        pid=4242,
        program="swarm 0.1.0",
        mode=Mode.DEFAULT,
    ),
    WorkerChanged(
        worker="tests",
        phase=WorkerPhase.RUNNING,
        attempt=1,
        pid=4243,
        detail="started",
        process_started=1790.25,
    ),
    WorkerFinished(worker="tests", attempt=2, status="failed", text="No.", refused=("w-7",)),
    SessionResumed(pid=4300, program="swarm 0.1.0", adopted=("tests",), restarted=("docs",)),
    RequestAsked(
        request_id="r7", rule="Bash(pytest:*)", rule_source="plan.yaml:4:9", policy_version="v1", **CALL
    ),
    RequestDecided(
        request_id="r7",
        worker="tests",
        digest="ab12",
        behavior=Behavior.ALLOW,
        reason=Reason.INTERACTIVE_ALLOW_ONCE,
        updated_input={"command": "pytest"},
        by="anna",
        policy_version="v1",
        rule_source="session",
        why="harmless",
    ),
    CallDecided(
        behavior=Behavior.DENY,
        reason=Reason.SETTINGS_DENY,
        message="No.",
        rule="Bash(git push:*)",
        rule_source="plan.yaml:7:9",
        unasked=True,
        **CALL,
    ),
    RequestEnded(request_id="r7", state="acted", detail="succeeded"),
    Happened(worker="tests", event=Text(text="Hello\u202e")),
    Noticed(level="warning", text="The mode is bypassPermissions.", worker="tests"),
    ModeChanged(mode=Mode.PLAN, worker="tests", by="anna"),
    RuleGranted(
        rule="Bash(pytest:*)",
        layer=Layer.LOCAL,
        file=".swarm/settings.local.json",
        worker="tests",
        request_id="r7",
        number=2,
        by="anna",
        rule_source=".swarm/settings.local.json:3:7",
        expires=1800.5,
        uses=5,
    ),
    RuleRevoked(number=2, rule="Bash(pytest:*)", layer=Layer.LOCAL, file="f.json", by="anna"),
    RuleExpired(number=3, rule="Bash(make:*)", layer=Layer.SESSION, how="used up"),
    ClassifierHeard(request_id="r7", worker="tests", safe=False, why="it was slow", failed=True),
    SessionEnded(exit_code=3, summary="1 call was denied"),
)
GOLDEN = Path(__file__).with_name("golden_entries.jsonl").read_bytes().splitlines()

OLD = Path(__file__).with_name("first_entries.jsonl").read_bytes().splitlines()
"""The golden lines of the first version."""


def test_every_kind_of_entry_has_a_golden_line() -> None:
    assert [type(entry) for entry in ENTRIES] == list(get_args(AnyEntry))
    assert len(GOLDEN) == len(ENTRIES)


def test_every_kind_of_entry_says_in_one_line_what_it_is() -> None:
    for kind in get_args(AnyEntry):
        assert kind.__doc__
        assert "\n" not in kind.__doc__, kind


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        pytest.param(entry, line, id=type(entry).__name__)
        for entry, line in zip(ENTRIES, GOLDEN, strict=True)
    ],
)
def test_an_entry_is_written_and_read_as_its_golden_line(entry: AnyEntry, line: bytes) -> None:
    assert msgspec.json.encode(entry) == line
    assert msgspec.json.decode(line, type=AnyEntry) == entry


@pytest.mark.parametrize("line", OLD)
def test_a_line_of_the_first_version_is_still_read(line: bytes) -> None:
    read = msgspec.json.decode(msgspec.json.encode(msgspec.json.decode(line, type=AnyEntry)))
    assert read | msgspec.json.decode(line) == read


def test_fields_that_a_newer_program_added_are_passed_over() -> None:
    line = b'{"type":"session_ended","exit_code":0,"mood":"good"}'
    assert msgspec.json.decode(line, type=AnyEntry) == SessionEnded(exit_code=0)
