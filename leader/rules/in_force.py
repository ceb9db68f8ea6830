"""The rules that hold somewhere: those of settings files, of a plan, of a worker. Decides nothing."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from swarm.leader.errors import UnknownWorker
from swarm.leader.rules.errors import BadQuestion
from swarm.permissions.model import Folders, Layer, Mode, RuleText
from swarm.permissions.settings.layers import SettingsLayers
from swarm.permissions.settings.places import SettingsFile, settings_files


@dataclass(frozen=True, slots=True)
class InForce:
    """Rules with the mode that goes with them, what it came from, and what a person has to know.

    `folder` is where a plan's calls are made, if there is one. `mode_is_final`: a worker says it itself.
    """

    rules: tuple[RuleText, ...] = ()
    mode: Mode | None = None
    mode_from: str = ""
    notices: tuple[str, ...] = ()
    folder: Path | None = None
    mode_is_final: bool = False


def plan_rules(plan: Path, worker: str = "") -> InForce:
    """Give the rules of a plan, and of one of its workers. Raises PlanInvalid and UnknownWorker."""
    from swarm.leader.plan.load import load_plan

    team = load_plan(plan)
    if not worker:
        return InForce(team.rules, team.mode, str(plan), folder=team.file.parent)
    found = next((one for one in team.workers if one.name == worker), None)
    if found is None:
        raise UnknownWorker(worker, [one.name for one in team.workers])
    return InForce(
        (*team.rules, *found.rules),
        found.mode or team.mode,
        str(plan),
        folder=found.cwd,
        mode_is_final=found.mode is not None,
    )


def settings_rules(files: Iterable[SettingsFile]) -> InForce:
    """Give the rules of settings files; one that cannot be read makes everything ask."""
    layers = SettingsLayers(tuple(files))
    mode = layers.mode
    return InForce(
        layers.rules, mode[0] if mode else None, str(mode[1].path) if mode else "", layers.notices
    )


def own_settings(project: Path) -> tuple[SettingsFile, ...]:
    """Give the settings files that hold for a project on this machine."""
    return settings_files(project, home_folder(), os.environ)


def home_folder() -> Path:
    """Give the person's home folder, as a run would take it."""
    return Path(os.environ.get("HOME") or Path.home())


def only_file(file: Path, project: Path) -> SettingsFile:
    """Give one settings file on its own, as if it were the project's."""
    return SettingsFile(Layer.PROJECT, file.absolute(), project)


def together(*found: InForce) -> InForce:
    """Merge rules; the mode is that of the last that names one other than default, as in a run."""
    mode, source = None, ""
    for one in found:
        says = one.mode_is_final or mode is None or one.mode is not Mode.DEFAULT
        if one.mode is not None and says:
            mode, source = one.mode, one.mode_from
    rules = tuple(rule for one in found for rule in one.rules)
    notices = tuple(notice for one in found for notice in one.notices)
    return InForce(rules, mode, source, notices, next((one.folder for one in found if one.folder), None))


def find_rules(
    folder: Path, files: Sequence[Path] = (), plan: Path | None = None, worker: str = ""
) -> InForce:
    """Give what holds for a folder: of the files that are named, or else of this machine's, and of a plan.

    Raises PlanInvalid and UnknownWorker; BadQuestion if a named file is not there.
    """
    project = plan.absolute().parent if plan else folder
    for file in files:
        if not file.exists():
            raise BadQuestion(f"There is no settings file {file}.", "Name one that is there.")
    if worker and plan is None:
        raise BadQuestion("--worker names a worker of a plan.", "Name the plan with --plan.")
    chosen = tuple(only_file(file, project) for file in files)
    found = settings_rules(chosen or own_settings(project))
    return together(found, plan_rules(plan, worker)) if plan else found


def own_folders(project: Path, cwd: Path) -> Folders:
    """Give the folders that rules and guards refer to, this program's own among them."""
    from swarm.leader.session.places import state_folder

    user = (file.path.parent for file in own_settings(project) if file.layer is Layer.USER)
    return Folders(home_folder(), project, (cwd,), own=(state_folder(os.environ), *user))
