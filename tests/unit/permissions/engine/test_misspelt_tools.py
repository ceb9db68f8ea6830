"""A rule that names no tool says which one it may have been meant for."""

import pytest

from swarm.permissions.errors import RuleError
from swarm.permissions.model import Behavior, Layer, RuleText, Source
from swarm.permissions.rules import read_rule
from swarm.permissions.rules_lint import lint

from .building import decided, policy_of


def text(rule: str) -> RuleText:
    return RuleText(Behavior.DENY, rule, Source(Layer.PROJECT, "settings.json", 1, 1, "/w"))


@pytest.mark.parametrize(
    ("written", "meant"), [("Bsh(rm:*)", "Bash(rm:*)"), ("bash(ls)", "Bash(ls)"), ("Reed(x)", "")]
)
def test_a_misspelt_tool_with_a_specifier_is_refused_with_the_tool_that_is_near(
    written: str, meant: str
) -> None:
    with pytest.raises(RuleError) as caught:
        read_rule(text(written))
    assert (f"Did you mean {meant}?" in str(caught.value)) == bool(meant)


@pytest.mark.parametrize(
    ("written", "meant"),
    [("Bsh", "Bash"), ("Wirte", "Write"), ("Task", ""), ("LSP", ""), ("mcp__bash", "")],
)
def test_a_misspelt_tool_alone_is_a_warning_and_other_agents_tools_are_none(
    written: str, meant: str
) -> None:
    assert [problem.advice for problem in lint(read_rule(text(written)).rule)] == (
        [f"Did you mean {meant}?"] if meant else []
    )


def test_a_long_command_that_no_rule_allows_is_cut_with_a_mark() -> None:
    verdict = decided("make " + "x" * 100, policy_of())
    assert verdict.why.endswith("x…`.")
