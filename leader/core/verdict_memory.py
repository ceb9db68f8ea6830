"""Remembers what rules said of a call, where that hung on nothing but the call and the rules."""

from collections.abc import Hashable

from swarm.permissions.engine import decide
from swarm.permissions.files import FileView, Kind
from swarm.permissions.model import Request, Verdict
from swarm.permissions.policy import Policy

CALLS_LIMIT = 2_000
"""How many calls are remembered; when there are more, all are forgotten."""
TEXT_LIMIT = 500
"""How long a text of a remembered call may be, in characters."""


class NotingFiles:
    """A file view that notes whether anything was looked up. Satisfies FileView."""

    def __init__(self, files: FileView) -> None:
        self._files = files
        self.was_asked = False

    @property
    def folds_case(self) -> bool:
        """Whether names that differ in case only are the same name here; that never changes."""
        return self._files.folds_case

    def kind(self, path: str) -> Kind:
        """What stands at the path."""
        self.was_asked = True
        return self._files.kind(path)

    def target(self, path: str) -> str:
        """Where a link leads."""
        self.was_asked = True
        return self._files.target(path)

    def names(self, folder: str) -> tuple[str, ...]:
        """The names in a folder."""
        self.was_asked = True
        return self._files.names(folder)


class VerdictMemory:
    """Decides as the engine does, and the same call under the same rules only once.

    A verdict for which a file was looked up is not remembered: the next look may find another.
    """

    def __init__(self, files: FileView) -> None:
        self._files = NotingFiles(files)
        self._known: dict[Hashable, tuple[Policy, Verdict]] = {}

    def __repr__(self) -> str:
        return f"<VerdictMemory {len(self._known)} calls>"

    def decide(self, request: Request, policy: Policy) -> Verdict:
        """Say what the policy holds of a request."""
        key = _key(request)
        found = None if key is None else self._known.get(key)
        if found is not None and found[0] is policy:
            return found[1]
        self._files.was_asked = False
        verdict = decide(request, policy, self._files)
        if key is not None and not self._files.was_asked:
            if len(self._known) >= CALLS_LIMIT:
                self._known.clear()
            self._known[key] = policy, verdict
        return verdict


def _key(request: Request) -> Hashable | None:
    """Give all that a request says, if it is small and holds nothing but plain values."""
    said = (request.tool, request.cwd, *request.input.items())
    if any(type(value) is str and len(value) > TEXT_LIMIT for value in request.input.values()):
        return None
    try:
        hash(said)
    except TypeError:
        return None
    return said
