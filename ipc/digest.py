"""The content digest that ties a decision to exactly what was decided about."""

import hashlib
from typing import Any

import msgspec

from swarm.ipc.messages import Preview

_encoder = msgspec.json.Encoder(order="sorted")


def content_digest(tool: str, input: dict[str, Any], cwd: str, preview: Preview) -> str:
    """Give the SHA-256 in hex of a tool call as it is shown: equal content, equal digest."""
    return hashlib.sha256(_encoder.encode((tool, input, cwd, preview))).hexdigest()
