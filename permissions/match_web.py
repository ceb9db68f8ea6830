"""Hosts against host rules. Pure."""

from swarm.permissions.files import FileView
from swarm.permissions.judgement import Judgement, ruled, uncovered, unknown
from swarm.permissions.model import Request
from swarm.permissions.policy import Policy
from swarm.permissions.rules_host import host_of


def judge_fetch(request: Request, policy: Policy, files: FileView) -> Judgement:
    """Judge a call of a tool that fetches a URL. The view of files is not needed."""
    host = host_of(request.input.get("url"))
    if host is None:
        restricted = policy.deny.hosts or policy.ask.hosts
        return (
            unknown("The call names no address.") if restricted else uncovered("The call names no address.")
        )
    for rules in (policy.deny, policy.ask):
        for form in host.forms:
            rule = rules.hosts.match(form)
            if rule is not None:
                return ruled(rule, f"fetching from {host.written}")
    whole = policy.allow.whole_tool(request.tool)
    if whole is not None:
        return ruled(whole, f"every call of {request.tool}")
    found = policy.allow.hosts.match(host.written) if host.plain else None
    if found is not None:
        return ruled(found, f"fetching from {host.written}")
    return uncovered(f"No rule allows fetching from {host.written}.")
