"""Hosts: the one a URL names, however it is written, and the rules that name hosts. Resolves nothing."""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

from swarm.permissions.model import RuleText
from swarm.permissions.paths import STRANGE
from swarm.permissions.rules import Rule


@dataclass(frozen=True, slots=True)
class Host:
    """A URL's host: `written` (case folded, no trailing dot) and every other form that leads there.

    `plain` says that nothing about the URL is odd: http or https, a port that can be, no strange sign.
    """

    written: str
    forms: tuple[str, ...]
    plain: bool


def host_of(url: object) -> Host | None:
    """The host of a URL; None if there is none to be found."""
    if not isinstance(url, str) or len(url) > 10_000:
        return None
    odd = bool(STRANGE.search(url)) or "\\" in url or " " in url or url != url.strip()
    text = "".join(sign for sign in url.strip() if sign not in "\t\r\n").replace("\\", "/")
    try:
        parts = urlsplit(text)
        found = parts.hostname
    except ValueError:
        return None
    if not found:
        return None
    written = found.casefold().rstrip(".")
    forms = _forms(written)
    usual = parts.scheme in ("http", "https") and written.isascii() and "%" not in written
    return Host(written, forms, not odd and usual and _whole(parts, written))


def _whole(parts: SplitResult, written: str) -> bool:
    """Whether the port is one, and the host has no empty piece."""
    try:
        _ = parts.port
    except ValueError:
        return False
    return all(written.split("."))


def _forms(written: str) -> tuple[str, ...]:
    decoded = unquote(written).casefold().rstrip(".")
    forms = {written, decoded}
    for name in (written, decoded):
        coded = _coded(name)
        if coded:
            forms.add(coded)
    for name in tuple(forms):
        number = _address(name)
        if number:
            forms.add(number)
    return tuple(forms)


def _coded(name: str) -> str:
    dotted = name.replace("\u3002", ".").replace("\uff0e", ".").replace("\uff61", ".")
    try:
        return dotted.encode("idna").decode("ascii").casefold().rstrip(".")
    except (UnicodeError, ValueError):
        return ""


def _address(name: str) -> str:
    """The usual form of an address written in any of its ways; empty if it is none."""
    body = name.strip("[]")
    try:
        address = ipaddress.ip_address(body.partition("%")[0])
    except ValueError:
        return _numbers(body)
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or address)


def _numbers(body: str) -> str:
    pieces = body.split(".")
    if not 1 <= len(pieces) <= 4:
        return ""
    try:
        values = [_number(piece) for piece in pieces]
    except ValueError:
        return ""
    last_size = 256 ** (5 - len(values))
    if any(value > 255 for value in values[:-1]) or values[-1] >= last_size:
        return ""
    total = values[-1] + sum(value << (8 * (3 - at)) for at, value in enumerate(values[:-1]))
    return str(ipaddress.IPv4Address(total))


def _number(piece: str) -> int:
    if not piece.isascii() or not piece or len(piece) > 40:
        raise ValueError(piece)
    if piece.startswith("0x"):
        return int(piece[2:] or "0", 16)
    return int(piece, 8) if piece.startswith("0") and piece != "0" else int(piece)


@dataclass(frozen=True, slots=True)
class HostIndex:
    """Rules by host; `below` holds those that begin with `*.`, by what follows."""

    exact: dict[str, RuleText]
    below: dict[str, RuleText]

    def __bool__(self) -> bool:
        return bool(self.exact or self.below)

    def match(self, host: str) -> RuleText | None:
        """The rule that names the host, or a domain above it with a star."""
        found = self.exact.get(host) or self.exact.get("*")
        at = host.find(".")
        while found is None and at >= 0:
            found = self.below.get(host[at + 1 :])
            at = host.find(".", at + 1)
        return found


def index_hosts(rules: Iterable[Rule], all_forms: bool) -> HostIndex:
    """Sort host rules for finding; `all_forms` (deny and ask) adds the other ways to write each host."""
    exact: dict[str, RuleText] = {}
    below: dict[str, RuleText] = {}
    for rule in rules:
        name = rule.specifier.casefold().rstrip(".")
        table, name = (below, name[2:]) if name.startswith("*.") else (exact, name)
        for form in _forms(name) if all_forms else (name,):
            table.setdefault(form, rule.text)
    return HostIndex(exact, below)
