"""Signs that look like nothing, and addresses that are none, are covered by no allow rule."""

import pytest

from swarm.permissions.engine import decide
from swarm.permissions.files import MemoryFiles
from swarm.permissions.model import Behavior, Request

from .building import CWD, policy_of


def test_a_braille_blank_is_asked() -> None:
    request = Request("Bash", {"command": "mytool a\u2800b"}, CWD)
    assert decide(request, policy_of(allow=["Bash(mytool:*)"]), MemoryFiles({})).behavior is Behavior.ASK


@pytest.mark.parametrize(
    "url", ["https://.example.test/", "https://a..example.test/", "https://a.example.test:99999/"]
)
def test_an_address_that_cannot_be_is_asked(url: str) -> None:
    request = Request("WebFetch", {"url": url, "prompt": "p"}, CWD)
    policy = policy_of(allow=["WebFetch(domain:*.example.test)"])
    assert decide(request, policy, MemoryFiles({})).behavior is Behavior.ASK


def test_a_toolchain_before_a_sub_command_hides_nothing() -> None:
    request = Request("Bash", {"command": "cargo +nightly publish"}, CWD)
    policy = policy_of(allow=["Bash"], deny=["Bash(cargo publish:*)"])
    assert decide(request, policy, MemoryFiles({})).behavior is Behavior.DENY
