"""A file that an interpreter edits in place is a file that is written."""

from pathlib import Path

import pytest

from swarm.permissions.engine import decide
from swarm.permissions.files import RealFiles
from swarm.permissions.model import Behavior, Folders, Layer, Mode, Request, RuleText, Source
from swarm.permissions.policy import compile_policy

EDITS = (
    "perl -pi -e s/a/b/ {}",
    "perl -i.bak -pe s/a/b/ {}",
    "perl -0777 -pi -e 's/a/b/' other.txt {}",
    "ruby -i -pe 'x' {}",
    "awk -i inplace '1' {}",
    "gawk -iinplace 1 {}",
    "awk --include=inplace 1 {}",
)


def verdict_of(command: str, folder: Path, *denied: str) -> Behavior:
    source = Source(Layer.PROJECT, "settings.json", base=str(folder))
    rules = [RuleText(Behavior.ALLOW, "Bash", source)]
    rules += [RuleText(Behavior.DENY, text, source) for text in denied]
    policy = compile_policy(rules, Mode.DEFAULT, Folders(folder, folder))
    return decide(Request("Bash", {"command": command}, str(folder)), policy, RealFiles()).behavior


@pytest.mark.parametrize("command", EDITS)
def test_an_edit_in_place_obeys_the_rules_for_edits_and_the_guard(command: str, tmp_path: Path) -> None:
    assert verdict_of(command.format("notes.txt"), tmp_path) is Behavior.ALLOW
    assert verdict_of(command.format("notes.txt"), tmp_path, "Edit(./notes.txt)") is Behavior.DENY
    assert verdict_of(command.format(".envrc"), tmp_path) is Behavior.ASK
    assert verdict_of(command.format("$name"), tmp_path) is Behavior.ASK


@pytest.mark.parametrize("command", ["perl -e 'print 1' {}", "perl -Ilib {}", "awk '{{print $1}}' {}"])
def test_what_only_reads_is_no_edit(command: str, tmp_path: Path) -> None:
    assert verdict_of(command.format(".envrc"), tmp_path) is Behavior.ALLOW
