"""What a settings file says, and what it says wrong."""

import os
from pathlib import Path

import pytest

from swarm.permissions.errors import SettingsError
from swarm.permissions.model import Behavior, Layer, Mode, RuleText, Settings, Source
from swarm.permissions.settings.opening import LARGEST
from swarm.permissions.settings.places import SettingsFile, settings_files
from swarm.permissions.settings.reading import read_settings, settings_of, strict_settings

FILE = SettingsFile(Layer.PROJECT, Path("/p/.swarm/settings.json"), Path("/p"), Path("/p"))


def read(text: str) -> Settings:
    return settings_of(text, FILE)


def project_file(folder: Path, text: str | None = None) -> SettingsFile:
    path = folder / ".swarm" / "settings.json"
    path.parent.mkdir(exist_ok=True)
    if text is not None:
        path.write_text(text)
        path.chmod(0o600)
    return SettingsFile(Layer.PROJECT, path, folder, folder)


def test_each_rule_knows_its_line_and_column() -> None:
    text = (
        '{\n  "permissions": {\n    "deny": ["Bash(rm:*)"],\n    "allow": [\n      "Read",\n    ],\n  }\n}'
    )
    file = "/p/.swarm/settings.json"
    assert read(text).rules == (
        RuleText(Behavior.ALLOW, "Read", Source(Layer.PROJECT, file, 5, 8, "/p")),
        RuleText(Behavior.DENY, "Bash(rm:*)", Source(Layer.PROJECT, file, 3, 15, "/p")),
    )


@pytest.mark.parametrize("text", ["", "{}", '{"permissions": {}}', '{"env": {"A": "1"}}', "// nothing yet"])
def test_a_file_without_permissions_says_nothing(text: str) -> None:
    assert read(text) == Settings()


@pytest.mark.parametrize("key", ["mode", "defaultMode"])
def test_the_mode_is_read_under_either_name(key: str) -> None:
    assert read(f'{{"permissions": {{"{key}": "acceptEdits"}}}}').mode is Mode.ACCEPT_EDITS


@pytest.mark.parametrize(
    ("permissions", "place", "words"),
    [
        ('{"allow": "Bash"}', "1:28", "allow is a text where a list was expected"),
        ('{"deny": [["x"]]}', "1:28", "a rule of deny is a list where a text"),
        ('{"ask": [7]}', "1:27", "a rule of ask is a number"),
        ('{"ask": null}', "1:26", "ask is null"),
        ("[]", "1:17", "permissions is a list"),
        ('{"mode": true}', "1:26", "the mode is true or false"),
        ('{"mode": "acceptedits"}', "1:26", "Did you mean acceptEdits?"),
        ('{"mode": "plan", "defaultMode": "default"}', "1:26", "say different things"),
        ('{"deny": ["a"], "deny": []}', "1:33", "deny stands here twice"),
    ],
)
def test_a_wrong_type_is_an_error_with_its_place(permissions: str, place: str, words: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read(f'{{"permissions": {permissions}}}')
    text = str(caught.value)
    assert text.startswith("/p/.swarm/settings.json:1:")
    assert words in text


def test_an_error_shows_its_line_with_a_caret() -> None:
    with pytest.raises(SettingsError) as caught:
        read('{\n  "permissions": {"allow": Bash}\n}')
    assert str(caught.value).splitlines() == [
        "/p/.swarm/settings.json:2:28: 'Bash' is no value. Write a text in double quotes, a number, true, "
        "false, null, [ or {.",
        '    "permissions": {"allow": Bash}',
        "                             ^",
    ]


def test_a_hostile_line_is_shown_cut_and_harmless() -> None:
    with pytest.raises(SettingsError) as caught:
        read('{"' + "x" * 9000 + '": "\x1b[2J\u202e' + '" oops}')
    shown = str(caught.value)
    assert len(shown) < 500
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    line, caret = shown.splitlines()[-2:]
    assert len(caret) <= len(line)


def test_an_unknown_key_under_permissions_is_a_warning_with_the_nearest_word() -> None:
    (problem,) = read('{"permissions": {"alow": ["Bash"]}}').problems
    assert not problem.is_error
    assert "'alow' is not known" in problem.problem
    assert "Did you mean allow?" in problem.advice
    assert (problem.source.line, problem.source.column) == (1, 18)


@pytest.mark.parametrize("text", ['{"deny": ["Bash"]}', '{"permission": {"deny": ["Bash"]}}'])
def test_rules_in_the_wrong_place_do_not_vanish_in_silence(text: str) -> None:
    assert len(read(text).problems) == 1


def test_settings_that_are_no_object_are_an_error() -> None:
    with pytest.raises(SettingsError, match="settings are an object, not a list"):
        read("[]")


def test_a_missing_file_says_nothing(tmp_path: Path) -> None:
    assert read_settings(project_file(tmp_path)) == Settings()
    assert read_settings(SettingsFile(Layer.USER, tmp_path / "no" / "such", tmp_path)) == Settings()


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    file = project_file(tmp_path, '\ufeff{"permissions": {"allow": ["Read"]}}')
    assert len(read_settings(file).rules) == 1


def test_bytes_that_are_no_utf8_are_an_error_with_their_place(tmp_path: Path) -> None:
    file = project_file(tmp_path, "{}")
    file.path.write_bytes(b'{\n "a": "\xff"}')
    with pytest.raises(SettingsError, match=r":2:8: this is no UTF-8"):
        read_settings(file)


def test_a_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    file = project_file(tmp_path)
    os.mkfifo(file.path)
    with pytest.raises(SettingsError, match="no ordinary file"):
        read_settings(file)


@pytest.mark.parametrize("target", ["/dev/zero", "/", "nowhere"])
def test_what_is_no_file_is_refused(tmp_path: Path, target: str) -> None:
    file = project_file(tmp_path)
    file.path.symlink_to(target)
    with pytest.raises(SettingsError):
        read_settings(file)


def test_a_loop_of_links_is_refused(tmp_path: Path) -> None:
    file = project_file(tmp_path)
    file.path.symlink_to(file.path)
    with pytest.raises(SettingsError):
        read_settings(file)


def test_a_file_over_the_cap_is_refused(tmp_path: Path) -> None:
    file = project_file(tmp_path, "/" * (LARGEST + 1))
    with pytest.raises(SettingsError, match=r"larger than 1,048,576 bytes"):
        read_settings(file)


def test_a_file_that_everybody_may_write_is_a_warning(tmp_path: Path) -> None:
    file = project_file(tmp_path, "{}")
    file.path.chmod(0o666)
    (problem,) = read_settings(file).problems
    assert "everybody may write" in problem.problem
    assert not problem.is_error


def test_a_link_to_outside_the_project_is_noted(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    outside = tmp_path / "elsewhere.json"
    outside.write_text("{}")
    outside.chmod(0o600)
    file = project_file(tmp_path / "project")
    file.path.symlink_to(outside)
    (problem,) = read_settings(file).problems
    assert "link to outside" in problem.problem
    assert str(outside) in problem.advice


def test_a_file_that_could_never_be_read_makes_everything_ask() -> None:
    error = SettingsError(Source(Layer.PROJECT, "/p/.swarm/settings.json", 3, 1), "broken", "Mend it.")
    strict = strict_settings(FILE, error)
    assert [(rule.behavior, rule.text) for rule in strict.rules] == [(Behavior.ASK, "*")]
    assert strict.problems[0].is_error
    assert strict.problems[0].source.line == 3


def test_files_lie_where_the_environment_says() -> None:
    project, home = Path("/p"), Path("/h")
    paths = {file.layer: str(file.path) for file in settings_files(project, home, {})}
    assert paths == {
        Layer.USER: "/h/.config/swarm/settings.json",
        Layer.PROJECT: "/p/.swarm/settings.json",
        Layer.LOCAL: "/p/.swarm/settings.local.json",
        Layer.MANAGED: "/etc/swarm/settings.json",
    }
    moved = settings_files(project, home, {"XDG_CONFIG_HOME": "/c"})
    assert str(moved[0].path) == "/c/swarm/settings.json"
    ignored = settings_files(project, home, {"XDG_CONFIG_HOME": "relative"})
    assert str(ignored[0].path) == "/h/.config/swarm/settings.json"
