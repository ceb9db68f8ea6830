"""The script agent with a host that answers as it is told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import pytest

from swarm.ipc.messages import Answer, ChatMessage, Choice, TodoItem, WorkerResult
from swarm.worker.agents import create_agent
from swarm.worker.agents.base import AgentResult, Doing, Task
from swarm.worker.calls import CallOutcome, Outcome
from swarm.worker.errors import InvalidAgent, UnknownAgent
from swarm.worker.outbox import Level


@dataclass
class FakeHost:
    """Answers a call by what its input holds; by default it succeeds and gives its input's first value."""

    task: Task = field(default_factory=lambda: Task("w", Path("/work")))
    mode: str = "default"
    outcomes: dict[str, tuple[Outcome, str]] = field(default_factory=dict)
    note: str = ""
    calls: list[tuple[str, dict[str, Any], str, float | None]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    logged: list[str] = field(default_factory=list)
    phases: list[tuple[str, str]] = field(default_factory=list)
    sent: list[tuple[str, str]] = field(default_factory=list)
    before: dict[str, str] = field(default_factory=dict)
    noted: list[tuple[str, str]] = field(default_factory=list)

    def done_before(self, step: str) -> str | None:
        return self.before.get(step)

    def note_step(self, step: str, output: str) -> None:
        self.noted.append((step, output))

    async def call(
        self,
        tool: str,
        input: Mapping[str, Any],
        title: str = "",
        limit: float | None = None,
        agent: tuple[str, ...] = (),
        step: str = "",
    ) -> CallOutcome:
        self.calls.append((tool, dict(input), title, limit))
        first = str(next(iter(input.values()), ""))
        outcome, output = self.outcomes.get(first, ("succeeded", f"did {first}\n"))
        request_id = f"request-{len(self.calls)}"
        return CallOutcome("call", outcome, output, self.note, request_id=request_id)

    async def say(self, text: str) -> None:
        self.said.append(text)

    async def think(self, text: str) -> None:
        raise AssertionError(text)

    async def phase(self, doing: Doing, detail: str = "") -> None:
        self.phases.append((doing, detail))

    async def todo(self, items: Sequence[TodoItem]) -> None:
        raise AssertionError(items)

    async def usage(
        self, input_tokens: int, output_tokens: int, cost: float = 0.0, model: str = ""
    ) -> None:
        raise AssertionError(model)

    async def log(self, level: Level, text: str) -> None:
        self.logged.append(text)

    async def send(self, to: str, text: str) -> None:
        self.sent.append((to, text))

    async def ask(self, text: str, choices: Sequence[Choice] = (), multiple: bool = False) -> Answer:
        raise AssertionError(text)

    async def next_message(self) -> ChatMessage:
        await anyio.sleep_forever()
        raise AssertionError

    @property
    def commands(self) -> list[str]:
        return [input["command"] for _, input, _, _ in self.calls]


async def run(host: FakeHost, *steps: dict[str, Any], result: str = "") -> AgentResult:
    return await create_agent("script", {"steps": list(steps), "result": result}).run(host)


async def test_steps_run_in_order_and_the_last_output_is_the_result() -> None:
    host = FakeHost()
    assert await run(host, {"bash": "a"}, {"bash": "b"}, {"say": "done"}) == AgentResult(
        "succeeded", "did b\n"
    )
    assert host.commands == ["a", "b"]
    assert host.said == ["done\n"]


@pytest.mark.parametrize(
    ("step", "tool", "input"),
    [
        ({"read": "a.py"}, "Read", {"file_path": "a.py"}),
        (
            {"read": {"file_path": "a", "offset": 2, "limit": 3}},
            "Read",
            {"file_path": "a", "offset": 2, "limit": 3},
        ),
        ({"write": {"path": "a", "content": "b"}}, "Write", {"file_path": "a", "content": "b"}),
        (
            {"edit": {"path": "a", "old": "b", "new": "c"}},
            "Edit",
            {"file_path": "a", "old_string": "b", "new_string": "c", "replace_all": False},
        ),
        ({"glob": "*.py"}, "Glob", {"pattern": "*.py"}),
        ({"glob": {"pattern": "*", "path": "src"}}, "Glob", {"pattern": "*", "path": "src"}),
        ({"grep": "TODO"}, "Grep", {"pattern": "TODO"}),
        ({"grep": {"pattern": "x", "glob": "*.py"}}, "Grep", {"pattern": "x", "glob": "*.py"}),
        ({"tool": {"name": "Odd", "input": {"a": [1]}}}, "Odd", {"a": [1]}),
    ],
)
async def test_each_action_is_a_call_of_its_tool(step: dict[str, Any], tool: str, input: Any) -> None:
    host = FakeHost()
    await run(host, {**step, "name": "look", "timeout": 5})
    assert host.calls == [(tool, input, "look", 5.0)]


@pytest.mark.parametrize(
    ("step", "milliseconds"),
    [
        ({"bash": "ls"}, 600_000),
        ({"bash": "ls", "timeout": 0.5}, 500),
        ({"bash": {"command": "ls", "timeout": 2}}, 2_000),
        ({"bash": {"command": "ls", "timeout": 2}, "timeout": 1}, 1_000),
    ],
)
async def test_the_shell_keeps_a_steps_limit_itself(step: dict[str, Any], milliseconds: int) -> None:
    host = FakeHost()
    await run(host, {**step, "name": "look"})
    input = {"command": "ls", "timeout": milliseconds, "description": "look"}
    assert host.calls == [("Bash", input, "look", None)]


async def test_a_message_goes_to_whom_it_is_for() -> None:
    host = FakeHost()
    await run(host, {"message": {"to": "fixer", "text": "go"}})
    assert host.sent == [("fixer", "go")]


async def test_after_a_failure_the_rest_is_skipped_but_for_what_asks_for_it() -> None:
    host = FakeHost(outcomes={"bad": ("failed", "exit 1")})
    result = await run(
        host,
        {"if_failed": True, "bash": "too early"},
        {"bash": "bad"},
        {"bash": "skipped", "name": "build"},
        {"if_failed": True, "bash": "clean up"},
    )
    assert host.commands == ["bad", "clean up"]
    assert result == AgentResult("failed", "did clean up\n")
    assert host.said == ["Skipped, since a step before it failed: build\n"]


async def test_a_step_that_may_fail_stops_nothing_and_is_seen_by_if_failed() -> None:
    host = FakeHost(outcomes={"bad": ("failed", "exit 1")})
    result = await run(
        host,
        {"bash": "bad", "continue_on_error": True},
        {"bash": "next"},
        {"bash": "report", "if_failed": True},
    )
    assert host.commands == ["bad", "next", "report"]
    assert result.status == "succeeded"


async def test_a_denied_step_that_was_needed_names_its_request() -> None:
    host = FakeHost(outcomes={"bad": ("denied", "no")})
    assert await run(host, {"bash": "bad"}) == AgentResult("failed", "no", ("request-1",))
    assert host.said == ["no\n"]


async def test_a_denied_step_that_was_not_needed_names_none() -> None:
    host = FakeHost(outcomes={"bad": ("denied", "no")})
    assert (await run(host, {"bash": "bad", "continue_on_error": True})).refused == ()


async def test_an_interrupted_step_counts_as_failed() -> None:
    host = FakeHost(outcomes={"slow": ("interrupted", "cut")})
    assert (await run(host, {"bash": "slow"}, {"bash": "next"})).status == "failed"
    assert host.commands == ["slow"]


async def test_values_of_steps_and_workers_are_put_in() -> None:
    task = Task("w", Path("/work"), inputs={"tests": WorkerResult(status="failed", text="2 failed\n")})
    host = FakeHost(task)
    result = await run(
        host,
        {"id": "look", "read": "a"},
        {"id": "later", "if_failed": True, "read": "b"},
        {"say": "${steps.look.output} ${steps.later.outcome}"},
        {"write": {"path": "r", "content": "${tasks.tests.status}: ${tasks.tests.result}"}},
        result="<${steps.look.outcome}> $${x}",
    )
    assert host.said == ["did a skipped\n"]
    assert host.calls[-1][1]["content"] == "failed: 2 failed"
    assert result.text == "<succeeded> ${x}"


async def test_hostile_text_of_another_worker_stays_one_word_of_a_command() -> None:
    hostile = "x'; rm -rf / #\n$(id)"
    task = Task("w", Path("/work"), inputs={"a": WorkerResult(status="succeeded", text=hostile)})
    host = FakeHost(task)
    await run(
        host,
        {"bash": "echo ${tasks.a.result}"},
        {"tool": {"name": "Bash", "input": {"command": "${tasks.a.result}"}}},
    )
    quoted = "'x'\"'\"'; rm -rf / #\n$(id)'"
    assert host.commands == [f"echo {quoted}", quoted]


async def test_a_note_with_an_approval_is_shown_and_not_part_of_the_output() -> None:
    host = FakeHost(note="mind the tests")
    assert (await run(host, {"bash": "a"})).text == "did a\n"
    assert host.said == ["mind the tests\n"]


async def test_the_screen_is_told_which_step_runs_and_when_all_is_over() -> None:
    host = FakeHost()
    await run(host, {"bash": "a", "name": "unit tests"}, {"bash": "b"})
    assert host.phases == [("using_tool", "unit tests"), ("using_tool", "step 2"), ("idle", "")]


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([{"bash": "a", "read": "b"}], "Step 1 needs exactly one of bash, read,"),
        ([{"say": "x"}, {}], "Step 2 needs exactly one"),
        ([{"bash": 1}], "`$.steps[0].bash`"),
        ([{"bush": "ls"}], "unknown field `bush`"),
        ([{"say": "x", "timeout": 0}], "Step 1: its timeout is 0"),
        ([{"bash": "x", "timeout": 601}], "up to 600"),
        ([{"bash": {"command": "x", "timeout": 601}}], "up to 600"),
        ([{"say": "x", "id": "a"}, {"say": "y", "id": "a"}], "Step 2 has the id 'a'"),
    ],
)
def test_a_wrong_script_is_refused_with_its_place(steps: list[Any], said: str) -> None:
    with pytest.raises(InvalidAgent) as caught:
        create_agent("script", {"steps": steps})
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({"say": "${tasks.b.result}"}, "add it to `needs`"),
        ({"say": "${steps.b.output}"}, "no earlier step"),
        ({"id": "b", "say": "${steps.b.output}"}, "no earlier step"),
        ({"say": "${HOME}"}, "nothing known"),
        ({"bash": 'echo "${tasks.a.result}"'}, "inside quotes"),
        ({"tool": {"name": "Bash", "input": {"command": 'echo "${tasks.a.result}"'}}}, "inside quotes"),
        ({"tool": {"name": "Odd", "input": {"x": [{"y": "${tasks.b.result}"}]}}}, "add it to `needs`"),
    ],
)
async def test_wrong_references_are_found_before_anything_runs(step: dict[str, Any], said: str) -> None:
    task = Task("w", Path("/work"), inputs={"a": WorkerResult(status="succeeded", text="")})
    host = FakeHost(task)
    with pytest.raises(InvalidAgent) as caught:
        await run(host, {"bash": "first"}, step)
    assert said in str(caught.value)
    assert "Step 2" in str(caught.value)
    assert host.calls == []


def test_an_unknown_kind_of_agent_names_the_known_ones() -> None:
    with pytest.raises(UnknownAgent, match="Set `agent` to one of: script"):
        create_agent("scrapt", {})
