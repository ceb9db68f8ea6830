"""Reads files as text: their encoding, kind and fingerprint. Changes nothing."""

import codecs
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from swarm.worker.errors import ToolError
from swarm.worker.tools.paths import missing, special_kind
from swarm.worker.tools.pinned import open_pinned

EDIT_CAP = 50 * 1024 * 1024
"""The largest file that is read whole, in bytes."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SIGNATURES = (
    (b"\x7fELF", "an ELF program or library"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "gzip-compressed data"),
    (b"BZh", "bzip2-compressed data"),
    (b"\xfd7zXZ", "xz-compressed data"),
    (b"\x28\xb5\x2f\xfd", "zstd-compressed data"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x00asm", "a WebAssembly module"),
    (b"\xca\xfe\xba\xbe", "a Java class or a Mach-O program"),
    (b"\xcf\xfa\xed\xfe", "a Mach-O program"),
    (b"MZ", "a Windows program"),
)


@dataclass(frozen=True, slots=True)
class Encoding:
    """How text is stored: the name of the codec, and the byte order mark before it."""

    codec: str = "utf-8"
    mark: bytes = b""

    def encode(self, text: str) -> bytes:
        """Give the bytes of a file. Raises UnicodeEncodeError for a lone surrogate."""
        return self.mark + text.encode(self.codec)

    def decode(self, data: bytes) -> str:
        """Give the text of a whole file. Raises UnicodeDecodeError."""
        return data[len(self.mark) :].decode(self.codec)


def sniff(beginning: bytes) -> Encoding:
    """Give the encoding that the first bytes of a file tell: by its mark, or else UTF-8."""
    return next((Encoding(codec, mark) for mark, codec in _BOMS if beginning.startswith(mark)), Encoding())


def binary_kind(beginning: bytes) -> str:
    """Say what a file seems to be if it is no text, or give an empty text."""
    if sniff(beginning).mark:
        return ""
    known = next((kind for start, kind in _SIGNATURES if beginning.startswith(start)), "")
    if known and not _is_plain(beginning):
        return known
    return "binary data" if b"\0" in beginning else ""


def _is_plain(beginning: bytes) -> bool:
    """Tell whether the bytes are text after all: a note may begin with the letters of a signature."""
    return not beginning.startswith(b"%PDF") and all(
        byte >= 32 or byte in b"\t\n\r\f" for byte in beginning
    )


def fingerprint(data: bytes) -> str:
    """Give what tells this content from any other."""
    return hashlib.sha256(data).hexdigest()


def open_regular(path: Path) -> int:
    """Open a regular file for reading and give its descriptor, without waiting for a pipe's writer.

    `path` is resolved. Raises ToolError for what is missing, is no regular file or may not be read, and
    if a link stands in the path by now.
    """
    try:
        opened = open_pinned(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    except FileNotFoundError:
        raise missing(path) from None
    except OSError as error:
        raise ToolError(f"{path} cannot be read: {error.strerror}.") from error
    kind = special_kind(os.fstat(opened).st_mode)
    if kind:
        os.close(opened)
        hint = " List it with LS or Glob." if kind == "a folder" else ""
        raise ToolError(f"{path} is {kind}, not a file that can be read.{hint}")
    return opened


def read_whole(path: Path) -> bytes:
    """Give the content of a regular file. Raises ToolError, also if it is larger than the cap."""
    with os.fdopen(open_regular(path), "rb") as file:
        data = file.read(EDIT_CAP + 1) or b""
    if len(data) > EDIT_CAP:
        raise ToolError(f"{path} is larger than {EDIT_CAP // 1024**2} MiB, too large to be read whole.")
    return data


def decoded(path: Path, data: bytes) -> tuple[str, Encoding]:
    """Give the text and its encoding. Raises ToolError for a binary file or broken text."""
    kind = binary_kind(data[:8192])
    if kind:
        raise ToolError(f"{path} seems to be {kind}, not text, so it was left alone.")
    encoding = sniff(data[:4])
    try:
        return encoding.decode(data), encoding
    except UnicodeDecodeError as error:
        raise ToolError(
            f"{path} is not valid {encoding.codec} (at byte {error.start:,}), so it was left alone."
        ) from error
