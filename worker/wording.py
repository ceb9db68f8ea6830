"""What an agent reads about a decision on its call. Pure; says only what the decision holds."""

from swarm.permissions.model import Decision, Reason
from swarm.permissions.strategies import refusals

WORDS_CAP = 500
"""Characters of a person's message that a summary holds; the agent gets all of it."""

_PERSON = refusals.declined()
_WROTE = refusals.declined("-").removeprefix(_PERSON).removesuffix("-").strip() + " "
_RULES = refusals.denied_by_rules("").strip()
_WORDLESS = (Reason.SETTINGS_ALLOW, Reason.SPECULATIVE_ALLOW)
"""Approvals by no person: what goes with them explains them, and is no word to the agent."""
_COORDINATOR = "The coordinator of this team did not allow this call; it was not run."


def who_decided(decision: Decision) -> str:
    """Give the reason that counts, the leader's where a worker passes it on; empty if nobody decided."""
    if decision.reason is Reason.WORKER_PROXY:
        return decision.leader_reason
    return str(decision.reason)


def denial(decision: Decision) -> str:
    """Tell a denial so that a person, a rule, a time-out and a dead leader cannot be mistaken."""
    message = decision.message.strip()
    match who_decided(decision):
        case Reason.INTERACTIVE_DENY:
            return message if _is_framed(message) else refusals.declined(message)
        case Reason.SETTINGS_DENY:
            return message if _is_framed(message) else refusals.denied_by_rules(message or _rule(decision))
        case Reason.COORDINATOR_DENY:
            return message or _COORDINATOR
        case _:
            return message or refusals.not_asked("The answer that came says nothing more.")


def summary(decision: Decision) -> str:
    """Give the same in a few words, for one line on a screen."""
    match who_decided(decision):
        case Reason.INTERACTIVE_DENY:
            words = _words(decision)
            return f"declined by the person: {words}" if words else "declined by the person"
        case Reason.SETTINGS_DENY:
            return f"denied by the rule {decision.rule}" if decision.rule else "denied by the settings"
        case Reason.COORDINATOR_DENY:
            return "not allowed by the coordinator, or no answer in time"
        case _:
            return "not run, as nobody could decide"


def _words(decision: Decision) -> str:
    """Give what the person wrote beside their no, as one line of bounded length."""
    message = decision.message.strip()
    words = message.removeprefix(_PERSON).strip().removeprefix(_WROTE) if _is_framed(message) else message
    return " ".join(words[:WORDS_CAP].split()) + ("…" if len(words) > WORDS_CAP else "")


def note(decision: Decision, changed: bool) -> str:
    """Tell what came with an approval: a changed input and the person's words; empty if neither."""
    said = []
    if changed:
        said.append("The input was changed before it was allowed; the call ran with the changed input.")
    words = decision.message.strip()
    if words and who_decided(decision) not in _WORDLESS:
        said.append(f"A note came with the approval: {words}")
    return " ".join(said)


def _is_framed(message: str) -> bool:
    """Whether the leader already told who refused."""
    return message.startswith((_PERSON, _RULES))


def _rule(decision: Decision) -> str:
    return f"The rule {decision.rule} says so." if decision.rule else ""
