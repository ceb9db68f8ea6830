"""Looks back at a session's journal: whether it is whole, what was decided, what other rules would do."""
