"""Takes out of text what is secret by its name, its shape, or because a variable holds it. Pure.

A secret that looks like nothing and stands in no variable stays: whoever sends a bundle has to look.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from swarm.permissions.redaction import REDACTED, redact

LEAST_NAMED: Final = 4
"""From how many characters on a value counts whose name looks secret, or that a plan gives."""
LEAST: Final = 8
"""From how many characters on any other variable's value counts."""

_HARMLESS: Final = frozenset(
    [
        "_",
        "COLORTERM",
        "COLUMNS",
        "DISPLAY",
        "EDITOR",
        "HOME",
        "HOSTNAME",
        "LANG",
        "LANGUAGE",
        "LINES",
        "LOGNAME",
        "MAIL",
        "PAGER",
        "PWD",
        "OLDPWD",
        "SHELL",
        "TERM",
        "TERM_PROGRAM",
        "TERM_PROGRAM_VERSION",
        "TZ",
        "USER",
        "USERNAME",
        "VIRTUAL_ENV",
        "VISUAL",
        "WINDOWID",
    ]
)
_HARMLESS_BEGINNINGS: Final = ("LC_", "XDG_", "SWARM_")
_HARMLESS_ENDS: Final = ("PATH", "_DIR", "_HOME", "_FILE")


def secrets_of(environment: Mapping[str, str]) -> Iterator[str]:
    """Give the values of variables that are hidden wherever they stand."""
    for name, value in environment.items():
        if redact({name: value})[name] == REDACTED:
            least = LEAST_NAMED
        elif _is_harmless(name):
            continue
        else:
            least = LEAST
        if len(value.strip()) >= least:
            yield value.strip()


def _is_harmless(name: str) -> bool:
    return (
        name in _HARMLESS or name.startswith(_HARMLESS_BEGINNINGS) or name.upper().endswith(_HARMLESS_ENDS)
    )


class Hiding:
    """Hides `secrets` and all that looks like one, and calls the person's home `~`."""

    def __init__(self, secrets: Iterable[str], home: str) -> None:
        known = {form for secret in secrets for form in (secret, json.dumps(secret)[1:-1])}
        longest_first = sorted(known, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, longest_first))) if known else None
        self._home = re.compile(re.escape(home.rstrip("/")) + r"(?![\w.-])") if len(home) > 1 else None

    def text(self, text: str) -> str:
        """Give the text without them."""
        if self._known is not None:
            text = self._known.sub(REDACTED, text)
        text = str(redact(text))
        return self._home.sub("~", text) if self._home is not None else text

    def value(self, value: Any) -> Any:
        """Give a copy of a JSON-like value without them, in keys too."""
        return self._each(redact(value))

    def _each(self, value: Any) -> Any:
        match value:
            case str():
                return self.text(value)
            case Mapping():
                return {self.text(str(key)): self._each(member) for key, member in value.items()}
            case list() | tuple():
                return [self._each(item) for item in value]
            case _:
                return value
