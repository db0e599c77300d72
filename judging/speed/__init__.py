"""How fast configurations answer: a pass of its own, one call at a time, warmed up, nothing taken over."""
