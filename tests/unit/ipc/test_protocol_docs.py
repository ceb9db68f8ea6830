import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "protocol_docs"))
renewed: Callable[[str], str] = SCRIPT["renewed"]
EMPTY = "Before.\n" + "".join(
    f"<!-- generated: {name} -->\nold\n<!-- end generated -->\nBetween.\n" for name in SCRIPT["SECTIONS"]
)


def test_the_architecture_page_says_what_the_code_says() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert renewed(page) == page


def test_only_what_stands_between_markers_is_made_anew() -> None:
    page = renewed(EMPTY)
    assert page.startswith("Before.\n")
    assert page.count("Between.\n") == EMPTY.count("Between.\n")
    assert "old" not in page.splitlines()
    assert renewed(page) == page


def test_every_message_and_state_is_on_the_page() -> None:
    page = renewed(EMPTY)
    assert "| `permission_request` | worker → leader | at once | May this tool call run?" in page
    assert "| `log` | worker → leader | streamed |" in page
    assert "    greeted --> running: leader sends start\n" in page


def test_a_page_without_a_marker_is_refused() -> None:
    with pytest.raises(ValueError, match="one marker for each"):
        renewed("<!-- generated: messages -->\n<!-- end generated -->\n")
