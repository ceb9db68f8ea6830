"""Odd ways to write commands, each of which once was read wrongly."""

import pytest

from swarm.permissions.engine import decide
from swarm.permissions.files import MemoryFiles
from swarm.permissions.model import Behavior, Request
from swarm.permissions.offers import offers

from .building import CWD, decided, policy_of

EVERY = policy_of(allow=["Bash"], deny=["Bash(badcmd:*)", "Read(./secret.txt)"])


@pytest.mark.parametrize(
    "command", ["coproc badcmd {a,b}", "coproc cat {secret,x}.txt", "coproc x { badcmd; }"]
)
def test_a_list_in_braces_behind_a_coprocess_is_no_group(command: str) -> None:
    assert decided(command, EVERY).behavior is Behavior.DENY


def test_an_empty_here_document_to_a_shell_is_no_fault() -> None:
    assert "could not be applied" not in decided("bash -c -fifi<<EOF\nEOF\n\\", EVERY).why


@pytest.mark.parametrize(
    "command",
    [
        'f(){ set -- badcmd; "$1"; }; f ok',
        "f(){ set badcmd; $1; }; f ok",
        "f(){ set -o pipefail; $1; }; f badcmd",
        "f(){ shift; $1; }; f ok badcmd",
        "shopt -s nocaseglob",
        "shopt -s lastpipe; mytool | read x",
    ],
)
def test_other_parameters_and_options_of_the_shell_are_seen(command: str) -> None:
    assert decided(command, EVERY).behavior is not Behavior.ALLOW


@pytest.mark.parametrize("command", ["set -euo pipefail; ls", "set -e; ls", "shopt -u nullglob"])
def test_usual_options_of_the_shell_are_free(command: str) -> None:
    assert decided(command, EVERY).behavior is Behavior.ALLOW


@pytest.mark.parametrize(
    "command",
    [
        "curl -O $url",
        "curl -O https://x.test/.envrc",
        "wget https://x.test/.envrc",
        "wget -P .git/hooks https://x.test/pre-commit",
        "wget $url",
        "git archive -o $x HEAD",
    ],
)
def test_what_is_fetched_to_a_protected_or_unknown_file_is_asked(command: str) -> None:
    assert decided(command, policy_of(allow=["Bash"])).behavior is Behavior.ASK


@pytest.mark.parametrize(
    "command",
    [
        "curl -O https://x.test/y.tgz",
        "wget -q https://x.test/y.tgz",
        "wget https://x.test",
        "git archive -o x.tar HEAD",
        "make -C $dir",
    ],
)
def test_what_is_fetched_to_a_usual_file_is_free(command: str) -> None:
    assert decided(command, policy_of(allow=["Bash"])).behavior is Behavior.ALLOW


@pytest.mark.parametrize(
    "command",
    [
        "make -C locked",
        "docker run -v $PWD/locked:/x img",
        "docker run -v $PWD:/x img",
        "podman run --mount type=bind,src=./locked,dst=/x img",
        "wget -P locked https://x.test/y",
    ],
)
def test_what_writes_below_a_locked_folder_is_not_allowed(command: str) -> None:
    policy = policy_of(allow=["Bash"], deny=["Edit(locked/**)"])
    assert decided(command, policy, {"/w/proj/locked/f": "file"}).behavior is not Behavior.ALLOW


def test_a_call_in_the_background_is_as_one_with_an_ampersand() -> None:
    policy = policy_of(allow=["Bash(mytool:*)"])
    request = Request("Bash", {"command": "mytool a", "run_in_background": True}, CWD)
    assert decide(request, policy, MemoryFiles({})).behavior is Behavior.ASK
    assert offers(request, policy_of(), MemoryFiles({})) == ()
    assert decide(request, policy_of(allow=["Bash"]), MemoryFiles({})).behavior is Behavior.ALLOW


@pytest.mark.parametrize(
    "command", ["npx $x", "docker exec c $x", "docker exec $c ls", "uv run $x", "bc <<< '!badcmd'"]
)
def test_an_unknown_command_of_a_runner_is_asked(command: str) -> None:
    assert decided(command, EVERY).behavior is Behavior.ASK


@pytest.mark.parametrize(
    "command", ["npx eslint $f", "docker exec c ls $f", "uv run pytest $f", "bc <<< 'a != b'", "bc <<< 1+2"]
)
def test_an_unknown_word_behind_a_known_command_of_a_runner_is_free(command: str) -> None:
    assert decided(command, policy_of(allow=["Bash"], deny=["Bash(badcmd:*)"])).behavior is Behavior.ALLOW


def test_a_write_of_a_name_that_matters_into_an_unknown_folder_is_asked() -> None:
    every = policy_of(allow=["Bash"])
    assert decided("cd $x; echo a > hooks/pre-commit", every).behavior is Behavior.ASK
    assert decided("cd $x; echo a > out.txt", every).behavior is Behavior.ALLOW
