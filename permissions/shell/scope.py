"""What is known of the shell's state at a place in a command: variables, working directories, functions."""

from dataclasses import dataclass, field

from swarm.permissions.paths import normal
from swarm.permissions.shell.syntax import Command
from swarm.permissions.walks import Budget

# Variables whose value is not known here, but which everybody has and which hold nothing of the command.
FAMILIAR = frozenset(
    {"USER", "LOGNAME", "HOSTNAME", "SHELL", "TMPDIR", "UID", "EUID", "OLDPWD", "?", "$", "#", "!"}
)
# Stands among working directories for one that is not known.
ELSEWHERE = "?"
MOST_VALUES = 64
# Longer values count as not known: each assignment may double what went before.
MOST_SIGNS = 4_096
MOST_FOLDERS = 4
# A folder further down counts as not known: each cd would go through all of its path again.
LONGEST_FOLDER = 1_024
# How much is gone through for one command, in steps of about a microsecond.
MOST_WORK = 6_000

Values = tuple[str, ...] | None


@dataclass(slots=True)
class Scope:
    """`values` are what a variable may hold, None if that cannot be known. `folders` are
    the working directories that may be, ELSEWHERE among them for one that is not known.

    A `doubtful` variable may hold something else as well. `shapes` are those of values not known.
    `work` is what may still be done for the whole command: every scope of it has the same.
    """

    home: str
    folders: tuple[str, ...]
    values: dict[str, Values] = field(default_factory=dict)
    functions: dict[str, Command] = field(default_factory=dict)
    splits_oddly: bool = False
    doubtful: set[str] = field(default_factory=set)
    shapes: dict[str, str] = field(default_factory=dict)
    work: Budget = field(default_factory=lambda: Budget(MOST_WORK))

    def copy(self) -> "Scope":
        """The same, to be changed on its own: what a process of its own has."""
        self.work.spend(1 + (len(self.values) + len(self.functions) + len(self.shapes)) // 8)
        return Scope(
            self.home,
            self.folders,
            dict(self.values),
            dict(self.functions),
            self.splits_oddly,
            set(self.doubtful),
            dict(self.shapes),
            self.work,
        )

    def look_up(self, name: str) -> tuple[Values, bool]:
        """A variable's possible values, and whether it is known well enough for an allow rule."""
        if name in self.values:
            found = self.values[name]
            return found, found is not None and name not in self.doubtful
        if name == "HOME":
            return (self.home,), True
        if name == "PWD":
            known = tuple(folder for folder in self.folders if folder != ELSEWHERE)
            return known or None, ELSEWHERE not in self.folders
        return None, name in FAMILIAR

    def put(self, name: str, values: Values) -> None:
        """Set a variable."""
        self.values[name] = values if values is None or _small(values) else None
        self.doubtful.discard(name)
        self.shapes.pop(name, None)
        if name == "IFS":
            self.splits_oddly = True

    def forget(self) -> None:
        """Something ran that may have changed anything."""
        self.folders = (ELSEWHERE,)
        self.values = dict.fromkeys(self.values)
        self.values["HOME"] = None
        self.shapes.clear()

    def enter(self, folder: str | None) -> None:
        """Change the working directory."""
        if folder is None:
            self.folders = (ELSEWHERE,)
        elif folder.startswith("/"):
            self.folders = (normal(folder),)
        else:
            places = (here if here == ELSEWHERE else _entered(here, folder) for here in self.folders)
            self.folders = tuple(dict.fromkeys(places))


def _entered(here: str, folder: str) -> str:
    path = normal(f"{here}/{folder}")
    return path if len(path) <= LONGEST_FOLDER else ELSEWHERE


def _small(values: tuple[str, ...]) -> bool:
    return len(values) <= MOST_VALUES and sum(map(len, values)) <= MOST_SIGNS


def joined(one: Scope, other: Scope) -> Scope:
    """What is known where either may hold."""
    if one is other:
        return one
    one.work.spend(2 + (len(one.values) + len(other.values)) // 2)
    values: dict[str, Values] = {}
    doubtful = one.doubtful | other.doubtful
    for name in one.values.keys() | other.values.keys():
        left, right = one.look_up(name)[0], other.look_up(name)[0]
        values[name] = left if left == right else _both(left or right, right or left, MOST_VALUES)
        if (left is None) is not (right is None):
            doubtful.add(name)
    folders = tuple(dict.fromkeys(one.folders + other.folders))
    if len(folders) > MOST_FOLDERS:
        folders = (*folders[:MOST_FOLDERS], ELSEWHERE)
    functions = {**one.functions, **other.functions}
    shapes = {name: shape for name, shape in one.shapes.items() if other.shapes.get(name) == shape}
    oddly = one.splits_oddly or other.splits_oddly
    return Scope(one.home, folders, values, functions, oddly, doubtful, shapes, one.work)


def _both(left: Values, right: Values, most: int) -> Values:
    if left == right:
        return left
    if left is None or right is None:
        return None
    both = tuple(dict.fromkeys(left + right))
    return both if len(both) <= most else None
