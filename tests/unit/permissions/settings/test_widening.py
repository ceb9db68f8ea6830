"""A settings file that changes while a session runs can forbid more, but allow no more."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm.permissions.model import Behavior, Layer, Mode, RuleText, Settings, Source
from swarm.permissions.settings.layers import SettingsLayers
from swarm.permissions.settings.places import SettingsFile
from swarm.permissions.settings.widening import WIDTH, narrow
from swarm.permissions.settings.writing import add_rule


def rule(behavior: Behavior, text: str, line: int = 1) -> RuleText:
    return RuleText(behavior, text, Source(Layer.LOCAL, "settings.json", line))


ALLOW = rule(Behavior.ALLOW, "Bash(make)")
DENY = rule(Behavior.DENY, "Bash(rm:*)")


def test_a_new_allow_rule_is_held_and_a_new_deny_rule_counts() -> None:
    narrowed = narrow(Settings(), Settings((ALLOW, DENY)))
    assert narrowed.settings.rules == (DENY,)
    assert narrowed.held == ("Bash(make) is allowed",)


def test_an_allow_rule_that_goes_is_gone_and_a_deny_rule_that_goes_stays() -> None:
    narrowed = narrow(Settings((ALLOW, DENY)), Settings())
    assert narrowed.settings.rules == (DENY,)
    assert narrowed.held == ("Bash(rm:*) is no longer denied",)


def test_a_rule_that_only_moved_is_the_same_and_its_new_place_is_told() -> None:
    moved = rule(Behavior.ALLOW, "Bash(make)", line=7)
    narrowed = narrow(Settings((ALLOW,)), Settings((moved,)))
    assert (narrowed.settings.rules, narrowed.held) == ((moved,), ())


def test_a_rule_that_a_person_granted_counts() -> None:
    assert narrow(Settings(), Settings((ALLOW,)), (ALLOW,)).settings.rules == (ALLOW,)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, Mode.BYPASS, None),
        (Mode.PLAN, None, Mode.PLAN),
        (Mode.DEFAULT, Mode.ACCEPT_EDITS, Mode.DEFAULT),
        (Mode.BYPASS, Mode.PLAN, Mode.PLAN),
        (None, Mode.DONT_ASK, Mode.DONT_ASK),
    ],
)
def test_a_mode_can_only_get_stricter(
    before: Mode | None, after: Mode | None, expected: Mode | None
) -> None:
    assert narrow(Settings(mode=before), Settings(mode=after)).settings.mode == expected


SETTINGS = st.builds(
    Settings,
    st.lists(st.builds(rule, st.sampled_from(Behavior), st.sampled_from("abc")), max_size=5).map(tuple),
    st.sampled_from(list(WIDTH)),
)


@given(SETTINGS, SETTINGS)
def test_whatever_changes_nothing_is_wider_than_before(before: Settings, after: Settings) -> None:
    now = narrow(before, after).settings
    allowed = {found.text for found in now.rules if found.behavior is Behavior.ALLOW}
    assert allowed <= {found.text for found in before.rules if found.behavior is Behavior.ALLOW}
    for found in before.rules:
        if found.behavior is not Behavior.ALLOW:
            assert any((found.behavior, found.text) == (kept.behavior, kept.text) for kept in now.rules)
    assert WIDTH[now.mode] <= WIDTH[before.mode]


def test_a_file_that_a_worker_makes_allows_nothing_until_a_person_takes_it(tmp_path: Path) -> None:
    file = SettingsFile(Layer.LOCAL, tmp_path / ".swarm/settings.local.json", tmp_path)
    layers = SettingsLayers((file,))
    file.path.parent.mkdir()
    file.path.write_text('{"permissions": {"allow": ["Bash"], "defaultMode": "bypassPermissions"}}')
    (notice,) = layers.reload(file.path)
    assert "allows more than before: Bash is allowed; the mode is bypassPermissions" in notice
    assert (layers.rules, layers.mode) == ((), None)
    assert len(layers.held) == 2


def test_what_is_held_counts_once_a_person_takes_it(tmp_path: Path) -> None:
    file = SettingsFile(Layer.LOCAL, tmp_path / ".swarm/settings.local.json", tmp_path)
    layers = SettingsLayers((file,))
    file.path.parent.mkdir()
    file.path.write_text('{"permissions": {"allow": ["Bash"]}}')
    layers.reload(file.path)
    layers.accept()
    assert [found.text for found in layers.rules] == ["Bash"]
    assert layers.held == ()


def test_what_a_worker_adds_beside_a_granted_rule_is_held(tmp_path: Path) -> None:
    file = SettingsFile(Layer.LOCAL, tmp_path / ".swarm/settings.local.json", tmp_path)
    layers = SettingsLayers((file,))
    add_rule(file, Behavior.ALLOW, "Bash")
    granted = add_rule(file, Behavior.ALLOW, "Bash(make)")
    layers.reload(file.path, (granted,))
    assert [found.text for found in layers.rules] == ["Bash(make)"]
