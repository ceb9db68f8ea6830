"""The one door of the rules: a request, a policy and a view of files give a verdict. Pure; never raises."""

from collections.abc import Callable

from swarm.permissions.files import FileView
from swarm.permissions.judgement import Cause, Judgement, ruled, uncovered, unknown
from swarm.permissions.match_bash import judge_command
from swarm.permissions.match_path import judge_paths
from swarm.permissions.match_web import judge_fetch
from swarm.permissions.model import Behavior, Mode, Request, Verdict
from swarm.permissions.modes import settle
from swarm.permissions.policy import Policy
from swarm.permissions.tools import Effect, kind_of

JUDGES: dict[Effect, Callable[[Request, Policy, FileView], Judgement]] = {
    Effect.COMMAND: judge_command,
    Effect.READ: judge_paths,
    Effect.EDIT: judge_paths,
    Effect.FETCH: judge_fetch,
}


def decide(request: Request, policy: Policy, files: FileView) -> Verdict:
    """Say what rules, guards and mode hold of a request. Whatever goes wrong inside asks."""
    try:
        return settle(judge(request, policy, files), request, policy, files)
    except Exception as error:  # the engine is total: its own faults must ask, never allow
        why = f"The rules could not be applied to this call of {request.tool} ({type(error).__name__})."
        never_asks = policy.mode in (Mode.PLAN, Mode.DONT_ASK)
        return Verdict(Behavior.DENY if never_asks else Behavior.ASK, why, guarded=True)


def judge(request: Request, policy: Policy, files: FileView) -> Judgement:
    """What rules and guards find, before the mode has its say."""
    tool = request.tool
    every = f"every call of {tool}"
    denied = policy.deny.whole_tool(tool)
    if denied is not None:
        return ruled(denied, every)
    judging = JUDGES.get(kind_of(tool).effect)
    found = judging(request, policy, files) if judging is not None else _by_name(tool, policy)
    if found.behavior is Behavior.DENY or found.cause is Cause.GUARD:
        return found
    asked = policy.ask.whole_tool(tool)
    if asked is not None:
        return ruled(asked, every)
    broken = policy.deny.broken_for(tool) or policy.ask.broken_for(tool)
    if broken is not None:
        return unknown(f"A rule that cannot be read ({broken.source}) might be about this call.")
    return found


def _by_name(tool: str, policy: Policy) -> Judgement:
    allowed = policy.allow.whole_tool(tool)
    return (
        ruled(allowed, f"every call of {tool}")
        if allowed is not None
        else uncovered(f"No rule allows {tool}.")
    )
