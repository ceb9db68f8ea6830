"""What the screen has to know of the terminal and the clocks. Read once, at the start."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TerminalSettings:
    """`clock` gives seconds of the epoch, `monotonic` seconds for the grace after a change of the card.

    `still` asks for no movement, `ascii_only` for no character beyond ASCII. `visiting` says that the run
    is led elsewhere and goes on when the screen is left.
    """

    clock: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic
    no_color: bool = False
    still: bool = False
    ascii_only: bool = False
    visiting: bool = False


def read_settings(env: Mapping[str, str], encoding: str) -> TerminalSettings:
    """Read NO_COLOR, SWARM_REDUCED_MOTION and SWARM_ASCII; `encoding` is that of the terminal's text."""
    return TerminalSettings(
        no_color=bool(env.get("NO_COLOR")),
        still=_is_on(env.get("SWARM_REDUCED_MOTION")),
        ascii_only=_is_on(env.get("SWARM_ASCII")) or "utf" not in encoding.lower(),
    )


def _is_on(value: str | None) -> bool:
    return value is not None and value.lower() not in ("", "0", "no", "false")
