"""Whatever is put in: no exception, no long wait, and no denied command where bash would run it."""

import os
import string
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.permissions.classifier import classify
from swarm.permissions.engine import decide
from swarm.permissions.files import MemoryFiles
from swarm.permissions.model import Request
from swarm.permissions.offers import offers

from .building import CWD, bash, policy_of
from .timing import PIECES, timely

POLICY = policy_of(allow=["Bash", "Edit(./**)"], deny=["Bash(badcmd:*)", "Read(./secret.txt)"])
EXAMPLES = int(os.environ.get("ENGINE_EXAMPLES", "300"))
FILES = MemoryFiles({"/w/proj/secret.txt": "file", "/w/proj/src": "dir", "/w/proj/loop": "->/w/proj/loop"})
TEXTS = st.one_of(st.lists(PIECES, max_size=40).map("".join), st.text(max_size=200))

WRAPS = st.sampled_from(
    [
        "{}",
        "timeout 5 {}",
        "sudo -u bob {}",
        "env A=1 {}",
        "nice -n 5 nohup {}",
        "stdbuf -oL {}",
        "command {}",
        "exec {}",
        "time -p {}",
        "! {}",
        "xargs -n1 {}",
        "find . -exec {} \\;",
        "ssh host {}",
        "setsid {}",
        "busybox {}",
    ]
)
HOLDERS = st.sampled_from(
    [
        "{}",
        "mytool a; {}",
        "mytool && {}",
        "mytool || {}",
        "mytool | {}",
        "mytool |& {}",
        "mytool & {}",
        "mytool\n{}",
        "( {} )",
        "{{ {}; }}",
        "if mytool; then {}; fi",
        "if {}; then mytool; fi",
        "while mytool; do {}; done",
        "until {}; do mytool; done",
        "for i in 1 2; do {}; done",
        "case x in x) {};; esac",
        "f() {{ {}; }}; f",
        'mytool "$( {} )"',
        "mytool ` {} `",
        "mytool <( {} )",
        "mytool > >( {} )",
        "x=$( {} )",
        "mytool ${{x:-$( {} )}}",
        "mytool <<E\n$( {} )\nE",
        "mytool <<'E' && {}\nbody\nE",
        "[[ -n $( {} ) ]]",
        "echo $(( $( {} ) + 1 ))",
        "mytool \\\n a; {}",
        "# note\n{}",
        "mytool 'a;b' \"c|d\"; {}",
        "select o in a; do {}; done",
        "coproc {}",
        "time {{ {}; }}",
    ]
)
NAMES = st.sampled_from(
    [
        "badcmd",
        "A=1 B='x y' badcmd",
        "bad\\cmd",
        "'badcmd'",
        'bad"cm"d',
        "/usr/bin/badcmd",
        "./badcmd",
        "$'badcmd'",
        "bad\\\ncmd",
        "b''adcmd",
    ]
)
TAILS = st.sampled_from(["", " x", " -f 'a b'", " >/dev/null", " 2>&1", " \\\n y", ' "$HOME"'])


def held(holder: str, command: str) -> str:
    """A command in its place; one of several lines would become a here-document's body, so it stays."""
    return command if "<<'E'" in holder and "\n" in command else holder.format(command)


MODES = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"]
FEW = {
    mode: policy_of(allow=["Bash(mytool:*)"], deny=["Bash(badcmd:*)", "Read(**/.env*)"], mode=mode)
    for mode in MODES
}


@given(TEXTS, st.sampled_from(MODES))
@settings(max_examples=EXAMPLES, deadline=None)
def test_no_command_raises(command: str, mode: str) -> None:
    verdict = timely(lambda: decide(bash(command), FEW[mode], FILES))
    assert verdict.why
    assert "could not be applied" not in verdict.why
    classify(bash(command), FEW[mode], FILES)
    offers(bash(command), FEW[mode], FILES)
    assert all(0 <= part.start <= part.end <= len(command) for part in verdict.parts)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
TOOLS = st.sampled_from(
    ["Bash", "Read", "Edit", "Glob", "Grep", "LS", "WebFetch", "WebSearch", "mcp__a__b", "Other", ""]
)
FIELDS = st.sampled_from(["command", "file_path", "path", "pattern", "url", "notebook_path", "x"])


@given(TOOLS, st.dictionaries(FIELDS, JSON, max_size=4))
@settings(max_examples=200, deadline=None)
def test_no_input_of_any_tool_raises(tool: str, fields: dict[str, Any]) -> None:
    verdict = decide(Request(tool, fields, CWD), POLICY, FILES)
    assert "could not be applied" not in verdict.why


@given(st.lists(st.text(alphabet=string.printable, max_size=30), max_size=5))
@settings(max_examples=100, deadline=None)
def test_no_rule_raises(texts: list[str]) -> None:
    policy = policy_of(
        allow=texts, deny=[f"Bash({text})" for text in texts], ask=[f"Read({text})" for text in texts]
    )
    verdict = decide(bash("mytool a && cat b"), policy, FILES)
    assert "could not be applied" not in verdict.why


@given(NAMES, TAILS, st.lists(WRAPS, max_size=2), st.lists(HOLDERS, min_size=1, max_size=3))
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_denied_command_is_denied_wherever_bash_would_run_it(
    name: str, tail: str, wraps: list[str], holders: list[str]
) -> None:
    command = name + tail
    for wrap in wraps if "=" not in name else ():
        command = wrap.format(command)
    for holder in holders:
        command = held(holder, command)
    verdict = decide(bash(command), POLICY, FILES)
    assert verdict.behavior != "allow", command


@given(
    st.sampled_from(["bash -c {}", "sh -ec {}", "eval {}", "su -c {}", "env -S {}", "trap {} EXIT"]),
    HOLDERS,
    NAMES,
)
@settings(max_examples=200, deadline=None)
def test_a_denied_command_in_the_text_for_a_shell_is_seen(shell: str, holder: str, name: str) -> None:
    inner = held(holder, f"{name} x").replace("'", "'\\''")
    command = shell.format(f"'{inner}'")
    verdict = decide(bash(command), POLICY, FILES)
    assert verdict.behavior != "allow", command


READS = st.sampled_from(
    ["cat {}", "head -n 1 {}", "grep -n x {}", "mytool < {}", "cp {} b", "sort -u {}", "tar cf - {}"]
)
SPELT = st.sampled_from(
    [
        "secret.txt",
        "./secret.txt",
        "'secret.txt'",
        "$PWD/secret.txt",
        "src/../secret.txt",
        "/w/proj/secret.txt",
    ]
)
MORE_SPELT = st.sampled_from(
    ["sec*.txt", "secre?.txt", "{secret,other}.txt", "s''ecret.txt", '"secret".txt', "[s]ecret.txt"]
)


@given(READS, SPELT | MORE_SPELT, st.lists(WRAPS, max_size=1), HOLDERS)
@settings(max_examples=300, deadline=None)
def test_a_file_that_must_not_be_read_is_not_read_by_a_command(
    read: str, path: str, wraps: list[str], holder: str
) -> None:
    command = read.format(path)
    for wrap in wraps:
        command = wrap.format(command)
    command = held(holder, command)
    verdict = decide(bash(command), POLICY, FILES)
    assert verdict.behavior != "allow", command
