"""The answer of `swarm rules explain` as lines and as an object. Prints nothing."""

import json
from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from swarm.leader.cli.underlines import underlined
from swarm.leader.headless.lines import one_line
from swarm.leader.rules.examples import Examples
from swarm.leader.rules.explain import Explanation
from swarm.leader.rules.in_force import InForce
from swarm.leader.rules.trial import STRICTNESS
from swarm.leader.rules.way import BY_HAND, Way
from swarm.leader.tui.wrapping import Line
from swarm.permissions.model import Behavior, PartVerdict, RuleText

CAP = 600
"""How many characters of one text of the answer are shown at most."""
HEADS = {
    Behavior.ALLOW: ("It would run.", "bold green"),
    Behavior.ASK: ("It would be asked about.", "bold yellow"),
    Behavior.DENY: ("It would be denied.", "bold red"),
}
LABEL = 12


def explanation_lines(found: Explanation, rules: InForce, width: int) -> Iterator[Line]:
    """Give the whole answer, its sentences within `width` cells."""
    where = f"  {one_line(found.request.tool, 60)} in {one_line(found.request.cwd, CAP)}"
    yield (HEADS[found.verdict.behavior], (where, "dim"))
    yield ()
    yield from _subject(found, width)
    yield ()
    yield from _said("", found.verdict.why, width)
    yield ()
    yield from _parts(found, width)
    yield from _said("guards", found.guard or "No guard objects.", width)
    yield from _said("mode", found.mode_says + (f" ({rules.mode_from})" if rules.mode_from else ""), width)
    yield from _said("classifier", _classifier(found), width)
    yield from _said("rules", _looked_at(rules), width)
    for problem in found.broken:
        yield from _said("broken", f"{problem.source}: {problem.text!r}: {problem.problem}.", width)
    yield ()
    yield from _way(found, width)


def _said(label: str, text: str, width: int) -> Iterator[Line]:
    """A labelled text, wrapped."""
    indent = LABEL if label else 0
    rows = wrap(
        one_line(text, CAP), max(width - indent, 30), break_on_hyphens=False, break_long_words=False
    ) or [""]
    for at, row in enumerate(rows):
        head = f"{label if not at else '':<{indent}}" if indent else ""
        yield ((head, "bold"), (row, "")) if head else ((row, ""),)


def _classifier(found: Explanation) -> str:
    said = found.classification
    if said.safe:
        return f"safe, so in a run with somebody to ask it runs without a question. {said.why}"
    if said.why.startswith("It is decided already"):
        return "not heard: it is decided without it."
    if said.why.startswith("In the mode"):
        return f"not heard in the mode {found.mode}."
    return f"unsure, so a person is asked. {said.why}"


def _subject(found: Explanation, width: int) -> Iterator[Line]:
    request = found.request
    command = request.input.get("command")
    if request.tool == "Bash" and isinstance(command, str):
        style = HEADS[found.verdict.behavior][1]
        spans = [(part.start, part.end) for part in found.marked]
        yield from underlined(command, spans, max(width - 6, 40), style)
        return
    for name, value in request.input.items():
        text = value if isinstance(value, str) else json.dumps(value)
        yield ((f"    {one_line(request.tool, 60)} {one_line(name, 60)}: {one_line(text, CAP)}", ""),)
    if not request.input:
        yield ((f"    {one_line(request.tool, 60)}, without any input", ""),)


def _parts(found: Explanation, width: int) -> Iterator[Line]:
    """Each stretch of a command once, with all that is said of it."""
    stretches: dict[tuple[int, int], list[PartVerdict]] = {}
    for part in found.verdict.parts:
        stretches.setdefault((part.start, part.end), []).append(part)
    if len(stretches) < 2:
        return
    for parts in stretches.values():
        behavior = max((part.behavior for part in parts), key=STRICTNESS.__getitem__)
        text = one_line(" ".join(parts[0].text.split()), 60)
        yield ((f"  {behavior:<6}", HEADS[behavior][1].removeprefix("bold ")), (text, ""))
        for why in dict.fromkeys(part.why for part in parts if part.behavior is behavior):
            if why != found.verdict.why:
                yield from ((("        ", ""), *line) for line in _said("", why, width - 8))
    yield ()


def _looked_at(rules: InForce) -> str:
    if not rules.rules:
        return "None are in force here."
    files = dict.fromkeys(rule.source.file or str(rule.source.layer) for rule in rules.rules)
    return f"{len(rules.rules)} in force, from {', '.join(files)}."


def _way(found: Explanation, width: int) -> Iterator[Line]:
    way = found.way
    if found.verdict.behavior is Behavior.ALLOW:
        return
    yield (("To let it run", "bold"),)
    for rule in way.removed:
        yield from _step(f"Take away or narrow {rule.behavior} {rule.text} ({rule.source}).", width)
    if way.removed and not way.obstacle:
        yield from _step(
            f"{_strongest(way.removed)} wins over every allow rule, wherever it stands.", width
        )
    for text in way.added if not way.obstacle else ():
        yield from _step(f'Add to allow: "{text}"', width)
    if way.obstacle:
        yield from _step(way.obstacle, width)
        yield from _step(way.advice, width)
    elif not way.added and not way.removed:
        yield from _step("Nothing has to be added.", width)
    yield from _consequences(way, width)


def _strongest(rules: list[RuleText]) -> str:
    return "A deny" if any(rule.behavior is Behavior.DENY for rule in rules) else "An ask"


def _step(text: str, width: int) -> Iterator[Line]:
    if text:
        yield from ((("  ", ""), *line) for line in _said("", text, width - 2))


def _consequences(way: Way, width: int) -> Iterator[Line]:
    if way.examples:
        yield ()
        yield (("What that would allow", "bold"),)
    for examples in way.examples:
        which = f"{examples.rule}: " if len(way.examples) > 1 else ""
        yield from _step(which + examples.words + ":" * bool(examples.also and not which), width)
        for text in examples.also:
            yield ((f"      {one_line(text, CAP)}", "yellow"),)
        for text in examples.not_these:
            yield ((f"      but not  {one_line(text, CAP)}", ""),)
    if way.examples and not way.offered:
        yield from _step(BY_HAND.strip(), width)


def explanation_object(found: Explanation, rules: InForce) -> dict[str, Any]:
    """Give the answer as the object that --json prints."""
    verdict = found.verdict
    return {
        "call": {
            "tool": found.request.tool,
            "input": dict(found.request.input),
            "cwd": found.request.cwd,
        },
        "mode": str(found.mode),
        "verdict": str(verdict.behavior),
        "why": verdict.why,
        "rule": _rule(verdict.rule),
        "parts": [
            {
                "text": part.text,
                "start": part.start,
                "end": part.end,
                "verdict": str(part.behavior),
                "why": part.why,
                "rule": _rule(part.rule),
            }
            for part in verdict.parts
        ],
        "guard": found.guard or None,
        "mode_says": found.mode_says,
        "classifier": {"safe": found.classification.safe, "why": found.classification.why},
        "to_allow": {
            "remove": [_rule(rule) for rule in found.way.removed],
            "add": [] if found.way.obstacle else found.way.added,
            "offered": found.way.offered,
            "obstacle": found.way.obstacle or None,
            "also_allows": [_examples(examples) for examples in found.way.examples],
        },
        "rules": len(rules.rules),
        "notices": list(rules.notices),
    }


def _rule(rule: RuleText | None) -> dict[str, Any] | None:
    if rule is None:
        return None
    source = rule.source
    return {
        "list": str(rule.behavior),
        "rule": str(rule.text),
        "layer": str(source.layer),
        "file": source.file,
        "line": source.line,
        "column": source.column,
    }


def _examples(found: Examples) -> dict[str, Any]:
    return {
        "rule": found.rule,
        "words": found.words,
        "also": list(found.also),
        "not_these": list(found.not_these),
    }
