"""What goes with a bug report, and that no secret does."""

import json
import os
import tarfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unit.leader.cli.program import Swarm

from swarm.ipc.messages import Preview, ToolOutput
from swarm.leader.bundle import reading
from swarm.leader.bundle.excerpt import HEAD_LINES, TAIL_LINES, head_and_tail, told
from swarm.leader.bundle.hiding import Hiding, secrets_of
from swarm.leader.plan.load import load_plan
from swarm.leader.session.entries import Happened, Noticed, RequestAsked
from swarm.leader.session.folder import Session, create_session

API_KEY = "sk-proj-" + "Zq7" * 12
TOKEN = "ghp_" + "Ab3" * 12
URL_PASSWORD = "hunter2hunter2"
OF_PLAN = "value-that-only-the-plan-knows"
OF_ENVIRONMENT = "quite plain words of a variable"
OF_NAMED = "pass-9f!"
IN_FILE = "what the agent writes into a file"
IN_OUTPUT = "what a tool has printed"
IN_KEY = "MC4CAQAwBQYDK2VwBCIEIPlantedPlantedPlantedPlantedPlantedPlanted"
PRIVATE_KEY = f"-----BEGIN PRIVATE KEY-----\n{IN_KEY}\n-----END PRIVATE KEY-----\n"
SECRETS = (API_KEY, TOKEN, URL_PASSWORD, OF_PLAN, OF_ENVIRONMENT, OF_NAMED, IN_FILE, IN_OUTPUT, IN_KEY)

PLAN = {
    "version": 1,
    "workers": {
        "tests": {
            "env": {"ANYTHING": OF_PLAN, "OPENAI_API_KEY": API_KEY},
            "steps": [{"bash": f"curl https://bob:{URL_PASSWORD}@example.org/{OF_PLAN}"}],
        }
    },
}
SETTINGS = f"""{{
  // token: {TOKEN}
  "permissions": {{"allow": ["Bash(curl -H 'Authorization: Bearer {TOKEN}' x)"]}}
}}"""


@pytest.fixture
def session(tmp_path: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    """A session that has ended, in a project and a home full of secrets."""
    monkeypatch.setenv("MY_NOTE", OF_ENVIRONMENT)
    monkeypatch.setenv("DB_PASSWORD", OF_NAMED)
    project = tmp_path / "project"
    (project / ".swarm").mkdir(parents=True)
    (project / "plan.yaml").write_text(json.dumps(PLAN))
    (project / ".swarm/settings.json").write_text(SETTINGS)
    errors = tmp_path / "swarm/errors"
    errors.mkdir(parents=True)
    (errors / "20260101-000000-1.log").write_text(f"swarm 0\nRuntimeError: {API_KEY} at {own_home}/x\n")
    made = create_session(load_plan(project / "plan.yaml"), "swarm 0.1.0")
    for entry in entries():
        made.journal.append(entry)
    stderr = f"\x1b[2J{PRIVATE_KEY}{OF_PLAN} {TOKEN} https://x:{URL_PASSWORD}@host/\nKeyError: 'a'\n"
    (made.worker_folder("tests") / "stderr.log").write_text(stderr)
    made.close()
    return made


def entries() -> list[Any]:
    command = f"export GITHUB_TOKEN={TOKEN}; echo {OF_ENVIRONMENT}; mysql --password={OF_NAMED}"
    shown = Preview(title=command, diff=f"+{IN_FILE}\n", note=f"see https://x:{URL_PASSWORD}@host/")
    asked = RequestAsked(
        request_id="r1",
        wire_id="w1",
        worker="tests",
        tool="Bash",
        input={"command": command, "content": IN_FILE, "more": {"deep": [IN_FILE]}},
        cwd="/project",
        preview=shown,
        digest="d1g35t" * 8,
        why="no rule covers it",
    )
    happened = Happened(worker="tests", event=ToolOutput(call_id="c1", text=IN_OUTPUT))
    noticed = Noticed(level="warning", text=f"the classifier said {API_KEY} {PRIVATE_KEY}")
    return [asked, happened, noticed]


def packed(path: Path) -> dict[str, str]:
    """Give the files of an archive by their names in it."""
    with tarfile.open(path) as archive:
        found = {}
        for info in archive.getmembers():
            file = archive.extractfile(info)
            assert file is not None
            assert (info.uid, info.gid, info.uname, info.mode) == (0, 0, "", 0o600)
            found[info.name.partition("/")[2]] = file.read().decode()
    return found


def test_a_bundle_has_what_a_report_needs_and_no_secret(
    session: Session, swarm: Swarm, own_home: Path, tmp_path: Path
) -> None:
    target = tmp_path / "report.tar.gz"
    ran = swarm("doctor", "--bundle", str(target))
    assert ran.code == 0
    assert f"Wrote {target}" in ran.err
    assert "Look through it before you send it" in ran.err
    files = packed(target)
    assert all(name in ran.out for name in files)
    assert {
        "README.txt",
        "versions.json",
        "doctor.json",
        "terminal.json",
        "settings/project.json",
        "session/leader.json",
        "session/plan.yaml",
        "session/journal-head.jsonl",
        "session/workers/tests/stderr.log",
        "errors/20260101-000000-1.log",
    } <= set(files)
    for name, text in files.items():
        for secret in SECRETS:
            assert secret not in text, (name, secret)
        assert str(own_home) not in text, name
    head = files["session/journal-head.jsonl"]
    assert '"digest": "' + "d1g35t" * 8 in head
    assert "export GITHUB_TOKEN=[redacted]" in head
    assert f'"content": "[{len(IN_FILE)} characters]"' in head
    assert "RuntimeError: [redacted] at ~/x" in files["errors/20260101-000000-1.log"]
    stderr = files["session/workers/tests/stderr.log"]
    assert stderr.endswith("KeyError: 'a'\n")
    assert "\x1b" not in stderr
    terminal = json.loads(files["terminal.json"])
    assert {"MY_NOTE", "DB_PASSWORD"} <= set(terminal["variables"])
    assert terminal["columns"] > 0
    assert target.stat().st_mode & 0o777 == 0o600


def test_what_a_worker_puts_in_the_place_of_a_file_is_not_taken(
    session: Session, swarm: Swarm, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("what lies elsewhere")
    log, settings = session.worker_folder("tests") / "stderr.log", tmp_path / "project/.swarm/settings.json"
    for path in (log, settings):
        path.unlink()
    log.symlink_to(elsewhere)
    os.mkfifo(settings.with_name("settings.local.json"))
    settings.symlink_to("/etc/hosts")
    assert swarm("doctor", "--bundle", str(tmp_path / "x.tar.gz")).code == 0
    files = packed(tmp_path / "x.tar.gz")
    assert "what lies elsewhere" not in "".join(files.values())
    assert files["settings/project.json"] == "[a link to outside the project, which is left out]\n"
    assert not {"session/workers/tests/stderr.log", "settings/local.json"} & set(files)


def test_nothing_is_overwritten_and_no_link_is_followed(swarm: Swarm, tmp_path: Path) -> None:
    there, link, elsewhere = tmp_path / "there", tmp_path / "link", tmp_path / "elsewhere"
    there.write_text("mine")
    link.symlink_to(elsewhere)
    for path in (there, link):
        ran = swarm("doctor", "--bundle", str(path))
        assert (ran.code, ran.out) == (2, "")
        assert "it exists already, and is not overwritten" in ran.err
    assert there.read_text() == "mine"
    assert not elsewhere.exists()


def test_a_bundle_without_a_session_or_into_no_folder(swarm: Swarm, tmp_path: Path) -> None:
    ran = swarm("doctor", "--bundle", str(tmp_path / "a.tar.gz"), "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["members"][0] == "README.txt"
    assert not [name for name in packed(tmp_path / "a.tar.gz") if name.startswith("session/")]
    assert "No such file or directory" in swarm("doctor", "--bundle", str(tmp_path / "no/b")).err
    assert swarm("doctor", "--bundle", str(tmp_path / "c"), "--session", "none").code == 2
    assert swarm("doctor", "--session", "none").code == 2
    assert not (tmp_path / "c").exists()


def test_a_plan_that_cannot_be_read_is_left_out(session: Session, swarm: Swarm, tmp_path: Path) -> None:
    (session.folder / "plan.yaml").write_text(f"workers: [{OF_PLAN}")
    assert swarm("doctor", "--bundle", str(tmp_path / "x.tar.gz")).code == 0
    files = packed(tmp_path / "x.tar.gz")
    assert "session/plan.yaml" not in files
    assert "session/journal-head.jsonl" in files


def test_a_long_file_is_cut_at_a_line_so_that_no_secret_is_cut_in_two(
    session: Session, swarm: Swarm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "TEXT_BYTES", 60)
    log = tmp_path / "swarm/errors/20260102-000000-1.log"
    log.write_text(f"{'x' * 40}\n" * 3 + f"token={TOKEN}\nlast\n")
    assert swarm("doctor", "--bundle", str(tmp_path / "x.tar.gz")).code == 0
    text = packed(tmp_path / "x.tar.gz")["errors/20260102-000000-1.log"]
    assert text.endswith("last\n")
    assert not [part for part in (TOKEN[:12], TOKEN[-12:]) if part in text]


def test_nothing_is_left_of_a_private_key_that_a_cut_goes_through(
    session: Session, swarm: Swarm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "TEXT_BYTES", 120)
    log = session.worker_folder("tests") / "stderr.log"
    log.write_text(f"-----BEGIN PRIVATE KEY-----\n{'x' * 60}\n{IN_KEY}\n-----END PRIVATE KEY-----\nlast\n")
    assert swarm("doctor", "--bundle", str(tmp_path / "x.tar.gz")).code == 0
    text = packed(tmp_path / "x.tar.gz")["session/workers/tests/stderr.log"]
    assert text == "[cut]\nlast\n"


def test_a_journal_is_told_by_its_beginning_and_end_even_where_it_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    lines = [json.dumps({"n": n, "at": 1.0, "prev": "", "hash": "", "entry": {}}) for n in range(1000)]
    path.write_text("\n".join(lines) + "\n{torn")
    head, tail = head_and_tail(path)
    hiding = Hiding((), "")
    assert [json.loads(line)["n"] for line in told(head, hiding)] == list(range(HEAD_LINES))
    *whole, last = map(json.loads, told(tail, hiding))
    assert [line["n"] for line in whole] == list(range(1000 - TAIL_LINES + 1, 1000))
    assert last == {"unreadable": "5 bytes"}


def test_harmless_variables_and_short_values_are_not_hidden() -> None:
    environment = {
        "PATH": "/usr/bin:/bin",
        "LANG": "en_GB.UTF-8",
        "CI": "true",
        "X_TOKEN": "abcd",
        "NOTE": "12345678",
    }
    assert sorted(secrets_of(environment)) == ["12345678", "abcd"]


@settings(max_examples=200, deadline=None)
@given(
    st.text(min_size=8, max_size=40).filter(lambda secret: secret.strip() == secret),
    st.recursive(
        st.text(max_size=20) | st.integers() | st.none(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
        max_leaves=8,
    ),
)
def test_a_known_secret_is_nowhere_in_a_hidden_value(secret: str, value: Any) -> None:
    hiding = Hiding([secret], os.sep)
    spread = {"a": f"x{secret}y", secret: [secret, value]}
    for text in _texts(hiding.value(spread)):
        assert secret not in text
    assert secret not in hiding.text(f"before {secret} after")


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in _texts(part)]
    return [text for part in value for text in _texts(part)] if isinstance(value, list) else []
