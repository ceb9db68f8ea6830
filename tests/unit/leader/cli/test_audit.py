"""Looking back at a stored session: verify, show, replay."""

import json
from pathlib import Path
from typing import Any

import pytest
from unit.leader.cli.program import Swarm

from swarm.ipc.messages import Preview
from swarm.leader.plan.resolved import TeamPlan
from swarm.leader.session.entries import (
    CallDecided,
    RequestAsked,
    RequestDecided,
    RequestEnded,
    SessionEnded,
    SessionStarted,
)
from swarm.leader.session.folder import Session, create_session
from swarm.permissions.model import Behavior, Reason


def call(command: str, project: Path) -> dict[str, Any]:
    return {
        "wire_id": "w",
        "worker": "tests",
        "tool": "Bash",
        "input": {"command": command},
        "cwd": str(project),
        "preview": Preview(title=command),
        "digest": command * 4,
        "why": f"about {command}",
    }


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """A session that ended: one call allowed by a rule, one that a person denied, one that nobody heard."""
    plan = TeamPlan("old", tmp_path / "plan.yaml", ())
    with create_session(plan, "swarm test") as made:
        for entry in (
            SessionStarted(session_id=made.id, name="old", plan_file=str(plan.file), pid=1, program="s"),
            CallDecided(
                behavior=Behavior.ALLOW,
                reason=Reason.SETTINGS_ALLOW,
                rule="Bash(make:*)",
                rule_source="plan.yaml:4:9",
                policy_version="f" * 64,
                by="rules",
                **call("make", tmp_path),
            ),
            RequestAsked(request_id="r1", **call("git push \x1b[2J", tmp_path)),
            RequestDecided(
                request_id="r1",
                worker="tests",
                digest="d" * 64,
                behavior=Behavior.DENY,
                reason=Reason.INTERACTIVE_DENY,
                message="token=sk-ant-REDACTED",
                by="person",
            ),
            RequestEnded(request_id="r1", state="delivered"),
            CallDecided(
                behavior=Behavior.DENY,
                reason=Reason.SETTINGS_DENY,
                unasked=True,
                **call("npm test", tmp_path),
            ),
            RequestAsked(request_id="r2", **call("ls /", tmp_path)),
            RequestEnded(request_id="r2", state="orphaned", detail="gone"),
            SessionEnded(exit_code=0),
        ):
            made.journal.append(entry)
    return made


def test_a_whole_journal_is_sound(session: Session, swarm: Swarm) -> None:
    ran = swarm("audit", "verify", session.id)
    assert ran.code == 0
    assert "9 entries, an unbroken chain" in ran.out
    last = session.journal.last_hash
    assert f"Last hash: {last} (entry 9)" in ran.out
    assert swarm("audit", "verify", session.id, "--expect", last[:16]).code == 0
    assert swarm("audit", "verify", session.id, "--expect", "0" * 64).code == 1
    assert swarm("audit", "verify", session.id, "--expect", "zz").code == 2


@pytest.mark.parametrize("cut", [1, 3, 20])
def test_an_end_that_was_cut_off_is_found_even_at_a_lines_end(
    session: Session, swarm: Swarm, cut: int
) -> None:
    lines = session.journal.path.read_bytes().splitlines(keepends=True)
    tail = lines[-1][:-cut] if cut == 20 else b""
    session.journal.path.write_bytes(b"".join(lines[: -1 if cut == 20 else -cut]) + tail)
    ran = swarm("audit", "verify", session.id, "--json")
    found = json.loads(ran.out)
    assert (ran.code, found["sound"]) == (1, False)
    assert "its leader noted at the end for entry 9" in found["faults"][0]["problem"]


def test_a_journal_that_broke_off_is_no_fault_but_said(session: Session, swarm: Swarm) -> None:
    (session.folder / "journal.head").unlink()
    lines = session.journal.path.read_bytes().splitlines(keepends=True)
    session.journal.path.write_bytes(b"".join(lines[:-1]) + lines[-1][:30])
    ran = swarm("audit", "verify", session.id)
    assert ran.code == 0
    assert "30 bytes of an unfinished entry" in ran.out


def test_every_decision_is_shown_with_who_what_why_and_which_rule(session: Session, swarm: Swarm) -> None:
    ran = swarm("audit", "show", session.id)
    assert ran.code == 0
    assert "tests  Bash: allow by rules (settings-allow)" in ran.out
    assert "rule     Bash(make:*)  (plan.yaml:4:9)" in ran.out
    assert f"digest   {'make' * 4}  rules ffffffffffff  entry 2" in ran.out
    assert "tests r1  Bash: deny by person (interactive-deny)" in ran.out
    assert "git push \\x1b[2J" in ran.out
    assert "ended    orphaned: gone" in ran.out
    assert ran.out.replace("\n", "").isprintable()
    assert swarm("audit", "show", session.id, "--worker", "other").out == ""


def test_decisions_as_json_can_be_redacted(session: Session, swarm: Swarm) -> None:
    whole = [json.loads(line) for line in swarm("audit", "show", session.id, "--json").out.splitlines()]
    assert [item["behavior"] for item in whole] == ["allow", "deny", "deny", None]
    assert [item["rules_said"] for item in whole] == ["allow", "ask", "ask", "ask"]
    assert "sk-ant" in whole[1]["message"]
    redacted = swarm("audit", "show", session.id, "--json", "--redact").out.splitlines()
    assert "sk-ant" not in redacted[1]
    assert json.loads(redacted[1])["digest"] == whole[1]["digest"]


def rules(folder: Path, **lists: list[str]) -> str:
    file = folder / "other.json"
    file.write_text(json.dumps({"permissions": lists}))
    return str(file)


def test_what_would_run_unasked_now_is_told_and_ends_with_1(
    session: Session, swarm: Swarm, tmp_path: Path
) -> None:
    file = rules(tmp_path, allow=["Bash(make:*)", "Bash(npm test:*)"])
    ran = swarm("audit", "replay", session.id, "--rules", file)
    assert ran.code == 1
    assert "Less strict now:\n  ask -> allow    tests: Bash: npm test (was denied)" in ran.out
    assert "1 would run now without a question that did not then, 1 of which were denied then" in ran.out


def test_stricter_rules_are_told_too_and_end_with_0(session: Session, swarm: Swarm, tmp_path: Path) -> None:
    ran = swarm("audit", "replay", session.id, "--rules", rules(tmp_path, deny=["Bash(make)"]), "--json")
    *differences, summary = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 0
    assert [(item["before"], item["now"]) for item in differences] == [("allow", "deny")]
    assert differences[0]["rule"] == "Bash(make)"
    assert summary["counts"] == {"allow->deny": 1, "ask->ask": 3}


def test_a_plan_and_a_mode_can_be_tried_too(session: Session, swarm: Swarm, tmp_path: Path) -> None:
    plan = tmp_path / "other.yaml"
    plan.write_text(
        "version: 1\npermissions: {allow: [Bash(make)]}\nworkers:\n"
        "  tests: {agent: script, steps: [{say: x}], permissions: {deny: [Bash(npm test)]}}\n"
    )
    ran = swarm("audit", "replay", session.id, "--rules", str(plan), "--json")
    summary = json.loads(ran.out.splitlines()[-1])
    assert (ran.code, summary["counts"]) == (0, {"allow->allow": 1, "ask->ask": 2, "ask->deny": 1})
    ran = swarm(
        "audit", "replay", session.id, "--rules", rules(tmp_path), "--mode", "bypassPermissions", "--json"
    )
    assert (ran.code, json.loads(ran.out.splitlines()[-1])["unasked"]) == (1, 2)
    assert swarm("audit", "replay", session.id, "--rules", str(tmp_path / "none.json")).code == 2
