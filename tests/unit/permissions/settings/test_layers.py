"""Files in force together: the last good version of each stays, and a moment's absence lifts nothing."""

from pathlib import Path

import pytest

from swarm.permissions.model import Behavior, Layer, Mode
from swarm.permissions.settings.layers import SettingsLayers
from swarm.permissions.settings.places import SettingsFile, settings_files

DENY = '{"permissions": {"deny": ["Bash(rm:*)"]}}'


@pytest.fixture
def files(tmp_path: Path) -> tuple[SettingsFile, ...]:
    (tmp_path / ".swarm").mkdir()
    (tmp_path / ".config" / "swarm").mkdir(parents=True)
    return settings_files(tmp_path, tmp_path, {}, tmp_path / "managed.json")


def put(files: tuple[SettingsFile, ...], layer: Layer, text: str) -> Path:
    path = next(file.path for file in files if file.layer is layer)
    new = path.with_name("new")
    new.write_text(text)
    new.chmod(0o600)
    new.replace(path)
    return path


def texts(layers: SettingsLayers) -> list[tuple[Behavior, str]]:
    return [(rule.behavior, rule.text) for rule in layers.rules]


def test_all_layers_are_merged(files: tuple[SettingsFile, ...]) -> None:
    for layer in (Layer.USER, Layer.PROJECT, Layer.LOCAL, Layer.MANAGED):
        put(files, layer, f'{{"permissions": {{"allow": ["{layer}"]}}}}')
    layers = SettingsLayers(files)
    assert {rule.text: rule.source.layer for rule in layers.rules} == {
        layer.value: layer for layer in (Layer.USER, Layer.PROJECT, Layer.LOCAL, Layer.MANAGED)
    }
    assert layers.notices == ()


def test_nothing_changes_until_a_file_does(files: tuple[SettingsFile, ...]) -> None:
    layers = SettingsLayers(files)
    assert layers.changed() == ()
    path = put(files, Layer.USER, DENY)
    assert layers.changed() == (path,)
    assert layers.reload(path) == ()
    assert texts(layers) == [(Behavior.DENY, "Bash(rm:*)")]
    assert layers.changed() == ()


def test_a_file_that_breaks_keeps_its_last_good_version(files: tuple[SettingsFile, ...]) -> None:
    path = put(files, Layer.PROJECT, DENY)
    layers = SettingsLayers(files)
    put(files, Layer.PROJECT, '{"permissions": {"deny": [}}')
    assert layers.changed() == (path,)
    (notice,) = layers.reload(path)
    assert f"{path}:1:27" in notice
    assert "last good version of this file stays in force" in notice
    assert texts(layers) == [(Behavior.DENY, "Bash(rm:*)")]
    assert layers.changed() == ()


def test_a_file_that_was_never_good_makes_everything_ask_until_it_is_mended(
    files: tuple[SettingsFile, ...],
) -> None:
    path = put(files, Layer.PROJECT, "{")
    layers = SettingsLayers(files)
    assert texts(layers) == [(Behavior.ASK, "*")]
    assert "every call asks" in layers.notices[0]
    put(files, Layer.PROJECT, "[]")
    assert "every call asks" in layers.reload(path)[0]
    assert texts(layers) == [(Behavior.ASK, "*")]
    put(files, Layer.PROJECT, DENY)
    assert layers.reload(path) == ()
    assert texts(layers) == [(Behavior.DENY, "Bash(rm:*)")]


@pytest.mark.parametrize("empty", [True, False])
def test_rules_outlive_the_moment_in_which_an_editor_saves(
    files: tuple[SettingsFile, ...], empty: bool
) -> None:
    path = put(files, Layer.USER, DENY)
    layers = SettingsLayers(files)
    if empty:
        path.write_text("")
    else:
        path.unlink()
    assert layers.changed() == ()
    put(files, Layer.USER, DENY)
    assert layers.changed() == (path,)
    layers.reload(path)
    path.unlink()
    assert layers.changed() == ()
    assert layers.changed() == (path,)
    (notice,) = layers.reload(path)
    assert "Bash(rm:*) is no longer denied" in notice
    assert texts(layers) == [(Behavior.DENY, "Bash(rm:*)")]
    layers.accept()
    assert layers.rules == ()
    assert layers.changed() == ()


def test_the_strongest_file_sets_the_mode(files: tuple[SettingsFile, ...]) -> None:
    put(files, Layer.USER, '{"permissions": {"defaultMode": "acceptEdits"}}')
    layers = SettingsLayers(files)
    assert layers.mode is not None
    assert layers.mode[0] is Mode.ACCEPT_EDITS
    path = put(files, Layer.MANAGED, '{"permissions": {"defaultMode": "dontAsk"}}')
    layers.reload(path)
    assert layers.mode == (Mode.DONT_ASK, files[3])


def test_a_projects_shared_file_cannot_switch_asking_off(files: tuple[SettingsFile, ...]) -> None:
    put(files, Layer.PROJECT, '{"permissions": {"defaultMode": "bypassPermissions"}}')
    layers = SettingsLayers(files)
    assert layers.mode is None
    assert "not taken from a project's shared file" in layers.notices[0]
