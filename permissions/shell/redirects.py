"""Noting what redirections read and write, and what stands in here-documents and here-strings."""

from typing import TYPE_CHECKING

from swarm.permissions.shell.calls import FileUse
from swarm.permissions.shell.expand import expand
from swarm.permissions.shell.scope import Scope
from swarm.permissions.shell.syntax import Literal, Redirect, Word

if TYPE_CHECKING:
    from swarm.permissions.shell.walk import Walk

COPIES = frozenset({">&", "<&"})


def note_redirects(walk: "Walk", redirects: list[Redirect], scope: Scope) -> None:
    """Note the files that are redirected."""
    for redirect in redirects:
        if redirect.body is not None:
            if not redirect.literal:
                _body(walk, redirect.body, scope)
            continue
        if redirect.target is None:
            continue
        walk.parts(redirect.target.parts, scope)
        if redirect.operator in ("<<<", "<<", "<<-"):
            _known_text(walk, redirect.target, scope)
            continue
        _file(walk, redirect, redirect.target, scope)


def _body(walk: "Walk", body: Word, scope: Scope) -> None:
    walk.parts(body.parts, scope)
    if any(not isinstance(part, Literal) for part in body.parts):
        walk.hinder(body.start, body.end, "the here-document holds an expansion, which no rule covers")


def _known_text(walk: "Walk", word: Word, scope: Scope) -> None:
    for choice in expand(word, scope):
        for arg in choice:
            walk.unknown_arg(arg)


def _file(walk: "Walk", redirect: Redirect, target: Word, scope: Scope) -> None:
    for choice in expand(target, scope):
        if len(choice) != 1:
            walk.hinder(redirect.start, redirect.end, "the redirection has no single target")
        for arg in choice:
            if redirect.operator in COPIES and arg.value is not None and _copies(arg.value):
                continue
            walk.unknown_arg(arg)
            if arg.pattern:
                walk.hinder(redirect.start, redirect.end, "the target of the redirection is a pattern")
            start, end = walk.place(redirect.start, redirect.end)
            writes = redirect.operator not in ("<", "<&")
            walk.findings.files.append(FileUse(arg, writes, scope.folders, start, end))


def _copies(target: str) -> bool:
    return target == "-" or target.rstrip("-").isdigit()
