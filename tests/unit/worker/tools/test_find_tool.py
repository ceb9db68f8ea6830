import pytest

from swarm.worker.errors import ToolError, UnknownTool
from swarm.worker.tools import TOOL_NAMES, find_tool


@pytest.mark.parametrize("name", TOOL_NAMES)
def test_each_tool_is_found_by_its_name(name: str) -> None:
    assert find_tool(name).name == name


def test_an_unknown_name_is_an_error_that_names_the_nearest() -> None:
    with pytest.raises(UnknownTool, match="Did you mean Grep") as caught:
        find_tool("grepp")
    assert isinstance(caught.value, ToolError)


def test_a_name_like_no_other_is_told_all_there_are() -> None:
    with pytest.raises(UnknownTool, match="The tools are Bash, Read") as caught:
        find_tool("zzzzzz")
    assert "Did you mean" not in str(caught.value)
