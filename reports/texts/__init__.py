"""The texts of a project, whatever its areas: how many prompts of which kind, and how long everything is."""
