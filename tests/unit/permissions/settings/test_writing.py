"""Writing is atomic, private, and loses nothing, whoever else writes."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from swarm.permissions.errors import SettingsError
from swarm.permissions.model import Behavior, Layer
from swarm.permissions.settings import writing
from swarm.permissions.settings.places import SettingsFile, settings_files
from swarm.permissions.settings.reading import read_settings
from swarm.permissions.settings.writing import LOCK, add_rule, remove_rule

WRITER = """
import sys
from pathlib import Path
from swarm.permissions.model import Behavior, Layer
from swarm.permissions.settings.places import SettingsFile
from swarm.permissions.settings.writing import add_rule
project = Path(sys.argv[1])
file = SettingsFile(Layer.LOCAL, project / ".swarm" / "settings.local.json", project, project)
sys.stdin.read(1)
for number in range(15):
    add_rule(file, Behavior.ALLOW, f"Bash(run {sys.argv[2]} {number})")
"""


def local(project: Path) -> SettingsFile:
    return SettingsFile(Layer.LOCAL, project / ".swarm" / "settings.local.json", project, project)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_new_file_is_private_and_ignored_by_git(tmp_path: Path) -> None:
    rule = add_rule(local(tmp_path), Behavior.ALLOW, "Bash(make)")
    folder = tmp_path / ".swarm"
    assert (rule.text, rule.source.line, rule.source.layer) == ("Bash(make)", 4, Layer.LOCAL)
    assert read_settings(local(tmp_path)).rules == (rule,)
    assert mode_of(folder) == 0o700
    assert mode_of(folder / "settings.local.json") == 0o600
    assert (folder / ".gitignore").read_text() == f"settings.local.json\n{LOCK}\n.gitignore\n"
    assert names(folder) == {"settings.local.json", ".gitignore", LOCK}


def test_git_itself_sees_no_personal_file(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    add_rule(local(tmp_path), Behavior.ALLOW, "Bash(make)")
    command = ["git", "-C", str(tmp_path), "status", "--porcelain", "--untracked-files=all"]
    shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert shown == ""


def test_an_ignore_file_of_the_users_is_only_added_to_once(tmp_path: Path) -> None:
    folder = tmp_path / ".swarm"
    folder.mkdir()
    (folder / ".gitignore").write_text("# mine\nsettings.local.json")
    add_rule(local(tmp_path), Behavior.ALLOW, "a")
    add_rule(local(tmp_path), Behavior.ALLOW, "b")
    assert (folder / ".gitignore").read_text() == f"# mine\nsettings.local.json\n{LOCK}\n.gitignore\n"


def test_a_users_file_gets_its_folders(tmp_path: Path) -> None:
    user = settings_files(tmp_path, tmp_path, {})[0]
    add_rule(user, Behavior.DENY, "Bash(rm:*)")
    assert read_settings(user).rules[0].text == "Bash(rm:*)"
    assert ".gitignore" not in names(user.path.parent)


def test_the_mode_of_a_file_stays(tmp_path: Path) -> None:
    add_rule(local(tmp_path), Behavior.ALLOW, "a")
    local(tmp_path).path.chmod(0o640)
    add_rule(local(tmp_path), Behavior.ALLOW, "b")
    assert mode_of(local(tmp_path).path) == 0o640


def test_adding_what_is_there_leaves_the_very_same_file(tmp_path: Path) -> None:
    first = add_rule(local(tmp_path), Behavior.ALLOW, "a")
    inode = local(tmp_path).path.stat().st_ino
    assert add_rule(local(tmp_path), Behavior.ALLOW, "a") == first
    assert local(tmp_path).path.stat().st_ino == inode


def test_a_rule_can_be_removed_once(tmp_path: Path) -> None:
    add_rule(local(tmp_path), Behavior.ALLOW, "a")
    assert remove_rule(local(tmp_path), Behavior.ALLOW, "a")
    assert not remove_rule(local(tmp_path), Behavior.ALLOW, "a")
    assert read_settings(local(tmp_path)).rules == ()


@pytest.mark.parametrize("text", ["{", '{"permissions": {"allow": "x"}}'])
def test_a_file_that_does_not_parse_is_not_touched(tmp_path: Path, text: str) -> None:
    file = local(tmp_path)
    file.path.parent.mkdir()
    file.path.write_text(text)
    with pytest.raises(SettingsError):
        add_rule(file, Behavior.ALLOW, "a")
    assert file.path.read_text() == text
    assert names(file.path.parent) == {"settings.local.json", LOCK}


def test_a_failed_write_leaves_the_old_file_and_no_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    add_rule(local(tmp_path), Behavior.ALLOW, "a")
    before = local(tmp_path).path.read_text(), names(tmp_path / ".swarm")
    monkeypatch.setattr(os, "fsync", no_room)
    with pytest.raises(SettingsError, match=r"No space left.*Nothing was changed"):
        add_rule(local(tmp_path), Behavior.ALLOW, "b")
    assert (local(tmp_path).path.read_text(), names(tmp_path / ".swarm")) == before


def test_a_link_inside_the_project_is_followed_and_stays(tmp_path: Path) -> None:
    (tmp_path / "shared.json").write_text("{}")
    file = local(tmp_path)
    file.path.parent.mkdir()
    file.path.symlink_to(tmp_path / "shared.json")
    add_rule(file, Behavior.ALLOW, "a")
    assert file.path.is_symlink()
    assert '"a"' in (tmp_path / "shared.json").read_text()


@pytest.mark.parametrize("link", [".swarm", ".swarm/settings.local.json"])
def test_nothing_is_written_through_a_link_to_outside(tmp_path: Path, link: str) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    outside.mkdir()
    (project / link).parent.mkdir(parents=True)
    target = outside if link == ".swarm" else outside / "settings.json"
    (project / link).symlink_to(target)
    with pytest.raises(SettingsError, match="link to outside the project"):
        add_rule(local(project), Behavior.ALLOW, "a")
    assert names(outside) == set()


@pytest.mark.parametrize("name", [LOCK, ".gitignore"])
def test_a_planted_link_beside_the_file_is_not_followed(tmp_path: Path, name: str) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / ".swarm").mkdir()
    (tmp_path / ".swarm" / name).symlink_to(victim)
    with pytest.raises(SettingsError):
        add_rule(local(tmp_path), Behavior.ALLOW, "a")
    assert victim.read_text() == "precious"


def test_a_lock_that_is_never_given_back_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "LONGEST_WAIT", 0.05)
    (tmp_path / ".swarm").mkdir()
    code = f"from filelock import FileLock\nlock = FileLock({str(tmp_path / '.swarm' / LOCK)!r})\n"
    code += "lock.acquire()\nprint('held', flush=True)\ninput()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(SettingsError, match=r"another program has held .*\.settings\.lock for 0\.05 s"):
            add_rule(local(tmp_path), Behavior.ALLOW, "a")
        holder.communicate("\n")
    assert not (tmp_path / ".swarm" / "settings.local.json").exists()


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), str(number)], stdin=subprocess.PIPE)
        for number in range(3)
    ]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write(b"g")
        writer.stdin.close()
    assert [writer.wait(30) for writer in writers] == [0, 0, 0]
    rules = [rule.text for rule in read_settings(local(tmp_path)).rules]
    assert sorted(rules) == sorted(f"Bash(run {a} {b})" for a in range(3) for b in range(15))
