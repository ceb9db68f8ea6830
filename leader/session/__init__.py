"""A session on disk: its folder, its lock and its journal, the truth from which state is rebuilt."""
