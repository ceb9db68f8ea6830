"""A record holds what was decided about what; an export holds no secret and still its digest."""

import json
import time

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm.ipc.messages import Preview
from swarm.permissions.audit import GIVERS, AuditRecord, audit_record, exported
from swarm.permissions.model import Behavior, Decision, Layer, Reason, Request, RuleText, Source, Verdict
from swarm.permissions.redaction import REDACTED, redact, redact_text
from swarm.permissions.wire import digest_of, request_message

RULE = RuleText(Behavior.ALLOW, "Bash(curl:*)", Source(Layer.USER, "/h/settings.json", 4, 8))
COMMAND = "API_KEY=s3cr3t-value curl -H 'Authorization: Bearer abcdefgh12345678' https://u:hunter2@h/x"


def record(decision: Decision, verdict: Verdict | None = None, by: str = "") -> AuditRecord:
    request = Request("Bash", {"command": COMMAND}, "/w")
    message = msgspec.structs.replace(
        request_message(request, Preview(title=COMMAND), "c1", ("sub",)), id="q1"
    )
    return audit_record(
        message, digest_of(message), decision, verdict, worker="tests", at=12.5, policy_version="v1", by=by
    )


def test_a_record_tells_the_rule_with_its_place() -> None:
    got = record(Decision(Behavior.ALLOW, Reason.SETTINGS_ALLOW), Verdict(Behavior.ALLOW, "allowed", RULE))
    assert (got.rule, got.rule_source, got.by) == ("Bash(curl:*)", "/h/settings.json:4:8", "rules")
    assert (got.worker, got.agent, got.request_id, got.call_id) == ("tests", ("sub",), "q1", "c1")
    assert (got.at, got.policy_version, got.why) == (12.5, "v1", "allowed")


def test_a_record_keeps_the_request_as_it_was_shown() -> None:
    got = record(Decision(Behavior.DENY, Reason.INTERACTIVE_DENY, "no"))
    assert got.input == {"command": COMMAND}
    assert got.preview.title == COMMAND
    assert (got.by, got.message, got.rule) == ("person", "no", "")


def test_a_person_can_be_named_and_a_changed_input_is_kept() -> None:
    decision = Decision(Behavior.ALLOW, Reason.INTERACTIVE_ALLOW_ONCE, updated_input={"command": "ls"})
    got = record(decision, by="ada")
    assert (got.by, got.updated_input) == ("ada", {"command": "ls"})


def test_every_reason_has_its_giver() -> None:
    assert set(GIVERS) == set(Reason)


def test_an_export_holds_no_secret_and_still_the_digest() -> None:
    whole = record(Decision(Behavior.ALLOW, Reason.INTERACTIVE_ALLOW_ONCE))
    out = exported(whole)
    text = json.dumps(out)
    assert out["digest"] == whole.digest
    assert out["behavior"] == "allow"
    assert not any(secret in text for secret in ("s3cr3t", "abcdefgh", "hunter2"))
    assert "curl" in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("export DB_PASSWORD=hunter2; make", f"export DB_PASSWORD={REDACTED}; make"),
        ("AWS_SECRET_ACCESS_KEY='a b' x", f"AWS_SECRET_ACCESS_KEY={REDACTED} x"),
        ("token: abc", f"token: {REDACTED}"),
        ('{"api_key": "abc", "a": 1}', f'{{"api_key": {REDACTED}, "a": 1}}'),
        ("login --password hunter2 -v", f"login --password {REDACTED} -v"),
        ("login --auth-token=abc", f"login --auth-token={REDACTED}"),
        ("curl -H 'authorization: Basic dXNlcg==' x", f"curl -H 'authorization: {REDACTED}' x"),
        ('{"Authorization": "Bearer abc"}', f'{{"Authorization": "{REDACTED}"}}'),
        ("Set-Cookie: id=1; x=2\nnext", f"Set-Cookie: {REDACTED}\nnext"),
        ("git clone https://me:hunter2@host/r", f"git clone https://me:{REDACTED}@host/r"),
        ("use ghp_" + "a" * 36 + " now", f"use {REDACTED} now"),
        ("k=sk-" + "a1" * 12, f"k={REDACTED}"),
        ("AKIA" + "A" * 16, REDACTED),
        ("a -----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- b", f"a {REDACTED} b"),
        ("-----BEGIN PRIVATE KEY-----\ncut off", REDACTED),
    ],
)
def test_what_looks_like_a_secret_is_taken_out(text: str, expected: str) -> None:
    assert redact_text(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "ls -la /tmp",
        "max_tokens=4096",
        "git commit -m 'Parse tokens'",
        "https://host:8080/a@b",
        "a" * 64,
        "echo $TOKEN",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact_text(text) == text


def test_values_are_redacted_by_the_name_of_their_key_at_any_depth() -> None:
    value = {"env": [{"GITHUB_TOKEN": "x", "HOME": "/h"}], "password": "p", "max_tokens": 5, "n": None}
    assert redact(value) == {
        "env": [{"GITHUB_TOKEN": REDACTED, "HOME": "/h"}],
        "password": REDACTED,
        "max_tokens": 5,
        "n": None,
    }


@settings(deadline=None)
@given(st.text(max_size=200))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    assert redact_text(redact_text(text)) == redact_text(text)


@pytest.mark.parametrize(
    "piece", ["token", "a.", "--token-", "x-key", "://a", "-----BEGIN PRIVATE KEY-----", "eyJ", "cookie:"]
)
def test_hostile_text_is_redacted_in_time(piece: str) -> None:
    began = time.perf_counter()
    redact_text(piece * (200_000 // len(piece)))
    assert time.perf_counter() - began < 5
