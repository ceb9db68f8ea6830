import os
import stat
from pathlib import Path

import pytest

from swarm.worker.errors import InvalidInput, StaleFile, ToolError
from swarm.worker.tools import find_tool
from swarm.worker.tools.base import ToolContext
from swarm.worker.tools.text_files import fingerprint

from .conftest import PrepareTool, RunTool


async def test_a_new_file_is_shown_whole_and_made_with_its_folders(
    tmp_path: Path, context: ToolContext, prepare: PrepareTool, run: RunTool
) -> None:
    path = tmp_path / "new" / "deep" / "a.txt"
    preview = (await prepare("Write", file_path="new/deep/a.txt", content="one\n你\n")).preview
    assert preview.title == "Write new/deep/a.txt (+2 -0)"
    assert preview.diff == f"--- /dev/null\n+++ {path}\n@@ -0,0 +1,2 @@\n+one\n+你\n"
    assert preview.paths == (str(path),)
    assert preview.note == f"Makes the folder {tmp_path / 'new' / 'deep'}."
    assert not path.exists()
    await run("Write", file_path="new/deep/a.txt", content="one\n你\n")
    assert path.read_bytes() == "one\n你\n".encode()
    assert os.listdir(path.parent) == ["a.txt"]
    assert context.seen[path] == fingerprint(path.read_bytes())


async def test_a_file_keeps_its_mode_and_the_line_ends_as_given(tmp_path: Path, run: RunTool) -> None:
    path = tmp_path / "run.sh"
    path.write_text("old\n")
    path.chmod(0o750)
    await run("Write", file_path="run.sh", content="a\r\nb\n")
    assert path.read_bytes() == b"a\r\nb\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o750


async def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path: Path, run: RunTool) -> None:
    before = os.umask(0o027)
    try:
        await run("Write", file_path="a", content="")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


@pytest.mark.parametrize("change", ["changed", "removed", "made"])
async def test_what_changed_since_it_was_shown_is_not_written(
    tmp_path: Path, context: ToolContext, change: str
) -> None:
    path = tmp_path / "a"
    if change != "made":
        path.write_text("old\n")
    tool = find_tool("Write")
    arguments = tool.input_type(file_path="a", content="new\n")
    prepared = await tool.prepare(arguments, context)
    if change == "removed":
        path.unlink()
    else:
        path.write_text("theirs\n")
    with pytest.raises(StaleFile):
        await tool.run(arguments, prepared, context)
    assert os.listdir(tmp_path) == ([] if change == "removed" else ["a"])
    if change != "removed":
        assert path.read_text() == "theirs\n"


async def test_a_link_is_followed_to_the_target_that_was_shown_only(
    tmp_path: Path, context: ToolContext
) -> None:
    (tmp_path / "real").write_text("old\n")
    (tmp_path / "secret").write_text("old\n")
    link = tmp_path / "link"
    link.symlink_to("real")
    tool = find_tool("Write")
    arguments = tool.input_type(file_path="link", content="new\n")
    prepared = await tool.prepare(arguments, context)
    assert prepared.preview.paths == (str(link), str(tmp_path / "real"))
    await tool.run(arguments, prepared, context)
    assert link.is_symlink()
    assert (tmp_path / "real").read_text() == "new\n"
    prepared = await tool.prepare(arguments, context)
    link.unlink()
    link.symlink_to("secret")
    with pytest.raises(ToolError, match="leads elsewhere"):
        await tool.run(arguments, prepared, context)
    assert (tmp_path / "secret").read_text() == "old\n"


async def test_a_folder_swapped_for_a_link_is_noticed(tmp_path: Path, context: ToolContext) -> None:
    (tmp_path / "elsewhere").mkdir()
    tool = find_tool("Write")
    arguments = tool.input_type(file_path="sub/a", content="new\n")
    prepared = await tool.prepare(arguments, context)
    (tmp_path / "sub").symlink_to("elsewhere")
    with pytest.raises(ToolError):
        await tool.run(arguments, prepared, context)
    assert os.listdir(tmp_path / "elsewhere") == []


async def test_folders_pipes_and_devices_are_never_written(
    tmp_path: Path, context: ToolContext, run: RunTool
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").touch()
    for path in ("pipe", "/dev/null", ".", "file/below"):
        with pytest.raises(ToolError):
            await run("Write", file_path=path, content="x")
    tool = find_tool("Write")
    decision = tool.check_permissions(tool.input_type(file_path="/dev/sda/../null", content=""), context)
    assert decision is not None
    assert not decision.allowed
    assert tool.check_permissions(tool.input_type(file_path="file", content=""), context) is None


async def test_a_binary_file_and_another_encoding_are_named_before_they_are_replaced(
    tmp_path: Path, prepare: PrepareTool
) -> None:
    (tmp_path / "a").write_bytes(b"\x89PNG\0")
    note = (await prepare("Write", file_path="a", content="x\n")).preview.note
    assert note == "Replaces 5 bytes that seem to be a PNG image."
    (tmp_path / "b").write_text("x\n", encoding="utf-16")
    note = (await prepare("Write", file_path="b", content="y\n")).preview.note
    assert "The encoding changes from utf-16-le" in note


async def test_a_write_that_changes_nothing_says_so(tmp_path: Path, prepare: PrepareTool) -> None:
    (tmp_path / "a").write_text("x\n")
    preview = (await prepare("Write", file_path="a", content="x\n")).preview
    assert (preview.diff, preview.note) == ("", "Nothing changes.")


async def test_a_line_break_in_a_name_forges_no_line_of_the_preview(
    tmp_path: Path, prepare: PrepareTool
) -> None:
    preview = (await prepare("Write", file_path="a\n+++ b", content="x\n")).preview
    assert preview.title == r"Write a\n+++ b (+1 -0)"
    assert preview.diff.count("\n") == 4


@pytest.mark.parametrize("path", ["", "a\0b"])
async def test_a_path_that_cannot_be_is_refused(run: RunTool, path: str) -> None:
    with pytest.raises(InvalidInput):
        await run("Write", file_path=path, content="x")


async def test_a_name_too_long_is_a_clear_error(run: RunTool) -> None:
    with pytest.raises(ToolError, match="cannot be"):
        await run("Write", file_path="x" * 300, content="x")
