"""What becomes of the settings of other programs, and that nothing pasted gets weaker."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.leader.rules.errors import BadQuestion
from swarm.leader.rules.import_claude import read_claude
from swarm.leader.rules.import_codex import read_config, read_rules
from swarm.leader.rules.import_opencode import read_opencode
from swarm.leader.rules.import_sources import Program, import_files, usual_files
from swarm.leader.rules.imported import Entry, Imported, settings_object, sound
from swarm.permissions.engine import decide
from swarm.permissions.files import MemoryFiles
from swarm.permissions.model import Behavior, Folders, Layer, Mode, Request, RuleText, Source
from swarm.permissions.policy import compile_policy


def claude(of_user: bool = False, **permissions: Any) -> list[Entry]:
    return list(sound(read_claude(json.dumps({"permissions": permissions}), of_user)))


def opencode(**permission: Any) -> list[Entry]:
    return list(sound(read_opencode(json.dumps({"permission": permission}))))


def rules(entries: list[Entry]) -> list[str]:
    return [f"{behavior} {text}" for entry in entries for behavior, text in entry.rules]


def test_rules_of_the_same_grammar_are_taken_as_they_are() -> None:
    same = ["Bash(npm run test:*)", "Read(./src/**)", "WebFetch(domain:x.org)", "mcp__srv__*", "Edit"]
    entries = claude(allow=same)
    assert rules(entries) == [f"allow {text}" for text in same]
    assert not any(entry.note for entry in entries)


@pytest.mark.parametrize("behavior", ["deny", "ask"])
@pytest.mark.parametrize(
    ("written", "carried"),
    [
        ("Read(./.env)", "Read(.env)"),
        ("Read(./a/**)", "Read(a/**)"),
        ("Write(./gen/**)", "Edit(gen/**)"),
        ("Grep(x)", "Read(x)"),
        ("Task(Explore)", "Task"),
        ("Read(//etc/x)", "Read(//etc/x)"),
    ],
)
def test_what_denies_or_asks_is_widened_where_it_must_be(behavior: str, written: str, carried: str) -> None:
    (entry,) = claude(False, **{behavior: [written]})
    assert rules([entry]) == [f"{behavior} {carried}"]
    assert bool(entry.note) == (written != carried)


@pytest.mark.parametrize("written", ["Write(x)", "Task(Explore)", "mcp__*", "Bash(x", 5, ""])
def test_what_cannot_be_allowed_here_is_left_with_a_reason(written: Any) -> None:
    (entry,) = claude(allow=[written])
    assert (entry.carried, bool(entry.note)) == (False, True)


def test_a_leading_slash_in_ones_own_settings_means_another_folder() -> None:
    assert rules(claude(True, allow=["Read(/x)"], deny=["Read(/y)"])) == ["deny Read(y)"]
    assert rules(claude(False, allow=["Read(/x)"])) == ["allow Read(/x)"]


def test_everything_else_of_claudes_settings_is_named_with_its_line() -> None:
    text = '{\n"hooks": {},\n"permissions": {\n"defaultMode": "bypassPermissions",\n'
    text += '"additionalDirectories": ["/x"],\n"odd": 1}}'
    entries = list(read_claude(text, False))
    assert [(entry.line, entry.carried) for entry in entries] == [
        (2, False),
        (4, False),
        (5, False),
        (6, False),
    ]
    assert "Read(//x/**)" in entries[2].note
    assert claude(defaultMode="acceptEdits")[0].mode is Mode.ACCEPT_EDITS
    assert not claude(defaultMode="auto")[0].carried


@pytest.mark.parametrize(
    ("approval", "sandbox", "mode"),
    [
        ("on-request", "workspace-write", Mode.ACCEPT_EDITS),
        ("untrusted", "workspace-write", Mode.DEFAULT),
        ("on-request", "read-only", Mode.PLAN),
        ("never", "workspace-write", Mode.DONT_ASK),
        ("never", "danger-full-access", None),
        ("on-request", "danger-full-access", Mode.DEFAULT),
    ],
)
def test_approval_and_sandbox_become_the_nearest_mode_that_is_not_laxer(
    approval: str, sandbox: str, mode: Mode | None
) -> None:
    text = f'model = "m"\napproval_policy = "{approval}"\nsandbox_mode = "{sandbox}"\n'
    (entry,) = read_config(text)
    assert (entry.line, entry.mode) == (2, mode)


def test_the_rest_of_codexs_settings_is_carried_or_named() -> None:
    text = '[sandbox_workspace_write]\nwritable_roots = ["/srv", "x"]\nnetwork_access = true\n'
    text += '[mcp_servers.docs]\nenabled = false\ndisabled_tools = ["drop"]\nenabled_tools = ["a"]\n'
    text += "[profiles.a]\n"
    entries = list(sound(read_config(text)))
    assert rules(entries) == ["allow Edit(//srv/**)", "deny mcp__docs", "deny mcp__docs__drop"]
    assert [entry.line for entry in entries if not entry.carried] == [2, 3, 4, 8]


def test_prefix_rules_become_rules_for_commands() -> None:
    text = 'prefix_rule(pattern=["git", ["push", "fetch"]], decision="prompt")\n'
    text += 'prefix_rule(\n  pattern=["rm", "a b*"],\n  decision="forbidden", justification="no")\n'
    text += 'prefix_rule(pattern=["ls"])\nx = 1\nprefix_rule(pattern=[f()])\nprefix_rule(pattern=[])\n'
    entries = list(sound(read_rules(text)))
    assert rules(entries) == [
        "ask Bash(git push:*)",
        "ask Bash(git fetch:*)",
        "deny Bash(rm 'a b\\*':*)",
        "allow Bash(ls:*)",
    ]
    assert [entry.line for entry in entries if not entry.carried] == [6, 7, 8]


def test_a_prefix_rule_that_stands_for_too_many_is_left() -> None:
    many = [[f"w{number}" for number in range(30)]] * 3
    assert [entry.carried for entry in read_rules(f"prefix_rule(pattern={many!r})")] == [False]


def test_the_last_rule_counts_there_and_the_strictest_here() -> None:
    assert (
        rules(opencode(bash={"*": "ask", "git *": "allow", "rm *": "deny"}))
        == [
            "ask Bash",
            "allow Bash(git *)",
            "deny Bash(rm *)",
        ][1:]
    )
    assert rules(opencode(bash={"git *": "deny", "*": "allow"})) == ["allow Bash"]
    exception = opencode(bash={"rm *": "deny", "rm ./x": "allow"})
    assert "stricter rule wins" in exception[0].note


@pytest.mark.parametrize(
    ("tool", "patterns", "carried"),
    [
        ("edit", {"src/*": "allow"}, ["allow Edit(/src/*)"]),
        ("edit", {"src/*": "deny"}, ["deny Edit(src/*)", "deny Edit(src/**/*)"]),
        ("edit", {"a*/b*": "deny"}, ["deny Edit(**)"]),
        ("edit", {"*.env": "deny"}, ["deny Edit(*.env)"]),
        ("edit", {"a*b": "deny"}, ["deny Edit(a*b)", "deny Edit(a*/**/*b)"]),
        ("edit", {"x/a*/b*": "deny"}, ["deny Edit(x/**)"]),
        ("read", "allow", ["allow Read(/**)"]),
        (
            "read",
            {"$HOME/x/*": "allow", "/etc/*": "deny"},
            ["allow Read(~/x/*)", "deny Read(//etc/*)", "deny Read(//etc/**/*)"],
        ),
        ("bash", {"a?b": "deny"}, ["deny Bash(a*b)"]),
        ("bash", {"a?b": "allow"}, []),
        (
            "webfetch",
            {"https://x.org/*": "allow", "odd": "deny"},
            ["allow WebFetch(domain:x.org)", "deny WebFetch"],
        ),
        ("grep", {"x": "allow"}, []),
        ("grep", {"x": "deny"}, ["deny Grep"]),
        ("list", "allow", []),
        (
            "external_directory",
            {"/e/*": "deny", "/f": "allow"},
            ["deny Read(//e/*)", "deny Read(//e/**/*)", "deny Edit(//e/*)", "deny Edit(//e/**/*)"],
        ),
        ("gh_*", "deny", ["deny mcp__gh__*"]),
        ("task", "deny", []),
        ("bash", "perhaps", []),
    ],
)
def test_patterns_become_narrower_in_allow_and_wider_in_deny(
    tool: str, patterns: Any, carried: list[str]
) -> None:
    assert rules(opencode(**{tool: patterns})) == carried


def test_for_all_tools_becomes_a_mode_but_never_bypass() -> None:
    assert [opencode(**{"*": word})[0].mode for word in ("ask", "deny", "allow", "x")] == [
        Mode.DEFAULT,
        Mode.DONT_ASK,
        None,
        None,
    ]
    (whole,) = read_opencode('{"permission": "allow"}')
    assert not whole.carried


def test_tools_that_are_off_are_denied_and_agents_are_named() -> None:
    text = '{"tools": {"bash": false, "x": true}, "agent": {"b": {"permission": {}}}}'
    entries = list(read_opencode(text))
    assert rules(entries) == ["deny Bash"]
    assert [entry.carried for entry in entries] == [True, False, False]


PROGRAMS: tuple[Program, ...] = ("claude", "codex", "opencode")
SEGMENT = st.text("ab*", min_size=1, max_size=3).filter(lambda text: "**" not in text)
PATH = st.lists(st.text("ab", min_size=1, max_size=3), min_size=1, max_size=4).map("/".join)


@settings(max_examples=200, deadline=None)
@given(st.lists(SEGMENT, min_size=1, max_size=3).map("/".join), PATH)
def test_a_path_that_opencode_denies_is_denied_here(pattern: str, path: str) -> None:
    import re

    denied = re.fullmatch(re.escape(pattern).replace("\\*", ".*"), path) is not None
    texts = [text for entry in opencode(edit={pattern: "deny"}) for _, text in entry.rules]
    listed = [RuleText(Behavior.DENY, text, Source(Layer.PROJECT, base="/w")) for text in texts]
    policy = compile_policy(listed, Mode.BYPASS, Folders(Path("/home/dev"), Path("/w")))
    found = decide(Request("Write", {"file_path": path}, "/w"), policy, MemoryFiles({}))
    assert found.behavior is Behavior.DENY or not denied


def test_the_usual_places_are_looked_at(tmp_path: Path) -> None:
    home, project = tmp_path / "home", tmp_path / "project"
    for name in (".claude/settings.json", ".codex/config.toml", ".codex/rules/a.rules", "opencode.json"):
        for base in (home, project):
            (base / name).parent.mkdir(parents=True, exist_ok=True)
            (base / name).write_text("{}" if name.endswith("json") else "")
    found = {program: usual_files(program, project, home, {}) for program in PROGRAMS}
    assert [len(files) for files in found.values()] == [2, 4, 1]
    assert found["claude"][0] == home / ".claude" / "settings.json"


@pytest.mark.parametrize(
    ("program", "name", "text"),
    [
        ("claude", "a.json", "{"),
        ("codex", "config.toml", "a ="),
        ("codex", "a.rules", "("),
        ("opencode", "o", "["),
    ],
)
def test_a_file_that_cannot_be_read_says_where(tmp_path: Path, program: Any, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(BadQuestion, match=name):
        import_files(program, [tmp_path / name], tmp_path)
    with pytest.raises(BadQuestion, match="cannot be read"):
        import_files(program, [tmp_path / "none"], tmp_path)


def test_every_rule_stands_in_the_result_once() -> None:
    entries = (
        Entry(1, "a", ((Behavior.DENY, "Bash"),)),
        Entry(2, "b", ((Behavior.DENY, "Bash"),), Mode.PLAN),
    )
    assert settings_object([Imported("f", entries)]) == {
        "permissions": {"mode": "plan", "allow": [], "ask": [], "deny": ["Bash"]}
    }
