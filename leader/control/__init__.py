"""How another shell reaches a running session: a private socket in the session's folder."""
