"""Reads parts of files for a bundle: bounded, whole lines, and never what a link or a pipe stands for."""

import os
import re
from pathlib import Path
from typing import Final

from swarm.leader.session.places import open_regular

TEXT_BYTES: Final = 64 * 1024
"""How much of one file is taken, in bytes: its end of a log, else its beginning."""
_REST_OF_KEY: Final = re.compile(r"\A(?:(?!-----BEGIN )[\s\S])*-----END [A-Z ]{0,40}PRIVATE KEY-----")
"""What a cut has left of a private key, which nothing that looks for a whole one would find."""


def beginning(path: Path) -> str | None:
    """Give a file's text up to the last whole line that is taken; None if it cannot be read."""
    try:
        with open_regular(path) as file:
            data = file.read(TEXT_BYTES + 1)
    except OSError:
        return None
    if len(data) > TEXT_BYTES:
        data = data[: data[:TEXT_BYTES].rfind(b"\n") + 1]
    return data.decode("utf-8", errors="backslashreplace")


def end(path: Path) -> str | None:
    """Give a file's text from the first whole line that is taken; None if it cannot be read."""
    try:
        with open_regular(path) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - TEXT_BYTES))
            data = file.read(TEXT_BYTES)
    except OSError:
        return None
    if size <= TEXT_BYTES:
        return data.decode("utf-8", errors="backslashreplace")
    text = data.partition(b"\n")[2].decode("utf-8", errors="backslashreplace")
    return _REST_OF_KEY.sub("[cut]", text)
