"""The subprocess that runs one agent: runtime, gate, tools and agents. Knows nothing of the leader."""
