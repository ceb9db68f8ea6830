"""The commands that reach a running session from another shell."""

import json

import pytest
from unit.leader.cli.program import Swarm, running

from swarm.ipc.messages import Preview
from swarm.leader.core.fake_client import FakeClient
from swarm.leader.core.views import GrantView
from swarm.leader.headless.events import Asked
from swarm.permissions.model import Behavior, Layer, Offer


async def test_pending_shows_all_that_is_needed_to_decide(client: FakeClient, swarm: Swarm) -> None:
    command = "pytest -q " + "x" * 3000 + "\nrm -rf build\x1b[2J"
    request = client.ask(
        "tests",
        "Bash",
        {"command": command, "timeout": 30},
        agent=("reviewer",),
        cwd="/project/sub",
        why="no rule covers it",
        offers=(Offer(Behavior.ALLOW, "Bash(pytest:*)"),),
    )
    async with running(client, swarm) as (session, shell):
        ran = await shell("pending")
    assert ran.code == 0
    assert "r1  tests/reviewer  Bash" in ran.out
    assert "no rule covers it" in ran.out
    assert "/project/sub" in ran.out
    assert "x" * 3000 in ran.out
    assert "rm -rf build\\x1b[2J" in ran.out
    assert "limit 0.03s" in ran.out
    digest = request.digest[:12]
    assert f"swarm approve r1 --session {session.id} --digest {digest}\n" in ran.out
    assert "--always   # writes Bash(pytest:*)" in ran.out
    assert f'swarm deny r1 --session {session.id} --digest {digest} -m "why"' in ran.out


async def test_pending_shows_a_whole_diff_and_nothing_that_a_worker_could_forge(
    client: FakeClient, swarm: Swarm
) -> None:
    diff = "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n" + "".join(f"+line {n}\n" for n in range(2000))
    preview = Preview(title="Edit a", diff=diff, paths=("/project/a",), note="2 more\nswarm approve r9")
    client.ask("tests", "Edit", {"path": "/project/a", "new_string": "x"}, preview=preview)
    async with running(client, swarm) as (_, shell):
        ran = await shell("pending")
    assert "+line 1999" in ran.out
    assert "\\nswarm approve r9" in ran.out
    assert ran.out.replace("\n", "").isprintable()


async def test_pending_as_json_is_one_request_a_line(client: FakeClient, swarm: Swarm) -> None:
    requests = [client.ask("tests", "Bash", {"command": command}) for command in ("make", "ls")]
    async with running(client, swarm) as (session, shell):
        ran = await shell("pending", "--json")
    shown = [json.loads(line) for line in ran.out.splitlines()]
    assert [item["digest"] for item in shown] == [request.digest for request in requests]
    assert shown[0]["session"] == session.id
    assert shown[0]["badge"] == "tests"
    said = {name for name in Asked.__struct_fields__ if name != "call"}
    assert said <= set(shown[0]), "it says what the event says, by the same names"
    assert (shown[0]["request"], shown[0]["title"]) == ("r1", "make")


async def test_where_several_sessions_run_none_is_guessed_and_pending_shows_all(
    client: FakeClient, swarm: Swarm
) -> None:
    other = FakeClient()
    other.add_worker("docs")
    client.ask("tests", "Bash", {"command": "make"})
    other.ask("docs", "Bash", {"command": "make docs"})
    async with running(client, swarm) as (first, shell), running(other, swarm) as (second, _):
        pending, guessed = await shell("pending"), await shell("approve", "r1")
        named = await shell("approve", "r1", "--session", second.id)
    assert "r1  tests" in pending.out
    assert "r1  docs" in pending.out
    assert guessed.code == 2
    assert first.id in guessed.err
    assert named.code == 0
    assert (len(client.answers), len(other.answers)) == (0, 1)


async def test_nothing_pending_is_a_message_and_no_output(client: FakeClient, swarm: Swarm) -> None:
    async with running(client, swarm) as (_, shell):
        ran = await shell("pending")
    assert (ran.code, ran.out) == (0, "")
    assert "Nothing waits" in ran.err


async def test_a_request_is_approved_with_what_was_seen(client: FakeClient, swarm: Swarm) -> None:
    request = client.ask("tests", "Bash", {"command": "make"})
    async with running(client, swarm) as (_, shell):
        ran = await shell("approve", "r1", "--digest", request.digest[:12])
    assert ran.code == 0
    assert "Allowed r1 (tests: Bash: make)" in ran.err
    (answer,) = client.answers
    assert (answer.verb, answer.digest) == ("allow_once", request.digest)


@pytest.mark.parametrize("digest", ["000000000000", "1", "x" * 64])
async def test_an_answer_about_something_else_is_refused(
    client: FakeClient, swarm: Swarm, digest: str
) -> None:
    client.ask("tests", "Bash", {"command": "make"})
    async with running(client, swarm) as (_, shell):
        ran = await shell("approve", "r1", "--digest", digest)
    assert ran.code == 1
    assert "not about what it asks now" in ran.err
    assert client.answers == []


async def test_always_writes_the_offered_rule_to_the_named_layer(client: FakeClient, swarm: Swarm) -> None:
    offer = Offer(Behavior.ALLOW, "Bash(make:*)")
    file = "/project/.swarm/settings.json"
    client.granted.append(
        GrantView(1, offer.text, offer.behavior, Layer.PROJECT, "", "person", 0.0, file=file)
    )
    asked = client.ask("tests", "Bash", {"command": "make"}, offers=(offer,))
    async with running(client, swarm) as (_, shell):
        ran = await shell("approve", "r1", "--digest", asked.digest[:12], "--always", "--layer", "project")
    assert ran.code == 0
    assert f"Written to {file}: allow Bash(make:*)" in ran.err
    (answer,) = client.answers
    assert (answer.verb, answer.offers, answer.layer) == ("allow_always", (offer,), Layer.PROJECT)


async def test_an_id_alone_allows_nothing_where_nobody_can_be_shown_what_it_is(
    client: FakeClient, swarm: Swarm
) -> None:
    request = client.ask("tests", "Bash", {"command": "make"})
    async with running(client, swarm) as (session, shell):
        ran = await shell("approve", "r1")
    assert ran.code == 2
    assert f"swarm approve r1 --session {session.id} --digest {request.digest[:12]}" in ran.err
    assert client.answers == []


async def test_always_without_an_offer_decides_nothing(client: FakeClient, swarm: Swarm) -> None:
    client.ask("tests", "Bash", {"command": "make"})
    async with running(client, swarm) as (session, shell):
        ran = await shell("approve", "r1", "--session", session.id, "--always")
    assert ran.code == 1
    assert client.answers == []


async def test_a_denial_carries_its_message(client: FakeClient, swarm: Swarm) -> None:
    client.ask("tests", "Bash", {"command": "make"})
    async with running(client, swarm) as (_, shell):
        ran = await shell("deny", "r1", "-m", "Not now.")
    assert ran.code == 0
    assert (client.answers[0].verb, client.answers[0].message) == ("deny", "Not now.")


async def test_a_request_that_ended_or_never_was_says_so(client: FakeClient, swarm: Swarm) -> None:
    client.resolve(client.ask("tests", "Bash", {"command": "make"}).id, "withdrawn")
    async with running(client, swarm) as (_, shell):
        ended, unknown = await shell("approve", "r1"), await shell("deny", "r99")
    assert (ended.code, unknown.code) == (1, 2)
    assert "already withdrawn; its call was not run" in ended.err
    assert "No request 'r99'" in unknown.err


async def test_what_has_ended_is_not_stopped_and_a_script_is_said_to_only_log(
    client: FakeClient, swarm: Swarm
) -> None:
    async with running(client, swarm) as (_, shell):
        stopped, sent = await shell("stop", "fixer"), await shell("send", "tests", "hurry")
        client.change_team(exit_code=0)
        whole = await shell("stop")
    assert "fixer has ended already (succeeded)" in stopped.err
    assert "only logs messages" in sent.err
    assert (whole.code, "ended already, with 0" in whole.err) == (1, True)
    assert client.stops == []


async def test_workers_and_the_team_are_stopped_and_told(client: FakeClient, swarm: Swarm) -> None:
    async with running(client, swarm) as (_, shell):
        codes = [
            (await shell(*arguments)).code
            for arguments in (
                ("stop", "tests"),
                ("stop", "fixer"),
                ("stop", "nobody"),
                ("send", "tests", "hurry"),
                ("send", "fixer", "hurry"),
                ("stop", "tests", "--now"),
                ("stop",),
                ("stop", "--now"),
            )
        ]
    assert codes == [0, 1, 2, 0, 1, 2, 0, 0]
    assert client.stops == ["tests", None]
    assert client.sent == [("tests", "hurry")]
    assert client.stopped_now == 1
