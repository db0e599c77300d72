"""Steps that make new texts from responses: cuts by a rule, and edits by a model (`judging/kinds/editing`)."""
