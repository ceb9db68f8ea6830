"""The agents that a worker can run, by kind."""
