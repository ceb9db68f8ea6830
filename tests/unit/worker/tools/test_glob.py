import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.worker.errors import InvalidInput, ToolError
from swarm.worker.tools.glob import SHOWN_CAP
from swarm.worker.tools.glob_pattern import GlobPattern

from .conftest import RunTool


def make(root: Path, *names: str) -> None:
    """Make files, each changed a second after the one before."""
    for second, name in enumerate(names):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
        os.utime(path, (1_000_000 + second, 1_000_000 + second))


async def test_files_of_all_depths_are_given_newest_first(tmp_path: Path, run: RunTool) -> None:
    make(tmp_path, "a.py", "src/你.py", "src/deep/c.py", "src/d.txt")
    assert (await run("Glob", pattern="**/*.py")).text == "src/deep/c.py\nsrc/你.py\na.py"
    assert (await run("Glob", pattern="*.py")).text == "a.py"
    assert (await run("Glob", pattern="src/*.{py,txt}")).text == "src/d.txt\nsrc/你.py"
    assert (await run("Glob", pattern="*.py", path="src")).text == "src/你.py"
    assert (await run("Glob", pattern="*.rs")).text == "No files were found."


async def test_what_gitignore_excludes_is_left_out(tmp_path: Path, run: RunTool) -> None:
    make(tmp_path, "a.log", "keep.log", "build/x.py", "src/a.py", "src/gen/b.py", "src/c.tmp", ".git/d.py")
    (tmp_path / ".gitignore").write_text("*.log\n!keep.log\n/build/\n!\n")
    (tmp_path / "src" / ".gitignore").write_text("gen\n*.tmp\n!a.log\n")
    assert sorted((await run("Glob", pattern="**/*")).text.split("\n")) == ["keep.log", "src/a.py"]
    assert (await run("Glob", pattern="**/*.py", path="build")).text == "build/x.py"


async def test_hidden_files_need_a_pattern_that_names_the_dot(tmp_path: Path, run: RunTool) -> None:
    make(tmp_path, ".env", ".github/ci.yml", "a.yml")
    assert (await run("Glob", pattern="**/*")).text == "a.yml"
    assert (await run("Glob", pattern=".*")).text == ".env"
    assert (await run("Glob", pattern=".github/**/*.yml")).text == ".github/ci.yml"


async def test_a_link_is_listed_and_never_followed(tmp_path: Path, run: RunTool) -> None:
    make(tmp_path, "real/a.py")
    (tmp_path / "real" / "loop").symlink_to("..")
    assert set((await run("Glob", pattern="**/*")).text.split("\n")) == {"real/a.py", "real/loop"}


async def test_a_pattern_may_be_absolute_but_not_lead_out_of_the_folder(
    tmp_path: Path, run: RunTool
) -> None:
    make(tmp_path, "src/a.py")
    assert (await run("Glob", pattern=f"{tmp_path}/src/*.py")).text == "src/a.py"
    for pattern in ("/etc/*", "../*", "src/../../*", "~/*"):
        with pytest.raises(InvalidInput, match="leads out of"):
            await run("Glob", pattern=pattern, path="src")


async def test_more_files_than_the_cap_are_counted(tmp_path: Path, run: RunTool) -> None:
    for number in range(SHOWN_CAP + 5):
        (tmp_path / f"f{number}").touch()
    os.utime(tmp_path / "f7", (1, 1))
    lines = (await run("Glob", pattern="f*")).text.split("\n")
    assert len(lines) == SHOWN_CAP + 1
    assert lines[-1] == "… 5 older files were left out."
    assert "f7" not in lines


async def test_a_folder_that_is_missing_or_none_is_an_error(tmp_path: Path, run: RunTool) -> None:
    make(tmp_path, "source")
    with pytest.raises(ToolError, match="Did you mean"):
        await run("Glob", pattern="*", path="sorce")
    with pytest.raises(ToolError, match="a file"):
        await run("Glob", pattern="*", path="source")
    with pytest.raises(InvalidInput, match="NUL"):
        await run("Glob", pattern="a\0")


@pytest.mark.parametrize(
    ("pattern", "path", "is_match"),
    [
        ("**", "a/b/c", True),
        ("a/**", "a", True),
        ("a/**/c", "a/c", True),
        ("a/**/c", "a/b/b/c", True),
        ("a/*/c", "a/b/b/c", False),
        ("[ab]?", "bx", True),
        ("[!a]x", "ax", False),
        ("{a,b{c,d}}.py", "bd.py", True),
        ("{a,b", "{a,b", True),
        ("*", ".a", False),
    ],
)
def test_patterns_match_as_shells_do(pattern: str, path: str, is_match: bool) -> None:
    assert GlobPattern(pattern).matches(path) is is_match


@given(st.text("a*?[]{},/.!", max_size=40), st.text("ab/.", max_size=40))
@settings(max_examples=200, deadline=2000)
def test_no_pattern_breaks_or_hangs(pattern: str, path: str) -> None:
    GlobPattern(pattern).matches(path)


def test_a_pattern_of_many_wildcards_is_quick() -> None:
    assert not GlobPattern("*a" * 50 + "b").matches("a" * 250)
    assert not GlobPattern("**/" * 50 + "b").matches("a/" * 200)
    assert not GlobPattern("{a,b}" * 60).matches("c")
