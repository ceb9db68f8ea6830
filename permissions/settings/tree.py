"""JSON as a tree that knows where each piece stands in the text. Holds no behaviour."""

from dataclasses import dataclass

Plain = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value without parts. `start` and `end` are its span in characters."""

    value: Plain
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Array:
    """A list. `commas` are the offsets of all its commas, a trailing one included."""

    items: tuple["Node", ...]
    commas: tuple[int, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Member:
    """One key with its value."""

    key: str
    value: "Node"
    start: int

    @property
    def end(self) -> int:
        """Where the member ends in the text."""
        return self.value.end


@dataclass(frozen=True, slots=True)
class Object:
    """An object; members stand in the order of the text, repeated keys included."""

    items: tuple[Member, ...]
    commas: tuple[int, ...]
    start: int
    end: int

    def find(self, key: str) -> "Node | None":
        """Give the value of a key, the last one if it is repeated."""
        return next((member.value for member in reversed(self.items) if member.key == key), None)


Node = Scalar | Array | Object
Container = Array | Object


def kind(node: Node) -> str:
    """Name what a node is, for people."""
    match node:
        case Array():
            return "a list"
        case Object():
            return "an object"
        case Scalar(value=str()):
            return "a text"
        case Scalar(value=bool()):
            return "true or false"
        case Scalar(value=None):
            return "null"
        case Scalar():
            return "a number"


def place(text: str, offset: int) -> tuple[int, int]:
    """Give line and column of an offset, both counted from 1."""
    line_start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - line_start + 1


def line_at(text: str, offset: int) -> str:
    """Give the whole line that an offset stands in, without its end."""
    start, end = text.rfind("\n", 0, offset) + 1, text.find("\n", offset)
    return text[start : end if end >= 0 else len(text)].rstrip("\r")
