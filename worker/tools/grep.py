"""The Grep tool: lines by regular expression, found by ripgrep if there is one, else by our own program."""

import shutil
from pathlib import Path
from typing import Annotated, ClassVar

import msgspec

from swarm.permissions.model import Decision
from swarm.worker.errors import InvalidInput
from swarm.worker.tools.base import Prepared, ToolContext, ToolOutput
from swarm.worker.tools.grep_results import GrepResults, OutputMode, glob_filter
from swarm.worker.tools.paths import refusal
from swarm.worker.tools.pinned import check_pinned
from swarm.worker.tools.search_place import displayed, prepare_search
from swarm.worker.tools.search_program import GrepJob
from swarm.worker.tools.search_run import own_program, run_search
from swarm.worker.tools.titles import counted

Count = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
_NUL = "The pattern holds a NUL character, which is never found in text. Write it without."
_RIPGREP = (
    "--json",
    "--no-config",
    "--no-messages",
    "--hidden",
    "--glob=!.git",
    "--sort=path",
    "--crlf",
    "--max-filesize=50M",
    "--no-require-git",
    "--no-ignore-dot",
    "--no-ignore-exclude",
    "--no-ignore-global",
)


class GrepInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to find, and where. The context fields are in lines, `head_limit` in lines of the result."""

    pattern: Annotated[str, msgspec.Meta(min_length=1)]
    path: str = "."
    glob: str | None = None
    output_mode: OutputMode = "files_with_matches"
    ignore_case: bool = msgspec.field(default=False, name="-i")
    line_numbers: bool = msgspec.field(default=True, name="-n")
    after: Count = msgspec.field(default=0, name="-A")
    before: Count = msgspec.field(default=0, name="-B")
    around: Count = msgspec.field(default=0, name="-C")
    head_limit: Annotated[int, msgspec.Meta(ge=1)] | None = None
    multiline: bool = False


class GrepTool:
    """Searches text files, hidden ones too, that .gitignore does not exclude."""

    name: ClassVar[str] = "Grep"
    input_type: type[GrepInput] = GrepInput

    def check_permissions(self, arguments: GrepInput, context: ToolContext) -> Decision | None:
        return refusal(arguments.path, context)

    async def prepare(self, arguments: GrepInput, context: ToolContext) -> Prepared:
        if "\0" in arguments.pattern:
            raise InvalidInput(_NUL)
        return prepare_search(f"Grep {arguments.pattern}", arguments.path, context, folder_only=False)

    async def run(self, arguments: GrepInput, prepared: Prepared, context: ToolContext) -> ToolOutput:
        root: Path = prepared.pinned
        check_pinned(root)
        results = _results(arguments, root, context)
        job = _job(arguments, root)
        ripgrep = find_ripgrep(context)
        words = _ripgrep_words(ripgrep, job) if ripgrep else own_program(job)
        note = await run_search(words, context, results.take)
        results.finish()
        more = ["… More was found than is shown. Narrow the search."] if results.is_cut else []
        lines = [*(results.lines or ["Nothing was found."]), *more, *([note] if note else [])]
        is_whole = not results.is_cut and not note
        summary = (
            counted(results.matches, "match", "matches") if is_whole else f"{results.matches:,}+ matches"
        )
        return ToolOutput("\n".join(lines), "interrupted" if note else "succeeded", summary)


def find_ripgrep(context: ToolContext) -> str | None:
    """Give the path of ripgrep, if it is installed outside of what the agent works on.

    A search needs a permission to read only, so it must never run a program that an agent put there.
    """
    found = shutil.which("rg", path=context.env.get("PATH", ""))
    if found is None or not found.startswith("/"):
        return None
    inside = any(
        path.is_relative_to(context.cwd.resolve()) for path in (Path(found), Path(found).resolve())
    )
    return None if inside else found


def _job(arguments: GrepInput, root: Path) -> GrepJob:
    has_context = arguments.output_mode == "content"
    return GrepJob(
        root=str(root),
        pattern=arguments.pattern,
        ignore_case=arguments.ignore_case,
        multiline=arguments.multiline,
        before=(arguments.before or arguments.around) if has_context else 0,
        after=(arguments.after or arguments.around) if has_context else 0,
    )


def _ripgrep_words(ripgrep: str, job: GrepJob) -> list[str]:
    """Give the argument list by which ripgrep does what our own program would."""
    from swarm.worker.tools.file_walk import repository_folders

    root = Path(job.root)
    chosen = {
        "--ignore-case": job.ignore_case,
        "--multiline": job.multiline,
        "--multiline-dotall": job.multiline,
        "--no-ignore-parent": len(repository_folders(root)) == 1,
        f"--before-context={job.before}": job.before > 0,
        f"--after-context={job.after}": job.after > 0,
    }
    flags = [flag for flag, is_set in chosen.items() if is_set]
    return [ripgrep, *_RIPGREP, *flags, "--", job.pattern, job.root]


def _results(arguments: GrepInput, root: Path, context: ToolContext) -> GrepResults:
    matches = glob_filter(arguments.glob)
    base = root if root.is_dir() else root.parent
    start = len(str(base).rstrip("/")) + 1
    return GrepResults(
        mode=arguments.output_mode,
        with_numbers=arguments.line_numbers,
        with_context=bool(arguments.before or arguments.after or arguments.around),
        limit=arguments.head_limit,
        is_wanted=lambda path: matches(path[start:]),
        name=lambda path: displayed(path, context),
    )
