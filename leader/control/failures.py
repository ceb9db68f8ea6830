"""Carries the leader's errors over the control socket, so that they can be raised again as they were."""

import msgspec

from swarm.leader import errors
from swarm.leader.control.messages import Failed
from swarm.leader.errors import ControlFault, LeaderError

_KNOWN: dict[str, type[LeaderError]] = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, LeaderError)
}


def pack_error(ask_id: int, error: LeaderError) -> Failed:
    """Give the reply that carries `error`; fields that JSON cannot hold are left out."""
    fields = {}
    for name, value in vars(error).items():
        try:
            fields[name] = msgspec.json.decode(msgspec.json.encode(value))
        except (TypeError, msgspec.MsgspecError):
            continue
    return Failed(id=ask_id, error=type(error).__name__, text=str(error), fields=fields)


def unpack_error(failed: Failed) -> LeaderError:
    """Give the error to raise: of the same class and text, or a ControlFault with its text."""
    kind = _KNOWN.get(failed.error)
    if kind is None:
        return ControlFault(failed.text)
    error = kind.__new__(kind, failed.text)
    error.__dict__.update(failed.fields)
    try:
        same = str(error) == failed.text
    except (AttributeError, TypeError, ValueError):
        same = False
    return error if same else ControlFault(failed.text)
