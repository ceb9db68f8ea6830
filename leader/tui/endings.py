"""Says how a request ended that was not answered on this screen. Pure."""

GONE = "It was withdrawn or decided elsewhere."
"""What is said while it is not known how it ended."""

_SENTENCES = {
    "allowed by a person": "It was allowed from another shell.",
    "denied by a person": "It was denied from another shell.",
    "allowed": "It was allowed {rest}.",
    "denied": "It was denied {rest}.",
    "withdrawn": "The agent no longer wants it: {rest}.",
    "orphaned": "Its worker is gone: {rest}.",
    "expired": "Its time is over: {rest}.",
}
"""By how an ending as the team tells it begins; `{rest}` is what follows."""


def ending_sentence(how: str) -> str:
    """Give the sentence for an ending such as `orphaned: killed by SIGKILL`, or an empty one."""
    for start, sentence in _SENTENCES.items():
        if how.startswith(start):
            rest = how.removeprefix(start).lstrip(": ").rstrip(".")
            return sentence.format(rest=rest) if rest else sentence.replace(": {rest}", "")
    return GONE
