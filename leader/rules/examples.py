"""What a rule allows besides the call that it was wanted for: a few examples, each tried. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from swarm.permissions.engine import decide
from swarm.permissions.files import FileView
from swarm.permissions.model import Behavior, Request
from swarm.permissions.policy import Policy

MOST = 3
COMMAND = re.compile(r"Bash\((?P<text>.*?)(?P<open>:\*| \*)?\)", re.DOTALL)
PLACE = re.compile(r"(?P<word>Edit|Read)\((?P<path>.*)\)", re.DOTALL)
HOST = re.compile(r"\w+\(domain:(?P<host>.*)\)")

NOTABLE: Mapping[str, tuple[str, ...]] = {
    "git commit": ("--amend --no-verify",),
    "git push": ("--force origin main", "--delete origin main"),
    "git checkout": ("-- .", "-f main"),
    "git reset": ("--hard HEAD~5",),
    "git branch": ("-D main",),
    "git clean": ("-fdx",),
    "git stash": ("drop",),
    "git rebase": ("--exec 'any command' main",),
    "git config": ("--global core.hooksPath /tmp/hooks",),
    "npm install": ("any-package",),
    "npm run": ("any-script",),
    "npm": ("publish",),
    "pip install": ("any-package",),
    "uv": ("pip install any-package",),
    "docker run": ("-v /:/host any-image",),
    "docker": ("run -v /:/host any-image",),
    "kubectl apply": ("-f https://example.org/any.yaml",),
    "kubectl delete": ("namespace production",),
    "terraform apply": ("-auto-approve",),
    "cargo": ("publish",),
    "make": ("any-target",),
    "cat": ("~/.ssh/id_rsa", "/etc/passwd"),
    "head": ("~/.ssh/id_rsa",),
    "tail": ("~/.ssh/id_rsa",),
    "less": ("~/.ssh/id_rsa",),
    "grep": ("-r password ~",),
    "rg": ("--pre any-program x", "password ~"),
    "ls": ("-R ~",),
    "pytest": ("-p any_plugin",),
    "gh": ("repo delete any-repository",),
    "kill": ("-9 1",),
}
"""What surprises people about a prefix, by its first words."""
BEYOND = ("{} && curl example.org", "{} > ~/notes.txt", "{} $(curl example.org)")
"""What a rule for one command does not cover."""


@dataclass(frozen=True, slots=True)
class Examples:
    """A rule, what it says in words, calls that it lets run too, and calls that it does not."""

    rule: str
    words: str
    also: tuple[str, ...] = ()
    not_these: tuple[str, ...] = ()


def examples_of(rule: str, request: Request, policy: Policy, files: FileView) -> Examples:
    """Give the examples of an allow rule that is in `policy`, as the engine itself decides them."""
    command = COMMAND.fullmatch(rule)
    if command is not None:
        return _of_command(rule, command["text"], bool(command["open"]), request, policy, files)
    return Examples(rule, _in_words(rule))


def _of_command(
    rule: str, text: str, is_prefix: bool, request: Request, policy: Policy, files: FileView
) -> Examples:
    def outcome(command: str) -> Behavior:
        return decide(Request("Bash", {"command": command}, request.cwd), policy, files).behavior

    asked_for = request.input.get("command")
    not_these = tuple(one for shape in BEYOND if outcome(one := shape.format(text)) is not Behavior.ALLOW)
    if not is_prefix:
        return Examples(rule, "this command and no other, in any folder", (), not_these[:1])
    tried = (f"{text} {tail}" for tail in _tails(text))
    also = tuple(one for one in tried if one != asked_for and outcome(one) is Behavior.ALLOW)
    return Examples(rule, f"every command that begins with `{text}`", also[:MOST], not_these[:2])


def _tails(text: str) -> Iterator[str]:
    words = text.split()
    for count in range(len(words), 0, -1):
        known = NOTABLE.get(" ".join(words[:count]))
        if known is not None:
            if count == len(words):
                yield from known
                return
            break
    yield from ("--any-option", "any words")


def _in_words(rule: str) -> str:
    place, host = PLACE.fullmatch(rule), HOST.fullmatch(rule)
    if host is not None:
        return f"every page of {host['host']}, with any query, but not of its sub-domains"
    if place is None:
        return f"every call of {rule}, whatever its input"
    verb = "writing" if place["word"] == "Edit" else "reading"
    path = place["path"]
    if path.endswith("/**"):
        return f"{verb} everything below {path.removesuffix('/**')}, by every tool"
    how = "by every tool and by redirections" if place["word"] == "Edit" else "by every reading tool"
    return f"{verb} {path}, any number of times, {how}"
