"""The strategy of the process with the person: rules first, then a classifier races the person."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, Protocol

from swarm.ipc.messages import Preview
from swarm.permissions.model import Behavior, Decision, Reason, Request, Verdict
from swarm.permissions.speculation import LIMIT, Classifier, may_speculate, race
from swarm.permissions.strategies import refusals


class Dialog(Protocol):
    """Puts one request to the person."""

    async def ask(
        self, request: Request, preview: Preview, call_id: str, agent: tuple[str, ...], why: str
    ) -> Decision:
        """Wait for the person; the reason is one of the interactive ones, `message` their own note.

        On cancellation the question vanishes from the screen.
        """


_OF_A_PERSON: Final = {
    Reason.INTERACTIVE_ALLOW_ONCE: Behavior.ALLOW,
    Reason.INTERACTIVE_ALLOW_ALWAYS: Behavior.ALLOW,
    Reason.INTERACTIVE_DENY: Behavior.DENY,
}


class Interactive:
    """Decides here. `rules` says what rules, guards and mode hold; without a classifier nothing races."""

    def __init__(
        self,
        rules: Callable[[Request], Verdict],
        dialog: Dialog,
        classifier: Classifier | None = None,
        limit: float = LIMIT,
    ) -> None:
        self._rules = rules
        self._dialog = dialog
        self._classifier = classifier
        self._limit = limit

    async def decide(
        self,
        request: Request,
        preview: Preview,
        call_id: str,
        agent: tuple[str, ...] = (),
        *,
        interrupted: bool = False,
    ) -> Decision:
        """Wait for the first answer; rules or a dialog that fail are a denial."""
        try:
            verdict = self._rules(request)
            decision = by_rules(verdict)
            if decision is not None and not (interrupted and decision.allowed):
                return decision
            return await self._ask(request, preview, call_id, agent, verdict, interrupted)
        except Exception as error:  # fail closed, whatever broke
            message = refusals.not_asked(f"{type(error).__name__}: {error}")
            return Decision(Behavior.DENY, Reason.INTERACTIVE_DENY, message)

    async def _ask(
        self,
        request: Request,
        preview: Preview,
        call_id: str,
        agent: tuple[str, ...],
        verdict: Verdict,
        interrupted: bool,
    ) -> Decision:
        async def person() -> Decision:
            return _of_person(await self._dialog.ask(request, preview, call_id, agent, verdict.why))

        if interrupted or self._classifier is None or not may_speculate(verdict):
            return await person()
        return await race(request, self._classifier, person, limit=self._limit)


def by_rules(verdict: Verdict) -> Decision | None:
    """Give the decision that settings alone make; None if they ask."""
    rule = verdict.rule.text if verdict.rule else ""
    match verdict.behavior:
        case Behavior.ALLOW:
            return Decision(Behavior.ALLOW, Reason.SETTINGS_ALLOW, rule=rule)
        case Behavior.DENY:
            message = refusals.denied_by_rules(verdict.why)
            return Decision(Behavior.DENY, Reason.SETTINGS_DENY, message, rule)
        case Behavior.ASK:
            return None


def _of_person(decision: Decision) -> Decision:
    if _OF_A_PERSON.get(decision.reason) is not decision.behavior:
        message = refusals.not_asked("The dialog gave an answer that is none of a person's.")
        return Decision(Behavior.DENY, Reason.INTERACTIVE_DENY, message)
    if decision.allowed:
        return decision
    return replace(decision, message=refusals.declined(decision.message), updated_input=None)
