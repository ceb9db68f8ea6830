"""The rule to offer for one command: its narrowest useful prefix, or none. Pure."""

import re

from swarm.permissions.rules_bash import normalised
from swarm.permissions.shell.calls import Call
from swarm.permissions.shell.operands import FILES, READ, SKIP
from swarm.permissions.shell.operands_odd import FILELESS
from swarm.permissions.shell.subcommands import (
    ALWAYS_RUNNING,
    DEEPER,
    GLOBAL_VALUES,
    RUNNING,
    runs_words,
    without_options,
)
from swarm.permissions.shell.wrappers import SHELLS, UNCOVERED, WRAPPERS, interpreter, names

PLAIN_WORD = re.compile(r"[A-Za-z0-9_./:@%+,=~^-]+")
SUB_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_:.-]*")
NEVER = (
    SHELLS
    | UNCOVERED
    | frozenset(WRAPPERS)
    | ALWAYS_RUNNING
    | names(
        "rm rmdir unlink shred dd mkfs fdisk parted mount umount chmod chown chgrp kill pkill killall "
        "reboot shutdown halt poweroff crontab iptables ufw visudo passwd useradd userdel usermod "
        "export declare typeset local readonly fi done esac then else do find fd fdfind awk gawk mawk "
        "nawk sed vi vim nvim emacs ed ex sqlite3 psql mysql"
    )
)
EXACT_READERS = names("curl wget")


def command_rule(call: Call) -> str:
    """The allow rule for one command; empty if none should be offered."""
    name = call.args[0].raw
    if not PLAIN_WORD.fullmatch(name) or (call.name or "") in NEVER or call.inner or call.maybe:
        return ""
    if interpreter(call.name or ""):
        return _with_script(call)
    if call.name in GLOBAL_VALUES:
        return _with_sub_command(call)
    if _writes(call.name or "") or call.name in EXACT_READERS:
        return _exact(call)
    if call.name in FILES or call.name in FILELESS:
        return _prefix(call, 1)
    following = call.args[1].raw if len(call.args) > 1 else ""
    return _prefix(call, 2 if SUB_WORD.fullmatch(following) else 1)


def _writes(name: str) -> bool:
    entry = FILES.get(name)
    return entry is not None and any(role not in (READ, SKIP, "p", "") for role in (entry.rest, entry.last))


def _with_script(call: Call) -> str:
    if len(call.args) < 2:
        return ""
    first = call.args[1].raw
    if first == "-m" and len(call.args) > 2:
        return _prefix(call, 3)
    return "" if first.startswith("-") else _prefix(call, 2)


def _with_sub_command(call: Call) -> str:
    stripped = without_options(call)
    if stripped is None:
        return _exact(call)
    sub = stripped[0][1]
    words = sub.number + 1
    if (sub.value or "") in DEEPER.get(call.name or "", ()):
        following = next((arg for arg in call.args if arg.number == words), None)
        if following is not None and SUB_WORD.fullmatch(following.raw):
            inner = following.raw
            if inner in NEVER or interpreter(inner):
                return ""
            return _prefix(call, words + 1)
        if call.name in RUNNING and runs_words(call):
            return ""
    elif runs_words(call):
        return ""
    return _prefix(call, words)


def _prefix(call: Call, count: int) -> str:
    words = list(dict.fromkeys((arg.number, arg.raw) for arg in call.args))[:count]
    if len(words) < count or not all(PLAIN_WORD.fullmatch(raw) for _, raw in words):
        return ""
    return f"Bash({' '.join(raw for _, raw in words)}:*)"


def _exact(call: Call) -> str:
    text = normalised(call.written)
    if (
        len(text) > 200
        or "\n" in text
        or ")" in text
        or any(not arg.known or arg.value is None for arg in call.args)
    ):
        return ""
    return f"Bash({text.replace('*', chr(92) + '*')})"
