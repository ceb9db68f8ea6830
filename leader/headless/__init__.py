"""The front end where there is no terminal: a line, or a JSON object, for each thing that happens."""
