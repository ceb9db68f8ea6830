"""The race of a classifier against the person. It only ever saves a prompt: it can allow, never deny."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import anyio

from swarm.permissions.model import Behavior, Decision, Reason, Request, Verdict

if TYPE_CHECKING:
    from swarm.permissions.files import FileView
    from swarm.permissions.policy import Policy

LIMIT: Final = 2.0
"""How long a classifier may take, in seconds."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a classifier holds of a request: obviously safe, or unsure. `why` is for people.

    `by` names the classifier if it is not the static one; `failed` says that it gave no opinion of its
    own, so that it counts as unsure.
    """

    safe: bool
    why: str = ""
    by: str = ""
    failed: bool = False


class Classifier(Protocol):
    """Tells which requests are so obviously harmless that nobody needs to be asked."""

    async def classify(self, request: Request) -> Opinion:
        """Give an opinion. May take its time or fail; then it counts as unsure."""


class StaticClassifier:
    """The classifier that needs no model. `policy` gives what is in force when it is asked."""

    def __init__(self, policy: "Callable[[], Policy]", files: "FileView") -> None:
        self._policy = policy
        self._files = files

    async def classify(self, request: Request) -> Opinion:
        """Give the opinion that the tables of harmless commands hold."""
        from swarm.permissions.classifier import classify

        found = classify(request, self._policy(), self._files)
        return Opinion(found.safe, found.why)


def may_speculate(verdict: Verdict) -> bool:
    """Whether a classifier may be heard: only where nothing but the mode asks, neither rule nor guard."""
    return verdict.behavior is Behavior.ASK and verdict.rule is None and not verdict.guarded


async def consult(classifier: Classifier, request: Request, *, limit: float = LIMIT) -> Opinion:
    """Give a classifier's opinion within `limit` seconds; an error, a delay, an odd answer are unsure."""
    try:
        with anyio.move_on_after(limit):
            return _checked(await classifier.classify(request))
    except Exception as error:  # whatever it is, the person is still asked
        return Opinion(False, f"the classifier failed with {type(error).__name__}", failed=True)
    return Opinion(False, f"the classifier gave no answer within {limit:g} s", failed=True)


def _checked(answer: object) -> Opinion:
    match answer:
        case Opinion(safe=bool(), why=str()):
            return answer
        case _:
            why = f"the classifier gave no opinion but a {type(answer).__name__}"
            return Opinion(False, why, failed=True)


def _unheard(opinion: Opinion) -> None:
    """Take an opinion that nobody keeps."""


@dataclass(slots=True)
class _Race:
    """The first answer, and the scope that ends the other runner."""

    scope: anyio.CancelScope
    decision: Decision | None = None
    error: Exception | None = None

    @property
    def over(self) -> bool:
        return self.decision is not None or self.error is not None

    def finish(self, decision: Decision | None, error: Exception | None = None) -> None:
        if not self.over:
            self.decision, self.error = decision, error
            self.scope.cancel()


async def race(
    request: Request,
    classifier: Classifier,
    person: Callable[[], Awaitable[Decision]],
    *,
    limit: float = LIMIT,
    heard: Callable[[Opinion], None] = _unheard,
) -> Decision:
    """Give the first answer and cancel the other runner. `person` is not called if the race is over.

    `heard` gets the classifier's opinion, whatever it is, unless the person was faster.
    Raises what `person` raises if nothing was decided before; the caller then fails closed.
    """
    async with anyio.create_task_group() as runners:
        state = _Race(runners.cancel_scope)
        runners.start_soon(_run_classifier, state, classifier, request, limit, heard)
        runners.start_soon(_run_person, state, person)
    if state.error is not None:
        raise state.error
    assert state.decision is not None  # the group ends only when the person's runner has ended
    return state.decision


async def _run_classifier(
    state: _Race,
    classifier: Classifier,
    request: Request,
    limit: float,
    heard: Callable[[Opinion], None],
) -> None:
    opinion = await consult(classifier, request, limit=limit)
    heard(opinion)
    if opinion.safe:
        state.finish(Decision(Behavior.ALLOW, Reason.SPECULATIVE_ALLOW))


async def _run_person(state: _Race, person: Callable[[], Awaitable[Decision]]) -> None:
    if state.over:
        return
    try:
        state.finish(await person())
    except Exception as error:  # kept, so that it leaves the group as itself
        state.finish(None, error)
