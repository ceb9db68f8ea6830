"""What a changed settings file does to a running session: what it forbids counts, what it allows does not.

A worker may be allowed to write the very file, or a folder above it, in ways that no reading of commands
can foresee. So what widens waits until a person takes it, or for the next run. Pure.
"""

from dataclasses import dataclass

from swarm.permissions.model import Behavior, Mode, RuleText, Settings

WIDTH: dict[Mode | None, int] = {
    Mode.PLAN: 0,
    Mode.DONT_ASK: 1,
    None: 2,
    Mode.DEFAULT: 2,
    Mode.ACCEPT_EDITS: 3,
    Mode.BYPASS: 4,
}
"""How much each mode lets through; None is a file that sets none."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """What is in force of a changed file, and in words what of it is not."""

    settings: Settings
    held: tuple[str, ...]


def narrow(before: Settings, after: Settings, granted: tuple[RuleText, ...] = ()) -> Narrowed:
    """Give what of `after` counts where `before` was in force; rules in `granted` were written by a person.

    Rules are the same if behaviour and text are; where they stand is taken from `after`.
    """
    known = {_key(rule) for rule in (*before.rules, *granted)}
    now = {_key(rule) for rule in after.rules}
    added = [rule for rule in after.rules if _widens(rule) and _key(rule) not in known]
    lifted = [rule for rule in before.rules if not _widens(rule) and _key(rule) not in now]
    kept = tuple(rule for rule in after.rules if rule not in added)
    wider = WIDTH[after.mode] > WIDTH[before.mode]
    mode = before.mode if wider else after.mode
    held = (
        *(f"{rule.text} is allowed" for rule in added),
        *(f"{rule.text} is no longer {_PAST[rule.behavior]}" for rule in lifted),
        *([f"the mode is {after.mode or Mode.DEFAULT}"] if wider else []),
    )
    return Narrowed(Settings((*kept, *lifted), mode, after.problems), tuple(held))


_PAST = {Behavior.ASK: "asked about", Behavior.DENY: "denied"}


def _widens(rule: RuleText) -> bool:
    return rule.behavior is Behavior.ALLOW


def _key(rule: RuleText) -> tuple[Behavior, str]:
    return rule.behavior, rule.text
