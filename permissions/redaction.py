"""Takes secret-looking values out of what leaves the session: log lines, notices, exports. Pure.

The journal is not redacted: it keeps what was shown, with the digest that proves it, in a private
folder. Only what looks like a secret is found here; a secret that looks like nothing stays.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

REDACTED: Final = "[redacted]"

_SECRET: Final = (
    r"[\w.-]{0,80}(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key"
    r"|credential|(?:auth|session|encryption|signing)[_-]?key|connection[_-]?string)[\w.-]{0,80}"
)
_HEADER: Final = r"(?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]{0,40}(?:key|token)"
_SECRET_KEY: Final = re.compile(f"(?:{_SECRET}|{_HEADER}|pass|pwd|jwt)", re.IGNORECASE)
_VALUE: Final = r"""(?!\d{1,6}\b|\[redacted\])(?:"[^"\n]*"|'[^'\n]*'|[^\s"'&;,|)\]}]+)"""
_KNOWN_SHAPES: Final = (
    r"\b(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}"
    r"|A[KS]IA[A-Z0-9]{16}|AIza[\w-]{30,}|npm_\w{30,}|pypi-[\w-]{30,}|hf_\w{20,}"
    r"|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*)"
)
_PRIVATE_KEY: Final = r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z ]{0,40}-----|\Z)"

_PATTERNS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (_PRIVATE_KEY, REDACTED),
        (rf"(?<![\w-])((?:{_HEADER})[\"']?\s*:\s*[\"']?)[^\"'\r\n]+", rf"\1{REDACTED}"),
        (r"\b((?:bearer|basic)\s+)[\w+/=.~-]{8,}", rf"\1{REDACTED}"),
        (r"\b([a-z][a-z0-9+.-]{1,20}://[^\s/:@\"']*:)[^\s/@\"']+@", rf"\1{REDACTED}@"),
        (rf"(?<![\w$.-])(--?(?:{_SECRET})[ =]+){_VALUE}", rf"\1{REDACTED}"),
        (rf"(?<![\w$.-])([\"']?(?:{_SECRET})[\"']?\s*[=:]\s*){_VALUE}", rf"\1{REDACTED}"),
    )
)
_CASED_PATTERN: Final = re.compile(_KNOWN_SHAPES)


def redact_text(text: str) -> str:
    """Replace what looks like a key, a token, a password or an authorization header."""
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(replacement, text)
    return _CASED_PATTERN.sub(REDACTED, text)


def redact(value: Any) -> Any:
    """Give a copy of a JSON-like value without what looks like a secret, by its name or its shape."""
    match value:
        case str():
            return redact_text(value)
        case Mapping():
            return {key: _redact_member(key, member) for key, member in value.items()}
        case list() | tuple():
            return [redact(item) for item in value]
        case _:
            return value


def _redact_member(key: object, value: Any) -> Any:
    if isinstance(value, str) and isinstance(key, str) and _SECRET_KEY.fullmatch(key):
        return REDACTED
    return redact(value)
