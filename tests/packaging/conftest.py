"""Builds the project as an installer would, offline and outside of the checkout."""

import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(command: list[str | Path], cwd: Path) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def build(kind: str, source: Path, target: Path) -> Path:
    """Build an sdist or a wheel of `source` with the build tool of our own environment."""
    code = f"from setuptools import build_meta; build_meta.build_{kind}({str(target)!r})"
    run([sys.executable, "-I", "-c", code], source)
    (made,) = target.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return made


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is in the repository, links kept as links."""
    target = tmp_path_factory.mktemp("source tree") / "swarm"
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.decode()
    for name in filter(None, listing.split("\0")):
        if (ROOT / name).is_symlink() or (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name, follow_symlinks=False)
    return target


@pytest.fixture(scope="session")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", source, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def wheel_of_sdist(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that is built from an unpacked sdist, as an installer does with what it downloads."""
    sdist = build("sdist", source, tmp_path_factory.mktemp("sdist"))
    unpacked = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        # Python 3.11 has filters since 3.11.4 only; the archive is our own.
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
        archive.extractall(unpacked)
    (tree,) = unpacked.iterdir()
    return build("wheel", tree, tmp_path_factory.mktemp("wheel of sdist"))


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel in it, as an installer leaves it; its libraries are our own ones."""
    home = tmp_path_factory.mktemp("installed")
    run([sys.executable, "-I", "-m", "venv", "--without-pip", home], home)
    site = home / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    (script,) = site.glob("*.data/scripts/swarm")
    first, rest = script.read_text(encoding="utf-8").split("\n", 1)
    assert first == "#!python"
    (home / "bin" / "swarm").write_text(f"#!{home}/bin/python\n{rest}", encoding="utf-8")
    (home / "bin" / "swarm").chmod(0o755)
    return home
