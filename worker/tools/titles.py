"""Makes the one line by which a person knows a call. Pure."""

TITLE_CAP = 200


def one_line(text: str) -> str:
    """Give the text with every character escaped that could break the line or hide something."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)


def counted(number: int, one: str, many: str = "") -> str:
    """Give `1 line` or `1,234 lines`; `many` is for words that take more than an s."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def title(text: str) -> str:
    """Give the first line of a text, cut to the cap, and say how much there is besides."""
    lines = text.strip().split("\n")
    first = one_line(lines[0].rstrip("\r"))
    cut = first[:TITLE_CAP] + ("…" if len(first) > TITLE_CAP else "")
    return f"{cut} … ({counted(len(lines) - 1, 'more line')})" if len(lines) > 1 else cut
