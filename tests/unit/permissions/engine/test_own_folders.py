"""Nothing widens its own rights by way of the folders above this program's own ones."""

import pytest

from swarm.permissions.engine import decide
from swarm.permissions.files import MemoryFiles
from swarm.permissions.model import Behavior, Request

from .building import CWD, decided, policy_of

FILES = {
    "/home/dev/.config/swarm/settings.json": "",
    "/home/dev/.config/other/a": "",
    "/home/dev/.local/state/swarm/sessions/x/journal.jsonl": "",
    f"{CWD}/d/swarm/settings.json": "",
    f"{CWD}/a.tar": "",
}


@pytest.mark.parametrize(
    "command",
    [
        "cp -r d/. ~/.config",
        "cp -rT d ~/.config",
        "mv -T d ~/.config",
        "mv ~/.config old && mv d ~/.config",
        "mv ~/.local/state here",
        "rm -rf ~/.config",
        "tar xf a.tar -C ~/.config",
        "tar xf a.tar -C ~",
        "rsync -a d/ ~/.config/",
        "grep -r session ~",
        "cp -r ~/.local/state copy",
        "find ~/.local -type f -exec cat {} +",
    ],
)
@pytest.mark.parametrize("mode", ["default", "bypassPermissions"])
def test_a_command_that_goes_into_or_moves_a_folder_above_its_own_is_asked(command: str, mode: str) -> None:
    policy = policy_of(allow=["Bash", "Edit", "Read"], mode=mode)
    verdict = decided(command, policy, FILES)
    assert verdict.behavior is Behavior.ASK
    assert verdict.guarded


@pytest.mark.parametrize("tool", ["Grep", "Glob"])
def test_a_search_of_a_folder_above_its_own_is_asked(tool: str) -> None:
    request = Request(tool, {"pattern": "**", "path": "/home/dev"}, CWD)
    verdict = decide(request, policy_of(allow=["Read"]), MemoryFiles(FILES))
    assert verdict.behavior is Behavior.ASK


@pytest.mark.parametrize(
    "command",
    ["ls ~", "ls ~/.config", "cp -r d ~/.config/other", "grep -r x .", "cat ~/.x"],
)
def test_what_stays_beside_its_own_folders_is_not_asked(command: str) -> None:
    assert decided(command, policy_of(allow=["Bash"]), FILES).behavior is Behavior.ALLOW
