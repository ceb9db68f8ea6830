"""The settings files that are in force together: the last good version of each, and what has changed.

A file that could never be read counts as one that makes everything ask.
"""

import os
from dataclasses import dataclass, field, replace
from pathlib import Path

from swarm.permissions.errors import SettingsError, pointed
from swarm.permissions.model import Layer, Mode, RuleProblem, RuleText, Settings
from swarm.permissions.settings.places import SettingsFile
from swarm.permissions.settings.reading import read_settings, strict_settings
from swarm.permissions.settings.widening import Narrowed, narrow

Signature = tuple[int, ...]
"""What tells one state of a file from another; empty while there is no file or nothing in it."""


@dataclass(frozen=True, slots=True)
class _Loaded:
    """What is in force of one file. `vanished` says that the last look found nothing there any more.

    `whole` is all that the file says; `held` is in words what of it does not count in this session.
    """

    file: SettingsFile
    settings: Settings
    signature: Signature
    good: bool
    vanished: bool = False
    whole: Settings = field(default_factory=Settings)
    held: tuple[str, ...] = ()


class SettingsLayers:
    """Reads all files when made, later only what has changed. `notices` are from that first time."""

    def __init__(self, files: tuple[SettingsFile, ...]) -> None:
        self.notices: tuple[str, ...] = ()
        self._loaded: dict[Path, _Loaded] = {}
        for file in files:
            self._loaded[file.path], notices = _load(file, None)
            self.notices += notices

    @property
    def rules(self) -> tuple[RuleText, ...]:
        """All rules of all files."""
        return tuple(rule for loaded in self._loaded.values() for rule in loaded.settings.rules)

    @property
    def mode(self) -> tuple[Mode, SettingsFile] | None:
        """The mode that the strongest file sets, with that file; see `usable_mode`."""
        modes = (
            (usable_mode(loaded.settings, loaded.file), loaded.file) for loaded in self._loaded.values()
        )
        found = [(mode, file) for mode, file in modes if mode is not None]
        return found[-1] if found else None

    @property
    def classifier(self) -> tuple[tuple[str, ...], SettingsFile] | None:
        """The command of the classifier that the strongest file names, with that file."""
        found = [
            (loaded.settings.classifier, loaded.file)
            for loaded in self._loaded.values()
            if loaded.settings.classifier
        ]
        return found[-1] if found else None

    def file_of(self, layer: Layer) -> SettingsFile | None:
        """Give the file of a layer."""
        return next((loaded.file for loaded in self._loaded.values() if loaded.file.layer is layer), None)

    def changed(self) -> tuple[Path, ...]:
        """Look which files have changed since they were read. Costs one `stat` a file.

        A file that is gone or empty counts as changed at the second look only, because editors make
        it so for a moment when they save; its rules must not be lifted meanwhile.
        """
        found = []
        for path, loaded in self._loaded.items():
            now = _signature(path)
            if now == loaded.signature:
                vanished = False
            else:
                vanished = not now
                if now or loaded.vanished:
                    found.append(path)
            self._loaded[path] = replace(loaded, vanished=vanished)
        return tuple(found)

    def reload(self, path: Path, granted: tuple[RuleText, ...] = ()) -> tuple[str, ...]:
        """Read one file again and give what a person has to know about it.

        What widens what was in force does not count, but for rules in `granted`, which a person made.
        """
        before = self._loaded[path]
        loaded, notices = _load(before.file, before)
        narrowed = narrow(before.settings if before.good else Settings(), loaded.settings, granted)
        if not loaded.good:
            narrowed = Narrowed(loaded.settings, ())
        self._loaded[path] = replace(
            loaded, settings=narrowed.settings, whole=loaded.settings, held=narrowed.held
        )
        if narrowed.held and narrowed.held != before.held:
            notices += (_held_notice(path, narrowed.held),)
        return notices

    def accept(self) -> None:
        """Let what is held count, as a person wants it: just what was read, not what stands there now."""
        for path, loaded in self._loaded.items():
            if loaded.held:
                self._loaded[path] = replace(loaded, settings=loaded.whole, held=())

    @property
    def held(self) -> tuple[str, ...]:
        """What the files say but does not count in this session, in words."""
        return tuple(f"{path}: {held}" for path, loaded in self._loaded.items() for held in loaded.held)


def _held_notice(path: Path, held: tuple[str, ...]) -> str:
    return (
        f"{path} has changed and allows more than before: {'; '.join(held)}. In this session that does "
        "not count, since a worker may have written it; what it forbids counts at once. If it was you, "
        "`swarm rules accept` puts it in force."
    )


def usable_mode(settings: Settings, file: SettingsFile) -> Mode | None:
    """Give the mode that a file may set: what comes with a project must not switch asking off."""
    refused = file.layer is Layer.PROJECT and settings.mode is Mode.BYPASS
    return None if refused else settings.mode


def _load(file: SettingsFile, before: _Loaded | None) -> tuple[_Loaded, tuple[str, ...]]:
    signature = _signature(file.path)  # taken first, so that a change while reading is seen later
    try:
        settings = read_settings(file)
    except SettingsError as error:
        if before is not None and before.good:
            kept = replace(before, signature=signature, vanished=False)
            return kept, (f"{error}\nThe last good version of this file stays in force.",)
        strict = _Loaded(file, strict_settings(file, error), signature, good=False)
        return strict, (f"{error}\nUntil this file is mended, every call asks that it might have denied.",)
    notices = [notice_of(problem) for problem in settings.problems]
    if settings.mode is not usable_mode(settings, file):
        notices.append(
            f"{file.path}: the mode {settings.mode} is not taken from a project's shared file. "
            f"If you want it, set it in your own settings or with --mode."
        )
    return _Loaded(file, settings, signature, good=True), tuple(notices)


def notice_of(problem: RuleProblem) -> str:
    """Give a problem as text for people, with what it is about and a caret below."""
    said = f"{problem.source}: {problem.problem.removesuffix('.')}. {problem.advice}"
    return said + pointed(problem.text, problem.column)


def _signature(path: Path) -> Signature:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return ()
    if not status.st_size:
        return ()
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
