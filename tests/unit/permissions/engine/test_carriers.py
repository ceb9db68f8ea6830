"""A denied command is not carried past its rule by a program that runs what its words say."""

import json
from pathlib import Path

import pytest

from swarm.permissions.model import Behavior
from swarm.permissions.policy import Policy

from .building import decided, policy_of

DATA = json.loads((Path(__file__).parents[3] / "data" / "permission_carriers.json").read_text())
FILES = {f"/w/proj/{name}": "" for name in ("f", "g", "a", "s.sh", "src/a.py", "x.tgz", "locked/f")}
RULES = policy_of(allow=["Bash"], deny=["Bash(badcmd:*)"])
ASKING = policy_of(allow=["Bash"], ask=["Bash(badcmd:*)"])
BYPASSING = policy_of(deny=["Bash(badcmd:*)"], mode="bypassPermissions")
SPELLINGS = ["badcmd", "/usr/bin/badcmd"]


@pytest.mark.parametrize("policy", [RULES, ASKING, BYPASSING], ids=["deny", "ask", "bypass"])
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_no_carrier_runs_a_restricted_command_unasked(spelling: str, policy: Policy) -> None:
    commands = [carrier.format(spelling) for carrier in DATA["carriers"]]
    assert [one for one in commands if decided(one, policy, FILES).behavior is Behavior.ALLOW] == []


def test_what_only_looks_like_it_stays_allowed() -> None:
    verdicts = [(one, decided(one, RULES, FILES)) for one in DATA["innocent"]]
    assert [(one, found.why) for one, found in verdicts if found.behavior is not Behavior.ALLOW] == []
