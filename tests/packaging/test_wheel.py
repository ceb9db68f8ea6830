"""What is installed: one name, and every file of the four folders under it."""

import zipfile
from pathlib import Path

import pytest

FOLDERS = ("ipc", "leader", "permissions", "worker")
CARRIED = (".py", ".tcss")


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(params=["wheel", "wheel_of_sdist"])
def names(request: pytest.FixtureRequest) -> set[str]:
    return names_in(request.getfixturevalue(request.param))


def test_a_wheel_has_exactly_one_importable_name(names: set[str]) -> None:
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith((".dist-info", ".data"))} == {"swarm"}


def test_a_wheel_has_every_file_of_the_four_folders(names: set[str], source: Path) -> None:
    wanted = {
        f"swarm/{path.relative_to(source).as_posix()}"
        for folder in FOLDERS
        for path in (source / folder).rglob("*")
        if path.suffix in CARRIED
    }
    assert len(wanted) > 50
    assert wanted <= names
    assert {"swarm/__init__.py", "swarm/__main__.py", "swarm/py.typed"} <= names


def test_a_wheel_has_nothing_else_but_the_command(names: set[str]) -> None:
    others = {name for name in names if not name.startswith("swarm/") and ".dist-info/" not in name}
    assert [name.split(".data/")[1] for name in others] == ["scripts/swarm"]
    assert not {name for name in names if "/test" in name or "__pycache__" in name}


def test_a_wheel_carries_the_licence(names: set[str]) -> None:
    assert any(name.endswith("licenses/LICENSE") for name in names)
