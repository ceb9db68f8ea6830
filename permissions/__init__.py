"""Who may do what: rules, their reading, modes, settings and the strategies that decide. Runs nothing."""
