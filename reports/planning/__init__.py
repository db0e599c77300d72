"""How large a study has to be, from a pilot's answers or from assumptions: `/p/<project>/plan/` and the command."""
