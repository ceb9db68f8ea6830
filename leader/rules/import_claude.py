"""The settings of Claude Code, whose rules have our grammar. Reads a text; writes nothing."""

from collections.abc import Iterator

from swarm.leader.rules.imported import Entry, anywhere, path_word
from swarm.permissions.model import Behavior, Mode
from swarm.permissions.rules import TOOL_NAME
from swarm.permissions.settings.jsonc import parse
from swarm.permissions.settings.tree import Array, Node, Object, Scalar, place
from swarm.permissions.tools import TOOLS, Effect, kind_of

LISTS = tuple(str(behavior) for behavior in Behavior)
NOT_HERE = {
    "hooks": "Hooks are programs of their own, which Swarm does not run: a hook that blocks calls has to be"
    " written as deny rules.",
    "sandbox": "Swarm has no sandbox: rules decide which calls run, not what they can reach.",
    "disableBypassPermissionsMode": "There is no such setting; a project's shared file cannot set"
    " bypassPermissions here in any case.",
}
"""Keys that bear on permissions and have nothing here that does the same."""
WIDENED = "Widened from the working directory to any depth, so that it does not get weaker."


def read_claude(text: str, of_user: bool) -> Iterator[Entry]:
    """Give what a settings file says of permissions. Raises JsonProblem.

    `of_user` says that the file is no project's, so that a leading `/` means another folder there.
    """
    root = parse(text)
    for member in root.items if isinstance(root, Object) else ():
        line = place(text, member.start)[0]
        if member.key in NOT_HERE:
            yield Entry(line, member.key, note=NOT_HERE[member.key])
        elif member.key == "permissions" and isinstance(member.value, Object):
            yield from _permissions(text, member.value, of_user)


def _permissions(text: str, node: Object, of_user: bool) -> Iterator[Entry]:
    for member in node.items:
        line = place(text, member.start)[0]
        if member.key in LISTS and isinstance(member.value, Array):
            for item in member.value.items:
                yield _rule(place(text, item.start)[0], Behavior(member.key), item, of_user)
        elif member.key == "defaultMode":
            yield _mode(line, member.value)
        elif member.key == "additionalDirectories" and isinstance(member.value, Array):
            for item in member.value.items:
                yield _directory(place(text, item.start)[0], item)
        else:
            yield Entry(line, member.key, note=NOT_HERE.get(member.key, "It is not known here."))


def _mode(line: int, node: Node) -> Entry:
    word = node.value if isinstance(node, Scalar) else None
    said = f"defaultMode {word}"
    if word == Mode.BYPASS:
        return Entry(
            line, said, note="Never carried over by itself: choose it with --mode where you want it."
        )
    if isinstance(word, str) and word in tuple(Mode):
        return Entry(line, said, mode=Mode(word))
    return Entry(line, said, note="There is no such mode here, so what no rule decides is asked.")


def _directory(line: int, node: Node) -> Entry:
    folder = node.value if isinstance(node, Scalar) else None
    note = "Working directories are those of the workers here."
    if isinstance(folder, str) and folder.startswith(("/", "~/")):
        pattern = folder if folder.startswith("~") else f"/{folder}"
        note += f' To let reading there run: "Read({pattern.rstrip("/")}/**)" in allow.'
    return Entry(line, f"additionalDirectories {folder}", note=note)


def _rule(line: int, behavior: Behavior, node: Node, of_user: bool) -> Entry:
    written = node.value if isinstance(node, Scalar) else None
    if not isinstance(written, str):
        return Entry(line, f"{behavior}: no text", note="A rule is a text.")
    said = f"{behavior} {written}"
    body = written.strip()
    name = TOOL_NAME.match(body)
    if name is None or not body.endswith(")") or body[name.end() : name.end() + 1] != "(":
        return Entry(line, said, ((behavior, body),))
    tool, specifier = name.group(), body[name.end() + 1 : -1]
    word = path_word(tool)
    if word:
        return _path(line, said, behavior, tool, word, specifier, of_user)
    if kind_of(tool).effect in (Effect.OTHER, Effect.SEARCH):
        return _unknown(line, said, behavior, tool)
    return Entry(line, said, ((behavior, body),))


def _path(
    line: int, said: str, behavior: Behavior, tool: str, word: str, pattern: str, of_user: bool
) -> Entry:
    if behavior is Behavior.ALLOW:
        if tool != word:
            note = f"It allows nothing in either program; {word}({pattern}) would."
            return Entry(line, said, note=note)
        if of_user and pattern.startswith("/") and not pattern.startswith("//"):
            note = "A leading / means another folder in your own settings there; // is absolute."
            return Entry(line, said, note=note)
        return Entry(line, said, ((behavior, f"{word}({pattern})"),))
    wider = anywhere(pattern)
    if of_user and pattern.startswith("/") and not pattern.startswith("//"):
        wider = pattern[1:]
    notes = [WIDENED] if wider != pattern else []
    notes += [f"{tool}(path) is written {word}(path)."] if tool != word else []
    return Entry(line, said, ((behavior, f"{word}({wider})"),), note=" ".join(notes))


def _unknown(line: int, said: str, behavior: Behavior, tool: str) -> Entry:
    takes = ", ".join(name for name, kind in TOOLS.items() if kind.effect is not Effect.OTHER)
    if behavior is Behavior.ALLOW:
        return Entry(line, said, note=f"{tool} takes nothing in parentheses here (only {takes} do).")
    note = f"Widened to every call of {tool}, which takes nothing in parentheses here."
    return Entry(line, said, ((behavior, tool),), note=note)
