"""The rules that a past session is decided again under: those of a settings file, or of a plan."""

import os
from collections.abc import Callable
from pathlib import Path

from swarm.leader.session.places import state_folder
from swarm.permissions.engine import decide
from swarm.permissions.errors import SettingsError
from swarm.permissions.files import RealFiles
from swarm.permissions.model import Folders, Layer, Mode, Request, RuleText, Source, Verdict
from swarm.permissions.policy import Policy, compile_policy
from swarm.permissions.settings.places import SettingsFile
from swarm.permissions.settings.reading import read_settings

Judge = Callable[[str, Request], Verdict]


def judge_of(file: Path, project: Path, session: Path, mode: Mode | None, before: Mode) -> Judge:
    """Give what the rules of `file` say of a worker's request. YAML is a plan, all else are settings.

    `mode` wins over the file's, which wins over `before`, the session's. Raises PlanInvalid or
    SettingsError.
    """
    read = _plan if file.suffix.lower() in (".yaml", ".yml") else _settings
    rules_of, mode_of = read(file, project)
    own = (session, state_folder(os.environ), *(file.parent for file in _own_settings(project)))
    folders = Folders(Path.home(), project, (), own)
    policies: dict[str, Policy] = {}
    files = RealFiles()

    def judge(worker: str, request: Request) -> Verdict:
        if worker not in policies:
            used = mode or mode_of(worker) or before
            policies[worker] = compile_policy(rules_of(worker), used, folders)
        return decide(request, policies[worker], files)

    return judge


Rules = tuple[Callable[[str], tuple[RuleText, ...]], Callable[[str], Mode | None]]


def _plan(file: Path, project: Path) -> Rules:
    from swarm.leader.plan.load import load_plan

    plan = load_plan(file)
    workers = {worker.name: worker for worker in plan.workers}

    def rules_of(worker: str) -> tuple[RuleText, ...]:
        own = workers[worker].rules if worker in workers else ()
        return (*plan.rules, *own)

    def mode_of(worker: str) -> Mode | None:
        return (workers[worker].mode if worker in workers else None) or plan.mode

    return rules_of, mode_of


def _settings(file: Path, project: Path) -> Rules:
    if not file.is_file():
        raise SettingsError(Source(Layer.USER, str(file)), "there is no such file", "Name a settings file.")
    settings = read_settings(SettingsFile(Layer.USER, file, project))
    return (lambda worker: settings.rules), (lambda worker: settings.mode)


def _own_settings(project: Path) -> tuple[Path, ...]:
    from swarm.permissions.settings.places import settings_files

    files = settings_files(project, Path.home(), os.environ)
    return tuple(file.path for file in files if file.layer is Layer.USER)
