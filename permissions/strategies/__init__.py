"""How a process gets a decision, by execution mode: a table; a new mode is a new entry."""
