"""What crosses the wire is what was decided, and whatever does not fit is a denial."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.ipc.messages import PermissionResponse, Preview
from swarm.permissions.model import Behavior, Decision, Reason, Request
from swarm.permissions.wire import (
    decision_of,
    digest_of,
    request_message,
    request_of,
    response_message,
)

REQUEST = Request("Bash", {"command": "ls"}, "/w")
PREVIEW = Preview(title="ls")
LEADER_REASONS = [reason for reason in Reason if reason is not Reason.WORKER_PROXY]


def answer(**changes: object) -> PermissionResponse:
    fields: dict[str, object] = {
        "request_id": "7",
        "digest": "d",
        "behavior": "allow",
        "reason": "interactive-allow-once",
    }
    return PermissionResponse(**(fields | changes))  # type: ignore[arg-type]  # also what a peer must not send


def test_a_request_comes_back_as_it_was_asked() -> None:
    message = request_message(REQUEST, PREVIEW, "c1", ("helper",))
    assert request_of(message) == REQUEST
    assert (message.call_id, message.agent, message.preview) == ("c1", ("helper",), PREVIEW)


def test_the_digest_covers_tool_input_folder_and_preview() -> None:
    digests = {
        digest_of(request_message(request, preview, "c1"))
        for request, preview in [
            (REQUEST, PREVIEW),
            (Request("Read", REQUEST.input, "/w"), PREVIEW),
            (Request("Bash", {"command": "ls -l"}, "/w"), PREVIEW),
            (Request("Bash", REQUEST.input, "/v"), PREVIEW),
            (REQUEST, Preview(title="ls", diff="+x")),
        ]
    }
    assert len(digests) == 5


@pytest.mark.parametrize("reason", LEADER_REASONS)
def test_a_workers_decision_is_a_proxy_that_keeps_the_leaders_reason(reason: Reason) -> None:
    behavior = Behavior.ALLOW if "allow" in reason else Behavior.DENY
    sent = Decision(behavior, reason, "a note", "Bash(ls:*)")
    got = decision_of(response_message("7", "d", sent), "d")
    assert got == Decision(
        behavior, Reason.WORKER_PROXY, "a note", "Bash(ls:*)", leader_reason=reason.value
    )


def test_a_changed_input_travels_with_an_allow_and_never_with_a_deny() -> None:
    changed = {"command": "ls -a"}
    allow = Decision(Behavior.ALLOW, Reason.INTERACTIVE_ALLOW_ONCE, updated_input=changed)
    deny = Decision(Behavior.DENY, Reason.INTERACTIVE_DENY, updated_input=changed)
    assert decision_of(response_message("7", "d", allow), "d").updated_input == changed
    assert response_message("7", "d", deny).updated_input is None
    forged = answer(behavior="deny", reason="interactive-deny", updated_input=changed)
    assert decision_of(forged, "d").updated_input is None


def test_an_answer_about_other_content_is_a_denial_that_says_so() -> None:
    decision = decision_of(answer(), "another digest")
    assert not decision.allowed
    assert "other content" in decision.message
    assert "Nobody declined" in decision.message
    assert decision.leader_reason == "interactive-allow-once"


@pytest.mark.parametrize("reason", ["", "because", "worker-proxy", "Settings-Allow", "x" * 5000])
def test_an_unknown_reason_is_a_denial_that_names_it(reason: str) -> None:
    decision = decision_of(answer(reason=reason), "d")
    assert not decision.allowed
    assert reason[:40] in decision.message
    assert len(decision.message) < 300


@pytest.mark.parametrize(
    ("behavior", "reason"),
    [
        ("allow", "interactive-deny"),
        ("deny", "settings-allow"),
        ("ask", "settings-allow"),
        ("", "settings-deny"),
    ],
)
def test_an_answer_that_contradicts_itself_is_a_denial(behavior: str, reason: str) -> None:
    decision = decision_of(answer(behavior=behavior, reason=reason), "d")
    assert not decision.allowed
    assert "contradicts itself" in decision.message


@settings(deadline=None)
@given(
    behavior=st.text(max_size=8) | st.just("allow"), reason=st.text(max_size=30), digest=st.text(max_size=4)
)
def test_no_garbled_answer_ever_allows(behavior: str, reason: str, digest: str) -> None:
    decision = decision_of(answer(behavior=behavior, reason=reason, digest=digest), "d")
    assert decision.reason is Reason.WORKER_PROXY
    assert decision.allowed == (
        behavior == "allow" and digest == "d" and reason.endswith(("-allow", "-once", "-always"))
    )
