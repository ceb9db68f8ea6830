"""What a settings file says: its rules with their places, its mode, and what is wrong with it.

A wrong type is an error, so that no rule is lost in silence; a key that is not known is a warning.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from swarm.permissions.errors import SettingsError
from swarm.permissions.model import Behavior, Layer, Mode, RuleProblem, RuleText, Settings, Source
from swarm.permissions.settings.jsonc import JsonProblem, parse
from swarm.permissions.settings.opening import file_source, read_text
from swarm.permissions.settings.places import SettingsFile
from swarm.permissions.settings.tree import Array, Node, Object, Scalar, kind, line_at, place

LISTS: Final = tuple(behavior.value for behavior in (Behavior.ALLOW, Behavior.ASK, Behavior.DENY))
MODES: Final = ("defaultMode", "mode")
CLASSIFIER: Final = "classifier"
KNOWN: Final = (*MODES, *LISTS)


def read_settings(file: SettingsFile) -> Settings:
    """Read one file; without a file there are no rules. Raises SettingsError if it cannot be used."""
    found = read_text(file)
    if found is None:
        return Settings()
    settings = settings_of(found.text, file)
    return replace(settings, problems=(*found.notes, *settings.problems))


def settings_of(text: str, file: SettingsFile) -> Settings:
    """Read the text of a settings file. Raises SettingsError."""
    return _Reading(text, file).settings()


def strict_settings(file: SettingsFile, error: SettingsError) -> Settings:
    """Give what stands for a file that could never be read: all it might have denied asks."""
    problem = RuleProblem(error.source, "", error.problem, error.advice, is_error=True)
    return Settings((RuleText(Behavior.ASK, "*", file_source(file)),), None, (problem,))


def parsed(text: str, file: SettingsFile) -> Object | None:
    """Give the tree of a settings text; None if it is empty. Raises SettingsError."""
    try:
        node = parse(text)
    except JsonProblem as problem:
        raise settings_error(text, file, problem.offset, problem.problem, problem.advice) from None
    if node is not None and not isinstance(node, Object):
        advice = 'Write {"permissions": {…}}.'
        raise settings_error(text, file, node.start, f"settings are an object, not {kind(node)}", advice)
    return node


def settings_error(text: str, file: SettingsFile, offset: int, problem: str, advice: str) -> SettingsError:
    """Give the error at an offset of a settings text."""
    source = file_source(file, *place(text, offset))
    return SettingsError(source, problem, advice, line_at(text, offset))


class _Reading:
    """One text that is being read."""

    def __init__(self, text: str, file: SettingsFile) -> None:
        self._text = text
        self._file = file

    def settings(self) -> Settings:
        root = parsed(self._text, self._file)
        if root is None:
            return Settings()
        self._refuse_repeats(root, ("permissions", CLASSIFIER))
        classifier, refused = self._classifier(root)
        problems = (*refused, *self._misplaced(root))
        permissions = root.find("permissions")
        if permissions is None:
            return Settings(problems=problems, classifier=classifier)
        if not isinstance(permissions, Object):
            raise self._wrong_type(permissions, "permissions", "an object")
        self._refuse_repeats(permissions, KNOWN)
        rules = tuple(rule for name in LISTS for rule in self._rules(permissions, Behavior(name)))
        problems += tuple(self._unknown(permissions))
        return Settings(rules, self._mode(permissions), problems, classifier)

    def _classifier(self, root: Object) -> tuple[tuple[str, ...], tuple[RuleProblem, ...]]:
        """Give the command of a classifier; what comes with a project may not name a program to run."""
        node = root.find(CLASSIFIER)
        if node is None:
            return (), ()
        if self._file.layer not in (Layer.USER, Layer.MANAGED):
            problem = f"a {CLASSIFIER} is not taken from a file that lies in a project"
            advice = "Write it in your own settings, or in the plan."
            return (), (RuleProblem(self._source(node.start), CLASSIFIER, problem, advice),)
        command = node.find("command") if isinstance(node, Object) else None
        match command:
            case Array(items=items) if items and all(_is_word(item) for item in items):
                return tuple(str(item.value) for item in items if isinstance(item, Scalar)), ()
            case _:
                advice = 'Write {"command": ["PROGRAM", "ARGUMENT"]}.'
                raise self._error(node.start, f"{CLASSIFIER} needs a command, a list of texts", advice)

    def _source(self, offset: int) -> Source:
        return file_source(self._file, *place(self._text, offset))

    def _error(self, offset: int, problem: str, advice: str) -> SettingsError:
        return settings_error(self._text, self._file, offset, problem, advice)

    def _wrong_type(self, node: Node, name: str, expected: str) -> SettingsError:
        advice = f"Make it {expected} or remove it."
        return self._error(node.start, f"{name} is {kind(node)} where {expected} was expected", advice)

    def _refuse_repeats(self, node: Object, names: Iterable[str]) -> None:
        for name in names:
            again = [member for member in node.items if member.key == name][1:]
            if again:
                advice = "Put all of it into one; else a part is not in force."
                raise self._error(again[0].start, f"{name} stands here twice", advice)

    def _rules(self, permissions: Object, behavior: Behavior) -> Iterator[RuleText]:
        node = permissions.find(behavior.value)
        if node is None:
            return
        if not isinstance(node, Array):
            raise self._wrong_type(node, behavior.value, "a list")
        for item in node.items:
            match item:
                case Scalar(value=str(text)):
                    yield RuleText(behavior, text, self._source(item.start + 1))
                case _:
                    raise self._wrong_type(item, f"a rule of {behavior.value}", "a text")

    def _mode(self, permissions: Object) -> Mode | None:
        nodes = [node for name in MODES if (node := permissions.find(name)) is not None]
        modes = [self._one_mode(node) for node in nodes]
        if len(set(modes)) > 1:
            advice = "Keep one of them."
            raise self._error(nodes[1].start, "mode and defaultMode say different things", advice)
        return modes[0] if modes else None

    def _one_mode(self, node: Node) -> Mode:
        match node:
            case Scalar(value=str(word)) if word in tuple(Mode):
                return Mode(word)
            case Scalar(value=str(word)):
                advice = f"{_nearest(word, tuple(Mode))}The modes are {', '.join(Mode)}."
                raise self._error(node.start, f"{word[:40]!a} is no mode", advice)
            case _:
                raise self._wrong_type(node, "the mode", "a text")

    def _unknown(self, permissions: Object) -> Iterator[RuleProblem]:
        for member in permissions.items:
            if member.key not in KNOWN:
                advice = f"{_nearest(member.key, KNOWN)}Known here are {', '.join(KNOWN)}."
                problem = f"{member.key[:40]!a} is not known, so it does nothing"
                yield RuleProblem(self._source(member.start), member.key, problem, advice)

    def _misplaced(self, root: Object) -> Iterator[RuleProblem]:
        for member in root.items:
            if member.key in KNOWN:
                problem = f"{member.key} stands outside permissions, so it does nothing"
                advice = 'Move it into "permissions": {…}.'
                yield RuleProblem(self._source(member.start), member.key, problem, advice)
            elif member.key != "permissions" and (near := _nearest(member.key, ("permissions",))):
                problem = f"{member.key[:40]!a} is not known, so it does nothing"
                yield RuleProblem(self._source(member.start), member.key, problem, near.strip())


def _is_word(node: Node) -> bool:
    return isinstance(node, Scalar) and isinstance(node.value, str) and "\0" not in node.value


def _nearest(word: str, words: tuple[str, ...]) -> str:
    """Ask whether a near word was meant, with a blank behind; nothing if none is near."""
    from difflib import get_close_matches

    found = get_close_matches(word[:40].casefold(), [known.casefold() for known in words], n=1)
    return next((f"Did you mean {known}? " for known in words if [known.casefold()] == found), "")
