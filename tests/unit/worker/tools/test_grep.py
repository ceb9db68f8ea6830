import os
import shutil
import time
from pathlib import Path

import anyio
import psutil
import pytest

from swarm.worker.errors import InvalidInput, ToolError
from swarm.worker.tools.base import ToolContext
from swarm.worker.tools.grep import GrepInput, find_ripgrep
from swarm.worker.tools.search_program import GrepJob
from swarm.worker.tools.search_run import own_program, run_search

from .conftest import RunTool

RIPGREP = shutil.which("rg")


@pytest.fixture(params=["own", "ripgrep"])
def context(request: pytest.FixtureRequest, tmp_path: Path) -> ToolContext:
    """Both ways to search, on the same tree; ripgrep only where it is installed."""
    if request.param == "ripgrep" and RIPGREP is None:
        pytest.skip("ripgrep is not installed")
    search = os.path.dirname(RIPGREP) if request.param == "ripgrep" and RIPGREP else "/nowhere"
    tree = tmp_path / "tree"
    tree.mkdir()
    context = ToolContext(cwd=tree, env={"PATH": search})
    assert (find_ripgrep(context) is None) is (request.param == "own")
    return context


@pytest.fixture
def tree(context: ToolContext) -> Path:
    files: dict[str, bytes] = {
        "a.py": (
            "def one():\n    return 1\n\ndef two():\n    return 2\n" + "\n\n\ndef 三():\r\n    pass"
        ).encode(),
        "src/b.py": b"import os\ndef ONE(): pass\n",
        "src/b.txt": b"def text\n",
        "src/ignored.py": b"def ignored(): pass\n",
        "build/c.py": b"def built(): pass\n",
        "binary": b"def x\n\0\n",
        "zlate": b"def x\n" * 20_000 + b"\0\n",
        "late": b"def x\n" * 20_000 + b"\0\n",
        "wide": "def wide\n".encode("utf-16"),
        "latin": b"def caf\xe9\n",
        ".hidden/d.py": b"def hidden(): pass\n",
        ".git/config": b"def git\n",
        ".ignore": b"src\n",
        ".gitignore": b"build/\n",
        "src/.gitignore": b"ignored.*\n",
    }
    for name, data in files.items():
        path = context.cwd / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    (context.cwd / "link.py").symlink_to("a.py")
    return context.cwd


async def test_files_with_a_match_are_named_in_order(tree: Path, run: RunTool) -> None:
    output = await run("Grep", pattern="^def")
    assert output.text.split("\n") == [".hidden/d.py", "a.py", "latin", "src/b.py", "src/b.txt", "wide"]


async def test_lines_are_shown_with_file_and_number(tree: Path, run: RunTool) -> None:
    output = await run("Grep", pattern=r"def \w+\(\)", output_mode="content", glob="*.py")
    assert output.text.split("\n") == [
        ".hidden/d.py:1:def hidden(): pass",
        "a.py:1:def one():",
        "a.py:4:def two():",
        "a.py:9:def 三():",
        "src/b.py:2:def ONE(): pass",
    ]
    output = await run("Grep", pattern="two", output_mode="content", **{"-n": False})
    assert output.text == "a.py:def two():"
    assert (await run("Grep", pattern="def caf", output_mode="content")).text == "latin:1:def caf\ufffd"


async def test_a_single_match_is_one_match(tree: Path, run: RunTool) -> None:
    (tree / "only.txt").write_text("a word that stands nowhere else: quixotic\n")
    assert (await run("Grep", pattern="quixotic")).summary == "1 match"


async def test_matches_are_counted(tree: Path, run: RunTool) -> None:
    output = await run("Grep", pattern="def", output_mode="count", path="a.py")
    assert (output.text, output.summary) == ("a.py:3", "3 matches")


async def test_context_is_shown_and_gaps_are_marked(tree: Path, run: RunTool) -> None:
    output = await run("Grep", pattern="def", output_mode="content", path="a.py", **{"-A": 1, "-B": 1})
    assert output.text.split("\n") == [
        "a.py:1:def one():",
        "a.py-2-    return 1",
        "a.py-3-",
        "a.py:4:def two():",
        "a.py-5-    return 2",
        "--",
        "a.py-8-",
        "a.py:9:def 三():",
        "a.py-10-    pass",
    ]
    around = await run("Grep", pattern="two", output_mode="content", path="a.py", **{"-C": 1})
    assert around.text == "a.py-3-\na.py:4:def two():\na.py-5-    return 2"


async def test_case_is_ignored_on_demand(tree: Path, run: RunTool) -> None:
    assert (await run("Grep", pattern="def one", **{"-i": True})).text == "a.py\nsrc/b.py"


async def test_globs_choose_files_but_never_what_is_ignored(tree: Path, run: RunTool) -> None:
    assert (await run("Grep", pattern="def", glob="src/*.py")).text == "src/b.py"
    assert (await run("Grep", pattern="def", glob="*.{txt,rs}")).text == "src/b.txt"
    assert (await run("Grep", pattern="def", glob="!*.py", path="src")).text == "src/b.txt"
    assert (await run("Grep", pattern="built")).text == "Nothing was found."
    assert (await run("Grep", pattern="built", path="build")).text == "build/c.py"


async def test_a_match_may_span_lines_on_demand(tree: Path, run: RunTool) -> None:
    arguments = {"pattern": r"one\(\):.*?return", "output_mode": "content", "path": "a.py"}
    assert (await run("Grep", **arguments)).text == "Nothing was found."
    output = await run("Grep", multiline=True, **arguments)
    assert output.text == "a.py:1:def one():\na.py:2:    return 1"


async def test_the_result_is_limited_and_says_so(tree: Path, run: RunTool) -> None:
    output = await run("Grep", pattern="def", head_limit=2)
    assert output.text == ".hidden/d.py\na.py\n… More was found than is shown. Narrow the search."
    (tree / "many").write_text("match\n" * 50_000)
    output = await run("Grep", pattern="match", output_mode="content")
    assert len(output.text) < 31_000
    assert output.text.endswith("Narrow the search.")


async def test_a_bad_pattern_is_a_clear_error(tree: Path, run: RunTool) -> None:
    with pytest.raises(InvalidInput, match="Correct the pattern"):
        await run("Grep", pattern="a(b")
    with pytest.raises(InvalidInput, match="NUL"):
        await run("Grep", pattern="\0")


async def test_a_pattern_like_an_option_is_a_pattern(tree: Path, run: RunTool) -> None:
    (tree / "o").write_text("--files\n")
    assert (await run("Grep", pattern="--files")).text == "o"


async def test_a_pipe_in_the_tree_is_skipped_and_as_the_path_refused(tree: Path, run: RunTool) -> None:
    os.mkfifo(tree / "pipe")
    with anyio.fail_after(5):
        assert (await run("Grep", pattern="two")).text == "a.py"
        with pytest.raises(ToolError, match="named pipe"):
            await run("Grep", pattern="two", path="pipe")


@pytest.mark.parametrize("context", ["own"], indirect=True)
async def test_a_catastrophic_pattern_is_ended_and_the_loop_lives_on(
    context: ToolContext, tree: Path
) -> None:
    (tree / "trap").write_text("a" * 100)
    turns = 0

    async def count_turns() -> None:
        nonlocal turns
        while True:
            await anyio.sleep(0.01)
            turns += 1

    began = time.monotonic()
    async with anyio.create_task_group() as group:
        group.start_soon(count_turns)
        job = own_program(GrepJob(root=str(tree), pattern="(a+)+$b"))
        note = await run_search(job, context, lambda line: True, limit=0.5)
        group.cancel_scope.cancel()
    assert "ended after 0.5 s" in note
    assert turns > 10
    assert time.monotonic() - began < 5
    children = psutil.Process().children()
    assert not [child for child in children if child.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.parametrize("context", ["own"], indirect=True)
def test_a_ripgrep_inside_the_working_directory_is_not_run(context: ToolContext, tree: Path) -> None:
    (tree / "rg").write_text("#!/bin/sh\n")
    (tree / "rg").chmod(0o755)
    for search in (str(tree), ".", ""):
        context.env = {"PATH": search}
        assert find_ripgrep(context) is None


def test_the_fields_have_the_names_that_agents_know() -> None:
    assert {"-i", "-n", "-A", "-B", "-C"} <= set(GrepInput.__struct_encode_fields__)
