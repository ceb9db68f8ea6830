"""Settings files: where they lie, reading them with positions, and writing rules that keeps the rest."""
