"""The classifier that settings name: only a person's own files may name a program to run."""

from pathlib import Path

import pytest

from swarm.permissions.errors import SettingsError
from swarm.permissions.model import Layer
from swarm.permissions.settings.layers import SettingsLayers
from swarm.permissions.settings.places import SettingsFile
from swarm.permissions.settings.reading import settings_of

TEXT = '{"classifier": {"command": ["judge", "--fast"]}}'


def file(layer: Layer) -> SettingsFile:
    return SettingsFile(layer, Path("/p/settings.json"), Path("/p"))


@pytest.mark.parametrize("layer", [Layer.USER, Layer.MANAGED])
def test_a_persons_own_files_name_a_classifier(layer: Layer) -> None:
    settings = settings_of(TEXT, file(layer))
    assert settings.classifier == ("judge", "--fast")
    assert settings.problems == ()


@pytest.mark.parametrize("layer", [Layer.PROJECT, Layer.LOCAL])
def test_what_lies_in_a_project_names_none_and_is_told_so(layer: Layer) -> None:
    settings = settings_of(TEXT, file(layer))
    assert settings.classifier == ()
    assert "not taken" in settings.problems[0].problem


@pytest.mark.parametrize(
    "value", ['"judge"', "{}", '{"command": []}', '{"command": "judge"}', '{"command": [1]}', '["judge"]']
)
def test_a_classifier_without_a_list_of_texts_is_an_error(value: str) -> None:
    with pytest.raises(SettingsError, match="classifier needs a command"):
        settings_of(f'{{"classifier": {value}}}', file(Layer.USER))


def test_the_managed_files_classifier_wins(tmp_path: Path) -> None:
    files = []
    for layer in (Layer.USER, Layer.MANAGED):
        path = tmp_path / f"{layer}.json"
        path.write_text(f'{{"classifier": {{"command": ["{layer}"]}}}}')
        files.append(SettingsFile(layer, path, tmp_path))
    found = SettingsLayers(tuple(files)).classifier
    assert found is not None
    assert found[0] == ("managed",)
