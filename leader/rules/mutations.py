"""Other spellings of a command, each of which bash would run it from. Runs nothing."""

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from swarm.leader.rules.cases import Case
from swarm.permissions.engine import decide
from swarm.permissions.model import Behavior, Request
from swarm.permissions.policy import compile_policy
from swarm.permissions.shell.simple import read_commands

WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")

AROUND: dict[str, str] = {
    "after ;": "true; {}",
    "before ;": "{}\ntrue",
    "after &&": "true && {}",
    "after ||": "false || {}",
    "newline": "true\n{}",
    "pipe": "true | {{\n{}\n}}",
    "sub-shell": "(\n{}\n)",
    "group": "{{\n{}\n}}",
    "negation": "! {}",
    "if": "if true; then\n{}\nfi",
    "condition": "if\n{}\nthen true; fi",
    "while": "while\n{}\ndo break; done",
    "for": "for i in 1; do\n{}\ndone",
    "case": "case x in x)\n{}\n;; esac",
    "function": "f() {{\n{}\n}}\nf",
    "substitution": "echo $(\n{}\n)",
    "substitution in quotes": 'echo "$(\n{}\n)"',
    "process substitution": "cat <(\n{}\n)",
    "default value": 'echo "${{x:-$(\n{}\n)}}"',
    "here-document": "cat <<END\n$(\n{}\n)\nEND",
}
"""What any command can stand in."""
QUOTED: dict[str, str] = {
    "bash -c": "bash -c {}",
    "sh -c": "sh -c {}",
    "eval": "eval {}",
    "trap": "trap {} EXIT",
    "env sh -c": "env -i sh -c {}",
    "here-document to a shell": "bash <<'END'\n{raw}\nEND",
}
"""What takes a command as text."""
BEFORE: dict[str, str] = {
    "timeout": "timeout -s KILL 5 {}",
    "nice": "nice -n 5 {}",
    "nohup": "nohup {}",
    "time": "time -p {}",
    "command": "command {}",
    "stdbuf": "stdbuf -oL {}",
    "env": "env -u X A=1 {}",
    "sudo": "sudo -n -u root {}",
    "setsid": "setsid -w {}",
    "exec": "exec {}",
    "two wrappers": "env nice {}",
    "assignment": "X=1 {}",
    "xargs": "echo | xargs {}",
    "find -exec": "find . -maxdepth 0 -exec {} \\;",
    "redirection before": ">/dev/null {}",
    "redirection": "{} >/dev/null 2>&1",
    "input": "{} </dev/null",
    "background": "{} &",
    "extra blanks": "  {}  ",
}
"""What only one simple command can stand in."""
NAMES: dict[str, Callable[[str], str]] = {
    "quoted name": lambda name: f"'{name}'",
    "half-quoted name": lambda name: f'{name[0]}"{name[1:]}"',
    "backslash in the name": lambda name: f"\\{name}",
    "empty quotes in the name": lambda name: f"{name[0]}''{name[1:]}",
    "ANSI quotes": lambda name: f"$'{name}'",
    "path before the name": lambda name: f"/usr/bin/{name}",
    "variable": lambda name: f"x={name}; $x",
    "line continued in the name": lambda name: f"{name[0]}\\\n{name[1:]}",
}
"""Other ways to write the name of a program."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A spelling of a denied command that is not denied; `found` says what becomes of it."""

    case: Case
    mutation: str
    command: str
    found: Behavior
    why: str


@dataclass(slots=True)
class Mutated:
    """What became of all spellings: those that run, and how many are only asked about."""

    cases: int = 0
    tried: int = 0
    asked: int = 0
    slips: list[Slip] = field(default_factory=list)


def spellings(command: str, cwd: str = "/", home: str = "/") -> Iterator[tuple[str, str]]:
    """Give the name and the text of each mutation that fits the command."""
    for name, shape in AROUND.items():
        if name != "here-document" or "`" not in command:
            yield name, shape.format(command)
    plain = "\nEND" not in f"\n{command}"
    for name, shape in QUOTED.items():
        if plain or "{raw}" not in shape:
            yield name, shape.format(shlex.quote(command), raw=command)
    if not _is_simple(command, cwd, home):
        return
    for name, shape in BEFORE.items():
        yield name, shape.format(command)
    word = command.split(None, 1)[0]
    if WORD.fullmatch(word) and len(word) > 1:
        rest = command.strip()[len(word) :]
        for name, spell in NAMES.items():
            yield name, spell(word) + rest


def _is_simple(command: str, cwd: str, home: str) -> bool:
    """Whether the text is one command and nothing else, on one line."""
    text = command.strip()
    if not text or "\n" in text or "#" in text:
        return False
    findings = read_commands(text, cwd, home)
    first = findings.calls[0] if len(findings.calls) == 1 else None
    if first is None or findings.hindrances or findings.files or first.assigned:
        return False
    return bool(WORD.match(text)) and (first.start, first.end) == (0, len(text))


def mutate(cases: Sequence[Case]) -> Mutated:
    """Spell every denied command otherwise and see what becomes of it."""
    done = Mutated()
    for case in cases:
        command = case.request.input.get("command")
        if case.expect is not Behavior.DENY or case.request.tool != "Bash" or not isinstance(command, str):
            continue
        done.cases += 1
        policy = compile_policy(case.rules, case.mode, case.folders)
        for name, text in spellings(command, case.request.cwd, str(case.folders.home)):
            request = replace_command(case.request, text)
            verdict = decide(request, policy, case.files)
            done.tried += 1
            done.asked += verdict.behavior is Behavior.ASK
            if verdict.behavior is Behavior.ALLOW:
                done.slips.append(Slip(case, name, text, verdict.behavior, verdict.why))
    return done


def replace_command(request: Request, command: str) -> Request:
    """Give the request with another command."""
    return replace(request, input={**request.input, "command": command})
