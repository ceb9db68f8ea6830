"""What an agent is told when its call is not run: each way that a call ends unrun has words of its own.

Only a person's "no" says that somebody declined; the agent must never take silence for a refusal.
"""

from typing import Final

_UNDECIDED: Final = "Nobody declined it."


def declined(note: str = "") -> str:
    """Tell that a person said no, with what they wrote beside it."""
    said = f" They wrote: {note}" if note.strip() else ""
    return f"The person who watches this team declined this call; it was not run.{said}"


def denied_by_rules(why: str) -> str:
    """Tell that the settings say no. `why` is the verdict's sentence."""
    return f"The permission settings deny this call; it was not run. {why}"


def timed_out(seconds: float) -> str:
    """Tell that no answer came in time."""
    return (
        f"No answer came within {seconds:g} s, so this call timed out and was not run. "
        f"{_UNDECIDED} Ask again if it is still needed."
    )


def withdrawn(why: str) -> str:
    """Tell that the asking side took its request back. `why` is a clause without a full stop."""
    return f"The request for this call was withdrawn before it was answered ({why}), so it was not run."


def leader_gone(why: str) -> str:
    """Tell that whoever decides is not there any more. `why` is a clause without a full stop."""
    return (
        f"The leader that decides about tool calls is gone ({why}), so this call was not run. "
        f"{_UNDECIDED} No call can be allowed until the team is resumed."
    )


def not_asked(why: str) -> str:
    """Tell that the request could not be put to anybody. `why` is a sentence."""
    return f"This call could not be put to anybody, so it was not run. {_UNDECIDED} {why}"
