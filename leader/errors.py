"""The errors of the leader. Each says what happened, where, and what to do."""

from collections.abc import Sequence


def nearest(word: str, words: Sequence[str]) -> str:
    """Give `word`'s nearest neighbour among `words` as a question, or nothing if none is near."""
    from difflib import get_close_matches

    found = get_close_matches(word, words, n=1)
    return f" Did you mean {found[0]}?" if found else ""


class LeaderError(Exception):
    """Root of all errors that this package raises. `exit_code` is what the command line ends with."""

    exit_code = 1


class UnknownWorker(LeaderError):
    """No worker of this name is in the plan."""

    exit_code = 2

    def __init__(self, name: str, names: Sequence[str]) -> None:
        super().__init__(name)
        self.name = name
        self.names = tuple(names)

    def __str__(self) -> str:
        known = ", ".join(self.names)
        return f"No worker is called {self.name!r}.{nearest(self.name, self.names)} Workers: {known}."


class WorkerEnded(LeaderError):
    """The worker has ended, so it takes no more messages."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return f"{self.name} has ended, so nothing was sent to it."


class UnknownRequest(LeaderError):
    """No request of this id was ever asked in this session."""

    exit_code = 2

    def __init__(self, request_id: str) -> None:
        super().__init__(request_id)
        self.request_id = request_id

    def __str__(self) -> str:
        return f"No request {self.request_id!r} is known here. `swarm pending` lists those that wait."


class AlreadyDecided(LeaderError):
    """The request has ended, so this answer changes nothing. `how` says how it ended."""

    def __init__(self, request_id: str, how: str) -> None:
        super().__init__(request_id, how)
        self.request_id = request_id
        self.how = how

    def __str__(self) -> str:
        run = "let run" if self.how.startswith("allowed") else "not run"
        return f"{self.request_id} was already {self.how}; its call was {run}, so this changes nothing."


class DigestMismatch(LeaderError):
    """The answer is about other content than the request's, so it is refused."""

    def __init__(self, request_id: str) -> None:
        super().__init__(request_id)
        self.request_id = request_id

    def __str__(self) -> str:
        return (
            f"The answer to {self.request_id} is not about what it asks now, so it was refused. "
            "Look at the request again, then decide."
        )


class OfferRefused(LeaderError):
    """A rule was to be written that the request did not offer."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return f"{self.text} is not a rule that this request offers, so nothing was written."


class JournalError(LeaderError):
    """The journal could not be written or read, so nothing was decided."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path = path
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}. Nothing was decided; make room or mend the file, then go on."


class JournalBroken(JournalError):
    """A line of a journal is damaged or was changed; all lines before it are good. Counted from 1."""

    def __init__(self, path: str, line: int, offset: int, problem: str) -> None:
        super().__init__(path, problem)
        self.args = (path, line, offset, problem)
        self.line = line
        self.offset = offset

    def __str__(self) -> str:
        good = "entry before it is" if self.line == 2 else f"{self.line - 1} entries before it are"
        return (
            f"{self.path}:{self.line}: the journal is damaged or was changed at byte {self.offset}: "
            f"{self.problem}. The {good} good; what follows is not used."
        )


class StateFolderError(LeaderError):
    """The place where sessions are kept cannot be used, so nothing was started."""

    def __init__(self, path: str, problem: str, advice: str) -> None:
        super().__init__(path, problem, advice)
        self.path = path
        self.problem = problem
        self.advice = advice

    def __str__(self) -> str:
        return f"{self.path} cannot be used: {self.problem}. {self.advice}"


class UnsafeFolder(LeaderError):
    """A folder of ours could have been planted or changed by others, so it is not used."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path = path
        self.problem = problem

    def __str__(self) -> str:
        return (
            f"{self.path} is not safe to use: {self.problem}. It must be a folder of yours, not a link, "
            "that only you can write in; move it away or mend it."
        )


class NoSession(LeaderError):
    """There is no session at all."""

    exit_code = 2

    def __str__(self) -> str:
        return "There is no session yet. `swarm run PLAN` starts one."


class UnknownSession(LeaderError):
    """No session has this id, or an id that begins so."""

    exit_code = 2

    def __init__(self, session_id: str, known: Sequence[str]) -> None:
        super().__init__(session_id)
        self.session_id = session_id
        self.known = tuple(known)

    def __str__(self) -> str:
        hint = nearest(self.session_id, self.known)
        return f"No session has the id {self.session_id!r}.{hint} `swarm ls --all` lists all of them."


class AmbiguousSession(LeaderError):
    """The ids of several sessions begin so."""

    exit_code = 2

    def __init__(self, prefix: str, ids: Sequence[str]) -> None:
        super().__init__(prefix)
        self.prefix = prefix
        self.ids = tuple(ids)

    def __str__(self) -> str:
        shown = "".join(f"\n  {session_id}" for session_id in self.ids[:20])
        more = f"\n  and {len(self.ids) - 20} more" if len(self.ids) > 20 else ""
        return f"{len(self.ids)} sessions have an id that begins with {self.prefix!r}:{shown}{more}"


class SeveralSessions(LeaderError):
    """More than one session runs, so it is not clear which is meant."""

    exit_code = 2

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__(len(ids))
        self.ids = tuple(ids)

    def __str__(self) -> str:
        shown = "".join(f"\n  {session_id}" for session_id in self.ids)
        return f"{len(self.ids)} sessions are running. Say which one is meant with --session ID:{shown}"


class LeaderUnreachable(LeaderError):
    """The leader of a session cannot be asked: it has ended, or its socket does not answer."""

    def __init__(self, session_id: str, problem: str) -> None:
        super().__init__(session_id, problem)
        self.session_id = session_id
        self.problem = problem

    def __str__(self) -> str:
        return (
            f"The leader of {self.session_id} cannot be reached: {self.problem}. "
            f"`swarm show {self.session_id}` tells how the session went."
        )


class ControlFault(LeaderError):
    """What another shell asked for could not be understood or done by the leader."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem

    def __str__(self) -> str:
        return f"The leader could not do it: {self.problem}."


class EditRefused(LeaderError):
    """The input as a person changed it is denied by a rule, so nothing was decided."""

    def __init__(self, request_id: str, why: str) -> None:
        super().__init__(request_id, why)
        self.request_id = request_id
        self.why = why

    def __str__(self) -> str:
        return f"The changed input of {self.request_id} is denied: {self.why} Nothing was decided."


class NothingChosen(LeaderError):
    """ "Always" was answered without a rule to write, so nothing was decided."""

    def __init__(self, request_id: str) -> None:
        super().__init__(request_id)
        self.request_id = request_id

    def __str__(self) -> str:
        return (
            f"No rule was chosen for {self.request_id}, so nothing was decided. "
            "Allow it once, or choose one of the rules it offers."
        )


class LimitsRefused(LeaderError):
    """A grant was to end by itself in a way that it cannot."""

    exit_code = 2

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.problem} Nothing was decided."


class UnknownGrant(LeaderError):
    """No grant of this number is in force."""

    exit_code = 2

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    def __str__(self) -> str:
        return f"No grant {self.number} is in force. `swarm rules grants` lists them."


class GrantSpent(LeaderError):
    """The grant that was to allow a request had ended when its turn came; it waits as before."""


class HeldRulesChanged(LeaderError):
    """What the settings files would allow is not what the person saw, so nothing was put in force."""

    def __init__(self, held: tuple[str, ...]) -> None:
        super().__init__(held)
        self.held = held

    def __str__(self) -> str:
        if not self.held:
            return "No rule is held back, so nothing was changed."
        return "What is held back has changed meanwhile, so nothing was put in force. Look at it again."
