"""Packs texts into a private archive. Never overwrites, never leaves a part of one."""

import io
import os
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from swarm.leader.bundle.errors import BundleNotWritten


class Member(NamedTuple):
    """One file of the archive."""

    name: str
    text: str


def write_archive(path: Path, members: Sequence[Member], at: float) -> int:
    """Write a gzipped tar file, 0600; give its size in bytes. Raises BundleNotWritten."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        raise BundleNotWritten(str(path), "it exists already, and is not overwritten") from None
    except OSError as error:
        raise BundleNotWritten(str(path), error.strerror or str(error)) from error
    try:
        with os.fdopen(descriptor, "wb") as file:
            _pack(file, path.name.removesuffix(".tar.gz"), members, at)
            return file.tell()
    except OSError as error:
        path.unlink(missing_ok=True)
        raise BundleNotWritten(str(path), error.strerror or str(error)) from error


def _pack(file: io.BufferedWriter, folder: str, members: Sequence[Member], at: float) -> None:
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        for member in members:
            data = member.text.encode("utf-8", errors="backslashreplace")
            info = tarfile.TarInfo(f"{folder}/{member.name}")
            info.size, info.mtime, info.mode = len(data), int(at), 0o600
            archive.addfile(info, io.BytesIO(data))
