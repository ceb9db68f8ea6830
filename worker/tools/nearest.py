"""Finds the word that was probably meant. Pure."""

from collections.abc import Iterable


def nearest_word(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """Give the one of `known` that is most like `word`, whatever its case; empty if none is."""
    import difflib  # only needed where something went wrong

    folded = {candidate.lower(): candidate for candidate in known}
    found = difflib.get_close_matches(word.lower()[:200], folded, n=1, cutoff=cutoff)
    return folded[found[0]] if found else ""
