"""How a call of the program ended, for the tests of the command line."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Ran:
    """The exit code and what was printed."""

    code: int
    out: str
    err: str


Swarm = Callable[..., Ran]
