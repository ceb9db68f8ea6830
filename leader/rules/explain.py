"""What becomes of one call and why: parts, guards, mode, classifier and the way to an allow. Pure."""

from dataclasses import dataclass

from swarm.leader.rules.way import Way, way_to_allow
from swarm.permissions.classifier import Classification, classify
from swarm.permissions.engine import decide, judge
from swarm.permissions.files import FileView
from swarm.permissions.judgement import Cause, Judgement
from swarm.permissions.model import (
    Behavior,
    Folders,
    Mode,
    PartVerdict,
    Request,
    RuleProblem,
    RuleText,
    Verdict,
)
from swarm.permissions.policy import Policy, compile_policy

MEANING = {
    Mode.DEFAULT: "what no rule decides is asked",
    Mode.ACCEPT_EDITS: "edits inside the working directories need no rule",
    Mode.PLAN: "only reads run, whatever allow rules say",
    Mode.DONT_ASK: "what would be asked is denied",
    Mode.BYPASS: "all runs but for deny rules, ask rules and guards",
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything that had a say in what becomes of a call, and what did not."""

    request: Request
    mode: Mode
    verdict: Verdict
    guard: str
    mode_says: str
    classification: Classification
    way: Way
    broken: tuple[RuleProblem, ...]

    @property
    def marked(self) -> tuple[PartVerdict, ...]:
        """The parts that the verdict rests on, as they stand in the text."""
        wanted = self.verdict.behavior
        parts = self.verdict.parts
        found = tuple(part for part in parts if part.behavior is wanted)
        if not found and wanted is Behavior.DENY:
            found = tuple(part for part in parts if part.behavior is Behavior.ASK)
        return () if wanted is Behavior.ALLOW else found


def explain(
    request: Request, rules: tuple[RuleText, ...], mode: Mode, folders: Folders, files: FileView
) -> Explanation:
    """Explain what becomes of a call under rules and a mode. Never raises."""
    policy = compile_policy(rules, mode, folders)
    verdict = decide(request, policy, files)
    return Explanation(
        request,
        mode,
        verdict,
        _guard(request, mode, folders, files),
        _mode_says(_judged(request, compile_policy(rules, Mode.DEFAULT, folders), files), verdict, mode),
        classify(request, policy, files),
        way_to_allow(request, rules, mode, folders, files),
        tuple(problem for problem in policy.problems if problem.is_error),
    )


def _judged(request: Request, policy: Policy, files: FileView) -> Judgement | None:
    try:
        return judge(request, policy, files)
    except Exception:  # then decide has said so, and there is nothing to compare with
        return None


def _guard(request: Request, mode: Mode, folders: Folders, files: FileView) -> str:
    """What the guards say when no rule is before them; empty if they do not object."""
    found = _judged(request, compile_policy((), mode, folders), files)
    return found.why if found is not None and found.cause is Cause.GUARD else ""


def _mode_says(before: Judgement | None, verdict: Verdict, mode: Mode) -> str:
    """What the mode made of what rules and guards had found."""
    meaning = f"{mode}: {MEANING[mode]}."
    if before is None:
        return meaning
    if before.behavior is not verdict.behavior:
        words = {Behavior.ALLOW: "be allowed", Behavior.ASK: "be asked", Behavior.DENY: "be denied"}
        return f"{meaning} Without it, this would {words[before.behavior]}."
    if before.cause is Cause.NO_RULE:
        return f"{meaning} No rule decided, so the mode does."
    causes = {Cause.RULE: "a rule decided", Cause.GUARD: "a guard asks in it too"}
    cause = causes.get(before.cause, "what cannot be known asks in it too")
    return f"{meaning} It changes nothing here: {cause}."
