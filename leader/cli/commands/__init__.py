"""The commands: each module holds one, as its function `command`."""
