import codecs
from pathlib import Path

import pytest

from swarm.worker.errors import InvalidInput, StaleFile, ToolError
from swarm.worker.tools import find_tool
from swarm.worker.tools.base import ToolContext

from .conftest import PrepareTool, RunTool


async def test_a_unique_text_is_replaced_and_shown_with_its_surroundings(
    tmp_path: Path, prepare: PrepareTool, run: RunTool
) -> None:
    path = tmp_path / "a.py"
    path.write_text("1\n2\n3\n4\n5\n6\n7\n8\n9\n")
    edit = {"file_path": "a.py", "old_string": "5\n", "new_string": "five\n5.5\n"}
    preview = (await prepare("Edit", **edit)).preview
    assert preview.title == "Edit a.py (+2 -1)"
    assert preview.diff == (
        f"--- {path}\n+++ {path}\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+5.5\n 6\n 7\n 8\n"
    )
    await run("Edit", **edit)
    assert path.read_text() == "1\n2\n3\n4\nfive\n5.5\n6\n7\n8\n9\n"


async def test_a_text_that_occurs_more_than_once_is_an_error_with_its_lines(
    tmp_path: Path, run: RunTool
) -> None:
    path = tmp_path / "a"
    path.write_text("x\ny\nx x\n")
    with pytest.raises(ToolError, match=r"found 3 times in .*, in lines 1, 3\. Add lines"):
        await run("Edit", file_path="a", old_string="x", new_string="z")
    await run("Edit", file_path="a", old_string="x", new_string="z", replace_all=True)
    assert path.read_text() == "z\ny\nz z\n"


async def test_a_text_that_is_not_there_is_an_error_with_the_nearest_line(
    tmp_path: Path, run: RunTool
) -> None:
    (tmp_path / "a").write_text("import os\n    return value\n")
    with pytest.raises(ToolError, match="nearest is line 2: 'return value'"):
        await run("Edit", file_path="a", old_string="\treturn value", new_string="z")
    with pytest.raises(ToolError, match="nearest is line 1: 'import os'"):
        await run("Edit", file_path="a", old_string="import so", new_string="z")
    with pytest.raises(ToolError, match="copy the text exactly"):
        await run("Edit", file_path="a", old_string="%%%%%", new_string="z")


@pytest.mark.parametrize(("old", "new"), [("", "x"), ("one", "one")])
async def test_an_edit_without_meaning_is_refused(tmp_path: Path, run: RunTool, old: str, new: str) -> None:
    (tmp_path / "a").write_text("one\n")
    with pytest.raises(InvalidInput):
        await run("Edit", file_path="a", old_string=old, new_string=new)


@pytest.mark.parametrize(
    "data",
    [
        b"one\r\ntwo\r\n",
        codecs.BOM_UTF8 + b"one\r\ntwo\r\n",
        codecs.BOM_UTF16_LE + "one\r\ntwo\r\n".encode("utf-16-le"),
    ],
)
async def test_encoding_mark_and_line_ends_are_kept(tmp_path: Path, run: RunTool, data: bytes) -> None:
    path = tmp_path / "a"
    path.write_bytes(data)
    await run("Edit", file_path="a", old_string="one\ntwo", new_string="1\n你\n2")
    await run("Edit", file_path="a", old_string="1\n你\n2", new_string="one\ntwo")
    assert path.read_bytes() == data


async def test_a_file_that_changed_since_it_was_read_is_not_edited(tmp_path: Path, run: RunTool) -> None:
    path = tmp_path / "a"
    path.write_text("one\n")
    await run("Read", file_path="a")
    path.write_text("one\ntheirs\n")
    with pytest.raises(StaleFile, match="Read it again"):
        await run("Edit", file_path="a", old_string="one", new_string="two")
    await run("Read", file_path="a")
    await run("Edit", file_path="a", old_string="one", new_string="two")
    await run("Edit", file_path="a", old_string="two", new_string="three")
    assert path.read_text() == "three\ntheirs\n"


async def test_a_file_that_changed_since_the_edit_was_shown_is_not_edited(
    tmp_path: Path, context: ToolContext
) -> None:
    path = tmp_path / "a"
    path.write_text("one\n")
    tool = find_tool("Edit")
    arguments = tool.input_type(file_path="a", old_string="one", new_string="two")
    prepared = await tool.prepare(arguments, context)
    path.write_text("one\ntheirs\n")
    with pytest.raises(StaleFile):
        await tool.run(arguments, prepared, context)
    assert path.read_text() == "one\ntheirs\n"


async def test_binary_broken_and_missing_files_are_left_alone(tmp_path: Path, run: RunTool) -> None:
    (tmp_path / "a").write_bytes(b"a\0b")
    (tmp_path / "b").write_bytes(b"a\xff\n")
    for path, problem in [("a", "binary data"), ("b", "not valid utf-8"), ("c", "does not exist")]:
        with pytest.raises(ToolError, match=problem):
            await run("Edit", file_path=path, old_string="a", new_string="c")


async def test_several_edits_are_made_in_order_or_not_at_all(tmp_path: Path, run: RunTool) -> None:
    path = tmp_path / "a"
    path.write_text("one two\n")
    first = {"old_string": "one", "new_string": "three"}
    with pytest.raises(ToolError, match=r"Edit 2: .* not found .* None of the edits"):
        await run("MultiEdit", file_path="a", edits=[first, {"old_string": "one", "new_string": "x"}])
    assert path.read_text() == "one two\n"
    output = await run(
        "MultiEdit", file_path="a", edits=[first, {"old_string": "three t", "new_string": "T"}]
    )
    assert path.read_text() == "Two\n"
    assert "(+1 -1)" in output.summary
