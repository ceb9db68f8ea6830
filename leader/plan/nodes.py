"""Turns YAML nodes into plain values and keeps where each stood. Refuses what could grow without bound."""

from typing import Any, NamedTuple, TypeAlias

VALUES_CAP = 100_000
"""How many values a plan may have, those behind aliases counted each time."""
DEPTH_CAP = 40
"""How deep values may be nested; a plan needs 7."""

Node: TypeAlias = Any
"""A node of ruamel.yaml, whose classes share no type that has their attributes."""

_PREFIX = "tag:yaml.org,2002:"
_TEXTS = ("str", "timestamp")
_WORDS = {"true": True, "false": False}


class Mark(NamedTuple):
    """Where a value begins and ends and where its key begins, in characters of the text from 0."""

    start: int
    end: int
    key: int | None


Marks = dict[tuple[str | int, ...], Mark]


class NodeProblem(Exception):
    """Something in the file that YAML has and plans do not."""

    def __init__(self, index: int, text: str, expected: str) -> None:
        super().__init__(text)
        self.index = index
        self.text = text
        self.expected = expected


class Converter:
    """Converts one tree. `problems` are those that leave the rest usable."""

    def __init__(self) -> None:
        self.marks: Marks = {}
        self.problems: list[NodeProblem] = []
        self._count = 0

    def convert(self, node: Node, location: tuple[str | int, ...], key: int | None = None) -> Any:
        """Give the node's plain value. Raises NodeProblem where nothing is usable."""
        self._count += 1
        if self._count > VALUES_CAP:
            raise NodeProblem(_start(node), "The aliases make the plan too large.", "Write less of them.")
        if len(location) > DEPTH_CAP:
            raise NodeProblem(_start(node), "It is nested too deeply.", "An alias may hold itself.")
        absent = node.id == "scalar" and node.value == "" and node.style is None
        start = key if absent and key is not None else _start(node)
        self.marks[location] = Mark(start, node.end_mark.index, key)
        match node.id:
            case "mapping":
                return self._mapping(node, location)
            case "sequence":
                return self._sequence(node, location)
            case _:
                return self._scalar(node)

    def _sequence(self, node: Node, location: tuple[str | int, ...]) -> list[Any]:
        return [self.convert(child, (*location, index)) for index, child in enumerate(node.value)]

    def _mapping(self, node: Node, location: tuple[str | int, ...]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key_node, child in node.value:
            key = self._key(key_node)
            if key is None:
                continue
            if key in values:
                self._report(key_node, f"The key {key!r} stands here a second time.", "Keep one of them.")
                continue
            values[key] = self.convert(child, (*location, key), _start(key_node))
        return values

    def _key(self, node: Node) -> str | None:
        tag = str(node.tag).removeprefix(_PREFIX)
        if node.id == "scalar" and tag in _TEXTS:
            return str(node.value)
        if tag == "merge":
            self._report(node, "Plans have no merge keys.", "Put what is shared under `defaults`.")
        else:
            shown = repr(node.value) if node.id == "scalar" else "a list or mapping"
            self._report(node, f"A key must be text, and this is {shown}.", "Put it in quotes.")
        return None

    def _scalar(self, node: Node) -> Any:
        tag = str(node.tag)
        kind = tag.removeprefix(_PREFIX)
        text = str(node.value)
        if kind in _TEXTS:
            return text
        try:
            return _plain_value(kind, text)
        except (KeyError, ValueError):
            self._report(node, f"Plans have no tags, and this has {tag}.", "Remove the tag.")
            return text

    def _report(self, node: Node, text: str, expected: str) -> None:
        self.problems.append(NodeProblem(_start(node), text, expected))


def _plain_value(kind: str, text: str) -> bool | int | float | None:
    """Read a scalar of YAML 1.2. Raises KeyError or ValueError for what is none."""
    match kind:
        case "null":
            return None
        case "bool":
            return _WORDS[text.lower()]
        case "int":
            return int(text, 0 if "x" in text or "o" in text else 10)
        case "float":
            return float(text.lower().replace(".inf", "inf").replace(".nan", "nan"))
        case _:
            raise ValueError(kind)


def _start(node: Node) -> int:
    return int(node.start_mark.index)
