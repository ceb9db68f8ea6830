"""The terminal: one front end on `Client`, built with Textual. Sees no process and decides nothing."""
