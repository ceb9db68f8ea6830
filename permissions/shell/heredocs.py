"""Reading the bodies of here-documents, which stand behind the line that names them. Evaluates nothing."""

from typing import TYPE_CHECKING

from swarm.permissions.shell.syntax import BrokenShell, Literal, Word

if TYPE_CHECKING:
    from swarm.permissions.shell.words import WordReader


def read_bodies(reader: "WordReader") -> None:
    """Read the bodies of the here-documents of the line that ended. Raises BrokenShell."""
    pending, reader.pending = reader.pending, []
    delimiters, reader.delimiters = reader.delimiters, []
    for redirect, (delimiter, quoted) in zip(pending, delimiters, strict=True):
        start = reader.at
        end = _body_end(reader, delimiter, redirect.operator == "<<-")
        body = reader.text[start:end]
        if not quoted and "\\\n" in body:
            raise BrokenShell(start, "a here-document holds a continued line")
        redirect.literal = quoted
        if quoted:
            redirect.body = Word(reader.base + start, reader.base + end, [Literal(body, True)], body)
        else:
            redirect.body = reader.read_body(body, start)


def _body_end(reader: "WordReader", delimiter: str, tabs: bool) -> int:
    """Where the body ends; moves behind the delimiter's line."""
    text = reader.text
    while reader.at <= len(text):
        end = text.find("\n", reader.at)
        stop = len(text) if end < 0 else end
        line = text[reader.at : stop]
        if (line.lstrip("\t") if tabs else line) == delimiter:
            found = reader.at
            reader.at = stop if end < 0 else end + 1
            return found
        if end < 0:
            break
        reader.at = end + 1
    raise BrokenShell(reader.at, f"a here-document does not end with {delimiter!r}")
