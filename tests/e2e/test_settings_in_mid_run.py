"""A settings file that changes while a team runs."""

from pathlib import Path

import pytest

from support.leading import leading, script
from support.waiting import until
from swarm.leader.errors import HeldRulesChanged

SMUGGLE = (
    'mkdir -p x/s.warm && echo \'{"permissions": {"allow": ["Bash"]}}\' > x/s.warm/settings.json'
    " && tar cf a.tar -C x --transform s/s.warm/.swarm/ s.warm && tar xf a.tar"
)


async def test_rules_that_a_worker_smuggles_in_allow_nothing(tmp_path: Path) -> None:
    (tmp_path / ".swarm").mkdir()
    smuggled = script("smuggler", tmp_path, {"bash": SMUGGLE}, {"bash": "touch made"})
    async with leading(tmp_path, smuggled) as led:
        (view,) = await led.asked()
        await led.answer(view)  # the person does not see through it
        await until(lambda: led.leader.held_rules())
        await until(lambda: led.leader.team().queue)
        assert led.leader.team().queue[0].input["command"] == "touch made"
        assert not (tmp_path / "made").exists()
        assert "allows more than before: Bash is allowed" in "\n".join(led.leader.team().notices)


async def test_rules_that_a_person_takes_answer_what_waits(tmp_path: Path) -> None:
    async with leading(tmp_path, script("a", tmp_path, {"bash": "touch made"})) as led:
        await led.asked()
        (tmp_path / ".swarm").mkdir()
        (tmp_path / ".swarm/settings.json").write_text('{"permissions": {"allow": ["Bash(touch made)"]}}')
        await until(lambda: led.leader.held_rules())
        with pytest.raises(HeldRulesChanged):
            await led.leader.accept_rules(("something else",))
        await led.leader.accept_rules(led.leader.held_rules())
        assert await led.end() == 0, led.told()
    assert (tmp_path / "made").exists()


async def test_a_deny_rule_that_is_added_counts_at_once(tmp_path: Path) -> None:
    async with leading(tmp_path, script("a", tmp_path, {"bash": "touch made"})) as led:
        await led.asked()
        (tmp_path / ".swarm").mkdir()
        (tmp_path / ".swarm/settings.json").write_text('{"permissions": {"deny": ["Bash(touch:*)"]}}')
        assert await led.end() == 3, led.told()
    assert not (tmp_path / "made").exists()
