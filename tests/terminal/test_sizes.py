"""What the screen shows at every size: the same request, whole, or how much of it is out of sight."""

import re
from functools import partial
from pathlib import Path

from support.plans import bash, write_plan
from support.screens import Screen, card_of, request_of

WORDS = [f"word{number:03}" for number in range(60)]
COMMAND = f"touch {' '.join(WORDS)}"
BELOW = re.compile(r"▼ ([\d,]+) more lines? below")


def words_in(text: str) -> set[str]:
    """Give the words of the command that are in the text, also those broken over two lines."""
    joined = "".join(lines_of(text))
    return {word for word in WORDS if word in joined}


def below(card: str) -> int:
    """Give how many lines a card says are below, or 0."""
    found = BELOW.search(card)
    return int(found[1].replace(",", "")) if found else 0


def lines_of(card: str) -> list[str]:
    """Give the lines of a card without its edge and its scroll bar."""
    return [line.replace("▐", "").strip() for line in card.split("\n")]


def further_down(screen: Screen, card: str) -> str:
    """Wait until less is below than on `card`, and give the card then."""
    return card_of(screen.terminal.until(lambda shown: below(card_of(shown)) < below(card)))


def scrolled_through(screen: Screen) -> str:
    """Give what the card shows from its top to its end."""
    seen, text = [], card_of(screen.terminal.screen())
    while below(text):
        seen.append(text)
        screen.terminal.press("PageDown")
        text = further_down(screen, text)
    return "\n".join([*seen, text])


def test_a_resize_leaves_the_request_on_the_card_and_all_of_it_within_reach(
    screen: Screen, project: Path
) -> None:
    write_plan(project, {"alpha": [bash(COMMAND)], "beta": [bash("touch other")]})
    screen.start()
    screen.terminal.shows("2 waiting")
    while "word000" not in (card := screen.card()):
        screen.answer("Tab")
    request = request_of(card)
    for width, height in ((80, 24), (200, 60), (60, 15), (100, 30)):
        screen.terminal.resize(width, height)
        screen.terminal.until(partial(fills, width))
        card = screen.card("alpha")
        assert request_of(card) == request
        assert below(card) or words_in(card) == set(WORDS), card
        assert words_in(scrolled_through(screen)) == set(WORDS)
        screen.terminal.press("Home")
        screen.terminal.until(lambda text: "above: PgUp" not in text)
    screen.terminal.press("C-c")
    assert screen.exit_code() == 130


def fills(width: int, text: str) -> bool:
    """Whether the screen is laid out for this width: the queue's state stands at the right end."""
    first = text.split("\n")[0]
    return "waiting, oldest" in first and width - 4 <= len(first.rstrip()) <= width


def test_a_long_diff_is_scrolled_and_says_how_much_is_below(screen: Screen, project: Path) -> None:
    content = "".join(f"line {number}\n" for number in range(2000))
    write_plan(project, {"alpha": [{"write": {"path": "long.txt", "content": content}}]})
    screen.start()
    card = screen.card("+line 0", "long.txt")
    shown = sum(line.startswith("+line ") for line in lines_of(card))
    assert shown + below(card) >= 2000
    screen.terminal.press("PageDown")
    assert "above: PgUp" in further_down(screen, card)
    screen.terminal.press("End")
    last = card_of(screen.terminal.shows("+line 1999"))
    assert not below(last)
    screen.answer("y", "+line 1999")
    assert screen.leave() == 0
    assert (project / "long.txt").read_text(encoding="utf-8") == content


def test_more_workers_than_rows_can_be_seen_and_answered_on_a_small_screen(
    screen: Screen, project: Path
) -> None:
    screen.terminal.resize(80, 24)
    names = [f"worker-{number:02}" for number in range(12)]
    write_plan(project, {name: [bash("touch made")] for name in names}, max_parallel=4)
    screen.start()
    screen.terminal.shows("4 waiting")
    seen, chosen = set(), ""
    for _ in names:
        shown = screen.terminal.until(partial(chooses_another, chosen))
        seen |= set(re.findall(r"worker-\d\d", shown))
        chosen = chosen_worker(shown)
        screen.terminal.press("Down")
    assert seen == set(names)
    screen.answer("y", "$ touch made")
    screen.terminal.shows("done")
    screen.terminal.shows("4 waiting")
    screen.terminal.press("C-c")
    assert screen.exit_code() == 130


def chosen_worker(text: str) -> str:
    """Give the name above the transcript."""
    found = re.search(r"(worker-\d\d)   script", text)
    return found[1] if found else ""


def chooses_another(name: str, text: str) -> bool:
    """Whether another worker than this one is chosen on the screen."""
    return chosen_worker(text) not in ("", name)
