"""What reading shell text comes to: the calls it could make, redirected files, what cannot be known."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from swarm.permissions.shell.expand import Arg

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Hindrance:
    """A stretch that no allow pattern covers (`blocks`), or of which nothing is known (`unknown`).

    `unread`: it was not looked through, so that not even the guards are sure of it.
    """

    start: int
    end: int
    why: str
    unknown: bool = False
    blocks: bool = True
    unread: bool = False


@dataclass(slots=True)
class Call:
    """One command that could run.

    `written` is its text without leading assignments and redirections. `assigned` are the assignments.
    `inner` is what it runs in turn; `clear` says that a rule for that is enough. `maybe` are shell
    texts among its words, which it may run or not. `folders` are the working directories it may run
    in. `idiom` marks the cat of a quoted here-document; `plain_name`: the name is written plainly.
    `name` is without its folder, None if it cannot be known. `spelt` is kept for who compares rules.
    """

    args: tuple[Arg, ...]
    written: str
    start: int
    end: int
    folders: tuple[str, ...]
    assigned: tuple[tuple[str, str], ...] = ()
    inner: "list[Call]" = field(default_factory=list)
    clear: bool = False
    idiom: bool = False
    plain_name: bool = True
    maybe: "list[Call]" = field(default_factory=list)
    name: str | None = None
    spelt: tuple[tuple[str, bool], ...] | None = None

    def __post_init__(self) -> None:
        value = self.args[0].value
        self.name = None if value is None else value.rpartition("/")[2]

    def all(self) -> "Iterator[Call]":
        """The call and all that it runs, at any depth."""
        yield self
        for inner in self.inner:
            yield from inner.all()


@dataclass(frozen=True, slots=True)
class FileUse:
    """A file that is redirected: the word for it, and whether it is written."""

    arg: Arg
    writes: bool
    folders: tuple[str, ...]
    start: int
    end: int


@dataclass(slots=True)
class Findings:
    """All that a text could do. `maybe` are commands that variables name, which others may run."""

    calls: list[Call] = field(default_factory=list)
    files: list[FileUse] = field(default_factory=list)
    hindrances: list[Hindrance] = field(default_factory=list)
    maybe: list[Call] = field(default_factory=list)
