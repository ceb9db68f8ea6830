"""What "always" may write: the narrowest useful rules that would let a request through. Pure."""

import re

from swarm.permissions.engine import judge
from swarm.permissions.files import FileView, Kind
from swarm.permissions.judgement import Cause
from swarm.permissions.match_allow import Cover, cover
from swarm.permissions.match_case import open_case
from swarm.permissions.match_path import Ground, Target, allowing_path, ground_of, request_targets
from swarm.permissions.model import Behavior, Offer, Request
from swarm.permissions.offers_bash import command_rule
from swarm.permissions.paths import STRANGE, relative
from swarm.permissions.policy import Policy
from swarm.permissions.rules import TOOL_NAME
from swarm.permissions.rules_host import host_of
from swarm.permissions.tools import Effect, kind_of

PATTERN_SIGN = re.compile(r"([*?\[\]\\!#])")
NEVER_WHOLE = frozenset({"Bash", "Edit", "Write", "MultiEdit", "NotebookEdit", "Read"})


def offers(request: Request, policy: Policy, files: FileView) -> tuple[Offer, ...]:
    """The rules to offer for a request that asked; none where no rule can cover it. Never raises."""
    return tuple(Offer(Behavior.ALLOW, text) for text in smallest_rules(request, policy, files))


def smallest_rules(request: Request, policy: Policy, files: FileView) -> tuple[str, ...]:
    """The texts of the allow rules that together let a request through, or none. Never raises."""
    try:
        found = judge(request, policy, files)
        if found.behavior is not Behavior.ASK or found.cause is not Cause.NO_RULE:
            return ()
        return tuple(dict.fromkeys(_rules(request, policy, files)))
    except Exception:  # an offer that cannot be worked out is not made
        return ()


def _rules(request: Request, policy: Policy, files: FileView) -> list[str]:
    effect = kind_of(request.tool).effect
    ground = ground_of(policy, files, request.cwd)
    if effect is Effect.COMMAND:
        return _for_command(str(request.input.get("command")), request, ground)
    if effect in (Effect.READ, Effect.EDIT):
        return _for_paths(request, ground)
    if effect is Effect.FETCH:
        host = host_of(request.input.get("url"))
        return [f"{request.tool}(domain:{host.written})"] if host is not None and host.plain else []
    plain = TOOL_NAME.fullmatch(request.tool) and "*" not in request.tool
    return [request.tool] if plain and request.tool not in NEVER_WHOLE else []


def _for_command(command: str, request: Request, ground: Ground) -> list[str]:
    case = open_case(request, ground.policy, ground.files)
    found: Cover = cover(command, case.findings, case.redirects, ground)
    if found.hopeless:
        return []
    rules: list[str] = []
    for call in found.calls:
        rule = command_rule(call)
        if not rule:
            return []
        rules.append(rule)
    for spot in found.files:
        for target in spot.targets:
            wanted = _for_target("Edit", target, ground)
            if not wanted:
                return []
            rules.extend(wanted)
    return rules


def _for_paths(request: Request, ground: Ground) -> list[str]:
    kind = kind_of(request.tool)
    targets, trouble = request_targets(request, kind, ground)
    if trouble:
        return []
    rules: list[str] = []
    for target in targets:
        if allowing_path(target, ground) is None:
            rules.extend(_for_target("Edit" if target.writes else "Read", target, ground))
    return rules


def _for_target(word: str, target: Target, ground: Ground) -> list[str]:
    rules = []
    for path in dict.fromkeys((target.place.given, target.place.real)):
        if STRANGE.search(path) or path != path.strip() or path == "/":
            return []
        below = relative(path, ground.cwd)
        tail = "/**" if ground.files.kind(path) is Kind.FOLDER else ""
        shown = f"./{_quoted(below)}{tail}" if below else f"//{_quoted(path[1:])}{tail}"
        rules.append(f"{word}({shown})")
    return rules


def _quoted(path: str) -> str:
    return PATTERN_SIGN.sub(r"\\\1", path)
