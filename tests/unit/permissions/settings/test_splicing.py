"""A rule goes in and comes out; every other character stays."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.permissions.errors import SettingsError
from swarm.permissions.model import Behavior, Layer
from swarm.permissions.settings.places import SettingsFile
from swarm.permissions.settings.reading import settings_of
from swarm.permissions.settings.splicing import with_rule, without_rule

FILE = SettingsFile(Layer.LOCAL, Path("/p/.swarm/settings.local.json"), Path("/p"))
COMMENTED = """\
// my rules
{
\t"env": {"A": "1"}, // kept
\t"permissions": {
\t\t"allow": [
\t\t\t"Bash(ls:*)", // listing
\t\t\t"Read" // reading
\t\t\t// the end
\t\t],
\t\t"futureKey": [1,2 , 3]
\t}
}
"""


def allow(text: str, rule: str = "Bash(make)") -> str:
    return with_rule(text, FILE, Behavior.ALLOW, rule)


@pytest.mark.parametrize("text", ["", "{}", "{}\n", "{\n}\n", "// mine\n", "\ufeff"])
def test_a_bare_file_gets_a_tidy_list(text: str) -> None:
    new = allow(text)
    body = '{\n  "permissions": {\n    "allow": [\n      "Bash(make)"\n    ]\n  }\n}'
    assert new.strip("\ufeff\n").removeprefix("// mine\n") == body
    assert new.startswith(text.removesuffix("{}").removesuffix("{}\n").removesuffix("{\n}\n"))


def test_comments_order_tabs_and_unknown_keys_stay() -> None:
    expected = COMMENTED.replace('"Read" // reading', '"Read", // reading')
    expected = expected.replace("// the end\n", '// the end\n\t\t\t"Bash(make)"\n')
    assert allow(COMMENTED) == expected


def test_a_list_that_is_not_there_yet_is_put_behind_the_others() -> None:
    new = with_rule(COMMENTED, FILE, Behavior.DENY, "Bash(rm:*)")
    expected = COMMENTED.replace("[1,2 , 3]\n", '[1,2 , 3],\n\t\t"deny": [\n\t\t\t"Bash(rm:*)"\n\t\t]\n')
    assert new == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"permissions":{"allow":[]}}', '{"permissions":{"allow":["Bash(make)"]}}'),
        ('{"permissions":{"allow":["a"]}}\n', '{"permissions":{"allow":["a", "Bash(make)"]}}\n'),
        ('{"permissions":{"allow":[ "a" ]}}', '{"permissions":{"allow":[ "a", "Bash(make)" ]}}'),
        ('{"permissions":{"allow":["a",]}}', '{"permissions":{"allow":["a", "Bash(make)",]}}'),
        ('{"permissions":{"allow":[/* none */]}}', '{"permissions":{"allow":[/* none */ "Bash(make)"]}}'),
        ('{"x":1}', '{"x":1, "permissions": {"allow": ["Bash(make)"]}}'),
        (
            '{\n  "permissions": {\n    "allow": []\n  }\n}',
            '{\n  "permissions": {\n    "allow": [\n      "Bash(make)"\n    ]\n  }\n}',
        ),
        (
            '{\n  "permissions": {\n    "allow": [\n      "a",\n    ],\n  },\n}',
            '{\n  "permissions": {\n    "allow": [\n      "a",\n      "Bash(make)",\n    ],\n  },\n}',
        ),
        (
            '{\n "permissions": {\n  "allow": [\n   // none yet  \n  ]\n }\n}',
            '{\n "permissions": {\n  "allow": [\n   // none yet\n   "Bash(make)"\n  ]\n }\n}',
        ),
        (
            '{\r\n  "permissions": {\r\n    "allow": [\r\n      "a"\r\n    ]\r\n  }\r\n}\r\n',
            '{\r\n  "permissions": {\r\n    "allow": [\r\n      "a",\r\n      "Bash(make)"'
            "\r\n    ]\r\n  }\r\n}\r\n",
        ),
    ],
)
def test_the_layout_of_the_file_is_followed(text: str, expected: str) -> None:
    assert allow(text) == expected


def test_a_rule_that_is_there_is_not_added_twice() -> None:
    assert allow(allow(COMMENTED)) == allow(COMMENTED)
    assert allow(COMMENTED, "Read") == COMMENTED


@pytest.mark.parametrize("text", ["{", '{"permissions": []}', '{"permissions": {"allow": "Bash"}}', "[]"])
def test_a_text_that_cannot_be_used_is_not_touched(text: str) -> None:
    with pytest.raises(SettingsError):
        allow(text)
    with pytest.raises(SettingsError):
        without_rule(text, FILE, Behavior.ALLOW, "Bash")


@pytest.mark.parametrize(
    "rule", ['Bash(echo "x" \\ y)', "Bash(é)", "Bash(\u202e\x1b)", "Bash(\ud800)", "a // b", "]"]
)
def test_any_text_can_be_a_rule_and_nothing_invisible_is_written(rule: str) -> None:
    new = allow(COMMENTED, rule)
    assert rule in [known.text for known in settings_of(new, FILE).rules]
    assert all(character.isprintable() or character in "\n\t" for character in new)
    assert without_rule(new, FILE, Behavior.ALLOW, rule) == allow(COMMENTED).replace(
        '\t\t\t"Bash(make)"\n', ""
    ).replace('"Read", // reading', '"Read" // reading')


@pytest.mark.parametrize(
    ("inside", "rule", "expected"),
    [
        ('["a", "b", "c"]', "a", '["b", "c"]'),
        ('["a", "b", "c"]', "b", '["a", "c"]'),
        ('["a", "b", "c"]', "c", '["a", "b"]'),
        ('["a", "b",]', "b", '["a",]'),
        ('["a"]', "a", "[]"),
        ('["a", "b", "a"]', "a", '["b"]'),
        ('[\n  "a",\n  "b"\n]', "a", '[\n  "b"\n]'),
        ('[\n  "a",\n  "b"\n]', "b", '[\n  "a"\n]'),
        ('[\n  "a", // why\n  "b",\n]', "a", '[\n  // why\n  "b",\n]'),
        ('[\n  // one\n  "a"\n]', "a", "[\n  // one\n]"),
        ('["a", "b"]', "x", '["a", "b"]'),
    ],
)
def test_a_rule_is_taken_out_with_its_comma_and_its_line(inside: str, rule: str, expected: str) -> None:
    before, after = '{"permissions": {"allow": ', ', "deny": ["a"]}}'
    assert without_rule(before + inside + after, FILE, Behavior.ALLOW, rule) == before + expected + after


BLANK = st.sampled_from(["", " ", "\n", "\n    ", " /* c */ ", " // c\n", "\r\n", "\t"])
RULE = st.sampled_from(["Read", "Bash(ls:*)", "Edit(/src/**)", 'Bash(echo "x, ]")', "Bash(a // b)"])


@st.composite
def settings_text(draw: st.DrawFn) -> str:
    """Give a settings text with blanks, comments and commas anywhere they may stand."""

    def blank() -> str:
        return draw(BLANK)

    def joined(pieces: list[str]) -> str:
        comma = "," if draw(st.booleans()) and pieces else ""
        return ",".join(blank() + piece + blank() for piece in pieces) + comma + blank()

    members = []
    for name in draw(st.lists(st.sampled_from(["allow", "ask", "deny"]), unique=True)):
        rules = [json.dumps(rule) for rule in draw(st.lists(RULE, max_size=3))]
        members.append(f'"{name}"{blank()}:{blank()}[{joined(rules)}]')
    permissions = f'"permissions":{blank()}{{{joined(members)}}}'
    others = draw(st.lists(st.sampled_from(['"env": {"A": [1, 2,]}', '"other"/**/: null']), unique=True))
    root = [*others, permissions] if draw(st.booleans()) else [*others]
    return f"{blank()}{{{joined(root)}}}{blank()}"


@settings(max_examples=150, deadline=None)
@given(settings_text(), st.sampled_from(list(Behavior)), RULE)
def test_in_and_out_again_changes_nothing_else(text: str, behavior: Behavior, rule: str) -> None:
    def rules(of: str) -> list[tuple[Behavior, str]]:
        return [(known.behavior, known.text) for known in settings_of(of, FILE).rules]

    added = with_rule(text, FILE, behavior, rule)
    others = [known for known in rules(text) if known != (behavior, rule)]
    assert (behavior, rule) in rules(added)
    assert [known for known in rules(added) if known != (behavior, rule)] == others
    removed = without_rule(added, FILE, behavior, rule)
    assert rules(removed) == others
    assert added.count("// c") == text.count("// c") == removed.count("// c")
    assert added.count("/* c */") == text.count("/* c */") == removed.count("/* c */")
