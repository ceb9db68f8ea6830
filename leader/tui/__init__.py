"""The terminal: one front end of the leader, on Textual."""
