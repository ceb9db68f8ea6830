import codecs
import os
from pathlib import Path

import anyio
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.worker.errors import InvalidInput, ToolError
from swarm.worker.tools import find_tool
from swarm.worker.tools.base import ToolContext
from swarm.worker.tools.line_range import take_lines
from swarm.worker.tools.text_files import EDIT_CAP, fingerprint

from .conftest import PrepareTool, RunTool


async def test_lines_are_numbered_and_the_content_is_remembered(
    tmp_path: Path, context: ToolContext, run: RunTool
) -> None:
    (tmp_path / "a.py").write_bytes(b"one\r\n\ntwo")
    assert (await run("Read", file_path="a.py")).text == "     1\tone\n     2\t\n     3\ttwo"
    assert context.seen == {tmp_path / "a.py": fingerprint(b"one\r\n\ntwo")}


async def test_a_range_is_given_and_the_rest_is_counted(tmp_path: Path, run: RunTool) -> None:
    (tmp_path / "a").write_text("\n".join(map(str, range(1, 5001))) + "\n")
    ranged = await run("Read", file_path="a", offset=10, limit=2)
    assert ranged.text == "    10\t10\n    11\t11\n… 4,989 more lines. Read on with offset 12."
    whole = await run("Read", file_path="a")
    assert whole.text.endswith("  2000\t2000\n… 3,000 more lines. Read on with offset 2001.")
    assert "5,000 lines" in (await run("Read", file_path="a", offset=9999)).text


async def test_a_long_line_is_cut_with_a_note(tmp_path: Path, run: RunTool) -> None:
    (tmp_path / "a").write_text("x" * 2000 + "\n" + "你" * 700_000 + "\nend\n")
    lines = (await run("Read", file_path="a")).text.split("\n")
    assert lines[0] == "     1\t" + "x" * 2000
    assert lines[1] == "     2\t" + "你" * 2000 + " … (698,000 more characters in this line)"
    assert lines[2] == "     3\tend"


async def test_an_empty_file_is_named_so(tmp_path: Path, run: RunTool) -> None:
    (tmp_path / "a").touch()
    assert (await run("Read", file_path="a")).text == "The file is empty."


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x7fELF\x02\x01\x00\x00", "an ELF program"),
        (b"\x89PNG\r\n\x1a\n\x00", "a PNG image"),
        (b"%PDF-1.7\n", "a PDF document"),
        (b"a\x00b", "binary data"),
    ],
)
async def test_a_binary_file_is_refused_by_its_kind(
    tmp_path: Path, run: RunTool, data: bytes, kind: str
) -> None:
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(ToolError, match=kind):
        await run("Read", file_path="a")


async def test_text_that_begins_like_a_program_is_text(tmp_path: Path, run: RunTool) -> None:
    (tmp_path / "a").write_text("MZ is a signature\n")
    assert "MZ is" in (await run("Read", file_path="a")).text


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + "你\nb".encode(),
        codecs.BOM_UTF16_LE + "你\nb".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "你\nb".encode("utf-16-be"),
        codecs.BOM_UTF32_LE + "你\nb".encode("utf-32-le"),
    ],
)
async def test_marked_encodings_are_read(tmp_path: Path, run: RunTool, data: bytes) -> None:
    (tmp_path / "a").write_bytes(data)
    assert (await run("Read", file_path="a")).text == "     1\t你\n     2\tb"


async def test_a_huge_file_needs_a_range_and_is_not_read_whole(
    tmp_path: Path, context: ToolContext, run: RunTool
) -> None:
    with (tmp_path / "huge").open("wb") as file:
        file.write(b"first\nsecond\n" + b"x" * 300_000 + b"\n")
        file.truncate(EDIT_CAP * 100)
    with pytest.raises(ToolError, match="offset and a limit"):
        await run("Read", file_path="huge")
    output = await run("Read", file_path="huge", limit=1)
    assert output.text == "     1\tfirst\n… The file goes on. Read on with offset 2."
    assert not context.seen


async def test_folders_pipes_and_devices_are_refused_without_waiting(tmp_path: Path, run: RunTool) -> None:
    os.mkfifo(tmp_path / "pipe")
    with anyio.fail_after(2):
        for path, kind in [("pipe", "a named pipe"), (".", "a folder"), ("/dev/zero", "a device")]:
            with pytest.raises(ToolError, match=kind):
                await run("Read", file_path=path)


async def test_a_missing_file_is_an_error_with_the_nearest_name(tmp_path: Path, run: RunTool) -> None:
    (tmp_path / "settings.py").touch()
    with pytest.raises(ToolError, match=r"Did you mean .*/settings\.py"):
        await run("Read", file_path="setings.py")
    with pytest.raises(ToolError, match="nor does its folder"):
        await run("Read", file_path="no/such")


async def test_tilde_is_the_home_of_the_environment_and_paths_are_absolute(
    tmp_path: Path, prepare: PrepareTool
) -> None:
    (tmp_path / "link").symlink_to("real")
    assert (await prepare("Read", file_path="~/a")).preview.paths == (str(tmp_path / "home" / "a"),)
    link = await prepare("Read", file_path="x/../link", offset=5, limit=2)
    assert link.preview.paths == (str(tmp_path / "link"), str(tmp_path / "real"))
    assert link.preview.title == "Read link (lines 5–6)"


async def test_a_nul_in_the_path_is_refused_and_denied(context: ToolContext, run: RunTool) -> None:
    with pytest.raises(InvalidInput, match="NUL"):
        await run("Read", file_path="a\0b")
    tool = find_tool("Read")
    decision = tool.check_permissions(tool.input_type(file_path="a\0b"), context)
    assert decision is not None
    assert not decision.allowed
    assert tool.check_permissions(tool.input_type(file_path="a"), context) is None


async def test_a_loop_of_links_is_an_error(tmp_path: Path, run: RunTool) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(ToolError):
        await run("Read", file_path="a")


@given(
    st.lists(st.text("a你\n\r", max_size=6).map(str.encode), max_size=8),
    st.integers(1, 8),
    st.integers(1, 8),
)
@settings(max_examples=200, deadline=None)
def test_lines_are_the_same_however_the_file_comes(pieces: list[bytes], first: int, limit: int) -> None:
    data = b"".join(pieces)
    lines = data.decode().split("\n")
    lines = lines[:-1] if not lines[-1] else lines
    whole = [piece for piece in pieces if piece]
    found = take_lines(whole, whole[0] if whole else b"", first, limit, reads_whole=True)
    assert found.lines == [line.removesuffix("\r") for line in lines[first - 1 : first - 1 + limit]]
    assert found.total == len(lines)
    assert found.fingerprint == fingerprint(data)


@pytest.mark.parametrize(
    ("tool", "input"),
    [
        ("Read", {"file_path": "open/in/f"}),
        ("Grep", {"pattern": ".", "path": "open/in", "output_mode": "content"}),
        ("Glob", {"pattern": "*", "path": "open/in"}),
        ("LS", {"path": "open/in"}),
    ],
)
async def test_a_folder_that_was_swapped_for_a_link_after_the_decision_gives_nothing_away(
    tmp_path: Path, context: ToolContext, prepare: PrepareTool, tool: str, input: dict[str, str]
) -> None:
    for folder in ("open", "secret"):
        (tmp_path / folder / "in").mkdir(parents=True)
        (tmp_path / folder / "in" / "f").write_text(folder)
    prepared = await prepare(tool, **input)
    (tmp_path / "open").rename(tmp_path / "moved")
    (tmp_path / "open").symlink_to(tmp_path / "secret")
    found = find_tool(tool)
    with pytest.raises(ToolError, match="leads elsewhere now"):
        await found.run(msgspec.convert(input, found.input_type), prepared, context)


async def test_a_file_that_was_swapped_for_a_link_after_the_decision_is_not_read(
    tmp_path: Path, context: ToolContext, prepare: PrepareTool
) -> None:
    (tmp_path / "f").write_text("open")
    (tmp_path / "secret").write_text("secret")
    prepared = await prepare("Read", file_path="f")
    (tmp_path / "f").unlink()
    (tmp_path / "f").symlink_to("secret")
    found = find_tool("Read")
    with pytest.raises(ToolError, match="leads elsewhere now"):
        await found.run(msgspec.convert({"file_path": "f"}, found.input_type), prepared, context)
