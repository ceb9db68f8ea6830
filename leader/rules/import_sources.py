"""Where other programs keep their settings, and the way from such a file to its entries. Writes nothing."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from swarm.leader.rules.errors import BadQuestion
from swarm.leader.rules.import_claude import read_claude
from swarm.leader.rules.import_codex import read_config, read_rules
from swarm.leader.rules.import_opencode import read_opencode
from swarm.leader.rules.imported import Entry, Imported, sound
from swarm.permissions.settings.jsonc import JsonProblem
from swarm.permissions.settings.tree import place

Program = Literal["claude", "codex", "opencode"]
LARGEST = 1024 * 1024
"""The largest file that is read, in bytes."""


def usual_files(program: Program, project: Path, home: Path, env: Mapping[str, str]) -> list[Path]:
    """Give the settings files of a program that are there: the person's own first, then the project's."""
    match program:
        case "claude":
            folder = project / ".claude"
            found = [
                home / ".claude" / "settings.json",
                folder / "settings.json",
                folder / "settings.local.json",
            ]
        case "codex":
            own = Path(env.get("CODEX_HOME") or home / ".codex")
            found = []
            for base in (own, project / ".codex"):
                found += [base / "config.toml", *sorted((base / "rules").glob("*.rules"))]
        case "opencode":
            base = Path(env.get("XDG_CONFIG_HOME") or home / ".config")
            folders = (base / "opencode", project, project / ".opencode")
            found = [folder / f"opencode.{kind}" for folder in folders for kind in ("json", "jsonc")]
    return list(dict.fromkeys(file for file in found if file.is_file()))


def import_files(program: Program, files: Sequence[Path], home: Path) -> list[Imported]:
    """Read files of a program. Raises BadQuestion for one that cannot be read."""
    return [Imported(str(file), tuple(sound(_entries(program, file, home)))) for file in files]


def _entries(program: Program, file: Path, home: Path) -> list[Entry]:
    text = _text(file)
    try:
        return list(_read(program, file, text, home))
    except JsonProblem as problem:
        line, column = place(text, problem.offset)
        raise BadQuestion(f"{file}:{line}:{column}: {problem.problem}.", problem.advice) from None
    except tomllib.TOMLDecodeError as error:
        raise BadQuestion(f"{file}: this is not TOML: {error}.", "Mend it first.") from None
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        raise BadQuestion(f"{file}:{line}: this cannot be read.", "Mend it first.") from None


def _read(program: Program, file: Path, text: str, home: Path) -> Iterable[Entry]:
    match program:
        case "claude":
            return read_claude(text, file.absolute().parent == home / ".claude")
        case "codex":
            return read_rules(text) if file.suffix in (".rules", ".codexpolicy") else read_config(text)
        case "opencode":
            return read_opencode(text)


def _text(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            data = stream.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise BadQuestion(f"{file} is larger than {LARGEST:,} bytes.", "Name the right file.")
        return data.decode("utf-8-sig")
    except OSError as error:
        raise BadQuestion(
            f"{file} cannot be read: {error.strerror}.", "Name a file that is there."
        ) from None
    except UnicodeDecodeError:
        raise BadQuestion(f"{file} is no UTF-8.", "Save it as UTF-8.") from None


def missing(files: Iterable[Imported]) -> Iterator[tuple[str, Entry]]:
    """Give what was not carried over, with its file."""
    return ((file.file, entry) for file in files for entry in file.entries if not entry.carried)
