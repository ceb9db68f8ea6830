"""Puts rules into a settings text and takes them out; all else stays as it was, to the letter. Pure."""

from typing import Any, Final

from swarm.permissions.model import Behavior
from swarm.permissions.settings.layout import (
    Layout,
    begins_line,
    indent_at,
    inner_indent,
    layout_of,
    quoted,
)
from swarm.permissions.settings.places import SettingsFile
from swarm.permissions.settings.reading import parsed, settings_error, settings_of
from swarm.permissions.settings.tree import Array, Container, Node, Object, Scalar

_BLANKS: Final = " \t\r\n"


def with_rule(text: str, file: SettingsFile, behavior: Behavior, rule: str) -> str:
    """Give the text with a rule at the end of its list. Raises SettingsError if the text is no settings."""
    before = settings_of(text, file).rules
    if any((old.behavior, old.text) == (behavior, rule) for old in before):
        return text
    root = parsed(text, file)
    new = _added(text, root, layout_of(text, root), behavior.value, quoted(rule))
    _check(text, new, file, behavior, rule, 1)
    return new


def without_rule(text: str, file: SettingsFile, behavior: Behavior, rule: str) -> str:
    """Give the text without a rule, however often it stands there. Raises SettingsError."""
    settings_of(text, file)
    new = text
    while (found := _find(new, file, behavior, rule)) is not None:
        new = _removed(new, *found)
    _check(text, new, file, behavior, rule, 0)
    return new


def _added(text: str, root: Object | None, layout: Layout, name: str, item: str) -> str:
    if root is None:
        separator = "" if not text.strip("\ufeff") or text.endswith("\n") else layout.newline
        inner = _list_member(layout, name, item, layout.unit * 2)
        member = f'"permissions": {layout.object_with(inner, layout.unit)}'
        return text + separator + layout.object_with(member, "") + layout.newline
    permissions = root.find("permissions")
    if not isinstance(permissions, Object):
        indent = inner_indent(text, root, layout.unit)
        inner = _list_member(layout, name, item, indent + layout.unit)
        return _appended(text, root, layout, f'"permissions": {layout.object_with(inner, indent)}')
    rules = permissions.find(name)
    if not isinstance(rules, Array):
        member = _list_member(layout, name, item, inner_indent(text, permissions, layout.unit))
        return _appended(text, permissions, layout, member)
    return _appended(text, rules, layout, item)


def _list_member(layout: Layout, name: str, item: str, indent: str) -> str:
    return f'"{name}": {layout.list_with(item, indent)}'


def _appended(text: str, container: Container, layout: Layout, piece: str) -> str:
    """Put a piece behind everything that a container holds, comments included."""
    close = container.end - 1
    inside = text[container.start + 1 : close]
    content_end = container.start + 1 + len(inside.rstrip(_BLANKS))
    tail = text[content_end:close]
    if not inside.strip(_BLANKS) and "\n" not in inside and layout.many_lines:
        indent = indent_at(text, container.start)
        piece = f"{layout.newline}{indent}{layout.unit}{piece}"
        tail = f"{layout.newline}{indent}"
    elif "\n" in inside:
        indent = inner_indent(text, container, layout.unit)
        piece = f"{layout.newline}{indent}{piece}"
        tail = tail.lstrip(" \t") if "\n" in tail else tail
    elif inside.strip(_BLANKS):
        piece = f" {piece}"
    head, trailing = _with_comma(text, container, content_end)
    return head + piece + trailing + tail + text[close:]


def _with_comma(text: str, container: Container, content_end: int) -> tuple[str, str]:
    """Give the text up to `content_end` with a comma behind the last item, and what ends the new one."""
    if not container.items:
        return text[:content_end], ""
    if len(container.commas) == len(container.items):
        return text[:content_end], ","
    last = container.items[-1].end
    return f"{text[:last]},{text[last:content_end]}", ""


def _find(text: str, file: SettingsFile, behavior: Behavior, rule: str) -> tuple[Array, int] | None:
    root = parsed(text, file)
    permissions = root.find("permissions") if root else None
    rules = permissions.find(behavior.value) if isinstance(permissions, Object) else None
    if not isinstance(rules, Array):
        return None
    for number, item in enumerate(rules.items):
        if isinstance(item, Scalar) and item.value == rule:
            return rules, number
    return None


def _removed(text: str, rules: Array, number: int) -> str:
    """Take out one item with one comma, and its line where nothing else stands on it."""
    item = rules.items[number]
    start, end = item.start, item.end
    if number < len(rules.commas):
        comma = rules.commas[number]
        text = text[:comma] + text[comma + 1 :]
    elif number:
        comma = rules.commas[number - 1]
        text = text[:comma] + text[comma + 1 :]
        start, end = start - 1, end - 1
    line_end = text.find("\n", end)
    if begins_line(text, start) and line_end >= 0 and not text[end:line_end].strip():
        return text[: text.rfind("\n", 0, start) + 1] + text[line_end + 1 :]
    rest = text[end:].lstrip(" \t")
    head = (
        text[:start].rstrip(" \t")
        if number and rest[:1] == "]" and end + len(rest) == len(text)
        else text[:start]
    )
    return head + rest


def _check(old: str, new: str, file: SettingsFile, behavior: Behavior, rule: str, count: int) -> None:
    """Make sure that a splice changed that one rule and nothing else; else refuse it."""
    found = [
        known for known in settings_of(new, file).rules if (known.behavior, known.text) == (behavior, rule)
    ]
    if len(found) != count or _rest(old, file, behavior, rule) != _rest(new, file, behavior, rule):
        advice = "Edit the file by hand."
        raise settings_error(old, file, 0, "this rule cannot be put in or taken out safely", advice)


def _rest(text: str, file: SettingsFile, behavior: Behavior, rule: str) -> Any:
    """Give what a text says beside one rule, so that a new list or object around it does not count."""
    root = _plain(parsed(text, file))
    permissions = root.pop("permissions", {})
    others = [known for known in permissions.pop(behavior.value, []) if known != rule]
    return root, permissions, others


def _plain(node: Node | None) -> Any:
    match node:
        case Scalar():
            return node.value
        case Array():
            return [_plain(item) for item in node.items]
        case Object():
            return {member.key: _plain(member.value) for member in node.items}
        case None:
            return {}
