"""Files that rules restrict are seen wherever a command names them: in options, mounts, programs, /proc."""

import pytest

from swarm.permissions.model import Behavior

from .building import decided, policy_of

FILES = {
    "/w/proj": "dir",
    "/w/proj/secret.txt": "file",
    "/w/proj/locked": "dir",
    "/w/proj/locked/f": "file",
    "/w/proj/a": "file",
}
POLICY = policy_of(["Bash"], ["Read(./secret.txt)", "Edit(locked/**)"])


@pytest.mark.parametrize(
    "command",
    [
        "jq -n --rawfile x secret.txt '$x'",
        "jq --slurpfile x secret.txt .",
        "docker run -v ./secret.txt:/x img",
        "docker run -v ./locked:/x img",
        "mytool @secret.txt",
        "cat /proc/self/cwd/secret.txt",
        "cat //proc/./self/cwd/secret.txt",
        "cat /proc/self/root/w/proj/secret.txt",
        "patch -p1 < p",
        "git apply p",
        "npm --prefix locked install",
        "mytool -olocked/f",
        "rename s/a/b/ locked/f",
        "pip install -t locked x",
        "cargo build --target-dir locked",
        "ruff format locked",
        "awk '{print > \"locked/f\"}' a",
        "awk 'BEGIN{while((getline l < \"secret.txt\")>0) print l}'",
        "sed -n 'w locked/f' a",
        "sed '$r secret.txt' a",
        "git -C locked init",
        "git --work-tree=locked checkout .",
        "cd locked && git init",
    ],
)
def test_a_restricted_file_is_not_reached_by_another_way(command: str) -> None:
    assert decided(command, POLICY, FILES).behavior is not Behavior.ALLOW


@pytest.mark.parametrize(
    "command",
    [
        "jq --arg x y .a a",
        "docker run -v ./src:/x img",
        "mytool user@host:x",
        "git -C src status",
        "git init",
        "sed -n 1p secret.bak",
        "awk '{print $1}' a",
        "npm --prefix src install",
    ],
)
def test_other_files_named_so_are_free(command: str) -> None:
    assert decided(command, POLICY, FILES).behavior is Behavior.ALLOW


def test_what_is_shown_of_a_long_word_ends_with_a_sign_that_it_was_cut() -> None:
    verdict = decided("echo > $y" + "x" * 200, policy_of(["Bash"]))
    assert "x…" in verdict.why
    assert len(verdict.why) < 200
    rule = decided("mytool " + "x" * 200, policy_of(["Bash(mytool:*)"])).why
    assert "x…" in rule
