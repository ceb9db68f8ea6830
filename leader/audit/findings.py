"""What a verification says to people: the faults, how the journal ends, and what cannot be known."""

from collections.abc import Iterator

from swarm.leader.audit.verification import Fault, Verification


def sound(found: Verification) -> bool:
    """Whether nothing was found that is wrong."""
    return not found.fault_count


def fault_line(fault: Fault) -> str:
    """Give one fault as a line."""
    place = f"line {fault.line}" if fault.line else "the whole"
    entry = f", entry {fault.entry}" if fault.entry else ""
    return f"{place}{entry}: {fault.problem}."


def end_of(found: Verification, alive: bool) -> str:
    """Say how the journal ends, as far as that can be known."""
    if found.ended and not found.torn:
        return "It ends with the end of the session."
    if alive:
        return "The session is running: this holds for what is written so far."
    torn = f" It ends in {found.torn} bytes of an unfinished entry." if found.torn else ""
    if not sound(found):
        return f"The end of the session is missing.{torn}"
    return (
        f"The end of the session is missing.{torn} That is what a leader leaves that was killed, or whose "
        "machine stopped. Entries cut off from the end look the same, and the file alone cannot tell: "
        "compare the last hash with one that was kept elsewhere (--expect)."
    )


def verification_lines(session_id: str, found: Verification, alive: bool) -> Iterator[str]:
    """Give the whole finding for people."""
    for fault in found.faults:
        yield fault_line(fault)
    if found.fault_count > len(found.faults):
        yield f"and {found.fault_count - len(found.faults)} further faults"
    if sound(found):
        yield f"{session_id}: {found.entries} entries, an unbroken chain."
    else:
        count = "1 fault" if found.fault_count == 1 else f"{found.fault_count} faults"
        yield f"{session_id}: {count} in {found.entries} entries."
    yield end_of(found, alive)
    yield f"Last hash: {found.last_hash} (entry {found.last_entry})"
    yield (
        "Whoever may write the file can write the whole chain anew. Keep this hash elsewhere, and check it "
        "later with --expect."
    )
