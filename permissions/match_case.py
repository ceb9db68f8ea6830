"""One command being judged: what it runs and touches, and what rules say of each part, asked once. Pure."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar, cast

from swarm.permissions.files import FileView
from swarm.permissions.judgement import Judgement
from swarm.permissions.match_calls import matching
from swarm.permissions.match_links import linked, makes_links
from swarm.permissions.match_path import Ground, ground_of
from swarm.permissions.match_touches import Spot, asked_spot, critical, denied_spot, redirected, spots
from swarm.permissions.model import Request, RuleText
from swarm.permissions.policy import Policy, RuleSet
from swarm.permissions.shell.calls import Call, Findings, Hindrance
from swarm.permissions.shell.simple import read_commands

MOST_FILES = 300
BACKGROUND = "it runs in the background, which no rule covers"
Answer = TypeVar("Answer")


@dataclass(slots=True)
class Case:
    """One command being judged, with what was found of each part.

    `crowded`: it names more files than are looked at. `answers` are kept by question and part.
    """

    text: str
    ground: Ground
    findings: Findings
    calls: list[tuple[Call, Call]] = field(default_factory=list)
    spots: dict[int, list[Spot]] = field(default_factory=dict)
    redirects: list[Spot] = field(default_factory=list)
    crowded: bool = False
    answers: dict[tuple[object, ...], object] = field(default_factory=dict)

    def exhausted(self) -> bool:
        """Whether more was looked at already than is for one command: what is left stays unread."""
        return self.crowded or self.ground.work.left < 0

    def all_spots(self) -> list[Spot]:
        """Every file that is touched."""
        return [spot for found in self.spots.values() for spot in found] + self.redirects

    def matching(self, call: Call, rules: RuleSet) -> RuleText | None:
        """The rule that fits a call, however it is spelt."""
        return self.once(lambda: matching(call, rules), "matching", id(call), id(rules))

    def denied(self, spot: Spot) -> Judgement | None:
        """What deny rules say of a file."""
        return self.once(lambda: denied_spot(spot, self.ground), "denied", id(spot))

    def asked(self, spot: Spot) -> Judgement | None:
        """What guards and ask rules say of a file."""
        return self.once(lambda: asked_spot(spot, self.ground), "asked", id(spot))

    def critical(self, call: Call) -> Judgement | None:
        """What the guard against critical deletions says."""
        return self.once(
            lambda: critical(call, self.spots.get(id(call), []), self.ground), "critical", id(call)
        )

    def once(self, ask: Callable[[], Answer], *question: object) -> Answer:
        """The answer to a question, which is asked once."""
        if question not in self.answers:
            self.answers[question] = ask()
        return cast("Answer", self.answers[question])


def open_case(request: Request, policy: Policy, files: FileView) -> Case:
    """Read the command of a call of the shell, which is text, and find what it touches."""
    case = read_case(request, policy, files)
    look_up(case)
    return case


def read_case(request: Request, policy: Policy, files: FileView) -> Case:
    """Read the command of a call of the shell; which files it touches is not looked up yet."""
    command = str(request.input.get("command"))
    ground = ground_of(policy, files, request.cwd)
    case = Case(command, ground, read_commands(command, ground.cwd, str(policy.folders.home)))
    if request.input.get("run_in_background") not in (None, False):
        case.findings.hindrances.append(Hindrance(0, len(command), BACKGROUND))
    for root in case.findings.calls:
        case.calls.extend((root, call) for call in root.all())
    return case


def look_up(case: Case) -> None:
    """Find what a command touches, as the files are."""
    ground = case.ground
    made = [call for _, call in case.calls if makes_links(call)]
    views = linked(made, case.findings, ground) if made else ()
    later = (
        replace(ground, files=views[0], others=views[1:], places={}, globs={}, below={})
        if views
        else ground
    )
    count = 0
    for _, call in case.calls:
        if call.name is not None:
            found = spots(call, ground if makes_links(call) else later, MOST_FILES - count)
            case.spots[id(call)] = found
            count += sum(max(1, len(spot.targets)) for spot in found)
    for use in case.findings.files:
        if count > MOST_FILES or ground.work.left < 0:
            break
        spot = redirected(use, later)
        if spot is not None:
            case.redirects.append(spot)
            count += max(1, len(spot.targets))
    case.crowded = count > MOST_FILES or ground.work.left < 0
