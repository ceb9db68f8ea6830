"""Which front end a run gets, from its options and from where it was started."""

import os
import sys
from typing import NamedTuple

from swarm.leader.cli import output


class FrontChoice(NamedTuple):
    """Whether there is a screen, whether stdout gets JSON, and whether a person sits there."""

    with_terminal: bool
    as_json: bool
    somebody_is_there: bool


def choose_front(headless: bool, as_json: bool) -> FrontChoice:
    """Give the front end that these options mean here."""
    somebody_is_there = not headless and not as_json and output.is_terminal(sys.stdin, sys.stdout)
    with_terminal = somebody_is_there and os.environ.get("TERM") != "dumb"  # one that can only print lines
    return FrontChoice(with_terminal, as_json, somebody_is_there)
