"""The files that commands touch, against path rules and the guards. Pure."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from swarm.permissions.files import Kind
from swarm.permissions.globs import matches
from swarm.permissions.guards import PROTECTED_BELOW, PROTECTED_NAMES, critical_target
from swarm.permissions.judgement import Judgement, guarded, ruled, unknown
from swarm.permissions.match_globs import met_by
from swarm.permissions.match_path import Ground, Target, asked, denied
from swarm.permissions.model import Mode
from swarm.permissions.paths import LONGEST_PATH, locate, normal
from swarm.permissions.policy import RuleSet
from swarm.permissions.shell.calls import Call, FileUse
from swarm.permissions.shell.expand import Arg
from swarm.permissions.shell.scope import ELSEWHERE
from swarm.permissions.shell.shapes import TAME, UNKNOWN, may_be, of_rest
from swarm.permissions.shell.touch import Touch
from swarm.permissions.shell.touches import touches
from swarm.permissions.shortening import shortened

MOST_WORDS = 200
# What a file that a command names, and following a path, cost of the work for a command.
SPOT, LOCATED = 5, 5
HIDDEN_NAMES = frozenset({*PROTECTED_NAMES, ".config"})
DELETERS = frozenset({"rm", "rmdir", "unlink", "shred", "find"})
# A process's own folder and root, which are links to other places for every process.
PROCESS = re.compile(r"/proc/(?:self|thread-self|\d+)/(?:task/\d+/)?(cwd|root)(?=/|$)")
IDLE = re.compile(r"/(?:\.?/)+")
EVERYTHING = re.compile(r"[*?.\[\]!^]*[*?\]][*?.\[\]!^]*")
FREE_TARGETS = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr"})
FREE_SOURCES = FREE_TARGETS | {
    "/dev/stdin",
    "/dev/zero",
    "/dev/urandom",
    "/dev/random",
    "/dev/tty",
    "/dev/full",
}


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a touched file may be: its targets, none if it cannot be known; `what` is the word."""

    targets: tuple[Target, ...]
    touch: Touch
    folders: tuple[str, ...]
    start: int
    end: int

    @property
    def unsure(self) -> bool:
        """Whether it may be another file than the targets."""
        value = self.touch.arg.value
        return (
            not self.targets or value is None or (ELSEWHERE in self.folders and not value.startswith("/"))
        )


def spots(call: Call, ground: Ground, most: int) -> list[Spot]:
    """Where the files of one command may be; the first ones where there are more files than `most`."""
    found: list[Spot] = []
    for touch in touches(call):
        if most < 0 or not ground.work.spend(SPOT):
            break
        found.append(Spot(_targets(touch, call.folders, ground), touch, call.folders, call.start, call.end))
        most -= max(1, len(found[-1].targets))
    return [
        spot
        for spot in found
        if not spot.touch.into or any(_in_folder(target, ground) for target in spot.targets)
    ]


def _in_folder(target: Target, ground: Ground) -> bool:
    folder = locate(target.place.given.rpartition("/")[0] or "/", ground.files)
    return ground.files.kind(folder.real) is Kind.FOLDER


def redirected(use: FileUse, ground: Ground) -> Spot | None:
    """Where a redirected file may be; none if it is a device that anybody may use."""
    if use.arg.value in (FREE_TARGETS if use.writes else FREE_SOURCES):
        return None
    touch = Touch(use.arg, writes=use.writes)
    return Spot(_targets(touch, use.folders, ground), touch, use.folders, use.start, use.end)


def absolute_texts(arg: Arg, folders: tuple[str, ...], text: str) -> list[str]:
    """A word as absolute paths, not yet normal; none if its folder is not known."""
    if len(text) > LONGEST_PATH:
        return []
    places = [folder for folder in folders if folder != ELSEWHERE]
    text = IDLE.sub("/", text) if "proc" in text else text
    process = PROCESS.match(text)
    if process is not None:
        starts = places if process[1] == "cwd" else [""]
        return [f"{start}/{text[process.end() :]}" for start in starts]
    if text.startswith("/"):
        return [text]
    return [f"{folder}/{text}" for folder in places]


def _targets(touch: Touch, folders: tuple[str, ...], ground: Ground) -> tuple[Target, ...]:
    arg = touch.arg
    if arg.value is None:
        return ()
    found: list[Target] = []
    found.extend(_target(path, touch, ground) for path in absolute_texts(arg, folders, arg.value))
    if arg.pattern:
        for pattern in absolute_texts(arg, folders, arg.pattern):
            if pattern not in ground.globs:
                ground.globs[pattern] = matches(pattern, ground.files, ground.looks)
            paths = ground.globs[pattern]
            if paths is None:
                return ()
            found.extend(_target(path, touch, ground) for path in paths)
    return tuple(found)


def _target(path: str, touch: Touch, ground: Ground) -> Target:
    place = ground.places.get(path)
    if place is None:
        ground.work.spend((LOCATED + path.count("/")) * (1 + len(ground.others)))
        place = locate(path, ground.files)
        for files in ground.others:
            other = locate(path, files)
            place = replace(place, passed=tuple(dict.fromkeys(place.passed + other.passed)))
        ground.places[path] = place
    return Target(place, touch.writes, touch.walks, folder=True)


def denied_spot(spot: Spot, ground: Ground) -> Judgement | None:
    """What deny rules say of a file that is touched."""
    return _first(denied, spot, ground) or _by_glob(ground.policy.deny, spot, ground)


def _first(
    say: Callable[[Target, Ground], Judgement | None], spot: Spot, ground: Ground
) -> Judgement | None:
    """What is said of the first target that something is said of, as far as the work goes."""
    for target in spot.targets:
        found = say(target, ground)
        if found is not None or ground.work.left < 0:
            return found
    return None


def _by_glob(rules: RuleSet, spot: Spot, ground: Ground) -> Judgement | None:
    """A rule about a path that a glob could stand for, whether it exists yet or not."""
    if not spot.touch.arg.pattern:
        return None
    for pattern in absolute_texts(spot.touch.arg, spot.folders, spot.touch.arg.pattern):
        for index in (rules.read, rules.edit) if spot.touch.writes else (rules.read,):
            rule = (
                met_by(index, pattern, ground.cwd, ground.files.folds_case, ground.work) if index else None
            )
            if rule is not None:
                return ruled(rule, f"what {shortened(spot.touch.arg.raw)} can stand for")
    return None


def asked_spot(spot: Spot, ground: Ground) -> Judgement | None:
    """What guards and ask rules say of a file that is touched, or that it cannot be known."""
    found = _first(asked, spot, ground)
    if found is not None:
        return found
    found = _by_glob(ground.policy.ask, spot, ground)
    if found is not None:
        return found
    policy = ground.policy
    if _maybe_protected(spot, ground):
        what = shortened(spot.touch.arg.raw)
        return guarded(f"Which file {what} names cannot be known: it could be a protected one.")
    if spot.unsure and (policy.deny.read or policy.deny.edit or policy.ask.read or policy.ask.edit):
        return unknown(
            f"Which file {shortened(spot.touch.arg.raw)} names cannot be known, and rules restrict files."
        )
    looped = next((target.place.given for target in spot.targets if target.place.looped), "")
    return unknown(f"The links at {looped} lead in a circle.") if looped else None


def _maybe_protected(spot: Spot, ground: Ground) -> bool:
    """Whether a text of the agent's may get into a protected file, as far as the word shows."""
    touch = spot.touch
    if not touch.writes or touch.deletes or touch.mild or ground.policy.mode is Mode.BYPASS:
        return False
    if touch.arg.value is not None:
        lost = ELSEWHERE in spot.folders and not touch.arg.value.startswith("/")
        return lost and not PROTECTED_BELOW.isdisjoint(touch.arg.value.split("/"))
    shape = of_rest(touch.arg.shape, touch.arg.prefix)
    if may_be(shape, HIDDEN_NAMES):
        return True
    begins = shape.partition(UNKNOWN)[0].partition(TAME)[0]
    known = absolute_texts(touch.arg, spot.folders, begins)
    places = {normal(path) + "/" * path.endswith("/") for path in known}
    return any(f"{own}/".startswith(place) for own in ground.policy.own for place in places)


def critical(call: Call, found: list[Spot], ground: Ground) -> Judgement | None:
    """The guard against deleting what must not be deleted."""
    if call.name not in DELETERS:
        return None
    for spot in found:
        if not spot.touch.deletes:
            continue
        arg = spot.touch.arg
        if spot.unsure and spot.touch.walks:
            return guarded(f"What {shortened(arg.raw)} deletes cannot be known: that is always asked.")
        for path in _deleted(spot, ground):
            what = _critical(path, ground)
            if what:
                return guarded(f"This would delete {what} ({path}): that is always asked.")
    return None


def _deleted(spot: Spot, ground: Ground) -> Iterator[str]:
    arg = spot.touch.arg
    for target in spot.targets:
        yield from target.place.passed
    for path in absolute_texts(arg, spot.folders, arg.pattern or ""):
        folder, _, name = path.rstrip("/").rpartition("/")
        if arg.pattern and EVERYTHING.fullmatch(name):
            yield from locate(folder or "/", ground.files).passed


def _critical(path: str, ground: Ground) -> str:
    home = str(ground.policy.folders.home)
    for folder in ground.working:
        what = critical_target(path, folder, home)
        if what:
            return what
    return ""


def named_by_chance(call: Call, ground: Ground) -> Judgement | None:
    """A word of a program that is not known names a file which rules are about: it may open it."""
    policy = ground.policy
    indexes = [index for rules in (policy.deny, policy.ask) for index in (rules.read, rules.edit) if index]
    if not indexes:
        return None
    for arg in call.args[1 : MOST_WORDS + 1]:
        named = (
            path for text in _named(arg.value or "") for path in absolute_texts(arg, call.folders, text)
        )
        for path in map(normal, named):
            if ground.work.left < 0:
                return None
            for index in indexes:
                rule = index.match(path, ground.cwd, ground.files.folds_case, ground.work)
                rule = rule or index.match_all_below(path, ground.cwd, ground.files.folds_case, ground.work)
                if rule is not None:
                    what = f"the rule {rule.text} ({rule.source}) is about {shortened(arg.raw)}"
                    return unknown(f"It is not known what {call.name} does with its files, and {what}.")
    return None


def _named(text: str) -> Iterator[str]:
    """What of a word may be a path: itself, an option's value, what stands before `:` or behind `@`."""
    if text.startswith("-"):
        value = text.partition("=")[2] if "=" in text else text[2:]
        if value:
            yield from (value, value.lstrip("@"))
    elif text:
        yield text
        if "@" in text or ":" in text:
            yield from filter(None, (text.rpartition("@")[2], text.partition(":")[0]))


def repository_of_its_own(call: Call, ground: Ground) -> str:
    """A folder that the command went to and that brings its own git settings; empty if none."""
    if call.name != "git":
        return ""
    for folder in call.folders:
        if normal(folder) == ground.cwd:
            continue
        bare = all(
            ground.files.kind(f"{folder}/{name}") is not Kind.MISSING
            for name in ("HEAD", "objects", "refs")
        )
        if bare or ground.files.kind(f"{folder}/.git") is not Kind.MISSING:
            return folder
    return ""
