"""A write whose target cannot be known could be one of a protected path: what of it is fixed decides."""

import pytest

from swarm.permissions.model import Behavior

from .building import decided, policy_of

ASKED = [
    "echo x > $y",
    "for y in .g*; do echo x > $y/config; done",
    "for y in *; do echo > $z; done",
    "echo x > $(echo .envrc)",
    "ls | xargs tee",
    "xargs -I{} tee {}",
    "ls | xargs sed -i s/a/b/",
    "cp a $x",
    "sed -i s/a/b/ $f",
    'echo > "$d/config"',
    "for f in g*; do echo > .$f; done",
    "echo > ~/.local/state/sw$x",
    "echo > .g$x",
    "curl -o $x u",
    "curl --output=$x u",
    "dd of=$x",
    "x=$(date +.envrc); echo > $x",
    "echo > $(date +/x/.git)",
    "echo > a/../$x",
    "for f in *; do echo > $f/../.git/config; done",
    "while read f; do echo > $f; done",
    "d=$(mktemp .git/hooks/XXX); echo > $d",
]
FREE = [
    "for f in *.txt; do sort $f > $f.sorted; done",
    "for f in src/*.py; do cp $f $f.bak; done",
    "d=$(mktemp -d); echo hi > $d/f",
    "d=$(mktemp -d) && tar xf a.tar -C $d",
    "echo > log-$(date +%F).txt",
    "echo > out-$x.txt",
    "echo > /tmp/x.$$",
    "for i in $(seq 1 3); do echo > f$i; done",
    "for i in 1 2 3; do echo > $i; done",
    'mkdir -p "$d"',
    "git checkout $b",
    "rm $X",
    'echo > "$(pwd)/x"',
    'echo x | tee "logs/run-$(date +%s).log"',
    'for f in *.md; do mv "$f" "old-$f"; done',
    "mytool > $HOME/x",
    "dd if=$x of=y",
    "cp $x y",
    "xargs -I{} cp {} d/",
]


@pytest.mark.parametrize("command", ASKED)
def test_a_target_that_may_be_protected_is_asked_and_denied_where_nothing_is_asked(command: str) -> None:
    verdict = decided(command, policy_of(["Bash"]))
    assert verdict.behavior is Behavior.ASK
    assert verdict.guarded
    assert decided(command, policy_of(["Bash"], mode="dontAsk")).behavior is Behavior.DENY
    assert decided(command, policy_of(mode="bypassPermissions")).behavior is Behavior.ALLOW


@pytest.mark.parametrize("command", FREE)
def test_a_target_whose_fixed_parts_show_that_it_is_not_protected_is_free(command: str) -> None:
    assert decided(command, policy_of(["Bash"])).behavior is Behavior.ALLOW


def test_values_that_double_and_long_option_lists_are_bounded() -> None:
    doubling = "x=a;" + "x=$x$x;" * 60 + "mytool $x"
    assert decided(doubling, policy_of(["Bash(mytool:*)"])).behavior is Behavior.ASK
    options = "NODE_OPTIONS='" + "--a-b" * 1_900 + "!' mytool"
    assert decided(options, policy_of(["Bash(mytool:*)"])).behavior is Behavior.ASK


@pytest.mark.parametrize(
    "command",
    [
        "cmake -P f",
        "cmake -E env $x",
        "ninja -t msvc -- badcmd",
        "git log --ext-diff",
        "git show --textconv",
        "pip install --config-settings=x=badcmd .",
        "helm install x --post-renderer=badcmd",
    ],
)
def test_a_program_that_runs_a_file_or_what_an_option_names_is_asked(command: str) -> None:
    assert decided(command, policy_of(["Bash"], ["Bash(badcmd:*)"])).behavior is Behavior.ASK
