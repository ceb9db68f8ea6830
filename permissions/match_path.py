"""Paths against path rules: for the tools that read and write files, and for what commands touch. Pure."""

from dataclasses import dataclass, field

from swarm.permissions.files import FileView
from swarm.permissions.guards import own_below, protected_read, protected_write
from swarm.permissions.judgement import Judgement, guarded, ruled, uncovered, unknown
from swarm.permissions.model import Request, RuleText
from swarm.permissions.paths import LONGEST_PATH, STRANGE, Place, absolute, inside, locate, normal
from swarm.permissions.policy import Policy, RuleSet
from swarm.permissions.rules_path import WILD, PathIndex
from swarm.permissions.tools import Effect, ToolKind, kind_of
from swarm.permissions.walks import Budget, below

# How much is looked at for one command, in steps of about a microsecond.
MOST_WORK = 7_000


@dataclass(frozen=True, slots=True)
class Target:
    """A path that a call touches. `walks`: all below it too; `folder`: what is listed in it counts."""

    place: Place
    writes: bool
    walks: bool = False
    folder: bool = False


@dataclass(slots=True)
class Ground:
    """What paths are compared with: policy, files and the request's working directory.

    `others` are other views of the files, where it is not known which one holds. `work` is how much may
    still be looked at for one command; `places`, `globs` and `below` keep what was asked of the files.
    """

    policy: Policy
    files: FileView
    cwd: str
    _working: tuple[str, ...] | None = None
    looks: Budget = field(default_factory=Budget)
    others: tuple[FileView, ...] = ()
    work: Budget = field(default_factory=lambda: Budget(MOST_WORK))
    places: dict[str, Place] = field(default_factory=dict)
    globs: dict[str, list[str] | None] = field(default_factory=dict)
    below: dict[tuple[int, str], RuleText | None] = field(default_factory=dict)

    @property
    def working(self) -> tuple[str, ...]:
        """The working directories; looked up when first needed."""
        if self._working is None:
            places = [
                locate(folder, self.files) for folder in (self.cwd, *map(str, self.policy.folders.working))
            ]
            self._working = tuple(
                dict.fromkeys(path for place in places for path in (place.given, place.real))
            )
        return self._working

    def holds(self, place: Place) -> bool:
        """Whether a place and what it leads to lie inside the working directories."""
        return not place.looped and all(
            any(inside(path, folder) for folder in self.working) for path in (place.given, place.real)
        )


def ground_of(policy: Policy, files: FileView, cwd: str) -> Ground:
    """What the paths of a request are compared with."""
    return Ground(policy, files, normal(cwd))


def judge_paths(request: Request, policy: Policy, files: FileView) -> Judgement:
    """Judge a call of a tool that reads or writes files."""
    kind = kind_of(request.tool)
    ground = ground_of(policy, files, request.cwd)
    targets, trouble = request_targets(request, kind, ground)
    for target in targets:
        found = denied(target, ground)
        if found is not None:
            return found
    if trouble:
        return unknown(trouble)
    for target in targets:
        found = asked(target, ground)
        if found is not None:
            return found
    rules = [_allowing(request.tool, target, ground) for target in targets]
    within = all(ground.holds(target.place) for target in targets)
    if rules and rules[0] is not None and all(rule is not None for rule in rules):
        return ruled(rules[0], f"{_verb(targets[0])} {targets[0].place.given}", within)
    missing = next((target for target, rule in zip(targets, rules, strict=True) if rule is None), None)
    what = f"{_verb(missing)} {missing.place.given}" if missing else f"this call of {request.tool}"
    return uncovered(f"No rule allows {what}.", within)


def _verb(target: Target) -> str:
    return "writing" if target.writes else "reading"


def request_targets(request: Request, kind: ToolKind, ground: Ground) -> tuple[list[Target], str]:
    """What the call touches, and what is wrong with its input."""
    written = [request.input.get(name) for name in kind.path_fields]
    paths: list[str] = []
    for value in written:
        if value is None and not kind.needs_path:
            paths.append(request.cwd)
        elif isinstance(value, str) and value:
            paths.append(value)
        else:
            return [], f"The call of {request.tool} names no path as text."
    if request.tool == "Glob":
        pattern = request.input.get("pattern", "")
        if not isinstance(pattern, str):
            return [], "The pattern of Glob is no text."
        paths = [_glob_start(pattern, path) for path in paths]
    trouble = ""
    home = str(ground.policy.folders.home)
    targets: list[Target] = []
    for path in paths:
        if STRANGE.search(path):
            trouble = "The path holds a control character or an invisible one."
        if len(path) > LONGEST_PATH:
            return targets, "The path is longer than the system takes."
        place = locate(absolute(path, ground.cwd, home), ground.files)
        trouble = trouble or (f"The links at {place.given} lead in a circle." if place.looped else "")
        listing = kind.effect is Effect.READ and not kind.needs_path
        targets.append(Target(place, kind.effect is Effect.EDIT, kind.walks, listing))
    return targets, trouble


def _glob_start(pattern: str, folder: str) -> str:
    """The folder from which a pattern is looked for; steps up after a wildcard are taken at once."""
    names = pattern.split("/")
    head: list[str] = []
    for at, name in enumerate(names):
        if WILD.search(name) or "{" in name:
            head.extend(".." for later in names[at:] if later == "..")
            break
        head.append(name)
    start = "/".join(head)
    return start or "/" if pattern.startswith(("/", "~")) else f"{folder}/{start}"


def denied(target: Target, ground: Ground) -> Judgement | None:
    """What deny rules say of a path; a deny that holds for some of what a walk meets asks."""
    rule = _hit(ground.policy.deny, target, ground)
    return ruled(rule, f"{_verb(target)} {target.place.given}") if rule is not None else None


def asked(target: Target, ground: Ground) -> Judgement | None:
    """What guards and ask rules say of a path, and deny rules of what may lie below it."""
    policy = ground.policy
    reason = (
        protected_write(target.place.passed, policy.own, policy.mode, ground.files.folds_case)
        if target.writes
        else protected_read(target.place.passed, policy.own)
    )
    if not reason and (target.writes or target.walks):
        reason = own_below(target.place.passed, policy.own)
    if reason:
        return guarded(reason)
    rule = _hit(policy.ask, target, ground)
    if rule is not None:
        return ruled(rule, f"{_verb(target)} {target.place.given}")
    if target.walks:
        for rules in (policy.deny, policy.ask):
            rule = _some_below(rules, target, ground)
            if rule is not None:
                what = f"the rule {rule.text} ({rule.source}) is about"
                return unknown(f"Below {target.place.given} may lie what {what}.")
    return None


def _hit(rules: RuleSet, target: Target, ground: Ground) -> RuleText | None:
    folds = ground.files.folds_case
    for index in (rules.read, rules.edit) if target.writes else (rules.read,):
        if not index:
            continue
        for path in target.place.passed:
            rule = index.match(path, ground.cwd, folds, ground.work)
            if rule is None and (target.folder or target.walks):
                rule = index.match_all_below(path, ground.cwd, folds, ground.work)
            if rule is not None:
                return rule
    return None


def _some_below(rules: RuleSet, target: Target, ground: Ground) -> RuleText | None:
    for index in (rules.read, rules.edit) if target.writes else (rules.read,):
        if not index:
            continue
        for path in {target.place.given, target.place.real}:
            rule = index.match_fixed_below(path, ground.cwd) or _found_below(index, path, ground)
            if rule is not None:
                return rule
    return None


def _found_below(index: PathIndex, folder: str, ground: Ground) -> RuleText | None:
    """A rule for any depth that fits something below a folder, or may if too much is there to look."""
    possible = index.match_floating_below(folder, ground.cwd)
    if possible is None:
        return None
    question = (id(index), folder)
    if question not in ground.below:
        ground.below[question] = _looked_below(index, folder, possible, ground)
    return ground.below[question]


def _looked_below(index: PathIndex, folder: str, possible: RuleText, ground: Ground) -> RuleText | None:
    for path in below(folder, ground.files, ground.looks):
        ground.looks.spend(len(index.rest) // 10)
        if path is None or ground.work.left < 0:
            return possible
        rule = index.match(path, ground.cwd, ground.files.folds_case, ground.work)
        if rule is not None:
            return rule
    return None


def _allowing(tool: str, target: Target, ground: Ground) -> RuleText | None:
    whole = ground.policy.allow.whole_tool(tool)
    return whole if whole is not None else allowing_path(target, ground)


def allowing_path(target: Target, ground: Ground) -> RuleText | None:
    """The rule that allows a path, as given and as it really is."""
    place, folds = target.place, ground.files.folds_case
    index = ground.policy.allow.edit if target.writes else ground.policy.allow.read
    if place.looped or not index:
        return None
    found = None
    for path in (place.given, place.real):
        found = index.match(path, ground.cwd, folds)
        if found is None and target.folder:
            found = index.match_all_below(path, ground.cwd, folds)
        if found is None:
            return None
    return found
