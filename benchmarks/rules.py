"""Measures one decision by rule: among many rules, and of ever longer commands. No command comes twice.

Everything is as in a run: compiled policy, the real disk under it, commands of the usual kind. Reading
the command alone is printed beside it.
"""

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from figures import Figure, report

from swarm.permissions.engine import decide
from swarm.permissions.files import RealFiles
from swarm.permissions.model import Behavior, Folders, Layer, Mode, Request, RuleText, Source
from swarm.permissions.policy import Policy, compile_policy
from swarm.permissions.shell.reading import parse

ROUNDS = 1_000
USUAL = "pytest -q tests/unit/test_{}.py --maxfail=1 -k 'not slow and not network' --color=no"
"""What an agent runs all day: a program with options and a quoted text."""
PIPED = "pytest -q tests/unit/test_{}.py --maxfail=1 2>&1 | tail -n 20"
"""The next in frequency: two programs, a redirection and a pipe."""
LINKS = (1, 10, 100)
"""How many such commands are chained in one, for the growth with length."""


def policy_of(count: int, folder: Path) -> Policy:
    """Give a policy of `count` rules of all kinds, of which two are those that allow the command."""
    makers = ("Bash(tool{}:*)", "Bash(run{} --all)", "Edit(/src/part{}/**)", "Read(//data/set{}/**)")
    source = Source(Layer.PROJECT, "settings.json", base=str(folder))
    texts = [makers[number % 4].format(number) for number in range(count - 2)]
    rules = [
        RuleText(Behavior.DENY if number % 10 == 0 else Behavior.ALLOW, text, source)
        for number, text in enumerate(texts)
    ]
    needed = [RuleText(Behavior.ALLOW, text, source) for text in ("Bash(pytest:*)", "Bash(tail:*)")]
    return compile_policy([*rules, *needed], Mode.DEFAULT, Folders(Path.home(), folder))


def commands(links: int, form: str = USUAL) -> list[str]:
    """Give commands of `links` usual ones each, no two alike."""
    return [
        " && ".join(form.format(f"{turn}_{link}") for link in range(links))
        for turn in range(max(20, ROUNDS // links))
    ]


def timed(work: Callable[[str], object], texts: Sequence[str]) -> float:
    """Give the median seconds of `work` for one text."""
    times = []
    for text in texts:
        began = time.perf_counter()
        work(text)
        times.append(time.perf_counter() - began)
    return median(times)


def decider(policy: Policy, folder: Path) -> Callable[[str], object]:
    """Give what decides about a command, and must allow it."""
    files = RealFiles()

    def judge(command: str) -> None:
        verdict = decide(Request("Bash", {"command": command}, str(folder)), policy, files)
        assert verdict.behavior is Behavior.ALLOW, verdict.why

    return judge


def figures() -> list[Figure]:
    """Measure the growth with rules, then with length."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        deciders = {count: decider(policy_of(count, folder), folder) for count in (10, 100, 1_000, 10_000)}
        usual = commands(1)
        few = timed(deciders[10], usual)
        found = [
            Figure("reading the command alone", timed(parse, usual)),
            Figure("one decision, 10 rules", few),
            Figure("one decision, 1,000 rules", timed(deciders[1_000], usual), budget=150e-6),
            Figure("  the same of a pipe of two", timed(deciders[1_000], commands(1, PIPED))),
            *(
                Figure(f"  growth: {count:,} rules", timed(deciders[count], usual), "s", few, "10 rules")
                for count in (100, 1_000, 10_000)
            ),
        ]
        lengths = {links: timed(deciders[1_000], commands(links)) for links in LINKS}
        for links in LINKS[1:]:
            limit = lengths[1] * links
            what = f"  growth: a command {links} times as long"
            found.append(Figure(what, lengths[links], "s", limit, f"{links} of them"))
        return found


if __name__ == "__main__":
    report(figures)
