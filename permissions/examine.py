"""A look at what a request does: only reads, and only here, or more. Knows no rules."""

from dataclasses import dataclass
from enum import StrEnum

from swarm.permissions.examine_call import call_reads
from swarm.permissions.files import FileView, Kind
from swarm.permissions.guards import own_folder, protected_name
from swarm.permissions.match_bash import CONTROL, LONGEST_COMMAND
from swarm.permissions.match_case import Case, look_up, read_case
from swarm.permissions.match_path import Ground, Target, ground_of, request_targets
from swarm.permissions.match_touches import Spot, absolute_texts, repository_of_its_own
from swarm.permissions.model import Request
from swarm.permissions.paths import STRANGE, Place, locate, normal
from swarm.permissions.policy import Policy
from swarm.permissions.secrets import looks_secret
from swarm.permissions.shell.calls import Call
from swarm.permissions.shell.scope import ELSEWHERE
from swarm.permissions.shell.touches_git import folder_option
from swarm.permissions.shell.wrappers import names
from swarm.permissions.shortening import shortened
from swarm.permissions.tools import Effect, kind_of
from swarm.permissions.walks import below

# Commands that show names, not what is in the files.
NAMERS = names("ls find tree du fd stat file test [ realpath readlink basename dirname which git pwd cd")


class Finding(StrEnum):
    """SAFE: only reads, here, nothing secret. ELSEWHERE: only reads, but not so. OTHER: may do more."""

    SAFE = "safe"
    ELSEWHERE = "elsewhere"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Examination:
    """What a look at a request showed."""

    finding: Finding
    why: str


def examine(request: Request, policy: Policy, files: FileView) -> Examination:
    """Look at what a request does, whatever rules say. Total for any request."""
    effect = kind_of(request.tool).effect
    if effect is Effect.READ:
        return _tool(request, ground_of(policy, files, request.cwd))
    command = request.input.get("command")
    if effect is not Effect.COMMAND or not isinstance(command, str):
        return Examination(Finding.OTHER, f"It is not known that {request.tool} only reads.")
    if (
        len(command) > LONGEST_COMMAND
        or CONTROL.search(command)
        or STRANGE.search(command.replace("\n", " "))
    ):
        return Examination(Finding.OTHER, "The command is too long or holds signs that cannot be seen.")
    return _command(read_case(request, policy, files))


def _tool(request: Request, ground: Ground) -> Examination:
    targets, trouble = request_targets(request, kind_of(request.tool), ground)
    if trouble or not targets:
        return Examination(Finding.OTHER, trouble or "It names no path.")
    for target in targets:
        why = _place(target.place, ground)
        if not why and request.tool == "Grep":
            why = _shows_secret(target, ground)
        if why:
            return Examination(Finding.ELSEWHERE, why)
    return Examination(Finding.SAFE, "It only reads, inside the working directories.")


def _command(case: Case) -> Examination:
    for hindrance in case.findings.hindrances:
        return Examination(Finding.OTHER, hindrance.why[:1].upper() + hindrance.why[1:] + ".")
    if case.findings.maybe:
        return Examination(Finding.OTHER, "It sets a variable that names a command.")
    if not case.findings.calls:
        return Examination(Finding.OTHER, "It runs nothing that is known to only read.")
    for call in case.findings.calls:
        why = "" if call.idiom else call_reads(call)
        if why:
            return Examination(Finding.OTHER, why)
    look_up(case)
    if case.exhausted():
        return Examination(Finding.OTHER, "It names too many files to look through.")
    for spot in case.redirects:
        if spot.touch.writes:
            return Examination(Finding.OTHER, f"It writes {shortened(spot.touch.arg.raw)}.")
        why = _spot(spot, None, case.ground)
        if why:
            return Examination(Finding.ELSEWHERE, why)
    for _, call in case.calls:
        for spot in case.spots.get(id(call), []):
            why = _spot(spot, call, case.ground)
            if why:
                return Examination(Finding.ELSEWHERE, why)
        why = _stays(call, case.ground) or repository_of_its_own(call, case.ground)
        if why:
            return Examination(Finding.ELSEWHERE, why)
    return Examination(Finding.SAFE, "Every command only reads, inside the working directories.")


def _stays(call: Call, ground: Ground) -> str:
    """A command runs in a working directory, and so does the folder that cd goes to."""
    if ELSEWHERE in call.folders:
        return "The folder it runs in is not known."
    folders = list(call.folders)
    if call.name == "cd":
        target = call.args[1].value if len(call.args) == 2 else None
        if target is None:
            return "It goes to a folder that is not a working directory."
        folders = [target if target.startswith("/") else f"{folder}/{target}" for folder in folders]
    place = folder_option(call) if call.name == "git" else None
    if place is not None:
        if place.value is None:
            return "The folder that git goes to is not known."
        folders = absolute_texts(place, call.folders, place.value)
        if any(ground.files.kind(f"{normal(folder)}/.git") is not Kind.MISSING for folder in folders):
            return "git goes to a repository of its own, whose settings may run programs."
    for folder in folders:
        if not ground.holds(locate(folder, ground.files)):
            return f"{folder} is no working directory."
    return ""


def _spot(spot: Spot, call: Call | None, ground: Ground) -> str:
    if spot.unsure:
        return f"Which file {shortened(spot.touch.arg.raw)} names is not known."
    for target in spot.targets:
        why = _place(target.place, ground)
        if not why and spot.touch.walks and call is not None and call.name not in NAMERS:
            why = _shows_secret(target, ground)
        if why:
            return why
    return ""


def _place(place: Place, ground: Ground) -> str:
    if place.looped or not ground.holds(place):
        return f"{place.given} lies outside the working directories."
    for path in place.passed:
        shown = path.removeprefix(ground.cwd)
        if looks_secret(shown):
            return f"{path} looks like a secret."
        if protected_name(shown, ground.files.folds_case) or own_folder(path, ground.policy.own):
            return f"{path} is a protected path."
    return ""


def _shows_secret(target: Target, ground: Ground) -> str:
    """A secret-looking file below a folder; so many that not all were seen counts as one."""
    if ground.files.kind(target.place.real) is not Kind.FOLDER:
        return ""
    for path in below(target.place.real, ground.files, ground.looks):
        if path is None:
            return f"There is too much below {target.place.given} to look through."
        if looks_secret(path.rpartition("/")[2]):
            return f"{path} looks like a secret."
        if ground.files.kind(path) is Kind.LINK:
            return f"{path} is a link that may lead elsewhere."
    return ""
