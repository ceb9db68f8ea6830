"""Where settings files lie, by layer. Looks at no disk."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from swarm.permissions.model import Layer

FOLDER: Final = ".swarm"
MANAGED: Final = Path("/etc/swarm/settings.json")


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """One settings file. `base` is the project, where a path pattern with a leading `/` starts.

    `within` is the folder that the file may not lead out of by a link; None where it may lie anywhere.
    """

    layer: Layer
    path: Path
    base: Path
    within: Path | None = None


def settings_files(
    project: Path, home: Path, env: Mapping[str, str], managed: Path = MANAGED
) -> tuple[SettingsFile, ...]:
    """Give the files of all layers, the strongest for the mode last. All paths are absolute."""
    config = Path(env.get("XDG_CONFIG_HOME", ""))
    own = (config if config.is_absolute() else home / ".config") / "swarm"
    folder = project / FOLDER
    return (
        SettingsFile(Layer.USER, own / "settings.json", project),
        SettingsFile(Layer.PROJECT, folder / "settings.json", project, project),
        SettingsFile(Layer.LOCAL, folder / "settings.local.json", project, project),
        SettingsFile(Layer.MANAGED, managed, project),
    )
