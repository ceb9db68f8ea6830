"""A link, a mount or a move that a command makes itself does not lead past guards and rules."""

import pytest

from swarm.permissions.model import Behavior

from .building import decided, policy_of

JOURNAL = "state/swarm/s/journal.jsonl"
FILES = {
    f"/home/dev/.local/{JOURNAL}": "file",
    "/w/proj": "dir",
    "/w/proj/secret": "dir",
    "/w/proj/secret/a": "file",
    "/w/proj/locked": "dir",
    "/w/proj/locked/f": "file",
    "/w/proj/data": "dir",
    "/w/proj/data/x": "file",
    "/w/proj/d": "dir",
    "/w/proj/src": "dir",
    "/w/proj/src/a": "file",
    "/w/proj/.git": "dir",
}


@pytest.mark.parametrize(
    "command",
    [
        "ln -s ~/.local q; cat q/{}",
        "ln -s ~/.local d; cat d/.local/{}",
        "mkdir e; ln -s ~/.local e; cat e/.local/{}",
        "ln -s ~/.local; cat .local/{}",
        "ln -st d ~/.local; cat d/.local/{}",
        "ln -s ~/.local q; cd q && cat {}",
        "ln -s ~/.local q && mv q z && cat z/{}",
        "ln -s ~/.local q && cp -P q z && cat z/{}",
        "ln -s ../../home/dev/.local q; cat < q/{}",
        "ln -sfn ~/.loc* q; cat q/{}",
        "mv ~/.local q; cat q/{}",
        "cp -r ~/.local q; cat q/{}",
        "mount --bind ~/.local q; cat q/{}",
        "ln -s ~ h; ln -s h/.local q; cat q/{}",
        "bash -c 'ln -s ~/.local q'; cat q/{}",
        "x=~/.local; ln -s $x q; cat q/{}",
        "ln -s .git g; echo x > g/config",
        "ln .git/config x",
    ],
)
@pytest.mark.parametrize("allow", ["Bash", "Bash(*)"])
def test_a_path_below_a_link_made_before_is_guarded_as_what_it_leads_to(command: str, allow: str) -> None:
    verdict = decided(command.format(JOURNAL), policy_of([allow]), FILES)
    assert verdict.behavior is Behavior.ASK
    assert verdict.guarded


@pytest.mark.parametrize(
    "command",
    [
        "ln -s secret q; cat q/a",
        "ln -s secret d; cat d/secret/a",
        "ln -s $PWD q; cat q/secret/a",
        "mv secret q; cat q/a",
        "mv ../proj q; cat q/secret/a",
        "ln secret/a x",
        "ln -s $(echo secret) q; cat q/a",
        "ln -s data q; ln -sf secret q; cat q/a",
        "ln locked/f x",
        "ln -s locked q; echo x > q/f",
        "cp -s locked/f x; echo x > x",
        "mv locked q; echo x > q/f",
    ],
)
def test_a_path_below_a_link_made_before_is_restricted_as_what_it_leads_to(command: str) -> None:
    policy = policy_of(["Bash"], ["Read(./secret/**)", "Edit(./locked/**)"])
    assert decided(command, policy, FILES).behavior is not Behavior.ALLOW


@pytest.mark.parametrize(
    "command",
    [
        "ln -s data q; cat q/x",
        "ln -s ../x node_modules; ls node_modules",
        "mv src lib && cat lib/a",
        "cp -r src build && cat build/a",
        "cp a b && echo x > b",
        "mv src old && rm -rf old",
        "cp -r . /tmp/x; rm -rf /tmp/x",
        "mv a.txt .",
        "mv *.txt d/",
    ],
)
def test_usual_links_and_moves_are_not_asked(command: str) -> None:
    assert decided(command, policy_of(["Bash"]), FILES).behavior is Behavior.ALLOW
