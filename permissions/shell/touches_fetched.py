"""What programs fetch into files, send from them, or mount into containers. Pure."""

import re
from collections.abc import Iterator
from dataclasses import replace

from swarm.permissions.shell.calls import Call
from swarm.permissions.shell.expand import Arg
from swarm.permissions.shell.operands import FILES
from swarm.permissions.shell.operands_odd import CURL_DATA, CURL_READS, CURL_VALUES, CURL_WRITES
from swarm.permissions.shell.options import split_options, takes
from swarm.permissions.shell.touch import Touch, below
from swarm.permissions.shell.wrappers import names

WGET_FOLDERS = names("-P --directory-prefix")
MOUNTED = re.compile(r"(?:source|src)=([^,]*)")


def curl(call: Call) -> Iterator[Touch]:
    """What curl sends and what it writes."""
    split = split_options(call.args[1:], CURL_READS | CURL_WRITES | CURL_DATA | CURL_VALUES)
    for option in split.options:
        value = option.value
        if value is None or value.value == "-":
            continue
        if takes(option.name, CURL_WRITES):
            yield Touch(value, writes=True)
        elif takes(option.name, CURL_READS):
            yield Touch(value)
        elif takes(option.name, CURL_DATA):
            yield from _at_files(value)
    if any(takes(option.name, names("-O --remote-name --remote-name-all")) for option in split.options):
        yield from (_fetched(arg, None) for arg in split.operands)
    for arg in split.operands:
        if (arg.value or "").startswith("file:"):
            yield Touch(replace(arg, value=(arg.value or "")[5:].replace("//", "/", 1)))


def _fetched(address: Arg, folder: Arg | None) -> Touch:
    """The file that is made of what an address names; it keeps the address's last name."""
    if address.value is None or (folder is not None and folder.value is None):
        return Touch(replace(address, value=None, prefix="", shape=""), writes=True)
    name = address.value.partition("?")[0].rpartition("/")[2] or "index.html"
    return Touch(below(folder, replace(address, value=name, pattern="")), writes=True)


def downloaded(call: Call) -> Iterator[Touch]:
    """What wget makes of the addresses it is given."""
    split = split_options(call.args[1:], FILES["wget"].all_values)
    if any(takes(option.name, names("-O --output-document")) for option in split.options):
        return
    folders = [option.value for option in split.options if takes(option.name, WGET_FOLDERS)]
    yield from (_fetched(arg, folders[-1] if folders else None) for arg in split.operands)


def _at_files(value: Arg) -> Iterator[Touch]:
    """`@FILE` and `name=@FILE`, `name=<FILE`: data that is read from files."""
    text = value.value
    if text is None:
        if "@" in value.prefix or not value.prefix:
            yield Touch(value)
        return
    for sign in ("@", "<"):
        before, found, name = text.partition(sign)
        if found and (not before or before.endswith("=") or before.isidentifier()):
            yield Touch(replace(value, value=name.partition(";")[0], pattern=""))


def container(call: Call) -> Iterator[Touch]:
    """What is mounted into a container can be read there, and written if it is not said otherwise."""
    split = split_options(
        call.args[1:], names("-v --volume --mount -e --env -w --workdir -p --publish --name")
    )
    for option in split.options:
        value = option.value
        if value is None or not takes(option.name, names("-v --volume --mount")):
            continue
        text = value.value if value.value is not None else value.prefix
        found = MOUNTED.search(text)
        if option.name != "--mount":
            text = text.partition(":")[0] if ":" in text else ""
        elif found is not None:
            text = found[1]
        elif "bind" in text:
            text = ""
        else:
            continue
        if value.value is None and not text:
            yield Touch(replace(value, value=None, prefix=""), writes=True, walks=True, mild=True)
        elif text.startswith(("/", ".", "~")):
            reads = value.value is not None and re.search(r":ro\b|readonly", value.value) is not None
            yield Touch(replace(value, value=text, pattern=""), writes=not reads, walks=True, mild=True)
