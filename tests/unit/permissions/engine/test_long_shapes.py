"""Commands as long as are looked at, made of one part again and again: no answer takes long."""

import os

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from swarm.permissions.classifier import classify
from swarm.permissions.engine import decide
from swarm.permissions.files import MemoryFiles
from swarm.permissions.offers import offers

from .building import bash, policy_of
from .timing import PIECES, timely

EXAMPLES = int(os.environ.get("ENGINE_EXAMPLES", "300"))
LONGEST_COMMAND = 10_000
# Parts that are long in themselves when they are repeated.
WHOLE = [
    *(" >*", " >f", " <a", " >$x", "mytool;", "badcmd;", "cd a;", "cd a||", "cat a b;", "echo $i;", " $x"),
    *(" {1..64}", "{a,b}", "{a,b} ", " d*/f*[0-9]*", " ../a/b", "a/", "../", ".$?", "echo > .$?$?t;"),
    *("for i in a b c;do cat $i;done;", "if a;then b;fi;", "f(){ a;};", "x=$x$x;", "x=a y=b ", "eval a;"),
    *("$(", "$(a)", "`a` ", "bash -c 'a;b';", "cat <<E\nx\nE\n", " <<<a", "ln -s a b;", "cp -r a b;"),
    *("rm -rf a;", "git -c a=b ", "git add a;", "sudo ", "timeout 1 ", " -exec a {} \\;", "trap a EXIT;"),
    *("alias a=b;", "export A=B;", "a|", "a&&", "a&", "a\n", "find . ", "xargs ", " -o a", "b1x "),
]
FEW = policy_of(allow=["Bash(mytool:*)"], deny=["Bash(badcmd:*)", "Read(**/.env*)"])
PLAN = policy_of(allow=["Bash(mytool:*)"], deny=["Bash(badcmd:*)", "Read(**/.env*)"], mode="plan")
EVERY = policy_of(allow=["Bash", "Edit(./**)"], deny=["Bash(badcmd:*)", "Read(./secret.txt)"])
MANY = policy_of(
    allow=[f"Bash(tool{number}:*)" for number in range(300)],
    deny=[
        *(f"Bash(bad{number}:*)" for number in range(200)),
        *(f"Bash(*b{number}x*)" for number in range(100)),
        *(f"Read(**/x{number}*)" for number in range(100)),
        *(f"Read(./a{number}/b)" for number in range(100)),
        *(f"Edit(a*{number}/c?)" for number in range(100)),
    ],
    ask=[f"Edit(//e{number}/**)" for number in range(50)],
)


CROWDED_FILES = MemoryFiles(
    {f"/w/proj/d{folder}/f{name}.txt": "file" for folder in range(30) for name in range(30)}
)
UNITS = st.lists(PIECES | st.sampled_from(WHOLE), min_size=1, max_size=4).map("".join)


POLICIES = {"few": FEW, "plan": PLAN, "every": EVERY, "many": MANY}


def repeated(before: str, unit: str, after: str, share: int) -> str:
    """A text made of one part again and again, between others: as long as may be, or a share of that."""
    longest = (LONGEST_COMMAND - len(before) - len(after)) // len(unit)
    return before + unit * max(1, longest // share) + after


@given(UNITS, UNITS, UNITS, st.sampled_from([1, 1, 2, 8, 50]), st.sampled_from(list(POLICIES)))
@settings(max_examples=EXAMPLES // 10, deadline=None, phases=set(Phase) - {Phase.explain})
def test_no_long_command_takes_long(before: str, unit: str, after: str, share: int, rules: str) -> None:
    command, policy = repeated(before, unit, after, share), POLICIES[rules]
    verdict = timely(lambda: decide(bash(command), policy, CROWDED_FILES))
    assert "could not be applied" not in verdict.why
    timely(lambda: classify(bash(command), policy, CROWDED_FILES))
    timely(lambda: offers(bash(command), policy, CROWDED_FILES))
