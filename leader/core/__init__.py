"""The leader without any front end: supervision, approvals and the views that front ends show."""
