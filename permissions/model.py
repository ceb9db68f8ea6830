"""What the permission system speaks of: requests, rules, verdicts, decisions. Plain values only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any


class Behavior(StrEnum):
    """What rules and modes can say of a call. A decision is never `ask`."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class Mode(StrEnum):
    """What holds where no rule decides."""

    DEFAULT = "default"
    ACCEPT_EDITS = "acceptEdits"
    PLAN = "plan"
    DONT_ASK = "dontAsk"
    BYPASS = "bypassPermissions"


class Reason(StrEnum):
    """Who or what gave a decision: kept with it, logged and audited."""

    SETTINGS_ALLOW = "settings-allow"
    SETTINGS_DENY = "settings-deny"
    COORDINATOR_ALLOW = "coordinator-allow"
    COORDINATOR_DENY = "coordinator-deny"
    SPECULATIVE_ALLOW = "speculative-allow"
    INTERACTIVE_ALLOW_ONCE = "interactive-allow-once"
    INTERACTIVE_ALLOW_ALWAYS = "interactive-allow-always"
    INTERACTIVE_DENY = "interactive-deny"
    WORKER_PROXY = "worker-proxy"


class Layer(StrEnum):
    """Where a rule comes from. It never matters for the outcome, only for the explanation."""

    MANAGED = "managed"
    USER = "user"
    PROJECT = "project"
    LOCAL = "project-local"
    PLAN = "plan"
    WORKER = "worker"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a rule stands. `line` and `column` count from 1; 0 means unknown.

    `base` is the folder that a path pattern with a leading `/` starts from.
    """

    layer: Layer
    file: str = ""
    line: int = 0
    column: int = 0
    base: str = ""

    def __str__(self) -> str:
        place = self.file or str(self.layer)
        return f"{place}:{self.line}:{self.column}" if self.line else place


@dataclass(frozen=True, slots=True)
class RuleText:
    """One rule as written in a settings file, a plan or a grant, not read yet."""

    behavior: Behavior
    text: str
    source: Source


@dataclass(frozen=True, slots=True)
class Request:
    """A tool call that is asked about. `cwd` is absolute."""

    tool: str
    input: Mapping[str, Any]
    cwd: str


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """What was found for one part of a compound command; `start` and `end` are its span in characters."""

    text: str
    start: int
    end: int
    behavior: Behavior
    why: str
    rule: RuleText | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What rules, guards and mode say of a request, before any person.

    `why` is a sentence for people. `rule` is the rule that decided; none if a guard, the mode or the
    lack of a rule did. `guarded` says that a guard asks, which no allow rule lifts.
    """

    behavior: Behavior
    why: str
    rule: RuleText | None = None
    parts: tuple[PartVerdict, ...] = ()
    guarded: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """The end of the matter: allow or deny, who gave it, and what goes with it.

    `message` is for the agent. `updated_input` replaces the input that was asked for. `rule` is the
    text of the rule that decided or was granted. In a worker, `reason` is worker-proxy and
    `leader_reason` the one that the leader gave.
    """

    behavior: Behavior
    reason: Reason
    message: str = ""
    rule: str = ""
    updated_input: Mapping[str, Any] | None = None
    leader_reason: str = ""

    @property
    def allowed(self) -> bool:
        """Whether the call may run."""
        return self.behavior is Behavior.ALLOW


@dataclass(frozen=True, slots=True)
class Folders:
    """The places that rules and guards refer to; all absolute.

    `working` are the working directories beyond the request's own `cwd`. `own` are this program's
    settings and session folders, protected in every mode.
    """

    home: Path
    project: Path
    working: tuple[Path, ...] = ()
    own: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """A rule that "always" would write, and the layers it could be written to."""

    behavior: Behavior
    text: str
    layers: tuple[Layer, ...] = (Layer.WORKER, Layer.SESSION, Layer.LOCAL, Layer.PROJECT, Layer.USER)


@dataclass(frozen=True, slots=True)
class RuleProblem:
    """Something wrong with a rule: an error (it could not be read) or a warning (it misses its aim)."""

    source: Source
    text: str
    problem: str
    advice: str
    column: int = 0
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """All rules that were read from one place, with what was wrong there.

    `classifier` is the command of a classifier, empty for none.
    """

    rules: tuple[RuleText, ...] = ()
    mode: Mode | None = None
    problems: tuple[RuleProblem, ...] = field(default=())
    classifier: tuple[str, ...] = ()
