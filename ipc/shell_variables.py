"""References inside shell commands: where one may stand, and how its value is put in. Runs nothing.

A value comes from another agent, so it is hostile. Always in single quotes, it is one word wherever the
shell expects a word. Wherever the shell would read quotes in another way, a reference is refused; so it
is behind all that this reading does not follow. `value=${…}` at the start and "$value" later always works.
"""

import re

from swarm.ipc.variables import Problem, Reference, parse

_PLACE = "\0"
_SIMPLE_PARAMETER = r"\$\{[#!]?[A-Za-z0-9_@*?]+(?:[:%#/^,+=-][^{}'\"`\0$\\\s]*)?\}"
_TOKEN = re.compile(
    rf"""
      (?P<escape>\\[\s\S])
    | (?P<quotes>\$'(?:\\[\s\S]|[^'\\])*' | '[^']*'
        | \$?"(?:\\[\s\S] | {_SIMPLE_PARAMETER} | \$(?![({{\[]) | [^"\\`$])*")
    | (?P<comment>(?<![^\s;&|()])\#[^\n]*)
    | (?P<parameter>{_SIMPLE_PARAMETER})
    | (?P<here><<(?!<))
    | (?P<beyond>['"`] | \$?\(\( | \$[\[{{] | \[\[
        | (?<![\w.-])(?:eval|let|trap|alias)(?![\w.-])
        | (?<![\w.-])(?:ba|da|z|k)?sh\s(?:[^;&|\n]*\s)?-\w*c(?!\w))
    | (?P<glued>[\[$]{_PLACE})
    | (?P<plain><<< | [\s\S])
    """,
    re.VERBOSE,
)
_ADVICE = 'Take it into a variable at the start of the command (value=${…}), then write "$value".'
_WHY = {
    "escape": "behind a backslash",
    "quotes": "inside quotes, where its own quoting would be undone",
    "comment": "inside a comment, which ends where the value has a line break",
    "here": "in or behind a here-document, where quotes do not protect",
    "beyond": "in or behind shell syntax that reads text a second time",
    "glued": "where the shell would not take it as a word",
}


def shell_quote(value: str) -> str:
    """Give `value` as one word of the shell, always quoted, without zero bytes (no word can hold them)."""
    return "'" + value.replace("\0", "").replace("'", "'\"'\"'") + "'"


def shell_problems(command: str) -> list[Problem]:
    """Give each malformed reference of `command`, and each whose value could become syntax."""
    parsed = parse(command)
    found = list(parsed.problems)
    if parsed.references and _PLACE in command:
        return [*found, *(_problem(reference, "beside a zero byte") for reference in parsed.references)]
    text = "".join(piece if isinstance(piece, str) else _PLACE for piece in parsed.pieces)
    places = [piece for piece in parsed.pieces if not isinstance(piece, str)]
    for place, kind in zip(places, _kinds(text), strict=True):
        if isinstance(place, Reference) and kind in _WHY:
            found.append(_problem(place, _WHY[kind]))
    return sorted(found, key=lambda problem: problem.span)


def _kinds(text: str) -> list[str]:
    """Give for each place in `text` the kind of token that it stands in."""
    kinds: list[str] = []
    behind = ""
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup or "beyond"
        if kind in ("here", "beyond"):
            behind = behind or kind
        kinds += [behind or kind] * token.group().count(_PLACE)
    return kinds


def _problem(reference: Reference, where: str) -> Problem:
    return Problem(reference.span, f"{reference} stands {where}. {_ADVICE}")
