"""Which part of a command is said to be the one that decided."""

import pytest

from .building import decided, policy_of


@pytest.mark.parametrize(
    ("command", "part", "behavior"),
    [
        ("ls && rm -rf /", "rm -rf /", "ask"),
        ("ls && echo x > foo.txt", "> foo.txt", "deny"),
        ("ls; mywrap badcmd x", "mywrap badcmd x", "ask"),
        ('ls; eval "$x"', '"$x"', "ask"),
        ("cat foo.txt | wc -l", "cat foo.txt", "deny"),
        ("ls; env badcmd", "env badcmd", "deny"),
        ("asked; badcmd", "badcmd", "deny"),
    ],
)
def test_the_part_that_decided_is_marked_and_no_other(command: str, part: str, behavior: str) -> None:
    policy = policy_of(["Bash"], ["Bash(badcmd:*)", "Edit(foo.txt)", "Read(foo.txt)"], ["Bash(asked)"])
    verdict = decided(command, policy)
    marked = [(one.text, str(one.behavior)) for one in verdict.parts if one.behavior is verdict.behavior]
    assert verdict.behavior == behavior
    assert (part, behavior) in marked
    assert "ls" not in [text for text, _ in marked]
