"""Commands against all rules and guards: deny, guards and ask, what cannot be known, allow. Pure."""

import re

from swarm.permissions.files import FileView
from swarm.permissions.judgement import Cause, Judgement, ruled, uncovered, unknown
from swarm.permissions.match_allow import Cover, cover
from swarm.permissions.match_calls import hidden, knows_files, matching, possible
from swarm.permissions.match_carried import carried
from swarm.permissions.match_case import Case, open_case
from swarm.permissions.match_path import Ground
from swarm.permissions.match_touches import absolute_texts, named_by_chance
from swarm.permissions.model import Behavior, PartVerdict, Request
from swarm.permissions.paths import STRANGE, normal
from swarm.permissions.policy import Policy, RuleSet
from swarm.permissions.shell.acting import acts
from swarm.permissions.shell.calls import Call
from swarm.permissions.shell.subcommands import runs_unknown, runs_words
from swarm.permissions.shell.wrappers import names
from swarm.permissions.shortening import shortened

COMPILERS = names("gcc g++ cc c++ clang clang++ go rustc ld tar unzip git rm curl wget")
LONGEST_COMMAND = 10_000
CROWDED = "The command names or does more than is looked through for one, so it is asked."
# What looking for doubts about a call costs of the work for a command.
DOUBT = 20
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def judge_command(request: Request, policy: Policy, files: FileView) -> Judgement:
    """Judge a call of the shell."""
    command = request.input.get("command")
    if not isinstance(command, str):
        return unknown("The call names no command as text.")
    if len(command) > LONGEST_COMMAND:
        return unknown(
            f"The command has more than {LONGEST_COMMAND:,} characters: it is not looked through."
        )
    case = open_case(request, policy, files)
    found = _denied(case)
    if found is not None:
        return _with_parts(case, found)
    if CONTROL.search(command):
        return unknown("The command holds a control character.")
    if case.exhausted():
        return unknown(CROWDED)
    found = _guarded_or_asked(case) or _unknown(case)
    if found is None and case.exhausted():
        return unknown(CROWDED)
    return _with_parts(case, found) if found is not None else allow_or_not(case)


def _denied(case: Case) -> Judgement | None:
    for _, call in case.calls:
        rule = case.matching(call, case.ground.policy.deny)
        if rule is not None:
            return ruled(rule, f"`{_shown(call)}`")
    for spot in case.all_spots():
        found = case.denied(spot)
        if found is not None or case.ground.work.left < 0:
            return found
    return None


def _guarded_or_asked(case: Case) -> Judgement | None:
    ground = case.ground
    for _, call in case.calls:
        found = case.critical(call)
        if found is not None:
            return found
    asks: list[Judgement] = []
    for spot in case.all_spots():
        found = case.asked(spot)
        asks += [found] if found is not None else []
        if case.exhausted():
            return unknown(CROWDED)
    guard = next((found for found in asks if found.cause is Cause.GUARD), None)
    if guard is not None:
        return guard
    for _, call in case.calls:
        rule = case.matching(call, ground.policy.ask)
        if rule is not None:
            return ruled(rule, f"`{_shown(call)}`")
    return asks[0] if asks else None


def _unknown(case: Case) -> Judgement | None:
    """What cannot be known asks wherever a rule could hold for it."""
    policy = case.ground.policy
    unread = next((hindrance for hindrance in case.findings.hindrances if hindrance.unread), None)
    if unread is not None:
        return unknown(f"{_sentence(unread.why)} So it is asked, whatever the rules say.")
    for rules in (policy.deny, policy.ask):
        if not rules.binds_commands:
            continue
        for hindrance in case.findings.hindrances:
            if hindrance.unknown:
                return unknown(f"{_sentence(hindrance.why)} Rules restrict commands, so this is asked.")
        made = _made_here(case)
        if made:
            return unknown(f"It runs {shortened(made)}, which it has made itself: that cannot be known.")
        for call in case.findings.maybe:
            for inner in call.all():
                rule = matching(inner, rules)
                if rule is not None:
                    return unknown(f"A variable names what the rule {rule.text} ({rule.source}) is about.")
        for _, call in case.calls:
            found = _dark(call, rules, case)
            if found is not None:
                return found
            if case.exhausted():
                return unknown(CROWDED)
    return None


def _made_here(case: Case) -> str:
    """A program, by its path, that another part of the command writes; no compiler's work is meant."""
    runs = {
        normal(path): call.args[0].raw
        for _, call in case.calls
        if call.args[0].value and "/" in call.args[0].value
        for path in absolute_texts(call.args[0], call.folders, call.args[0].value)
    }
    if not runs:
        return ""
    spots = [*case.redirects]
    for _, call in case.calls:
        spots += case.spots.get(id(call), []) if call.name not in COMPILERS else []
    written = (
        target.place.given
        for spot in spots
        if spot.touch.writes and not spot.touch.mild
        for target in spot.targets
    )
    return next((runs[path] for path in written if path in runs), "")


def _dark(call: Call, rules: RuleSet, case: Case) -> Judgement | None:
    """A call that may do more than its words show, where a rule could be about that."""
    return case.once(lambda: _doubts(call, rules, case.ground), "dark", id(call), id(rules))


def _doubts(call: Call, rules: RuleSet, ground: Ground) -> Judgement | None:
    ground.work.spend(DOUBT + len(call.args))
    rule = hidden(call, rules) or possible(call, rules) or carried(call, rules)
    if rule is not None:
        return unknown(f"`{_shown(call)}` may run what the rule {rule.text} ({rule.source}) is about.")
    if runs_words(call) and runs_unknown(call):
        return unknown(
            f"`{_shown(call)}` runs a command that cannot be known, and rules restrict commands."
        )
    why = acts(call)
    if why:
        return unknown(f"{why}. Rules restrict commands or files, so this is asked.")
    found = None if knows_files(call.name or "") else named_by_chance(call, ground)
    if found is not None:
        return found
    if STRANGE.search(call.name or ""):
        return unknown("The name of a command holds invisible characters.")
    return None


def allow_or_not(case: Case) -> Judgement:
    """Whether allow rules cover everything."""
    whole = case.ground.policy.allow.whole_tool("Bash")
    if whole is not None:
        return ruled(whole, "every command")
    found: Cover = cover(case.text, case.findings, case.redirects, case.ground)
    parts = found.parts
    if found.missing:
        return Judgement(Behavior.ASK, Cause.NO_RULE, found.missing[0], parts=parts)
    if found.rule is None:
        if found.free:
            return Judgement(
                Behavior.ALLOW, Cause.RULE, "It only goes to a working directory.", parts=parts
            )
        return uncovered("The command runs nothing that a rule could allow.")
    why = ruled(found.rule, f"`{shortened(case.text.strip(), 80)}`").why
    if len(parts) > 1:
        why = f"Every one of the {len(parts)} parts is allowed."
    return Judgement(Behavior.ALLOW, Cause.RULE, why, found.rule, parts)


def _with_parts(case: Case, found: Judgement) -> Judgement:
    """The judgement with each command that stands in the text, and what else of it is not free."""
    parts = []
    for root in case.findings.calls:
        if case.exhausted():
            break
        own = _of_root(root, case)
        if own is None:
            own = found if len(case.findings.calls) == 1 else FREE
        parts.append(_part(case, root.start, root.end, own))
    for spot in [] if case.exhausted() else case.redirects:
        own = case.denied(spot) or case.asked(spot)
        if own is not None:
            parts.append(_part(case, spot.start, spot.end, own))
    if found.cause is Cause.UNKNOWN:
        dark = (one for one in case.findings.hindrances if one.unknown or one.unread)
        parts += [_part(case, one.start, one.end, unknown(_sentence(one.why))) for one in dark]
    return Judgement(found.behavior, found.cause, found.why, found.rule, tuple(dict.fromkeys(parts)))


FREE = Judgement(Behavior.ALLOW, Cause.NO_RULE, "No rule is against this part.")


def _part(case: Case, start: int, end: int, own: Judgement) -> PartVerdict:
    return PartVerdict(case.text[start:end], start, end, own.behavior, own.why, own.rule)


def _of_root(root: Call, case: Case) -> Judgement | None:
    """What holds against one command of the text, whatever else stands there."""
    policy = case.ground.policy
    asks: list[Judgement] = []
    for call in root.all():
        found = case.critical(call)
        asks += [found] if found is not None else []
        for rules in (policy.deny, policy.ask):
            rule = case.matching(call, rules)
            if rule is not None:
                asks.append(ruled(rule, f"`{_shown(call)}`"))
        for spot in case.spots.get(id(call), []):
            found = case.denied(spot) or case.asked(spot)
            asks += [found] if found is not None else []
    if not asks:
        dark = (
            _dark(call, rules, case)
            for call in root.all()
            for rules in (policy.deny, policy.ask)
            if rules.binds_commands
        )
        return next((found for found in dark if found is not None), None)
    return next((found for found in asks if found.behavior is Behavior.DENY), asks[0])


def _shown(call: Call) -> str:
    return shortened(call.written, 80)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
