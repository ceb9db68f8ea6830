"""What holds for each worker while a session runs, and how it changes."""

from dataclasses import replace
from pathlib import Path

import pytest

from swarm.leader.core.judge import RuleJudge
from swarm.leader.errors import HeldRulesChanged, OfferRefused, UnknownGrant
from swarm.leader.plan.resolved import TeamPlan, WorkerPlan
from swarm.leader.policies import Policies
from swarm.permissions.engine import decide
from swarm.permissions.errors import SettingsError
from swarm.permissions.files import RealFiles
from swarm.permissions.grants import GrantLimits
from swarm.permissions.model import Behavior, Layer, Mode, Offer, Request, RuleText, Source
from swarm.permissions.settings.places import SettingsFile, settings_files

OFFER = Offer(Behavior.ALLOW, "mcp__srv__run")


def rule(behavior: Behavior, text: str, layer: Layer = Layer.PLAN) -> RuleText:
    return RuleText(behavior, text, Source(layer))


@pytest.fixture
def files(tmp_path: Path) -> tuple[SettingsFile, ...]:
    return settings_files(tmp_path / "project", tmp_path, {}, tmp_path / "managed.json")


@pytest.fixture
def plan(tmp_path: Path) -> TeamPlan:
    project = tmp_path / "project"
    project.mkdir()
    wide = tuple(rule(Behavior.ALLOW, f"mcp__{name}__*", Layer.WORKER) for name in ("srv", "bad", "some"))
    workers = (
        WorkerPlan("open", "script", project),
        WorkerPlan("narrow", "script", project, rules=(rule(Behavior.DENY, "mcp__srv", Layer.WORKER),)),
        WorkerPlan("wide", "script", project, rules=wide),
        WorkerPlan("reader", "script", project, mode=Mode.PLAN),
    )
    rules = (rule(Behavior.DENY, "mcp__bad"), rule(Behavior.ASK, "mcp__some"))
    return TeamPlan("team", project / "plan.yaml", workers, rules=rules)


@pytest.fixture
def policies(plan: TeamPlan, files: tuple[SettingsFile, ...], tmp_path: Path) -> Policies:
    return Policies(plan, tmp_path / "session", files=files, clock=lambda: 5.0)


def says(policies: Policies, worker: str, server: str = "srv") -> Behavior:
    request = Request(f"mcp__{server}__run", {}, str(policies.policy_for(worker).folders.project))
    return decide(request, policies.policy_for(worker), RealFiles()).behavior


def path_of(files: tuple[SettingsFile, ...], layer: Layer) -> Path:
    return next(file.path for file in files if file.layer is layer)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name("new")
    new.write_text(text)
    new.replace(path)


def test_a_workers_allow_rules_lift_no_deny_and_no_ask(policies: Policies) -> None:
    assert says(policies, "open") is Behavior.ASK
    assert says(policies, "wide") is Behavior.ALLOW
    assert says(policies, "wide", "bad") is Behavior.DENY
    assert says(policies, "wide", "some") is Behavior.ASK


@pytest.mark.parametrize("layer", [Layer.LOCAL, Layer.PROJECT, Layer.USER])
def test_a_grant_in_a_file_is_in_force_at_once(
    policies: Policies, files: tuple[SettingsFile, ...], layer: Layer
) -> None:
    before = policies.version
    written = policies.grant(OFFER, layer, "open").rule
    assert written.source.file == str(path_of(files, layer))
    assert says(policies, "open") is Behavior.ALLOW
    assert says(policies, "narrow") is Behavior.DENY
    assert policies.version != before
    assert policies.changed_files() == ()


def test_a_grant_for_the_session_holds_for_all_and_leaves_files_alone(
    policies: Policies, files: tuple[SettingsFile, ...]
) -> None:
    assert policies.grant(OFFER, Layer.SESSION, "open").rule.source.layer is Layer.SESSION
    assert says(policies, "open") is Behavior.ALLOW
    assert policies.policy_for("reader").mode is Mode.PLAN
    assert says(policies, "") is Behavior.ALLOW
    assert [grant.at for grant in policies.grants] == [5.0]
    assert not any(file.path.exists() for file in files)


def test_a_grant_for_one_worker_holds_for_it_alone(policies: Policies) -> None:
    policies.grant(OFFER, Layer.WORKER, "open")
    assert says(policies, "open") is Behavior.ALLOW
    assert says(policies, "") is Behavior.ASK


@pytest.mark.parametrize("layer", [Layer.MANAGED, Layer.PLAN])
def test_a_grant_where_no_person_may_write_is_refused(policies: Policies, layer: Layer) -> None:
    with pytest.raises(OfferRefused):
        policies.grant(Offer(Behavior.ALLOW, "Bash", tuple(Layer)), layer, "open")
    with pytest.raises(OfferRefused):
        policies.grant(Offer(Behavior.ALLOW, "Bash", (Layer.SESSION,)), Layer.USER, "open")


def test_a_grant_into_a_broken_file_changes_nothing(
    policies: Policies, files: tuple[SettingsFile, ...]
) -> None:
    path = path_of(files, Layer.LOCAL)
    write(path, "{")
    with pytest.raises(SettingsError):
        policies.grant(OFFER, Layer.LOCAL, "open")
    assert path.read_text() == "{"
    assert says(policies, "open") is Behavior.ASK


def test_an_edit_of_a_file_is_seen_and_taken_up(
    policies: Policies, files: tuple[SettingsFile, ...]
) -> None:
    path = path_of(files, Layer.USER)
    write(path, '{"permissions": {"deny": ["mcp__srv"]}}')
    assert policies.changed_files() == (path,)
    assert policies.reload() == ()
    assert says(policies, "wide") is Behavior.DENY
    assert policies.changed_files() == ()


def test_a_broken_edit_keeps_the_rules_and_tells_once(
    policies: Policies, files: tuple[SettingsFile, ...]
) -> None:
    path = path_of(files, Layer.USER)
    write(path, '{"permissions": {"deny": ["mcp__srv"]}}')
    policies.reload()
    write(path, '{"permissions": ')
    (notice,) = policies.reload()
    assert "stays in force" in notice
    assert says(policies, "wide") is Behavior.DENY
    assert policies.reload() == ()


def test_a_file_that_was_never_good_makes_what_is_allowed_ask(
    plan: TeamPlan, files: tuple[SettingsFile, ...], tmp_path: Path
) -> None:
    write(path_of(files, Layer.PROJECT), '{"permissions": {"deny": "Bash"}}')
    policies = Policies(plan, tmp_path / "session", files=files)
    assert says(policies, "wide") is Behavior.ASK
    assert says(policies, "wide", "bad") is Behavior.DENY
    assert "deny is a text where a list was expected" in policies.notices[0]


def test_what_is_wrong_with_a_rule_is_told_once(
    policies: Policies, files: tuple[SettingsFile, ...]
) -> None:
    path = path_of(files, Layer.USER)
    write(path, '{"permissions": {"deny": ["Bash(oops"]}}')
    (notice,) = policies.reload()
    assert notice.startswith(f"{path}:1:28: ")
    assert [line.strip() for line in notice.splitlines()[-2:]] == ["Bash(oops", "^"]
    write(path_of(files, Layer.LOCAL), "{}")
    assert policies.reload() == ()


def test_a_mode_of_the_settings_counts_where_the_plan_has_none_and_is_told(
    policies: Policies, files: tuple[SettingsFile, ...]
) -> None:
    path = path_of(files, Layer.USER)
    write(path, '{"permissions": {"defaultMode": "dontAsk"}}')
    assert policies.reload() == (f"The mode is dontAsk, as {path} says.",)
    assert (policies.mode, policies.mode_for("reader")) == (Mode.DONT_ASK, Mode.PLAN)
    assert says(policies, "open") is Behavior.DENY
    write(path, "{}")
    (notice,) = policies.reload()
    assert "does not count" in notice
    assert policies.mode is Mode.DONT_ASK
    with pytest.raises(HeldRulesChanged):
        policies.accept(("something else",))
    assert policies.accept(policies.held) == ("The mode is default again.",)
    assert policies.held == ()


def test_a_mode_that_is_given_replaces_all_others(
    plan: TeamPlan, files: tuple[SettingsFile, ...], tmp_path: Path
) -> None:
    write(path_of(files, Layer.USER), '{"permissions": {"defaultMode": "bypassPermissions"}}')
    policies = Policies(plan, tmp_path / "session", mode=Mode.DEFAULT, files=files)
    assert {policies.mode_for(name) for name in ("", "open", "reader")} == {Mode.DEFAULT}
    assert policies.notices == ()


def test_the_same_policy_is_given_until_something_changes(policies: Policies) -> None:
    first = policies.policy_for("open")
    assert policies.policy_for("open") is first
    policies.grant(OFFER, Layer.SESSION, "open")
    assert policies.policy_for("open") is not first


def test_a_grant_stops_at_its_time_and_after_its_uses(
    plan: TeamPlan, files: tuple[SettingsFile, ...], tmp_path: Path
) -> None:
    now = [0.0]
    policies = Policies(plan, tmp_path / "session", files=files, clock=lambda: now[0])
    policies.grant(OFFER, Layer.SESSION, "open", GrantLimits(minutes=1))
    now[0] = 59.9
    assert says(policies, "open") is Behavior.ALLOW
    now[0] = 60.0
    assert says(policies, "open") is Behavior.ASK
    counted = policies.grant(OFFER, Layer.WORKER, "open", GrantLimits(uses=1))
    assert says(policies, "open") is Behavior.ALLOW
    policies.spend(frozenset({counted.number}))
    assert says(policies, "open") is Behavior.ASK
    assert [(ended.grant.number, ended.how) for ended in policies.take_ended_grants()] == [
        (1, "expired"),
        (2, "used up"),
    ]
    assert policies.take_ended_grants() == []


@pytest.mark.parametrize("layer", [Layer.LOCAL, Layer.SESSION, Layer.WORKER])
def test_a_grant_that_is_taken_back_is_gone_from_its_file_too(
    policies: Policies, files: tuple[SettingsFile, ...], layer: Layer
) -> None:
    number = policies.grant(OFFER, layer, "open").number
    assert policies.revoke(number).rule.text == OFFER.text
    assert says(policies, "open") is Behavior.ASK
    assert OFFER.text not in "".join(file.path.read_text() for file in files if file.path.exists())
    with pytest.raises(UnknownGrant):
        policies.revoke(number)


def test_a_call_that_a_lasting_rule_allows_uses_up_no_grant(policies: Policies) -> None:
    judge = RuleJudge(policies, {"open": policies.policy_for("open").folders.project})
    request = Request("mcp__srv__run", {}, str(policies.policy_for("open").folders.project))
    policies.grant(OFFER, Layer.SESSION, "open", GrantLimits(uses=2))
    policies.grant(OFFER, Layer.WORKER, "open", GrantLimits(uses=2))
    judge.spend("open", request)
    assert sorted(grant.uses or 0 for grant in policies.grants) == [1, 2]
    policies.grant(OFFER, Layer.LOCAL, "open")
    judge.spend("open", request)
    assert sorted(grant.uses or 0 for grant in policies.grants) == [0, 1, 2]


def test_the_plans_classifier_wins_over_the_settings_one_and_is_told(
    plan: TeamPlan, files: tuple[SettingsFile, ...], tmp_path: Path
) -> None:
    write(path_of(files, Layer.USER), '{"classifier": {"command": ["own"]}}')
    own = Policies(plan, tmp_path / "session", files=files)
    assert own.classifier == ("own",)
    assert "classifier own, as" in own.notices[-1]
    named = Policies(replace(plan, classifier=("named",)), tmp_path / "session", files=files)
    assert named.classifier == ("named",)
