"""The closing words of a run: how each worker ended, and what would allow the missed calls. Pure."""

from collections.abc import Iterator

from swarm.leader.headless.events import Summary, SummaryMissed, SummaryWorker
from swarm.leader.headless.lines import first_line, one_line

_MEANING = {
    0: "all workers succeeded and no needed call was denied",
    1: "a worker failed",
    3: "a needed call was denied or left unanswered",
    130: "the run was interrupted",
}
_NAME_WIDTH = 24
_BY_A_PERSON = "a person denied it"
"""What a missed call says that a person denied: nobody needs to be told how to allow it."""


def summary_lines(summary: Summary, plan_file: str) -> Iterator[str]:
    """Give the lines of the summary; `plan_file` is named as the place for rules."""
    succeeded = sum(worker.phase == "succeeded" for worker in summary.workers)
    yield ""
    count = len(summary.workers)
    yield f"{succeeded} of {count} {'worker' if count == 1 else 'workers'} succeeded."
    width = min(max((len(worker.worker) for worker in summary.workers), default=0), _NAME_WIDTH)
    for worker in summary.workers:
        yield f"  {_worker(worker, width)}"
    if summary.missed:
        yield ""
        yield "Needed and not allowed:"
        for missed in summary.missed:
            yield from _missed(missed, plan_file)
    yield ""
    meaning = _MEANING.get(summary.exit_code, "the run ended with an error")
    yield f"Exit {summary.exit_code}: {meaning}. More: swarm show {summary.session}"


def _worker(worker: SummaryWorker, width: int) -> str:
    detail = first_line(worker.detail)
    head = f"{one_line(worker.worker, 100):<{width}}  {worker.phase}"
    return f"{head}: {detail}" if detail else head


def _missed(missed: SummaryMissed, plan_file: str) -> Iterator[str]:
    title = one_line(missed.title)
    yield f"  {one_line(missed.worker, 100)}: {one_line(missed.tool, 100)}: {title}"
    if missed.why:
        yield f"    {one_line(missed.why)}"
    if missed.why == _BY_A_PERSON:
        return
    if not missed.allow:
        yield "    No allow rule changes that. Where no rule denies it, a person can: in a terminal, or"
        yield "    with --on-ask wait."
        return
    yield f"    To allow it, add under permissions: allow: in {one_line(plan_file)}"
    yield '    (or to "permissions": {"allow": […]} in .swarm/settings.json):'
    for rule in missed.allow:
        yield f"      - {yaml_text(rule)}"


def yaml_text(rule: str) -> str:
    """Give a rule as it can be pasted into a plan or a settings file: one quoted, harmless line."""
    import json

    return json.dumps(rule).replace("\x7f", "\\u007f")
