"""Names of restricted commands inside the words of programs that can run what their words say. Pure."""

import re
from collections.abc import Iterator
from functools import lru_cache

from swarm.permissions.model import RuleText
from swarm.permissions.policy import RuleSet
from swarm.permissions.rules_bash import CommandIndex
from swarm.permissions.shell.calls import Call
from swarm.permissions.shell.carriers import TEXT_OPTIONS
from swarm.permissions.shell.subcommands import runs_words, sub_command
from swarm.permissions.shell.wrappers import interpreter, names

# Programs that run what any of their words says.
ALL_WORDS = names(
    "openssl cmake meson ip entr ansible update-alternatives ld.so ld-linux.so.2 ld-linux-x86-64.so.2 "
    "perf fzf vipe pax qemu-system-x86_64 start-stop-daemon strace ltrace rpm rpmbuild pdflatex latex "
    "xelatex lualatex tex latexmk convert magick exim exim4 sendmail gpg-agent rake ctest cpack bpftrace "
    "helm"
)
# Programs that run what an option or a setting says, as do those with a table of such options.
SETTING_WORDS = names(
    "make gmake ninja cargo npm pnpm yarn apt apt-get dnf yum dpkg rpm java javac ffmpeg nmap nginx sysctl "
    "pip pip3 uv systemd-run rustc kubectl gh bmake pmake remake mvn gradle ant sbt bazel bazelisk "
    "ansible-playbook mount ld gcov ssh-keygen aptitude fd fdfind hyperfine flatpak"
)
GIT_ALL_WORDS = names(
    "config rebase bisect submodule filter-branch difftool mergetool send-email instaweb p4 clone hook "
    "for-each-repo web--browse credential lfs"
)
GIT_TRANSPORTS = names("fetch pull push ls-remote remote archive fetch-pack send-pack daemon svn worktree")
GLUED = re.compile(r"-\w.*", re.DOTALL)
SETTING = re.compile(r"-|.*(?:[=!]|::)", re.DOTALL)
QUOTES = str.maketrans("", "", "'\"\\")
LONGEST_WORD = 10_000
# What can be a name standing alone: a folder before it is part of the name, one behind it is not.
RUN = re.compile(r"(?<![\w.@%+~-])[\w.@%+~-]++(?!/)")


def carried(call: Call, rules: RuleSet) -> RuleText | None:
    """The rule about a command that is named anywhere inside the words of a program that may run it."""
    commands = rules.commands
    words = _words(call) if commands.by_first else []
    if not words:
        return None
    text = "\n".join(words)[:LONGEST_WORD]
    for form in dict.fromkeys((text, text.translate(QUOTES))):
        for first, end in _named(form, commands).items():
            rule = _fitting(first, form[end:], commands)
            if rule is not None:
                return rule
    return None


def _named(text: str, commands: CommandIndex) -> dict[str, int]:
    """The first words of rules that stand alone in the text, and where the first of each ends."""
    found: dict[str, int] = {}
    for run in RUN.finditer(text):
        if run[0] in commands.by_first:
            found.setdefault(run[0], run.end())
    odd = _odd(tuple(commands.by_first))
    for word in odd.finditer(text) if odd is not None else ():
        found.setdefault(word[0], word.end())
    return found


@lru_cache(maxsize=64)
def _odd(firsts: tuple[str, ...]) -> re.Pattern[str] | None:
    """The names that hold other signs than a run has."""
    odd = [re.escape(first) for first in firsts if not RUN.fullmatch(first)]
    return re.compile(rf"(?<![\w.@%+~-])(?:{'|'.join(odd)})(?![\w.@%+~/-])") if odd else None


def _words(call: Call) -> list[str]:
    """The words that may be run, as far as they are known."""
    name = call.name or ""
    if name == "git":
        sub = sub_command(call)
        every = sub in GIT_ALL_WORDS
        if not every and sub not in GIT_TRANSPORTS:
            return []
    elif name in ALL_WORDS or runs_words(call):
        every = True
    elif name in SETTING_WORDS or name in TEXT_OPTIONS or _installs(call):
        every = False
    else:
        return []
    words = [arg.value if arg.value is not None else arg.prefix for arg in call.args[1:]]
    found = [word for word in words if every or SETTING.match(word) is not None]
    return [*found, *(part for word in found if GLUED.fullmatch(word) for part in _behind_letters(word))]


def _installs(call: Call) -> bool:
    """Whether an interpreter runs one of its modules, which take settings."""
    return bool(interpreter(call.name or "")) and any(arg.value == "-m" for arg in call.args)


def _behind_letters(word: str) -> Iterator[str]:
    """What may be the value of an option that is written right behind its letter."""
    return (word[at:] for at in range(2, min(len(word), 6)))


@lru_cache(maxsize=64)
def _token(word: str) -> re.Pattern[str]:
    """A word standing alone."""
    return re.compile(rf"(?<![\w.@%+~-])({re.escape(word)})(?![\w.@%+~/-])")


def _fitting(first: str, rest: str, commands: CommandIndex) -> RuleText | None:
    """The rule whose second word, if it has one, follows somewhere."""
    for pattern in commands.by_first[first]:
        if all(_token(word).search(rest) for word in pattern.words[1:]):
            return pattern.rule
    return None
