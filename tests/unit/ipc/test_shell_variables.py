"""Where a reference may stand in a shell command, checked with the real shell."""

import subprocess

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from swarm.ipc.shell_variables import shell_problems, shell_quote
from swarm.ipc.variables import expand

R = "${tasks.a.result}"
HOSTILE = "x'; touch /nonexistent/pwned; echo \"$(id)\" `id` \n id # '\\"


@pytest.mark.parametrize(
    "command",
    [
        f"echo {R}",
        f"value={R}",
        f"cat <<< {R}",
        f"echo 'a b' {R} \"c $d\"",
        f'echo "$${{HOME}}" {R}',
        f"echo before-{R}-after {R}{R}",
        f"echo $(cat -- {R}) > out",
        f"if [ {R} = x ]; then bash script.sh {R}; fi",
        f"git -c a=b log {R}",
        f'value={R}\ncat <<EOF\n$value\nEOF\necho "$value"',
    ],
)
def test_a_reference_that_stands_as_a_word_is_accepted(command: str) -> None:
    assert shell_problems(command) == []


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (f'echo "{R}"', "inside quotes"),
        (f"echo 'a {R}'", "inside quotes"),
        (f"echo $'a {R}'", "inside quotes"),
        (f"echo 'open {R}", "second time"),
        (f"cat <<EOF\n{R}\nEOF", "here-document"),
        (f"cat <<-'EOF'\n{R}\nEOF", "here-document"),
        (f"true # {R}", "comment"),
        (f"echo \\{R}", "backslash"),
        (f"echo `cat {R}`", "second time"),
        (f'echo "$(echo "{R}")"', "second time"),
        (f"echo $(({R}+1))", "second time"),
        (f"(({R}))", "second time"),
        (f"echo $[{R}]", "second time"),
        (f"[[ 1 -eq {R} ]]", "second time"),
        (f"echo $${{x:-{R}}}", "second time"),
        (f"list[{R}]=1", "not take it as a word"),
        (f"eval {R}", "second time"),
        (f"let {R}", "second time"),
        (f"trap {R} EXIT", "second time"),
        (f"bash -c {R}", "second time"),
        (f"/bin/sh -o pipefail -ec {R}", "second time"),
        (f"\0 {R}", "zero byte"),
    ],
)
def test_a_reference_whose_value_could_become_syntax_is_refused(command: str, said: str) -> None:
    (problem,) = shell_problems(command)
    assert said in problem.text
    assert command[slice(*problem.span)] == R
    assert "value=${…}" in problem.text


def test_malformed_references_are_found_as_well_in_order() -> None:
    assert [problem.span[0] for problem in shell_problems(f'"{R}" ${{x}}')] == [1, 20]


@settings(max_examples=40, deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"), max_size=40))
@example(HOSTILE)
@example("PATH=/tmp")
@example("")
def test_the_real_shell_takes_any_value_as_one_word(value: str) -> None:
    command = expand(f"printf %s {R}", lambda _: value, shell_quote)
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=True)
    assert done.stdout == value.encode()


_PIECES = st.sampled_from(
    [
        R,
        "'",
        '"',
        "`",
        "\\",
        "$",
        "(",
        ")",
        "((",
        "{",
        "}",
        "#",
        "\n",
        " ",
        "<<",
        "E",
        "echo ",
        ";",
        "x=",
        "[",
        "]",
    ]
)


@settings(max_examples=250, deadline=None)
@given(st.lists(_PIECES, min_size=1, max_size=12))
def test_no_accepted_command_lets_a_value_run(pieces: list[str]) -> None:
    command = "".join(pieces)
    if R not in command or shell_problems(command):
        return
    value = "'\"`;\n)}echo PWN\"\"ED;`echo PWN''ED`$(echo PWN''ED)\nE\necho PWN''ED\n"
    done = subprocess.run(
        ["bash", "-c", expand(command, lambda _: value, shell_quote)],
        capture_output=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert b"PWNED" not in done.stdout + done.stderr
