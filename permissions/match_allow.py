"""Whether allow rules cover a whole command: each part, each written file, and nothing left over. Pure."""

import re
from dataclasses import dataclass, field

from swarm.permissions.match_path import Ground, allowing_path
from swarm.permissions.match_touches import FREE_SOURCES, Spot, absolute_texts, repository_of_its_own
from swarm.permissions.model import Behavior, Mode, PartVerdict, RuleText
from swarm.permissions.paths import STRANGE, locate
from swarm.permissions.rules_bash import normalised
from swarm.permissions.shell.calls import Call, Findings
from swarm.permissions.shell.scope import ELSEWHERE
from swarm.permissions.shell.wrappers import UNCOVERED

BLANK_LIKE = re.compile("[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]")
CONTINUED = re.compile(r"\\\n")
NETWORK_FILES = ("/dev/tcp/", "/dev/udp/")


@dataclass(slots=True)
class Cover:
    """The parts, what is not covered, and a rule that decided. `free`: a cd needed no rule.

    `calls` and `files` lack a rule; `hopeless`: no rule could cover it all.
    """

    parts: tuple[PartVerdict, ...] = ()
    missing: list[str] = field(default_factory=list)
    rule: RuleText | None = None
    free: bool = False
    calls: list[Call] = field(default_factory=list)
    files: list[Spot] = field(default_factory=list)
    hopeless: bool = False


def cover(text: str, findings: Findings, files: list[Spot], ground: Ground) -> Cover:
    """Look for what allow rules do not cover."""
    found = Cover()
    parts: list[PartVerdict] = []
    _oddities(text, found)
    for hindrance in findings.hindrances:
        if hindrance.blocks:
            found.hopeless = True
            found.missing.append(hindrance.why[:1].upper() + hindrance.why[1:] + ".")
            span = text[hindrance.start : hindrance.end]
            parts.append(PartVerdict(span, hindrance.start, hindrance.end, Behavior.ASK, found.missing[-1]))
    parts.extend(_part(call, text, ground, found) for call in findings.calls)
    for spot in files:
        _file(spot, text, ground, found, parts)
    found.parts = tuple(parts)
    return found


def _oddities(text: str, found: Cover) -> None:
    if text.isascii() and text.isprintable():
        return
    if STRANGE.search(text.replace("\n", " ").replace("\t", " ")):
        found.missing.append(
            "The command holds characters that cannot be seen or that turn the direction of text."
        )
    elif BLANK_LIKE.search(text):
        found.missing.append("The command holds blanks that only look like blanks.")
    found.hopeless = bool(found.missing)


def _part(call: Call, text: str, ground: Ground, found: Cover) -> PartVerdict:
    span = text[call.start : call.end]
    before = len(found.missing)
    rule = allowing(call, ground, found)
    if len(found.missing) > before:
        return PartVerdict(span, call.start, call.end, Behavior.ASK, found.missing[before])
    if rule is None:
        return PartVerdict(span, call.start, call.end, Behavior.ALLOW, "It needs no rule.")
    found.rule = found.rule or rule
    why = f"The rule {rule.text} ({rule.source}) allows it."
    return PartVerdict(span, call.start, call.end, Behavior.ALLOW, why, rule)


def allowing(call: Call, ground: Ground, found: Cover) -> RuleText | None:
    """The rule that allows a call and all that it runs; what lacks one is added to what is missing."""
    if call.idiom:
        return None
    if call.clear and call.inner:
        rules = [allowing(inner, ground, found) for inner in call.inner]
        return rules[0]
    written = normalised(CONTINUED.sub("", call.written))
    rule = ground.policy.allow.commands.match_written(written) if call.plain_name else None
    if rule is None and _free(call, ground):
        found.free = True
        return None
    if rule is None:
        shown = written if len(written) <= 80 else f"{written[:79]}…"
        found.missing.append(f"No rule allows `{shown}`.")
        found.calls.append(call)
        found.hopeless = found.hopeless or not call.plain_name
        return None
    if call.name in UNCOVERED:
        found.missing.append(f"`{call.name}` is covered by no rule.")
        found.hopeless = True
        return None
    folder = repository_of_its_own(call, ground)
    if folder:
        found.missing.append(f"{folder} is a repository of its own, whose settings may run programs.")
        found.hopeless = True
        return None
    for inner in call.inner:
        allowing(inner, ground, found)
    return rule


def _free(call: Call, ground: Ground) -> bool:
    """Whether the call is a cd inside the working directories."""
    if call.name != "cd" or call.args[0].value != "cd" or len(call.args) != 2:
        return False
    target = call.args[1].value
    if not target or target.startswith("-") or call.args[1].pattern:
        return False
    places = [locate(path, ground.files) for path in absolute_texts(call.args[1], call.folders, target)]
    lost = ELSEWHERE in call.folders and not target.startswith("/")
    return bool(places) and not lost and all(ground.holds(place) for place in places)


def _file(spot: Spot, text: str, ground: Ground, found: Cover, parts: list[PartVerdict]) -> None:
    span = text[spot.start : spot.end]
    value = spot.touch.arg.value
    if value is not None and any(target.place.given.startswith(NETWORK_FILES) for target in spot.targets):
        found.missing.append("It opens a connection to the network.")
        found.hopeless = True
    elif not spot.touch.writes or value in FREE_SOURCES:
        return
    elif spot.unsure:
        found.missing.append("Which file it writes is not known.")
        found.hopeless = True
    else:
        rules = [allowing_path(target, ground) for target in spot.targets]
        edits = ground.policy.mode is Mode.ACCEPT_EDITS
        for target, rule in zip(spot.targets, rules, strict=True):
            if rule is None and not (edits and ground.holds(target.place)):
                found.missing.append(f"No rule allows writing {target.place.given}.")
                found.files.append(spot)
                break
        else:
            parts.append(
                PartVerdict(span, spot.start, spot.end, Behavior.ALLOW, "Writing it is allowed.", rules[0])
            )
            found.rule = found.rule or rules[0]
            return
    parts.append(PartVerdict(span, spot.start, spot.end, Behavior.ASK, found.missing[-1]))
