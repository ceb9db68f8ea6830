"""Odd ways to write commands, each of which once was read wrongly."""

import pytest

from swarm.permissions.model import Behavior

from .building import decided, policy_of

EVERY = policy_of(allow=["Bash"], deny=["Bash(badcmd:*)", "Read(./secret.txt)"])


@pytest.mark.parametrize(
    "command", ["coproc badcmd {a,b}", "coproc cat {secret,x}.txt", "coproc x { badcmd; }"]
)
def test_a_list_in_braces_behind_a_coprocess_is_no_group(command: str) -> None:
    assert decided(command, EVERY).behavior is Behavior.DENY


def test_an_empty_here_document_to_a_shell_is_no_fault() -> None:
    assert "could not be applied" not in decided("bash -c -fifi<<EOF\nEOF\n\\", EVERY).why
