"""A rule that cannot be read lets nothing through that it may have been meant for."""

from pathlib import Path

import pytest

from swarm.permissions.engine import decide
from swarm.permissions.files import RealFiles
from swarm.permissions.model import Behavior, Folders, Layer, Mode, Request, RuleText, Source
from swarm.permissions.policy import compile_policy


def verdict_under(broken: str, behavior: Behavior, folder: Path) -> Behavior:
    source = Source(Layer.PROJECT, "settings.json", base=str(folder))
    rules = [RuleText(Behavior.ALLOW, "Bash", source), RuleText(behavior, broken, source)]
    policy = compile_policy(rules, Mode.DEFAULT, Folders(folder, folder))
    return decide(Request("Bash", {"command": "mytool a"}, str(folder)), policy, RealFiles()).behavior


@pytest.mark.parametrize(
    "broken", ["Ba sh(x)", "Bash(", "Bash (x)", "Ba-sh(x", "(x)", "Bash)x(", "﻿Bash(x)"]
)
@pytest.mark.parametrize("behavior", [Behavior.DENY, Behavior.ASK])
def test_a_restricting_rule_whose_tool_is_doubtful_asks_about_every_tool(
    broken: str, behavior: Behavior, tmp_path: Path
) -> None:
    assert verdict_under(broken, behavior, tmp_path) is Behavior.ASK


def test_a_restricting_rule_that_breaks_off_asks_about_its_own_tool_alone(tmp_path: Path) -> None:
    assert verdict_under("mytool(x", Behavior.DENY, tmp_path) is Behavior.ALLOW
    assert verdict_under("Bash(x", Behavior.DENY, tmp_path) is Behavior.ASK
