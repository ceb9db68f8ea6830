"""What a benchmark finds: figures, each with its limit and budget, printed as a table or as JSON lines."""

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing measured. `unit` is "s", "B", "share" (of a core), or what is counted.

    `limit` is what it is held against, in the same unit and from the same run, and `against` says what
    that is. `budget` is the most it may be: as a multiple of the limit if there is one, else by itself.
    """

    what: str
    value: float
    unit: str = "s"
    limit: float | None = None
    against: str = ""
    budget: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times the limit it is."""
        return self.value / self.limit if self.limit else None

    @property
    def kept(self) -> bool | None:
        """Whether the budget is kept, if there is one."""
        measured = self.value if self.ratio is None else self.ratio
        return None if self.budget is None else measured <= self.budget


def quantity(value: float, unit: str) -> str:
    """Write a value for people."""
    match unit:
        case "s" if value < 1e-3:
            return f"{value * 1e6:.1f} µs"
        case "s" if value < 10:
            return f"{value * 1e3:.1f} ms"
        case "s":
            return f"{value:.1f} s"
        case "B":
            return f"{value / 1e6:.1f} MB"
        case "share":
            return f"{value:.0%} of a core"
        case _:
            return f"{value:,.0f} {unit}"


def _cells(figure: Figure) -> tuple[str, ...]:
    ratio = f"{figure.ratio:.2f} x" if figure.ratio is not None else ""
    limit = f"{figure.against} ({quantity(figure.limit, figure.unit)})" if figure.limit else ""
    budget = ""
    if figure.budget is not None:
        most = quantity(figure.budget, figure.unit) if figure.ratio is None else f"{figure.budget:g} x"
        budget = f"≤ {most}{'' if figure.kept else '  over'}"
    return figure.what, quantity(figure.value, figure.unit), ratio, limit, budget


def table(figures: Sequence[Figure]) -> Iterable[str]:
    """Give aligned lines, with a head."""
    rows = [("figure", "value", "ratio", "held against", "budget"), *map(_cells, figures)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for what, value, ratio, limit, budget in rows:
        yield (
            f"{what:<{widths[0]}}  {value:>{widths[1]}}  {ratio:>{widths[2]}}  "
            f"{limit:<{widths[3]}}  {budget}"
        ).rstrip()


def as_json(figure: Figure) -> str:
    """Give a figure as one line."""
    return json.dumps({**asdict(figure), "ratio": figure.ratio, "kept": figure.kept})


def from_json(line: str) -> Figure:
    """Read what `as_json` wrote."""
    values = json.loads(line)
    return Figure(**{name: values[name] for name in Figure.__dataclass_fields__})


def report(measure: Callable[[], Sequence[Figure]]) -> None:
    """Measure and print: a table, or with `--json` among the arguments one object a line."""
    figures = measure()
    lines = map(as_json, figures) if "--json" in sys.argv else table(figures)
    for line in lines:
        print(line)
