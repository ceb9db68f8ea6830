"""The way from a call that does not run to one that does: rules to take away, rules to add. Pure."""

from dataclasses import dataclass, field, replace

from swarm.leader.rules.examples import Examples, examples_of
from swarm.permissions.engine import decide, judge
from swarm.permissions.files import FileView
from swarm.permissions.judgement import Cause, Judgement
from swarm.permissions.match_allow import cover
from swarm.permissions.match_case import open_case
from swarm.permissions.model import Behavior, Folders, Layer, Mode, Request, RuleText, Source
from swarm.permissions.offers import smallest_rules
from swarm.permissions.policy import Policy, compile_policy
from swarm.permissions.rules_bash import normalised
from swarm.permissions.tools import Effect, kind_of

MOST_STEPS = 12
BY_HAND = "Always would not offer this rule: it is for you to judge. "


@dataclass(slots=True)
class Way:
    """What has to go, what has to come, and what stands in the way even then.

    `offered` says that "always" would write the added rules. `examples` are what they allow besides.
    """

    removed: list[RuleText] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    offered: bool = True
    obstacle: str = ""
    advice: str = ""
    examples: list[Examples] = field(default_factory=list)


def way_to_allow(
    request: Request, rules: tuple[RuleText, ...], mode: Mode, folders: Folders, files: FileView
) -> Way:
    """Look for the least that would let a call run; what no rule can change is the obstacle."""
    way, judging = Way(), _judging(mode)
    policy = compile_policy(rules, judging, folders)
    for _ in range(MOST_STEPS):
        try:
            found = judge(request, policy, files)
        except Exception:  # what cannot be judged has no way
            way.obstacle = "The rules could not be applied to it, so it is always asked."
            break
        if found.behavior is Behavior.ALLOW or not _step(found, way, request, policy, files):
            break
        left = tuple(rule for rule in rules if rule not in way.removed)
        policy = compile_policy((*left, *map(_added, way.added)), judging, folders)
    if not way.obstacle:
        _mode_in_the_way(way, request, rules, mode, folders, files)
    if not way.obstacle:
        way.examples = [examples_of(text, request, policy, files) for text in way.added]
    return way


def _judging(mode: Mode) -> Mode:
    """The mode to look for rules in: the stricter ones have their say at the end."""
    return Mode.DEFAULT if mode in (Mode.PLAN, Mode.DONT_ASK) else mode


def _added(text: str) -> RuleText:
    return RuleText(Behavior.ALLOW, text, Source(Layer.SESSION, "the rule to add"))


def _step(found: Judgement, way: Way, request: Request, policy: Policy, files: FileView) -> bool:
    """Take one hindrance out of the way; False if none can be."""
    if found.rule is not None:
        way.removed.append(found.rule)
        return True
    if found.cause is Cause.NO_RULE:
        if policy.mode is Mode.BYPASS:
            return False
        offered = smallest_rules(request, policy, files)
        texts = offered or _by_hand(request, policy, files, way)
        new = [text for text in texts if text not in way.added]
        way.added += new
        way.offered = way.offered and bool(offered)
        if not new and not way.obstacle:
            way.obstacle = found.why
        return bool(new)
    way.obstacle = found.why
    way.advice = _advice(found)
    return False


def _advice(found: Judgement) -> str:
    if found.cause is Cause.GUARD:
        return "No rule lifts a guard: a person has to allow it each time."
    if found.why.startswith("A rule that cannot be read"):
        return "Mend that rule; `swarm rules lint` shows what is wrong with it."
    return (
        "No allow rule is enough for what cannot be known. Write the command so that it says what it runs"
        " and which files it uses, or allow it by hand each time."
    )


def _by_hand(request: Request, policy: Policy, files: FileView, way: Way) -> list[str]:
    """Rules that nobody would offer but that would do: for just this text, or nothing."""
    command = request.input.get("command")
    if kind_of(request.tool).effect is not Effect.COMMAND or not isinstance(command, str):
        return []
    case = open_case(request, policy, files)
    found = cover(command, case.findings, case.redirects, case.ground)
    if found.hopeless:
        way.obstacle = " ".join(dict.fromkeys(_reasons(found.missing)))
        way.advice = "No rule for a command covers that: write the command without it."
        if _would_pass_with_bash(request, policy, files):
            way.advice += " The rule Bash alone would let it through, and with it every other command."
        return []
    texts = [f"Bash({normalised(call.written).replace('*', chr(92) + '*')})" for call in found.calls]
    for spot in found.files:
        texts += [f"Edit(/{target.place.given})" for target in spot.targets]
    return list(dict.fromkeys(texts))


def _would_pass_with_bash(request: Request, policy: Policy, files: FileView) -> bool:
    allow = replace(policy.allow, tools={**policy.allow.tools, "Bash": _added("Bash")})
    return judge(request, replace(policy, allow=allow), files).behavior is Behavior.ALLOW


def _reasons(missing: list[str]) -> list[str]:
    """What no rule could cover; what merely lacks a rule is left out where there is more."""
    hard = [why for why in missing if not why.startswith("No rule allows")]
    return hard or [f"{why} Its name is not written plainly." for why in missing]


def _mode_in_the_way(
    way: Way, request: Request, rules: tuple[RuleText, ...], mode: Mode, folders: Folders, files: FileView
) -> None:
    left = (rule for rule in rules if rule not in way.removed)
    policy = compile_policy((*left, *map(_added, way.added)), mode, folders)
    verdict = decide(request, policy, files)
    if verdict.behavior is not Behavior.ALLOW:
        way.obstacle = verdict.why
        way.advice = "No rule changes that: take another mode, or let a person decide."
