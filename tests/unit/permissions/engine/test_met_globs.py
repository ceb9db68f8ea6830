"""A glob is held against rules by what it could stand for, not only by what is there already."""

import pytest

from swarm.permissions.match_globs import meets
from swarm.permissions.model import Behavior

from .building import decided, policy_of


@pytest.mark.parametrize(
    ("glob", "rule", "could"),
    [
        ("w/*", "w/**/foo.txt", True),
        ("w/foo*", "w/foo.txt", True),
        ("w/*.py", "w/**/*.pem", False),
        ("w/*", "w/**/.env*", False),
        ("w/.e*", "w/**/.env*", True),
        ("w/*", "w/**/secrets/**", False),
        ("w/*/*", "w/**/secrets/**", True),
        ("w/s*/x", "w/secrets", True),
        ("w/[0-9]*", "w/**/secret.txt", False),
        ("w/[0-9]*", "w/**/*secret*", True),
        ("w/a?c", "w/ab*", True),
        ("w/a?c", "w/*d", False),
        ("x/*", "w/**", False),
        ("w/*.?y", "w/**/*.p*", True),
        ("w/**", "w/a/b", False),
        ("*/a", "w/a/**", False),
    ],
)
def test_a_glob_meets_the_rules_that_share_a_path_with_it(glob: str, rule: str, could: bool) -> None:
    assert meets(tuple(glob.split("/")), tuple(rule.split("/"))) is could


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        ("Read(**/*.pem)", "cat ser*.pem"),
        ("Read(foo.txt)", "cat foo*"),
        ("Read(./a/b*)", "cat a/b?"),
        ("Edit(build/**)", "touch bu*/x"),
    ],
)
def test_a_rule_with_wildcards_denies_what_is_not_there_yet(rule: str, command: str) -> None:
    assert decided(command, policy_of(allow=["Bash"], deny=[rule])).behavior is Behavior.DENY


@pytest.mark.parametrize(
    ("rule", "command"),
    [("Read(**/*.pem)", "cat *.md"), ("Read(secrets/**)", "ls *"), ("Read(.env)", "cat *")],
)
def test_a_glob_that_cannot_stand_for_it_is_free(rule: str, command: str) -> None:
    assert decided(command, policy_of(allow=["Bash"], deny=[rule])).behavior is Behavior.ALLOW
