"""A person's own classifier: real programs that answer, err, hang, lie and multiply."""

import json
import sys
from contextlib import suppress
from pathlib import Path

import anyio
import psutil
import pytest

from support.leading import leading, script
from support.waiting import until
from swarm.leader.core.judge import RuleJudge
from swarm.leader.core.leader import RunOptions
from swarm.leader.core.outside_classifier import AT_ONCE, OUTPUT_CAP, OutsideClassifier
from swarm.leader.core.processes import MARK, find_tree
from swarm.leader.core.views import AnswerToRequest
from swarm.leader.plan.resolved import TeamPlan
from swarm.leader.policies import Policies
from swarm.leader.session.entries import ClassifierHeard, RequestDecided
from swarm.permissions.model import Behavior, Layer, Mode, Reason, Request, RuleText, Source
from swarm.permissions.speculation import Opinion, consult

pytestmark = pytest.mark.processes

REQUEST = Request("Bash", {"command": "make"}, "/w")
NOBODY = 999_999_999
"""The pid of no process, so that only the mark finds the tree."""
SAFE = 'print(\'{"safe": true, "why": "only make"}\')'


def program(folder: Path, body: str) -> tuple[str, ...]:
    file = folder / "judge.py"
    file.write_text(f"import json, os, sys, time\n{body}\n")
    return (sys.executable, "-S", str(file))


def running(mark: str) -> int:
    """Give how many of our own children carry a mark that begins so."""
    count = 0
    for child in psutil.Process().children():
        with suppress(psutil.Error):
            count += child.environ().get(MARK, "").startswith(mark)
    return count


async def asked(folder: Path, body: str, limit: float = 10.0) -> Opinion:
    classifier = OutsideClassifier(program(folder, body), folder, "mark", limit=limit)
    return await classifier.ask("tests", REQUEST)


async def test_it_gets_the_request_as_one_line_and_its_answer_counts(tmp_path: Path) -> None:
    opinion = await asked(tmp_path, f"open('got', 'w').write(sys.stdin.readline())\n{SAFE}")
    assert (opinion.safe, opinion.failed, opinion.by) == (True, False, Path(sys.executable).name)
    assert opinion.why.endswith(": only make")
    assert json.loads((tmp_path / "got").read_text()) == {
        "v": 1,
        "worker": "tests",
        "tool": "Bash",
        "input": {"command": "make"},
        "cwd": "/w",
    }


async def test_it_may_be_unsure_and_need_not_read_what_it_gets(tmp_path: Path) -> None:
    opinion = await asked(tmp_path, 'print(\'{"safe": false, "why": "\\\\u001b[2J who knows"}\')')
    assert (opinion.safe, opinion.failed) == (False, False)
    assert opinion.why.isprintable()


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (f"{SAFE}; sys.exit(1)", "ended with 1"),
        (f"{SAFE}; sys.stdout.flush(); os.kill(os.getpid(), 9)", "ended with -9"),
        ("print('yes')", "did not answer"),
        ('print(\'{"safe": "true"}\')', "did not answer"),
        ("print('{\"safe\": 1}')", "did not answer"),
        ("print('[true]')", "did not answer"),
        ("print('{}')", "did not answer"),
        ("pass", "did not answer"),
        (f"{SAFE}; {SAFE}", "did not answer"),
        ("os.write(1, bytes(range(256)))", "did not answer"),
        ("print('[' * 60000)", "did not answer"),
        (f"print('x' * {OUTPUT_CAP + 1})", "said more than 64 KiB"),
        ("while True: print('{\"safe\": true}' * 1000)", "said more than 64 KiB"),
        ("os.close(1); time.sleep(0)", "did not answer"),
    ],
)
async def test_what_errs_or_lies_is_unsure_and_says_why(tmp_path: Path, body: str, why: str) -> None:
    opinion = await asked(tmp_path, body)
    assert (opinion.safe, opinion.failed) == (False, True)
    assert why in opinion.why


@pytest.mark.parametrize(
    "body",
    [
        "time.sleep(60)",
        f"{SAFE}; sys.stdout.flush(); time.sleep(60)",
        f"{SAFE}; sys.stdout.flush(); os.fork() or time.sleep(60)",
        "import signal; signal.signal(15, signal.SIG_IGN); time.sleep(60)",
        "[os.fork() for _ in range(5)]; time.sleep(60)",
        "os.fork() or (os.setsid(), os.fork(), time.sleep(60)); time.sleep(60)",
    ],
)
async def test_what_hangs_or_multiplies_is_unsure_in_time_and_leaves_nothing(
    tmp_path: Path, body: str
) -> None:
    with anyio.fail_after(20):
        opinion = await asked(tmp_path, body, limit=0.5)
    assert (opinion.safe, opinion.failed) == (False, True)
    assert "no answer within 0.5 s" in opinion.why
    await until(lambda: not find_tree(NOBODY, "mark/1"))


async def test_what_it_leaves_behind_after_a_good_answer_is_ended(tmp_path: Path) -> None:
    body = f"if os.fork() == 0:\n os.close(1); os.close(2); time.sleep(60)\n{SAFE}"
    assert (await asked(tmp_path, body)).safe
    await until(lambda: not find_tree(NOBODY, "mark/1"))


async def test_a_program_that_is_not_there_is_unsure(tmp_path: Path) -> None:
    opinion = await OutsideClassifier(("/no/such/program",), tmp_path, "m").ask("tests", REQUEST)
    assert (opinion.safe, opinion.failed) == (False, True)
    assert "cannot be started" in opinion.why


async def test_only_a_few_run_at_once(tmp_path: Path) -> None:
    classifier = OutsideClassifier(program(tmp_path, "time.sleep(60)"), tmp_path, "few", limit=1.0)
    most = 0
    async with anyio.create_task_group() as tasks:
        for _ in range(3 * AT_ONCE):
            tasks.start_soon(classifier.ask, "tests", REQUEST)
        with anyio.move_on_after(0.8):
            while True:
                most = max(most, running("few/"))
                await anyio.sleep(0.02)
    assert 0 < most <= AT_ONCE


def judge(folder: Path, body: str, *rules: RuleText, mode: Mode = Mode.DEFAULT) -> RuleJudge:
    plan = TeamPlan("t", folder / "plan.yaml", (), mode=mode, rules=rules)
    outside = OutsideClassifier(program(folder, body), folder, "mark")
    return RuleJudge(Policies(plan, folder / "session", files=()), {"tests": folder}, outside)


@pytest.mark.parametrize(
    ("command", "mode", "safe"),
    [
        ("make", Mode.DEFAULT, True),
        ("make", Mode.ACCEPT_EDITS, True),
        ("make", Mode.PLAN, False),
        ("secret tool", Mode.DEFAULT, False),
        ("bad x", Mode.DEFAULT, False),
        ('eval "$x"', Mode.DEFAULT, False),
        ("rm -rf ~", Mode.DEFAULT, False),
        ("echo x > .git/config", Mode.DEFAULT, False),
    ],
)
async def test_it_never_lifts_a_rule_a_guard_a_mode_or_what_cannot_be_known(
    tmp_path: Path, command: str, mode: Mode, safe: bool
) -> None:
    source = Source(Layer.PLAN)
    rules = (
        RuleText(Behavior.DENY, "Bash(bad:*)", source),
        RuleText(Behavior.ASK, "Bash(secret:*)", source),
    )
    classifier = judge(tmp_path, SAFE, *rules, mode=mode).classifier("tests")
    opinion = await consult(classifier, Request("Bash", {"command": command}, str(tmp_path)), limit=10)
    assert opinion.safe is safe


async def test_the_static_classifier_is_asked_first(tmp_path: Path) -> None:
    classifier = judge(tmp_path, "open('ran', 'w')").classifier("tests")
    opinion = await consult(classifier, Request("Bash", {"command": "ls"}, str(tmp_path)), limit=10)
    assert (opinion.safe, opinion.by) == (True, "")
    assert not (tmp_path / "ran").exists()


async def test_in_a_run_its_answer_is_written_with_the_reason_and_a_failure_is_told(tmp_path: Path) -> None:
    body = f"asked = json.loads(sys.stdin.readline())\nif 'one' in asked['input']['command']: {SAFE}"
    steps = [{"bash": "git init one"}, {"bash": "git init two"}]
    command = program(tmp_path, body)
    async with leading(
        tmp_path, script("w", tmp_path, *steps), options=RunOptions(), classifier=command
    ) as led:
        await until(lambda: bool(led.leader.team().queue) and led.leader.team().queue[0].id == "r2")
        await until(lambda: any("did not answer" in line for line in led.leader.team().notices))
        (view,) = led.leader.team().queue
        await led.leader.answer(AnswerToRequest(view.id, view.digest, "allow_once"))
        assert await led.end() == 0
    first, second = (entry for entry in led.written() if isinstance(entry, RequestDecided))
    assert (first.reason, first.by) == (Reason.SPECULATIVE_ALLOW, "classifier")
    assert first.why.endswith(": only make")
    assert second.reason == Reason.INTERACTIVE_ALLOW_ONCE
    heard = [entry for entry in led.written() if isinstance(entry, ClassifierHeard)]
    assert [(entry.request_id, entry.safe, entry.failed) for entry in heard] == [
        ("r1", True, False),
        ("r2", False, True),
    ]
