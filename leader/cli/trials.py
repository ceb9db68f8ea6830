"""The report of `swarm rules test` as lines and as objects. Prints nothing."""

from collections.abc import Iterator
from typing import Any

from swarm.leader.headless.lines import one_line
from swarm.leader.rules.cases import Case
from swarm.leader.rules.mutations import Mutated, Slip
from swarm.leader.rules.trial import Miss, Report
from swarm.leader.tui.wrapping import Line
from swarm.permissions.model import RuleText

LONGEST = 300
"""How many characters of a command or a reason a line shows at most."""
SHOWN_IDLE = 20
"""How many rules without a say are listed; --json gives all."""


def report_lines(report: Report, mutated: Mutated | None) -> Iterator[Line]:
    """Give the misses, each with its place and its reason, then the counts."""
    for miss in report.misses:
        yield from _miss(miss)
    yield from _counts(report)
    yield from _idle(report.idle)
    if mutated is not None:
        yield from _mutated(mutated)


def subject(case: Case) -> str:
    """Give what a case is about, on one line."""
    request = case.request
    command = request.input.get("command")
    if request.tool == "Bash" and isinstance(command, str):
        return one_line(command, LONGEST)
    return one_line(f"{request.tool} {dict(request.input)}", LONGEST)


def _miss(miss: Miss) -> Iterator[Line]:
    word = "laxer" if miss.laxer else "stricter"
    about = "" if miss.direction in ("allowed", "asked", "denied") else f"{miss.direction}: "
    yield (
        (f"{one_line(_place(miss.case), LONGEST)}  ", "bold"),
        (f"{about}{one_line(miss.expected, LONGEST)} expected, {one_line(miss.found, LONGEST)} found", ""),
        (f"  ({word})", "red" if miss.laxer else "yellow"),
    )
    yield ((f"    {subject(miss.case)}", ""),)
    yield ((f"    {one_line(miss.why, LONGEST)}", ""),)
    if miss.case.why:
        yield ((f"    Expected because: {one_line(miss.case.why, LONGEST)}", ""),)
    yield ()


def _place(case: Case) -> str:
    return f"{case.file}:{case.line}: {case.name}"


def _counts(report: Report) -> Iterator[Line]:
    yield ((f"{'':<12}{'cases':>7}{'as expected':>13}{'laxer':>8}{'stricter':>10}", "bold"),)
    for name, count in report.counts.items():
        if count.total:
            yield (
                (f"{name:<12}{count.total:>7}{count.right:>13}", ""),
                (f"{count.laxer:>8}", "red" if count.laxer else ""),
                (f"{count.stricter:>10}", "yellow" if count.stricter else ""),
            )
    missed = len({id(miss.case) for miss in report.misses})
    words = f"{report.cases - missed} of {report.cases} cases came out as expected."
    yield ((words, "bold red" if missed else "bold green"),)


def _idle(idle: tuple[RuleText, ...]) -> Iterator[Line]:
    if not idle:
        return
    yield ()
    yield ((f"Rules that had a say in no case ({len(idle)}):", "bold"),)
    for rule in idle[:SHOWN_IDLE]:
        text = f"    {rule.behavior:<6} {one_line(str(rule.text), LONGEST)}"
        yield ((text, ""), (f"   {one_line(str(rule.source), LONGEST)}", "dim"))
    if len(idle) > SHOWN_IDLE:
        yield ((f"    and {len(idle) - SHOWN_IDLE} more; --json gives all of them", ""),)


def _mutated(mutated: Mutated) -> Iterator[Line]:
    yield ()
    for slip in mutated.slips:
        yield (
            (f"{one_line(_place(slip.case), LONGEST)}  ", "bold"),
            (f"{slip.mutation}: it would run", "red"),
        )
        yield ((f"    {one_line(slip.command, LONGEST)}", ""),)
        yield ((f"    {one_line(slip.why, LONGEST)}", ""),)
    words = (
        f"{mutated.tried} other spellings of {mutated.cases} denied commands: {len(mutated.slips)} slip"
        f" through, {mutated.asked} are only asked about."
    )
    yield ((words, "bold red" if mutated.slips else "bold green"),)


def report_objects(report: Report, mutated: Mutated | None) -> Iterator[dict[str, Any]]:
    """Give an object for each miss, each slip and each rule without a say, then one of the counts."""
    for miss in report.misses:
        yield {
            "type": "miss",
            **_case_object(miss.case),
            "direction": miss.direction,
            "expected": miss.expected,
            "found": str(miss.found),
            "laxer": miss.laxer,
            "why": miss.why,
        }
    for slip in mutated.slips if mutated is not None else ():
        yield _slip_object(slip)
    for rule in report.idle:
        yield {
            "type": "idle",
            "list": str(rule.behavior),
            "rule": str(rule.text),
            "source": str(rule.source),
        }
    yield {
        "type": "summary",
        "cases": report.cases,
        "misses": len(report.misses),
        "directions": {
            name: {"cases": one.total, "right": one.right, "laxer": one.laxer, "stricter": one.stricter}
            for name, one in report.counts.items()
        },
        "mutations": None
        if mutated is None
        else {"tried": mutated.tried, "slips": len(mutated.slips), "asked": mutated.asked},
    }


def _slip_object(slip: Slip) -> dict[str, Any]:
    return {
        "type": "slip",
        **_case_object(slip.case),
        "mutation": slip.mutation,
        "command": slip.command,
        "found": str(slip.found),
        "why": slip.why,
    }


def _case_object(case: Case) -> dict[str, Any]:
    call = {"tool": case.request.tool, "input": dict(case.request.input)}
    return {"case": case.name, "file": case.file, "line": case.line, "call": call}
