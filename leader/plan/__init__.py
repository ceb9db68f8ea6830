"""The plan file: read, checked, all errors at once, and resolved into what the core runs.

The way in is `load_plan` and `check_plan` of `swarm.leader.plan.load`; nothing is imported here, since
reading plans needs libraries that most commands do without.
"""
