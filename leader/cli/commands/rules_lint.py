"""`swarm rules lint`: what is wrong or doubtful in settings files and plans."""

from pathlib import Path
from typing import Annotated

import typer

from swarm.leader.cli import output
from swarm.leader.cli.options import JsonOption


def command(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            help="Settings files, or plans (.yaml). Without any: the settings that hold in this folder.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show errors and doubtful rules, with what to write.

    An error is a rule or a file that cannot be read: until it is mended, what it might have denied is
    asked about. A warning is a rule that can never match or misses what it seems to mean. Exit 1 if
    there are errors.
    """
    from dataclasses import replace

    from swarm.leader.rules.lint import lint_files

    findings = lint_files(files or (), Path.cwd())
    for finding in findings:
        word, problem = ("error" if finding.is_error else "warning"), finding.problem
        if as_json:
            output.json_line(
                {
                    "severity": word,
                    "file": problem.file,
                    "line": problem.line,
                    "column": problem.column,
                    "rule": finding.rule or None,
                    "problem": problem.text,
                    "advice": problem.expected,
                }
            )
        else:
            output.line(str(replace(problem, text=f"{word}: {problem.text}")))
    errors = sum(finding.is_error for finding in findings)
    if not as_json:
        output.message(f"{_count(errors, 'error')}, {_count(len(findings) - errors, 'warning')}.")
    if errors:
        raise typer.Exit(1)


def _count(number: int, word: str) -> str:
    return f"{number or 'no'} {word}{'' if number == 1 else 's'}"
