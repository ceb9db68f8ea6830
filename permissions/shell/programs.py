"""Programs that run others: wrappers, shells, interpreters, find. Notes what each call runs in turn."""

import re
from dataclasses import replace

from swarm.permissions.shell.builtins import Runner, run_text, set_variable
from swarm.permissions.shell.calls import Call
from swarm.permissions.shell.carriers import texts_of
from swarm.permissions.shell.expand import Arg, expand
from swarm.permissions.shell.scope import Scope
from swarm.permissions.shell.syntax import Redirect
from swarm.permissions.shell.unwrap import fd_commands, found_commands, placeholders, unwrap
from swarm.permissions.shell.walk import Walk
from swarm.permissions.shell.wrappers import (
    HARMLESS_FLAGS,
    INTERPRETER_MODULES,
    INTERPRETER_TEXTS,
    INTERPRETER_VALUES,
    INTERPRETER_VERBS,
    SHELL_VALUES,
    SHELLS,
    WRAPPERS,
    Runs,
    interpreter,
)

PLACEHOLDER = re.compile(r"\{[0-9#%./+=]*\}|\{=.*?=\}")
SHOUTED = re.compile(r"!(?!=)")
SAME_SHELL = frozenset({"command", "builtin", "time"})
GIT_PROGRAMS = (
    "pager",
    "editor",
    "sshcommand",
    "askpass",
    "textconv",
    "command",
    "cmd",
    "tool",
    "program",
    "proxy",
    "fsmonitor",
    "helper",
    "clean",
    "smudge",
    "process",
    "external",
    "driver",
    "uploadpack",
    "receivepack",
    "smtpserver",
    "difffilter",
    "packobjectshook",
    "tunnel",
    "vcs",
    "hook",
    "sendpack",
    "browser",
    "man",
)
# Settings of git that name files with settings or programs in them.
GIT_FILES = ("include.path", ".path", "hookspath", "attributesfile", "templatedir")
INSTEAD = re.compile(r"url\.ext::(.*)\.(?:push)?insteadof", re.DOTALL)


def run_program(walk: Walk, call: Call, scope: Scope, redirects: list[Redirect], run: Runner) -> None:
    """Note what a program runs in turn, if it is one that does."""
    name = call.name or ""
    for text in texts_of(name, call.args[1:]):
        run_text(walk, call, (text,), scope.copy())
    if name in WRAPPERS:
        _wrapped(walk, call, scope, redirects, run)
    elif name in SHELLS:
        _shell(walk, call, scope, redirects)
    elif interpreter(name):
        _interpreter(walk, call, redirects)
    elif name == "find":
        _inner(walk, call, found_commands(call.args[1:]), scope, run)
    elif name in ("fd", "fdfind"):
        _inner(walk, call, fd_commands(call.args[1:]), scope, run)
    elif name == "git":
        _git(walk, call, scope)
    elif name == "bc":
        _calculated(walk, call, redirects)
    else:
        _maybe(walk, call, scope)


def _calculated(walk: Walk, call: Call, redirects: list[Redirect]) -> None:
    """What bc is given; some kinds of it run what stands behind an exclamation mark."""
    texts = (redirect.body or redirect.target for redirect in redirects)
    if any(text is not None and SHOUTED.search(text.raw) for text in texts):
        walk.hinder(call.start, call.end, "`bc` may run a command that its text names", unknown=True)


def _inner(walk: Walk, call: Call, commands: list[tuple[Arg, ...]], scope: Scope, run: Runner) -> None:
    call.inner.extend(run(walk, words, scope.copy(), []) for words in commands if words)


def _wrapped(walk: Walk, call: Call, scope: Scope, redirects: list[Redirect], run: Runner) -> None:
    name = call.name or ""
    wrapper = WRAPPERS[name]
    args = call.args[1:]
    if name == "command" and any(arg.value in ("-v", "-V", "-pv", "-pV") for arg in args[:2]):
        return
    found = unwrap(args, wrapper)
    inner = scope if name in SAME_SHELL else scope.copy()
    if found.folder is not None and name in ("env", "sudo", "unshare"):
        inner.enter(found.folder.value)
    if found.doubtful:
        walk.hinder(call.start, call.end, f"the options of {name} cannot be known", unknown=True)
    for text in found.texts:
        run_text(walk, call, (text,), inner.copy())
    for assignment in found.assigned:
        set_variable(walk, assignment, scope)
    rest = found.rest
    if name in ("parallel", "sem"):
        _parallel(walk, call, rest, inner)
    elif wrapper.runs is Runs.TEXT and rest:
        run_text(walk, call, rest, inner.copy())
    elif wrapper.runs is Runs.WORDS and rest:
        if name == "xargs":
            signs = placeholders(args[: len(args) - len(rest)])
            rest = _filled(rest, signs) if signs else (*rest, _more(args[-1]))
        call.inner.append(run(walk, rest, inner, redirects if name != "xargs" else []))
        call.clear = found.clear
    elif wrapper.bare and not found.texts and not _only_tells(args):
        _standard_input(walk, call, redirects, scope, f"`{name}` starts a shell that reads what it runs")


def _more(last: Arg) -> Arg:
    """The words that are read and put behind the last one."""
    return Arg(None, "{}", last.start, last.end, last.number + 1, True, single=False, unsplit=False)


def _filled(words: tuple[Arg, ...], signs: tuple[str, ...]) -> tuple[Arg, ...]:
    """The words with what will be put in for a sign taken as not known."""
    filled = list(words)
    for at, word in enumerate(words):
        text = word.value or ""
        sign = next((sign for sign in signs if sign in text), None)
        if sign is not None:
            filled[at] = replace(word, value=None, prefix=text.partition(sign)[0], pattern="", single=True)
    return tuple(filled)


def _only_tells(args: tuple[Arg, ...]) -> bool:
    return bool(args) and all(
        arg.value in HARMLESS_FLAGS or arg.value in ("-l", "-k", "-K", "-v") for arg in args
    )


def _parallel(walk: Walk, call: Call, rest: tuple[Arg, ...], scope: Scope) -> None:
    at = next((place for place, arg in enumerate(rest) if (arg.value or "").startswith(":::")), len(rest))
    if at:
        put = [
            replace(arg, value=PLACEHOLDER.sub("$_", arg.value)) if arg.value is not None else arg
            for arg in rest[:at]
        ]
        run_text(walk, call, tuple(put), scope.copy())
        if call.inner:
            last = call.inner[-1]
            tail = last.args[-1]
            last.args = (*last.args, _more(tail))
            last.written += " {}"
    elif len(rest) > 1:
        run_text(walk, call, rest[1:], scope.copy(), joint=False)
    else:
        walk.hinder(call.start, call.end, "`parallel` runs what it reads", unknown=True)


def _shell(walk: Walk, call: Call, scope: Scope, redirects: list[Redirect]) -> None:
    args = call.args[1:]
    at = 0
    text = False
    while at < len(args):
        value = args[at].value
        if value is None or value in ("-", "--") or not value.startswith(("-", "+")):
            at += 1 if value in ("-", "--") else 0
            break
        if value in HARMLESS_FLAGS and value not in ("-h", "-v"):
            return
        if value.startswith("--"):
            at += 2 if value in SHELL_VALUES else 1
            continue
        text = text or (value[0] == "-" and "c" in value)
        at += 2 if value[-1] in "oO" else 1
    if text and at < len(args):
        if args[at].below:
            walk.hinder(call.start, call.end, f"`{call.name}` runs names of files as text", unknown=True)
        run_text(walk, call, args[at : at + 1], scope.copy())
    elif at < len(args) and not any(arg.value is not None and "s" in arg.value[1:] for arg in args[:at]):
        walk.hinder(
            call.start, call.end, f"`{call.name}` runs a script, which cannot be known", unknown=True
        )
    else:
        _standard_input(walk, call, redirects, scope, f"`{call.name}` runs what it reads")


def _standard_input(walk: Walk, call: Call, redirects: list[Redirect], scope: Scope, why: str) -> None:
    """A shell on standard input: a here-document or here-string is read as its text."""
    for redirect in redirects:
        if redirect.body is not None and redirect.literal:
            word = redirect.body
            run_text(walk, call, (Arg(word.raw, word.raw, word.start, word.end, 0),), scope.copy())
            return
        source = redirect.body if redirect.operator in ("<<", "<<-") else redirect.target
        if source is not None and redirect.operator in ("<<", "<<-", "<<<"):
            for choice in expand(source, scope):
                run_text(walk, call, choice, scope.copy())
            return
    walk.hinder(call.start, call.end, f"{why}, which cannot be known", unknown=True)


def _interpreter(walk: Walk, call: Call, redirects: list[Redirect]) -> None:
    name = interpreter(call.name or "")
    values = INTERPRETER_VALUES.get(name.rstrip("0123456789."), frozenset())
    args = call.args[1:]
    at = 0
    while at < len(args):
        value = args[at].value
        if value in HARMLESS_FLAGS and len(args) == 1:
            return
        if value in INTERPRETER_MODULES and name.startswith(("python", "pypy")):
            return
        if value in values:
            at += 2
        elif (
            value is not None
            and value.startswith("-")
            and value not in INTERPRETER_TEXTS
            and len(value) > 1
        ):
            at += 1
        else:
            break
    verbs = INTERPRETER_VERBS.get(name)
    if verbs is not None and at < len(args) and args[at].value not in verbs:
        return
    why = f"`{call.name}` runs a program of its own, which cannot be known"
    walk.hinder(call.start, call.end, why, unknown=True, blocks=at >= len(args))


def _maybe(walk: Walk, call: Call, scope: Scope) -> None:
    """Shell texts among the words of a program that is not known: `-c` and a text behind a shell's name."""
    args = call.args
    for at in range(1, len(args) - 2):
        name = (args[at].value or "").rpartition("/")[2]
        flags = args[at + 1].value or ""
        if name in SHELLS and flags.startswith("-") and "c" in flags and args[at + 2].value is not None:
            found = Call((args[at],), name, call.start, call.end, call.folders)
            run_text(walk, found, args[at + 2 : at + 3], scope.copy())
            call.maybe.extend(found.inner)


def _git(walk: Walk, call: Call, scope: Scope) -> None:
    """Settings on git's command line, and those it is to keep, can name programs."""
    args = call.args[1:]
    keeps = next((at for at, arg in enumerate(args) if arg.value == "config"), len(args))
    for at, arg in enumerate(args):
        text = arg.value if arg.value is not None else arg.prefix
        if text.startswith("ext::"):
            run_text(walk, call, (replace(arg, value=text[5:]),), scope.copy())
        elif text.startswith("-O") and len(text) > 2 and args[0].value == "grep":
            run_text(walk, call, (replace(arg, value=text[2:]),), scope.copy())
        elif text.startswith("--exec-path=") or (text.startswith("--config-env") and at < keeps):
            walk.hinder(call.start, call.end, "a setting of git may name a program", unknown=True)
        elif text.startswith("-c") and "=" in text and arg.value is not None:
            glued, _, meant = text[2:].partition("=")
            _git_setting(walk, call, arg, glued.casefold(), meant, scope)
        elif at + 1 < len(args) and (text in ("-c", "--config") or at > keeps):
            following = args[at + 1]
            if at > keeps:
                key, value = text, following.value
            elif following.value is None or "=" not in following.value:
                key, value = "", following.value
            else:
                key, _, value = following.value.partition("=")
            _git_setting(walk, call, following, key.casefold(), value, scope)


def _git_setting(walk: Walk, call: Call, word: Arg, key: str, text: str | None, scope: Scope) -> None:
    if text is None or (text and key.endswith(GIT_FILES)):
        if not key or key.endswith((*GIT_PROGRAMS, *GIT_FILES)) or key.startswith("alias."):
            walk.hinder(call.start, call.end, "a setting of git may name a program", unknown=True)
        return
    instead = INSTEAD.fullmatch(key)
    meant = instead[1] if instead else text.lstrip("!")
    if key.startswith("alias.") and meant == text:
        meant = f"git {text}"
    elif meant == text and not (key.endswith(GIT_PROGRAMS) or key.startswith("pager.")):
        return
    if key.endswith("fsmonitor") and text in ("true", "false"):
        return
    run_text(walk, call, (Arg(meant, word.raw, word.start, word.end, word.number),), scope.copy())
