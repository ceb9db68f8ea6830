"""The tables of docs/permissions.md, as the engine's own tables say them. Writes nothing.

`scripts/protocol_docs` puts them between the markers of the page.
"""

from collections.abc import Callable, Iterable, Mapping

from swarm.leader.rules.mutations import AROUND, BEFORE, NAMES, QUOTED
from swarm.permissions.guards import PROTECTED_NAMES, PROTECTED_PAIRS
from swarm.permissions.match_bash import LONGEST_COMMAND
from swarm.permissions.match_case import MOST_FILES
from swarm.permissions.shell.grammar import MOST_REDIRECTS, MOST_WORDS
from swarm.permissions.shell.readonly import (
    FIND_TESTS,
    FIND_VALUES,
    GIT_LISTS,
    GIT_NEEDS_WORD,
    GIT_READ_ONLY,
    NO_OPERANDS,
    READ_ONLY,
)
from swarm.permissions.shell.simple import DEEPEST_TEXT
from swarm.permissions.shell.variables import HARMLESS
from swarm.permissions.shell.walk import MOST_STEPS
from swarm.permissions.shell.words import DEEPEST, MOST_WORK, STEP
from swarm.permissions.shell.wrappers import INTERPRETERS, SHELLS, WRAPPERS
from swarm.permissions.tools import TOOLS, Effect

Table = Callable[[tuple[str, ...], Iterable[tuple[str, ...]]], str]


def words(names: Iterable[str]) -> str:
    """Give names in order, each as code, fit for a cell."""
    return ", ".join(f"`{name}`" for name in sorted(names)).replace("|", "\\|")


def listed(names: Iterable[str]) -> str:
    """Give names as one paragraph."""
    return words(names) + ".\n"


def read_only(table: Table) -> str:
    """Give the commands that only read with their options; those with the same options stand together."""
    groups: dict[frozenset[str], list[str]] = {}
    for name, options in READ_ONLY.items():
        groups.setdefault(options, []).append(name)
    rows = [
        (words(names), words(options) or "none", "none" if set(names) <= NO_OPERANDS else "yes")
        for options, names in groups.items()
    ]
    return table(("Command", "Options", "Operands"), rows)


def git(table: Table) -> str:
    """Give the sub-commands of git that only read."""
    return table(
        ("`git …`", "Options", "Only where"),
        [(f"`{sub}`", words(options) or "none", git_only(sub)) for sub, options in GIT_READ_ONLY.items()],
    )


def git_only(sub: str) -> str:
    """Say under which condition a sub-command counts as reading."""
    if sub in GIT_NEEDS_WORD:
        follows = [f"`{word}`" if word else "nothing" for word in sorted(GIT_NEEDS_WORD[sub])]
        return f"{' or '.join(follows)} follows"
    if sub in GIT_LISTS:
        return f"no name is given, or {words(GIT_LISTS[sub])} is"
    return ""


def find(table: Table) -> str:
    """Give the words of find that only look."""
    return f"Alone: {listed(FIND_TESTS)}\nWith the word after them: {listed(FIND_VALUES)}"


def wrappers(table: Table) -> str:
    """Give the programs that run others."""
    clear = [name for name, entry in WRAPPERS.items() if entry.clear]
    other = [name for name, entry in WRAPPERS.items() if not entry.clear and name not in ("!", "{")]
    rows = [
        ("a rule for what it runs is enough, with these programs' own options", words(clear)),
        ("an allow rule has to name it too", words(other)),
        ("the text of `-c` is read", words(SHELLS)),
        ("the program text is unknown", words(INTERPRETERS)),
    ]
    return table(("What they run", "Programs"), rows)


def limits(table: Table) -> str:
    """Give the bounds of the engine."""
    rows = [
        ("characters of a command", f"{LONGEST_COMMAND:,}"),
        ("simple commands in it, those that loops and functions repeat counted again", f"{MOST_STEPS:,}"),
        (
            f"points for what is written: {STEP} a command or a substitution, 1 a word or a part",
            f"{MOST_WORK:,}",
        ),
        ("words of one simple command", f"{MOST_WORDS:,}"),
        ("redirections of one simple command", f"{MOST_REDIRECTS:,}"),
        ("files that it names", f"{MOST_FILES:,}"),
        ("levels of nesting", f"{DEEPEST:,}"),
        ("commands that run each other (`bash -c`, `eval`, functions)", f"{DEEPEST_TEXT:,}"),
    ]
    return table(("More than these always ask", ""), rows)


def tools(table: Table) -> str:
    """Give the tools by the word that covers them."""
    covered: Mapping[Effect, str] = {
        Effect.COMMAND: "`Bash(command)`",
        Effect.READ: "`Read(path)`",
        Effect.EDIT: "`Edit(path)`",
        Effect.FETCH: "`WebFetch(domain:host)`",
        Effect.SEARCH: "`WebSearch`",
    }
    rows = [
        (rule, words(name for name, kind in TOOLS.items() if kind.effect is effect))
        for effect, rule in covered.items()
    ]
    return table(("Rule", "Tools that it covers"), rows)


def mutations(table: Table) -> str:
    """Give the spellings that `--mutate` tries."""
    rows = [
        ("any command, inside", ", ".join(AROUND)),
        ("any command, as text for", ", ".join(QUOTED)),
        ("a simple command, with", ", ".join(BEFORE)),
        ("its name, as", ", ".join(NAMES)),
    ]
    return table(("What", "Ways"), rows)


def permission_sections(table: Table) -> dict[str, Callable[[], str]]:
    """Give the parts of docs/permissions.md."""
    return {
        "tools": lambda: tools(table),
        "wrappers": lambda: wrappers(table),
        "harmless": lambda: listed({*HARMLESS, "LC_*"}),
        "protected": lambda: listed({*PROTECTED_NAMES, *map("/".join, PROTECTED_PAIRS)}),
        "limits": lambda: limits(table),
        "read-only": lambda: read_only(table),
        "git": lambda: git(table),
        "find": lambda: find(table),
        "mutations": lambda: mutations(table),
    }
