"""The one process a person sits at: it reads the plan, leads the workers and holds every decision."""
