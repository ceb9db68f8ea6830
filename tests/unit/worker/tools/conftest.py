"""A context in a folder of its own, and a shorthand to run a tool as the gate does."""

import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from swarm.worker.tools import find_tool
from swarm.worker.tools.base import Prepared, ToolContext, ToolOutput

RunTool = Callable[..., Awaitable[ToolOutput]]
PrepareTool = Callable[..., Awaitable[Prepared]]


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return ToolContext(cwd=tmp_path, env={"PATH": os.environ["PATH"], "HOME": str(tmp_path / "home")})


@pytest.fixture
def prepare(context: ToolContext) -> PrepareTool:
    async def call(name: str, **input: Any) -> Prepared:
        tool = find_tool(name)
        return await tool.prepare(msgspec.convert(input, tool.input_type), context)

    return call


@pytest.fixture
def run(context: ToolContext) -> RunTool:
    async def call(name: str, **input: Any) -> ToolOutput:
        tool = find_tool(name)
        arguments = msgspec.convert(input, tool.input_type)
        prepared = await tool.prepare(arguments, context)
        return await tool.run(arguments, prepared, context)

    return call
