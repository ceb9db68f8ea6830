"""The agents that a worker can run, by kind. A new kind is a new line; its module is loaded when used."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from swarm.worker.errors import UnknownAgent

if TYPE_CHECKING:
    from swarm.worker.agents.base import Agent

AGENTS: dict[str, str] = {"script": "swarm.worker.agents.script"}
"""Kind to the module that has `create(config) -> Agent`."""


def create_agent(kind: str, config: Mapping[str, Any]) -> "Agent":
    """Make the agent of a kind. Raises UnknownAgent or InvalidAgent."""
    if kind not in AGENTS:
        raise UnknownAgent(kind, tuple(AGENTS))
    agent: Agent = import_module(AGENTS[kind]).create(config)
    return agent
