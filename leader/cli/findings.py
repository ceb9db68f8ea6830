"""What `swarm doctor` says of one subject. Looks at nothing itself."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One subject: whether it is usable, what was found, and what to do if it is not.

    `needed` says that a run is impossible without it.
    """

    name: str
    usable: bool
    found: str
    advice: str = ""
    needed: bool = False
