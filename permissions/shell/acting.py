"""Programs that may do more than their words show: they run a program text of their own kind. A table."""

import re
from collections.abc import Callable

from swarm.permissions.shell.calls import Call
from swarm.permissions.shell.expand import Arg
from swarm.permissions.shell.operands import FILES
from swarm.permissions.shell.options import Split, split_options, takes
from swarm.permissions.shell.program_texts import awk_acts, sed_acts
from swarm.permissions.shell.wrappers import HARMLESS_FLAGS, names

SED_FILES = names("-f --file")
SED_TEXTS = names("-e --expression")
AWK_FILES = names("-f --file -i --include -l --load -E --exec -D --debug")
AWK_TEXTS = names("-e --source")
MAKE_FILES = names("-f --file --makefile")
EDITOR_FLAGS = names("-R -n -N -d -o -O -p -b -y -Z -m -M")
JUMP = re.compile(r"\+(?:\d*|/[^!]*|[FGg])")
STREAMS = re.compile(r"-|/dev/(?:stdin|fd/\d+|tty)|/proc/\S*/fd/\d+")
DATABASE_ACTS = re.compile(
    r"\\[!iocge|]|\||(?:^|[\s;])(?:system|source|program)\b|^\s*[.]|[\n;]\s*[.]|readfile|writefile"
    r"|load_extension|edit\s*\(|load_file|outfile|dumpfile|\bcopy\b",
    re.IGNORECASE,
)
SOCKETS = re.compile(r"(?:^|,|!!)(?:exec|system|shell|open|create|gopen|file)(?::|$)", re.IGNORECASE)
JQ_ACTS = re.compile(r"\b(?:import|include)\b")
TEXT_OF_ITS_OWN = "runs a program text of its own, which cannot be known"


def acts(call: Call) -> str:
    """Why a call may do more than its words show; empty if it does not."""
    look = ACTING.get(call.name or "")
    if look is None or (len(call.args) == 2 and call.args[1].value in HARMLESS_FLAGS):
        return ""
    return f"`{call.name}` {TEXT_OF_ITS_OWN}" if look(call) else ""


def _programs(split: Split, texts: frozenset[str]) -> list[Arg | None]:
    given = [option.value for option in split.options if takes(option.name, texts)]
    return given or list(split.operands[:1])


def _text_acts(
    call: Call, files: frozenset[str], texts: frozenset[str], look: Callable[[str], bool]
) -> bool:
    entry = FILES[call.name or ""]
    split = split_options(call.args[1:], entry.all_values | files | texts)
    if any(takes(option.name, files) for option in split.options):
        return True
    programs = _programs(split, texts)
    return any(program is None or program.value is None or look(program.value) for program in programs)


def _awk(call: Call) -> bool:
    return _text_acts(call, AWK_FILES, AWK_TEXTS, awk_acts)


def _sed(call: Call) -> bool:
    return _text_acts(call, SED_FILES, SED_TEXTS, sed_acts)


def _jq(call: Call) -> bool:
    return any(JQ_ACTS.search(arg.value or "") for arg in call.args[1:])


def _editor(call: Call) -> bool:
    """Editors run what follows `+` and most of their options."""
    for arg in call.args[1:]:
        text = arg.value if arg.value is not None else arg.prefix
        if text.startswith("+") and JUMP.fullmatch(text) is None:
            return True
        if text.startswith("-") and text not in EDITOR_FLAGS and text != "--":
            return True
    return False


def _pager(call: Call) -> bool:
    texts = [arg.value if arg.value is not None else arg.prefix for arg in call.args[1:]]
    return any(
        (text.startswith("+") and JUMP.fullmatch(text) is None)
        or text.startswith(("-k", "--lesskey", "-t", "-T", "++"))
        for text in texts
    )


def _make(call: Call) -> bool:
    split = split_options(call.args[1:], FILES["make"].all_values | names("-j -l -o -W -E --eval"))
    for option in split.options:
        if takes(option.name, names("-E --eval")):
            return True
        value = option.value
        if not takes(option.name, MAKE_FILES) or value is None:
            continue
        if value.value is None or STREAMS.fullmatch(value.value):
            return True
    return any(
        (arg.value or arg.prefix).startswith(("SHELL=", "MAKEFLAGS=", ".")) for arg in split.operands
    )


def _calculator(call: Call) -> bool:
    split = split_options(call.args[1:], names("-e --expression -f --file"))
    texts = [option.value for option in split.options if takes(option.name, names("-e --expression"))]
    return (
        not texts
        or bool(split.operands)
        or any(text is None or text.value is None or "!" in text.value for text in texts)
        or any(takes(option.name, names("-f --file")) for option in split.options)
    )


def _database(call: Call) -> bool:
    args = call.args[1:]
    if any(arg.value is None or DATABASE_ACTS.search(arg.value) for arg in args):
        return True
    if call.name == "sqlite3":
        options = split_options(args, names("-cmd -init -separator -newline -nullvalue"), single_dash=True)
        return len(options.operands) < 2 or any(one.name.lstrip("-") == "init" for one in options.options)
    return not any(
        (arg.value or "").startswith(("-c", "-e", "--command", "--execute", "-l")) for arg in args
    )


def _socket(call: Call) -> bool:
    return any(arg.value is None or SOCKETS.search(arg.value) for arg in call.args[1:])


def _multiplexer(call: Call) -> bool:
    keys = names("send-keys send source-file source pipe-pane pipep set-hook bind-key bind -X load-buffer")
    settings = "-f" if call.name == "tmux" else "-c"
    return any(
        arg.value is None or arg.value in keys or arg.value.startswith(settings) for arg in call.args[1:]
    )


def _later(call: Call) -> bool:
    return not any(arg.value in ("-l", "-q", "-r", "-d") for arg in call.args[1:2])


def _cmake(call: Call) -> bool:
    """`-P` runs a script, and what `-E` runs has to be known."""
    texts = [arg.value if arg.value is not None else arg.prefix for arg in call.args[1:]]
    unread = any(arg.value is None for arg in call.args[1:])
    return any(text.startswith("-P") for text in texts) or (unread and "-E" in texts)


def _ninja(call: Call) -> bool:
    return any(
        (arg.value if arg.value is not None else arg.prefix).startswith("-t") for arg in call.args[1:]
    )


def _git_drivers(call: Call) -> bool:
    return any(arg.value in ("--ext-diff", "--textconv") for arg in call.args[1:])


def _always(call: Call) -> bool:
    return True


ACTING: dict[str, Callable[[Call], bool]] = {
    **dict.fromkeys(names("awk gawk mawk nawk"), _awk),
    "sed": _sed,
    "jq": _jq,
    **dict.fromkeys(
        names("vi vim nvim view vimdiff gvim emacs emacsclient nano pico joe micro hx kak"), _editor
    ),
    **dict.fromkeys(names("less more most zless zmore bzless xzless man"), _pager),
    **dict.fromkeys(names("make gmake bmake"), _make),
    "cmake": _cmake,
    "ninja": _ninja,
    "git": _git_drivers,
    "dc": _calculator,
    **dict.fromkeys(names("sqlite3 psql mysql mariadb"), _database),
    "socat": _socket,
    **dict.fromkeys(names("tmux screen"), _multiplexer),
    **dict.fromkeys(names("at batch crontab"), _later),
    **dict.fromkeys(
        names(
            "ed ex red m4 gdb cgdb lldb r2 rizin ftp lftp sftp telnet gnuplot mutt mail mailx run-parts "
            "logrotate capsh debugfs jshell jrunscript"
        ),
        _always,
    ),
}
