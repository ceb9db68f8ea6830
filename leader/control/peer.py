"""Who is at the other end of the control socket: only this user, and none of the team's own processes.

A worker's tools run as the same user, so a worker could otherwise approve its own calls. The folder's
permissions keep other users out where the system does not tell who connects.
"""

import os
import socket
import struct
from dataclasses import dataclass

_CREDENTIALS = struct.Struct("3i")


@dataclass(frozen=True, slots=True)
class Peer:
    """The process that connected, as the system tells it."""

    pid: int
    uid: int


def peer_of(connection: socket.socket) -> Peer | None:
    """Give who connected, or None where the system does not tell."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return None
    raw = connection.getsockopt(socket.SOL_SOCKET, option, _CREDENTIALS.size)
    pid, uid, _ = _CREDENTIALS.unpack(raw)
    return Peer(pid, uid)


def ancestors(pid: int) -> set[int] | None:
    """Give the pids of all processes above `pid`, or None if it is gone already."""
    import psutil

    try:
        return {parent.pid for parent in psutil.Process(pid).parents()}
    except psutil.Error:
        return None


def why_refused(peer: Peer | None, *, own_uid: int | None = None, leader: int | None = None) -> str:
    """Say why this peer gets nothing, or give an empty text if it may ask."""
    if peer is None:
        return ""
    if peer.uid != (os.geteuid() if own_uid is None else own_uid):
        return "it belongs to another user"
    above = ancestors(peer.pid)
    if above is None:
        return "its process is gone"
    if (os.getpid() if leader is None else leader) in above:
        return "it was started by this session, and a worker may not decide about itself"
    return ""
