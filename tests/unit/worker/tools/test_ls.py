from pathlib import Path

import pytest

from swarm.worker.errors import ToolError
from swarm.worker.tools.ls import SHOWN_CAP

from .conftest import RunTool


async def test_a_folder_is_listed_by_name_with_its_kinds(tmp_path: Path, run: RunTool) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "你.txt").touch()
    (tmp_path / ".env").touch()
    (tmp_path / "link").symlink_to("src")
    (tmp_path / "a\nb").touch()
    assert (await run("LS")).text == ".env\na\\nb\nlink -> src\nsrc/\n你.txt"
    assert (await run("LS", ignore=[".*", "*.txt", "a*"])).text == "link -> src\nsrc/"
    assert (await run("LS", path="src")).text == "The folder is empty."


async def test_more_entries_than_the_cap_are_counted(tmp_path: Path, run: RunTool) -> None:
    for number in range(SHOWN_CAP + 3):
        (tmp_path / str(number)).touch()
    assert (await run("LS")).text.endswith("\n… 3 more entries were left out.")


async def test_what_is_no_folder_is_an_error(tmp_path: Path, run: RunTool) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ToolError, match="a file"):
        await run("LS", path="file")
    with pytest.raises(ToolError, match="does not exist"):
        await run("LS", path="gone")
