"""A change of one file: worked out and shown first, then made only if all is still as it was shown."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from swarm.ipc.messages import Preview
from swarm.worker.errors import InvalidInput, StaleFile, ToolError
from swarm.worker.tools.atomic_write import write_atomically
from swarm.worker.tools.base import Prepared, ToolContext, ToolOutput
from swarm.worker.tools.diffs import Diff, unified_diff
from swarm.worker.tools.paths import absolute_path, looking_at, resolved, shown
from swarm.worker.tools.text_files import Encoding, binary_kind, decoded, fingerprint, read_whole, sniff


@dataclass(frozen=True, slots=True)
class Change:
    """What `run` does: put `new` at `target`, where `path` leads, if what is there is still `old`.

    `old` is a fingerprint, empty if there is no file yet.
    """

    path: Path
    target: Path
    old: str
    new: bytes
    diff: Diff


def prepare_edit(tool: str, named: str, context: ToolContext, edit: Callable[[str, Path], str]) -> Prepared:
    """Work out the edit of an existing text file. Raises ToolError, StaleFile if it changed since read."""
    path = absolute_path(named, context)
    target = resolved(path)
    data = read_whole(target)
    text, encoding = decoded(path, data)
    old = fingerprint(data)
    if context.seen.get(target, old) != old:
        raise StaleFile(str(path))
    changed = edit(text, path)
    diff = unified_diff(text, changed, str(path), str(path))
    return _prepared(tool, Change(path, target, old, _encoded(changed, encoding), diff), context)


def prepare_write(tool: str, named: str, content: str, context: ToolContext) -> Prepared:
    """Work out the writing of a whole file, new or not. Raises ToolError."""
    path = absolute_path(named, context)
    target = resolved(path)
    with looking_at(path):
        _check_place(path, target)
        data = read_whole(target) if target.exists() else None
    old = "" if data is None else fingerprint(data)
    text, note = _comparable(data)
    diff = unified_diff(text, content, "/dev/null" if data is None else str(path), str(path))
    notes = (note, _new_folders(target), "" if data is None or diff.text or note else "Nothing changes.")
    return _prepared(tool, Change(path, target, old, _encoded(content, Encoding()), diff), context, notes)


def apply_change(change: Change, context: ToolContext) -> ToolOutput:
    """Make the change. Raises StaleFile if anything is not as it was shown, and ToolError."""
    if resolved(change.path) != change.target:
        raise ToolError(
            f"{change.path} leads elsewhere now than what was shown ({change.target}), "
            "so nothing was written. Repeat the call."
        )
    write_atomically(change.target, change.new, change.old)
    context.seen[change.target] = fingerprint(change.new)
    verb = "Changed" if change.old else "Created"
    summary = f"{verb} {change.path} {change.diff.counts}."
    return ToolOutput(summary, summary=summary)


def _prepared(tool: str, change: Change, context: ToolContext, notes: tuple[str, ...] = ()) -> Prepared:
    paths = tuple(dict.fromkeys((str(change.path), str(change.target))))
    preview = Preview(
        title=f"{tool} {shown(change.path, context)} {change.diff.counts}",
        diff=change.diff.text,
        paths=paths,
        note=" ".join(note for note in (*notes, change.diff.note) if note),
    )
    return Prepared(preview, change)


def _check_place(path: Path, target: Path) -> None:
    """Refuse a path below a file before anybody is asked."""
    ancestor = next(folder for folder in target.parents if folder.exists())
    if not ancestor.is_dir():
        raise ToolError(f"{path} cannot be made: {ancestor} is a file, not a folder. Choose another path.")


def _comparable(data: bytes | None) -> tuple[str, str]:
    """Give the old content as text to compare with, and what a person must know of it besides."""
    if data is None:
        return "", ""
    kind = binary_kind(data[:8192])
    if kind:
        return "", f"Replaces {len(data):,} bytes that seem to be {kind}."
    encoding = sniff(data[:4])
    text = data[len(encoding.mark) :].decode(encoding.codec, "replace")
    changes = (
        encoding.mark and f"The encoding changes from {encoding.codec} with a byte order mark to utf-8."
    )
    return text, str(changes or "")


def _new_folders(target: Path) -> str:
    missing = [str(folder) for folder in target.parents if not folder.exists()]
    return f"Makes the folder {missing[0]}." if missing else ""


def _encoded(text: str, encoding: Encoding) -> bytes:
    try:
        return encoding.encode(text)
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"The text holds half a character (at {error.start:,}). Write it whole."
        ) from error
