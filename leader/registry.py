"""Where a front end leaves its setters, so that whoever has work for it finds it. No logic.

Who finds nothing here (no screen is up, or it is being restarted) uses the mailbox instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from swarm.leader.core.views import RequestView
    from swarm.permissions.model import Mode, RuleText

Queue: TypeAlias = "tuple[RequestView, ...]"
QueueUpdater: TypeAlias = "Callable[[Queue], Queue]"
ConfirmQueueSetter: TypeAlias = "Callable[[QueueUpdater], None]"


class PermissionContextSetter(Protocol):
    """Puts rules and mode in force on the screen."""

    def __call__(self, rules: tuple[RuleText, ...], mode: Mode, *, preserve_mode: bool = False) -> None:
        """Show `rules` and `mode`; with `preserve_mode` the mode that is shown stays."""


_confirm_queue: ConfirmQueueSetter | None = None
_permission_context: PermissionContextSetter | None = None


def register_confirm_queue(setter: ConfirmQueueSetter) -> None:
    """Make `setter` the one that gets the queue; it replaces an earlier one."""
    global _confirm_queue
    _confirm_queue = setter


def get_confirm_queue() -> ConfirmQueueSetter | None:
    """Give the setter of the confirm queue; None if no front end is up."""
    return _confirm_queue


def unregister_confirm_queue(setter: ConfirmQueueSetter) -> None:
    """Remove `setter` if it is still the one that is registered."""
    global _confirm_queue
    if _confirm_queue == setter:
        _confirm_queue = None


def register_permission_context(setter: PermissionContextSetter) -> None:
    """Make `setter` the one that gets rules and mode; it replaces an earlier one."""
    global _permission_context
    _permission_context = setter


def get_permission_context() -> PermissionContextSetter | None:
    """Give the setter of the permission context; None if no front end is up."""
    return _permission_context


def unregister_permission_context(setter: PermissionContextSetter) -> None:
    """Remove `setter` if it is still the one that is registered."""
    global _permission_context
    if _permission_context == setter:
        _permission_context = None
